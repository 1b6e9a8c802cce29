"""The table of commands, and what becomes of an error."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import typer

from treconcile.cli.exit_status import INTERNAL, INTERRUPTED
from treconcile.cli.options import REDACT_KEY, SHORTEST_KEY
from treconcile.cli.project import ignoring_settings
from treconcile.cli.terminal import talking, tell
from treconcile.errors import TreconcileError, did_you_mean, redacting

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COMMANDS = {
    "demo": "demo",
    "convert": "convert",
    "retrieve": "retrieve",
    "eval": "evaluate",
    "trec-eval": "trec_eval",
    "crosscheck": "crosscheck",
    "compare": "compare",
    "bless": "bless",
    "explain": "explain",
    "fingerprint": "fingerprint",
    "list": "listing",
}
"""Each command and the module of this package that holds it, in the order of the help."""

ABOUT = {
    "demo": "Search, convert, score and cross-check ten documents; show what goes wrong "
    "where definitions differ.",
    "convert": "Convert judgments, a run, documents or queries to the TREC format, or to another and back.",
    "retrieve": "Run a Python search function over the queries and write what it finds as a TREC run.",
    "eval": "Score one or several runs against judgments, under a stated convention.",
    "trec-eval": "Print what trec_eval prints, byte for byte.",
    "crosscheck": "Compare your own numbers with those of reference tools, query by query, and say "
    "why they differ.",
    "compare": "Compare candidates with a baseline, query by query: what got better, what got "
    "worse, can we tell.",
    "bless": "Make new snapshots the accepted ones, after showing what that changes.",
    "explain": "Find the conventions, or the faults of the data, that give the numbers somebody reports.",
    "fingerprint": "Call an implementation on tiny rankings and say which convention it follows, "
    "axis by axis.",
    "list": "List measures, axes of a convention, profiles, formats, names of columns, targets or tools.",
}
"""The first sentence of each, so that the help need not load them."""

# Typer brings its own copy of click from some version on; these are the classes of whichever it uses.
UsageFailure, CommandFailure = cast("list[type[Exception]]", typer.BadParameter.__mro__[1:3])


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The application; making a command takes time, so of those that are not named only the help is there."""
    app = typer.Typer(
        name="treconcile",
        help="Convert, score and cross-check search results in TREC formats, and explain why numbers differ.",
        epilog="Start with: treconcile demo",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_options)
    for name, home in COMMANDS.items():
        if name not in names:
            app.command(name, help=ABOUT[name])(_not_made)
            continue
        command = import_module(f"treconcile.cli.{home}")
        app.command(name, epilog=command.EXAMPLE, no_args_is_help=getattr(command, "NEEDS_ARGUMENTS", True))(
            command.command
        )
    return app


def _not_made() -> None:
    """Stands for a command of which only the name and the help are needed."""


def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
    debug: bool = typer.Option(
        False, "--debug", help="Show a traceback when something fails (anywhere on the line)."
    ),
    redact: bool = typer.Option(
        False,
        "--redact",
        help="Show keyed hashes in place of ids, in all output (anywhere on the line).",
    ),
    quiet: bool = typer.Option(
        False, "--quiet", help="Only numbers: no notes, no warnings (anywhere on the line)."
    ),
    verbose: bool = typer.Option(
        False,
        "-v",
        "--verbose",
        help="All that is known: signatures, every axis, hashes (anywhere on the line).",
    ),
    no_config: bool = typer.Option(
        False,
        "--no-config",
        help="Leave treconcile.toml and pyproject.toml unread (anywhere on the line).",
    ),
) -> None:
    if version:
        from treconcile._version import __version__

        typer.echo(f"treconcile {__version__}")
        raise typer.Exit


GLOBAL = ("--debug", "--redact", "--no-config", "--quiet", "--verbose", "-v")
"""The options that stand anywhere on the line and are known before the command is."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit status; nothing but a bug gets past it.

    Args:
        arguments: The command line without the program's name.
    """
    own = GLOBAL[:-1] if "trec-eval" in arguments[:1] else GLOBAL  # whose -v is its version
    debug, redact, no_config, quiet, verbose = (name in arguments for name in GLOBAL[:-1])
    verbose |= "-v" in own and "-v" in arguments
    if quiet and verbose:
        _say("error: --quiet and --verbose do not go together", "leave one of the two out")
        return 2
    if debug and redact:
        _say("error: --debug and --redact do not go together", "a traceback shows what --redact hides")
        return 2
    key = os.environ.get(REDACT_KEY, "")
    if redact and key and len(key) < SHORTEST_KEY:
        _say(
            f"error: {REDACT_KEY} has fewer than {SHORTEST_KEY} characters",
            "who guesses the key finds the ids",
        )
        return 2
    talk = "--quiet" if quiet else "--verbose" if verbose else ""
    with (
        talking(talk),
        ignoring_settings(no_config),
        redacting(redact, key.encode("utf-8", "surrogateescape")),
    ):
        return _run([each for each in arguments if each not in own], debug=debug)


def _run(arguments: list[str], *, debug: bool) -> int:
    try:
        named = [each for each in arguments if each in COMMANDS]
        return _status(typer.main.get_command(make_app(named)), arguments)
    except TreconcileError as error:
        if debug:
            _trace()
        # An error is understood only by those who know what was said before it.
        tell(error.notices)
        _say(f"error: {error}", error.hint)
        return error.exit_status
    except UsageFailure as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            sys.stderr.write(_message(error) + "\n")
        else:
            _say(f"error: {_message(error)}", _usage_hint(error))
        return 2
    except CommandFailure as error:
        _say(f"error: {_message(error)}", None)
        return 2
    except BrokenPipeError:
        # The reader went away (as `head` does): what is buffered must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        _say("interrupted", None)
        return INTERRUPTED
    except Exception as error:
        if debug:
            _trace()
        _say(
            f"error: treconcile failed in a way that is its own fault: {type(error).__name__}",
            "please report it with the output of the same command and --debug",
        )
        return INTERNAL


def _status(command: Any, arguments: list[str]) -> int:  # noqa: ANN401 - typer's own
    # Not `command.main`, which has ends of its own for an interrupt and for a reader that went away.
    try:
        with command.make_context("treconcile", arguments) as context:
            command.invoke(context)
    except typer.Exit as left:
        return int(left.exit_code)
    return 0


def _trace() -> None:
    import traceback  # which takes long to load

    traceback.print_exc()


def _message(error: BaseException) -> str:
    """What the parser of the command line says, without the guess that the hint gives."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return str(error.format_message()).rstrip()  # type: ignore[attr-defined]
    own = getattr(error, "message", "") if hasattr(error, "possibilities") else ""
    said = str(own or error.format_message()).rstrip()  # type: ignore[attr-defined]
    said = re.sub(r"\.? Did you mean .*", "", said, flags=re.DOTALL).removesuffix(".")
    return said[:1].lower() + said[1:]


def _usage_hint(error: BaseException) -> str | None:
    """What to do about a command line that cannot be read."""
    possible = getattr(error, "possibilities", None)
    if possible:
        return f"did you mean {sorted(possible)[0]}?"
    context = getattr(error, "ctx", None)
    message = _message(error)
    if message.startswith("no such command"):
        return did_you_mean(message.split("'")[1], COMMANDS, "see treconcile --help")
    return f"see {context.command_path} --help" if context is not None else None


def _say(message: str, hint: str | None) -> None:
    """An error on stderr: what is wrong, then what to do about it."""
    lines = [message, *([f"hint: {hint}"] if hint else [])]
    sys.stderr.write("".join(f"{line}\n" for line in lines))

"""A second process that takes its share of large files, and hashes them while this one is still being loaded.

Python lets one thread at a time go on, however many processors there are; and loading the modules of a
command takes one of them as long as reading some hundred megabytes. So while a command is young, has one
thread and nothing but itself in memory, it starts a helper, which loads less, hashes the large files, and
waits to be told what to do with one. Then both take the next piece of it that is left, until none is.
Whatever happens to the helper, what it did not do is done here.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from treconcile.ahead import Digest, Digests, digests_of, identity, large_files, size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LEAST = 48 << 20
"""Less is read before the helper is ready."""
PIECE = 4 << 20
MOST_PIECES = 1000  # their numbers are written to a pipe at once, and the smallest pipe holds a page
NUMBER = 4
PROCESSORS = 2
PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4")


class Share:
    """How a file is divided between two processes, in pieces that have as many bytes but for the last.

    Attributes:
        path: The file.
        size: Of the file, in bytes.
        piece: Of a piece, in bytes.
        count: How many pieces there are.
    """

    def __init__(self, helper: Helper, path: str) -> None:
        found = os.stat(path)  # noqa: PTH116 - pathlib is not loaded yet
        self.path = path
        self.size = found.st_size
        self.piece = max(PIECE, -(-self.size // MOST_PIECES))
        self.count = -(-self.size // self.piece)
        self._helper = helper
        self._identity = identity(found)
        self._numbers, end = os.pipe()
        os.write(end, b"".join(number.to_bytes(NUMBER, "little") for number in range(self.count)))
        os.close(end)

    def is_same(self, now: os.stat_result) -> bool:
        """Whether the file has not changed since it was divided."""
        return self._identity == identity(now)

    def numbers(self) -> Iterator[int]:
        """The numbers of the pieces that this process takes, one after another."""
        while number := os.read(self._numbers, NUMBER):
            if not self._helper.is_wanted():
                return  # the process that would be told of it has ended
            yield int.from_bytes(number, "little")

    def tell(self, task: Callable[[Share], object]) -> None:
        """Have the helper take its share, too.

        Args:
            task: What is done with the share; both it and what it gives are pickled.
        """
        self._helper.tell(self.path, task)

    def hear(self) -> Any:  # noqa: ANN401 - whatever the task gave
        """What the task has given; None if it failed."""
        return self._helper.hear(self.path)


class Helper(Digests):
    """The helper, as the process sees it that starts it.

    Args:
        hashed: The files that it hashes.
        shared: The files that both read.
        modules: What it loads, of which the tasks are that it will be given.
        late: Libraries that it loads only if something of them is used.

    Raises:
        OSError: There cannot be a second process.
    """

    def __init__(
        self, hashed: Sequence[str], shared: Sequence[str], modules: Sequence[str], late: Sequence[str] = ()
    ) -> None:
        super().__init__(hashed)
        self._owner = os.getpid()
        self._shares = {path: Share(self, path) for path in shared}
        self._digests: dict[str, Digest] | None = None
        listening, telling = os.pipe()
        hearing, answering = os.pipe()
        # An interrupt is for the command; nothing of the helper's is to be seen.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self._child = os.fork()
            if not self._child:
                self._serve(listening, answering, (telling, hearing), modules, late)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(listening)
        os.close(answering)
        self._telling, self._hearing = os.fdopen(telling, "wb"), os.fdopen(hearing, "rb")

    def _all(self) -> dict[str, Digest]:
        if self._digests is None:
            self._digests = self._next_answer() or {}
        return self._digests

    def share(self, path: str) -> Share | None:
        """How a file is divided, which is now read; None if it is not, or was read before."""
        return self._shares.pop(path, None)

    def tell(self, path: str, task: Callable[[Share], object]) -> None:
        """Have the helper take its share of a file, too.

        Args:
            path: The file.
            task: What is done with it; both it and what it gives are pickled.
        """
        import pickle
        from threading import Thread

        # The helper may be hashing yet, and does not listen: one does not wait for it.
        message = pickle.dumps((path, task), pickle.HIGHEST_PROTOCOL)
        try:
            Thread(target=self._send, args=(message,), daemon=True).start()
        except RuntimeError:  # there can be no more threads
            self._send(message)

    def hear(self, path: str) -> Any:  # noqa: ANN401 - whatever the task gave
        """What the task for a file has given; None if it failed."""
        self._all()  # which are answered first
        while (answer := self._next_answer()) is not None:
            of, given = answer
            if of == path:  # of others nobody may have heard: they were given up here
                return given
        return None

    def end(self) -> None:
        """End the helper."""
        if self._child and signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL:
            # As long as nobody has waited for it, its number is that of no other process.
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
        self._child = 0  # else it sees that nobody listens

    def _send(self, message: bytes) -> None:
        try:
            self._telling.write(message)
            self._telling.flush()
        except OSError:
            pass  # it has ended

    def _next_answer(self) -> Any:  # noqa: ANN401
        import pickle

        try:
            return pickle.load(self._hearing) if self._child else None
        except (EOFError, OSError, pickle.UnpicklingError):
            self.end()
            return None

    def _serve(
        self,
        listening: int,
        answering: int,
        others: Sequence[int],
        modules: Sequence[str],
        late: Sequence[str],
    ) -> NoReturn:
        """Be the helper, until nobody asks."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nowhere, stream)
            for end in others:
                os.close(end)
            import pickle

            told, answers = os.fdopen(listening, "rb"), os.fdopen(answering, "wb")
            for library in late:
                sys.modules[library] = _Late(library)
            for module in modules:
                import_module(module)
            answer: object = digests_of(self._wanted, self.is_wanted)
            while self.is_wanted():
                pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
                answers.flush()
                path, task = pickle.load(told)
                try:
                    answer = path, task(self._shares[path])
                except Exception:
                    answer = path, None  # the command will come upon it, too, and say what is wrong
        finally:
            os._exit(0)  # nothing that the command does at its end is to be done here

    def is_wanted(self) -> bool:
        """Whether the process that started the helper, perhaps this one, is still there."""
        return self._owner in (os.getpid(), os.getppid())


class Ahead:
    """What was begun before the modules of a command are loaded.

    Attributes:
        digests: The hashes of large files.
        helper: A process that takes its share of large files.
    """

    def __init__(self, digests: Digests | None = None, helper: Helper | None = None) -> None:
        self.digests = digests
        self.helper = helper


class _Late(ModuleType):
    """A library that is loaded when something of it is first used."""

    def __getattr__(self, name: str) -> object:
        """Something of the library."""
        if name.startswith("__"):  # what the import itself looks for
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        library = import_module(self.__name__)
        self.__dict__.update(library.__dict__)
        return getattr(library, name)


def helper_for(
    hashed: Sequence[str], shared: Sequence[str], modules: Sequence[str], late: Sequence[str] = ()
) -> Helper | None:
    """A helper; None if there cannot be one, or it would have nothing to do."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < PROCESSORS:
        return None
    large = [path for path in large_files(shared) if not path.endswith(PACKED)]
    if sum(map(size_of, large)) < LEAST:
        return None
    try:
        if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - pathlib is not loaded yet
            return None  # what another thread holds at this moment would be held in the helper for ever
        return Helper(hashed, large, modules, late)
    except OSError:
        return None

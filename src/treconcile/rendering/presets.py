"""What a preset reads, in words: how an input is recognised, and where ids and scores come from."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as MappingType
from typing import cast

from treconcile.formats.systems.mapping.language import Mapping
from treconcile.formats.systems.mapping.names import QUERY_IDS
from treconcile.formats.systems.mapping.paths import Constant
from treconcile.formats.systems.mapping.presets import Preset, Variant
from treconcile.formats.systems.mapping.rules import alternatives

Rules = MappingType[str, MappingType[str, object]]
"""What is written under `recognise`: the rules by path, for each level."""

Code = Callable[[str], str]
"""Marks an expression, so that it stands out from the words around it."""

RULES = {
    "any": ("there, whatever it is", "anything"),
    "absent": ("missing", "nulls"),
    "null": ("null or missing", "nulls"),
    "true": ("true", "trues"),
    "text": ("text", "texts"),
    "whole": ("a whole number", "whole numbers"),
    "number": ("a number", "numbers"),
    "words": ("a text of several words", "texts of several words"),
    "digits": ("text of digits", "texts of digits"),
    "decimal": ("a number written as text", "numbers written as text"),
    "fraction": ("a number with a point, written as text", "numbers with a point, written as text"),
    "list": ("a list", "lists"),
    "object": ("an object", "objects"),
}
"""Each rule for one value, and for the members of a list or an object."""

READERS = {
    "json": "JSON or JSON Lines, a file or a folder of files",
    "jsonl": "JSON Lines",
    "json-dir": "a folder of JSON files",
    "csv": "a table, comma-separated",
    "tsv": "a table, tab-separated",
    "ws": "a table, separated by white space",
    "regex": "lines of text",
    "parquet": "a Parquet file",
    "npy": "NumPy arrays",
    "npz": "NumPy arrays by name",
}
"""What each reader reads."""

_LEVELS = {"document": "in the document", "record": "in each record", "hit": "in each hit"}


def _plain(text: str) -> str:
    return text


def kinds(preset: Preset) -> tuple[str, ...]:
    """What a preset gives: `run`, `qrels` or both."""
    return tuple(sorted({variant.mapping.kind for variant in preset.variants}))


_GIVEN = {"run": "a run", "qrels": "judgments", "queries": "queries", "corpus": "documents"}


def facts(variant: Variant, code: Code = _plain) -> dict[str, str]:
    """The facts about a variant, by topic.

    Args:
        variant: The variant.
        code: Marks expressions and options.
    """
    mapping = variant.mapping
    topics = {
        "gives": _GIVEN[mapping.kind],
        "input": READERS[mapping.reader] + (" with a header line" if mapping.header else ""),
        "recognised": recognised(variant, code),
        "queries": _queries(variant, code),
        "documents": _documents(mapping, code),
    }
    if mapping.kind in ("queries", "corpus"):
        id_of, id_field = ("queries", "qid") if mapping.kind == "queries" else ("documents", "docid")
        del topics["documents" if id_field == "qid" else "queries"]
        topics[id_of] = (
            f"the id is {code(mapping.texts[id_field])}, and the text {code(mapping.texts['text'])}"
        )
        return topics
    if mapping.kind == "run":
        topics["scores"] = _scores(mapping, code)
    else:
        topics["grades"] = _grades(mapping, code)
    return topics


def _names_queries(variant: Variant) -> bool:
    """Whether an answer of this form has the id of its query itself."""
    has_query_id = variant.mapping.qid is not None and "qid" in variant.fields
    return (
        has_query_id
        or variant.mapping.records_as == "dict"
        or variant.fields.get("keyed") is True
        or variant.generic
    )


def needs(variant: Variant) -> str:
    """The options that an input of this variant needs."""
    mapping = variant.mapping
    options = []
    if mapping.docid_lookup is not None and mapping.docids_file is None:
        options.append("--docids FILE")
    if mapping.kind in ("queries", "corpus"):
        return ""
    named = _names_queries(variant)
    if mapping.query is not None and not named:
        options.append("--queries FILE or --make-qids FILE")
    if mapping.query is None and not named:
        by_name = mapping.records is None and not mapping.zip
        options.append("--qids FILE" + (" or a file a query, named by its id" if by_name else ""))
    if variant.recognition.levels == {} or not variant.auto:
        options.append(f"--from {variant.label}")
    return ", ".join(options)


def recognised(variant: Variant, code: Code = _plain) -> str:
    """The rules by which an input is recognised as this variant."""
    if not variant.recognition.levels:
        return f"never by its looks; {code(f'--from {variant.label}')} reads it"
    rules = "; ".join(
        f"{_LEVELS[level]}, "
        + ", ".join(f"{code(path)} is {rule_in_words(str(rule))}" for path, rule in rules.items())
        for level, rules in cast("Rules", variant.fields["recognise"]).items()
    )
    if variant.auto:
        return rules
    return f"{rules}; others look the same, so it has to be asked for: {code(f'--from {variant.label}')}"


def rule_in_words(rule: str) -> str:
    """A rule as it is said of one value."""
    return " or ".join(_of_one(alternative.strip()) for alternative in alternatives(rule))


def _of_one(rule: str) -> str:
    if rule.startswith("="):
        return f"“{rule[1:]}”" if rule[1:] else "empty"
    outer, _, inner = rule.partition("[")
    return f"{RULES[outer][0]} of {_of_several(inner[:-1])}" if inner else RULES[outer][0]


def _of_several(rule: str) -> str:
    words = []
    for alternative in alternatives(rule):
        outer, _, inner = alternative.strip().partition("[")
        words.append(f"{RULES[outer][1]} of {_of_several(inner[:-1])}" if inner else RULES[outer][1])
    return " or ".join(words)


def _queries(variant: Variant, code: Code) -> str:
    """The ways to a query's id, in the order in which they are tried."""
    ways = []
    mapping = variant.mapping
    if variant.fields.get("keyed") is True:
        return "the key of the record"
    if mapping.qid is not None and "qid" in variant.fields:
        ways.append(f"the id {code(mapping.texts['qid'])}")
    elif mapping.qid is not None:
        ways.append(f"an id beside it ({code(QUERY_IDS[0])}), or the key under which it stands")
    elif mapping.records_as == "dict":
        ways.append("the key of the record")
    listed = not mapping.flat and mapping.records_as != "dict"
    if listed and mapping.records is None and not mapping.zip:
        ways.append("the file's name, in a folder of one response a file")
    if mapping.query is not None:
        ways.append(f"the text {code(mapping.texts['query'])}, looked up in {code('--queries')}")
    if listed:
        ways.append(f"its place in {code('--qids')}")
    if mapping.query is not None:
        ways.append(f"a number, with {code('--make-qids')}")
    return ", else ".join(ways)


def _documents(mapping: Mapping, code: Code) -> str:
    text = code(mapping.texts.get("docid", "docid"))
    if mapping.own is not None:
        text = f"{code(mapping.texts['own'] + '.doc_id')}, else {text}"
    if mapping.docid_lookup == "index":
        text = f"{text} is a position, from 0, in {code('--docids')}"
    elif mapping.docid_lookup == "text":
        text = f"{text} is a text, looked up in {code('--docids')}"
    else:
        text = f"the id is {text}"
    if mapping.docid_regex is not None:
        text += f", and of that the part in ( ) of {code(mapping.docid_regex.pattern)}"
    if mapping.dedupe in ("max", "first"):
        counts = "best" if mapping.dedupe == "max" else "first"
        text += f"; of several hits of a document, the {counts} counts"
    return text


def _scores(mapping: Mapping, code: Code) -> str:
    if mapping.score is None:
        rank = mapping.texts.get("rank")
        return f"none; the rank {code(rank)} counts" if rank else "none; the order of the hits counts"
    score = code(mapping.texts["score"])
    if mapping.order == "ask":
        options = f"{code('--higher-is-better')} or {code('--lower-is-better')}"
        return f"{score}, of which the order of the hits tells which are better; if it does not, {options}"
    better = "higher" if mapping.order == "desc" else "lower, and negated"
    dropped = f"; of {mapping.drop_score_le:g} or less, left out" if mapping.drop_score_le is not None else ""
    return f"{score}, better when {better}{dropped}"


def _grades(mapping: Mapping, code: Code) -> str:
    if isinstance(mapping.rel, Constant):
        return f"{mapping.rel.value} for every document that is listed"
    return code(mapping.texts["rel"])

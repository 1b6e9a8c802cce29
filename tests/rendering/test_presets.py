"""What is said of a preset, against what its mapping holds."""

from dataclasses import replace

import pytest

from treconcile.formats.systems.mapping import key_values, rules
from treconcile.formats.systems.mapping.presets import Variant, preset
from treconcile.formats.systems.mapping.rules import Recognition
from treconcile.rendering.presets import READERS, RULES, facts, kinds, needs, recognised, rule_in_words


def form(label: str) -> Variant:
    """A form by its label."""
    return next(each for each in preset(label.partition(".")[0]).variants if each.label == label)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("text", "text"),
        ("absent", "missing"),
        ("text|whole", "text or a whole number"),
        ("list[object]", "a list of objects"),
        ("list[text|whole]|absent", "a list of texts or whole numbers or missing"),
        ("object[list[number]]", "an object of lists of numbers"),
        ("list[text|list[number]]|null", "a list of texts or lists of numbers or null or missing"),
        ("=RETRIEVER", "“RETRIEVER”"),
        ("number|=", "a number or empty"),
    ],
)
def test_a_rule_in_words(rule: str, said: str) -> None:
    """One value in the singular, members of a list or an object in the plural."""
    assert rule_in_words(rule) == said


def test_every_rule_and_reader_has_words() -> None:
    """Each can be read by the language, and the language has no other."""
    assert set(RULES) == set(rules._TESTS) and set(READERS) == set(key_values.READERS)
    for rule in RULES:
        rules.test_of(rule)


def test_what_a_form_is() -> None:
    """Where ids and scores come from, in the order in which they are looked for."""
    assert facts(form("solr.select"), lambda text: f"<{text}>") == {
        "gives": "a run",
        "input": "JSON or JSON Lines, a file or a folder of files",
        "recognised": "in each record, <response.docs> is a list of "
        "objects; in each hit, <id> is text or a whole number, <score> is a number or null or missing",
        "queries": "an id beside it (<query_id>), or the key under which it stands, else the file's name, in "
        "a folder of one response a file, else the text <responseHeader.params.q>, looked up in "
        "<--queries>, else its place in <--qids>, else a number, with <--make-qids>",
        "documents": "the id is <id>",
        "scores": "<score>, better when higher",
    }


@pytest.mark.parametrize(
    ("label", "topic", "said"),
    [
        ("chroma.query", "scores", "s, better when lower, and negated"),
        ("bm25s.ids", "scores", "s, better when higher; of 0 or less, left out"),
        ("msmarco.run", "scores", "none; the rank [2] counts"),
        ("kendra", "scores", "none; the order of the hits counts"),
        (
            "faiss.json",
            "scores",
            "s, of which the order of the hits tells which are better; if it does not, "
            "--higher-is-better or --lower-is-better",
        ),
        ("faiss.json", "documents", "i is a position, from 0, in --docids"),
        ("ragas.contexts", "documents", "@value is a text, looked up in --docids"),
        ("kendra", "documents", "the id is DocumentId; of several hits of a document, the first counts"),
        ("dict.run", "queries", "the key of the record"),
        ("beir", "queries", 'the id "query-id"'),
        ("beir", "input", "a table, tab-separated with a header line"),
        ("beir", "grades", "score"),
        ("llamaindex.qa", "grades", "1 for every document that is listed"),
    ],
)
def test_each_topic(label: str, topic: str, said: str) -> None:
    """As the mapping has it."""
    assert facts(form(label))[topic] == said


@pytest.mark.parametrize(
    ("label", "given"),
    [
        ("elasticsearch.search", "--qids FILE or a file a query, named by its id"),
        ("haystack.documents", "--qids FILE or a file a query, named by its id"),
        ("faiss.json", "--docids FILE, --qids FILE or a file a query, named by its id"),
        ("ragas.retrieved", "--queries FILE or --make-qids FILE"),
        ("squad.paragraphs", "--docids FILE, --from squad.paragraphs"),
        ("dict.run", ""),
    ],
)
def test_what_has_to_be_given(label: str, given: str) -> None:
    """The options that an input of this form cannot do without."""
    assert needs(form(label)) == given


def test_forms_that_have_to_be_asked_for() -> None:
    """Those without rules, and those that look like another's."""
    ruleless = replace(form("vespa"), recognition=Recognition())
    assert recognised(ruleless) == "never by its looks; --from vespa reads it"
    assert needs(ruleless).endswith("--from vespa")
    assert recognised(form("opensearch.search")).endswith("to be asked for: --from opensearch.search")


def test_kinds() -> None:
    """Both, where there are forms of both."""
    assert kinds(preset("ragas")) == ("qrels", "run")
    assert kinds(preset("vespa")) == ("run",)

"""ir_measures: its default pipeline and each of its providers, with every measure that they have."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from profiles.live.data import DEEP, Data, Situations
from profiles.live.ir_measures_names import asked, engine_of
from profiles.live.tool import Answer, Answers, Fault, Live, Value


def judgments(data: Data) -> Any:  # noqa: ANN401
    """A dictionary, or where sub-topics tell judgments apart a list."""
    import ir_measures

    if any(topic != "0" for _, topic, _, _ in data.judged):
        return [ir_measures.Qrel(query, doc, grade, topic) for query, topic, doc, grade in data.judged]
    return data.qrels


def results(data: Data, listed: bool) -> Any:  # noqa: ANN401
    """A dictionary of dictionaries, or the list of rows that a file is read into."""
    import ir_measures

    if not listed:
        return data.scores
    return [ir_measures.ScoredDoc(query, *row) for query, docs in data.run.items() for row in docs]


def ir_measures(provider: str | None, only: str = ".*", *, listed: bool = False) -> Callable[[Data], Answers]:
    """ir_measures' default pipeline, or one of its providers, with each measure asked for by itself."""

    def call(data: Data) -> Answers:
        import pandas as pd

        logging.getLogger("ir_measures").setLevel(logging.ERROR)
        engine = engine_of(provider)
        answers: Answers = {}
        # The provider ranx takes no strings of pandas 3.
        with pd.option_context("future.infer_string", False):
            for measures in asked(provider, only).values():
                answers |= _answers(engine, measures, judgments(data), results(data, listed))
        return answers

    return call


def _answers(engine: Any, measures: list[Any], judged: Any, found: Any) -> Answers:  # noqa: ANN401
    try:
        made = engine.calc(measures, judged, found)
    except Exception as error:  # whatever the tool raises
        if len(measures) == 1:
            return {str(measures[0]): Answer(refused=repr(error))}
        alone = (_answers(engine, [measure], judged, found) for measure in measures)
        return {name: answer for one in alone for name, answer in one.items()}
    values: dict[Any, dict[str, Value]] = {measure: {} for measure in measures}
    for row in made.per_query:
        values[row.measure][row.query_id] = float(row.value)
    return {str(each): Answer(values[each], float(made.aggregated[each])) for each in measures}


def none_listed(data: Data, query: str) -> bool:
    """Whether a query has no results."""
    return not data.run.get(query)


def none_judged(data: Data, query: str) -> bool:
    """Whether no result of a query was judged, those with a grade below 0 aside."""
    grades = data.qrels.get(query, {})
    return all(grades.get(doc, -1) < 0 for doc, _ in data.run.get(query, ()))


def outside_ideal(data: Data, query: str) -> bool:
    """Whether a relevant result has a score below 0, or the same score and grade as another."""
    grades = data.qrels.get(query, {})
    kinds = [
        (score, grades[doc]) for doc, score in data.scores.get(query, {}).items() if grades.get(doc, 0) > 0
    ]
    return len(set(kinds)) < len(kinds) or any(score <= 0 for score, _ in kinds)


def failing(data: Data) -> Data:
    """The data without the queries for which Accuracy would divide by zero, and take the others with it."""
    grades = data.qrels

    def divides(query: str, docs: Sequence[tuple[str, float]]) -> bool:
        first = sorted(docs, key=lambda row: -row[1])[:3]
        return not first or any(grades.get(query, {}).get(doc, 0) < 1 for doc, _ in first)

    return Data(data.judged, {query: docs for query, docs in data.run.items() if divides(query, docs)})


def not_barren(data: Data) -> Data:
    """The data without empty lists where nothing is relevant, for which Compat divides by zero."""
    grades = data.qrels
    kept = {
        query: docs
        for query, docs in data.run.items()
        if docs or max(grades.get(query, {"": 1}).values()) > 0
    }
    return Data(data.judged, kept)


def only_deep(data: Data) -> Data:
    """The long list alone, for the tool is slow."""
    return Data([row for row in data.judged if row[0] == DEEP], {DEEP: data.run[DEEP]})


LEVELS = (
    Fault("0 divided by 0 where a level asks for no document of an empty list", r"IPrec.*", none_listed),
    Fault("the same where no result was judged", r"IPrec\(judged_only.*", none_judged),
)
IDEAL = (
    Fault(
        "of equal scores and grades the ideal ranking takes the one first judged first, and those with a"
        " score below 0 last",
        "Compat.*",
        outside_ideal,
    ),
)
FIRST = (
    Fault("at a cut-off of 1 these are not divided by their best value", r"(ERR_IA|alpha_DCG)(\(.*)?@1"),
    Fault(
        "ndeval knows cut-offs up to 20, and these measures not without one",
        r".*@1003|(ERR_IA|nERR_IA|alpha_DCG|alpha_nDCG|P_IA|StRecall)(\([^@]*)?",
    ),
    Fault("`judged_only` fails", r".*judged_only.*"),
)
ALONE = (Fault("fails where the first is relevant, and else has no value", r"Accuracy.*@1"),)
LIMIT = (Fault("no cut-off above 1000", r"(P|BPM|SDCG|NERR.)\(?.*@1003"),)
RANX = (Fault("the parameter is not handed on", r"SetP\(relative.*"),)
TRECTOOLS = (
    Fault("counts judged documents below 0 as relevant", "Bpref.*"),
    Fault("weighs by raw grades, and averages ties across queries", "RBP.*"),
    Fault("divides the counts of one query by those of another under pandas 3", "Rprec.*"),
)
DIVERSITY = "alpha_DCG|alpha_nDCG|ERR_IA|nERR_IA|NRBP|nNRBP|AP_IA|P_IA|StRecall"
PLAIN = rf"(?!({DIVERSITY}|Accuracy)$).*"
TOPICS = Situations(subtopics=True)
SHALLOW = Situations(deep=False)

TOOLS = (
    Live(
        "ir_measures",
        (),
        ir_measures(None, PLAIN),
        "all but diversity",
        given=not_barren,
        faults=(*LEVELS, *IDEAL),
    ),
    Live("ir_measures", (), ir_measures(None, "Accuracy"), "Accuracy", given=failing, faults=ALONE),
    Live("ir_measures", ("pyndeval",), ir_measures(None, DIVERSITY), "diversity", TOPICS, faults=FIRST),
    Live(
        "ir_measures-list",
        (),
        ir_measures(None, PLAIN, listed=True),
        "all but diversity",
        given=not_barren,
        faults=(*LEVELS, *IDEAL),
    ),
    Live(
        "ir_measures-list",
        (),
        ir_measures(None, "Accuracy", listed=True),
        "Accuracy",
        given=failing,
        faults=ALONE,
    ),
    Live(
        "ir_measures-list",
        ("pyndeval",),
        ir_measures(None, DIVERSITY, listed=True),
        "diversity",
        TOPICS,
        faults=FIRST,
    ),
    Live("ir_measures-pytrec_eval", (), ir_measures("pytrec_eval"), faults=LEVELS),
    Live(
        "ir_measures-cwl_eval",
        ("cwl",),
        ir_measures("cwl_eval"),
        may=SHALLOW,
        fixtures=3,
        batches=1,
        faults=LIMIT,
    ),
    Live(
        "ir_measures-cwl_eval",
        ("cwl",),
        ir_measures("cwl_eval"),
        "a long list",
        given=only_deep,
        batches=1,
        faults=LIMIT,
    ),
    Live(
        "ir_measures-cwl_eval-list",
        ("cwl",),
        ir_measures("cwl_eval", listed=True),
        may=SHALLOW,
        fixtures=3,
        batches=1,
        faults=LIMIT,
    ),
    Live("ir_measures-compat", (), ir_measures("compat"), given=not_barren, faults=IDEAL),
    Live("ir_measures-pyndeval", ("pyndeval",), ir_measures("pyndeval"), may=TOPICS, faults=FIRST),
    Live("ir_measures-judged", (), ir_measures("judged")),
    Live("ir_measures-accuracy", (), ir_measures("accuracy"), given=failing, faults=ALONE),
    Live("ir_measures-msmarco", (), ir_measures("msmarco")),
    Live("ir_measures-gdeval", (), ir_measures("gdeval")),
    Live("ir_measures-trectools", ("trectools",), ir_measures("trectools"), faults=TRECTOOLS),
    Live("ir_measures-ranx", ("ranx",), ir_measures("ranx"), given=Data.common, faults=RANX),
)

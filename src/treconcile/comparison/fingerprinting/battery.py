"""The battery: every probe there is, as data.

The axes of the convention that no probe separates stand in `UNREACHABLE`, each with the reason.
"""

from __future__ import annotations

from treconcile.comparison.fingerprinting.probes import Written

RUN = (("A B", "x A"), ("A B C", "x y z"))
"""Two queries beside the one in question, which show whether that one enters a mean."""

IDENTITY = (
    Written("every other result", "identity", "A B C D E", "x A y B z C"),
    Written("the third result", "identity", "A", "x y A z", 4),
    Written("one of two", "identity", "A B", "A x B y", 2),
    Written("two of three", "identity", "A B C", "A B x y z C", 5),
    Written("a full top", "identity", "A B C D", "A B x"),
    Written("below the cut", "identity cutoff", "A B", "x y z A B"),
    Written("the last place", "identity cutoff", "A B C", "x y A B"),
)
"""Long enough lists without anything unusual, to recognise the measure and its cut-off."""


def _ladder(first: int, relevant: str, ranks: tuple[int, ...], length: int, k: int) -> Written:
    remaining = iter(relevant.split())
    ranked = " ".join(next(remaining) if at in ranks else f"x{at}" for at in range(1, length + 1))
    title = f"a long list, relevant from rank {first}"
    return Written(title, "identity cutoff", relevant, ranked, k, segments=False)


LADDERS = (
    _ladder(2, "A B C D E F G H I", (2, 4, 7, 11, 18, 35, 70, 105), 120, 30),
    *(_ladder(first, "A B C", (first, first + 2), first + 4, first + 3) for first in (4, 5, 6, 7, 9)),
    _ladder(11, "A B C", (11, 21, 40), 60, 20),
    _ladder(21, "A B", (21, 90), 130, 40),
    _ladder(51, "A B", (51,), 60, 55),
    _ladder(101, "A B", (101,), 120, 110),
)
"""How deep a list is looked at."""

DOCUMENTS = tuple(f"D{at * 17 % 101:03}" for at in range(100))
"""Enough tied documents for an unstable sort to show, even one that sorts twice (as ranx does)."""


def _tied(relevant: str, k: int) -> Written:
    ranked = "Mc=1 Ma=1 Md=1 Mb=1"
    grades = " ".join(f"{name}:{'+0' if name in relevant else '0'}" for name in ("Ma", "Mb", "Mc", "Md"))
    return Written(f"four tied, relevant: {relevant}", "ties", grades, ranked, k, "scores")


FORMULAS = (
    Written("one result, relevant", "denominator short_list", "A", "A", 2),
    Written("a single result", "short_list", "A", "A", 2, segments=False),
    Written("a short list", "denominator short_list", "A B", "A x B", 5),
    Written("a result nobody judged", "denominator", "A", "A u", 2, "grades"),
    Written("a tie at the cut-off", "denominator", "A", "A=2 x=1 y=1", 2, "scores"),
    Written("more relevant than k", "recall", "A B C D", "A x y", 2),
    Written("relevant below the cut", "recall pool", "A B C", "A x y B", 2),
    Written("two of them found", "target", "A B", "A x B"),
    Written("the better one later", "target", "A:+0 B:+1", "A B x", 3, "grades"),
    Written("a short list, more relevant than k", "ap pool", "A B C D E", "A x B", 4),
    Written("found below the cut", "ap pool", "A B C", "A x B", 2),
    Written("ideal for a short list", "ideal_depth ideal_pool discount", "A B C D", "x A"),
    Written("ideal for a long list", "ideal_depth ideal_pool discount", "A B C", "x A y B", 2),
    Written("more found than k", "ideal_depth ideal_pool", "A B C", "A x B C", 2),
    Written("the first two ranks", "discount ideal_depth ideal_pool", "A B", "A x B y"),
    Written("three grades", "gain rel", "A:1 B:2 C:3", "A x B", 3, "grades"),
    Written("two grades", "gain rel", "A:2 B:3", "x A B", 3, "grades"),
    Written("a judged 0 before a 1", "gain rel", "A:1 x:0", "x A", 1, "grades"),
    Written("only a 1", "gain rel", "A:1 B:2", "A x", 2, "grades"),
    Written("only a negative grade", "negative_grade", "A:+0 B:-1", "B x", 2, "grades"),
    Written("a negative grade", "negative_grade", "A:+0 B:-1", "B A x", 3, "grades"),
    Written("a negative grade not retrieved", "negative_grade", "A:+0 B:-1", "x A y", 3, "grades"),
)
"""What the formula of the measure divides by what."""

RANKINGS = (
    Written("not in order of score", "order", "A", "x=1 A=2 y=0.5", 1, "scores"),
    Written("score against rank", "order", "A", "x=2#3 y=1#2 A=3#1 z=0.5#4", 1, "scores ranks"),
    Written("rank against score", "order", "A", "x=3#2 y=2#3 A=1#1", 2, "scores ranks"),
    Written("score against file", "order", "A", "x=2#1 y=1#2 A=3#3", 2, "scores ranks"),
    *(_tied(relevant, 2) for relevant in ("Ma", "Mb", "Mc", "Md")),
    *(_tied("Ma Mb", k) for k in (3, 1)),
    *(
        Written(
            f"{len(DOCUMENTS)} tied, {relevant} is relevant",
            "ties",
            " ".join([f"{relevant}:+0", *(f"{name}:0" for name in DOCUMENTS if name != relevant)]),
            " ".join(f"{name}=1" for name in DOCUMENTS),
            k,
            "scores",
        )
        for relevant, k in ((DOCUMENTS[0], 5), (DOCUMENTS[4], 5), (DOCUMENTS[20], 25), (DOCUMENTS[70], 75))
    ),
    Written("nearly tied, b before a", "score_precision", "Ma Mb:0", "Mb=1.0 Ma=1.00000001", 1, "scores"),
    Written("nearly tied, a before b", "score_precision", "Mb Ma:0", "Ma=1.0 Mb=1.00000001", 1, "scores"),
    Written("nearly tied, in order", "score_precision", "Ma Mb:0", "Ma=1.00000001 Mb=1.0", 1, "scores"),
    Written("scores below zero", "scores", "A", "A=-1 x=-2", 1, "scores"),
    Written("the query finds itself", "self_match", "A q1:0", "q1 A x", 1, "ids"),
    Written("a result nobody judged comes first", "unjudged", "A", "u A x", 1, "grades"),
    Written("twice at the top", "duplicates denominator", "A B", "A A x y B", 3, "repeats"),
    Written("twice, another moves up", "duplicates denominator", "A B C", "A A x B", 3, "repeats"),
    Written("a miss twice", "duplicates", "A", "x x A", 3, "repeats"),
    Written("again below the cut", "duplicates", "A", "A x A", 1, "repeats", "error"),
    Written("again with a better score", "duplicates", "A", "A=1 x=2 A=3", 1, "repeats scores", "error"),
    Written("a better one first", "duplicates", "A", "A=3 x=2 A=1", 1, "repeats scores", "error"),
    Written("not relevant and again below the cut", "duplicates", "A", "A x y y", 2, "repeats", "error"),
)
"""What makes the ranking."""

QUERIES = (
    Written("nothing was returned", "empty", "A B", "", 3, "empty", others=RUN),
    Written("nothing is relevant", "no_relevant", "x:0 y:0", "x y", 2, others=RUN),
    Written(
        "nothing is relevant and nothing was returned",
        "no_relevant no_relevant_empty",
        "x:0",
        "",
        2,
        "empty",
        others=RUN,
    ),
    Written("a judged query is not in the run", "missing", "A B", None, 2, "run", others=RUN),
    Written("a query of the run is not judged", "extra", None, "x y", 2, "run", others=RUN),
    Written("few and many relevant", "mean", "A", "A x", 2, "run", others=(("A B C D E", "x A y"),)),
    Written("a third", "mean", "A", "x y A", 3, "run", others=(("A B C D", "A x B"),)),
    Written("two alike", "mean", "A", "A x y", 3, "run", others=(("A", "A x y"), ("A B C D E", "x A B"))),
    Written("one of three finds something", "mean", "A", "x y", 2, "run", others=RUN),
)
"""Which queries count, and how they become one number."""

NOTHING = (
    Written("nothing relevant is found", "none_found", "A B C", "x y z"),
    Written("nothing relevant in a short list", "none_found short_list", "A B", "x y", 4),
)
"""Lists without a relevant document."""

WHOLE = (*IDENTITY, *LADDERS, *FORMULAS, *RANKINGS, *QUERIES, *NOTHING)

UNREACHABLE = {
    "depth": "a depth shows as a cut-off",
    "negative": "nobody outside treconcile can declare that a query has no answer",
    "over": "it shows as what queries without a value count as",
    "mean_round": "read off the digits of all numbers",
    "round": "read off the digits of all numbers",
}

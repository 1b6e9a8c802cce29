"""trec_eval's names, parameters and output over our measures: what `treconcile trec-eval` is made of.

The catalogue holds its measures in its order; a request reads `-m`; an evaluation has the values of each
query and of all; the text is what it prints, byte for byte.
"""

from treconcile.trec_eval.evaluation import Evaluation, evaluate
from treconcile.trec_eval.kernels import Kernels
from treconcile.trec_eval.measures import FORMATS, NICKNAMES, TREC_MEASURES, TrecMeasure
from treconcile.trec_eval.request import Column, requested
from treconcile.trec_eval.run_file import read_trec_eval_run
from treconcile.trec_eval.settings import VERSIONS, Settings
from treconcile.trec_eval.text import query_text, summary_text

__all__ = [
    "FORMATS",
    "NICKNAMES",
    "TREC_MEASURES",
    "VERSIONS",
    "Column",
    "Evaluation",
    "Kernels",
    "Settings",
    "TrecMeasure",
    "evaluate",
    "query_text",
    "read_trec_eval_run",
    "requested",
    "summary_text",
]

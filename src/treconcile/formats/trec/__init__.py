"""TREC runs and judgments: text, a line a row, fields separated by spaces or tabs.

    run:   query Q0 document rank score tag     q01 Q0 d01 1 12.5 bm25
    qrels: query iteration document grade       q01 0 d01 1

Ids are text, whatever they look like: `007` stays `007`. Readers and writers live in modules of their own.
"""

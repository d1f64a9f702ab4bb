"""Covers: roundups whose text is a list, in runs that cut roundups: their rows go out whole. Compared against: the same run with texts
that are no lists, and the rows of the input.
"""

import json
from random import Random

from promise_corpus import article
from test_row_outputs import write

import quchong as qc


def test_a_roundup_whose_text_is_a_list_goes_out_whole(tmp_path):
    rng = Random(4)
    articles = [article(rng, 6) for _ in range(4)]
    own = ["这是综述自己的一句话，别处没有。", "另一句综述自己的话，别处也没有。"]
    rows = [{"id": f"a{k}", "text": text} for k, text in enumerate(articles)]
    rows += [
        {"id": "r1", "text": [articles[0], articles[1], own[0]]},
        {"id": "r2", "text": articles[2] + own[1] + articles[3]},
    ]
    corpus = write(tmp_path / "a.jsonl", rows)
    run = qc.dedup(corpus, out=tmp_path / "r", roundups="cut", recall_sample=0)
    assert run.ledger["id"].to_pylist() == ["r1", "r2"]
    cut = [json.loads(line) for line in (tmp_path / "r" / "cut.jsonl").read_text("utf-8").splitlines()]
    assert cut == [rows[4], {"id": "r2", "text": own[1]}]
    plain = [row | {"text": "\n".join(row["text"]) if isinstance(row["text"], list) else row["text"]} for row in rows]
    other = qc.dedup(plain, roundups="cut", recall_sample=0)
    assert [row["id"] for row in other.cut.to_pylist()] == [row["id"] for row in cut]
    assert other.counts["removed"] == run.counts["removed"]

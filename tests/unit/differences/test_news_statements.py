"""Covers: pairs of brief news texts of every family of facts, half of which must be told apart and half not. Compared against: the truth that
was written with them.

Run: pytest tests/unit/differences/test_news_statements.py
"""

from pathlib import Path

import pytest

import quchong
from quchong.relations import ACCEPTED

MISSED = {
    "工厂排出的污水经过处理后流入附近河道，居民表示水质比去年有所改善。",
    "Police are looking for a man who ran away from the shop after the alarm went off.",
    "The minister said the new rules would help small firms to find workers more quickly.",
}
"""First texts of the pairs that are judged wrongly: the lexicon has not that both words say the same (污水 and 废水)."""


def families():
    """The pairs of the file by family: what is asked, one text, the other."""
    out = {}
    for line in Path(__file__).with_name("news_statements.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            name = line[2:]
            continue
        one, other = (part.strip().replace("⏎", "\n") for part in line[1:].split(" | "))
        assert line[0] in "!~=", line
        out.setdefault(name, []).append((line[0], one, other))
    return out


FAMILIES = families()


@pytest.mark.parametrize("family", FAMILIES)
def test_texts_go_where_they_say_the_same_alone(family):
    wrong = set()
    facts = "any" if family == "terms" else None
    for asked, one, other in FAMILIES[family]:
        relation = quchong.compare(one, other, facts=facts).relation
        back = quchong.compare(other, one, facts=facts).relation
        assert (relation in ACCEPTED) == (back in ACCEPTED), (one, other)
        if (relation in ACCEPTED) != (asked == "="):
            wrong.add(one)
    assert wrong == {one for _, one, _ in FAMILIES[family] if one in MISSED}


def test_half_of_the_pairs_must_be_told_apart():
    asked = [line[0] for lines in FAMILIES.values() for line in lines]
    assert len(asked) == 200
    assert 90 < asked.count("=") < 110

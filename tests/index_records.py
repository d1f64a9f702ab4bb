"""Made records for tests of the index: families of edited copies in two languages, exact copies, quotations and short texts."""

from __future__ import annotations

import random
from itertools import combinations

from quchong.engines.index.comparing import MeasureCodec
from quchong.engines.index.relations import Related
from quchong.plan.catalogue import METHODS
from quchong.relation_codes import MIRRORED, NAMES

ZH = (
    "今天下午市政府召开新闻发布会。会上介绍了地铁四号线的建设情况。工程预计明年三月通车。票价从两元起步。沿线居民表示欢迎。"
    "专家认为线路将缓解拥堵。记者了解到车站共有二十座。施工期间道路仍然开放。市长感谢工人们的努力。下一条线路已经开始规划。"
)
EN = (
    "The council met on Monday to discuss the new tram line. The works began in early spring. Several streets will be closed "
    "for months. Shop owners asked for help with lost trade. The mayor promised a fund of two million. Engineers said that the "
    "bridge is safe. A second station opens next to the market. Visitors may walk through the tunnel on Sunday. "
)


def edited_copy(sentences, others, draw, least):
    """Sentences joined, `least` to three of them dropped, changed, replaced or added."""
    one = list(sentences)
    for _ in range(draw.randint(least, 3)):
        at, how = draw.randrange(len(one)), draw.randrange(4)
        if how == 0 and len(one) > 4:
            del one[at]
        elif how == 1:
            one[at] = draw.choice(others)
        elif how == 2:
            one[at] = one[at].replace(draw.choice(one[at]), draw.choice("二三天地aeo"))
        else:
            one.append(draw.choice(others))
    return "".join(one)


def records(seed, families=3):
    """Records with id, text, title, url, site, source and time, in an order of chance."""
    draw = random.Random(seed)
    texts = []
    for base, cut in ((ZH, "。"), (EN, ". ")):
        sentences = [s + cut for s in base.split(cut) if s]
        others = [s[::-1] for s in sentences]
        for _ in range(families):
            own = draw.sample(sentences, 7) + draw.sample(others, 2)
            texts += ["".join(own)] * draw.choice([1, 2, 3])
            for _ in range(4):
                texts.append(edited_copy(own, others, draw, 1))
    texts += ["".join(draw.sample("甲乙丙丁戊己庚辛壬癸子丑寅卯", 10)) for _ in range(3)]
    texts += ["好的", "好的", "嗯", "", "！！"]
    draw.shuffle(texts)
    return [
        {
            "id": f"d{i:03}", "text": text, "title": text[:8], "url": f"http://site{i % 3}.com/{i % 2}", "site": f"site{i % 3}.com",
            "source": f"s{i % 4}", "time": f"2026-03-{1 + i % 28:02}T08:00:00",
        }
        for i, text in enumerate(texts)
    ]  # fmt: skip


def pairs_of_index(index):
    """All pairs of documents: those of compared documents, and of their copies."""
    stored = index._open
    rows = [stored.row(id) for id in index.ids()]
    found = Related.read(
        stored.catalogue.pairs_of(sorted({row.part for row in rows})), MeasureCodec(stored.catalogue.note("measures"))
    )
    out = {}
    for k, pair in enumerate(found.pairs):
        shares = [round(values[k], 9) for values in (found.jaccard, *found.shares[:2])]
        for a in (row for row in rows if row.part == pair.left):
            for b in (row for row in rows if row.part == pair.right):
                flip = str(a.id).encode() > str(b.id).encode()
                code = int(MIRRORED[pair.relation]) if flip else pair.relation
                left, right = shares[1:][::-1] if flip else shares[1:]
                out[tuple(sorted((a.id, b.id)))] = (str(NAMES[code]), pair.rule, shares[0], left, right)
    for a, b in combinations(rows, 2):
        if a.same == b.same:
            out[tuple(sorted((a.id, b.id)))] = ("exact", "equal normal form", 1.0, 1.0, 1.0)
    return out


SMALL = {"min_features": 1, "min_length": 4, "min_terms": 1, "idf_low": 0.05, "idf_high": 1.0}
"""Parameters by which short texts are compared at all."""


def parameters_for(name):
    known = METHODS[name].__dataclass_fields__
    return {k: v for k, v in SMALL.items() if k in known}


def pairs_of_run(result):
    return {
        (row["left_id"], row["right_id"]): (
            row["relation"], row["rule"], round(row["jaccard"], 9), round(row["containment_left"], 9), round(row["containment_right"], 9),
        )
        for row in result.pairs.table.to_pylist()
    }  # fmt: skip


def fill(indexes, some, draw):
    """Add records to each of some indexes in batches of chance, delete a few, and add some of these again; return the records that are
    left. All must give equal answers; the first is in a folder.
    """
    some = list(some)
    draw.shuffle(some)
    left = {}
    while some:
        n = draw.choice([1, 1, 3, 10])
        batch, some = some[:n], some[n:]
        given = batch[0] if n == 1 else batch
        first, *others = [(index.query(given), index.add(given)) for index in indexes]
        assert all(one == first for one in others)
        left.update({one["id"]: one for one in batch})
        if draw.random() < 0.2:
            gone = draw.choice(sorted(left))
            assert [index.delete(gone) for index in indexes] == [1] * len(indexes)
            if draw.random() < 0.5:
                some.append(left[gone])
            del left[gone]
        if draw.random() < 0.1:
            indexes[0]._open.tidy()
    return [left[id] for id in sorted(left)]


def told(answer):
    """What an answer of an index says, as a tuple."""
    return (
        answer.id,
        answer.new,
        answer.removed,
        answer.survivor_id,
        answer.relation,
        answer.rule,
        answer.matches,
        answer.replaces,
    )

"""Covers: what is left of a document without headers is the same for one pair alone as in a run, and headers do not depend on how suspects are batched.

Compared against: `quchong.dedup` of the same documents, and a count by sets in Python. Run: pytest tests/properties.
"""

import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from header_corpus import article, disclaimed, in_roundups, licensed, prose, quoted, rows

import quchong as qc
from quchong.decision.frozen import FrozenStatistics
from quchong.decision.headers import rests_of_pairs
from quchong.outputs import OwnFolder
from quchong.plan.catalogue import build
from quchong.seam import Documents
from quchong.similarity.counted_headers import together
from quchong.similarity.header_counting import count_headers
from quchong.similarity.headers import RUN, WIDTH, header_mask

HYBRID = build("hybrid", {})


def suspects(texts, names):
    """Documents, and pairs of each of `names` with the first 16 texts that are longer, by id."""
    ids = list(texts)
    carriers = [i for i, name in enumerate(ids) if name not in names][:16]
    pairs = [(ids.index(name), i) for name in names for i in carriers]
    documents = Documents.from_texts(pa.array([texts[name] for name in ids], pa.large_string()))
    return documents, *(np.array(side, np.int64) for side in zip(*pairs, strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_suspects_are_counted_one_by_one_as_together(seed):
    rng = random.Random(seed)
    texts = licensed(rng, 16, 3) | {f"zh-{k}": v for k, v in disclaimed(rng, 16, 3).items()}
    few = {k: v for k, v in in_roundups(rng, 10).items()} | {f"q-{k}": v for k, v in quoted(rng, 10).items()}
    names = [n for n in texts if "small" in n or "bare" in n]
    parts = []
    for prefix in ("", "zh-"):
        mine = {n: t for n, t in texts.items() if n.startswith("zh-") == bool(prefix)}
        documents, suspect, carrier = suspects(mine, [n for n in names if n in mine])
        whole = count_headers(HYBRID.form, documents, suspect, carrier)
        alone = [
            count_headers(HYBRID.form, documents, suspect[suspect == one], carrier[suspect == one], 1)
            for one in np.unique(suspect)
        ]
        assert np.array_equal(whole.known_shingles(), together(alone).known_shingles())
        assert len(whole.known_shingles()) > 40
        parts.append(whole.known_shingles())
    assert not len(np.intersect1d(*parts))
    for name in ("original", "q-original"):
        mine = {n: t for n, t in few.items() if n.startswith("q-") == name.startswith("q-")}
        assert not len(count_headers(HYBRID.form, *suspects(mine, [name])).shingle)


@pytest.mark.parametrize("seed", range(4))
def test_a_pair_alone_is_measured_as_in_the_run(seed, tmp_path):
    rng = random.Random(seed)
    texts = licensed(rng, 14, 6) | {"bare2": licensed(rng)["bare"] + " Copyright"}
    texts["part"] = texts["small00"] + "\n" + prose(rng, 30)
    texts["whole"] = texts["part"] + prose(rng, 400)
    result = qc.dedup(rows(texts), recall_sample=0)
    documents, suspect, carrier = suspects(texts, ["bare"])
    counted = count_headers(HYBRID.form, documents, suspect, carrier)
    frozen = replace(FrozenStatistics("hybrid", {}), headers=counted.known_shingles())
    folder = OwnFolder.made(tmp_path / "own")
    frozen.save(folder, "statistics")
    headers = FrozenStatistics.load(folder, "statistics").headers
    assert np.array_equal(headers, frozen.headers)
    for row in result.pairs.filter(pc.not_equal(result.pairs["relation"], "exact")).to_pylist():
        two = Documents.from_texts(pa.array([texts[row["left_id"]], texts[row["right_id"]]], pa.large_string()))
        one, other = np.array([0], np.uint32), np.array([1], np.uint32)
        found = rests_of_pairs(HYBRID, two, headers, one, other, HYBRID.score(two, one, other, 1), 1)
        for name in ("rest_left", "rest_right"):
            assert found[name][0] == row[name] or (np.isnan(found[name][0]) and row[name] is None), (row, found)


@pytest.mark.parametrize("seed", range(20))
def test_the_mask_covers_runs_of_known_shingles(seed):
    rng = random.Random(seed)
    texts = [article(rng, rng.randint(0, 3)) for _ in range(5)]
    block = article(rng, 3)
    texts += [article(rng, 1) + block[rng.randrange(20) : rng.randrange(25, 60)] + article(rng, 1) for _ in range(5)]
    docs = Documents.from_texts(pa.array([*texts, block], pa.large_string())).hashed(HYBRID.form)
    streams = [docs.tokens[a:b].tolist() for a, b in zip(docs.offsets[:-1], docs.offsets[1:], strict=True)]
    known = {tuple(streams[-1][i : i + WIDTH]) for i in range(len(streams[-1]) - WIDTH + 1)}
    from quchong.similarity.headers import hashed_shingles

    hashes, valid = hashed_shingles(docs)
    start = docs.offsets[-2]
    mask = header_mask(docs, np.unique(hashes[start:][valid[start:]]))
    at = 0
    for stream in streams:
        covered = [False] * len(stream)
        for i in range(len(stream) - WIDTH + 1):
            if tuple(stream[i : i + WIDTH]) in known:
                covered[i : i + WIDTH] = [True] * WIDTH
        expected, i = covered[:], 0
        while i < len(covered):
            j = i
            while j < len(covered) and covered[j] == covered[i]:
                j += 1
            if j - i < RUN:
                expected[i:j] = [False] * (j - i)
            i = j
        assert mask[at : at + len(stream)].tolist() == expected
        at += len(stream)

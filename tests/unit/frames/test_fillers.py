"""Covers: quchong.frames.fillers and counting, slots at the beginning and end of posts. Compared against: a plain loop; posts made here.

Run: pytest tests/unit/frames/test_fillers.py
"""

import random
from itertools import combinations

import numpy as np
import pytest

import quchong as qc
from quchong.frames.columns import Aligned, range_hashes
from quchong.frames.counting import SAYING
from quchong.frames.fillers import WITHIN, Fillers, without_additions
from quchong.frames.finding import find_frames
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import take_tokens

TAIL = list(range(40, 60))
"""What a post says after its beginning."""


def ragged(docs):
    return Ragged(np.array([t for d in docs for t in d], np.uint32), prefix_sums([len(d) for d in docs]))


def frames_among(docs):
    """Return how many frames documents have of which all pairs are near and every slot runs on."""
    docs_of, pairs = ragged(docs), np.array(list(combinations(range(len(docs)), 2))).T

    def runs_on(documents, tokens):
        return np.zeros(len(documents), bool)

    return len(
        find_frames(len(docs), *pairs, 4 * docs_of.lengths, lambda some: take_tokens(docs_of, some), 1, runs_on)[0]
    )


def filled_slots(fillers, slot):
    """Return the documents, their alignment and the fillers: each filler is a document, in the slot given."""
    docs = ragged(fillers)
    row, nothing = np.arange(len(fillers)), np.zeros(len(fillers), np.int64)
    aligned = Aligned(row, row, np.zeros(len(fillers) + 1, np.int64), np.zeros((0, 4), np.uint32), nothing)
    value = range_hashes(docs, row, nothing, docs.lengths)
    known = np.ones((len(fillers), 2), bool)
    return docs, aligned, Fillers(row, np.array(slot), nothing, docs.lengths, value, known, value)


def shortest_within(fillers, slot, at_start, at_end):
    """The specification: the shortest filler of the same slot that each ends with, or begins with; itself if there is none."""
    out = []
    for mine, place in zip(fillers, slot, strict=True):
        others = {tuple(one) for one, other in zip(fillers, slot, strict=True) if other == place}
        parts = [
            tuple(mine[len(mine) - k :] if at_start[place] else mine[:k])
            for k in range(1, min(len(mine) - 1, WITHIN) + 1)
        ]
        inside = [part for part in parts if part in others] if at_start[place] != at_end[place] else []
        out.append(inside[0] if inside else tuple(mine))
    return out


@pytest.mark.parametrize("seed", range(20))
def test_additions_are_left_out_as_a_plain_loop_leaves_them_out(seed):
    dice = random.Random(seed)
    fillers = [[dice.randrange(1, 4) for _ in range(dice.randrange(5))] for _ in range(40)] + [[1, 2] * 20, [2, 1] * 20]
    slot = [dice.randrange(4) for _ in fillers]
    at_start, at_end = np.array([True, False, False, True]), np.array([False, True, False, True])
    docs, aligned, found = filled_slots(fillers, slot)
    got = without_additions(docs, aligned, found, at_start, at_end)
    want = shortest_within(fillers, slot, at_start, at_end)
    values = ragged([list(one) for one in want])
    hashes = range_hashes(values, np.arange(len(want)), np.zeros(len(want), np.int64), values.lengths)
    assert got.tolist() == hashes.tolist()


def test_no_fillers_have_no_additions():
    docs, aligned, found = filled_slots([], np.zeros(0, np.int64))
    assert len(without_additions(docs, aligned, found, np.zeros(0, bool), np.zeros(0, bool))) == 0


@pytest.mark.parametrize("at_start", [True, False])
def test_text_added_before_the_same_beginning_is_no_other_filler(at_start):
    def post(*filler):
        return [*filler, *TAIL] if at_start else [*TAIL, *reversed(filler)]

    assert frames_among([post(100), post(101), post(102)]) == 1
    assert frames_among([post(100), post(101), post(900, 901, 101)]) == 0
    assert frames_among([post(100), post(101), post(901, 101), post(900, 901, 100)]) == 0
    # One with something added beside three that differ hides nothing.
    assert frames_among([post(100), post(101), post(102), post(901, 102)]) == 1


def test_more_before_the_same_word_inside_of_a_text_is_another_filler():
    def record(*filler):
        return [*range(1, 13), *filler, *TAIL]

    assert frames_among([record(100), record(101), record(900, 101)]) == 1


@pytest.mark.parametrize("count", [3, 6])
def test_a_saying_that_posts_begin_in_their_own_way_is_no_template(count):
    for shared, frames in ((SAYING, 0), (SAYING + 1, 1)):
        docs = [[100 + i, *TAIL[:shared]] for i in range(count)]
        assert frames_among(docs) == frames, shared


def test_copies_with_beginnings_and_ends_in_a_few_groups_are_no_template():
    begins, ends = [[100, 101], [110], [120, 121]], [[200, 201], [210], [220]]
    middle = list(range(300, 340))
    groups = [(0, 0), (0, 1), (0, 0), (1, 0), (1, 2), (2, 1)]
    assert frames_among([[*begins[b], *middle, *ends[e]] for b, e in groups]) == 0
    # Where hardly any beginning is there twice, they are records.
    assert frames_among([[100 + i, 400 + i, *middle, *ends[i % 3]] for i in range(6)]) == 1


@pytest.mark.parametrize("method", ["short-text", "hybrid"])
def test_posts_that_differ_in_a_slip_at_the_beginning_are_copies(method):
    said = (
        "是老电影里的一场暴雨一样下个不停，大家都说山路怕是走不成了，希望今晚就能停下来，明天一早还要送孩子们去学校呢！"
    )
    posts = [f"象{said}", f"像{said}", f"说得对'先等等吧@用户:像{said}"]
    result = qc.dedup([{"id": str(k), "text": text} for k, text in enumerate(posts)], method=method)
    assert "fields differ" not in result.pairs["rule"].to_pylist()
    assert result.removed.num_rows

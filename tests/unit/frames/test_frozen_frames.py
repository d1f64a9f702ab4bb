"""Covers: quchong.decision.frozen.FrozenTemplates: documents put into the frames of a corpus one at a time.

Compared against: the same documents put into frames all at once; files that are damaged.
Run: pytest tests/unit/frames/test_frozen_frames.py
"""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from quchong.decision.frozen import STATISTICS_KINDS_ALONE, FrozenTemplates
from quchong.frames.fillers import Slots
from quchong.frames.filling import fill
from quchong.frames.finding import find_frames
from quchong.frames.payloads import conflicts
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import take_tokens
from quchong.outputs import OwnFolder
from quchong.work import Damaged
from quchong.work.values import write_value

HEAD, MIDDLE, TAIL = list(range(1, 13)), list(range(20, 32)), list(range(40, 60))


def ragged(docs):
    return Ragged(np.array([t for d in docs for t in d], np.uint32), prefix_sums([len(d) for d in docs]))


@pytest.fixture(scope="module")
def corpus():
    """Records of a family with two slips among them, a few documents without a frame, and their frames."""
    dice, seen = random.Random(1), {}
    while len(seen) < 50:
        a, b = dice.randrange(9), dice.randrange(8)
        seen[a, b] = [*HEAD, 100 + a, 200 + a, *MIDDLE, 300 + b, *TAIL]
    docs = list(seen.values())
    slips = [[*HEAD, 900, *docs[0][13:]], [*docs[1][:26], 901, *TAIL]]
    others = [[dice.randrange(2000, 3000) for _ in range(30)] for _ in range(4)]
    docs = ragged([*docs, *slips, *others])
    left, right = np.array(list(combinations(range(52), 2))).T
    size = 4 * docs.lengths
    frames, label = find_frames(len(size), left, right, size, lambda some: take_tokens(docs, some), 1)
    return docs, label, fill(frames, label, size, lambda some: take_tokens(docs, some), 1)


def test_a_document_alone_has_the_fillers_it_has_among_all(corpus):
    docs, label, filled = corpus
    frozen = FrozenTemplates.freeze(filled)
    assert filled.lone.any() and (filled.frame < 0).any()
    for k in range(len(label)):
        one = take_tokens(docs, np.array([k]))
        alone = frozen.fill(label[[k]], np.array([99]), lambda some, one=one: take_tokens(one, some), 1)
        assert alone.frame[0] == filled.frame[k]
        if alone.frame[0] >= 0:
            here, _ = filled.fillers(np.array([k]))
            mine, _ = alone.fillers(np.array([0]))
            assert alone.value[mine].tolist() == filled.value[here].tolist()
            assert alone.lone[mine].tolist() == filled.lone[here].tolist()


def test_two_documents_alone_conflict_as_they_do_among_all(corpus):
    docs, label, filled = corpus
    frozen = FrozenTemplates.freeze(filled)
    for pair in [(0, 1), (0, 50), (1, 51), (50, 51), (3, 40), (2, 53)]:
        two = take_tokens(docs, np.array(pair))
        alone = frozen.fill(label[list(pair)], np.full(2, 99), lambda some, two=two: take_tokens(two, some), 1)
        now = conflicts(alone, np.array([0]), np.array([1]))
        assert now.tolist() == conflicts(filled, *np.array([pair]).T).tolist()


def test_a_document_of_no_component_has_no_frame(corpus):
    docs, _, filled = corpus
    alone = FrozenTemplates.freeze(filled).fill(np.array([-1]), np.array([99]), lambda some: take_tokens(docs, some), 1)
    assert alone.frame.tolist() == [-1] and not len(alone.value)


def test_frozen_templates_are_stored_and_read_again(corpus, tmp_path):
    docs, label, filled = corpus
    folder = OwnFolder.made(tmp_path / "own")
    frozen = FrozenTemplates.freeze(filled)
    assert frozen.save(folder, "templates") > 0
    again = FrozenTemplates.load(folder, "templates")
    assert again.frames.slots.places.tolist() == frozen.frames.slots.places.tolist()
    assert again.frames.tokens.tokens.tolist() == frozen.frames.tokens.tokens.tolist()
    refilled = again.fill(label, 4 * docs.lengths, lambda some: take_tokens(docs, some), 1)
    assert refilled.value.tolist() == filled.value.tolist() and refilled.lone.tolist() == filled.lone.tolist()


@pytest.mark.parametrize(
    "what", ["slot outside", "frames descend", "fillers descend", "neighbours descend", "other slots", "nothing"]
)
def test_files_that_hold_no_templates_are_refused(corpus, tmp_path, what):
    frozen = FrozenTemplates.freeze(corpus[2])
    frames, known = frozen.frames, frozen.known
    slots = frames.slots
    wrong = {
        "slot outside": [replace(frames, slots=Slots(slots.frame, slots.places + 1000)), known],
        "frames descend": [replace(frames, slots=Slots(slots.frame + 5, slots.places)), known],
        "fillers descend": [frames, replace(known, value=known.value[::-1].copy())],
        "neighbours descend": [frames, replace(known, neighbours=np.array([2, 1], np.uint64))],
        "other slots": [frames, replace(known, listed=np.ones(7, bool))],
        "nothing": [frames],
    }[what]
    folder = OwnFolder.made(tmp_path / "own")
    write_value(folder, "templates", wrong, STATISTICS_KINDS_ALONE)
    with pytest.raises(Damaged):
        FrozenTemplates.load(folder, "templates")

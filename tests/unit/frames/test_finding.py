"""Covers: quchong.frames.finding, slots, counting, filling and payloads. Compared against: families and copies made here, and plain loops.

Run: pytest tests/unit/frames/test_finding.py
"""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from quchong.frames import counting, filling, finding, payloads
from quchong.frames.filling import fill
from quchong.frames.finding import find_frames
from quchong.frames.payloads import conflicts, meetings, payload_bags, same_payloads
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import take_tokens

HEAD, MIDDLE, TAIL = list(range(1, 13)), list(range(20, 32)), list(range(40, 60))


def ragged(docs):
    return Ragged(np.array([t for d in docs for t in d], np.uint32), prefix_sums([len(d) for d in docs]))


def family(count, seed=1, kinds=(12, 9)):
    """Records of two slots, each filled from a list; no two are equal."""
    dice, seen = random.Random(seed), {}
    while len(seen) < count:
        a, b = dice.randrange(kinds[0]), dice.randrange(kinds[1])
        seen[a, b] = [*HEAD, 100 + a, 200 + a, *MIDDLE, 300 + b, *TAIL]
    return list(seen.values()), list(seen)


def frames_of(docs, pairs=None):
    docs_of = ragged(docs)
    left, right = np.array(pairs or list(combinations(range(len(docs)), 2)), np.int64).reshape(-1, 2).T
    size = 4 * docs_of.lengths

    def read(some):
        return take_tokens(docs_of, some)

    frames, label = find_frames(len(docs), left, right, size, read, 1)
    return frames, fill(frames, label, size, read, 1)


def test_a_family_has_a_frame_with_its_slots():
    docs, payload = family(40)
    frames, filled = frames_of(docs)
    assert len(frames) == 1 and len(frames.slots.frame) == 2
    assert (filled.frame == 0).all()
    left, right = np.array(list(combinations(range(40), 2))).T
    assert conflicts(filled, left, right).all()
    assert len(set(payload)) == 40


def test_three_records_suffice_and_two_do_not():
    docs, _ = family(3, kinds=(30, 30))
    assert len(frames_of(docs)[0]) == 1
    assert len(frames_of(docs[:2])[0]) == 0


def test_copies_edited_at_scattered_places_have_no_frame():
    dice, text = random.Random(2), [*HEAD, *MIDDLE, *TAIL]
    docs = []
    for _ in range(60):
        one = list(text)
        for _ in range(4):
            one[dice.randrange(len(one))] = dice.randrange(1000, 2000)
        docs.append(one)
    assert len(frames_of(docs)[0]) == 0


def test_copies_with_other_headlines_have_no_frame():
    dice, text = random.Random(3), [*HEAD, *MIDDLE, *TAIL, *range(60, 100)]
    docs = [[dice.randrange(1000, 2000) for _ in range(dice.randint(8, 14))] + text for _ in range(40)]
    assert len(frames_of(docs)[0]) == 0


def test_versions_of_one_document_have_no_frame():
    dice, docs = random.Random(4), [list(range(1, 200))]
    for version in range(7):  # each keeps what the one before has, and changes some places
        one = list(docs[-1])
        for _ in range(9):
            one[dice.randrange(len(one))] = 1000 * (version + 1) + dice.randrange(500)
        docs.append(one)
    assert len(frames_of(docs)[0]) == 0


def test_a_copy_with_something_added_or_a_slip_is_no_other_record():
    docs, _ = family(60)
    slip = list(docs[0])
    slip[len(HEAD)] = 999  # nobody else has it, and the token beside it is the same
    at_end = [*docs[1], 777, 778]
    _, filled = frames_of([*docs, slip, at_end])
    assert conflicts(filled, np.array([0, 1, 0]), np.array([60, 61, 1])).tolist() == [False, False, True]


def test_copies_meet_by_what_fills_the_slots():
    docs, _ = family(60)
    copies = {60 + i: k for i, k in enumerate(range(0, 60, 7))}
    noisy = [[*docs[k][:3], 5000 + k, *docs[k][4:]] for k in copies.values()]
    # Only neighbours are paired: a copy is connected with its family, not with its original.
    every = [*docs, *noisy]
    _, filled = frames_of(every, [(k, k + 1) for k in range(len(every) - 1)])
    left, right = meetings(filled)
    met = set(zip(left.tolist(), right.tolist(), strict=True))
    assert all((k, copy) in met for copy, k in copies.items())
    assert not conflicts(filled, np.array(list(copies.values())), np.array(list(copies))).any()
    assert (left < right).all() and len(met) == len(left)


@pytest.mark.parametrize("count", [90, 180])
def test_slots_are_joined_only_where_one_ends_and_the_other_begins_in_doubt(count):
    # A kind, `about`, one topic or two: where there is one, nobody can tell which. What stands before `about` is a slot of its own.
    dice, docs, about, also = random.Random(9), [], 700, 701
    for k in range(count):
        a, b, c = (100 + dice.randrange(12), 200 + dice.randrange(15), 300 + dice.randrange(15))
        docs.append([*HEAD, a, about, b, *([also, c] if k % 6 != 1 else []), *TAIL])
    frames, _ = frames_of(docs)
    model, places = frames.tokens.tokens.tolist(), frames.slots.places.tolist()
    assert len(frames) == 1 and also in model
    first, topics = 2 * len(HEAD), 2 * len(HEAD) + 4
    # Of 90 documents two in doubt would join slots: too few to tell at which end.
    assert places == ([[first, first + 3], [topics, topics + 7]] if count == 180 else [[first, topics + 7]])


def test_a_record_with_noise_beside_every_slot_meets_its_copy():
    docs, _ = family(60)
    noisy = list(docs[7])
    for place in (len(HEAD) - 1, len(HEAD) + 2 + len(MIDDLE) - 1):  # the last token before either slot
        noisy[place] = 7000 + place
    _, filled = frames_of([*docs, noisy])
    at, _ = filled.fillers(np.array([60]))
    assert not filled.value[at].any()  # what stands in the slots is not known
    left, right = meetings(filled)
    assert (7, 60) in set(zip(left.tolist(), right.tolist(), strict=True))
    # What is likely tells no records apart.
    assert not conflicts(filled, np.array([7, 3]), np.array([60, 60])).any()


def test_bags_of_payloads_do_not_depend_on_the_order_of_the_slots():
    docs, _ = family(30)
    one, first, second = docs[0], len(HEAD), len(HEAD) + 2 + len(MIDDLE)
    turned = list(one)
    turned[first], turned[second] = one[second], one[first]
    bags = payload_bags(frames_of([*docs, turned])[1])
    assert bags.all() and len(set(bags[:30].tolist())) == 30
    assert bags[0] == bags[30]
    assert payload_bags(frames_of([HEAD, TAIL], [(0, 0)])[1]).tolist() == [0, 0]


def test_the_same_tokens_in_another_order_meet():
    docs, _ = family(30)
    turned = [*docs[4][20:], *docs[4][:20]]
    left, right = meetings(frames_of([*docs, turned])[1])
    assert (4, 30) in set(zip(left.tolist(), right.tolist(), strict=True))


def test_equal_payloads_in_different_frames_meet():
    docs, payload = family(30)
    # The same records in another frame: other words around the same fillers.
    other = [
        [*range(400, 430), 100 + a, 200 + a, *range(500, 515), 300 + b, 301 + b, *range(600, 640)] for a, b in payload
    ]
    mine = [[*HEAD, 100 + a, 200 + a, *MIDDLE, 300 + b, 301 + b, *TAIL] for a, b in payload]
    assert len(docs) == len(mine)
    pairs = [p for p in combinations(range(60), 2) if (p[0] < 30) == (p[1] < 30)]
    frames, filled = frames_of([*mine, *other], pairs)
    assert len(frames) == 2
    left, right = same_payloads(filled)
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == [(k, 30 + k) for k in range(30)]


@pytest.mark.parametrize("name", ["batches", "pieces", "pairs"])
def test_frames_do_not_depend_on_how_much_is_read_at_once(monkeypatch, name):
    docs = [*family(30)[0], *([t + 3000 for t in one] for one in family(25, 5)[0])]
    pairs = [p for p in combinations(range(len(docs)), 2) if (p[0] < 30) == (p[1] < 30)]
    frames, filled = frames_of(docs, pairs)
    left, right = np.array(list(combinations(range(len(docs)), 2))).T
    told = conflicts(filled, left, right)
    if name == "batches":
        monkeypatch.setattr(finding, "SAMPLE_BYTES", 32 * 4 * len(docs[0]))
    elif name == "pieces":
        monkeypatch.setattr(filling, "AT_ONCE", 7)
    else:
        monkeypatch.setattr(payloads, "PAIRS_AT_ONCE", 11)
    again, filled_again = frames_of(docs, pairs)
    assert again.model.tolist() == frames.model.tolist()
    assert again.slots.places.tolist() == frames.slots.places.tolist()
    assert filled_again.frame.tolist() == filled.frame.tolist()
    assert (conflicts(filled_again, left, right) == told).all()
    assert all((one == other).all() for one, other in zip(meetings(filled), meetings(filled_again), strict=True))


def test_slots_of_a_large_family_are_found_in_a_sample(monkeypatch):
    docs, _ = family(90)
    monkeypatch.setattr(finding, "SAMPLE", 20)
    frames, filled = frames_of(docs)
    assert len(frames) == 1 and len(frames.slots.frame) == 2
    left, right = np.array(list(combinations(range(90), 2))).T
    assert conflicts(filled, left, right).all()


@pytest.mark.parametrize("count", [90, 91])
def test_a_sample_is_one_group_though_none_of_its_documents_are_paired(monkeypatch, count):
    """Each record is paired with its neighbour alone, and every fifth is in the sample."""
    docs, _ = family(count)
    monkeypatch.setattr(finding, "SAMPLE", 20)
    frames, filled = frames_of(docs, [(k, k + 1) for k in range(count - 1)])
    assert len(frames) == 1 and len(frames.slots.frame) == 2
    left, right = np.array(list(combinations(range(count), 2))).T
    assert conflicts(filled, left, right).all()


@pytest.mark.parametrize("by_pairs", [False, True])
def test_a_copy_with_slips_is_not_the_model_of_a_sample(monkeypatch, by_pairs):
    """The first document of the sample differs from all others at six places, whether pairs of the sample lead to it or there are none."""
    docs, _ = family(90)
    docs[0] = [900 + t if place % 7 == 3 else t for place, t in enumerate(docs[0])]
    monkeypatch.setattr(finding, "SAMPLE", 20)
    pairs = [(k, k + 1) for k in range(89)]
    frames, _ = frames_of(docs, [*pairs, *((0, k) for k in range(5, 90, 5))] if by_pairs else pairs)
    assert len(frames) == 1 and len(frames.slots.frame) == 2
    assert frames.model[0] != 0


def test_no_documents_and_no_pairs_have_no_frames():
    frames, filled = frames_of([HEAD, TAIL], [(0, 0)])
    assert len(frames) == 0 and (filled.frame == -1).all()
    assert all(not len(side) for side in meetings(filled))
    assert counting.FILLERS <= finding.FEWEST  # three documents can have as many fillers as a slot needs


def at_the_beginning(count):
    """Brief records of one slot, which is at their beginning."""
    return [[100 + i, *TAIL] for i in range(count)]


def found_with(docs, mark):
    """Return the frames, what fills them, and the conflict of the first two documents, if a mark stands before every token or before none."""
    docs_of, pairs = ragged(docs), np.array(list(combinations(range(len(docs)), 2))).T

    def read(some):
        return take_tokens(docs_of, some)

    def breaks(documents, tokens):
        assert len(documents) == len(tokens)
        return np.full(len(documents), mark)

    size = 4 * docs_of.lengths
    frames, label = find_frames(len(docs), *pairs, size, read, 1, breaks)
    filled = fill(frames, label, size, read, 1)
    return frames, bool(conflicts(filled, np.array([0]), np.array([1]), breaks)[0])


@pytest.mark.parametrize("count", [3, 4])
def test_a_slot_that_runs_on_needs_no_more_than_three_records(count):
    assert [len(found_with(at_the_beginning(count), mark)[0]) for mark in (False, True)] == [1, 0]


def test_a_record_that_is_there_twice_does_not_hide_the_slot():
    docs = [*at_the_beginning(3), [102, *TAIL, 7]]
    frames, conflict = found_with(docs, False)
    assert len(frames) == 1 and conflict


def test_more_at_the_outer_end_is_another_filler_unless_a_mark_stands_between():
    docs = [[100, *TAIL], [900, 901, 100, *TAIL], *([110 + i, *TAIL] for i in range(8))]
    assert [found_with(docs, mark)[1] for mark in (False, True)] == [True, False]


def test_the_noisiest_document_of_many_hides_no_template():
    docs = [[*HEAD, *MIDDLE, 300 + i, *TAIL] for i in range(10)]
    noisy = [*(t + 5000 if k % 3 else t for k, t in enumerate(docs[3])), 9]
    noisy[len(HEAD) + len(MIDDLE)] = docs[3][len(HEAD) + len(MIDDLE)]
    frames, conflict = found_with([*docs, noisy], False)
    assert len(frames) == 1 and conflict


@pytest.mark.parametrize(
    ("filler", "apart"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8, 99, 98], True),  # another phrase
        ([1, 2, 99, 4, 5, 6, 98, 8, 9, 10], False),  # noise of single tokens
        ([1, 2, 3, 4, 5, 6, 7, 8, 10, 9], False),  # another order
        ([1, 2, 3, 4, 5, 6, 7, 99, 98, 97, 9, 10], False),  # one token for three
        ([1, 2, 3, 4, 5, 6, 7, 99, 9, 10], False),
    ],
)
def test_long_fillers_that_share_most(filler, apart):
    long = [[1000 + t for t in range(1, 11)], [1000 + t if t < 90 else t for t in filler]]
    others = [[2000 + 20 * i + k for k in range(10)] for i in range(8)]
    docs = [[*HEAD, *one, *MIDDLE, 300 + i % 4, *TAIL] for i, one in enumerate([*long, *others])]
    docs[1][-len(TAIL) - 1] = docs[0][-len(TAIL) - 1]  # the first two differ in the long filler alone
    assert found_with(docs, False)[1] == apart


def test_a_rare_value_is_another_record_where_others_have_both_values():
    made = [(a, b) for a in range(9) for b in range(9) if (a, b) not in ((0, 0), (0, 1))]
    docs = [[*HEAD, 100 + a, 200 + b, *MIDDLE, 300 + k % 4, *TAIL] for k, (a, b) in enumerate(2 * made)]
    rare = [[*HEAD, 100, token, *MIDDLE, 300, *TAIL] for token in (200, 201, 999)]
    _, filled = frames_of([*docs, *rare])
    first = len(docs)
    # 200 and 201 stand behind other tokens too, 999 nowhere: that is a slip.
    assert conflicts(filled, np.array([first, first]), np.array([first + 1, first + 2])).tolist() == [True, False]


def test_the_cells_of_a_table_are_slots_where_what_stands_between_them_is_missing_in_some():
    dice, docs = random.Random(6), []
    for k in range(60):
        one = list(HEAD)
        for cell in range(8):
            one += [1000 + 100 * cell + dice.randrange(60) for _ in range(4)]
            one += [] if (k + cell) % 13 == 0 else [500 + cell]
        docs.append([*one, *TAIL, *MIDDLE])
    frames, filled = frames_of(docs)
    assert len(frames) == 1 and len(frames.slots.frame) >= 4
    left, right = np.array(list(combinations(range(60), 2))).T
    assert conflicts(filled, left, right).all()


def test_passages_beside_each_other_are_no_table():
    dice, docs = random.Random(7), []
    for _ in range(60):
        words = [t if dice.random() < 0.6 else 5000 + dice.randrange(900) for t in range(1000, 1060)]
        docs.append([*HEAD, *MIDDLE, *words, *TAIL])
    assert len(frames_of(docs)[0]) == 0


class Unmeasured(Ragged):
    """Fillers of which nobody may ask all lengths."""

    @property
    def lengths(self):
        raise AssertionError("the lengths of all fillers were computed for one batch of pairs")


LONG_FILLERS = [[*HEAD, *(2000 + 20 * i + k for k in range(10)), *MIDDLE, 300 + i % 4, *TAIL] for i in range(10)]


@pytest.mark.parametrize(
    "docs", [LONG_FILLERS, [[100 + i, 500 + i, *TAIL] for i in range(10)]], ids=["inside", "beginning"]
)
def test_a_batch_of_pairs_costs_nothing_for_the_fillers_of_other_documents(docs):
    """A family of a million has 250 batches: what each does for all its fillers costs the square of the family."""
    _, filled = frames_of(docs)
    left, right = np.array(list(combinations(range(len(docs)), 2))).T
    told = conflicts(filled, left, right)
    assert told.any()
    assert (conflicts(replace(filled, tokens=Unmeasured(*filled.tokens)), left, right) == told).all()

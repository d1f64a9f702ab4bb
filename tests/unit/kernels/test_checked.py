"""Covers: kernels/checked.py, and that the kernels it stands in front of refuse what would lead them outside.

Run: pytest tests/unit/kernels.
"""

import numpy as np
import pyarrow as pa
import pytest

from quchong import kernels
from quchong.errors import UsageError
from quchong.kernels import checked
from quchong.kernels.arrays import FeatureSets, Ragged
from quchong.kernels.filters import BlockedBloom, DigestTable, DigitTrie, PrintedBloom
from quchong.kernels.join import OrderedSets
from quchong.kernels.runs import Matches, Sequences
from quchong.kernels.sets import Vectors
from quchong.kernels.tree import Layer
from quchong.text import form


def test_a_column_of_the_right_kind_is_not_copied():
    a = np.arange(5, dtype=np.uint32)
    assert checked.u32(a) is a
    assert checked.u32(a[1:]).base is a


@pytest.mark.parametrize(
    "given",
    [
        [0, 1, 2], np.arange(3), np.arange(6)[::2] // 2, np.arange(3, dtype=">u4"), np.arange(3, dtype=np.uint8),
        np.frombuffer(b"\0" + np.arange(3, dtype=np.uint32).tobytes(), np.uint8)[1:].view(np.uint32),
    ],
)  # fmt: skip
def test_whole_numbers_that_fit_are_taken_however_they_lie(given):
    column = checked.u32(given)
    assert column.tolist() == [0, 1, 2]
    assert column.dtype == np.uint32
    assert column.flags.c_contiguous
    assert column.flags.aligned


@pytest.mark.parametrize("given", [[-1], [2**32], [2**70], [0, 2**63], np.array([2**63], np.uint64)])
def test_numbers_that_do_not_fit_are_refused(given):
    with pytest.raises(ValueError, match="must be 0 to 4294967295, got"):
        checked.u32(given, "tokens")


@pytest.mark.parametrize("given", [[0.5], ["a"], [None], [1 + 2j], [2**70, "a"], np.array([1], "M8[s]")])
def test_other_types_are_refused(given):
    with pytest.raises(TypeError, match="tokens must be uint32"):
        checked.u32(given, "tokens")


@pytest.mark.parametrize("given", [5, [[1, 2]], np.zeros((2, 0), np.uint32)])
def test_other_dimensions_are_refused(given):
    with pytest.raises(ValueError, match="one dimension"):
        checked.u32(given)


def test_a_list_of_large_whole_numbers_is_taken():
    assert checked.u64([0, 2**63, 2**64 - 1]).tolist() == [0, 2**63, 2**64 - 1]


def test_an_empty_list_has_any_type():
    assert checked.u32([]).dtype == np.uint32
    assert checked.offsets_of([0], 0).tolist() == [0]


@pytest.mark.parametrize("offsets", [[], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [0, -1, 3], [-2, 3]])
def test_offsets_that_do_not_part_the_values_are_refused(offsets):
    with pytest.raises(ValueError, match="offsets must rise from 0 and end with 3"):
        checked.offsets_of(np.array(offsets, np.int64), 3)


@pytest.mark.parametrize("offsets", [[], [0, 4], [0, 2, 1], [-1, 3], [4, 4]])
def test_offsets_of_a_part_stay_within_the_values(offsets):
    with pytest.raises(ValueError, match="offsets must rise"):
        checked.offsets_of(np.array(offsets, np.int64), 3, whole=False)
    assert checked.offsets_of([1, 2], 3, whole=False).tolist() == [1, 2]


@pytest.mark.parametrize(("value", "error"), [(0, ValueError), (8, ValueError), (2**70, ValueError), (1.5, TypeError),
                                              (None, TypeError), ("3", TypeError), (float("nan"), TypeError)])  # fmt: skip
def test_a_number_out_of_range_is_refused(value, error):
    with pytest.raises(error, match="ngram must be"):
        checked.number(value, 1, 7, "ngram")


@pytest.mark.parametrize("value", [0, -0.5, 1.5, float("nan"), float("inf"), -float("inf")])
def test_a_share_is_above_0_and_at_most_1(value):
    with pytest.raises(ValueError, match="threshold must be"):
        checked.share(value)


@pytest.mark.parametrize("value", [None, "a", [1]])
def test_a_share_is_a_number(value):
    with pytest.raises(TypeError, match="threshold must be a number"):
        checked.share(value)


def test_values_rise_within_documents_only():
    offsets = np.array([0, 0, 2, 3, 3])
    checked.rising(np.array([5, 7, 1]), offsets)
    for values in ([7, 5, 1], [5, 5, 1]):
        with pytest.raises(ValueError, match="must ascend"):
            checked.rising(np.array(values), offsets)
    checked.rising(np.zeros(0), np.array([0, 0]))


@pytest.mark.parametrize("given", [[3], [-1], [True, False, True, 3], [2**64 - 1], np.array([7], np.int8)])
def test_places_beyond_what_there_is_are_refused(given):
    with pytest.raises(ValueError, match=r"left names document -?\d+, beyond the 3 there are"):
        checked.pairs(given, given, 3)


def test_truth_values_are_places_like_others():
    assert checked.indices([True, False], 2).tolist() == [1, 0]
    with pytest.raises(ValueError, match="names entry 1, beyond the 1 there are"):
        checked.indices(np.array([True, False]), 1)


def test_numbers_far_apart_are_numbered_anew_in_their_order():
    values, count = checked.numbered(np.array([2**32 - 1, 7, 7, 100_000], np.uint32))
    assert (values.tolist(), count) == ([2, 0, 0, 1], 3)
    near = np.array([3, 0], np.uint32)
    assert checked.numbered(near)[0] is near


@pytest.mark.parametrize("workers", [0, -1, 1025, 2**31, 2**63, -(2**63), 1.5, "2"])
def test_workers_are_1_to_1024(workers):
    with pytest.raises(UsageError, match="workers must be a whole number from 1 to 1024"):
        kernels.checked.threads_of(workers)


def test_no_more_threads_start_than_could_help():
    assert kernels.checked.threads_of(None) >= 1
    assert kernels.checked.threads_of(3) == 3
    assert kernels.checked.threads_of(1024) == max(16, 4 * kernels.checked.threads_of(None))


# What ended the process before: each kernel with arguments that would lead it outside.

U8, U32, U64, I64 = np.uint8, np.uint32, np.uint64, np.int64
BEYOND = np.array([0, 2**40], I64)
FALLING = np.array([0, 3, 1, 4], I64)
TOKENS = np.arange(4, dtype=U32)
DOCS, WILD = Ragged(TOKENS, np.array([0, 2, 4])), Ragged(TOKENS, FALLING)
ONES = np.ones(2, U32)
SETS = FeatureSets(np.arange(4, dtype=U64), np.ones(4, U32), np.array([0, 2, 4]))
TEXTS = pa.array(["网页去重", "ab"], pa.large_string())


def sets(**other):
    return FeatureSets(**{"values": SETS.values, "weights": SETS.weights, "offsets": SETS.offsets, **other})


def damaged_texts():
    buffers = [None, pa.py_buffer(np.array([0, 2**40, 3], I64)), pa.py_buffer(b"abc")]
    return pa.Array.from_buffers(pa.large_string(), 2, buffers)


CALLS = {
    "text_tables: an odd step": lambda: kernels.text.text_tables([], [5, 1, 97], [], []),
    "text_tables: a fold beyond Unicode": lambda: kernels.text.text_tables([0x110000, 97], [], [], []),
    "tokenise: damaged texts": lambda: kernels.text.tokenise(form(), damaged_texts()),
    "distinct_shingles: falling offsets": lambda: kernels.pairs.distinct_shingles(WILD, np.ones(3, U8)),
    "distinct_shingles: too few widths": lambda: kernels.pairs.distinct_shingles(DOCS, np.ones(1, U8)),
    "distinct_shingles: wide": lambda: kernels.pairs.distinct_shingles(DOCS, np.full(2, 64, U8)),
    "shared_shingles: width 0": lambda: kernels.pairs.shared_shingles(DOCS, [0], [1], np.zeros(1, U8)),
    "shared_shingles: too few widths": lambda: kernels.pairs.shared_shingles(DOCS, [0, 1], [1, 0], np.ones(1, U8)),
    "shared_shingles: a pair beyond": lambda: kernels.pairs.shared_shingles(DOCS, [0], [2], np.ones(1, U8)),
    "shared_shingles: a negative pair": lambda: kernels.pairs.shared_shingles(DOCS, [-1], [0], np.ones(1, U8)),
    "replaced_words: beyond": lambda: kernels.pairs.replaced_words(Ragged(TOKENS, BEYOND), [0], [0], 9),
    "added_only: beyond": lambda: kernels.pairs.added_only(Ragged(TOKENS, BEYOND), [0], [0]),
    "passages: too few widths": lambda: kernels.align.passages(form(), TEXTS, [0], [1], np.zeros(0, U8), [1]),
    "passages: width 0": lambda: kernels.align.passages(form(), TEXTS, [0], [1], np.zeros(1, U8), [1]),
    "passages: too few lengths": lambda: kernels.align.passages(form(), TEXTS, [0], [1], np.ones(1, U8), []),
    "sample_overlaps: too few marks": lambda: kernels.pairs.sample_overlaps(
        form(), TEXTS, DOCS, np.zeros(1, U8), w_short=2, w_long=3, long_tokens=9, least=0.5
    ),
    "sample_overlaps: NaN": lambda: kernels.pairs.sample_overlaps(
        form(), TEXTS, DOCS, np.zeros(2, U8), w_short=2, w_long=3, long_tokens=9, least=float("nan")
    ),
    "join_keys: offsets beyond": lambda: kernels.join.join_keys(np.zeros(4, U64), BEYOND),
    "join_keys: order beyond": lambda: kernels.join.join_keys(np.zeros(4, U64), [0, 2, 4], [2]),
    "join_keys: too few sizes": lambda: kernels.join.join_keys(
        np.zeros(4, U64), [0, 2, 4], size=np.ones(1, U32), window=ONES, share=0.5
    ),
    "join_keys: NaN": lambda: kernels.join.join_keys(np.zeros(4, U64), [0, 2, 4], time=[0.0, np.nan], within=1.0),
    "band_keys: no rows": lambda: kernels.sketch.band_keys(np.zeros((2, 8), U32), 2, 0),
    "band_keys: negative": lambda: kernels.sketch.band_keys(np.zeros((2, 8), U32), -2, -2),
    "band_keys: too many": lambda: kernels.sketch.band_keys(np.zeros((2, 8), U32), 5, 2),
    "k_mins: no values": lambda: kernels.sketch.k_mins(DOCS, 2, 0, 1),
    "k_mins: 2**31 tokens": lambda: kernels.sketch.k_mins(DOCS, 2**31, 8, 1),
    "one_permutation: no values": lambda: kernels.sketch.one_permutation(DOCS, 2, 0, 1),
    "set_mins: offsets beyond": lambda: kernels.sketch.set_mins(sets(offsets=BEYOND), 8, 1),
    "shared_sets: too few weights": lambda: kernels.sets.shared_sets(sets(weights=ONES), [0], [1]),
    "meet_sets: NaN": lambda: kernels.sets.meet_sets(SETS, float("nan")),
    "meet_contained: falling": lambda: kernels.sets.meet_contained(sets(offsets=FALLING), 0.5),
    "meet_spots: too few weights": lambda: kernels.sets.meet_spots(sets(weights=ONES), 0.5, []),
    "join_sets: offsets beyond": lambda: kernels.join.join_sets(OrderedSets(TOKENS, BEYOND, 4), 0.5),
    "join_sets: not ascending": lambda: kernels.join.join_sets(OrderedSets(TOKENS[::-1], np.array([0, 4]), 4), 0.5),
    "join_sets: twice": lambda: kernels.join.join_sets(OrderedSets(np.zeros(4, U32), np.array([0, 4]), 4), 0.5),
    "screen_pairs: not ascending": lambda: kernels.join.screen_pairs(
        OrderedSets(TOKENS[::-1], np.array([0, 4]), 4), [0], [0], 0.5
    ),
    "single_pass: not ascending": lambda: kernels.sets.single_pass(
        Vectors(TOKENS[::-1], np.ones(4), np.array([0, 4])), 0.5
    ),
    "single_pass: NaN": lambda: kernels.sets.single_pass(Vectors(TOKENS, np.full(4, np.nan), np.array([0, 4])), 0.5),
    "dots: offsets beyond": lambda: kernels.sets.dots(Vectors(TOKENS, np.ones(4), BEYOND), [0], [0]),
    "diagonal_runs: too few": lambda: kernels.runs.diagonal_runs(Matches(TOKENS, TOKENS[:2], np.array([0, 4]))),
    "matched_blocks: beyond": lambda: kernels.runs.matched_blocks(Sequences(np.zeros(4, U64), BEYOND), [0], [0]),
    "match_layers: nodes beyond": lambda: kernels.tree.match_layers(
        Layer(np.zeros(4, U64), BEYOND, np.array([0, 1])), Layer(np.zeros(4, U64), BEYOND, np.array([0, 1])), [0], [0]
    ),
    "align_tokens: beyond": lambda: kernels.align.align_tokens(Ragged(TOKENS, BEYOND), [0], [0]),
    "components: beyond": lambda: kernels.graph.components(2, [0], [2]),
    "hamming_pairs: tables without end": lambda: kernels.sketch.hamming_pairs(np.zeros((2, 1), U64), 31, 63),
    "hamming_pairs: references beyond": lambda: kernels.sketch.hamming_pairs(np.zeros((2, 1), U64), 3, 0, references=3),
    "PrintedBloom: bits that overflow": lambda: PrintedBloom(2**64 - 1),
    "BlockedBloom: blocks that overflow": lambda: BlockedBloom().add_slice(2**61, 4, 10),
    "BlockedBloom: a slice beyond": lambda: BlockedBloom().words(0),
    "DigestTable: columns that differ": lambda: DigestTable().seen_before(np.zeros(3, U64), np.zeros(2, U64), None),
    "tokenise: no column": lambda: kernels.text.tokenise(form(), ["ab"]),
    "outline: blocks that are no column": lambda: kernels.tree.outline(form(), TEXTS, ["p", "p"]),
    "unit_vectors: squares beyond float64": lambda: kernels.sets.unit_vectors(np.zeros(1, U64), [1e200], [0, 1]),
    "outline: nodes beyond": lambda: kernels.tree.outline(form(), TEXTS).long_sentences([7]),
    "outline: marks beyond": lambda: kernels.tree.outline(form(), TEXTS).head_tails([0], 2**31),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_what_would_lead_a_kernel_outside_is_refused(name):
    with pytest.raises((ValueError, TypeError)):
        CALLS[name]()


def test_roots_of_nothing_are_nothing_whatever_their_type():
    assert DigitTrie(True).seen_before(np.zeros(0, np.complex128), None).tolist() == []


def test_a_set_join_of_few_tokens_with_large_numbers_takes_little_memory():
    records = OrderedSets(np.array([1, 2**32 - 3, 1, 2**32 - 3], U32), np.array([0, 2, 4]), 2**32 - 1)
    assert kernels.join.join_sets(records, 0.9).left.tolist() == [0]
    vectors = Vectors(np.array([2**32 - 1], U32), np.ones(1), np.array([0, 1]))
    assert kernels.sets.single_pass(vectors, 0.5)[0].tolist() == [0]


@pytest.mark.parametrize("count", [1, 3, 32, 33, 500])
def test_few_values_are_checked_as_many_are(count):
    widths = np.full(count, 3, np.uint8)
    assert checked.widths_of(widths, count) is widths
    for wrong in (0, 64):
        with pytest.raises(ValueError, match="ngram must be 1 to 63"):
            checked.widths_of(np.append(widths[1:], np.uint8(wrong)), count)
    offsets = np.arange(count + 1)
    assert checked.offsets_of(offsets, count) is offsets
    for k, wrong in ((0, 1), (count, count + 1), (count, 0), (count // 2 + (count == 1), -1)):
        fallen = offsets.copy()
        fallen[k] = wrong
        with pytest.raises(ValueError, match="rise from 0"):
            checked.offsets_of(fallen, count)
    for kind in (np.int64, np.uint32, np.int16):
        places = np.arange(count).astype(kind)
        made = checked.indices(places, count)
        assert (made.dtype, made.tolist()) == (np.uint32, places.tolist())
        with pytest.raises(ValueError, match="beyond the"):
            checked.indices(places, count - 1)
    with pytest.raises(ValueError, match="names entry -1"):
        checked.indices(np.append(np.arange(count - 1), -1), count)

"""Covers: filters of exact repeats against worked examples and theory, their states and merging."""

import json

import numpy as np
import pyarrow as pa
import pytest
from twins import elements as ref

from quchong.errors import InputError, OutputError, UsageError
from quchong.filters import Bloom, Confirmed, DigestSet, DigitTrie, PrintedBloom, read_state
from quchong.filters.bloom_layout import block_error, densest, error_rate, layout
from quchong.kernels.elements import RAW, STRICT, Digests, element_hashes
from quchong.kernels.filters import BlockedBloom
from quchong.methods.bases.stream_filters import FilterChoice
from quchong.parameters.filters import FILTER
from quchong.text import element


def random_digests(n, seed):
    rng = np.random.default_rng(seed)
    return Digests(*rng.integers(0, 2**64, (2, n), np.uint64), np.zeros(n, np.uint8))


# algorithms.md 0.4, C1 and C2


@pytest.mark.parametrize(
    ("text", "bkdr", "ap"),
    [("abc", 1677554, 511219427), ("今天天气很好", 1054510133, 1300858890), ("重复文本", 807147338, 1547984610)],
)
def test_check_values_of_the_paper_s_hashes(text, bkdr, ap):
    assert (ref.bkdr(ref.units_of(text)), ref.ap(ref.units_of(text))) == (bkdr, ap)
    hashes = element_hashes(RAW, [text])
    assert (hashes.bkdr.tolist(), hashes.ap.tolist()) == ([bkdr], [ap])


def seen_bits(filter, first, second):
    """Texts given by their two hashes, as the paper's examples are."""
    return filter._tallied(filter._native.seen_before(first, second, None, filter.filter_mode == "any"))


def seen_numbers(trie, numbers):
    """Texts given by their hashes k, as the paper's examples are."""
    return trie._tallied(trie._native.seen_before(numbers, None))


def test_printed_bloom_worked_example():
    """A(1,4) B(4,7) C(2,5), stream A, B, C, A, D(1,7)."""
    first, second = [1, 4, 2, 1, 1], [4, 7, 5, 4, 7]
    right, printed = PrintedBloom(bits=10), PrintedBloom(bits=10, filter_mode="any")
    assert seen_bits(right, first, second).tolist() == [False, False, False, True, True]
    assert seen_bits(printed, first, second).tolist() == [False, True, False, True, True]
    words = [int(f._native.words()[0]) for f in (right, printed)]
    assert words == [sum(1 << b for b in (1, 2, 4, 5, 7)), sum(1 << b for b in (1, 2, 4, 5))]


def test_digit_trie_worked_example():
    stream = [4, 1, 4, -4, 12, 1]
    assert seen_numbers(DigitTrie(end_mark=False), stream).tolist() == [False, True, True, True, False, True]
    assert seen_numbers(DigitTrie(), stream).tolist() == [False, False, True, True, False, True]


def test_printed_bloom_figures():
    """n = 5,000 in m = 50,000: a new text errs at 3.3% by the right mode, at 33% by the printed one."""
    rng = np.random.default_rng(1)
    for mode, error in (("all", 0.033), ("any", 0.33)):
        filter = PrintedBloom(bits=50_000, filter_mode=mode)
        filter._native.seen_before(*rng.integers(0, 2**31, (2, 5000)), None, False)
        assert filter.current_error == pytest.approx(error, abs=0.004)


@pytest.mark.parametrize(("bits", "right", "printed"), [(160_000, 0.917, 0.612), (20_000_000, 1.0, 0.995)])
def test_accuracy_of_paper_003(bits, right, printed):
    """500,000 texts, 50,000 of them distinct: the paper has about 90% at 1.6e5 bits and 100% at 2e7 (section C1)."""
    rng = np.random.default_rng(2)
    hashes = rng.integers(0, 2**31, (2, 50_000))
    stream = rng.permutation(np.concatenate([np.arange(50_000), rng.integers(0, 50_000, 450_000)]))
    for mode, accuracy in (("all", right), ("any", printed)):
        filter = PrintedBloom(bits=bits, filter_mode=mode)
        kept = ~seen_bits(filter, *hashes[:, stream])
        assert kept.sum() / 50_000 == pytest.approx(accuracy, abs=0.01)
        assert filter.expected_wrongly_removed == pytest.approx(50_000 - kept.sum(), rel=0.06, abs=40)


# Theory


@pytest.mark.parametrize("error", [0.05, 0.01, 0.001])
@pytest.mark.parametrize("load", [0.5, 1.0, 2.0])
def test_blocks_err_as_computed(error, load):
    """The formula beside a count: slices filled to a part or a multiple of their capacity, probed with new texts."""
    made, count = layout(20_000, error), int(20_000 * load)
    assert made.tries(20_000)[1] <= error * 1.0001
    full = BlockedBloom()
    full.add_slice(made.blocks, made.hashes, 1 << 40)
    full.seen_before(*random_digests(count, 7))
    words, hits, probes = full.words(0), 0, 0
    for seed in range(100, 400):  # few at a time, as probing takes them in
        probe = BlockedBloom()
        probe.add_slice(made.blocks, made.hashes, 1 << 40)
        probe.restore(0, words, 0)
        hits += int(probe.seen_before(*random_digests(400, seed))[1].sum())
        probes += 400
    expected = error_rate(count / made.blocks, made.hashes) * probes
    assert abs(hits - expected) < 4 * np.sqrt(expected) + 0.03 * expected


def test_block_error_is_exact_where_it_can_be_counted():
    assert block_error(np.array([0.0, 1.0]), 1).tolist() == pytest.approx([0, 1 / 512])
    without_blocks = 512 * np.log(2) / np.log2(100)  # texts in as many bits of a Bloom filter without blocks
    assert 0.9 * without_blocks < densest(0.01)[0] < without_blocks


# A first slice for a hundred texts has a few blocks, and its error differs from filter to filter: 0.89 to 1.04 of the mean in twelve.
@pytest.mark.parametrize(
    ("capacity", "error", "spread"),
    [(40_000, 0.01, 0.03), (40_000, 0.001, 0.03), (2_000, 0.02, 0.03), (100, 0.05, 0.12)],
)
def test_the_error_rate_stated_holds_however_many_come(capacity, error, spread):
    bloom = Bloom(capacity, error)
    fresh = bloom.seen_digests(random_digests(300_000, 11))
    expected = bloom.expected_wrongly_removed
    assert fresh.sum() <= error * 300_000 + 4 * np.sqrt(error * 300_000)
    assert abs(fresh.sum() - expected) < 5 * np.sqrt(expected) + spread * expected
    assert bloom.current_error <= error
    assert bloom.count == 300_000 - fresh.sum()
    assert len(bloom.slice_counts) > 1


def test_expected_wrongly_removed_does_not_count_true_repeats():
    bloom, digests = Bloom(10_000, 0.05), random_digests(10_000, 13)
    bloom.seen_digests(digests)
    bloom.seen_digests(digests)
    before = bloom.expected_wrongly_removed
    for _ in range(20):
        assert bloom.seen_digests(digests).all()
    assert bloom.expected_wrongly_removed == pytest.approx(before)


def test_what_is_expected_does_not_depend_on_what_was_found():
    trie = DigitTrie()
    assert not seen_numbers(trie, np.arange(40_000, dtype=np.int32)).any()  # no collision among these
    assert trie.expected_wrongly_removed == pytest.approx(40_000**2 / 2**32)


def test_collisions_of_the_trie_are_those_of_theory():
    """2.5 million texts: 1,455 pairs; counted on 300,000, of which 21 are expected."""
    trie = DigitTrie()
    signed = random_digests(300_000, 17).high.astype(np.uint32).view(np.int32)
    wrong = seen_numbers(trie, signed).sum()
    assert abs(wrong - trie.expected_wrongly_removed) < 5 * 21**0.5
    assert pytest.approx(1455, abs=1) == 2_500_000**2 / 2**32
    assert trie.memory_bytes / trie.count < 32
    assert trie.printed_nodes > 10 * trie.count


def test_confirming_keeps_every_text():
    texts = [f"第{i}条" for i in range(3000)]
    bare, confirmed = PrintedBloom(bits=4000), Confirmed(PrintedBloom(bits=4000))
    wrong = bare.seen_before(texts).sum()
    assert wrong > 300
    assert not confirmed.seen_before(texts).any() and confirmed.seen_before(texts).all()
    assert confirmed.refuted == wrong and confirmed.expected_wrongly_removed < 1e-20
    assert confirmed.memory_bytes > 16 * 3000


# Texts


def test_forms():
    same = ["Ｑｕｃｈｏｎｇ　去重，", "quchong 去重,", "quchong  去 重,"]
    assert DigestSet().seen_before(same).tolist() == [False, True, True]
    assert DigestSet().seen_before(["今天。", "今天！", "今天", "the rapist", "therapist"]).sum() == 0
    loose = DigestSet(element("loose"))
    assert loose.seen_before(["雲河地鐵。", "云河地铁！", "！？", "!?", "！"]).tolist() == [
        False,
        True,
        False,
        True,
        False,
    ]
    assert DigestSet(element("raw")).seen_before(["a", "A", "a "]).sum() == 0
    with pytest.raises(UsageError, match="unknown form 'lose': use strict, loose or raw"):
        element("lose")


@pytest.mark.parametrize("form", ["raw", "strict", "loose"])
def test_empty_texts_are_never_there(form):
    filter = Bloom(form=element(form))
    assert not filter.seen_before(["", "", ""]).any()
    assert filter.count == 0 and filter.tested == 3 and filter.seen_count == 0
    assert filter.seen_before([]).shape == (0,) and filter.seen_before(pa.chunked_array([], pa.string())).dtype == bool
    if form != "raw":
        assert not filter.seen_before([" ", "\t　\n", " "]).any()


def test_columns_of_any_string_type_and_what_is_no_text():
    items = ["甲", "乙", "甲"]
    whole = pa.array(["x", *items, "y"])
    columns = [items, pa.array(items), pa.array(items, pa.large_string()), pa.array(items, pa.string_view()),
               whole.slice(1, 3), pa.chunked_array([items[:1], [], items[1:]], pa.string())]  # fmt: skip
    for column in columns:
        assert DigestSet().seen_before(column).tolist() == [False, False, True]
    with pytest.raises(TypeError, match="got one str"):
        DigestSet().seen_before("甲")
    with pytest.raises(TypeError, match="int64"):
        DigestSet().seen_before(pa.array([1]))
    with pytest.raises(ValueError, match="nulls"):
        DigestSet().seen_before(pa.array(["甲", None]))


# States

FILLED = {
    "bloom": lambda: Bloom(50, 0.01),
    "bloom-printed": lambda: PrintedBloom(bits=2000, filter_mode="any", unit="utf16"),
    "trie": lambda: DigitTrie(hash="bkdr", end_mark=False),
    "digest": lambda: DigestSet(RAW),
    "loose": lambda: Bloom(form=element("loose")),
    "confirmed": lambda: Confirmed(PrintedBloom(bits=100)),
    "confirmed-bloom": lambda: Confirmed(Bloom(50, 0.01)),
}
TEXTS = [f"文{i}" for i in range(400)]


@pytest.mark.parametrize("name", FILLED)
def test_a_saved_filter_goes_on_as_if_never_stopped(name, tmp_path):
    one, other = FILLED[name](), FILLED[name]()
    for filter in (one, other):
        filter.seen_before(TEXTS[:200])
    one.save(tmp_path / "state")
    loaded = type(one).load(tmp_path / "state", element("loose") if name == "loose" else None)
    assert loaded.settings() == other.settings()
    rest = [*TEXTS[100:], *TEXTS]
    assert loaded.seen_before(rest).tolist() == other.seen_before(rest).tolist()
    assert loaded.state().numbers == other.state().numbers
    assert loaded.expected_wrongly_removed == pytest.approx(other.expected_wrongly_removed)
    assert (loaded.count, loaded.tested, loaded.seen_count) == (other.count, other.tested, other.seen_count)
    assert [p.name for p in tmp_path.iterdir()] == ["state"]


def test_damaged_and_foreign_states_are_refused(tmp_path):
    path = tmp_path / "state"
    bloom = Bloom(100, 0.01)
    bloom.seen_before(TEXTS)
    bloom.save(path)
    good = path.read_bytes()
    for place in (9, 20, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(InputError, match=r"damaged|version") as told:
            Bloom.load(path)
        assert str(path) in str(told.value)
    for cut in (len(good) - 1, len(good) // 2, 30, 12):
        path.write_bytes(good[:cut])
        with pytest.raises(InputError, match=r"is damaged: .*; restore a copy, or delete it to start again"):
            Bloom.load(path)
    path.write_bytes(good + b"\0")
    with pytest.raises(InputError, match="damaged"):
        Bloom.load(path)
    for other in (b"", b"not ours, but long enough to be looked at"):
        path.write_bytes(other)
        with pytest.raises(InputError, match="is not a filter state of quchong"):
            Bloom.load(path)
    with pytest.raises(InputError, match="No such file"):
        Bloom.load(tmp_path / "none")
    path.write_bytes(good)
    with pytest.raises(UsageError, match="contains a filter of kind bloom, not trie"):
        DigitTrie.load(path)
    with pytest.raises(UsageError, match="was made for the strict form"):
        Bloom.load(path, element("loose"))
    with pytest.raises(OutputError, match=r"cannot write .*there is no folder"):
        bloom.save(tmp_path / "no" / "folder")


def test_a_loose_state_asks_for_its_tables(tmp_path):
    Bloom(form=element("loose")).save(tmp_path / "state")
    with pytest.raises(UsageError, match=r"convert the text with quchong\.text\.element"):
        Bloom.load(tmp_path / "state")


def test_a_whole_state_that_makes_no_sense_is_refused(tmp_path):
    from quchong.filters.state_file import State, write_state

    state = Bloom(100, 0.01).state()
    for settings, sections in (
        (state.settings, [s[:-1] for s in state.sections]),
        ({"form": "strict", "form_version": STRICT.version, "size": 3}, state.sections),
        ({}, state.sections),
    ):
        write_state(State("bloom", settings, state.numbers, sections), tmp_path / "state")
        with pytest.raises(InputError, match="no usable state"):
            Bloom.load(tmp_path / "state")
    assert json.dumps(read_state(tmp_path / "state").settings) == "{}"


# Merging


def test_merging_is_the_union():
    left, right, both = Bloom(1000, 0.001), Bloom(1000, 0.001), Bloom(1000, 0.001)
    a, b = [f"甲{i}" for i in range(450)], [f"乙{i}" for i in range(450)]
    left.seen_before(a)
    right.seen_before(b)
    both.seen_before(a + b)
    expected = left.expected_wrongly_removed + right.expected_wrongly_removed
    left.merge(right)
    assert (left._native.words(0) == both._native.words(0)).all()
    assert left.seen_before(a + b).all() and left.count == 900
    assert left.expected_wrongly_removed == pytest.approx(expected)
    assert left.seen_before([f"丙{i}" for i in range(3000)]).sum() <= 3000 * 0.001 + 10
    assert left.expected_wrongly_removed > expected
    assert right.count == 450, "the other filter stays as it is"


def test_merging_filters_that_grew(tmp_path):
    left, right = Bloom(50, 0.01), Bloom(50, 0.01)
    a, b = [f"甲{i}" for i in range(60)], [f"乙{i}" for i in range(1000)]
    left.seen_before(a)
    right.seen_before(b)
    left.merge(right)
    assert left.seen_before(a + b).all() and len(left.slice_counts) == len(right.slice_counts)
    assert left.current_error > right.current_error, "fuller slices err more, and it is said"
    left.save(tmp_path / "state")
    loaded = Bloom.load(tmp_path / "state")
    assert loaded.seen_before(a + b).all()
    assert loaded.expected_wrongly_removed == pytest.approx(left.expected_wrongly_removed)


def test_only_equal_filters_can_be_merged():
    for other in (Bloom(101, 0.01), Bloom(100, 0.02), Bloom(100, 0.01, RAW)):
        with pytest.raises(UsageError, match="only filters with equal parameters can be merged"):
            Bloom(100, 0.01).merge(other)


# Choosing


def test_filters_are_chosen_by_name():
    kinds = [type(FilterChoice(name).build()) for name in FILTER.choices]
    assert kinds == [Bloom, DigitTrie, DigestSet]
    assert isinstance(FilterChoice().build(), Bloom)
    printed = FilterChoice("bloom", bits=160_000, filter_mode="any").build()
    assert isinstance(printed, PrintedBloom) and (printed.bits, printed.filter_mode) == (160_000, "any")
    literal = FilterChoice("trie", filter_mode="literal", hash="bkdr").build()
    assert isinstance(literal, DigitTrie) and not literal.end_mark
    assert isinstance(FilterChoice(confirm=True).build(), Confirmed)
    assert FilterChoice(form="loose").build().form.kind == "loose"


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({"filter": "cuckoo"}, "unknown filter='cuckoo': use bloom, trie or digest"),
        ({"filter": "trie", "capacity": 5}, "capacity is for filter='bloom', not for filter='trie'"),
        ({"filter": "digest", "bits": 5}, "bits is for the Bloom filter as printed in the paper"),
        ({"bits": 5, "error_rate": 0.1}, "error_rate is for filter='bloom', not for the Bloom filter as printed"),
        ({"filter": "trie", "filter_mode": "any"}, "filter='trie' allows the modes end-mark and literal, not any"),
        ({"filter": "bloom", "filter_mode": "literal"}, "filter_mode is for"),
        ({"hash": "bkdr"}, "are for filter='trie'"),
        ({"filter": "digest", "confirm": True}, "is exact, so confirmation is not needed"),
        ({"capacity": 0}, "capacity must be 1"),
        ({"error_rate": 0.9}, "error_rate must be 1e-12 to 0.5"),
        ({"bits": 0}, "bits must be 1"),
    ],
)
def test_choices_that_make_no_sense_are_refused(choice, told):
    with pytest.raises(UsageError) as error:
        FilterChoice(**choice).build()
    assert told in str(error.value)

"""Arguments of the kernels of filters, which are several calls of one object, and of records in bytes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from dice import Dice
from twins import filters as ref_filters
from twins import records as ref_records

from kernel_arguments.call import Call, each_pair, kernel, marks
from quchong import kernels
from quchong.kernels import filters, records


@kernel
def printed_bloom(d: Dice) -> Call:
    n, bits, any_bit = d.some(30), d.randint(1, 90), d.random() < 0.5
    first, second = d.values(n, np.uint32), d.values(n, np.uint32)

    def used(bits: Any, first: Any, second: Any, empty: Any, any_bit: Any, count: Any) -> Any:
        it = filters.PrintedBloom(bits)
        out = it.seen_before(first, second, empty, any_bit)
        words = it.words()
        other = filters.PrintedBloom(bits)
        other.restore(words, count, it.bits_set)
        return out, other.words(), it.count, other.bits_set

    twin = ref_filters.PrintedBloom(bits, "any" if any_bit else "all")
    return Call(
        used, {"bits": bits, "first": first, "second": second, "empty": None, "any_bit": any_bit, "count": d.randint(0, 9)},
        lambda out: out[0].tolist() == [twin.seen_before(a, b) for a, b in each_pair(first, second)], 2**20,
    )  # fmt: skip


@kernel
def blocked_bloom(d: Dice) -> Call:
    n = d.some(30)

    def used(blocks: Any, hashes: Any, capacity: Any, high: Any, low: Any, empty: Any, slice_: Any, words: Any) -> Any:
        it, other = filters.BlockedBloom(), filters.BlockedBloom()
        for one in (it, other):
            one.add_slice(blocks, hashes, capacity)
        done, out = it.seen_before(high, low, empty)
        other.merge(it)
        other.restore(slice_, it.words(slice_) if words is None else words, done)
        return out, it.counts, other.counts, other.seen_before(high, low, empty)[1]

    return Call(
        used,
        {"blocks": d.randint(1, 3), "hashes": d.randint(1, 30), "capacity": d.randint(1, 40), "high": d.values(n), "low": d.values(n),
         "empty": marks(d, n), "slice_": 0, "words": None},
        None, 2**20,
    )  # fmt: skip


@kernel
def digest_table(d: Dice) -> Call:
    n = d.some(60)
    high, low, again = d.values(n), d.values(n), d.random() < 0.5

    def used(high: Any, low: Any, empty: Any) -> Any:
        it = filters.DigestTable()
        out = it.seen_before(high, low, empty)
        if again:
            it.seen_before(low, high, empty)
        return out, it.dump(), it.count, it.memory

    twin = ref_filters.DigestTable()
    return Call(
        used,
        {"high": high, "low": low, "empty": None},
        lambda out: out[0].tolist() == [twin.seen_before(*p) for p in each_pair(high, low)],
    )


@kernel
def digit_trie(d: Dice) -> Call:
    end_mark = d.random() < 0.5
    roots = [
        d.choice([4, 12, 38, 120, 400, 4000, 40000, d.getrandbits(32), -d.getrandbits(31)]) for _ in range(d.some(40))
    ]

    def used(end_mark: Any, roots: Any, empty: Any) -> Any:
        it = filters.DigitTrie(end_mark)
        out = it.seen_before(roots, empty)
        return out, it.dump(), it.count, it.nodes, it.printed_nodes, it.memory

    twin = ref_filters.DigitTrie(end_mark)
    return Call(
        used, {"end_mark": end_mark, "roots": np.array(roots, np.int64), "empty": None},
        lambda out: out[0].tolist() == [twin.seen_before(r) for r in roots],
    )  # fmt: skip


@kernel
def give_back_from(d: Dice) -> Call:
    return Call(
        kernels.machine.give_back_from, {"size": d.randint(1 << 20, 2 << 20), "kept": d.randint(1 << 17, 1 << 20)}
    )


def _octets(d: Dice) -> bytes:
    return b"".join(d.choice([b"a", b'"', b'""', b",", b"\n", b"\r\n", b" "]) for _ in range(d.randint(0, 40)))


def _rows(found: records.FoundRecords) -> list[tuple[int, int, int]]:
    return list(zip(found.starts.tolist(), found.ends.tolist(), found.lines.tolist(), strict=True))


@kernel
def line_records(d: Dice) -> Call:
    block, blanks = _octets(d), d.choice([b"", b" ", b" \r"])
    given = {"block": block, "start": d.randint(0, len(block)), "blanks": blanks, "most": 100}
    return Call(
        records.line_records, given, lambda out: _rows(out) == ref_records.line_records(block, given["start"], blanks)
    )


@kernel
def csv_records(d: Dice) -> Call:
    block, final, longest = _octets(d) + b"\n", bool(d.randint(0, 1)), d.randint(0, 30)
    given = {"block": block, "start": d.randint(0, len(block)), "delimiter": b",", "final": final, "longest": longest}

    def holds(out: records.FoundRecords) -> bool:
        return (_rows(out), out.done, out.unclosed.tolist()) == ref_records.csv_records(
            block, given["start"], b",", final, longest
        )

    return Call(records.csv_records, given | {"open_quote": records.OpenQuote(), "most": 100}, holds)


@kernel
def module_file(d: Dice) -> Call:
    return Call(kernels.machine.module_file, {}, lambda out: Path(out).is_file())


@kernel
def trim(d: Dice) -> Call:
    return Call(kernels.machine.trim, {}, lambda out: isinstance(out, bool))


@kernel
def spilled(d: Dice) -> Call:
    return Call(kernels.machine.spilled, {}, lambda out: out.mapped >= 0 and out.error == 0)


@kernel
def spilling(d: Dice) -> Call:
    def used(bound: Any, least: Any) -> Any:
        with kernels.machine.spilling(Path(tempfile.gettempdir()), bound, least):
            return np.sort(np.arange(40_000)[::-1])

    values = {"bound": d.choice([0, 1 << 20, 1 << 40]), "least": d.choice([1 << 16, 1 << 20])}
    return Call(used, values, lambda out: bool((out == np.arange(40_000)).all()))

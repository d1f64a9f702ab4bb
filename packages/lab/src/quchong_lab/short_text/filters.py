"""Gao 2014, section 5.1: Bloom filter (布隆过滤器) and digit trie (数字 Trie 树), their time and accuracy.

Source: Gao 2014, sections 5.1.1 to 5.1.3, figures 3 to 5.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.filters import DigitTrie, FirstSeenFilter, PrintedBloom
from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.short_text.posts import repeated

PAPER_BITS = 50_000
RUNS = 3


def seconds_of(make: Callable[[], FirstSeenFilter], texts: pa.Array, runs: int = RUNS) -> tuple[float, FirstSeenFilter]:
    """Return the median seconds that a new filter takes for all texts, and the last filter."""
    times = []
    for _ in range(runs):
        filter_ = make()
        start = time.perf_counter()
        filter_.seen_before(texts)
        times.append(time.perf_counter() - start)
    return median(times), filter_


def _filters(count: int) -> dict[str, Callable[[], FirstSeenFilter]]:
    """Return functions that make the paper's two filters, by name; the Bloom filter is large enough for `count` texts, because time is
    compared.
    """
    return {"Bloom": lambda: PrintedBloom(bits=max(PAPER_BITS, 16 * count)), "trie": DigitTrie}


def _timed(count: int, distinct: float, seed: int, runs: int = RUNS) -> list[tuple[str, float, int]]:
    """Measure each of the paper's two filters on `count` generated texts, of which the share `distinct` differ: its name, the median
    seconds of `runs` runs, and its size in bytes.
    """
    texts, out = repeated(count, distinct, seed).texts, []
    for name, make in _filters(count).items():
        seconds, filter_ = seconds_of(make, texts, runs)
        out.append((name, seconds, filter_.memory_bytes))
    return out


def _filter_time(scale: Scale, seed: int) -> Findings:
    sizes = {
        "quick": [2_000, 5_000],
        "paper": [100_000, 200_000, 300_000, 400_000, 500_000],
        "full": [500_000, 1_000_000, 1_500_000, 2_000_000, 2_500_000],
    }[scale]
    rows: list[dict[str, Any]] = []
    for distinct in (0.01, 0.1, 0.5, 0.9):
        for count in sizes:
            for name, seconds, memory in cell(f"{distinct} {count}", _timed, count, distinct, seed):
                rows.append(
                    {
                        "filter": name, "distinct_share": distinct, "texts": count, "seconds": seconds,
                        "nanoseconds_a_text": 1e9 * seconds / count, "memory_bytes": memory,
                    }
                )  # fmt: skip
    table = pa.Table.from_pylist(rows)
    largest = [row for row in rows if row["texts"] == sizes[-1]]
    remarks = [
        f"At {sizes[-1]:,} texts, {share:.0%} distinct, the trie takes "
        f"{_seconds_of(largest, 'trie', share) / _seconds_of(largest, 'Bloom', share):.2f} times as long as the Bloom filter."
        for share in (0.01, 0.1, 0.5, 0.9)
    ]
    return Findings(table, tuple(remarks))


def _seconds_of(rows: list[dict[str, Any]], name: str, share: float) -> float:
    found: float = next(row["seconds"] for row in rows if row["filter"] == name and row["distinct_share"] == share)
    return found


def _filter_time_large(scale: Scale, seed: int) -> Findings:
    sizes = {"quick": [10_000, 25_000], "paper": [1_000_000, 2_500_000], "full": [1_000_000, 2_500_000]}[scale]
    rows: list[dict[str, Any]] = []
    remarks = []
    for meaning, distinct in (("1% repeats", 0.99), ("1% distinct", 0.01)):
        for count in sizes:
            taken = {}
            for name, seconds, memory in cell(f"{distinct} {count}", _timed, count, distinct, seed, 5):
                taken[name] = seconds
                rows.append(
                    {
                        "filter": name, "r_read_as": meaning, "texts": count, "seconds": seconds,
                        "memory_bytes": memory,
                    }
                )  # fmt: skip
            remarks.append(
                f"{count:,} texts, {meaning}: trie / Bloom = {taken['trie'] / taken['Bloom']:.2f} (paper 4.09)."
            )
    remarks.append(
        "Both spend most of the time on the texts themselves: the strict form, the same for both, and hashes, BKDR and AP for "
        "the Bloom filter, one 64-bit hash for the trie. The trie is one array here, not linked nodes."
    )
    return Findings(pa.Table.from_pylist(rows), tuple(remarks))


def accuracy(filter_: PrintedBloom, texts: pa.Array, origin: np.ndarray) -> dict[str, float]:
    """Return three readings of "accuracy" after one pass, each 0 to 1.

    `kept_of_distinct`: share of the first texts of their families that are kept. `right_decisions`: share of right decisions over
    all texts. `new_after`: share of new texts that would be kept now (one minus the false-positive rate, from the bits set).
    """
    seen = filter_.seen_before(texts)
    first = origin == np.arange(len(origin))
    kept = int((first & ~seen).sum())
    return {
        "kept_of_distinct": kept / int(first.sum()),
        "right_decisions": float((seen == ~first).mean()),
        "new_after": 1 - filter_.current_error,
    }


def _accuracies(count: int, distinct: float, seed: int, sizes: list[int]) -> list[dict[str, Any]]:
    """Return one row for each size in bits and each filter mode: the measures of `accuracy`, and the share that `theory` expects."""
    made = repeated(count, distinct, seed)
    return [
        {"mode": mode, "bits": bits, **accuracy(PrintedBloom(bits=bits, filter_mode=mode), made.texts, made.origin),
         "theory": theory(made.distinct, bits, mode)}
        for bits in sizes for mode in ("all", "any")
    ]  # fmt: skip


def theory(distinct: int, bits: int, mode: str) -> float:
    """Return the share of `distinct` texts that an ideal filter with two hash functions keeps, given the bits set before each.

    In mode "any" a text that is judged seen sets no bit, so bits fill more slowly; this is computed step by step.
    """
    filled = kept = 0.0
    for _ in range(distinct):
        share = filled / bits
        stays = 1 - share**2 if mode == "all" else (1 - share) ** 2
        kept += stays
        filled += 2 * (1 - share) if mode == "all" else 2 * stays
    return kept / distinct


def _bloom_accuracy(scale: Scale, seed: int) -> Findings:
    sizes = [1_000, 3_000] if scale == "quick" else [5_000, 10_000, 20_000, 30_000, 40_000, 50_000]
    rows: list[dict[str, Any]] = []
    for distinct in (0.1, 0.5, 0.9, 1.0):
        for count in sizes:
            for found in cell(f"{distinct} {count}", _accuracies, count, distinct, seed, [PAPER_BITS]):
                rows.append({"mode": found["mode"], "distinct_share": distinct, "texts": count, **found})
    at = [row for row in rows if row["texts"] == sizes[-1] and row["distinct_share"] == 0.1]
    remarks = [
        "The paper's 56% at 50,000 texts, 10% distinct, 50,000 bits fits neither mode nor any reading of accuracy: "
        + "; ".join(f"mode {r['mode']}: {r['kept_of_distinct']:.1%}, {r['right_decisions']:.1%}, {r['new_after']:.1%}" for r in at)
        + " (kept of distinct, right decisions, new texts that would stay)."
    ] if scale != "quick" else []  # fmt: skip
    return Findings(pa.Table.from_pylist(rows), tuple(remarks))


def _bloom_memory(scale: Scale, seed: int) -> Findings:
    count = 20_000 if scale == "quick" else 500_000
    most = [10_000, 20_000, 50_000, 100_000, 160_000, 320_000, 1_000_000, 5_000_000, 20_000_000]
    sizes = [10_000, 160_000] if scale == "quick" else most
    rows: list[dict[str, Any]] = []
    for bits in sizes:
        for found in cell(f"{bits}", _accuracies, count, 0.1, seed, [bits]):
            rows.append(
                {"mode": found["mode"], "texts": count, "bits": bits, "kilobytes": bits / 8192, **found}
            )  # fmt: skip
    near = next((r for r in rows if r["bits"] == 160_000 and r["mode"] == "all"), None)
    other = next((r for r in rows if r["bits"] == 160_000 and r["mode"] == "any"), None)
    remarks = (
        f"At 160,000 bits mode all keeps {near['kept_of_distinct']:.1%} and mode any {other['kept_of_distinct']:.1%} of the distinct "
        "texts; the paper reports about 90%: its figure is the one of the right mode, its sentence (one bit is enough) a slip.",
    ) if near and other and scale != "quick" else ()  # fmt: skip
    return Findings(pa.Table.from_pylist(rows), remarks)


_R = "r is called the repeat rate in the text and the non-repeat rate in the figure's caption: both are run"

FILTER_TIME = Experiment(
    "short-text/filter-time",
    "Time of Bloom filter and digit trie against the number of texts",
    "Gao 2014, 5.1.1, figure 3",
    (
        Claim("5.1.1", "time against n, several r", "both grow with n; Bloom is faster", ""),
        Claim("5.1.1", "time against r", "both slow down as r grows", _R),
    ),
    (Plot("texts", "seconds", ("filter", "distinct_share")),),
    _filter_time,
)
FILTER_TIME_LARGE = Experiment(
    "short-text/filter-time-large",
    "Bloom filter and digit trie at 1 and 2.5 million texts",
    "Gao 2014, 5.1.1",
    (
        Claim("5.1.1", "2.5 million texts, r = 1%, mean of 5", "Bloom 3,526.8 ms, trie 14,429.8 ms",
              "ratio 4.09; machines differ, so the ratio is what is compared; " + _R),
    ),
    (Plot("texts", "seconds", ("filter", "r_read_as"), paper=((2_500_000, 3.5268, "Bloom"), (2_500_000, 14.4298, "trie"))),),
    _filter_time_large,
)  # fmt: skip
BLOOM_ACCURACY = Experiment(
    "short-text/bloom-accuracy",
    "Accuracy of the printed Bloom filter against the number of texts",
    "Gao 2014, 5.1.2, figure 4",
    (
        Claim("5.1.2", "n to 50,000, 50,000 bits", "accuracy falls with n and with the share of distinct texts",
              "accuracy is not defined: three readings"),
        Claim("5.1.2", "n = 50,000, 10% distinct", "about 56%", "fits neither mode; see the remarks"),
    ),
    (Plot("texts", "kept_of_distinct", ("mode", "distinct_share"), paper=((50_000, 0.56, "10% distinct"),)),),
    _bloom_accuracy,
)  # fmt: skip
BLOOM_MEMORY = Experiment(
    "short-text/bloom-memory",
    "Accuracy of the printed Bloom filter against its size",
    "Gao 2014, 5.1.3, figure 5",
    (
        Claim("5.1.3", "n = 500,000, 10% distinct, 160,000 bits", "about 90%", "fits the mode all, not any"),
        Claim("5.1.3", "the same, 20 million bits", "100%", "fits the mode all; any reaches 99.5%"),
    ),
    (
        Plot(
            "bits", "kept_of_distinct", ("mode",), log_x=True, paper=((160_000, 0.9, "90%"), (20_000_000, 1.0, "100%"))
        ),
    ),
    _bloom_memory,
)

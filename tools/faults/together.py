"""Two commands at one folder, the first of which stands still in the middle while the second runs."""

from __future__ import annotations

import json
import signal
from functools import partial

import shim
from answers import differences
from ground import QUIET, Ground, Situation, stopping

_RUN = ("dedup", "in.jsonl", "-o", "run", *QUIET)
_OVER = (*_RUN, "--overwrite")
_FOUND = ("passages", "in.jsonl", "--corpus", "-o", "found", "--cut", "copies", "-q", "--overwrite")
_COUNTED = ("statistics", "in.jsonl", "-o", "idf.parquet", "--overwrite", "-q")
_FILTER = ("filter", "in.jsonl", "--removed", "removed.jsonl", "--state", "state", "-q")
PAIRS: dict[str, tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...], str]] = {
    "dedup-dedup": ((), _RUN, _RUN, "run"),
    "overwrite-overwrite": (((*_RUN, "--method", "exact"),), _OVER, _OVER, "run"),
    "overwrite-explain": (((*_RUN, "--method", "exact"),), _OVER, ("explain", "run", "n003"), "run"),
    "restore-restore": ((_RUN,), ("restore", "run", "n003"), ("restore", "run", "n003"), "run"),
    "restore-explain": ((_RUN,), ("restore", "run", "--all"), ("explain", "run", "n003"), "run"),
    "restore-overwrite": ((_RUN,), ("restore", "run", "--all"), _OVER, "run"),
    "overwrite-restore": ((_RUN,), _OVER, ("restore", "run", "--all"), "run"),
    "passages-passages": ((_FOUND[:-1],), _FOUND, _FOUND, "found"),
    "statistics-statistics": (((*_COUNTED, "--ngram-size", "3"),), _COUNTED, _COUNTED, "idf.parquet"),
    "filter-filter": ((), _FILTER, _FILTER, "state"),
}
"""What comes before, the first command, the second, and the folder of both."""


def together(ground: Ground, name: str, share: float) -> None:
    """The first stands still after this share of its calls; afterwards the result is that of one of them, whole."""
    before, first, second, result = PAIRS[name]
    ground.write()
    for argv in before:
        ground.good(*argv)
    old = ground.at(result)
    whole = {}
    counted = 0
    for which, argv in (("first", first), ("second", second)):
        ground.scratch.joinpath("kept").exists()
        saved = _saved(ground)
        done = ground.run(*argv, root=ground.folder)
        counted = counted or done.changes
        passes = len(done.out.splitlines())
        whole[which] = ground.at(result)
        _back(ground, saved)
    one = ground.start(*first, **stopping(shim.CHANGES, max(1, round(share * counted))))
    stood = one.stopped()
    other = ground.run(*second)
    if stood:
        one.signal(signal.SIGCONT)
    done = one.end()
    ground.code = other.code
    now = ground.at(result)
    ground.demand(done.code in (0, 4, 5), f"the first: exit code {done.code}: {done.told}")
    ground.demand(other.code in (0, 2, 4, 5), f"the second: exit code {other.code}: {other.told}")
    ground.demand(0 in (done.code, other.code), f"neither did its work: {done.told}; {other.told}")
    ground.demand("Traceback" not in done.err, f"the first: a traceback: {done.told}")
    if name == "filter-filter":
        given = passes  # texts of the input
        passed = [json.loads(line)["text"] for line in (done.out + other.out).splitlines()]
        ground.demand(len(passed) == len(set(passed)), "a text went out twice: both used the state at once")
        ground.demand(len(set(passed)) == given, f"{given} texts, and {len(set(passed))} went out")
        return
    known = [whole["first"], whole["second"], old]
    close = min((differences(now, k) for k in known), key=len)
    both = name.startswith("restore-overwrite") or name.startswith("overwrite-restore")
    ground.demand(now in known or (both and bool(now)), f"the result is of neither: {close}")
    if result == "run":
        ground.good("explain", "run", "n001")
    left = sorted(p.name for p in ground.folder.iterdir() if p.name not in ("in.jsonl", result, "removed.jsonl"))
    ground.demand(not left, f"left behind: {left}")


def _saved(ground: Ground) -> object:
    import shutil

    copy = ground.scratch / "before"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ground.folder, copy, symlinks=True)
    return copy


def _back(ground: Ground, copy: object) -> None:
    import shutil

    shutil.rmtree(ground.folder)
    shutil.copytree(str(copy), ground.folder, symlinks=True)


TOGETHER: dict[str, Situation] = {
    f"together/{name}-{share:g}": partial(together, name=name, share=share)
    for name in PAIRS
    for share in (0.02, 0.3, 0.7, 0.97, 1.0)
}

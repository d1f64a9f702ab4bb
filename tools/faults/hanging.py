"""A mount that hangs: a call does not come back, and Ctrl-C must still end the command."""

from __future__ import annotations

import signal
from functools import partial

import shim
from ground import QUIET, Ground, Situation

PATIENCE = 20.0
"""Seconds until a command must have ended after Ctrl-C; the run itself waits 5 for a reader that hangs."""
AGAIN = 22.0
"""Seconds until Ctrl-C is pressed again: by then the command has said that it still clears up."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "jsonl": ("dedup", "in.jsonl", "-o", "run", *QUIET),
    "parquet": ("dedup", "in.parquet", "-o", "run", *QUIET),
    "csv": ("dedup", "in.csv", "-o", "run", *QUIET),
    "arrow": ("dedup", "in.arrow", "-o", "run", *QUIET),
    "warc": ("dedup", "in.warc", "-o", "run", *QUIET),
    "texts": ("dedup", "in", "-o", "run", *QUIET),
    "passages": ("passages", "in.jsonl", "--corpus", "-o", "run", "--cut", "copies", "-q"),
    "statistics": ("statistics", "in.jsonl", "-o", "run", "-q"),
}


def hanging(ground: Ground, name: str, kind: int, share: float) -> None:
    """The call at this share of all hangs until a signal comes."""
    argv = COMMANDS[name]
    ground.write("texts" if name == "texts" else name if name in ("parquet", "csv", "arrow", "warc") else "jsonl")
    before = ground.at(".")
    calls = ground.good(*argv, root=ground.folder)
    ground.run("methods")
    _clear(ground)
    count = calls.reads if kind == shim.READS else calls.changes
    fault = shim.Fault(shim.HANG, 0, kind, False, ())
    one = ground.start(*argv, fault=fault, at=max(1, round(share * count)))
    hung = one.hangs()
    if hung:
        one.signal(signal.SIGINT)
        if not one.ends(AGAIN):
            one.signal(signal.SIGINT)
    done = one.end(PATIENCE)
    ground.code = done.code
    if not hung:
        return
    ground.demand(not done.late, f"Ctrl-C twice did not end it within {PATIENCE:.0f} s at {done.call}")
    if done.code == 0:  # it hung when the result had its name already: too late to be stopped
        ground.demand((ground.folder / "run").exists(), "exit code 0, and no result")
        return
    ground.demand(done.late or done.code == 130, f"exit code {done.code}, not 130: {done.told}")
    ground.demand("Traceback" not in done.err, f"a traceback: {done.told}")
    if "did not come back" in done.err:  # the process went as by kill -9: the next command clears away
        ground.good(*argv)
        _clear(ground)
    if not done.late:
        ground.same(".", before, "something was left")


def _clear(ground: Ground) -> None:
    import shutil

    place = ground.folder / "run"
    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)


HANGING: dict[str, Situation] = {
    f"hanging/{name}-{what}-{share:g}": partial(hanging, name=name, kind=kind, share=share)
    for name in COMMANDS
    for what, kind in (("read", shim.READS), ("write", shim.CHANGES))
    for share in (0.05, 0.5, 0.95)
}

"""Gives every command that takes a run folder folders that a stranger could have written.

    python tools/faults/folders --folders 5000 --seed 1        each under the commands that read, then restore
    python tools/faults/folders --seed 1 --folder 17           one again, with all that went wrong

A folder is right if no process was started, nothing outside changed, nothing in it by a command that reads, no secret that it points to
was shown, and each command ended in an error of ours or well, in time and without a signal. Exit code 1 when one was not.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
FEW = 3
"""Commands that read, beside explain, that each folder is drawn; --folder tries all."""


BYTES = 12 << 30
"""Addresses a process may have, its libraries among them."""


class Worker:
    """A process that tries folders one after the other; it is replaced when it ends or takes too long."""

    def __init__(self, place: Path, seed: int, few: int, seconds: float) -> None:
        self.place, self.seconds = place, seconds
        argv = [sys.executable, __file__, "--worker", str(place), "--seed", str(seed), "--few", str(few)]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ready = selectors.DefaultSelector()
        self._ready.register(self.process.stdout, selectors.EVENT_READ)
        self._line(300)

    def _line(self, seconds: float) -> str | None:
        """A line it said; None where it took too long, "" where it ended."""
        return self.process.stdout.readline() if self._ready.select(seconds) else None

    def tried(self, number: int) -> dict:
        """What was done to a folder, and what was wrong with it."""
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        line = self._line(self.seconds)
        if line:
            return json.loads(line)
        how = f"hung for {self.seconds:.0f} s" if line is None else ""
        self.close()
        how = how or f"ended the process ({self.process.returncode})"
        return {"changes": [], "wrong": [how], "ended": True}

    def close(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()


def serve(place: Path, seed: int, few: int) -> None:
    """Tries the folders whose numbers come in."""
    from crafted import craft
    from templates import make
    from trying import Watch, try_all

    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    templates, watch = make(place / "whole"), Watch()
    said = sys.stdout
    sys.stdout = sys.stderr
    print("ready", file=said, flush=True)
    for line in sys.stdin:
        rng = random.Random(f"{seed} {int(line)}")
        box = place / "tried"
        stage, changes = craft(templates[rng.choice(sorted(templates))], box, rng)
        wrong = list(try_all(stage, rng, watch, few or None))
        print(json.dumps({"changes": changes, "wrong": wrong}), file=said, flush=True)
        shutil.rmtree(box, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tools/faults/folders", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folders", type=int, default=500, help="how many, counted from 0 (default 500)")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first, to go on with a campaign (default 0)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn (default 1)")
    parser.add_argument("--folder", type=int, help="this one alone, with all commands")
    parser.add_argument("--few", type=int, default=FEW, help="commands that read, drawn for each folder; 0 for all")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for all commands on one folder (default 60)")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        serve(asked.worker, asked.seed, asked.few)
        return 0
    few = 0 if asked.folder is not None else asked.few
    numbers = range(asked.first, asked.folders) if asked.folder is None else [asked.folder]
    work = Path(tempfile.mkdtemp(prefix="quchong-folders-"))
    begun, changes, wrong, ended = time.monotonic(), Counter(), 0, 0
    worker, begins = None, 0
    try:
        for number in numbers:
            if worker is None:
                begins += 1
                place = work / str(begins)
                place.mkdir()
                worker = Worker(place, asked.seed, few, asked.timeout)
            found = worker.tried(number)
            changes.update(found["changes"])
            if found.get("ended"):
                worker, ended = None, ended + 1
            if found["wrong"]:
                wrong += 1
                print(f"folder {number} ({', '.join(found['changes'])}):", *found["wrong"], sep="\n  ", flush=True)
    finally:
        if worker is not None:
            worker.close()
        shutil.rmtree(work, ignore_errors=True)
    print(f"{len(numbers)} folders, {wrong} wrong, {ended} ended processes, {time.monotonic() - begun:.0f} s")
    print(", ".join(f"{name} {count}" for name, count in sorted(changes.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

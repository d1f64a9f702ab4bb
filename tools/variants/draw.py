"""Variants of one corpus and one machine that may not change a result: what they are, and how they are drawn."""

from __future__ import annotations

import random
import subprocess
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "jsonl.bz2", "csv", "csv.gz", "tsv", "parquet", "arrow")
ZONES = ("UTC", "Asia/Shanghai", "America/New_York", "Pacific/Chatham", "Asia/Kathmandu", "XXX-13:37")
WORKERS = (1, 2, 3, 8)
TOGETHER = 5
"""Variants that share a process, and with it locale and hash seed, which cannot change in one."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One of them.

    Attributes:
        number: 0 is the corpus as it is, in one file.
        shuffle: seed of the order of rows; 0: as they are.
        cuts: where the rows are cut into files, after shuffling.
        formats: of the files, one each.
        backwards: the files are given in reverse order.
        workers: threads.
        loops: instruction set of the tight loops; "" for the machine's own.
        zone, locale, hashes: TZ, LC_ALL, PYTHONHASHSEED.
    """

    number: int
    shuffle: int = 0
    cuts: tuple[int, ...] = ()
    formats: tuple[str, ...] = ("jsonl",)
    backwards: bool = False
    workers: int = 2
    loops: str = ""
    zone: str = "UTC"
    locale: str = "C.UTF-8"
    hashes: int = 0

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def environment(self) -> dict[str, str]:
        """Variables the process starts with."""
        plain = self.locale in ("C", "POSIX")  # and no mending of it by Python
        return {"TZ": self.zone, "LC_ALL": self.locale, "LANG": self.locale, "PYTHONHASHSEED": str(self.hashes),
                **({"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"} if plain else {})}  # fmt: skip


@cache
def locales() -> tuple[str, ...]:
    """Those installed here, at most twenty."""
    try:
        found = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    except OSError:
        found = []
    return tuple(dict.fromkeys(["C", "C.UTF-8", *found]))[:20]


def draw(number: int, seed: int, rows: int, loops: tuple[str, ...]) -> Variant:
    """The variant of that number; the same for the same arguments."""
    if not number:
        return Variant(0)
    rng = random.Random(f"{seed}/{number}")
    shared = random.Random(f"{seed}/process/{(number - 1) // TOGETHER}")
    files = rng.randint(1, 6)
    return Variant(
        number, rng.randrange(1, 10**6), tuple(sorted(rng.sample(range(1, rows), files - 1))),
        tuple(rng.choice(FORMATS) for _ in range(files)), rng.random() < 0.5, rng.choice(WORKERS), rng.choice(loops),
        rng.choice(ZONES), shared.choice(locales()), shared.randrange(1, 2**32),
    )  # fmt: skip

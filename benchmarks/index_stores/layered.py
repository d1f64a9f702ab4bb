"""What was chosen: SQLite that is only appended to, words of ids and digests in sorted runs that are merged, the newest in memory."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
from contenders import Sqlite, id_word
from rows import Row

SEALED = 1 << 16
FAN = 8


class Layered:
    """Rows in SQLite without a secondary index; (word, number) runs of 65,536 rows, merged eight at a time; what is found is checked."""

    def __init__(self, folder: Path, *, sync: str = "FULL", page: int = 16384, cache_mb: int = 16) -> None:
        self.folder = folder
        self.rows = Sqlite(folder, page=page, cache_mb=cache_mb, sync=sync, digest=False, id_index=False)
        self.names = itertools.count(len(list(folder.glob("run.*"))))
        self.runs = [np.load(p, mmap_mode="r") for p in sorted(folder.glob("run.*"))]
        self.newest: dict[int, int] = {}
        sealed = sum(run.shape[1] for run in self.runs) // 2
        rows = self.rows.db.execute("SELECT number, id, high FROM documents WHERE number >= ?", (sealed,))
        for number, id, high in rows:
            self.newest[id_word(id)] = self.newest[high] = number

    def add(self, rows: list[Row]) -> None:
        self.rows.add(rows)
        for r in rows:
            self.newest[id_word(r.id)] = self.newest[r.high] = r.number
        if len(self.newest) >= 2 * SEALED:
            self._seal()

    def _seal(self) -> None:
        run = np.array([list(self.newest), list(self.newest.values())], np.int64)
        self.newest.clear()
        self.runs.append(run[:, np.argsort(run[0])])
        while len(self.runs) >= FAN and self.runs[-FAN].shape[1] < FAN * self.runs[-1].shape[1]:
            merged = np.concatenate(self.runs[-FAN:], axis=1)
            del self.runs[-FAN:]
            self.runs.append(merged[:, np.argsort(merged[0], kind="stable")])
        path = self.folder / f"run.{next(self.names):06}"
        np.save(path.open("wb"), self.runs[-1])
        self.runs[-1] = np.load(path, mmap_mode="r")
        self._forget()

    def _forget(self) -> None:
        kept = {Path(str(run.filename)) for run in self.runs}
        for path in self.folder.glob("run.*"):
            if path not in kept:
                path.unlink()

    def _candidates(self, word: int) -> list[int]:
        found = [self.newest[word]] if word in self.newest else []
        for keys, numbers in self.runs:
            at = int(keys.searchsorted(word))
            if at < len(keys) and keys[at] == word:
                found.append(int(numbers[at]))
        return found

    def by_id(self, id: str) -> int | None:
        for number in self._candidates(id_word(id)):
            if self.rows.db.execute("SELECT 1 FROM documents WHERE number=? AND id=?", (number, id)).fetchone():
                return number
        return None

    def by_digest(self, high: int, low: int) -> int | None:
        for number in self._candidates(high):
            if self.rows.db.execute(
                "SELECT 1 FROM documents WHERE number=? AND high=? AND low=?", (number, high, low)
            ).fetchone():
                return number
        return None

    def texts(self, numbers: list[int]) -> list[bytes]:
        return self.rows.texts(numbers)

    def close(self) -> None:
        self.rows.close()

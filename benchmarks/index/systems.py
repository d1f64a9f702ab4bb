"""Indexes that are asked one document at a time: ours, Lance's MINHASHLSH, datasketch in memory and on Redis, gaoya in memory."""

from __future__ import annotations

import resource
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

BANDS, ROWS, GRAM = 16, 8, 5
"""Of the peers that let us choose: 128 permutations, so that half of the pairs at Jaccard 0.71 are found, of character 5-grams."""
BATCH = 5000


class System(Protocol):
    """An index of documents, whose ids are rows."""

    def build(self, documents: pa.Table) -> None: ...
    def query(self, text: str) -> list[int]: ...
    def add(self, row: int, text: str) -> None: ...
    def key_bytes(self) -> float: ...
    def notes(self) -> dict[str, Any]: ...
    def close(self) -> None: ...


def resident() -> int:
    """Return the memory that the process holds now, in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


class Quchong:
    """quchong.Index: exact measures, relations and differences in the answer; every add is on the disk when it returns."""

    def __init__(self, work: Path, *, method: str = "hybrid", store: str = "text", sync: str = "each") -> None:
        import quchong

        self.folder = work / "seen"
        self.index = quchong.Index.create(self.folder, method=method, store=store, sync=sync)  # type: ignore[arg-type]

    def build(self, documents: pa.Table) -> None:
        for start in range(0, len(documents), BATCH):
            self.index.add(documents.slice(start, BATCH))

    def query(self, text: str) -> list[int]:
        return [int(match.id) for match in self.index.query({"id": "asked", "text": text}).matches]

    def add(self, row: int, text: str) -> None:
        self.index.add({"id": str(row), "text": text})

    def key_bytes(self) -> float:
        return float(self.index.stats().bytes["postings"])

    def notes(self) -> dict[str, Any]:
        figures = self.index.stats()
        return {
            "bytes": dict(figures.bytes),
            "segments": figures.segments,
            "unsealed": figures.unsealed,
            "pairs": figures.pairs,
        }

    def close(self) -> None:
        import quchong

        self.index.close()
        start = time.perf_counter()
        with quchong.Index(self.folder) as index:
            index.query("打开以后的第一个问题，先后各一次。")
        self.opened = time.perf_counter() - start


class Lance:
    """Lance's MINHASHLSH index, 96 hashes in 16 bands, tokens by icu: estimates; rows added later are scanned until it is optimised."""

    def __init__(self, work: Path) -> None:
        self.path = str(work / "lance")

    def build(self, documents: pa.Table) -> None:
        import lance
        from lance.indices import IndexConfig

        self.data = lance.write_dataset(documents, self.path)
        settings = {"num_hashes": 96, "num_bands": 16, "tokenizer": {"base_tokenizer": "icu"}}
        self.data.create_scalar_index("text", IndexConfig(index_type="minhashlsh", parameters=settings))

    def query(self, text: str) -> list[int]:
        from lance.query import MinHashQuery

        found = self.data.to_table(nearest=MinHashQuery(text, "text"), columns=["id", "_distance"], limit=100)
        return [int(i) for i in found["id"].to_pylist()]

    def add(self, row: int, text: str) -> None:
        import lance

        self.data = lance.write_dataset(
            pa.table({"id": [str(row)], "text": pa.array([text], pa.large_string())}), self.path, mode="append"
        )

    def key_bytes(self) -> float:
        return float(self.data.describe_indices()[0].total_size_bytes)

    def notes(self) -> dict[str, Any]:
        start = time.perf_counter()
        self.data.optimize.optimize_indices()
        return {"optimise_seconds": round(time.perf_counter() - start, 2)}

    def close(self) -> None:
        """Lance has nothing to close."""


class Datasketch:
    """datasketch's MinHashLSH in memory, or on a Redis server of its own: candidates, not verified."""

    def __init__(self, work: Path, *, redis: str = "") -> None:
        import datasketch

        self.server, storage = None, None
        if redis:
            self.port = free_port()
            self.server = subprocess.Popen([redis, "--port", str(self.port), "--dir", str(work), "--save", "", "--appendonly", "no"],
                                           stdout=subprocess.DEVNULL)  # fmt: skip
            time.sleep(1)
            storage = {"type": "redis", "redis": {"host": "127.0.0.1", "port": self.port}}
        self.made = datasketch.MinHash
        self.lsh = datasketch.MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS), storage_config=storage)
        self.before, self.held = 0, 0.0

    def signature(self, texts: Sequence[str]) -> list[Any]:
        grams = [[t[k : k + GRAM].encode() for k in range(len(t) - GRAM + 1)] or [t.encode()] for t in texts]
        made: list[Any] = self.made.bulk(grams, num_perm=BANDS * ROWS, seed=1)
        return made

    def build(self, documents: pa.Table) -> None:
        self.before = resident()
        for start in range(0, len(documents), 1000):
            some = documents.slice(start, 1000)
            with self.lsh.insertion_session() as session:
                for id, made in zip(some["id"].to_pylist(), self.signature(some["text"].to_pylist()), strict=True):
                    session.insert(id, made)
        self.held = resident() - self.before

    def query(self, text: str) -> list[int]:
        return [int(i) for i in self.lsh.query(self.signature([text])[0])]

    def add(self, row: int, text: str) -> None:
        self.lsh.insert(str(row), self.signature([text])[0])

    def key_bytes(self) -> float:
        if self.server is None:
            return self.held
        import redis

        return float(redis.Redis(port=self.port).info("memory")["used_memory"])

    def notes(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        if self.server is not None:
            self.server.terminate()
            self.server.wait()


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Gaoya:
    """gaoya's MinHashStringIndex in memory: candidates checked by their signatures, which it keeps."""

    def __init__(self, work: Path) -> None:
        from gaoya import minhash

        self.index = minhash.MinHashStringIndex(hash_size=32, jaccard_threshold=0.7, num_bands=BANDS, band_size=ROWS, analyzer="char",
                                                lowercase=False, ngram_range=(GRAM, GRAM), id_container="vec")  # fmt: skip
        self.held = 0

    def build(self, documents: pa.Table) -> None:
        texts = documents["text"].to_pylist()
        before = resident()
        self.index.par_bulk_insert_docs([int(i) for i in documents["id"].to_pylist()], texts)
        self.held = resident() - before

    def query(self, text: str) -> list[int]:
        return list(self.index.query(text))

    def add(self, row: int, text: str) -> None:
        self.index.insert_document(row, text)

    def key_bytes(self) -> float:
        return float(self.held)

    def notes(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        """The index is in memory only."""


SYSTEMS: dict[str, Any] = {"quchong": Quchong, "lance": Lance, "datasketch": Datasketch, "gaoya": Gaoya}

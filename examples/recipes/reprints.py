"""Monitor: who reprinted whom, as articles arrive, and a feed of the newest reprints.

    python reprints.py press/ feed.xml < articles.jsonl

Articles are JSON lines with id, text, title, source (the publisher), time and url. What is printed is in the feed too.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from atom_feed import write_feed

import quchong as qc


class Press:
    """Articles that were seen, in a folder: an index of their texts, and a file of their records and of the reprints found."""

    def __init__(self, folder: Path) -> None:
        texts = folder / "index"
        folder.mkdir(parents=True, exist_ok=True)
        self.index = qc.Index(texts) if texts.exists() else qc.Index.create(texts, keep="earliest", within="14d")
        self.file = sqlite3.connect(folder / "articles.sqlite", isolation_level=None)
        self.file.execute("CREATE TABLE IF NOT EXISTS articles (id TEXT PRIMARY KEY, record TEXT)")
        self.file.execute("CREATE TABLE IF NOT EXISTS reprints (key TEXT PRIMARY KEY, source TEXT, entry TEXT)")

    def add(self, article: Mapping[str, Any]) -> list[dict[str, str]]:
        """Add an article; return the reprints that are known by it: its own, and those that arrived before their source."""
        if article["id"] not in self.index:  # else it was sent again: the process may have ended before it answered
            self.file.execute("INSERT OR REPLACE INTO articles VALUES (?, ?)", (article["id"], json.dumps(article)))
            self.index.add(article)
        family = self.family(article["id"])
        return self.reprints_of(family) if len(family) > 1 else []

    def family(self, first: str, most: int = 200) -> list[dict[str, Any]]:
        """Return the records of an article and of its copies, parts and variants, of theirs, and so on; about `most`."""
        known, ahead = {first}, [first]
        while ahead and len(known) < most:
            matches = self.index.matches(ahead.pop()).matches
            near = {str(match.id) for match in matches if match.relation != "partial"} - known
            known |= near
            ahead += near
        rows = [self.file.execute("SELECT record FROM articles WHERE id = ?", (id,)).fetchone() for id in sorted(known)]
        return [json.loads(row[0]) for row in rows]

    def reprints_of(self, family: list[dict[str, Any]]) -> list[dict[str, str]]:
        """Store and return the reprints of a family that are new, or whose source is another one than before.

        A roundup has a row in the chain of each article that it contains, and is one reprint: it is reported with the source of its first
        row, and again only when none of its rows has that source any more.
        """
        chain = qc.dedup(family, keep="earliest").chains().to_pylist()
        named, found = {row["id"]: f"{row['publisher']}: {row['title']}" for row in chain}, []
        rows = [row for row in chain if row["source_id"] is not None]
        sources = {(row["id"], row["source_id"]) for row in rows}
        first: dict[str, dict[str, Any]] = {}
        for row in rows:
            first.setdefault(row["id"], row)
        for key, row in first.items():
            before = self.file.execute("SELECT source FROM reprints WHERE key = ?", (key,)).fetchone()
            if before is not None and (key, before[0]) in sources:
                continue
            source = row["source_id"]
            summary = f"{row['relation']} of {named[source]} ({row['certainty']}); {row['changed']}"
            entry = {"key": key, "title": named[key], "summary": summary, "link": row["link"] or ""}
            found.append(entry | {"updated": datetime.now(UTC).isoformat(timespec="seconds")})
            self.file.execute("INSERT OR REPLACE INTO reprints VALUES (?, ?, ?)", (key, source, json.dumps(found[-1])))
        return found

    def newest(self, most: int = 50) -> list[dict[str, str]]:
        """Return the newest reprints, the newest first."""
        rows = self.file.execute("SELECT entry FROM reprints ORDER BY rowid DESC LIMIT ?", (most,))
        return [json.loads(row[0]) for row in rows]


if __name__ == "__main__":
    press = Press(Path(sys.argv[1]))
    for line in sys.stdin:
        if new := press.add(json.loads(line)):
            print(*(f"{one['title']} <- {one['summary']}" for one in new), sep="\n", flush=True)
            write_feed(Path(sys.argv[2]), "Reprints", press.newest())

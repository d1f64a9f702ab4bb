"""Families mixed into real corpora: their rows must fare as they do alone. Made where the shared data sets are."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path

from corpora import Row, family_rows, seeded, together

ROOT = Path(__file__).resolve().parents[2]
REAL = {
    "zh_news_xwlb": ("zh", "docs.jsonl"),
    "zh_weibo_ced": ("zh", "microblogs.jsonl"),
    "en_reuters": ("en", "docs.jsonl"),
}
"""Real corpora: the language of the families that go into them, and the file."""
DOCUMENTS = 3000
"""Real documents taken, by chance."""


def data_folder() -> Path:
    """Return ../shared/data, or data/ below the folder QUCHONG_SHARED names.

    Raises:
        FileNotFoundError: it is absent.
    """
    given = os.environ.get("QUCHONG_SHARED")
    folder = (Path(given) if given else ROOT.parent / "shared") / "data"
    if not folder.is_dir():
        raise FileNotFoundError(
            f"the shared data sets are absent: no {folder} (set QUCHONG_SHARED to the folder above data/)"
        )
    return folder


def mixed_rows(corpus: str, families: Collection[str], size: int, seed: int = 1) -> list[Row]:
    """Return rows of the families and documents of the real corpus, in an order of chance; the documents have no family.

    Raises:
        FileNotFoundError: the shared data sets are absent.
    """
    _, file = REAL[corpus]
    with (data_folder() / corpus / file).open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    chosen = seeded("mixed", corpus, seed).sample(documents, min(DOCUMENTS, len(documents)))
    real = [
        {
            "id": f"{corpus}/{one['id']}",
            "text": one["text"],
            "family": "",
            "half": "",
            "original": f"{corpus}/{one['id']}",
            "copy": "",
        }
        for one in chosen
    ]
    return together([real, *(family_rows(name, size, seed) for name in families)], seed)

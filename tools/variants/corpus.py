"""A small mixed corpus, and a variant of it written down as files."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
from draw import Variant

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
COLUMNS = ("id", "title", "source", "time", "url", "text", "html")


def rows() -> list[dict[str, Any]]:
    """56 of the sample's articles, 16 posts and 8 pages; every column is filled, pages have a blank text."""
    found = []
    for line in (EXAMPLES / "news.jsonl").read_text("utf-8").splitlines()[:56]:
        found.append(json.loads(line) | {"html": "-"})
    for line in (EXAMPLES / "posts.jsonl").read_text("utf-8").splitlines()[:16]:
        post = json.loads(line)
        more = {"title": "-", "source": post["user"], "url": f"http://posts.example/{post['id']}", "html": "-"}
        found.append({k: post[k] for k in ("id", "time", "text")} | more)
    for page in sorted((EXAMPLES / "pages").rglob("*.html"))[:8]:
        name = page.relative_to(EXAMPLES / "pages").as_posix()
        html = page.read_bytes()
        known = next(c for c in ("utf-8", "gb18030", "big5") if _reads(html, c))
        found.append({"id": name, "title": "-", "source": name.split("/")[0], "time": "2026-03-05T08:00:00",
                      "url": f"http://{name}", "text": " ", "html": html.decode(known)})  # fmt: skip
    return [{name: row[name] for name in COLUMNS} for row in found]


def _reads(raw: bytes, charset: str) -> bool:
    try:
        raw.decode(charset)
    except UnicodeDecodeError:
        return False
    return True


def write(variant: Variant, folder: Path) -> list[Path]:
    """The files of a variant, in the order in which they are given."""
    order = rows()
    if variant.shuffle:
        random.Random(variant.shuffle).shuffle(order)
    ends = [*variant.cuts, len(order)]
    paths = []
    for n, (start, end) in enumerate(zip([0, *variant.cuts], ends, strict=True)):
        path = folder / f"part{n}.{variant.formats[n]}"
        _write(order[start:end], path, variant.formats[n])
        paths.append(path)
    return paths[::-1] if variant.backwards else paths


def _write(part: list[dict[str, Any]], path: Path, kind: str) -> None:
    if kind in ("parquet", "arrow"):
        table = pa.Table.from_pylist(part)
        pq.write_table(table, path, row_group_size=7) if kind == "parquet" else feather.write_feather(table, path)
        return
    name, _, packing = kind.partition(".")
    if name == "jsonl":
        raw = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in part).encode()
    else:
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, delimiter="\t" if name == "tsv" else ",")
        writer.writeheader()
        writer.writerows(part)
        raw = text.getvalue().encode()
    if packing == "zst":
        raw = pa.compress(raw, "zstd", asbytes=True)
    path.write_bytes({"gz": gzip.compress, "bz2": bz2.compress}.get(packing, lambda one: one)(raw))

"""The inputs of the cases: few documents with copies among them, bad records too, in every format."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FORMATS = ("jsonl", "jsonl.gz", "json", "csv", "parquet", "arrow", "xlsx", "warc", "texts")
ROWS = 36


def rows(first: int = 0, count: int = ROWS) -> list[dict[str, Any]]:
    """Articles of the shipped sample."""
    lines = (EXAMPLES / "news.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines[first : first + count]]


def lines_of(found: list[dict[str, Any]]) -> bytes:
    """JSON lines, with two records in them that cannot be read."""
    lines = [json.dumps(row, ensure_ascii=False).encode() for row in found]
    lines[3:3] = [b'{"id": "broken", "text": ']
    lines[9:9] = [b'{"id": "no text"}']
    return b"\n".join(lines) + b"\n"


def write(folder: Path, kind: str, found: list[dict[str, Any]], name: str = "in") -> str:
    """Writes rows in a format; returns the name of the file or folder."""
    path = folder / (name if kind == "texts" else f"{name}.{kind}")
    if kind == "texts":
        path.mkdir()
        for row in found:
            (path / f"{row['id']}.txt").write_text(row["text"], "utf-8")
    elif kind.startswith("jsonl"):
        raw = lines_of(found)
        path.write_bytes(gzip.compress(raw, mtime=0) if kind.endswith("gz") else raw)
    elif kind == "json":
        path.write_bytes(b"[\n" + b",\n".join(lines_of(found).splitlines()) + b"\n]\n")
    elif kind == "xlsx":
        import xlsxwriter

        with xlsxwriter.Workbook(path, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
            sheet = book.add_worksheet("news")
            for at, row in enumerate([list(found[0]), *(list(row.values()) for row in found)]):
                sheet.write_row(at, 0, row)
            sheet.write_string(len(found) + 2, 0, "no text")
    elif kind == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
        lines = text.getvalue().split("\n")
        path.write_text("\n".join([*lines[:4], "one cell too few", *lines[4:]]), "utf-8")
    elif kind in ("parquet", "arrow"):
        table = pa.Table.from_pylist(found)
        pq.write_table(table, path, row_group_size=10) if kind == "parquet" else feather.write_feather(
            table, path, "uncompressed"
        )
    else:
        path.write_bytes(b"".join(_record(row) for row in found))
    return path.name


def _record(row: dict[str, Any]) -> bytes:
    """An article as a page in a WARC response record."""
    body = "".join(f"<p>{part}</p>" for part in row["text"].split("\n"))
    page = f"<html><head><meta charset=utf-8><title>{row['title']}</title></head><body>{body}</body></html>".encode()
    block = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(page) + page
    )
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {row['url']}\r\nWARC-Date: 2026-03-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:example:{row['id']}>\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"

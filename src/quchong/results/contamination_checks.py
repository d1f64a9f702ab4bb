"""Checks of the folder of a search for test items, which may be damaged or made by hand: run.json, and the tables beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.engines.contamination import schemas
from quchong.engines.contamination.schemas import ANSWER, BOTH, EXACT, NEAR, QUESTION, VARIANT
from quchong.results.contamination import MODES, TABLE
from quchong.runs.layout import MANIFEST
from quchong.runs.manifest import is_rows_name
from quchong.runs.table_checks import check_known, check_values, unlike_a_run

SCHEMAS = {TABLE: schemas.MATCHES, "items": schemas.ITEMS, "documents": schemas.DOCUMENTS}
"""Tables of the folder."""
_FOUND = {QUESTION, ANSWER, BOTH, VARIANT}
_UNJUDGED = {schemas.JUDGED, schemas.EMPTY, schemas.SHORT, schemas.FRAME_ONLY}
_WORDS: dict[str, dict[str, set[str]]] = {
    TABLE: {"part": {QUESTION, ANSWER}, "kind": {EXACT, NEAR, VARIANT}, "found": _FOUND},
    "items": {"question_unjudged": _UNJUDGED, "answer_unjudged": _UNJUDGED},
    "documents": {"found": _FOUND},
}
_SIDES = {"report": set[str](), "annotate": {"annotated"}, "remove": {"kept", "removed"}, "cut": {"kept", "removed"}}


def check_tables(folder: Path, tables: Mapping[str, pa.Table]) -> None:
    """Check the tables of a folder, whose columns and types are those of SCHEMAS.

    Raises:
        RunError: a null, a word or a number that a run never writes; a match of an item or document that the other tables do not
            have; a document that is there twice.
    """
    for name, table in tables.items():
        check_values(folder / f"{name}.parquet", table, SCHEMAS[name], _WORDS[name])
    matches, documents = tables[TABLE], tables["documents"]
    path = folder / f"{TABLE}.parquet"
    check_known(path, matches, ["item", "set"], tables["items"].select(["item", "set"]))
    check_known(path, matches, ["id", "source", "row"], documents.select(["id", "source", "row"]))
    for number in ("row", "place"):
        if len(documents.group_by(["source", number]).aggregate([])) < len(documents):
            raise unlike_a_run(folder / "documents.parquet", number)


def check_manifest(folder: Path, manifest: Any, documents: pa.Table) -> None:
    """Raise RunError if a field of run.json is not as a run writes it, or a document is beyond the end of its source."""
    for name, sound in _soundness(manifest, documents):
        if not sound:
            raise unlike_a_run(folder / MANIFEST, name)


def _soundness(manifest: Any, documents: pa.Table) -> Iterator[tuple[str, bool]]:
    """Yield the name of each field of run.json that is read, with True if it is valid; each relies on those before."""
    yield "mode", isinstance(manifest, dict) and manifest.get("mode") in MODES
    counts, files, inputs = manifest.get("documents"), manifest.get("files"), manifest.get("inputs")
    yield "counts", isinstance(manifest.get("counts"), dict)
    yield "documents", isinstance(counts, dict) and all(type(n) is int and 0 <= n < 1 << 40 for n in counts.values())
    text = manifest["config"].get("text") if isinstance(manifest.get("config"), dict) else None
    yield "config", isinstance(text, list) and len(text) > 0 and isinstance(text[0], str)
    yield "files", isinstance(files, dict) and set(files) == set(counts)
    for sides in files.values():
        yield "files", isinstance(sides, dict) and set(sides) == _SIDES[manifest["mode"]]
        yield "files", all(isinstance(name, str) and is_rows_name(name, side) for side, name in sides.items())
    yield "inputs", isinstance(inputs, list) and all(isinstance(one, dict) for one in inputs)
    for one in inputs:
        yield "inputs", isinstance(one.get("name"), str) and isinstance(one.get("encoding"), str | None)
    places = zip(documents["source"].to_pylist(), documents["place"].to_pylist(), strict=True)
    yield "documents", all(source in counts and place < counts[source] for source, place in places)

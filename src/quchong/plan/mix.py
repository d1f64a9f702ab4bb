"""Weights of sources: how often a kept document of each is to be in what training reads; `Mix`, and the files that hold weights."""

from __future__ import annotations

import csv
import io
import json
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quchong.errors import InputError, Param, reason_of
from quchong.io.files.fetching import local_copy
from quchong.languages import Message
from quchong.outputs import check_regular
from quchong.parameters.kinds import Wrong

OTHERS = "*"
"""Name that stands for all sources without a weight of their own."""
MOST = 1_000_000
"""Greatest weight."""
_HEADS = ({"source", "weight"}, {"来源", "权重"})
_Row = tuple[int, str, Any]
"""Line, source and weight as a file has them."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Weights of sources, and the seed by which documents are drawn for the fraction of a weight.

    Attributes:
        weights: source and weight from 0 to `MOST`, sorted by source; `OTHERS` for all sources that are not named, else 1.
        seed: from 0.
    """

    weights: tuple[tuple[str, float], ...]
    seed: int = 0

    @classmethod
    def of_weights(cls, weights: Mapping[str, float] | None, seed: int = 0) -> Mix | None:
        """Return the mix with these weights by source; None if there are none."""
        return None if weights is None else cls(tuple(sorted(weights.items())), seed)

    @classmethod
    def of_config(cls, config: Mapping[str, Any]) -> Mix | None:
        """Return the mix that the configuration in a run.json describes; None for a run without one."""
        told = config.get("mix")
        return None if told is None else cls.of_weights(told["weights"], told["seed"])

    @property
    def by_source(self) -> dict[str, float]:
        """Weights by source, of the sources that are named."""
        return {name: weight for name, weight in self.weights if name != OTHERS}

    @property
    def others(self) -> float:
        """Weight of the sources that the mix does not name."""
        return dict(self.weights).get(OTHERS, 1.0)

    def describe(self) -> dict[str, Any]:
        """Return the mix as run.json has it."""
        return {"weights": dict(self.weights), "seed": self.seed}


def as_weight(value: Any) -> float | None:
    """Return a number or its text as a weight; None if it is not a number from 0 to `MOST`."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and 0 <= number <= MOST else None


def assigned_weights(pairs: Iterable[tuple[Any, Any]]) -> dict[str, float]:
    """Return weights by source from the sources and weights of a call.

    Raises:
        Wrong: there is none, a source is no text or comes twice, or a weight is no number from 0 to `MOST`.
    """
    found: dict[str, float] = {}
    for source, value in pairs:
        if not isinstance(source, str) or not source.strip() or not _is_utf8(source):
            raise Wrong(Message("each source needs a name: write source=weight, such as news=2,web=0.5"))
        if (weight := as_weight(value)) is None:
            raise Wrong(Message("the weight of {} is {!r}: give a number from 0 to {:,}", source, value, MOST))
        if source in found:
            raise Wrong(Message("{} has two weights: leave out one of them", source))
        found[source] = weight
    if not found:
        raise Wrong
    return found


def parse_weights(text: str) -> dict[str, float]:
    """Return weights by source from a text such as "news=2,web=0.5,*=1".

    Raises:
        Wrong: see `assigned_weights`.
    """
    parts = [part.rpartition("=") for part in text.split(",") if part.strip()]
    for _, sign, value in parts:
        name, other, weight = value.strip().rpartition(":") if not sign else ("", "", "")
        if other and name and as_weight(weight) is not None:
            raise Wrong(Message("{!r} has no equals sign: write {}={}", value.strip(), name, weight))
    return assigned_weights((source.strip(), value.strip()) for source, _, value in parts)


def read_weights(path: Path) -> dict[str, float]:
    """Return weights by source from a file, CSV, TSV, JSON or TOML by its name.

    Raises:
        InputError: it cannot be read, or a weight in it; the message names the file, the line and the remedy.
    """
    readers = {".csv": _csv_rows, ".tsv": _csv_rows, ".json": _json_rows, ".toml": _toml_rows}
    told = Param("mix", str(path))
    try:
        copy = local_copy(path)
        check_regular(copy, pipes=True)
        text = copy.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, or no name of a file
        raise InputError(
            "{} cannot be read: {}; give weights such as news=2,web=0.5, or a CSV, JSON or TOML file of them in UTF-8",
            told,
            reason_of(error),
        ) from error
    if (reader := readers.get(path.suffix.lower())) is None:
        raise InputError("{}: a file of weights is CSV, TSV, JSON or TOML; rename it accordingly", told)
    found: dict[str, float] = {}
    lines: dict[str, int] = {}
    for line, source, value in reader(text, path):
        if not source.strip():
            raise InputError("line {} of {}: the source is missing: write its name, or * for all others", line, path)
        if (weight := as_weight(value)) is None:
            dotted = Message("; quote a source with a dot") if isinstance(value, dict) else Message("")
            raise InputError(
                "line {} of {}: the weight of {} is {!r}: give a number from 0 to {:,}{}", line, path, source, value, MOST, dotted
            )  # fmt: skip
        if source in found:
            raise InputError(
                "line {} of {}: {} already has a weight, in line {}: leave out one of them",
                line,
                path,
                source,
                lines[source],
            )
        found[source], lines[source] = weight, line
    if not found:
        raise InputError("{} has no weights: write one source and its weight in each line", path)
    return found


def _csv_rows(text: str, path: Path) -> Iterator[_Row]:
    """Yield the rows of a table of two columns; a head `source,weight` in either order is optional."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True)  # fmt: skip
    turned, first = False, True
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if len(cells) != 2:
                raise InputError(
                    "line {} of {}: {} cells instead of a source and its weight: quote a source that "
                        "contains a comma",
                    reader.line_num, path, len(cells),
                )  # fmt: skip
            heads = [cell.lower() for cell in cells]
            if first and set(heads) in _HEADS:
                turned = heads[0] in ("weight", "权重")
            else:
                yield reader.line_num, cells[turned], cells[not turned]
            first = False
    except csv.Error as error:
        raise InputError(
            "line {} of {}: the line is not CSV ({}): correct the quotes", reader.line_num, path, error
        ) from error


def _json_rows(text: str, path: Path) -> Iterator[_Row]:
    """Yield the members of an object of sources and weights, also those of one name."""
    try:
        found = json.loads(text, object_pairs_hook=_Members)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise InputError(
            "line {} of {}: the line is not JSON ({}): correct it", line, path, reason_of(error)
        ) from error
    if not isinstance(found, _Members):
        raise InputError('{} has no JSON object of sources and weights: write {{"news": 2, "web": 0.5}}', path)
    start = 0
    for source, value in found:
        spelled = (json.dumps(source, ensure_ascii=plain) for plain in (False, True))
        start = next((at for at in (text.find(one, start) for one in spelled) if at >= 0), start)
        yield text.count("\n", 0, start) + 1, source, value
        start += 1


class _Members(list[Any]):
    """Members of a JSON object, as pairs of name and value."""


def _toml_rows(text: str, path: Path) -> Iterator[_Row]:
    """Yield the keys and values of a TOML file."""
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            "{} is not TOML: {}; write one source and its weight in each line, such as news = 2", path, reason_of(error)
        ) from error
    keys = [line.strip().lstrip("[\"'") for line in text.splitlines()]
    for source, value in found.items():
        yield next((k for k, key in enumerate(keys, 1) if key.startswith(source)), 1), source, value


def _is_utf8(text: str) -> bool:
    """Return True if a text can be written as UTF-8."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)

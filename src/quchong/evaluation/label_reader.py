"""Reader of labels from JSON lines, CSV, TSV, Parquet, or rows in memory.

Labels of pairs have the columns `left_id`, `right_id` and `label`; labels of clusters have `id` and `cluster`. Usual names such as
left, right and relation are known too. `keys` gives other names of columns, `words` other words for labels.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from quchong.errors import InputError, NoSuchFile, Param, UsageError, meant, reason_of
from quchong.evaluation.labels import DIFFERENT, LABELS, ROLES, SAME, Truth
from quchong.io import arrow_data
from quchong.io.encodings import found_in, in_utf8
from quchong.io.files.addresses import address_of, path_of
from quchong.io.files.fetching import local_copy
from quchong.io.files.input_file import reading
from quchong.io.files.similar_path import missing_advice
from quchong.io.usual_columns import usual_columns
from quchong.languages import SEMICOLON, Message, join_messages, join_names
from quchong.outputs import check_regular
from quchong.patterns import lazy_pattern
from quchong.relations import TABLE
from quchong.report.visible import Shown

COLUMNS = ROLES
"""Columns of labels, by what they contain, unless `keys` names others."""
PAIRS_OF_COLUMNS = (
    ("left", "right"), ("id_left", "id_right"), ("id1", "id2"), ("id_1", "id_2"), ("id_a", "id_b"), ("a_id", "b_id"),
    ("doc1", "doc2"), ("doc_1", "doc_2"), ("doc_a", "doc_b"), ("docid1", "docid2"), ("doc_id1", "doc_id2"), ("doc_id_1", "doc_id_2"),
    ("source_id", "target_id"), ("左", "右"), ("编号1", "编号2"), ("文档1", "文档2"),
)  # fmt: skip
"""Usual names of the columns of both ids of a pair, used where the truth has no `left_id` and `right_id`."""
USUAL = {
    "label": (
        "relation",
        "relationship",
        "gold",
        "class",
        "is_duplicate",
        "is_dup",
        "duplicate",
        "is_same",
        "match",
        "标签",
        "关系",
        "是否重复",
        "重复",
    ),
    "id": ("doc_id", "docid", "document_id", "编号"),
    "cluster": ("cluster_id", "clusterid", "group", "group_id", "family", "簇"),
}
"""Usual names of the other columns, used where the truth has none of our own name."""
RELATED = {relation.name: relation.label for relation in TABLE}
"""Label of each relation, for labels given as relations: neither of two variants may be removed for the other."""
ANSWERS = {
    word: label
    for label, words in (
        ("same", "1 true yes dup copy match 是 重复 相同"),
        ("different", "0 false no distinct unique 否 不同 不重复"),
    )
    for word in words.split()
}
"""Label of each answer, for labels that say in other words whether two documents are copies."""
_PAIR = '{"left_id": "a", "right_id": "b", "label": "same"}'
"""Example of a line of labels of pairs."""
SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
Row = tuple[Message, Mapping[str, Any] | str]
"""One record: its location for messages, and its values or the reason it cannot be read."""


def read_truth(
    data: Any,
    keys: Mapping[str, str] | None = None,
    words: Mapping[str, str] | None = None,
    complete: bool = False,
) -> Truth:
    """Read labels from a file or from rows in memory.

    Args:
        data: a path, an Arrow, pandas or Polars table, or a list of dicts.
        keys: column names by what they contain: left, right, label, id, cluster.
        words: labels by the word used for them, such as {"dup": "same"}; relations (RELATED) and answers such as 1 and 0 (ANSWERS) need not
            be named.
        complete: True if every pair that is not listed is different.

    Returns:
        The labels. The last line of a pair wins. Lines that are no record, lack an id or name the same document twice
        are left out and listed in `skipped`.

    Raises:
        InputError: the file cannot be read, has other columns or no labels; a word is no label.
        UsageError: unknown names in `keys` or `words`.
    """
    said = _words(words)
    _check_names(keys)
    name, rows, columns = _rows(data)
    names = _names(keys, columns)
    if names["left"] in columns and names["right"] in columns:
        told = names["label"] in columns
        scores = () if told else _check_unread(name, rows, columns, names, said)
        read = _pairs(name, rows, names, said, told, complete)
        return replace(read, columns=_usual_among(("left", "right", "label"), names, keys, columns), scores=scores)
    if names["id"] in columns and names["cluster"] in columns:
        _check_clusters(name, rows, [names["cluster"]], said, named=True)
        return replace(
            _clusters(name, rows, names, complete), columns=_usual_among(("id", "cluster"), names, keys, columns)
        )
    if texts := usual_columns("text", columns):
        raise InputError(
            "{} contains documents, not labels: its column {!r} has texts. Labels are pairs of ids, with a label for each. To label pairs "
            "of a run, use {}; then write them to a file: {}",
            _truth_name(name), texts[0], Shown("quchong review run/"), Shown("quchong review run/ --export labels.jsonl"),
        )  # fmt: skip
    if names["id"] in columns:
        _check_clusters(name, rows, sorted(columns - {names["id"]}), said)
    raise _no_labels(name, names, sorted(columns))


def _no_labels(name: str, names: Mapping[str, str], columns: Sequence[str]) -> InputError:
    """Return the error about a table with columns of neither pairs nor clusters."""
    keys = Param("truth_keys", _keys_meant(names, columns))
    for one, lacking in (("id", "cluster"), ("cluster", "id")):
        if names[one] in columns:
            return InputError(
                "{} is not a label file: it has the column {!r}, but not {!r}. Name that column with {}. It has these columns: {}",
                _truth_name(name), names[one], names[lacking], keys, join_names(map(repr, columns)),
            )  # fmt: skip
    return InputError(
        "{} is not a label file: it has neither {} and {} (pairs) nor {} and {} (clusters). It has these "
        "columns: {}. Name the right ones with {}",
        _truth_name(name), names["left"], names["right"], names["id"], names["cluster"], join_names(map(repr, columns)), keys,
    )  # fmt: skip


def _check_clusters(
    name: str, rows: Sequence[Row], columns: Iterable[str], said: Mapping[str, str], *, named: bool = False
) -> None:
    """Raise InputError if each document has an answer such as 1, 0 or 是 in place of a cluster: of which it is a copy is not said.

    Args:
        columns: those that are looked at; named: True for the column of clusters, which may be called 0 and 1.
    """
    for column in columns:
        words = _known_words((cell for cell in _cells(rows, column) if cell not in (None, "")), said)
        if words and not (named and column not in USUAL["label"] and words <= {"0", "1"}):
            raise InputError(
                "{} says in the column {!r} for each document whether it is a copy, not of which: write a pair in each line, such as {}, "
                "or for each document the name of its cluster, such as {}",
                _truth_name(name), column, Shown(_PAIR), Shown('{"id": "a", "cluster": "c1"}'),
            )  # fmt: skip


def _check_unread(
    name: str, rows: Sequence[Row], columns: Set[str], names: Mapping[str, str], said: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the columns of scores of pairs that have no labels.

    Raises:
        InputError: another column has the labels.
    """
    scores = []
    for column in sorted(columns - {names["left"], names["right"]}):
        if any(said[word] == DIFFERENT for word in _known_words(_cells(rows, column), said)):
            raise InputError(
                "the pairs of {} have no column {!r}, but {!r} looks like it: read it with {}, or remove it if every pair is a copy",
                _truth_name(name), names["label"], column, Param("truth_keys", f"label={column}"),
            )  # fmt: skip
        if any(map(_is_score, _cells(rows, column))):
            scores.append(column)
    return tuple(scores)


def _cells(rows: Iterable[Row], column: str) -> Iterator[Any]:
    return (row.get(column) for _, row in rows if not isinstance(row, str))


def _known_words(cells: Iterable[Any], said: Mapping[str, str]) -> set[str]:
    """Return the words of a column that has nothing but labels and answers; an empty set, without reading on, if one is neither."""
    words = set[str]()
    for cell in cells:
        if (word := _written(cell)) not in said:
            return set()
        words.add(word)
    return words


_PAIR_AND_LABEL = 3
"""Columns of a file of pairs that has labels too; without its label every pair counts as a copy."""


def _usual_among(
    roles: Sequence[str], names: Mapping[str, str], keys: Mapping[str, str] | None, columns: Set[str]
) -> tuple[tuple[str, str], ...]:
    """Return the columns that were found under usual names: neither under our own ones nor under those that the caller gave."""
    given = dict(keys or {})
    return tuple(
        (one, names[one]) for one in roles if one not in given and names[one] != COLUMNS[one] and names[one] in columns
    )


def _keys_meant(names: Mapping[str, str], columns: Sequence[str]) -> str:
    """Return the column names as given, with similar existing columns in place of misspelt ones.

    >>> _keys_meant({"id": "id", "cluster": "group", "left": "left_id", "right": "right_id"}, ["doc", "group"])
    'id=doc'
    """
    if names["cluster"] in columns or names["id"] in columns:
        lacking = "id" if names["cluster"] in columns else "cluster"
        others = [one for one in columns if one not in names.values()]
        return f"{lacking}={others[0] if len(others) == 1 else 'COLUMN'}"
    return "left=A,right=B" if len(columns) < _PAIR_AND_LABEL else "left=A,right=B,label=C"


def _truth_name(name: str) -> str:
    return name or Message("the truth given")


def _check_names(keys: Mapping[str, str] | None) -> None:
    for key in keys or {}:
        if key not in COLUMNS:
            raise UsageError(
                "{} cannot have {!r}: use {}{}",
                Param("truth_keys"),
                key,
                join_names([*COLUMNS]),
                meant(key, COLUMNS),
            )


def _names(keys: Mapping[str, str] | None, columns: Set[str]) -> dict[str, str]:
    """Return for each field of labels its column: the one named, else our name, else the first usual name that the data has."""
    given = dict(keys or {})
    found = COLUMNS | given
    if not given.keys() & {"left", "right"} and not {COLUMNS["left"], COLUMNS["right"]} <= columns:
        both = next((pair for pair in PAIRS_OF_COLUMNS if set(pair) <= columns), None)
        if both is not None:
            found["left"], found["right"] = both
    for key, usual in USUAL.items():
        if key not in given and COLUMNS[key] not in columns:
            found[key] = next((one for one in usual if one in columns), COLUMNS[key])
    return found


def _words(words: Mapping[str, str] | None) -> dict[str, str]:
    for word, label in (words or {}).items():
        if label not in LABELS:
            raise UsageError(
                "{} maps {!r} to {!r}, which is not a label: use {}{}",
                Param("truth_words"),
                word,
                label,
                join_names([*LABELS]),
                meant(label, LABELS),
            )
    return ANSWERS | RELATED | {label: label for label in LABELS} | dict(words or {})


def _rows(data: Any) -> tuple[str, list[Row], set[str]]:
    """Return the name, the rows and the columns of the labels."""
    if isinstance(data, str | Path):
        rows = list(_of_file(path_of(data)))
        name = str(data)
    else:
        rows, name = [(Message("row {}", i), row) for i, row in enumerate(_in_memory(data))], ""
    columns = {str(column) for _, row in rows if not isinstance(row, str) for column in row}
    if not columns:
        for place, row in rows:
            if isinstance(row, str):
                raise InputError("{} has no labels: {}", _truth_name(name), _left_out(place, row))
        raise InputError(
            "{} has no labels: write one line for each pair of documents, such as {}",
            _truth_name(name),
            Shown(_PAIR),
        )
    return name, rows, columns


def _in_memory(data: Any) -> Iterable[Mapping[str, Any]]:
    try:
        given = arrow_data(data)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise UsageError("{} does not give an Arrow table: {}", Param("truth"), error) from error
    if isinstance(given, pa.Table):
        return _rows_of(given)
    if hasattr(data, "to_dict") and hasattr(data, "columns"):  # pandas before it spoke Arrow
        return list(data.to_dict("records"))
    if isinstance(data, list | tuple) and all(isinstance(row, Mapping) for row in data):
        return list(data)
    if isinstance(data, list | tuple):
        raise UsageError("{}: write a dict for each pair of documents, such as {}", Param("truth"),
                         Shown("{'left_id': 'a', 'right_id': 'b', 'label': 'same'}"))  # fmt: skip
    turned = (
        Message("; give the run as the first argument: {}", "qc.evaluate(result, 'truth.jsonl')")
        if type(data).__name__.endswith("Result")
        else ""
    )
    raise UsageError(
        "{} must be a path, a table or a list of dicts, got {}{}", Param("truth"), type(data).__name__, turned
    )


def _rows_of(table: pa.Table) -> list[dict[str, Any]]:
    try:
        return list(table.to_pylist())
    except UnicodeDecodeError as error:
        raise InputError("{} contains text that is not UTF-8: {}", Param("truth"), error) from error


def _of_file(path: Path) -> Iterator[Row]:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        if address_of(path) is None:
            # A missing file is reported before its suffix; what can be the name of no file has a wrong one, too.
            with reading(path), suppress(ValueError):
                path.stat()
        raise UsageError("{} must end in {}", Param("truth", str(path)), join_names([*SUFFIXES]))
    path = local_copy(path)
    try:
        check_regular(path)
        if suffix == ".parquet":
            with pa.OSFile(os.fsencode(path)) as file:
                rows = pq.read_table(file).to_pylist()
            yield from ((Message("row {}", i), row) for i, row in enumerate(rows))
        elif suffix in (".csv", ".tsv"):
            yield from _of_csv(path, "\t" if suffix == ".tsv" else ",")
        else:
            yield from _of_lines(path)
    except FileNotFoundError:
        raise NoSuchFile("{}: no such file; {}", path, missing_advice(path)) from None
    except (OSError, UnicodeDecodeError, csv.Error, pa.ArrowException) as error:
        raise InputError(
            "labels cannot be read from {}: {}; give JSON lines, CSV or Parquet in UTF-8", path, reason_of(error)
        ) from error


def _of_lines(path: Path) -> Iterator[Row]:
    for number, line in enumerate(_text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Message("line {}", number), Message("not JSON ({})", reason_of(error))
            continue
        yield Message("line {}", number), row if isinstance(row, dict) else Message("not a JSON object")


def _of_csv(path: Path, comma: str) -> Iterator[Row]:
    for row in (reader := csv.DictReader(io.StringIO(_text_of(path), newline=""), delimiter=comma)):
        short = None in row or None in row.values()
        place = Message("line {}", reader.line_num)
        yield place, Message("the row has more or fewer values than the header") if short else row


def _text_of(path: Path) -> str:
    """Return the text of a file, whose encoding is detected as that of an input is: Excel on a Chinese machine writes CSV in GBK.

    Raises:
        UnicodeDecodeError: bytes that are no text in that encoding.
    """
    raw = path.read_bytes()
    text, wrong = in_utf8(raw, found_in(io.BytesIO(raw).read))
    return (raw if wrong else text).decode("utf-8-sig")


def _left_out(place: Message, why: str) -> Message:
    """Return a message that the row at a location is left out, and why."""
    return Message("line {}: {}" if place.template == "line {}" else "row {}: {}", *place.values, why)


def _id_of(value: Any) -> str | None:
    """Return a value of a truth file as an id: a str as it is, a whole number as digits. Return None for "" and for any other value."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    return str(value)


def _written(word: Any) -> str:
    """Return a label in the form in which it is looked up: lower case, numbers and truth values as in ANSWERS."""
    text = str(int(word)) if isinstance(word, float) and word.is_integer() else str(word)
    return text.lower() if text.lower() in ANSWERS else text if isinstance(word, str) else ""


def _pairs(
    name: str, rows: Sequence[Row], names: Mapping[str, str], said: Mapping[str, str], told: bool, complete: bool
) -> Truth:
    found: dict[tuple[str, str], int] = {}
    skipped: list[Message] = []
    lines = 0
    for place, row in rows:
        if isinstance(row, str):
            skipped.append(_left_out(place, row))
            continue
        left, right = _id_of(row.get(names["left"])), _id_of(row.get(names["right"]))
        if left is None or right is None:
            where = names["left"] if left is None else names["right"]
            skipped.append(_left_out(place, Message("no id in {}", where)))
            continue
        if left == right:
            skipped.append(_left_out(place, Message("both documents of a pair are {!r}", left)))
            continue
        word = row.get(names["label"]) if told else SAME
        label = said.get(_written(word))
        if label is None:
            words = [one[names["label"]] for _, one in rows if not isinstance(one, str) and names["label"] in one]
            raise _no_label(_truth_name(name), place, word, words, said)
        pair = (left, right) if left < right else (right, left)
        lines += 1
        found[pair] = LABELS.index(label)
    if not found:
        raise InputError("{} has no labels: {}", _truth_name(name), join_messages(skipped[:3], SEMICOLON))
    label_of = np.array(list(found.values()), np.uint8)
    ones, others = [a for a, _ in found], [b for _, b in found]
    return Truth(name, ones, others, label_of, None, complete, told, lines - len(found), tuple(skipped))


_MAPPED = 4
"""Words of a file that a message maps to labels, at most."""
_DENIED = lazy_pattern(r"(?:non?|not|un|dis|diff)(?:[ _-]|[a-z])|n$|[不非没]|0$|false$", re.IGNORECASE)
"""Beginning of a word that says that two texts are no copies."""


def _no_label(name: str, place: Message, word: Any, words: Iterable[Any], said: Mapping[str, str]) -> InputError:
    """Return the error about a word that is no label.

    Args:
        name, place: of the file, and of the row in it.
        word: what the row has as its label.
        words: what all rows have.
        said: the known words.
    """
    if word is None or not str(word).strip():
        return InputError("{}, {}: the label is empty; write one of {}", name, place, join_names([*LABELS]))
    if _is_score(word):
        return InputError(
            "{}, {}: {!r} is a score, not a label; write same for the scores of copies, and different for the others",
            name, place, str(word),
        )  # fmt: skip
    if near := meant(str(word), LABELS):
        return InputError("{}, {}: {!r} is not a label{}", name, place, word, near)
    unknown = [one for one in dict.fromkeys(map(str, words)) if _written(one) not in said]
    shown = unknown[:_MAPPED]
    denied = [bool(_DENIED.match(one)) for one in shown]
    example = ",".join(
        f"{one}={DIFFERENT if no or (k and not any(denied)) else SAME}"
        for k, (one, no) in enumerate(zip(shown, denied, strict=True))
    )
    return InputError(
        "{}, {}: {!r} is not a label: the labels are {}. Say which label each of your words is, such as {}",
        name, place, word, join_names([*LABELS]), Param("truth_words", example),
    )  # fmt: skip


def _is_score(word: Any) -> bool:
    """Return True for a number with a fraction; whole numbers may be classes."""
    try:
        value = float(word)
    except (TypeError, ValueError):
        return False
    return math.isfinite(value) and not value.is_integer()


def _clusters(name: str, rows: Iterable[Row], names: Mapping[str, str], complete: bool) -> Truth:
    cluster: dict[str, str] = {}
    skipped: list[Message] = []
    repeated = 0
    for place, row in rows:
        one = None if isinstance(row, str) else _id_of(row.get(names["id"]))
        if isinstance(row, str) or one is None:
            why = row if isinstance(row, str) else Message("no id in {}", names["id"])
            skipped.append(_left_out(place, why))
            continue
        repeated += one in cluster
        of = _id_of(row.get(names["cluster"]))
        cluster[one] = f"\0{one}" if of is None else of  # in no cluster: one of its own
    if not cluster:
        raise InputError("{} has no labels: {}", _truth_name(name), join_messages(skipped[:3], SEMICOLON))
    return Truth(name, [], [], np.zeros(0, np.uint8), cluster, complete, True, repeated, tuple(skipped))

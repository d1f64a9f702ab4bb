"""Checks of the parameters of the public functions, by one table.

A name means the same in every function that has it, so `dedup`, `compare`, `passages`, `align`, `fit_statistics`, `load` and
what they return share the table. Parameters of methods are checked against the fields of their dataclasses
(`quchong.plan.catalogue`).
"""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import InputError, Param, UsageError, reason_of
from quchong.io import arrow_data
from quchong.io.files.addresses import address_of, is_address, path_of
from quchong.io.files.fetching import local_copy
from quchong.io.files.stores import unknown_protocol
from quchong.io.files.written_form import CODECS, PACKINGS
from quchong.io.limits import GREATEST, LEAST
from quchong.kernels.checked import MOST_WORKERS
from quchong.languages import Message, join_names
from quchong.outputs import check_regular, spell_names
from quchong.pages import BODIES
from quchong.parameters.kinds import Kind, Wrong, either, finite_number, integer_between, span_word, whether, word
from quchong.patterns import lazy_pattern
from quchong.plan.mix import assigned_weights, parse_weights, read_weights
from quchong.plan.one_document import refuse_container
from quchong.plan.spoken_numbers import size_meant
from quchong.relations import REMOVABLE
from quchong.text import SOCIAL_STEPS, STRIPPED


def _names(value: Any) -> tuple[str, ...]:
    """Return names as a tuple, from a text with commas or from an iterable; repeated names are dropped."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, bytes | Mapping) or not isinstance(items, Iterable):
        raise Wrong
    items = list(items)
    if not all(isinstance(item, str) for item in items):
        raise Wrong
    return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))


def _criteria(value: Any) -> str:
    """Return a policy as one text, from a text or from several criteria."""
    return value if isinstance(value, str) else ",".join(_names(value))


def _path(value: Any) -> Path:
    if not isinstance(value, str | os.PathLike):
        raise Wrong
    path = os.fspath(value)
    if not isinstance(path, str):
        raise Wrong
    if not path:
        raise Wrong(Message("the value is empty: name a file or a folder, or write . for the current folder"))
    return _nameable(path_of(path))


def _nameable(path: Path) -> Path:
    """Return a local path if a file can have this name; raise `Wrong` otherwise."""
    if (address := address_of(path)) is not None:  # told with both slashes, and without a password
        unknown = unknown_protocol(address)
        raise Wrong(unknown or Message("this is an address on another machine: name a path on this machine"), address)
    if "\0" in str(path):
        raise Wrong(Message("a file name cannot have a NUL character"))
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise Wrong(Message("the value contains half a character (a lone surrogate)")) from None
    return path


def _path_or_address(value: Any) -> Path:
    """Return a path, which may be an address."""
    if isinstance(value, str | os.PathLike) and isinstance(os.fspath(value), str) and is_address(os.fspath(value)):
        return path_of(value)
    return _path(value)


def _paths(value: Any, one: Callable[[Any], Path] = _path) -> tuple[Path, ...]:
    if isinstance(value, str | os.PathLike):
        return (one(value),)
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise Wrong
    return tuple(one(item) for item in value)


def _paths_or_addresses(value: Any) -> tuple[Path, ...]:
    return _paths(value, _path_or_address)


def _one_id(value: Any) -> str:
    if isinstance(value, str):
        return str(spell_names(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    try:
        return str(operator.index(value))
    except TypeError:
        raise Wrong from None


def _id(value: Any) -> str:
    if isinstance(value, bool):
        raise Wrong
    return _one_id(value)


def _ids(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Iterable):
        return (_id(value),)
    if isinstance(value, bytes | Mapping):
        raise Wrong
    if type(value).__module__.startswith("pyarrow."):
        value = arrow_data(value)  # refuses what is damaged
        if not isinstance(value, pa.ChunkedArray):
            raise Wrong
    try:
        return tuple(_id(item) for item in (value.to_pylist() if hasattr(value, "to_pylist") else value))
    except UnicodeDecodeError:
        raise Wrong from None


def _protected(value: Any) -> tuple[str, ...]:
    """Return ids, or those in a file of UTF-8 text with one id a line."""
    if not isinstance(value, os.PathLike):
        return _ids(value)
    path = _path_or_address(value)
    try:
        copy = local_copy(path)
        check_regular(copy, pipes=True)
        lines = copy.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, or no name of a file
        raise InputError(
            "{} cannot be read: {}; give UTF-8 text, one id per line", Param("protect", str(path)), reason_of(error)
        ) from error
    return tuple(line.strip() for line in lines if line.strip())


_SIZE = lazy_pattern(r"(\d+(?:\.\d+)?)\s*([KMGT])?(i?B)?", re.IGNORECASE)
_LEAST_MEMORY = 64 << 20


def _size(value: Any) -> int:
    """Parse a memory size in bytes; raise `Wrong` below 64 MiB."""
    size = integer_between(0)(_bytes(value))
    if isinstance(value, str) and value.strip().isdigit() and size < _LEAST_MEMORY:
        raise UsageError(
            "{} is {} bytes: name the unit, such as {}G or {}M", Param("memory", value), *[value.strip()] * 3
        )
    return int(integer_between(_LEAST_MEMORY)(size))


def _bytes(value: Any) -> Any:
    """Parse a number of bytes: 4G, 4GB and 4GiB are all 4 * 2**30; a value that is no text is returned unchanged."""
    if isinstance(value, str):
        if (found := _SIZE.fullmatch(value.strip())) is None:
            raise Wrong
        power = " KMGT".index((found[2] or " ").upper())
        return int(float(found[1]) * (1 << 10 * power))
    return value


def _record_size(value: Any) -> int:
    """Parse the maximum size of a record in bytes, from 64 KiB to 2 GiB."""
    return int(integer_between(LEAST, GREATEST)(_bytes(value)))


def _shard_size(value: Any) -> int:
    """Parse the size of a file of rows in bytes, from 64 KiB on."""
    return int(integer_between(LEAST)(_bytes(value)))


def _parquet(value: Any) -> dict[str, Any]:
    """Parse options of Parquet files to the fields of `quchong.io.files.written_form.WrittenForm`."""
    given = _assigned(value) if isinstance(value, str) else value
    if not isinstance(given, Mapping) or not given:
        raise Wrong
    out: dict[str, Any] = {}
    for name, one in given.items():
        match str(name).replace("_", "-"):
            case "compression" if one in CODECS:
                out["codec"] = one
            case "level":
                try:
                    out["level"] = int(one)
                except (TypeError, ValueError):
                    raise Wrong from None
            case "row-group":
                out["row_group"] = int(integer_between(LEAST, GREATEST)(_bytes(one)))
            case _:
                raise Wrong(
                    Message("allowed options are compression (one of {}), level and row-group", join_names(CODECS))
                )
    return out


def _watcher(value: Any) -> Any:
    """Return a receiver of progress; None for False. `quchong.api.public_calls.public` has replaced True by one before."""
    if value is False:
        return None
    if not all(callable(getattr(value, name, None)) for name in ("stage", "advance")) or isinstance(value, type):
        raise Wrong
    return value


def _sound(value: Any) -> str:
    """Return a text that can be written as UTF-8; raise UsageError for a lone surrogate."""
    try:
        word(value).encode()
    except UnicodeEncodeError:
        raise UsageError(
            "the text contains half a character (a lone surrogate): repair it, such as with "
            "text.encode('utf-8', 'replace').decode()"
        ) from None
    return str(value)


def _one_text(value: Any) -> Any:
    if isinstance(value, Path):
        raise Wrong(
            Message(
                "it is a path, not a text: to read the file, write {}",
                f"pathlib.Path({str(value)!r}).read_text('utf-8')",
            )
        )
    refuse_container(value)
    return _sound(value)


def _document(value: Any) -> Any:
    if isinstance(value, str):
        return _sound(value)
    if not isinstance(value, Mapping | Path):
        refuse_container(value)
        raise Wrong
    return _path_or_address(value) if isinstance(value, Path) else value


def _assigned(value: Any) -> dict[str, str]:
    """Parse names with their values: a mapping, or a text such as "left=a,right=b"."""
    if value is None:
        return {}
    if isinstance(value, str):
        parts = [part.partition("=") for part in value.split(",") if part.strip()]
        if not all(sign and name.strip() and said.strip() for name, sign, said in parts):
            raise Wrong
        return {name.strip(): said.strip() for name, _, said in parts}
    if not isinstance(value, Mapping) or not all(isinstance(one, str) for pair in value.items() for one in pair):
        raise Wrong
    return dict(value)


def _mix(value: Any) -> dict[str, float]:
    """Return weights by source: from a dict, a text such as "news=2,web=0.5", or the path of a file."""
    if isinstance(value, Mapping):
        return assigned_weights(value.items())
    if isinstance(value, str) and "=" in value:
        return parse_weights(value)
    return read_weights(_path_or_address(value))


def _share(value: Any) -> float:
    number = finite_number(value)
    if not 0 <= number <= 1:
        raise Wrong
    return float(number)


def _labels(value: Any) -> tuple[str, ...]:
    names = _names(value)
    if not names or set(names) - {"same", "contained"}:
        raise Wrong
    return names


_FEW = 3
"""Items up to which a list may be names of columns, where one name is taken."""


def _refuse_values(value: Any) -> None:
    """Raise Wrong with the call that names a column, for the values of a column in place of its name: a Series, an array, a list."""
    if (isinstance(value, list | tuple) and len(value) > _FEW) or hasattr(value, "__array__"):
        raise Wrong(
            Message("give the whole table and the names of its columns: {}", "qc.dedup(df, text='text', id='id')"),
            Message("a {}", type(value).__name__),
        )


def _text_columns(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        _refuse_values(value)
    return _names(value)


def _column(value: Any) -> str:
    """Return the name of a column, which is not empty."""
    _refuse_values(value)
    if not word(value):
        raise Wrong(Message("the name of the column is empty: name a column, or leave out the option"))
    return str(value)


def choice(*names: str, none: str | Message = "") -> Kind:
    """Return the kind of a parameter that takes one of some words."""

    def read(value: Any) -> str:
        if value not in names or not isinstance(value, str):
            raise Wrong
        return value

    return Kind(either(names), read, none, names)


def words_kind(*names: str, none: str = "", also: tuple[str, ...] = ()) -> Kind:
    """Return the kind of a parameter that takes several of some words, with commas or one by one."""

    def read(value: Any) -> tuple[str, ...]:
        found = _names(value)
        for name in found:
            if name not in (*names, *also):
                raise Wrong
        return found

    return Kind(Message("one or more of {}", join_names([*names, *also])), read, none, (*names, *also))


COLUMN = Kind(Message("the name of a column"), _column)
OR_NONE = Message(", or None")
MAY_BE_COLUMN = Kind(Message("the name of a column"), _column, OR_NONE)
FLAG = Kind(Message("True or False"), whether)
TEXT = Kind(Message("a text (str)"), _one_text)
DOCUMENT = Kind(Message("a text (str), a record (dict) or a pathlib.Path"), _document)
ID = Kind(Message("an id: a str or a whole number"), _id)
PATH = Kind(Message("a path"), _path)

PARAMETERS: dict[str, Kind] = {
    "keep": Kind(Message("criteria such as 'longest,earliest', or a list of them"), _criteria, OR_NONE),
    "relations": words_kind(*sorted(REMOVABLE)),
    "text": Kind(Message("names of columns: a str, or several of these"), _text_columns),
    "id": MAY_BE_COLUMN,
    "time": COLUMN,
    "source": COLUMN,
    "within": Kind(Message("a span of time such as '7d' or '12h'"), span_word, OR_NONE),
    "per": MAY_BE_COLUMN,
    "same_site": FLAG,
    "strip": words_kind(*STRIPPED),
    "social": words_kind(*SOCIAL_STEPS, none=OR_NONE, also=("all", "none")),
    "boilerplate": Kind(Message("the path of a file, or several"), _paths_or_addresses),
    "only_against": FLAG,
    "differences": choice("deciding", "all"),
    "templates": choice("keep", "remove", "payload"),
    "roundups": choice("keep", "remove", "cut", "whole", none=OR_NONE),
    "exact": choice("raw", "strict", "loose"),
    "mix": Kind(Message("weights by source such as 'news=2,web=0.5', a dict of them, or the path of a file"), _mix, OR_NONE),
    "mix_seed": Kind(Message("a whole number of at least 0"), integer_between(0, 2**63 - 1)),
    "keep_per_cluster": Kind(Message("a whole number of at least 1"), integer_between(1, 2**31 - 1)),
    "recall_sample": Kind(Message("0 for none, or a whole number above 0"), integer_between(0)),
    "workers": Kind(
        Message("a whole number from 1 to {}", MOST_WORKERS), integer_between(1, MOST_WORKERS), Message(", or None for all processors")
    ),
    "html": MAY_BE_COLUMN,
    "body": choice(*BODIES),
    "format": Kind(Message("a format such as 'jsonl'"), word, OR_NONE),
    "encoding": Kind(Message("an encoding such as 'gb18030'"), word, OR_NONE),
    "progress": Kind(
        Message("True, or an object with the methods stage(name, total, unit) and advance(amount)"), _watcher, OR_NONE
    ),
    "protect": Kind(Message("ids: a str or a whole number, several of these, or a pathlib.Path of a file with ids"), _protected),
    "decisions": Kind(Message("a path"), _path_or_address, OR_NONE),
    "port": Kind(Message("a port from 1 to 65535, or 0 for any free port"), integer_between(0, 65535)),
    "seed": Kind(Message("a whole number of at least 0"), integer_between(0, 2**63 - 1)),
    "min_chars": Kind(Message("a whole number of at least 1"), integer_between(1, 2**31 - 1), OR_NONE),
    "common": Kind(Message("a whole number of at least 2"), integer_between(2, 2**31 - 1)),
    "unit": choice("line", "paragraph"),
    "unit_words": Kind(Message("a whole number of at least 1"), integer_between(1, 2**31 - 1)),
    "unit_common": Kind(Message("a whole number of at least 2"), integer_between(2, 2**31 - 1), OR_NONE),
    "unit_repeats": choice("keep", "cut"),
    "unit_floor": Kind(Message("a number of words or, if it is below 1, a share of the words"), finite_number),
    "partners": Kind(Message("a whole number of at least 1"), integer_between(1, 2**31 - 1)),
    "cut": choice("none", "copies", "boilerplate"),
    "what": choice("none", "copies", "boilerplate"),
    "at": choice("sentence", "exact"),
    "cut_at": choice("sentence", "exact"),
    "mode": choice("remove", "annotate"),
    "overwrite": FLAG,
    "annotate": FLAG,
    "folder": PATH,
    "texts": Kind(Message("the path of a folder, or several"), _paths),
    "path": PATH,
    "lang": choice("en", "zh", none=OR_NONE),
    "out": Kind(Message("a path"), _path, OR_NONE),
    "memory": Kind(Message("a size of at least '64M', such as '4G', or a whole number of bytes"), _size, OR_NONE, guess=size_meant),
    "max_record": Kind(
        Message("a size from '64K' to '2G', such as '256M', or a whole number of bytes"), _record_size, OR_NONE, guess=size_meant
    ),
    "work": Kind(Message("a path"), _path, OR_NONE),
    "fresh": FLAG,
    "keep_work": FLAG,
    "ids_only": FLAG,
    "target": Kind(Message("the number of documents to keep, a whole number of at least 1"), integer_between(1)),
    "shard_size": Kind(
        Message("a size of at least '64K', such as '500MB', or a whole number of bytes"), _shard_size, OR_NONE, guess=size_meant
    ),
    "compress": choice(*PACKINGS, none=OR_NONE),
    "add_columns": words_kind("copies", "sources", "first_seen", "last_seen"),
    "parquet": Kind(Message("options such as 'compression=zstd,level=3,row-group=128MB', or a dict"), _parquet, OR_NONE),
    "n": Kind(Message("a whole number of at least 0"), integer_between(0)),
    "left": TEXT,
    "right": TEXT,
    "doc_id": ID,
    "other_id": ID,
    "ids": Kind(Message("ids: a str or a whole number, or several of these"), _ids),
    "rules": Kind(Message("rules of the ledger, separated by commas or one by one"), _names),
    "everything": FLAG,
    "time_key": MAY_BE_COLUMN,
    "source_key": MAY_BE_COLUMN,
    "complete": FLAG,
    "labels": Kind(Message("same, contained or both, separated by commas or one by one"), _labels, names=("same", "contained")),
    "truth_keys": Kind(Message("ROLE=COLUMN pairs, such as 'left=a,right=b,label=kind', or a dict"), _assigned),
    "truth_words": Kind(Message("the words of your labels, such as 'dup=same', or a dict"), _assigned),
    "by": MAY_BE_COLUMN,
    "curve": FLAG,
    "by_runs": FLAG,
    "parameter": Kind(Message("the name of a number that the method has as a parameter"), word, OR_NONE),
    "least_precision": Kind(Message("a share from 0 to 1"), _share, OR_NONE),
    "least_recall": Kind(Message("a share from 0 to 1"), _share, OR_NONE),
    "title": MAY_BE_COLUMN,
    "link": MAY_BE_COLUMN,
    "rule": choice("containment", "ngram8", "ngram13"),
    "min_share": Kind(Message("a share from 0 to 1"), _share, OR_NONE),
    "min_length": Kind(Message("a whole number of at least 1"), integer_between(1, 2**31 - 1), OR_NONE),
    "question": Kind(Message("names of columns: a str, or several of these"), _names),
    "answer": Kind(Message("names of columns: a str, or several of these"), _names),
    "choices": Kind(Message("names of columns: a str, or several of these"), _names),
    "item_id": MAY_BE_COLUMN,
    "when": choice("question", "both"),
    "time_zone": Kind(Message("the name of a time zone such as 'Asia/Shanghai'"), word, OR_NONE),
}  # fmt: skip
"""All parameters of the public functions, except those of methods."""


def checked(**given: Any) -> dict[str, Any]:
    """Check parameters and return their plain values: names as a tuple, paths as `Path`, ids as str.

    Raises:
        UsageError: a value has the wrong type, is out of range or not one of the choices.
    """
    return {name: PARAMETERS[name](name, value) for name, value in given.items()}


def run_place(**given: Any) -> Any:
    """Return the path or address of a run folder, given by keyword under its parameter's name; None for None.

    Raises:
        UsageError: the value is no path.
    """
    ((name, value),) = given.items()
    if isinstance(value, str | os.PathLike) and isinstance(os.fspath(value), str) and is_address(os.fspath(value)):
        return path_of(value)
    return checked(**given)[name]


def only_with_out(**given: bool) -> None:
    """Raise UsageError for parameters that only apply to written output in a call without output.

    Raises:
        UsageError: a parameter was given; the message names the first.
    """
    for name, was in given.items():
        if was:
            raise UsageError("{} needs an output: name it with {}", Param(name), Param("out"))

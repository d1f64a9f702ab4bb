"""What was given, and what is asked for: sources and a plan."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from quchong.errors import InputError, UsageError
from quchong.io import Source, Wanted, from_object, open_inputs
from quchong.pipeline.catalogue import DEFAULT, build
from quchong.pipeline.plan import DEFAULT_RELATIONS, Plan, Scope, parse_within
from quchong.seam import Method
from quchong.text import Preparer, social_steps

Data = Any
"""A path or paths (files, folders, globs), a list of str or dict, or anything that speaks the Arrow stream:
Arrow, Polars and pandas tables, DuckDB relations, Hugging Face data sets."""


class Spool:
    """A folder for what stdin gave, removed when nobody holds it any more."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="quchong-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


def names_of(value: str | Iterable[str]) -> tuple[str, ...]:
    """Names with commas between them, or one by one; each once."""
    items = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(v.strip() for v in items if v.strip()))


def sources_of(data: Data, wanted: Wanted, *, format: str | None = None, spool: Path | None = None) -> list[Source]:
    """Sources of whatever was given: paths are opened, objects wrapped.

    One str is a path (or a glob, or - for stdin); a list of str holds texts; a list of pathlib.Path holds files.

    Raises:
        InputError, UsageError: see `quchong.io`.
    """
    if type(data).__module__.startswith("pyspark."):
        raise UsageError("a Spark DataFrame would be collected here: use quchong.spark.dedup, or give df.toArrow()")
    if isinstance(data, str | os.PathLike):
        return open_inputs([Path(data) if not isinstance(data, str) else data], format, spool)
    if isinstance(data, list | tuple) and data and all(isinstance(d, os.PathLike) for d in data):
        return open_inputs([Path(d) for d in data], format, spool)
    return [from_object(data, wanted)]


def make_plan(  # noqa: PLR0913 - the options of a run, one by one
    *,
    method: str = DEFAULT,
    keep: str = "longest,earliest",
    relations: str | Iterable[str] = DEFAULT_RELATIONS,
    variants: str = "keep",
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: Sequence[str | Path] = (),
    only_against: bool = False,
    recall_sample: int = 1000,
    workers: int | None = None,
    html: str | None = "html",
    body: str = "main",
    **parameters: Any,
) -> Plan:
    """A validated plan from the options of `dedup` and of the command line.

    Raises:
        UsageError: whatever cannot be used, with what could be.
        InputError: a boilerplate file that cannot be read.
    """
    if variants not in ("keep", "remove"):
        raise UsageError(f"unknown --variants {variants!r}: use keep or remove")
    wanted = names_of(relations)
    if variants == "remove" and "variant" not in wanted:
        wanted = (*wanted, "variant")
    lines: list[str] = []
    for path in boilerplate:
        try:
            lines += Path(path).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"boilerplate file {path} cannot be read: {error}; give UTF-8 text, one stretch a line"
            ) from error
    chosen = build(method, parameters)
    return Plan(
        method=chosen, keep=keep, relations=wanted, text=names_of(text),
        id="id" if id is None else id, id_given=id is not None, time_key=time, source_key=source,
        scope=Scope(parse_within(within), per, same_site),
        preparer=Preparer(names_of(strip), tuple(lines), social_of(chosen, social)),
        only_against=only_against, recall_sample=recall_sample, workers=workers, html=html or None, body=body,
    )  # fmt: skip


def social_of(method: Method, given: str | Iterable[str] | None) -> tuple[str, ...]:
    """The steps asked for; without any all of them for a method made for posts, else none."""
    return social_steps(("all" if method.traits.social else "none") if given is None else given)


def is_stdin(data: Data) -> bool:
    """Was standard input asked for?"""
    return isinstance(data, str) and data == "-"

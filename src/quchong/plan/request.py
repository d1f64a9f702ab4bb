"""Makes sources and a plan from the arguments of a call."""

from __future__ import annotations

import glob
import os
import re
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Unpack

from quchong.errors import InputError, Param, UsageError
from quchong.io import Source, Wanted, from_object, open_inputs
from quchong.io.formats import suffix_of
from quchong.outputs import Place, local
from quchong.plan.catalogue import DEFAULT, build
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.parameters import checked
from quchong.plan.plan import DEFAULT_KEEP, DEFAULT_RELATIONS, Plan, Scope, parse_within
from quchong.seam import Method, Traits
from quchong.text import Preparer, social_steps

Data = Any
"""A path or paths (files, folders, globs), a list of str or dict, or anything that speaks the Arrow stream:
Arrow, Polars and pandas tables, DuckDB relations, Hugging Face data sets."""

Body = Literal["main", "accurate", "all"]
"""What of a page is its text, see `quchong.pages.BODIES`."""

_LONGEST_NAME = 4096


class Spool:
    """A folder for what stdin gave, removed when nobody holds it any more."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="quchong-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


@contextmanager
def spooled(folder: Path | None) -> Iterator[None]:
    """Errors about standard input name it, not the file it was copied to in this folder."""

    def said(found: re.Match[str]) -> str:
        return "standard input" if found[1] == "stdin" else f"pipe {found[1]}"

    try:
        yield
    except InputError as error:
        if folder is not None:
            place = re.compile(rf"{re.escape(str(folder))}/(?:against/)?(\w+)(?:\.\w+)*")
            error.args = tuple(place.sub(said, part) if isinstance(part, str) else part for part in error.args)
        raise


def names_of(value: str | Iterable[str]) -> tuple[str, ...]:
    """Names with commas between them, or one by one; each once."""
    items = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(v.strip() for v in items if v.strip()))


def sources_of(data: Data, wanted: Wanted, *, format: str | None = None, spool: Path | None = None) -> list[Source]:
    """Sources of whatever was given: paths are opened, objects wrapped.

    One str is a path (or a glob, or - for stdin); a list of str holds texts; a list of pathlib.Path holds files. A list of
    str that all name files is refused: whoever writes that means the files.

    Raises:
        InputError, UsageError: see `quchong.io`.
    """
    if type(data).__module__.startswith("pyspark."):
        raise UsageError("a Spark DataFrame would be collected here: use quchong.spark.dedup, or give df.toArrow()")
    if isinstance(data, str | os.PathLike):
        return open_inputs([Path(data) if not isinstance(data, str) else data], format, spool)
    if isinstance(data, list | tuple) and data and all(isinstance(d, os.PathLike) for d in data):
        return open_inputs([Path(d) for d in data], format, spool)
    if isinstance(data, list | tuple):
        _check_for_paths(data)
    return [from_object(data, wanted)]


def places_read(data: Data, option: str = "") -> list[Place]:
    """The places on this machine that data names, as `sources_of` takes it, before anything is opened: files, folders, what
    globs match, and the file that standard input comes from. Empty for data in memory.

    `option` is said before each in messages.
    """
    named = [data] if isinstance(data, str | os.PathLike) else data
    if not isinstance(named, list | tuple) or (named is data and not all(isinstance(d, os.PathLike) for d in named)):
        return []
    found: list[str | os.PathLike[str]] = []
    for one in named:
        if os.fspath(one) == "-":
            found += _stdin()
        elif not os.path.lexists(one) and glob.has_magic(os.fspath(one)):
            matches = glob.glob(os.fspath(one), recursive=True)  # noqa: PTH207 - may be absolute
            found += [m for m in matches if not os.path.isdir(m)] or matches  # noqa: PTH112
        else:
            found.append(one)
    return local(found, option)


def _stdin() -> list[str]:
    """The file that standard input is, where it is one and the machine tells which."""
    try:
        number = sys.stdin.fileno()
        path = os.path.realpath(f"/proc/self/fd/{number}")
        return [path] if stat.S_ISREG(os.fstat(number).st_mode) and os.path.exists(path) else []  # noqa: PTH110
    except (OSError, ValueError, AttributeError):
        return []


def places_opened(sources: Iterable[Source], option: str = "") -> list[Place]:
    """The files that sources read, as far as they are not below the path that was named: links in folders lead elsewhere."""
    found: list[Path] = []
    for source in sources:
        inner = getattr(source, "inner", source)
        files = getattr(inner, "files", None)
        if files is not None:
            found += [file for file in files if file.is_symlink()]
        elif (path := getattr(inner, "path", None)) is not None:
            found.append(path)
    return local(found, option)


def make_plan(  # noqa: PLR0913 - keywords: the options of a run
    *,
    method: str | Method = DEFAULT,
    keep: str | Iterable[str] = DEFAULT_KEEP,
    relations: str | Iterable[str] = DEFAULT_RELATIONS,
    variants: Literal["keep", "remove"] = "keep",
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    only_against: bool = False,
    recall_sample: int = 1000,
    workers: int | None = None,
    html: str | None = "html",
    body: Body = "main",
    **parameters: Unpack[MethodParameters],
) -> Plan:
    """A validated plan from the options of `dedup` and of the command line.

    Args:
        boilerplate: a file of lines that are not compared, or several.
        method: a name, or a method.
        **parameters: of the method named.

    Raises:
        UsageError: whatever cannot be used, with what could be.
        InputError: a boilerplate file that cannot be read.
    """
    of_run = checked(
        keep=keep, relations=relations, variants=variants, text=text, id=id, time=time, source=source,
        within=within, per=per, same_site=same_site, strip=strip, social=social, boilerplate=boilerplate,
        only_against=only_against, recall_sample=recall_sample, workers=workers, html=html, body=body,
    )  # fmt: skip
    wanted = of_run["relations"]
    if variants == "remove" and "variant" not in wanted:
        wanted = (*wanted, "variant")
    lines: list[str] = []
    for path in of_run["boilerplate"]:
        try:
            lines += path.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, ValueError) as error:  # ValueError: no UTF-8, or no name of a file
            raise InputError(
                f"boilerplate file {path} cannot be read: {error}; give UTF-8 text, one stretch a line"
            ) from error
    chosen = method_of(method, parameters, of_run)
    return Plan(
        method=chosen, keep=of_run["keep"], relations=wanted, text=of_run["text"],
        id="id" if id is None else id, id_given=id is not None, time_key=time, source_key=source,
        scope=Scope(parse_within(within), per, of_run["same_site"]),
        preparer=Preparer(of_run["strip"], tuple(lines), social_of(chosen, of_run["social"])),
        only_against=of_run["only_against"], recall_sample=of_run["recall_sample"], workers=of_run["workers"],
        html=html or None, body=body,
    )  # fmt: skip


def method_of(given: str | Method, parameters: Mapping[str, Any], beside: Iterable[str] = ()) -> Method:
    """The method named, with these parameters; or the one given.

    Args:
        beside: names of other parameters that could have been meant by one that the method does not have.

    Raises:
        UsageError: neither a name nor a method; an unknown method or parameter; parameters beside a method that has its own.
    """
    if isinstance(given, str):
        return build(given, parameters, (*beside, "method"))
    if not isinstance(getattr(given, "traits", None), Traits):
        raise UsageError(
            Param("method"),
            f" wants the name of a method, or a method such as qc.methods.Hybrid(), got {given!r}"[:200],
        )
    if isinstance(given, type):
        raise UsageError(Param("method"), f" got the class {given.__name__}: make a method of it, {given.__name__}()")
    left = sorted(k for k, v in parameters.items() if v is not None)
    if left:
        raise UsageError(
            f"{', '.join(left)}: ", Param("method"), f" is a method with parameters of its own; give them to it, such as "
            f"{type(given).__name__}({left[0]}=...)"
        )  # fmt: skip
    return given


def social_of(method: Method, given: str | Iterable[str] | None) -> tuple[str, ...]:
    """The steps asked for; without any all of them for a method made for posts, else none."""
    return social_steps(("all" if method.traits.social else "none") if given is None else given)


def is_stdin(data: Data) -> bool:
    """Was standard input asked for?"""
    return isinstance(data, str) and data == "-"


def _check_for_paths(items: Sequence[Any]) -> None:
    """Raises UsageError for a list of str that are all names of files: as texts they would be compared without a word."""
    if items and all(isinstance(item, str) and _may_be_file(item) for item in items):
        raise UsageError(
            f"a list of str holds texts, but these are names of files, such as {items[0]!r}: give pathlib.Path objects to read "
            "the files, one str for one file or glob, or dicts such as {'text': ...} if these are the texts"
        )


def _may_be_file(text: str) -> bool:
    """Does this name a file: by a suffix that is read here and no blank, or because there is one?"""
    if len(text) > _LONGEST_NAME or "\n" in text or "\0" in text:
        return False
    if suffix_of(text) is not None and not any(c.isspace() for c in text):
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False

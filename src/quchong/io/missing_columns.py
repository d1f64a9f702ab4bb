"""Errors for columns that the data does not have, with the columns that it has and the parameter that names one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

from quchong.errors import Call, InputError, Param, UsageError, meant, parts_of_list, shell_word
from quchong.io.usual_columns import USUAL, usual_columns
from quchong.languages import NAMES, Message, join_messages
from quchong.outputs.free_names import free_name
from quchong.patterns import lazy_pattern


class MissingTextError(InputError):
    """Error for data without the column of texts.

    Attributes:
        shown: file or other origin; asked: the column; columns: those that the data has.
    """

    shown: object = ""
    asked: str = ""
    columns: tuple[str, ...] = ()


def of_index(error: MissingTextError) -> InputError:
    """Return the error for an index, whose column of texts was chosen when it was made: rename the column, or make another index."""
    column = column_meant("text", error.asked, error.columns)
    free = free_name("seen")
    other = Call(f"qc.Index.create({free!r}, text={column or 'COLUMN'!r})",
                 f"quchong index create {free} --text-key {shell_word(column or 'COLUMN')}")  # fmt: skip
    listed = column_list(error.columns) if error.columns else Message("none")
    return InputError(
        "{} has no column {}, from which the index reads texts; it has these columns: {}. Rename {} to {}, or make another index, "
        "which reads that column: {}",
        error.shown, QUOTED.holding(error.asked), listed, QUOTED.holding(column or "COLUMN"), QUOTED.holding(error.asked), other,
    )  # fmt: skip


@contextmanager
def worded_for_several(inputs: int) -> Iterator[None]:
    """Add to a MissingTextError of the block, where there are several inputs, that the one without the column may be left out."""
    try:
        yield
    except MissingTextError as error:
        if inputs < 2:
            raise
        raise InputError("{}. If only this input has no such column, leave out this input", error) from None


@contextmanager
def worded_for_index() -> Iterator[None]:
    """Raise `of_index` in place of a MissingTextError of the block."""
    try:
        yield
    except MissingTextError as error:
        raise of_index(error) from None


LISTED = 30
"""Most columns column_list in an error."""
_JOINED = lazy_pattern(r"[\s+\uff0b&|/]+|和|与")
"""Signs and words that people write between columns."""
QUOTED = Message("'{}'")
"""Template for the name of a column in a sentence."""


def column_list(columns: Iterable[str]) -> Message:
    """Return the names of columns as a list, quoted; the first `LISTED`, and the number of the others."""
    names = list(columns)
    words = join_messages([QUOTED.holding(name) for name in names[:LISTED]], NAMES)
    return words if len(names) <= LISTED else Message("{} and {:,} more", words, len(names) - LISTED)


def _texts_named(key: str, columns: Iterable[str]) -> Param | None:
    """Return the parameter for text columns with commas in place of other separators in `key`; None if `key` has no separators."""
    known = set(columns)
    for parts in (parts_of_list(key), [part for part in _JOINED.split(key) if part]):
        if len(parts) > 1 and set(parts) <= known:
            return Param("text", ",".join(parts))
    return None


def column_meant(role: str, key: str, columns: Iterable[str]) -> str | None:
    """Return the column that was probably meant by another name: one spelt alike, or the one with a usual name; None if nobody knows.

    Args:
        role: what the column is for, such as "text" (`quchong.io.usual_columns.USUAL`); key: the name given; columns: those there are.

    >>> column_meant("text", "Content", ["id", "content"]), column_meant("time", "发布日期", ["正文", "发布时间"])
    ('content', '发布时间')
    >>> column_meant("text", "内容", ["编号", "正文"]), column_meant("text", "x", ["a", "b"])
    ('正文', None)
    """
    given = [one for one in columns if isinstance(one, str)]
    folded = [one for one in given if one.casefold() == key.casefold()]
    usual = usual_columns(role, given)
    if len(folded) == 1:
        return folded[0]
    if len(usual) == 1:
        return usual[0]
    return next(iter(get_close_matches(key, given, n=1, cutoff=0.75)), None)


def missing_text(shown: object, key: str, columns: Iterable[str], pages: str | None = None) -> InputError:
    """Return the error for data without a text column, as `_missing_text` words it, with what an index needs to word it anew."""
    names = list(columns)
    error = _missing_text(shown, key, names, pages)
    error.shown, error.asked, error.columns = shown, key, tuple(names)
    return error


def _missing_text(shown: object, key: str, columns: Iterable[str], pages: str | None = None) -> MissingTextError:
    """Return the error for data without a text column.

    Args:
        shown: file or other origin.
        key: the column asked for.
        columns: those that the data has.
        pages: the column of web pages that is not there either; None if no pages are read.
    """
    columns = list(columns)
    if not columns:
        return MissingTextError("{} has no columns, and so no texts: check the program that wrote it", shown)
    named = _texts_named(key, columns) or Param("text", column_meant("text", key, columns) or "COLUMN")
    values = shown, QUOTED.holding(key), column_list(columns), named
    if pages is None:
        return MissingTextError("{} has no column {}; it has these columns: {}. Name one with {}", *values)
    return MissingTextError(
        "{} has no column {}; it has these columns: {}. Name the column of the text with {}, or of web pages "
        "with {} (there is no {} either)",
        *values, Param("html", "COLUMN"), QUOTED.holding(pages),
    )  # fmt: skip


def missing_id(shown: object, key: str, columns: Iterable[str]) -> InputError:
    """Return the error for data without the id column asked for; arguments as of `missing_text`."""
    return InputError(
        "{} has no column {}; its columns are: {}. Name one with {}",
        shown, QUOTED.holding(key), column_list(columns), Param("id", column_meant("id", key, columns) or "COLUMN"),
    )  # fmt: skip


def missing_keys(
    shown: object, keys: Iterable[str], records: int, present: Iterable[str], named: Message
) -> InputError:
    """Return the error for JSON records that have none of some keys.

    Args:
        shown: file or other origin.
        keys: those asked for, of which one would do.
        records: number of records looked at.
        present: the keys that are there.
        named: the parameters that name a key.
    """
    wanted, found = list(keys), list(present)
    asked = join_messages([QUOTED.holding(key) for key in wanted], Message("{} or {}"))
    listing = next(filter(None, (_texts_named(key, found) for key in wanted)), None)
    roles = [value.name for value in named.values if isinstance(value, Param)]
    if listing is None and roles and (meant_by := column_meant(roles[0], wanted[0], found)) is not None:
        listing = Param(roles[0], meant_by)
    error = MissingTextError(
        "{}: none of the first {} records has the key {}; other keys are {}. Name the right key with {}",
        shown, records, asked, column_list(found) if found else Message("none"), listing or named,
    )  # fmt: skip
    error.shown, error.asked, error.columns = shown, wanted[0], tuple(found)
    return error


def wrapped_records(shown: object, key: str, inner: str) -> InputError:
    """Return the error that a JSON file is one object whose key `inner` has the records.

    Args:
        shown: file or other origin; key: that of the list; inner: a key of the records in it.
    """
    line = f"jq -c '.{key}[]' {shell_word(shown)} > records.jsonl"
    return InputError(
        "{}: the records are in a list under {!r}, with keys such as {!r}: write that list to a file first: {}",
        shown,
        key,
        inner,
        line,
    )


def several_texts(shown: object, columns: Sequence[str]) -> InputError:
    """Return the error for data without a text column, in which several columns may be the text by their names."""
    return InputError(
        "{} has no column {}, and each of these columns may be the text: {}. Name the right column, such as {}",
        shown, QUOTED.holding("text"), column_list(columns), Param("text", columns[0]),
    )  # fmt: skip


def empty_column(parameter: str, name: str, columns: Iterable[str] = ()) -> UsageError:
    """Return the error for a column that a parameter names and in which no record has a value.

    Args:
        parameter: as Python has it.
        name: the column.
        columns: those that the data has, as far as they are known.
    """
    there = [one for one in dict.fromkeys(columns) if one != name]
    if not there:
        return UsageError("{} needs the column {!r}, but no record has it: check the name", Param(parameter), name)
    role = _NEEDED_BY.get(parameter, parameter if parameter in USUAL or name not in USUAL else name)
    near = (meant(name, there) or _similar_column(name, there) or _usual_column(role, name, there)
            or Message("; name one of them"))  # fmt: skip
    if parameter in _NAME_COLUMNS:
        return UsageError(
            "{}: no record has this column; columns are {}{}", Param(parameter, name), column_list(there), near
        )
    if role in ("time", "source"):  # which another option names
        named = Param(role, column_meant(role, name, there) or "COLUMN")
        near = Message("; name the right one with {}", named)
    return UsageError(
        "{} needs the column {!r}, but no record has it; columns are {}{}",
        Param(parameter),
        name,
        column_list(there),
        near,
    )


_NEEDED_BY = {"within": "time"}
"""Roles of the columns that parameters need which name no column themselves."""
_NAME_COLUMNS = frozenset(("time", "source", "title", "link", "url", "per"))
"""Parameters whose value is the name of a column."""


def _similar_column(name: str, columns: Iterable[str]) -> Message:
    """Return `; did you mean ...?` for the one column whose name contains another name, or is contained in it; else nothing."""
    like = [one for one in columns if len(name) > 1 and (name in one or one in name)]
    return Message("; did you mean {}?", like[0]) if len(like) == 1 else Message("")


def _usual_column(parameter: str, name: str, columns: Iterable[str]) -> Message:
    """Return `; did you mean ...?` for the one column whose name is usual for what a parameter names; else nothing."""
    near = column_meant(parameter, name, columns) if parameter in USUAL else None
    return Message("") if near is None else Message("; did you mean {}?", near)


def no_columns(parameter: str, shown: object) -> UsageError:
    """Return the error for a parameter that names a column of documents that are files, which have no columns.

    Args:
        parameter: as Python has it.
        shown: file, folder or other origin of the documents.
    """
    return UsageError(
        "{} names a column, but the documents of {} are files of text or web pages, which have no columns: leave "
        "out the option",
        Param(parameter), shown,
    )  # fmt: skip

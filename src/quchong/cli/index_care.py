"""Commands that change, check and copy an index: `delete`, `expire`, `compact`, `verify`, `repair`, `backup`, `export`, `migrate`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quchong.cli.index_figures import size_in_words
from quchong.cli.index_opening import Located, check_is_index, id_among, index_argument, open_index
from quchong.cli.options import LocalPath
from quchong.cli.reporting import FAILED, kinds_of, quiet_option
from quchong.errors import InputError, QuchongError, RunError, UsageError, parts_of_list, reason_of, shell_word
from quchong.languages import Message, several
from quchong.report.visible import Shown

if TYPE_CHECKING:
    from quchong.engines.index.answers import Problem

DELETION_KINDS = ("missing",)
"""Words that --fail-on of `delete` takes."""
_ARCHIVES = (".gz", ".tgz", ".tar", ".zip", ".zst", ".bz2", ".xz", ".7z", ".rar", ".bak")
"""Suffixes of files that people name for a backup."""
NAMED = 10
"""Maximum number of ids or files that a message names."""


@click.command(short_help="Delete documents by id.")
@index_argument
@click.argument("ids", nargs=-1)
@click.option("--ids", "file", metavar="FILE", type=LocalPath(path_type=Path), help="File of ids, one per line.")
@click.option(
    "--fail-on",
    metavar="KINDS",
    default="",
    help=f"End with exit code {FAILED} if this occurs: missing (an id that no document has).",
)
@quiet_option
def delete(index: Located, ids: tuple[str, ...], file: Path | None, fail_on: str, quiet: bool) -> None:
    """Deletes the documents in IDS, so that later documents are not compared with them. If a document
    was removed as a copy of one of them, quchong decides again whether to keep it.

    Ids that no document has are listed on standard error, and the other documents are deleted: the exit code is 0,
    or 6 with --fail-on missing. The exit code is 2 if no document has any of the ids. `compact` frees the disk space of
    deleted documents.
    """
    from quchong.api.index_ids import advice_on_id
    from quchong.cli.printing import say

    failing = kinds_of(fail_on, DELETION_KINDS)
    asked = list(dict.fromkeys([*ids, *([] if file is None else _ids_in(file, index))]))
    if not asked:
        raise UsageError("no id is given: name documents, or a file of ids with --ids FILE")
    with open_index(index) as known:
        found = [id_among(known, one) for one in asked]
        missing = [one for one, known_as in zip(asked, found, strict=True) if known_as is None]
        if len(missing) == len(asked):
            together = parts_of_list(missing[0])
            if together and all(id_among(known, one) is not None for one in together):
                raise UsageError(
                    "no document has the id {!r}: separate ids by spaces, {}", missing[0], " ".join(together)
                )
            if os.path.isfile(missing[0]):
                raise UsageError(
                    "{} is a file, not an id: give a file of ids with {}",
                    missing[0],
                    Shown(f"--ids {shell_word(missing[0])}"),
                )
            raise UsageError(
                "{} has no document {!r}: nothing was deleted; {}",
                index,
                missing[0],
                advice_on_id(known, missing[0]),
            )
        deleted = known.delete([one for one in found if one is not None])
        advice = advice_on_id(known, missing[0]) if missing else None
    if advice is not None:
        say("quchong: {} has no document {!r}: {}", index, missing[0], advice, err=True)
    for one in missing[1:NAMED]:
        say("quchong: {} has no document {!r}", index, one, err=True)
    if len(missing) > NAMED:
        say("quchong: {} has no documents for {:,} more of these ids", index, len(missing) - NAMED, err=True)
    if not quiet:
        say("{}", several("deleted {:,} document", "deleted {:,} documents", deleted))
    if "missing" in failing and missing:
        say(
            "quchong: --fail-on: {:,} ids belong to no document; all other documents were deleted",
            len(missing),
            err=True,
        )
        sys.exit(FAILED)


@click.command(short_help="Delete documents that are older than a given age.")
@index_argument
@click.option(
    "--older-than", metavar="SPAN", required=True,
    help="Age from which documents are deleted: a number and s, m (minutes), h, d or w, such as 30d.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only print how many documents would be deleted.")
@quiet_option
def expire(index: Located, older_than: str, dry_run: bool, quiet: bool) -> None:
    """Deletes the documents that are older than a time span: by the time of the document, or by the time of its
    arrival if it has none. --older-than 1s deletes all documents except those dated in the future.
    """
    import time

    from quchong.api.index_arguments import span_in_seconds
    from quchong.cli.printing import say

    seconds = span_in_seconds(older_than)
    moment = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(max(0.0, time.time() - seconds)))
    with open_index(index, read_only=dry_run) as known:
        count = known.expire(older_than, dry_run=dry_run)
    if dry_run:
        say(
            "{}",
            several(
                "{:,} document dated before {} would be deleted",
                "{:,} documents dated before {} would be deleted",
                count,
                moment,
            ),
        )
    elif not quiet:
        say(
            "{}",
            several("deleted {:,} document dated before {}", "deleted {:,} documents dated before {}", count, moment),
        )


@click.command(short_help="Free the disk space of deleted documents; --refit also recounts statistics.")
@index_argument
@click.option(
    "--refit",
    is_flag=True,
    help="Recount the statistics, templates and headers from the texts of the index, and compare all documents again.",
)
@quiet_option
def compact(index: Located, refit: bool, quiet: bool) -> None:
    """Frees the disk space of deleted documents, and merges all segments.

    With --refit, statistics are counted again on the documents of the index, and all documents are compared again in
    the order of their arrival. This takes as long as adding the documents did, and needs disk space for a second
    index. If the process is stopped, the index is not changed.
    """
    from quchong.cli.printing import say

    with open_index(index) as known:
        before = sum(known.stats().bytes.values())
        after = known.compact(refit=refit)
    if not quiet:
        size = sum(after.bytes.values())
        say(
            "{} now takes {} of disk space; before, it took {}",
            index,
            size_in_words(size, after.documents),
            size_in_words(before, 0),
        )


@click.command(short_help="Check every file of an index for damage.")
@index_argument
@quiet_option
def verify(index: Located, quiet: bool) -> None:
    """Reads every file of INDEX, and lists the damaged files and the data that is lost. If a file is damaged, the
    exit code is 5. Nothing is written.
    """
    from quchong.api.index import Index

    check_is_index(index)
    found = Index.verify_folder(index)
    if found:
        print_problems(found)
        raise RunError(
            "{} is damaged, as listed: quchong index repair {} keeps the documents that can still be read, or "
            "says that you need a backup",
            index,
            shell_word(index),
        )
    if not quiet:
        _say_undamaged(index)


@click.command(short_help="Keep the undamaged part of an index.")
@index_argument
@quiet_option
def repair(index: Located, quiet: bool) -> None:
    """Keeps the undamaged part of INDEX, and rebuilds what can be rebuilt. Prints what was damaged and what is lost.

    The exit code is 5 if documents are lost. INDEX itself is then undamaged, but you must add these documents
    again.
    """
    from quchong.api.index import Index

    check_is_index(index)
    found = Index.repair_folder(index)
    is_lost = any(one.lost for one in found)
    if found:
        print_problems(found, repaired=is_lost)
    if not quiet:
        _say_undamaged(index)
    if is_lost:
        raise RunError(
            "{} is repaired, but documents are lost, as listed: add them again, or restore a backup. The old "
            "contents are stored next to the index",
            index,
        )


def _say_undamaged(index: Located) -> None:
    from quchong.cli.printing import say

    with open_index(index, read_only=True) as known:
        say("{} is undamaged: {:,} documents", index, len(known))


def print_problems(found: Sequence[Problem], repaired: bool = False) -> None:
    """Print damaged files, each with the reason and what is lost because of it.

    Args:
        repaired: whether something is lost after a repair; then only lines that say what it is tell of loss.
    """
    from quchong.cli.printing import say
    from quchong.report.visible import Shown, shown_name

    for one in found:
        reason, lost = (Shown(shown_name(_spoken(text), 1000)) for text in (one.reason, one.lost))
        if one.lost:
            say("{}: {}; lost: {}", one.file, reason, lost)
        elif repaired:
            say("{}: {}", one.file, reason)
        else:
            say("{}: {}; nothing is lost", one.file, reason)


def _spoken(text: str) -> str:
    """Return a reason in the language that is spoken, with calls as they are typed here."""
    from quchong.languages import retold

    return QuchongError("{}", text).render_message(str) if isinstance(text, Message) else retold(text)


@click.command(short_help="Copy an index while it is in use.")
@index_argument
@click.argument("copy", type=click.Path(path_type=Path))
@quiet_option
def backup(index: Located, copy: Path, quiet: bool) -> None:
    """Copies INDEX to the folder COPY, which must not exist. Other processes may add documents during the copy."""
    from quchong.cli.printing import say

    if copy.suffix.lower() in _ARCHIVES:
        folder = copy.name.lstrip(".").partition(".")[0] or "copy"
        raise UsageError("{} is the name of a file, but the copy of an index is a folder: give a folder, such as {}", copy,
                         f"{copy.with_name(folder)}/")  # fmt: skip
    with open_index(index, read_only=True) as known:
        known.backup(copy)
    if not quiet:
        say("written to {}", copy)


@click.command(short_help="Write the documents of an index as a run folder.")
@index_argument
@click.option(
    "-o", "--output", "out", type=click.Path(path_type=Path), required=True, help="Folder to write the run to."
)
@click.option("--overwrite", is_flag=True, help="Replace an earlier run in the output folder.")
@quiet_option
def export(index: Located, out: Path, overwrite: bool, quiet: bool) -> None:
    """Writes all documents of INDEX as a run folder, with the decisions that `quchong dedup` makes over all of them."""
    from quchong.cli.printing import say

    with open_index(index, read_only=True) as known:
        known.export(out, overwrite=overwrite)
    if not quiet:
        say("written to {}", out)


@click.command(short_help="Convert an index of an earlier version to this version.")
@index_argument
@quiet_option
def migrate(index: Located, quiet: bool) -> None:
    """Converts an index that an earlier version of quchong wrote to the format of this version. The new index
    replaces the old one only when it is complete.
    """
    from quchong.api.index import Index
    from quchong.cli.printing import say
    from quchong.engines.index.settings import FORMAT

    before = Index.migrate(index)
    if not quiet and before == str(FORMAT):
        say("{} already has format {}, the format of this version: nothing was changed", index, before)
    elif not quiet:
        say("{} had format {} and was converted to the format of this version", index, before)


def _ids_in(file: Path, index: Located) -> list[str]:
    """Return the ids in a file of UTF-8 text, one a line; `index` is that of the command, for messages.

    Raises:
        InputError: the file cannot be read.
    """
    from quchong.outputs import check_regular

    try:
        check_regular(file, pipes=True)
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        if not os.path.lexists(file) and not file.suffix and "/" not in str(file):  # an id, not the name of a file
            raise UsageError(
                "{} takes a file of ids, and there is no file {}: give an id without an option, {}",
                Shown("--ids"), file, Shown(f"quchong index delete {shell_word(index)} {shell_word(file)}"),
            ) from error  # fmt: skip
        raise InputError(
            "--ids {} cannot be read: {}; give UTF-8 text, one id per line", file, reason_of(error)
        ) from error
    ids = [line.strip() for line in lines if line.strip()]
    if ids and ids[0].startswith("{") and ids[0].endswith("}"):
        raise UsageError(
            "{} has JSON lines, but {} takes one id per line: make such a file, for example with {}",
            file, Shown("--ids"), Shown(f"jq -r .id {shell_word(file)} > ids.txt"),
        )  # fmt: skip
    return ids

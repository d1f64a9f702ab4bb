"""Command `quchong inspect`: what a method sees in a document, and how it decides about two."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.index_opening import id_among, is_index, open_index
from quchong.cli.options import body_option, language_option, texts_option
from quchong.cli.parameters import USUAL, MethodCommand, method_options
from quchong.cli.texts import called, check_no_method, file_or_text, one_document, two_documents
from quchong.errors import InputError, Param, UsageError
from quchong.languages import language

if TYPE_CHECKING:
    from quchong.api import Inspection
    from quchong.plan.request import Body

GROUPS = {
    "What is inspected": ("run", "index", "method", *USUAL, "facts", "settings", "social", "body", "texts"),
    "Output": ("out", "overwrite", "most", "chars", "lang", "as_json"),
}
MANIFEST = "run.json"
"""Name of the file by which a folder is recognised as a run."""


@click.command(
    cls=MethodCommand, groups=GROUPS, short_help="Show what a method compares in one or two texts, and how it decides."
)
@click.argument("documents", nargs=-1, required=True)
@click.option("--run", type=click.Path(path_type=Path), help="Run folder that has the DOCUMENTS; they are named by id.")
@click.option("--index", type=click.Path(path_type=Path),
              help="Index that has the DOCUMENTS; a text that is not in it is read with the settings of the index.")  # fmt: skip
@click.option(
    "--method",
    metavar="NAME",
    help="Method used for the search; `quchong methods` lists all.  [default: hybrid, or the method of the run]",
)
@click.option(
    "--social",
    metavar="NAMES",
    help="Parts of posts to ignore; see `quchong dedup --help`.  [default: all for short-text, else none]",
)
@body_option
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(path_type=Path),
    help=("HTML file to write, instead of printing the result."),
)
@click.option("--overwrite", is_flag=True, help="Replace an earlier page; other files are never replaced.")
@click.option(
    "--most", type=click.IntRange(1), default=20, show_default=True, help="Number of features listed of each kind."
)
@click.option("--chars", type=click.IntRange(1), default=600, show_default=True, help="Characters shown of each text.")
@language_option
@click.option("--json", "as_json", is_flag=True, help="JSON: every feature with its position, every test.")
@texts_option
@method_options(*USUAL, "facts")
def command(
    documents: tuple[str, ...], run: Path | None, index: Path | None, method: str | None, social: str | None, body: Body, out: Path | None,
    overwrite: bool, most: int, chars: int, texts: tuple[Path, ...], as_json: bool, parameters: dict[str, Any],
) -> None:  # fmt: skip
    """Shows what a method compares in one or two DOCUMENTS: its features, their offsets, and which of them are
    used. For two documents it also shows the common features, and every test and score that leads to the decision,
    as in `quchong dedup`.

    DOCUMENTS are files of plain text or web pages (.html), or ids in a run: RUN ID, or RUN/ID. With --index, or after
    the folder of an index, they are ids in that index, or files. A string that cannot be a file name (more than 255
    bytes, or with a line break) is a text. Words with blanks, and Chinese words, are a text if no file has that name.
    A method that needs statistics takes them from the run or the index. For files it takes them from --statistics;
    without that option it counts only these documents.
    """
    from quchong.cli.colours import paint
    from quchong.cli.printing import columns, highlight, say, say_json
    from quchong.report.visible import Shown
    from quchong.views.inspection import listing

    if index is None and run is None and len(documents) > 1 and is_index(Path(documents[0])):
        index, documents = Path(documents[0]), documents[1:]
    elif index is None and run is None and len(documents) > 1 and os.path.isfile(Path(documents[0], "run.json")):
        run, documents = Path(documents[0]), documents[1:]
    if len(documents) > 1 and method is None:
        check_no_method("inspect", documents)
    if len(documents) > 2:
        raise UsageError("inspect takes one or two documents, but got {}: give at most two", len(documents))
    if as_json and out is not None:
        raise UsageError("--json prints the result, and --output writes a web page: give only one of them")
    if overwrite and out is None:
        raise UsageError("--overwrite can only be used with --output: name the file to write")
    if index is not None and run is not None:
        raise UsageError("--run and --index: give only one of them")
    if index is None:
        run, documents = _in_run(run, documents)
        if run is not None and is_index(run):
            run, index = None, run
    if texts and run is None:
        raise UsageError("{} looks for the texts of a run folder, but no run folder is given", Param("texts"))
    if index is not None:
        found = _of_index(index, documents, method, parameters, social, body)
    elif run is not None:
        found = _of_run(run, documents, method, parameters, social, body, texts)
    else:
        found = _of_files(documents, method or "hybrid", parameters, social, body)
    if out is not None:
        found.save(out, lang=language(), overwrite=overwrite)
        say("written to {}", out)
    elif as_json:
        say_json(found.to_dict())
    else:
        shown = listing(
            found.seen, language(), most=most, shown=chars, columns=columns(), paint=paint(), mark=highlight()
        )
        say("{}", Shown(shown))


def _in_run(run: Path | None, documents: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """Return the run and the ids in it if the first document is RUN/ID; the second may be an id, or RUN/ID of the same
    run. The run is None for files.
    """
    if run is not None:
        return run, documents
    split = [_split(one) for one in documents]
    folder = split[0][0]
    if folder is None:
        if len(split) == 2 and split[1][0] is not None and not os.path.isfile(documents[1]):
            raise UsageError(
                "{} is a document of a run, but {} is not: give two files, or two documents of a run",
                documents[1],
                documents[0],
            )
        return None, documents
    ids = []
    for given, (other, doc_id) in zip(documents, split, strict=True):
        if other is not None and other.resolve() != folder.resolve():
            raise UsageError("{} and {} belong to different runs: give two documents of one run", given, documents[0])
        ids.append(given if other is None else doc_id)
    return folder, tuple(ids)


def _split(argument: str) -> tuple[Path | None, str]:
    """Split an argument RUN/ID into run folder and id; the folder is None if there is no such run, or if the argument names a file."""
    if isinstance(given := file_or_text(argument), str) or os.path.isfile(given):
        return None, argument
    for at in (k for k, c in enumerate(argument) if c == "/" and 0 < k < len(argument) - 1):
        folder = Path(argument[:at])
        if os.path.isfile(folder / MANIFEST) or is_index(folder):
            return folder, argument[at + 1 :]
    return None, argument


def _of_run(
    run: Path, ids: tuple[str, ...], method: str | None, parameters: dict[str, Any], social: str | None, body: str,
    texts: tuple[Path, ...],
) -> Inspection:  # fmt: skip
    from quchong.api import load

    if social is not None or body != "main":
        raise UsageError("--social and --body are for files: documents of a run are read with the settings of the run")
    return load(run, texts=texts).inspect(ids[0], *ids[1:], method=method, **parameters)


def _of_index(
    folder: Path,
    documents: tuple[str, ...],
    method: str | None,
    parameters: dict[str, Any],
    social: str | None,
    body: Body,
) -> Inspection:
    from quchong.api.index_ids import advice_on_id
    from quchong.api.index_inspection import inspect_indexed

    if social is not None or body != "main":
        raise UsageError(
            "--social and --body are for files: documents of an index are read with the settings of the index"
        )
    with open_index(folder, read_only=True) as index:
        given = []
        for number, one in enumerate(documents):
            known = id_among(index, one)
            text = "" if known is not None else file_or_text(one)
            if isinstance(text, Path) and not os.path.isfile(text):
                raise InputError("{} has no document {!r}, and there is no file of that name: {}", folder, one,
                                 advice_on_id(index, one))  # fmt: skip
            given.append((one if known is not None else called(text, number), known, text))
        return inspect_indexed(index, given, method, parameters)


def _of_files(
    documents: tuple[str, ...], method: str, parameters: dict[str, Any], social: str | None, body: Body
) -> Inspection:
    from quchong.api import inspect
    from quchong.api.inspection import Inspection
    from quchong.plan.catalogue import build

    given = two_documents(*documents) if len(documents) == 2 else (one_document(documents[0]),)
    for one in given:
        if isinstance(one, Path) and os.path.isdir(one):
            raise InputError("{} is a folder: give a text or a web page, or a document of a run as {}/ID", one, one)
    found = inspect(*given, method=build(method, parameters), social=social, body=body)
    names = tuple(called(one, number) for number, one in enumerate(given))
    return Inspection(_renamed(found, names), found.read)


def _renamed(found: Inspection, names: tuple[str, ...]) -> Any:
    """Rename the documents of an inspection: files as on the command line, texts by their position."""
    from dataclasses import replace

    return replace(found.seen, names=names)

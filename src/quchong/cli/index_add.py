"""Commands `quchong index add` and `quchong index query`: what the index knows of documents as they arrive."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.index_opening import Located, index_argument, open_index
from quchong.cli.interrupt import INTERRUPTED
from quchong.cli.reporting import FAILED, kinds_of, progress_option
from quchong.errors import UsageError
from quchong.languages import Message, language

if TYPE_CHECKING:
    from quchong.cli.index_input import Incoming
    from quchong.cli.index_lines import Tally
    from quchong.cli.progress import Bars, Lines, Quiet
    from quchong.engines.index.answers import Answer

KINDS = ("found", "bad")
"""Values of --fail-on: `found`, documents that are not new; `bad`, records that cannot be read."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_OPTIONS: tuple[Decorator, ...] = (
    index_argument,
    click.argument("inputs", nargs=-1, required=True),
    click.option("--json", "as_json", is_flag=True, help="JSON, one object per line: each document with all its matches."),
    click.option("--only-known", is_flag=True, help="With --json: leave out documents that are new."),
    click.option("--passages", is_flag=True, help="With --json: also print the passages that both texts share."),
    click.option("--fail-on", metavar="KINDS", default="",
                 help=f"End with exit code {FAILED} if any of these occurs: found (a document that is not new), bad (records)."),
    click.option("-q", "--quiet", is_flag=True, help=(
        "Print no lines and no summary; with --json, leave out only the summary."
    )),
    progress_option,
)  # fmt: skip


def _shared_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(short_help="Add documents, and print the earlier documents that each one copies.")
@_shared_options
def add(index: Located, inputs: tuple[str, ...], **options: Any) -> None:
    """Adds the documents of INPUTS to INDEX. Prints a line for each document that is not new: the document it
    copies, the score, the differences, and whether it is removed.

    INPUTS are files as for `quchong dedup`, or - for JSON lines from standard input; each line is answered when it
    arrives. A document is stored before its answer is printed. Ctrl-C ends the command with a summary, and the next
    call continues from there.
    """
    _answer(index, inputs, adding=True, **options)


@click.command(short_help="Print which documents are copies, without adding them.")
@_shared_options
def query(index: Located, inputs: tuple[str, ...], **options: Any) -> None:
    """Prints what `add` would print about the documents of INPUTS, but adds nothing. These documents are not
    compared with each other.

    Any number of processes can query an index while another process adds documents.
    """
    _answer(index, inputs, adding=False, **options)


def _answer(
    folder: Located, inputs: tuple[str, ...], *, adding: bool, as_json: bool, only_known: bool, passages: bool, fail_on: str, quiet: bool,
    progress: bool,
) -> None:  # fmt: skip
    from quchong.cli.index_input import read_incoming
    from quchong.cli.index_lines import Tally, print_tally
    from quchong.cli.stopping import Stop
    from quchong.runs.nothing_read import check_stream

    for flag, given in (("--only-known", only_known), ("--passages", passages)):
        if given and not as_json:
            raise UsageError("{} applies only with --json: add --json, or leave out the option", flag)
    failing, tally, stop, code = kinds_of(fail_on, KINDS), Tally(), Stop(), 0
    told: list[Message] = []
    report = _json_reporter(only_known=only_known) if as_json else _line_reporter(quiet=quiet)
    with open_index(folder, read_only=not adding) as index:

        def answer(given: Any) -> Any:
            """Add documents to the index, or query it for them; return the answers. Documents without an id get numbers."""
            return (
                index.add(given, passages=passages)
                if adding
                else index.query(given, passages=passages, first=tally.answered)
            )

        watch = _watch(quiet=quiet, progress=progress)
        plan = index.plan_for(())
        within, paged = plan.scope.within is not None, index.is_used
        with stop.installed():
            try:
                watch.stage("add documents" if adding else "ask about documents", None, "documents")
                for arrived in read_incoming(index, inputs, stop):
                    _take(arrived, answer, tally, report, within=within)
                    paged |= arrived.has_pages
                    if not quiet and not told and (told := index.columns_found()):
                        tell_columns(told)
                    watch.advance(len(arrived.given))
            except KeyboardInterrupt:
                code = INTERRUPTED
            except BrokenPipeError:  # nobody reads on: what was added is stored
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                sys.exit(0)
            finally:
                watch.close()
        if not quiet:
            if adding and not paged and tally.answered:
                _tell_unmet(plan.pages)
            print_tally(tally, added=adding, documents=len(index), err=as_json)
    if code:
        sys.exit(code)
    check_stream(tally.read, tally.bad)
    sys.exit(_ending(tally, failing))


def tell_columns(remarks: Sequence[Message]) -> None:
    """Print which columns are read under usual names, from the first documents on."""
    from quchong.cli.printing import say

    for remark in remarks:
        say("{}", remark, err=True)


def _tell_unmet(pages: str | None) -> None:
    """Print that no record has the column of pages that the index was made for, unless it is the usual one."""
    from quchong.cli.printing import say_note
    from quchong.io.missing_columns import empty_column
    from quchong.io.page_documents import USUAL

    if pages not in (None, USUAL):
        say_note(empty_column("html", str(pages)))


def _watch(*, quiet: bool, progress: bool) -> Bars | Lines | Quiet:
    """Return the progress to show: no bars between the lines of answers on a terminal."""
    from quchong.cli.progress import Lines, Quiet, watcher

    if not quiet and sys.stdout is not None and sys.stdout.isatty():
        return Lines() if progress else Quiet()
    return watcher(quiet, lines=progress)


def _take(
    arrived: Incoming, asked: Callable[[Any], Any], tally: Tally, report: Callable[[Answer], None], *, within: bool
) -> None:
    """Send the arrived records to the index, print each answer, and count answers and bad records in `tally`."""
    for location, reason in arrived.bad:
        tally.refuse(arrived.name, location, reason)
    if not arrived.given:
        return
    answers = asked(arrived.given)
    for one in answers.bad:
        tally.refuse(arrived.name, arrived.locations[one.place], one.reason)
    tally.count(answers)
    tally.count_undated(answers, within=within)
    for answer in answers:
        report(answer)
    if sys.stdout is not None:
        sys.stdout.flush()


def _json_reporter(*, only_known: bool) -> Callable[[Answer], None]:
    from quchong.cli.printing import say_json

    def report(answer: Answer) -> None:
        if not (only_known and answer.new):
            say_json(answer.as_dict())

    return report


def _line_reporter(*, quiet: bool) -> Callable[[Answer], None]:
    from quchong.cli.index_lines import answer_line
    from quchong.cli.printing import say

    speaking = language()

    def report(answer: Answer) -> None:
        if not quiet and not answer.new:
            say("{}", answer_line(answer, speaking))

    return report


def _ending(tally: Tally, failing: tuple[str, ...]) -> int:
    """Return the exit code that --fail-on asks for, with a message on standard error; 0 if it asks for none."""
    from quchong.cli.printing import say

    known = tally.answered - tally.new
    found = [Message("{:,} documents are not new", known)] if "found" in failing and known else []
    found += [Message("{:,} records cannot be read", tally.bad)] if "bad" in failing and tally.bad else []
    for one in found:
        say("quchong: --fail-on: {}; all other documents were answered", one, err=True)
    return FAILED if found else 0

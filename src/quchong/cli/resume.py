"""Command `quchong resume`: continue an interrupted run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from quchong.cli.reporting import fail_option, log_option, progress_option, quiet_option, summary_option
from quchong.errors import RunError, shell_word
from quchong.languages import join_names
from quchong.report.visible import Shown


def _nothing_to_resume(run: Path, work: Path | None) -> RunError:
    """Return the error about a run without unfinished work: what can be resumed here, or how the run is begun."""
    from quchong.cli.index_opening import is_index
    from quchong.cli.preview import free_folder

    if os.path.isfile(run):
        line = Shown(f"quchong dedup {shell_word(run)} -o {free_folder([])}")
        return RunError("{} is a file, and a run is a folder: to begin a run, use {}", run, line)
    if is_index(run):
        return RunError(
            "{} is an index, which does not need to be resumed: add all documents again; documents already "
            "stored are skipped",
            run,
        )
    begun = [] if work else [one.name[1 : -len(_WORK)] for one in sorted(run.absolute().parent.glob(f".*{_WORK}"))]
    if begun:
        lines = join_names(f"quchong resume {shell_word(run.parent / name)}" for name in begun[:_NAMED])
        return RunError(
            "there is no stopped run to continue in {}; to resume the run that was stopped here, use {}",
            run,
            Shown(lines),
        )
    if work:
        return RunError("there is no stopped run to continue in {}: give the command that started the run again", run)
    return RunError(
        "there is no stopped run to continue in {}: give the command that started the run again, or, if it had "
        "--work, name that folder with --work",
        run,
    )


_WORK = ".quchong-work"
"""Ending of the hidden folders of unfinished work."""
_NAMED = 3
"""Number of unfinished runs that an error names at most."""


@click.command(short_help="Resume a run that was stopped.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--work", "--work-dir", "work", metavar="FOLDER", type=click.Path(path_type=Path),
              help="Folder of intermediate files: the folder that the stopped run used with --work.")  # fmt: skip
@click.option("--memory", metavar="SIZE", help="Memory to use, if it should differ from the first command.")
@click.option("--workers", type=int, metavar="N", help="Number of threads, if it should differ from the first command.")
@quiet_option
@summary_option
@progress_option
@log_option
@fail_option
def command(run: Path, work: Path | None, memory: str | None, workers: int | None, quiet: bool, **printed: Any) -> None:
    """Resumes the interrupted run that was writing RUN, with the same inputs and options.

    quchong resumes only a run that you started yourself on this machine. For any other run it shows the command, and
    you can enter the command yourself.

    Finished stages are not repeated, and the output is the same as without the interruption. If the input has
    changed, or the run was started from Python, enter the command again yourself: the run then starts from the
    beginning.
    """
    from quchong.cli.dedup import command as dedup
    from quchong.cli.printing import say
    from quchong.cli.request import command_of, context_of, shown
    from quchong.io.files.addresses import path_of
    from quchong.runs.command_line import going_on, made_by
    from quchong.runs.layout import is_run
    from quchong.runs.seal import is_own_work
    from quchong.work import about_work, work_folder

    run = path_of(run)
    place = work_folder(run, work)
    about = about_work(place)
    if about is None or "request" not in about:
        if is_run(run):
            raise RunError(
                "{} is a finished run, so it cannot be resumed; to look at it, use {}",
                run,
                Shown(f"quchong report {shell_word(run)}"),
            )
        raise _nothing_to_resume(run, work)
    with context_of(dedup, about, run.absolute(), None if work is None else work.absolute()) as ctx:
        changed = {"memory": memory, "workers": workers, "quiet": quiet or None}
        changed |= {name: value or None for name, value in printed.items()}
        given = command_of(ctx)
        if not is_own_work(about):
            raise RunError(
                "the unfinished work of {} may belong to somebody else, so no file that it names is read. If "
                "the following command is yours, run it in {} to continue the work: {}",
                run,
                about["folder"],
                shown(["quchong", *given]),
            )
        if log := printed["log_file"]:
            changed["log_file"] = log.absolute()
        ctx.params.update({name: value for name, value in changed.items() if value is not None})
        say("resuming: {}", shown(["quchong", *given]), err=True)
        try:
            os.chdir(about["folder"])
        except OSError as error:
            raise RunError(
                "{} was started in {}, but that folder cannot be entered: give the command of that run again",
                run,
                about["folder"],
            ) from error
        with made_by(given), going_on(place, about["key"]):
            dedup.invoke(ctx)

"""Command `quchong resume`: continue an interrupted run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from quchong.cli.reporting import fail_option, log_option, progress_option, quiet_option, summary_option
from quchong.errors import RunError


@click.command(short_help="Resume a run that was stopped.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--work", "--work-dir", "work", metavar="FOLDER", type=click.Path(path_type=Path),
              help="The folder for intermediate files, if the run had one.")  # fmt: skip
@click.option("--memory", metavar="SIZE", help="Memory to use, if not the same as before.")
@click.option("--workers", type=int, metavar="N", help="Number of threads, if not the same as before.")
@quiet_option
@summary_option
@progress_option
@log_option
@fail_option
def command(run: Path, work: Path | None, memory: str | None, workers: int | None, quiet: bool, **printed: Any) -> None:
    """Resumes the interrupted run that was writing RUN, with the same inputs and options and nothing else.

    Only a run that your own command began on this machine is resumed; for any other, the command is shown for you
    to give yourself.

    Finished stages are not repeated, and the output is the same as without the interruption. If the input has
    changed since, or the run was started from Python, give its command yourself: the run then begins anew.
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
            raise RunError("{} is a finished run: there is nothing to resume", run)
        raise RunError(
            "no unfinished work is kept for {}: give its command again"
            if work
            else (
                "no unfinished work is kept for {}: give its command again, or name the folder that was given as --work"
            ),
            run,
        )
    with context_of(dedup, about, run.absolute(), None if work is None else work.absolute()) as ctx:
        changed = {"memory": memory, "workers": workers, "quiet": quiet or None}
        changed |= {name: value or None for name, value in printed.items()}
        given = command_of(ctx)
        if not is_own_work(about):
            raise RunError(
                "the unfinished work of {} does not prove that your own command began it, so no file that it "
                "names is read; if you want to give this command yourself, do so in {}, and it continues: {}",
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
                "{} was begun in {}, which cannot be entered: give its command again", run, about["folder"]
            ) from error
        with made_by(given), going_on(place, about["key"]):
            dedup.invoke(ctx)

"""quchong resume: go on with a run that was stopped."""

from __future__ import annotations

import os
from pathlib import Path

import click

from quchong.errors import RunError


@click.command(short_help="Go on with a run that was stopped.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--work", "--work-dir", "work", metavar="FOLDER", type=click.Path(path_type=Path),
              help="The folder for intermediate files, where the run was given one.")  # fmt: skip
@click.option("--memory", metavar="SIZE", help="Another size than before.")
@click.option("--workers", type=int, metavar="N", help="Another number of threads than before.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(run: Path, work: Path | None, memory: str | None, workers: int | None, quiet: bool) -> None:
    """Gives the command again that was writing RUN when it was stopped, in the folder it was given in.

    Stages that were done are not done again, and the output is the same as if nothing had happened. Where the input has changed
    since, or the run came from Python, the run begins anew: give its command yourself.
    """
    from quchong.cli.dedup import command as dedup
    from quchong.cli.printing import say
    from quchong.runs.command import made_by
    from quchong.runs.layout import is_run
    from quchong.work import about_work, work_folder

    about = about_work(work_folder(run, work))
    given = (about or {}).get("command")
    if about is None or not isinstance(given, list) or given[:1] != ["dedup"]:
        if is_run(run):
            raise RunError("{} is a finished run: there is nothing to resume", run)
        raise RunError(
            "no work of a stopped run is kept for {}: give its command again"
            if work
            else "no work of a stopped run is kept for {}: give its command again, or name the folder that was given as --work",
            run,
        )
    arguments = [str(word) for word in given[1:]]
    changed = {"memory": memory, "workers": workers, "quiet": quiet or None}
    say("going on with: quchong dedup {}", " ".join(arguments), err=True)
    os.chdir(about["folder"])
    with made_by(given), dedup.make_context("dedup", arguments) as ctx:
        ctx.params.update({name: value for name, value in changed.items() if value is not None})
        dedup.invoke(ctx)

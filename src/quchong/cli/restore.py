"""quchong restore: removed rows put back."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="Put removed rows of a run back.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1)
@click.option("--relation", "relations", multiple=True, help="All that went by this relation. May be given again.")
@click.option("--rule", "rules", multiple=True, help="All that went by this rule of the ledger. May be given again.")
@click.option("--all", "everything", is_flag=True, help="All that went.")
def command(
    run: Path, ids: tuple[str, ...], relations: tuple[str, ...], rules: tuple[str, ...], everything: bool
) -> None:
    """Puts the documents in IDS, or all that went by a relation or rule, back among the kept rows of RUN.

    They stand where they stood in the input. The ledger and the counts no longer list them as removed; restored.jsonl
    in the run folder tells what they had been removed for.
    """
    from quchong.pipeline.restore import restore

    done = restore(run, ids, relations=relations, rules=rules, everything=everything)
    if not done.ids:
        click.echo(f"{run} holds no such removed row: nothing was changed")
        return
    click.echo(f"put back {len(done.ids):,} {'row' if len(done.ids) == 1 else 'rows'}")
    for file, rows in done.files.items():
        click.echo(f"  {rows:,} into {run / file}")

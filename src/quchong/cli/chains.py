"""Command `quchong chains`: who copied whom."""

from __future__ import annotations

from pathlib import Path

import click

from quchong.cli.options import texts_option
from quchong.languages import language


@click.command(short_help="Show who copied whom: first publisher, order, sources, changes.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1)
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(path_type=Path),
    help="File to write: .xlsx or .csv for people, .jsonl or .parquet for programs.",
)
@click.option("--overwrite", is_flag=True, help="Replace an earlier file of chains.")
@click.option("--time-key", "time", metavar="NAME", help="Column of the time.  [default: as in the run]")
@click.option("--source-key", "source", metavar="NAME", help="Column of the publisher.  [default: as in the run]")
@click.option(
    "--title-key", "title", metavar="NAME", help="Column of the title.  [default: a usual name, such as headline]"
)
@click.option("--link-key", "link", metavar="NAME", help="Column of the address.  [default: a usual name, such as url]")
@click.option(
    "--time-zone",
    metavar="ZONE",
    help=("Time zone (such as Asia/Shanghai) of times that do not state their time zone."),
)
@click.option(
    "--least",
    type=click.IntRange(2),
    default=2,
    show_default=True,
    help="List only chains of at least this many documents.",
)
@click.option("--show", type=click.IntRange(1), default=10, show_default=True, help="Number of chains listed.")
@click.option("--json", "as_json", is_flag=True, help="JSON, one object per line: all rows.")
@texts_option
@click.option("--workers", type=int, metavar="N", help="Threads.  [default: all]")
def command(
    run: Path, ids: tuple[str, ...], out: Path | None, overwrite: bool, time: str | None, source: str | None,
    title: str | None, link: str | None, time_zone: str | None, least: int, show: int,
    texts: tuple[Path, ...], as_json: bool, workers: int | None,
) -> None:  # fmt: skip
    """Shows, for groups of near-copies in the run folder RUN, who published first, in which order the others
    followed, the likeliest source of each copy, and what the copy changed. Roundups and digests of several articles
    are marked. Issues of a series on one template, such as daily bulletins, are listed last, because none is a copy
    of another.

    With IDS, only the chains of these documents are shown. Chains with the most documents come first; -o and --json
    give all chains. A workbook (.xlsx) has a row for each reprint, and a sheet with a summary by medium; for a .csv
    file the summary is in NAME.media.csv.
    """
    from quchong.api import load
    from quchong.cli.printing import paragraph, say, say_left_alone, say_line
    from quchong.report.chains import chain_lines, counted, dated_by_link, not_listed, untimed
    from quchong.report.reprints import by_chain
    from quchong.results.chain_files import chain_files, each_line, flat
    from quchong.results.chains import DATED_BY_LINK

    lang = language()
    result = load(run, texts=texts)
    table = result.chains(
        ids, time=time, source=source, title=title, link=link, time_zone=time_zone, out=out, overwrite=overwrite, workers=workers
    )  # fmt: skip
    say_left_alone(result.left_alone)
    if as_json:
        each_line(table, say_line)
        return
    rows = flat(table)
    paragraph(counted(rows, lang))
    if rows and all(row["published"] is None for row in rows):
        name = result.manifest["config"]["time_key"] if time is None else time
        paragraph(untimed(name, lang))
    if dated := int((table.schema.metadata or {}).get(DATED_BY_LINK, 0)):
        paragraph(dated_by_link(dated, lang))
    if out is not None:
        for path in chain_files(out):
            say("written to {}", path)
        return
    # reprints by their number; series are none, so they come last
    long = [(one, series) for one, series in by_chain(rows) if len(one) >= least]
    long.sort(key=lambda one: (one[1], -len(one[0])))
    for one, _ in long[:show]:
        say("")
        for indent, line in chain_lines(one, lang):
            paragraph(line, " " * indent)
    if len(long) > show:
        say("\n{}", not_listed(len(long) - show, len(long), lang))

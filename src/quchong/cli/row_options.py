"""Options of `dedup` on how rows are written: ids alone, shards, compression, weights of sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

PACKINGS = ("none", "bz2", "gz", "xz", "zst")
"""Compressions of text files of rows: `quchong.io.files.written_form.PACKINGS`, repeated so that a help need not load PyArrow."""
ROWS = ("ids_only", "shard_size", "compress", "parquet", "add_columns")
"""Parameters on how rows are written, in the order of a help."""
_OPTIONS: tuple[Decorator, ...] = (
    click.option("--ids-only", is_flag=True, help="Write kept_ids.parquet (ids) without rows."),
    click.option("--shard-size", metavar="SIZE", help=(
        "Write the rows as numbered files of at most this size before compression: 500MB."
    )),
    click.option("--compress", type=click.Choice(PACKINGS), help=(
        "Compression of the rows if they are written as text.  [default: as in the input]"
    )),
    click.option("--parquet", metavar="NAME=VALUE,...",
                 help="Parquet files of rows: compression=zstd,level=3,row-group=128MB.  [default: as in the input]"),
    click.option("--add-columns", metavar="NAMES", default="",
                 help="Columns added to kept rows: copies, sources, first_seen, last_seen."),
)  # fmt: skip


MIX = ("mix", "mix_seed")
"""Parameters on how often rows are to be read, in the order of a help."""
_MIX_OPTIONS: tuple[Decorator, ...] = (
    click.option("--mix", metavar="NAME=VALUE,...",
                 help="Number of times that training reads each source: news=2,web=0.5 (* for all others), or a "
                      "file of such weights."),
    click.option("--mix-seed", type=int, metavar="N", default=0,
                 help="Seed for the draw by which --mix rounds fractional weights up or down in each row."),
)  # fmt: skip


def row_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options in `ROWS` and `MIX` to a command."""
    for option in reversed(_OPTIONS + _MIX_OPTIONS):
        command = option(command)
    return command

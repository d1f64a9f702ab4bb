"""Command `quchong index create`: an empty index, or one of a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from quchong.cli.deciding_options import COMPARED, KEPT, deciding_options
from quchong.cli.index_opening import IndexLocation, Located, index_argument
from quchong.cli.options import OneName, column_options, is_given, named_files
from quchong.cli.parameters import USUAL, VALUE, MethodCommand, method_options
from quchong.cli.reporting import quiet_option
from quchong.errors import UsageError, shell_word
from quchong.languages import join_names
from quchong.report.visible import Shown

GROUPS = {
    "The index": ("from_run", "fit", "store", "sync", "shadow"),
    "What is compared": ("method", *USUAL, "settings", *COMPARED),
    "What is kept": ("keep", "relations", "facts", *KEPT[2:]),
    "Input": ("text", "html", "body", "id", "time", "source"),
    "Output": ("quiet",),
    "Environment": ("workers",),
}
OF_INDEX = ("from_run", "fit", "store", "sync", "shadow", "workers", "quiet")
"""Options that go with --from; all others are settings of the run."""


@click.command("create", cls=MethodCommand, groups=GROUPS, short_help="Make an index, empty or from a run.")
@index_argument
@click.option("--from", "from_run", metavar="RUN", type=IndexLocation(),
              help=(
                  "Make the index from a run folder (its method, options, statistics and kept documents) or "
                  "from another index (all its documents)."
              ))  # fmt: skip
@click.option("--fit", metavar="PATH", multiple=True, type=click.Path(),
              help=(
                  "Corpus from which the index computes statistics and templates; documents that are added "
                  "later do not change them (repeatable)."
              ))  # fmt: skip
@click.option("--store", type=click.Choice(["text", "features", "none"]), default="text", show_default=True,
              help="What to store for each document: its text, only the features that are compared, or only keys.")  # fmt: skip
@click.option("--sync", metavar="WHEN", default="each", show_default=True,
              help=(
                  "When added documents are written to disk, safe from a power cut: before each answer (each), "
                  "within a time such as 250ms, or when the system writes them (none)."
              ))  # fmt: skip
@click.option("--shadow", metavar="NAME=VALUE", multiple=True,
              help=(
                  "Parameters for a second (shadow) decision on each document, such as threshold=0.7 or "
                  "method=minhash, separated by commas (repeatable)."
              ))  # fmt: skip
@click.option("--method", metavar="NAME", default="hybrid", show_default=True,
              help="How copies are found; docs/guide/index.md lists the methods that an index can use.")  # fmt: skip
@click.option("--workers", "--num-proc", "--threads", "workers", cls=OneName, type=int, metavar="N",
              help="Threads.  [default: all]")  # fmt: skip
@quiet_option
@deciding_options
@column_options
@method_options(*USUAL, "facts")
@click.pass_context
def command(
    ctx: click.Context, /, index: Located, from_run: Located | None, fit: tuple[str, ...], store: str, sync: str, shadow: tuple[str, ...],
    method: str, parameters: dict[str, Any], workers: int | None, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Makes the folder INDEX. Its settings cannot be changed later: the method and its parameters, the policy, the
    columns, and what is stored.

    INDEX can also be postgresql://user@host/database?index=NAME: an index in PostgreSQL that several processes share.
    The password is read from PGPASSWORD or ~/.pgpass.

    The new index is empty, or --from adds documents to it: the kept documents of a run, or all documents of another
    index. A method with statistics needs a corpus to compute them from: give --fit, --from or --statistics.
    """
    from quchong.api.index import Index
    from quchong.cli.index_add import tell_columns
    from quchong.cli.printing import say
    from quchong.kernels.arrow_start import without_pandas
    from quchong.plan.catalogue import build

    given = {name: value for name, value in options.items() if is_given(ctx, name)}
    if from_run is not None and (theirs := _flags(ctx, (*given, *parameters, *_method_given(ctx), *_fit_given(fit)))):
        raise UsageError(
            "--from takes the settings of the run: leave out {}, or make an empty index", join_names(theirs)
        )
    if isinstance(from_run, Path) and os.path.isfile(from_run):
        place, data = shell_word(index), shell_word(from_run)
        raise UsageError(
            "{} takes a run folder or an index, and {} is a file: create an empty index, then add the file: {}",
            "--from",
            from_run,
            Shown(f"quchong index create {place}; quchong index add {place} {data}"),
        )
    without_pandas()
    settings: dict[str, Any] = {"store": store, "sync": sync, "shadow": _shadow(shadow), "workers": workers, **given}
    if from_run is not None:
        settings["from_run"] = from_run
    else:
        settings["method"] = build(method, parameters)
        settings["fit"] = named_files(fit) or None
    with Index.create(index, **settings) as made:
        count, found = len(made), made.columns_found()
    if not quiet:
        tell_columns(found)
        say("{} has {:,} documents; add to it with quchong index add", index, count)


def _method_given(ctx: click.Context) -> Sequence[str]:
    return ("method",) if is_given(ctx, "method") else ()


def _fit_given(fit: Sequence[str]) -> Sequence[str]:
    return ("fit",) if fit else ()


def _flags(ctx: click.Context, names: Sequence[str]) -> list[str]:
    """Return parameters as they are typed; of a method those without an option of their own as --set."""
    flags = {p.name: p.opts[0] for p in ctx.command.params if isinstance(p, click.Option)}
    return [flags.get(name, f"--set {name}") for name in names]


def _shadow(given: Sequence[str]) -> dict[str, Any] | None:
    """Return the parameters of a shadow by name; a part without an equals sign is added to the value before it.

    Raises:
        UsageError: no name, or one that is given twice.
    """
    out: dict[str, str] = {}
    for text in given:
        last = None
        for part in text.split(","):
            name, sign, value = part.partition("=")
            name = name.strip().replace("-", "_")
            if not sign and last is not None:
                out[last] += f",{part}"
                continue
            if not sign or not name or name in out:
                raise UsageError(
                    "--shadow {!r}: give each parameter once, as name=value, such as threshold=0.7,method=minhash", text
                )
            out[name], last = value, name
    return {name: VALUE.convert(value, None, None) for name, value in out.items()} or None

"""Making of an index: its settings checked, frozen values counted, its folder and that of its shadow made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.api.index_fitting import check_outside, frozen_for, with_columns_of
from quchong.api.index_location import Location, OpenIndex, make_stored, remove_made
from quchong.engines.index.documents import check_texts_kept
from quchong.engines.index.first_stage import check_stage
from quchong.engines.index.kept_tokens import check_store
from quchong.engines.index.placing import MADE, named_when_complete
from quchong.engines.index.settings import STORES, Settings, sync_seconds
from quchong.engines.index.shadow import SHADOW, check_shadow, shadow_plan
from quchong.engines.index.shared.address import StoreAddress
from quchong.engines.index.shared.shared_index import check_shared
from quchong.engines.index.stored import check_can_arrive, make_index
from quchong.errors import Call, OutputError, UsageError, check_choice, index_call, shell_word
from quchong.outputs.free_names import free_name
from quchong.plan.catalogue import kind_of
from quchong.plan.plan import Plan
from quchong.plan.sources import Data
from quchong.results.reopened import unchecked_plan
from quchong.seam import Method


@contextmanager
def made_empty(
    plan: Plan,
    folder: Location,
    store: str,
    sync: str,
    fit: Data | None,
    workers: int | None,
    shadow: Mapping[str, Any],
) -> Iterator[tuple[Location, Plan]]:
    """Make an empty index by a plan; yield where it is during the block, and the plan with the columns of the corpus.

    A folder is hidden during the block, in which documents may be added and must be closed, and gets its name at the end of it.

    Args:
        fit: corpus on which statistics are counted; None for none.
        store, sync, workers, shadow: as of `quchong.Index.create`.

    Raises:
        UsageError: an argument cannot be used.
        OutputError: the folder exists, or cannot be made.
    """
    check_can_arrive(plan)
    if isinstance(folder, Path):
        check_outside(folder)
    check_choice("store", store, STORES)
    check_stage(plan, store)
    check_store(plan, store)
    sync_seconds(sync)
    plan = with_columns_of(replace(plan, differences="all", recall_sample=0), fit)
    settings = Settings(plan, store, sync, shadow=shadow)
    check_shadow(settings)
    if isinstance(folder, StoreAddress):
        check_shared(settings)
    second = shadow_plan(plan, shadow) if shadow else None
    if second is not None:
        check_can_arrive(second)
        check_named(second.method)
    check_named(plan.method)
    values = frozen_for(plan, fit, workers)
    with made_where(folder) as place:
        make_stored(place, settings, *values)
        with or_nothing(place):
            if second is not None and isinstance(place, Path):
                make_index(place / SHADOW, Settings(second, store, sync), *frozen_for(second, fit, workers))
            yield place, plan


@contextmanager
def made_where(place: Location) -> Iterator[Location]:
    """Yield where to make an index: a hidden folder that gets its name when the block ends without error, or the address itself."""
    if isinstance(place, Path):
        if (place / "index.json").is_file():
            adding = Call(f"qc.Index({str(place)!r}).add(...)", f"quchong index add {shell_word(place)} FILE")
            raise OutputError(
                "{} is already an index: add documents with {}, or make another index in a new folder", place, adding
            )
        if place.is_file():
            free = free_name("seen")
            raise OutputError(
                "{} is a file, but an index is a folder: first make the index with {}; then add the file with {}", place, index_call(free),
                Call(f"qc.Index({free!r}).add(Path({str(place)!r}))", f"quchong index add {free} {shell_word(place)}"),
            )  # fmt: skip
        with named_when_complete(place, MADE) as hidden:
            yield hidden
    else:
        yield place


def check_named(method: Method) -> None:
    """Raise UsageError if a method cannot be found again by its name, because it is not registered or another one has the name."""
    try:
        known: type[Any] | None = kind_of(method.name)
    except UsageError:
        known = None
    if known is None:
        raise UsageError(
            "an index stores the name of its method, but method {} is not installed; install the package that "
            "provides the method (docs/guide/methods.md)",
            method.name,
        )
    if known is not type(method):
        raise UsageError(
            "an index stores the name of its method, but {} is also the name of another method; give {} a "
            "different name (docs/guide/methods.md)",
            method.name, type(method).__name__,
        )  # fmt: skip


@contextmanager
def or_nothing(place: Location) -> Iterator[None]:
    """Remove an index that was just made here if the block ends with an error: of what could not be made nothing is left."""
    try:
        yield
    except BaseException:
        remove_made(place)
        raise


@contextmanager
def made_from(stored: OpenIndex, place: Location, sync: str) -> Iterator[Location]:
    """Make an empty index with the settings and frozen values of another one, but without its shadow; yield where it is, as `made_empty`.

    Raises:
        UsageError: the other index keeps no texts.
        OutputError: the place is taken, or cannot be written.
    """
    if isinstance(place, Path):
        check_outside(place)
    check_texts_kept(stored.settings.store)
    check_named(stored.uncounted)
    plan = replace(stored.settings.plan, method=stored.uncounted, workers=None)
    teller = stored.finder.comparer.teller
    models = None if teller is None else teller.models
    with made_where(place) as where:
        make_stored(where, Settings(plan, sync=sync), stored.statistics, models)
        with or_nothing(where):
            yield where


def kept_of_run(run: Path) -> tuple[Plan, pa.Table]:
    """Return the plan of a run, and the rows that it kept.

    Raises:
        RunError: the folder is no run.
        UsageError: its method cannot be that of an index.
    """
    from quchong.api.loaded import load

    result = load(run)
    plan = unchecked_plan(run, result.manifest)
    check_can_arrive(plan)
    return plan, result.kept

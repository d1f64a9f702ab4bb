"""Refitting of an index: statistics are recounted and all documents compared again, in a new generation next to the old one."""

from __future__ import annotations

from dataclasses import replace

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.generations import flush_generation, make_generation, next_name, remove_others
from quchong.engines.index.settings import Settings, read_settings
from quchong.engines.index.stored import StoredIndex
from quchong.outputs import OwnFolder
from quchong.plan.plan import Plan


def refitted(old: StoredIndex, statistics: FrozenStatistics, templates: FrameModels | None) -> StoredIndex:
    """Return an index with new statistics and templates, opened for writing, with all documents added again in order.

    A new generation is made beside the old one. It counts from the moment on at which the file of settings names it: a process that is
    stopped before leaves the old one as it was. The caller holds `old.lock`, so that no document is added meanwhile, and closes `old`
    when nobody reads it any more.

    Args:
        old: the index, open for writing; it keeps texts. Afterwards it writes no more.
        statistics, templates: what was counted on its documents.

    Raises:
        OSError, OutputError: there is no room, or no permission; nothing is left of the new generation.

    Cost: that of adding all documents.
    """
    folder, before = old.folder, old.settings.generation
    remove_others(folder, before)
    settings = replace(old.settings, plan=replace(old.plan, method=old.uncounted), generation=next_name(folder, before))
    try:
        make_generation(folder, settings, statistics, templates)
        made = StoredIndex(folder, writable=True, workers=old.reader.workers, beside=replace(settings, sync="none"))
        try:
            _add_again(old, made)
            made.settle()
            made.tidy()
        finally:
            made.close()
        flush_generation(folder, settings.generation)
        _switch(old, settings)
    except BaseException:
        if read_settings(folder).generation == before:  # the room of what was begun is given back at once
            remove_others(folder, before)
        raise
    opened = StoredIndex(folder, writable=True, workers=old.reader.workers, beside=settings)
    opened.lock_file, old.lock_file = old.lock_file, None
    remove_others(folder, settings.generation)
    return opened


def _add_again(old: StoredIndex, made: StoredIndex) -> None:
    """Add the documents of an index to another one, in the order of their arrival."""
    for rows in old.catalogue.all_documents():
        made.add_again(rows)
    earlier = int(old.catalogue.note("earlier arrivals") or 0) + old.next - made.next
    with made.catalogue.transaction() as writer:  # documents without an id are numbered on from here
        writer.execute(
            "INSERT INTO notes VALUES ('earlier arrivals', ?), ('counted', ?)", (str(earlier), str(made.next))
        )


def with_columns(old: StoredIndex, plan: Plan) -> StoredIndex:
    """Return an empty index opened for writing again, with the columns of `plan`.

    The caller holds `old.lock`, and closes `old` when nobody reads it any more; afterwards it writes no more.
    """
    columns = {name: getattr(plan, name) for name in ("text", "id", "time_key", "source_key", "columns_found")}
    settings = replace(old.settings, plan=replace(old.plan, method=old.uncounted, **columns))
    settings.save(old.contents_folder)
    _switch(old, settings)
    old.stage = None
    opened = StoredIndex(old.folder, writable=True, workers=old.reader.workers, beside=settings)
    opened.lock_file, old.lock_file = old.lock_file, None
    return opened


def _switch(old: StoredIndex, settings: Settings) -> None:
    """Write the settings file so that it names the new generation."""
    root = OwnFolder.open_path(old.folder)
    try:
        settings.save(root)
    finally:
        root.close()

"""Inputs of a run: its sources, its reference corpus, the ids that it may not remove, and the decisions of a person."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quchong.decision.reviewed import Reviewed
from quchong.engines.local.read_parts import JoinedSource
from quchong.engines.local.stored_source import KnownSource
from quchong.io.files.location import location_of
from quchong.io.source import Source
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.plan.sources import Spool


@dataclass(frozen=True, slots=True)
class RunInputs:
    """Opened inputs of a run: sources and what is known about them.

    Attributes:
        sources: the documents of the run.
        references: the reference corpus.
        protected: ids of documents that are never removed.
        reviewed: decisions of a person about removals.
        spool: temporary folder with copies of inputs that can be read only once; it exists as long as this value. None if there is none.
        plan: the plan with the columns that were found in the sources; None if they were opened without one.
        remarks: what the caller may not expect of the inputs, such as one that is named twice.
    """

    sources: Sequence[Source]
    references: Sequence[Source] = ()
    protected: Sequence[str] = ()
    reviewed: Reviewed = field(default_factory=Reviewed)
    spool: Spool | None = None
    plan: Plan | None = None
    remarks: Sequence[Message] = ()

    @property
    def all_sources(self) -> list[Source]:
        """All sources in the order of their documents: the reference corpus first."""
        return [*self.references, *self.sources]

    @property
    def files(self) -> list[Path]:
        """Files of all sources, in their order."""
        return [file for source in self.all_sources for file in source.files]

    @property
    def can_be_read_again(self) -> bool:
        """True if every source is a file on this machine."""
        return all(source.files and source.path is not None for source in self.all_sources)

    def documents(self) -> int | None:
        """Return the number of documents in all sources; None if one does not tell it without being read."""
        counts = [source.expected() for source in self.all_sources]
        return None if None in counts else sum(count or 0 for count in counts)

    def state(self) -> dict[str, Any]:
        """Return the identity of everything read, for JSON: two runs with one state and plan read the same documents.

        Raises:
            OSError: a file cannot be looked at.
        """
        found = [(file, location_of(file).state()) for file in self.files]
        names = [[source.name, source.suffix, len(source.files)] for source in self.all_sources]
        return {
            "protected": sorted(self.protected),
            "reviewed": self.reviewed.state(),
            "sources": names,
            "references": len(self.references),
            "files": [[str(file.absolute()), about.size, about.version] for file, about in found],
            "known": [source.state for source in self.references if isinstance(source, KnownSource)],
            "joined": [source.state for source in self.all_sources if isinstance(source, JoinedSource)],
        }


def bytes_of(sources: Sequence[Source]) -> int:
    """Return the total size of the files of the sources in bytes; a file that cannot be read counts as 0, without an error."""
    size = 0
    for file in (file for source in sources for file in source.files):
        with suppress(OSError):
            size += location_of(file).state().size
    return size

"""datatrove: a step that drops copies of documents seen in this run, in an earlier one, or by another task.

    pipeline = [JsonlReader("crawl/"), DropCopies("seen"), JsonlWriter("distinct/")]

Needs the package datatrove. One process writes to a folder; several tasks share an index in PostgreSQL, named by its address.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from datatrove.data import DocumentsPipeline  # type: ignore[import-untyped]
from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped]

import quchong as qc


class DropCopies(PipelineStep):  # type: ignore[misc]  # datatrove has no types
    """Asks an index about every document and adds it: what is a copy goes, and what is like others says to which."""

    type, name = "DEDUPS", "quchong"

    def __init__(self, seen: str, batch: int = 64) -> None:
        super().__init__()
        self.seen, self.batch = seen, batch

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Yield the documents that are not copies, in their order; a document of an earlier run is answered as it was then."""
        there = "://" in self.seen or Path(self.seen).exists()
        with qc.Index(self.seen) if there else qc.Index.create(self.seen, keep="first") as index:
            while some := list(islice(data, self.batch)):
                answers = index.add([{"id": one.id, "text": one.text} for one in some])
                bad, told = {one.place: one for one in answers.bad}, iter(answers)
                for place, document in enumerate(some):
                    if place in bad and not bad[place].again:  # its id has another text
                        document.metadata["unusable"] = bad[place].reason
                        yield document
                        continue
                    answer = index.matches(document.id) if place in bad else next(told)
                    self.stat_update("removed" if answer.removed else "kept")
                    if not answer.removed:
                        document.metadata["like"] = [match.id for match in answer.matches]
                        yield document

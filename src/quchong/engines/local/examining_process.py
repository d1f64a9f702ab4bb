"""Process that examines the differences of blocks of pairs for the process that started it.

It reads blocks from its standard input, writes the answers to its standard output, and ends when its input ends.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import IO, Any

import numpy as np
import pyarrow as pa

from quchong.decision.difference_lists import DifferenceLists
from quchong.decision.differing import looked_at_by
from quchong.garbage import collect_rarely
from quchong.kernels.arrow_start import without_pandas
from quchong.methods.bases.facts import FactChecks
from quchong.seam import DifferenceSteps, Documents, Measures
from quchong.similarity import Thresholds
from quchong.text import Edit, form, form_names
from quchong.work.values import receive_value, send_value


@dataclass(frozen=True, slots=True)
class Pairs:
    """Block of pairs to examine.

    Attributes:
        documents: the documents of the pairs.
        left, right: uint32, pairs as indices into the documents.
        measures: of the pairs.
        names: int64, number of each document in its run. edits: of those that preparation changed, by number.
    """

    documents: Documents
    left: np.ndarray
    right: np.ndarray
    measures: Measures
    names: np.ndarray
    edits: Mapping[int, Edit]

    def message(self) -> list[Any]:
        """Return the block as plain values, with copies of the texts."""
        edits = [(k, self.edits[k]) for k in self.names.tolist() if k in self.edits] if self.edits else []
        return [
            self.documents.texts.copied(), self.left, self.right, dict(self.measures), self.names,
            [[k, edit.starts, edit.pieces] for k, edit in edits],
        ]  # fmt: skip

    @staticmethod
    def from_message(message: list[Any]) -> Pairs:
        """Build the block from the values of `message`."""
        texts, left, right, measures, names, edits = message
        return Pairs(
            Documents.from_texts(texts),
            left,
            right,
            measures,
            names,
            {k: Edit(starts, pieces) for k, starts, pieces in edits},
        )


def examined(
    steps: DifferenceSteps, pairs: Pairs, workers: int | None
) -> tuple[dict[str, np.ndarray], DifferenceLists]:
    """Examine a block of pairs; return the extended measures, and the lists of differences."""
    told, lists = looked_at_by(
        steps, pairs.documents, pairs.left, pairs.right, pairs.measures, workers, pairs.edits, pairs.names
    )
    return told, DifferenceLists.packed(lists)


def message_of(steps: DifferenceSteps) -> list[Any] | None:
    """Return steps as plain values, from which another process builds them by `steps_of`; None for steps of another package."""
    if type(steps) is not FactChecks or (names := form_names(steps.form)) is None:
        return None
    return [*names, asdict(steps.test), steps.active, steps.facts, steps.preset]


def steps_of(message: list[Any]) -> FactChecks:
    """Build steps from the values of `message_of`."""
    normalise, tokens, thresholds, active, facts, preset = message
    return FactChecks(form(normalise, tokens), Thresholds(**thresholds), active, facts, preset)


def serve(read: IO[bytes], write: IO[bytes]) -> None:
    """Answer requests from a stream: first the steps, then blocks of pairs; the answer None says that a block failed.

    Raises:
        EOFError: the stream has ended.
        OSError: nobody reads the answers.
    """
    steps = steps_of(receive_value(read))
    steps.load()
    while True:
        pairs, answer = receive_value(read), None
        with suppress(Exception):  # the other process examines the block itself, and meets the error there
            told, lists = examined(steps, Pairs.from_message(pairs), 1)
            answer = [told, lists.arrays()]
        send_value(write, answer)


def main() -> None:
    """Serve the parent through the standard streams until it closes them or ends."""
    without_pandas()
    pa.set_cpu_count(1)
    collect_rarely()
    write = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    with suppress(EOFError, OSError):
        serve(sys.stdin.buffer, write)
    os._exit(0)  # a stream that nobody reads cannot be flushed

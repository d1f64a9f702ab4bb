"""Desk without its web server: the requests of its page, and the answers."""

from __future__ import annotations

import datetime
import shlex
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from quchong.desk.documents import Documents
from quchong.desk.listing import PAGE, ListRequest, counted, matching_rows
from quchong.desk.measures import measures
from quchong.desk.pair import review_state_of, rows_of, shown
from quchong.desk.run import DeskRun
from quchong.errors import UsageError
from quchong.evaluation.next_question import next_pair
from quchong.languages import join_names
from quchong.report.visible import UNSAFE
from quchong.results.saved import SavedRun
from quchong.runs.acts import ASKED, CHOSEN, LABELS, VERDICTS, Act, Label, Verdict
from quchong.runs.decisions_file import DecisionsFile
from quchong.runs.label_export import pair_lines
from quchong.runs.review_state import ReviewState

Clock = Callable[[], str]


def typed(path: Path, otherwise: str) -> str:
    """Return a path as it is typed in a command that may be copied into a shell; `otherwise` if it has characters that cannot be seen."""
    text = str(path)
    return (
        shlex.quote(text) if text.isprintable() and not UNSAFE.search(text) and not text.startswith("-") else otherwise
    )


def now() -> str:
    """Return the current time in ISO 8601, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class Desk:
    """A run and the decisions about it. Calls are serialised by a lock.

    Args:
        saved: the run folder, which is never changed.
        path: the decisions file, to which acts are appended.
        seed: seed for the random choice of pairs to ask about.
        clock: function that returns the time of an act.

    Raises:
        InputError, OutputError: the decisions file cannot be used.
    """

    def __init__(self, saved: SavedRun, path: Path, seed: int = 0, clock: Clock = now) -> None:
        self.book, self.seed = DecisionsFile(path), seed
        self.run = DeskRun(saved)
        self.documents = Documents(self.run)
        self._clock, self._turn = clock, threading.RLock()
        self._taken = 0
        self._refresh()

    def _refresh(self) -> None:
        """Read acts that other processes added, and apply them to the run."""
        self.book.refresh()
        acts = self.book.acts[self._taken :]
        if acts:
            self.run.take(acts)
            self._taken += len(acts)

    def state(self) -> dict[str, Any]:
        """Return name, number of entries and number of damaged lines of the decisions file, for the head of the page."""
        with self._turn:
            self._refresh()
            torn = len(self.book.torn) + int(self.book.unfinished)
            name = self.book.path.name
            return {"file": name, "acts": len(self.book.acts), "torn": torn}

    def list(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return one page of a list, and the number of rows that match."""
        asked = ListRequest.from_query(given)
        with self._turn:
            self._refresh()
            rows = matching_rows(self.run, asked)
            pages = max(1, -(-len(rows) // PAGE))
            page = min(asked.page, pages - 1)
            some = rows[page * PAGE : (page + 1) * PAGE].tolist()
            told = {
                "total": len(rows),
                "page": page,
                "pages": pages,
                "size": PAGE,
                "counts": counted(self.run, asked.view),
            }
            return told | rows_of(self.run, self.documents, asked.view, some)

    def pair(self, pair: int, removal: int) -> dict[str, Any]:
        """Return the data of a pair by its row of PAIRS, or of a removal by its row of LEDGER; -1 for the other number.

        Raises:
            UsageError: there is no such pair or removal.
        """
        with self._turn:
            self._refresh()
            return shown(self.run, self.documents, *self._rows_of(pair, removal))

    def _rows_of(self, pair: int, removal: int) -> tuple[int, int]:
        """Return the row of PAIRS and the row of LEDGER of a pair or removal, -1 for a missing one.

        Raises:
            UsageError: neither number exists.
        """
        run = self.run
        if 0 <= removal < len(run.ledger):
            return int(run.pair_of[removal]), removal
        if 0 <= pair < len(run.pairs):
            return pair, int(run.removal_of[pair])
        raise UsageError("there is no pair with this number")

    def ask(self, skipped: Iterable[int] = ()) -> dict[str, Any]:
        """Return the pair to label next: the one whose label adds most; `{"none": True}` if all are labelled or skipped."""
        with self._turn:
            self._refresh()
            row = next_pair(self.run.strata, self.run.labelled(), self.seed, skipped)
            if row is None:
                return {"none": True}
            kind = self.run.strata.kinds[self.run.strata.of[row]]
            stratum = {
                "relation": kind.relation,
                "low": kind.low,
                "high": kind.high,
                "size": kind.size,
                "nearest": kind.place == 0,
            }
            return shown(self.run, self.documents, row, int(self.run.removal_of[row])) | {"stratum": stratum}

    def label(self, pair: int, label: str | None, asked: bool) -> dict[str, Any]:
        """Label a pair, or take its label back, and return its state; the act is on the disk when this returns.

        Raises:
            UsageError: there is no such pair, or no such label.
            OutputError: the act could not be written.
        """
        if label is not None and label not in LABELS:
            raise UsageError("label {!r} cannot be used: use {}", label, join_names(LABELS))
        with self._turn:
            pair, removal = self._rows_of(pair, -1)
            left, right = (self.run.pairs[name][pair].as_py() for name in ("left_id", "right_id"))
            return self._added(Label(left, right, label, ASKED if asked else CHOSEN, self._clock()), pair, removal)

    def verdict(self, removal: int, act: str) -> dict[str, Any]:
        """Accept or overturn a removal, or take that back, and return its state; the act is on the disk when this returns.

        Raises:
            UsageError: there is no such removal, or no such act.
            OutputError: the act could not be written.
        """
        if act not in VERDICTS:
            raise UsageError("act {!r} cannot be used: use {}", act, join_names(VERDICTS))
        with self._turn:
            pair, removal = self._rows_of(-1, removal)
            gone, survivor = (self.run.ledger[name][removal].as_py() for name in ("id", "survivor_id"))
            return self._added(Verdict(act, gone, survivor, self._clock()), pair, removal)

    def _added(self, act: Act, pair: int, removal: int) -> dict[str, Any]:
        self.book.add(act)
        self._refresh()
        return {"said": review_state_of(self.run, pair, removal)}

    def measures(self) -> dict[str, Any]:
        """Return the measures estimated from the labels, with the state of the file, and the paths of run and file for commands."""
        with self._turn:
            self._refresh()
            paths = {"run": typed(self.run.saved.folder, "RUN"), "decisions": typed(self.book.path, "FILE")}
            return measures(self.run) | {"state": self.state(), "typed": paths}

    def labels(self) -> str:
        """Return all labels as JSON lines."""
        with self._turn:
            self._refresh()
            return "".join(line + "\n" for line in pair_lines(ReviewState.from_acts(self.book.acts)))

"""A desk: what its page asks for and tells, without the web around it."""

from __future__ import annotations

import datetime
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from quchong.desk.documents import Documents
from quchong.desk.listing import PAGE, Asked, counted, listed
from quchong.desk.measures import measures
from quchong.desk.pair import rows_of, said, shown
from quchong.desk.run import DeskRun
from quchong.errors import UsageError
from quchong.results.saved import SavedRun
from quchong.review import DecisionsFile, Label, Standing, Verdict
from quchong.review.acts import ASKED, CHOSEN, LABELS, VERDICTS, Act
from quchong.review.asking import next_pair
from quchong.review.export import pair_lines

Clock = Callable[[], str]


def now() -> str:
    """The time, ISO 8601."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class Desk:
    """A run and the decisions about it. One thread at a time.

    Args:
        saved: the run folder; it stays as it is.
        path: the decisions file, which acts are added to.
        seed: of what is drawn to be asked.
        clock: says when an act happened.

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
        """Takes notice of acts that others added."""
        self.book.refresh()
        acts = self.book.acts[self._taken :]
        if acts:
            self.run.take(acts)
            self._taken += len(acts)

    def state(self) -> dict[str, Any]:
        """What the head of the page says of the file."""
        with self._turn:
            self._refresh()
            torn = len(self.book.torn) + int(self.book.unfinished)
            name = self.book.path.name
            typed = (
                name if re.fullmatch(r"[\w.,+][\w.,+-]*", name) else "FILE"
            )  # in a command that may be copied into a shell
            return {"file": name, "typed": typed, "acts": len(self.book.acts), "torn": torn}

    def list(self, given: Mapping[str, str]) -> dict[str, Any]:
        """A page of a list, and how many rows match in all."""
        asked = Asked.of(given)
        with self._turn:
            self._refresh()
            rows = listed(self.run, asked)
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
        """A pair by its row of PAIRS, or a removal by its row of LEDGER.

        Raises:
            UsageError: there is none.
        """
        with self._turn:
            self._refresh()
            return shown(self.run, self.documents, *self._known(pair, removal))

    def _known(self, pair: int, removal: int) -> tuple[int, int]:
        """Both numbers of a pair that is there."""
        run = self.run
        if 0 <= removal < len(run.ledger):
            return int(run.pair_of[removal]), removal
        if 0 <= pair < len(run.pairs):
            return pair, int(run.removal_of[pair])
        raise UsageError("there is no such pair")

    def ask(self, skipped: Iterable[int] = ()) -> dict[str, Any]:
        """The pair that teaches most; `none` where every one has a label or was skipped."""
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
        """Labels a pair, or takes its label back. It is on the disk when this returns.

        Raises:
            UsageError: no such pair, or no such label.
            OutputError: it could not be written.
        """
        if label is not None and label not in LABELS:
            raise UsageError("label {!r}: use {}", label, ", ".join(LABELS))
        with self._turn:
            pair, removal = self._known(pair, -1)
            left, right = (self.run.pairs[name][pair].as_py() for name in ("left_id", "right_id"))
            return self._added(Label(left, right, label, ASKED if asked else CHOSEN, self._clock()), pair, removal)

    def verdict(self, removal: int, act: str) -> dict[str, Any]:
        """Accepts or overturns a removal, or takes that back. It is on the disk when this returns.

        Raises:
            UsageError: no such removal, or no such act.
            OutputError: it could not be written.
        """
        if act not in VERDICTS:
            raise UsageError("act {!r}: use {}", act, ", ".join(VERDICTS))
        with self._turn:
            pair, removal = self._known(-1, removal)
            gone, survivor = (self.run.ledger[name][removal].as_py() for name in ("id", "survivor_id"))
            return self._added(Verdict(act, gone, survivor, self._clock()), pair, removal)

    def _added(self, act: Act, pair: int, removal: int) -> dict[str, Any]:
        self.book.add(act)
        self._refresh()
        return {"said": said(self.run, pair, removal)}

    def measures(self) -> dict[str, Any]:
        """What the labels tell."""
        with self._turn:
            self._refresh()
            return measures(self.run) | {"state": self.state()}

    def labels(self) -> str:
        """All labels as JSON lines."""
        with self._turn:
            self._refresh()
            return "".join(line + "\n" for line in pair_lines(Standing.of(self.book.acts)))

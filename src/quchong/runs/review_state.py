"""Current state of a review: the latest act on each pair or removal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from quchong.runs.acts import ASKED, CLEAR, OVERTURN, Act, Id, Label, Verdict, pair_key


@dataclass
class ReviewState:
    """State after a sequence of acts.

    Attributes:
        labels: the latest label of each labelled pair, by pair key.
        asked: keys of pairs that the desk drew; a later label of the pair does not change that it was drawn.
        verdicts: the latest verdict on each removal, by id as text.

    >>> from quchong.runs.review_state import ReviewState; from quchong.runs.acts import Verdict
    >>> held = ReviewState.from_acts([Verdict("overturn", "a", "b"), Verdict("accept", "a", "b")])
    >>> held.verdicts["a"].act, held.overturned
    ('accept', [])
    """

    labels: dict[tuple[str, str], Label] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    @classmethod
    def from_acts(cls, acts: Iterable[Act]) -> ReviewState:
        """Build the state from acts in their order."""
        found = cls()
        for act in acts:
            found.take(act)
        return found

    def take(self, act: Act) -> None:
        """Apply one more act."""
        if isinstance(act, Label):
            if act.label is None:
                self.labels.pop(act.key, None)
                self.asked.discard(act.key)
                return
            self.labels[act.key] = act
            if act.how == ASKED:
                self.asked.add(act.key)
        elif act.act == CLEAR:
            self.verdicts.pop(str(act.id), None)
        else:
            self.verdicts[str(act.id)] = act

    def label_of(self, one: Id, other: Id) -> Label | None:
        """Return the label of a pair, in either order; None without one."""
        return self.labels.get(pair_key(one, other))

    @property
    def overturned(self) -> list[Verdict]:
        """Verdicts on removals that a person overturned, sorted by id."""
        return sorted((v for v in self.verdicts.values() if v.act == OVERTURN), key=lambda v: str(v.id))

"""What a list of acts comes to: the last about a pair or a removal holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from quchong.review.acts import ASKED, CLEAR, OVERTURN, Act, Id, Label, Verdict, pair_key


@dataclass
class Standing:
    """What holds after some acts.

    Attributes:
        labels: by pair key, the last label of each pair that has one.
        asked: keys of pairs that the desk drew; who labels one again later does not undo that it was drawn.
        verdicts: by id as text, the last verdict on each removal that has one.

    >>> from quchong.review import Standing, Verdict
    >>> held = Standing.of([Verdict("overturn", "a", "b"), Verdict("accept", "a", "b")])
    >>> held.verdicts["a"].act, held.overturned
    ('accept', [])
    """

    labels: dict[tuple[str, str], Label] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    @classmethod
    def of(cls, acts: Iterable[Act]) -> Standing:
        """That of some acts, in their order."""
        found = cls()
        for act in acts:
            found.take(act)
        return found

    def take(self, act: Act) -> None:
        """One more act."""
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
        """The label of a pair."""
        return self.labels.get(pair_key(one, other))

    @property
    def overturned(self) -> list[Verdict]:
        """Removals that a person overturned, by id."""
        return sorted((v for v in self.verdicts.values() if v.act == OVERTURN), key=lambda v: str(v.id))

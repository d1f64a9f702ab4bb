"""What an edit is: a base text becomes an original and its edited copy, or nothing where the text does not have it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draw:
    """What an edit may use beside the text.

    Attributes:
        rng: all its chance.
        length: the length asked for.
        number: how many pairs the cell has so far.
        half: "tune" or "held".
        insert: may a sentence that has what is edited go into both texts, where the base text has none?
        other: gives a text that is in no other pair of the cell.
    """

    rng: random.Random
    length: int
    number: int
    half: str
    insert: bool
    other: Callable[[], str]


Both = tuple[str, str]
Edit = Callable[[str, Draw], Both | None]
"""Original and edited copy, or None."""

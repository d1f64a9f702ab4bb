"""The parameter `facts`: which kinds of facts make a near-copy a variant, and whether variants are removed."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from quchong.errors import Param, UsageError, meant
from quchong.languages import Message
from quchong.parameters.kinds import either
from quchong.tables import FACTS

Mode = Literal["keep", "remove"]
WORDS = {kind.split()[0]: kind for kind in FACTS}
"""Kind of fact for each word that names it in `facts`."""


def check_facts(method: Any) -> None:
    """Normalise the `facts` of a method in place: each kind once, in the order of FACTS; for the method's `check`.

    Raises:
        UsageError: a word that is neither keep, remove nor a kind of facts.
    """
    given = method.facts
    if given is None or given in ("keep", "remove"):
        return
    asked = [word.strip() for word in given.split(",")]
    known = (*WORDS, "keep", "remove")
    for word in asked:
        if word not in WORDS:
            wants = Message("keep, remove, or {} (several with commas)", either([*WORDS]))
            alone = (
                Message("; keep and remove cannot be combined with others")
                if word in ("keep", "remove")
                else meant(word, known)
            )
            raise UsageError("unknown {}: use {}{}", Param("facts", given, method=True), wants, alone)
    object.__setattr__(method, "facts", ",".join(word for word in WORDS if word in asked))


def mode_of(facts: str | None, preset: str = "") -> Mode:
    """Return "remove" if variants are removed, by `facts` or by the preset training without `facts`; else "keep"."""
    return "remove" if facts == "remove" or (facts is None and preset == "training") else "keep"


def counted_facts(facts: str | None) -> np.uint16:
    """Return the kinds of facts that make a pair a variant, bit k for FACTS[k]: the named ones, or all if none are named."""
    named = None if facts in (None, "keep", "remove") else str(facts).split(",")
    return np.uint16(sum(1 << k for k, kind in enumerate(FACTS) if named is None or kind.split()[0] in named))

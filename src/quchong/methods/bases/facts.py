"""The parameter `facts`: kinds of facts that make a near-copy a variant, whether variants are removed, and the steps that find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from quchong.differences import find_differences, load_tables, with_furniture
from quchong.errors import Param, UsageError, meant
from quchong.kernels.text import Form
from quchong.languages import Message
from quchong.parameters.kinds import either
from quchong.seam import Differences, Documents, Measures
from quchong.similarity import Thresholds, worth_aligning
from quchong.similarity.relations import EVERY_FACT, USUAL_FACTS
from quchong.similarity.thresholds import PRESETS
from quchong.tables import FACTS, TERM

Mode = Literal["keep", "remove"]
WORDS = {kind.split()[0]: kind for kind in FACTS}
"""Kind of fact for each word that names it in `facts`."""
_ALONE = ("keep", "remove", "any")
"""Words of `facts` that stand alone."""


_NO_FACT = ("none", "no", "off", "ignore", "false", "0", "无", "不管", "忽略")
"""Words that people try for facts that do not count."""


def check_facts(method: Any) -> None:
    """Normalise the `facts` of a method in place: each kind once, in the order of FACTS; for the method's `check`.

    Raises:
        UsageError: a word that is neither keep, remove, any nor a kind of facts.
    """
    given = method.facts
    if given is None or given in _ALONE:
        return
    asked = [word.strip() for word in given.split(",")]
    known = WORDS if len(asked) > 1 else (*WORDS, *_ALONE)
    for word in asked:
        if word not in WORDS:
            wants = Message("keep, remove, any, or {} (several separated by commas)", either([*WORDS]))
            alone = (
                Message("; keep, remove and any must be used alone")
                if word in _ALONE
                else Message("; to ignore all facts, use {}", Param("facts", "remove", method=True))
                if word.lower() in _NO_FACT
                else meant(given, known)
            )
            raise UsageError("unknown {}: use {}{}", Param("facts", given, method=True), wants, alone)
    object.__setattr__(method, "facts", ",".join(word for word in WORDS if word in asked))


@dataclass(frozen=True, slots=True)
class FactChecks:
    """Examination of the differences of pairs that thresholds or an alignment may make copies.

    Attributes:
        form: form in which texts become tokens.
        test: thresholds of the rule.
        active: True unless the guards are off.
        facts: the parameter `facts`: None, "keep", "remove", "any", or the words of kinds.
        preset: preset of the method; "training" removes variants unless `facts` says otherwise.
    """

    form: Form
    test: Thresholds
    active: bool = True
    facts: str | None = None
    preset: str = ""

    @property
    def mode(self) -> Mode:
        """Treatment of variants: "remove" by `facts`, or by the preset training without `facts`; else "keep"."""
        return "remove" if self.facts == "remove" or (self.facts is None and self.preset == "training") else "keep"

    @property
    def counted(self) -> np.uint16:
        """Kinds of facts that make a pair a variant, bit k for FACTS[k] (see `counted_facts`)."""
        return counted_facts(self.facts)

    @property
    def counted_brief(self) -> int:
        """Kinds of facts that count for short texts in addition: `term` with the preset strict, unless `facts` names kinds."""
        return TERM if self.preset == "strict" and self.facts in (None, "keep") else 0

    def examined(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs whose differences are reported."""
        return worth_aligning(measures, self.test)[1]

    def may_decide(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs to align; the relation of all others does not depend on their differences."""
        return worth_aligning(measures, self.test)[0]

    def template_pairs(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs among which templates are searched; it does not depend on the thresholds of the rule."""
        return worth_aligning(measures, PRESETS["lenient"])[0]

    def load(self) -> None:
        """Load what the first differences would wait for: dictionaries, the tagger, patterns (`quchong.differences.load_tables`)."""
        load_tables(self.form)

    def find(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None = None
    ) -> Differences:
        """Return the differences of pairs: facts, negation, wording and noise."""
        looked, read = worth_aligning(measures, self.test)
        return find_differences(self.form, documents, left, right, looked, read, workers, measures.get("facts"))

    def find_all(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> Differences:
        """Return the differences of pairs that were not scored; all pairs are read, and differences in page furniture marked as such."""
        every = np.ones(len(left), bool)
        found = find_differences(self.form, documents, left, right, every, every, workers)
        return with_furniture(documents.texts, left, right, found)


def counted_facts(facts: str | None) -> np.uint16:
    """Return the kinds of facts that make a pair a variant, bit k for FACTS[k]: the named ones; with "any" all; else all but `term`."""
    if facts is None or facts in _ALONE:
        return np.uint16(EVERY_FACT if facts == "any" else USUAL_FACTS)
    named = facts.split(",")
    return np.uint16(sum(1 << k for k, kind in enumerate(FACTS) if kind.split()[0] in named))

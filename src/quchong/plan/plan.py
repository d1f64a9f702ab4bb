"""The plan of a run: everything that can change its result, validated and hashed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from quchong.cluster.policy import Policy
from quchong.cluster.survivors import REMOVABLE
from quchong.errors import Param, UsageError
from quchong.io.limits import LARGEST
from quchong.io.source import Wanted
from quchong.kernels.checked import threads_of
from quchong.outputs import spell_names
from quchong.pages import check_body
from quchong.plan.catalogue import build
from quchong.seam import KeyJoin, Method
from quchong.tables import EXACT, VARIANT
from quchong.text import NORMALISER_VERSION, Preparer

DEFAULT_KEEP = "longest,earliest"
DEFAULT_RELATIONS = ("exact", "duplicate", "contained_in")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


def parse_within(text: str | None) -> float | None:
    """Seconds of a span such as 7d, 12h, 2w, 90m; None for none.

    Raises:
        UsageError: not a number and a unit.
    """
    if text is None:
        return None
    try:
        value = float(text[:-1]) * _UNITS[text[-1]]
    except (KeyError, ValueError, IndexError):
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError("{} is no span of time: use a number and s, m, h, d or w, such as 7d", Param("within", text))
    return value


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents may be compared with each other at all.

    Attributes:
        within: only documents at most so many seconds apart; documents without a time meet nobody near.
        per: only documents with the same value in this column (a missing value is a value of its own).
        same_site: only documents of the same site: the column `site`, else the registrable domain of the column `url`.
    """

    within: float | None = None
    per: str | None = None
    same_site: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole run, without its inputs and outputs.

    Attributes:
        method: finds and judges pairs.
        keep: who survives, such as "longest,earliest".
        relations: which relations remove a document; the others are reported (but see `removing`).
        text, id: columns; several text columns are joined by a line break. `id_given` tells a chosen id column, which
            every record must have, from the default one.
        time_key, source_key: the columns meant by earliest/latest and source criteria, and by alarms.
        scope: who may meet whom.
        preparer: what is taken out of texts before comparing.
        html: column of web pages, read where the text columns are null; None for none.
        body: what of a page is its text, see `quchong.pages.BODIES`.
        only_against: compare with the reference corpus only, not within the input.
        recall_sample: documents compared exactly with all others to measure the candidate stage, fewer where they would meet
            more than about a million; 0 for none.
        workers: threads; None takes all. Never changes a result.
        max_record: bytes of a record; larger ones are skipped. A run that skipped none has the result of any greater one.
    """

    method: Method = field(default_factory=lambda: build("hybrid"))
    keep: str = DEFAULT_KEEP
    relations: tuple[str, ...] = DEFAULT_RELATIONS
    text: tuple[str, ...] = ("text",)
    id: str | None = "id"
    id_given: bool = False
    time_key: str = "time"
    source_key: str = "source"
    scope: Scope = field(default_factory=Scope)
    preparer: Preparer = field(default_factory=Preparer)
    only_against: bool = False
    recall_sample: int = 1000
    workers: int | None = None
    html: str | None = "html"
    body: str = "main"
    max_record: int = LARGEST

    def __post_init__(self) -> None:
        self.policy  # noqa: B018 - raises where the policy cannot be read
        unknown = sorted(set(self.relations) - REMOVABLE)
        if unknown:
            raise UsageError("{}: use {}", Param("relations", ",".join(unknown)), ", ".join(sorted(REMOVABLE)))
        if self.scope.per in ("row", "text"):
            raise UsageError(
                "{}: that name is taken, so it cannot group documents; rename the column", Param("per", self.scope.per)
            )
        if self.scope.within is not None and not isinstance(self.method.candidates, KeyJoin):
            raise UsageError(
                "{}: method {} finds its candidates itself and knows no time window; use {} with a column of "
                "days, or {}",
                Param("within"),
                self.method.name,
                Param("per"),
                Param("method", "hybrid"),
            )
        if self.method.unconfirmed is not None and EXACT not in self.relations:
            raise UsageError(
                "a filter as stage 1 removes exact repeats, but {} leaves exact out: name it there, or use {} or {}",
                Param("relations"),
                Param("confirm", True),
                Param("stage1", "digest"),
            )
        check_body(self.body)
        if self.html is not None and self.html == self.id:
            raise UsageError("{}: that column is the id; name the column of the pages", Param("html", self.html))
        if not self.text:
            raise UsageError("{} needs at least one column", Param("text"))
        if not self.relations:
            raise UsageError("{} names none: use some of {}", Param("relations"), ", ".join(sorted(REMOVABLE)))
        threads_of(self.workers)  # refuses what is no number of workers
        if self.recall_sample < 0:
            raise UsageError("{} must be 0 (none) or more, got {}", Param("recall_sample"), self.recall_sample)

    @property
    def policy(self) -> Policy:
        """Who survives."""
        return Policy.parse(self.keep, time_key=self.time_key, source_key=self.source_key)

    @property
    def removing(self) -> tuple[str, ...]:
        """Relations that remove a document: those asked for, and variants where the method's `facts` says so."""
        also = (VARIANT,) if self.method.facts_mode == "remove" and VARIANT not in self.relations else ()
        return (*self.relations, *also)

    @property
    def wanted(self) -> Wanted:
        """The columns to read: those of policy and scope beside text and id, that of times, and the source column for alarms."""
        extra = [*self.policy.columns, self.source_key, self.time_key]  # times tell which of two variants is newer
        if self.scope.per is not None:
            extra.append(self.scope.per)
        if self.scope.same_site:
            extra += ["site", "url"]
        extra += self.method.traits.needs
        if "site" in extra:
            extra.append("url")  # which tells the site where the column does not
        names = tuple(dict.fromkeys(c for c in extra if c not in ("row", "id", "text")))
        return Wanted(self.text, self.id, self.id_given, names, self.pages, textless=True)

    @property
    def pages(self) -> str | None:
        """The column of web pages that stand in for a missing text; none where it is itself what is compared."""
        return None if self.html in self.text else self.html

    @property
    def named_columns(self) -> dict[str, str]:
        """Columns that were asked for by name, which the input must therefore have, and the parameter that named each."""
        out = {
            criterion.column: "keep"
            for criterion in self.policy.criteria
            if criterion.named and criterion.column != "id"
        }
        for name, parameter, default in (
            (self.time_key, "time", "time"),
            (self.source_key, "source", "source"),
        ):
            if name != default:
                out[name] = parameter
        if self.scope.within is not None:
            out[self.time_key] = "within"
        if self.scope.per is not None and self.scope.per != self.id:
            out[self.scope.per] = "per"
        return out

    def describe(self) -> dict[str, Any]:
        """Everything that can change a result, as JSON; workers, memory and paths are no part of it.

        `max_record` is told and not hashed (`config_hash`): what it changes is told by the records skipped.
        """
        return {
            "method": self.method.name,
            "parameters": self.method.settings(),
            "normaliser": NORMALISER_VERSION,
            "keep": str(self.policy),
            "time_key": self.time_key,
            "source_key": self.source_key,
            "relations": sorted(self.relations),
            "text": list(self.text),
            "html": self.pages,
            "body": self.body,
            "scope": {"within": self.scope.within, "per": self.scope.per, "same_site": self.scope.same_site},
            "strip": sorted(self.preparer.strip),
            "social": sorted(self.preparer.social),
            "boilerplate": hashlib.blake2b(
                "\n".join(sorted(self.preparer.boilerplate)).encode(), digest_size=16
            ).hexdigest(),
            "only_against": self.only_against,
            "max_record": self.max_record,
        }

    def config_hash(self) -> str:
        """blake2b-128 hex of `describe()` without `max_record`, as canonical JSON."""
        told = self.describe()
        del told["max_record"]
        canonical = json.dumps(spell_names(told), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()

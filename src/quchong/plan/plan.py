"""Plan of a run: everything that can change its result, validated and hashed."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

from quchong.errors import Param, UsageError, check_choice
from quchong.io.limits import LARGEST
from quchong.io.source import WantedColumns
from quchong.kernels.checked import threads_of
from quchong.languages import join_names
from quchong.outputs import spell_names
from quchong.pages import check_body
from quchong.patterns import lazy_pattern
from quchong.plan.catalogue import build
from quchong.plan.columns_found import FoundColumns
from quchong.plan.mix import Mix
from quchong.plan.spoken_numbers import in_digits
from quchong.policy.policy import Policy
from quchong.relations import CONFLICTING, DEFAULT_REMOVED, EQUAL, REMOVABLE
from quchong.seam import KeyJoin, Method, settings_of
from quchong.text import NORMALISER_VERSION, Preparer

EXAMINED = ("deciding", "all")
"""Pairs whose differences a run examines, see `Plan.differences`."""
TEMPLATED = ("keep", "remove", "payload")
"""Treatments of records on one template, see `Plan.templates`."""
ROUNDUPS = ("keep", "remove", "cut", "whole")
"""Treatments of roundups and of the documents contained in them, see `Plan.roundups`."""
EQUAL_TEXTS = ("raw", "strict", "loose")
"""Equalities of exact copies, see `Plan.exact`."""
DEFAULT_KEEP, POSTS_KEEP = "longest,earliest", "earliest,longest"
"""Default policy; and that of posts, of which a longer one is mostly a forward with a comment."""
DEFAULT_ROUNDUPS = "keep"
"""Treatment of roundups, unless the method asks for another one (`quchong.seam.Extras.roundups`)."""
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_SPAN = lazy_pattern(r"(\d+(?:\.\d+)?)\s*([a-z]+|[\u4e00-\u9fff]+)", re.IGNORECASE)
_UNIT_WORDS = {
    "s": ("s", "sec", "secs", "second", "seconds", "秒"), "m": ("m", "min", "mins", "minute", "minutes", "分", "分钟"),
    "h": ("h", "hr", "hrs", "hour", "hours", "时", "小时"), "d": ("d", "day", "days", "天", "日"),
    "w": ("w", "week", "weeks", "周", "星期"),
}  # fmt: skip
"""Words for units of time, by the letter of each."""


def parse_within(text: str | None) -> float | None:
    """Parse a span of time such as 7d, 12h, 2w, 90m, 7 days or 7天; return seconds, or None for None.

    Raises:
        UsageError: the text is not a number and a unit.
    """
    if text is None:
        return None
    found = _SPAN.fullmatch(text.strip())
    unit = found and next((letter for letter, words in _UNIT_WORDS.items() if found[2].lower() in words), None)
    value = float(found[1]) * _UNITS[unit] if found and unit else -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(
            "{} is not a time span: write a number and s, m, h, d or w, such as {}",
            Param("within", text), span_meant(text) or "7d",
        )  # fmt: skip
    return value


_LONG = {
    "月": 30,
    "个月": 30,
    "month": 30,
    "months": 30,
    "季度": 90,
    "个季度": 90,
    "年": 365,
    "y": 365,
    "yr": 365,
    "mo": 30,
    "year": 365,
    "years": 365,
    "": 1,
}
"""Spans that have no letter, in days; a number alone is one of days."""


def span_meant(text: str) -> str | None:
    """Return a span of time as options write it, such as 3d for 三天; None for a text that is no span.

    >>> span_meant("三天"), span_meant("一个月"), span_meant("30"), span_meant("soon"), span_meant("近三十天内"), span_meant("半年")
    ('3d', '30d', '30d', None, '30d', '182d')
    """
    plain = in_digits(text).removesuffix("内").removesuffix("以").removesuffix("之").removesuffix("前")
    found = re.fullmatch(r"(?:最近|近|过去|last |past )?(\d+(?:\.\d+)?)\s*个?(\w*?)", plain.removesuffix("以"))
    if found is None:
        return None
    number, unit = float(found[1]), found[2].lower()
    if unit in _LONG:
        return f"{int(number * _LONG[unit])}d"
    letter = next((one for one, words in _UNIT_WORDS.items() if unit in words), None)
    return f"{number:g}{letter}" if letter else None


@dataclass(frozen=True, slots=True)
class Scope:
    """Restriction of the pairs of documents that may be compared.

    Attributes:
        within: maximum distance in time, in seconds; documents without a time have no near pair.
        per: column whose value both documents must share (a missing value is a value of its own).
        same_site: True if both must be of the same site: the column `site`, else the registrable domain of the column `url`.
    """

    within: float | None = None
    per: str | None = None
    same_site: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Configuration of a run, without its inputs and outputs.

    Attributes:
        method: the method that finds and decides pairs.
        keep: the policy that chooses survivors, such as "longest,earliest".
        relations: relations that remove a document; the others are reported only (but see `removing`).
        text, id: columns; several text columns are joined by a line break. `id_given` is True if the id column was chosen: then
            every record must have it, unlike the default one.
        time_key, source_key: the columns used by the criteria earliest, latest and source, and by alarms.
        scope: restriction of the pairs that may be compared.
        preparer: steps that remove parts of texts before they are compared.
        html: column of web pages, read if the text columns are null; None for none.
        body: the part of a page that is its text, see `quchong.pages.BODIES`.
        only_against: True to compare with the reference corpus only, not within the input.
        recall_sample: number of documents compared exactly with all others to measure candidate recall, fewer if that would take
            more than about a million comparisons; 0 for none.
        differences: "deciding" to examine the differences of those pairs alone on which the fate of a document depends, or "all".
            Never changes which documents are removed, and for whom.
        templates: "keep" to look for templates, and to tell records on one of them apart by what fills its slots; "remove" to look for
            none, so that records on a template are removed as near-copies are; "payload" as "keep", and records that say the same in the
            slots of different templates are duplicates.
        roundups: "keep" to keep a document beside the roundup that contains it; "remove" to remove a roundup of which its originals have
            the whole text, or nearly so; "cut" to remove every roundup, and to write its row without the passages that kept documents have;
            "whole" to remove a document that a roundup contains as any contained document.
        exact: texts that are exact copies: "strict", equal in letters, digits and symbols; "loose", in letters and digits alone; "raw",
            byte for byte. Others are compared, and may be duplicates.
        mix: weights of sources, by which rows say how often training is to read them. Never changes which documents are removed.
        workers: number of threads; None takes all processors. Never changes a result.
        max_record: maximum size of a record in bytes; larger records are skipped. If none was skipped, a greater value gives the
            same result.
        target: number of documents to keep, for which the threshold was chosen after the pairs were found; None if it was given.
        keep_per_cluster: number of documents of each cluster to keep: the survivor, and the best of those removed for it.
        columns_found: columns found under usual names, of which the data need not have values.
    """

    method: Method = field(default_factory=lambda: build("hybrid"))
    keep: str = DEFAULT_KEEP
    relations: tuple[str, ...] = DEFAULT_REMOVED
    text: tuple[str, ...] = ("text",)
    id: str | None = "id"
    id_given: bool = False
    time_key: str = "time"
    source_key: str = "source"
    scope: Scope = field(default_factory=Scope)
    preparer: Preparer = field(default_factory=Preparer)
    only_against: bool = False
    recall_sample: int = 1000
    differences: str = "deciding"
    templates: str = "keep"
    roundups: str = DEFAULT_ROUNDUPS
    exact: str = "strict"
    mix: Mix | None = None
    workers: int | None = None
    html: str | None = "html"
    body: str = "main"
    max_record: int = LARGEST
    target: int | None = None
    keep_per_cluster: int = 1
    columns_found: FoundColumns = field(default_factory=FoundColumns)

    def __post_init__(self) -> None:
        self.policy  # noqa: B018 - raises where the policy cannot be read
        unknown = sorted(set(self.relations) - set(REMOVABLE))
        if unknown:
            check_choice("relations", ",".join(unknown), sorted(REMOVABLE))
        if self.scope.per in ("row", "text"):
            raise UsageError(
                "{}: documents cannot be grouped by this column, because its name is used by the run: rename the "
                "column",
                Param("per", self.scope.per),
            )
        if self.scope.within is not None and not isinstance(self.method.candidates, KeyJoin):
            raise UsageError(
                "{}: method {} finds candidates itself and has no time window; use {} with a column of dates, or {}",
                Param("within"),
                self.method.name,
                Param("per"),
                Param("method", "hybrid"),
            )
        if self.method.extras.unconfirmed is not None and not set(EQUAL) <= set(self.relations):
            raise UsageError(
                "a filter in stage 1 removes exact copies, but the list {} does not include exact: add exact "
                "to the list, or use {} or {}",
                Param("relations"),
                Param("confirm", True),
                Param("stage1", "digest"),
            )
        check_body(self.body)
        check_choice("differences", self.differences, EXAMINED)
        check_choice("templates", self.templates, TEMPLATED)
        check_choice("roundups", self.roundups, ROUNDUPS)
        if self.roundups == "cut" and len(self.text) > 1:
            raise UsageError(
                "{} writes one text column, but {} names {}: cut one column at a time",
                Param("roundups", "cut"),
                Param("text"),
                len(self.text),
            )
        check_choice("exact", self.exact, EQUAL_TEXTS)
        if self.html is not None and self.html == self.id:
            raise UsageError("{}: that column is the id; name the column that has the pages", Param("html", self.html))
        if not self.text:
            raise UsageError("{} needs at least one column", Param("text"))
        if not self.relations:
            raise UsageError(
                "{} does not name a value: use one or more of {}", Param("relations"), join_names(sorted(REMOVABLE))
            )
        threads_of(self.workers)  # refuses what is no number of workers
        if self.recall_sample < 0:
            raise UsageError("{} must be 0 (none) or more, got {}", Param("recall_sample"), self.recall_sample)

    @property
    def policy(self) -> Policy:
        """Policy that chooses survivors."""
        return Policy.parse(self.keep, time_key=self.time_key, source_key=self.source_key)

    @property
    def removing(self) -> tuple[str, ...]:
        """Relations that remove a document: those asked for, and variants if the method's `facts` includes them."""
        differences = self.method.differences
        also = CONFLICTING if differences is not None and differences.mode == "remove" else ()
        return (*self.relations, *(name for name in also if name not in self.relations))

    @property
    def wanted_columns(self) -> WantedColumns:
        """Columns to read: text and id, the columns of policy and scope, and the time and source columns."""
        extra = [*self.policy.columns, self.source_key, self.time_key]  # times tell which of two variants is newer
        if self.scope.per is not None:
            extra.append(self.scope.per)
        if self.scope.same_site:
            extra += ["site", "url"]
        extra += self.method.traits.needs
        if "site" in extra:
            extra.append("url")  # which tells the site where the column does not
        names = tuple(dict.fromkeys(c for c in extra if c not in ("row", "id", "text")))
        return WantedColumns(self.text, self.id, self.id_given, names, self.pages, textless=True)

    @property
    def pages(self) -> str | None:
        """Column of web pages used if a text is missing; None if the column is itself compared as text."""
        return None if self.html in self.text else self.html

    @property
    def named_columns(self) -> dict[str, str]:
        """Columns asked for by name, which the input must have, with the parameter that named each."""
        usual = {column for _, column in self.columns_found.found}
        if ("source", "url") in self.columns_found.found:
            usual.add("site")  # read from the url, which need not have one
        out = {
            criterion.column: "keep"
            for criterion in self.policy.criteria
            if criterion.named and criterion.column != "id"
        }
        for name, parameter, default in (
            (self.time_key, "time", "time"),
            (self.source_key, "source", "source"),
        ):
            if name != default and name not in usual:
                out[name] = parameter
        if self.scope.within is not None:
            out.setdefault(self.time_key, "within")  # unless the caller named it, who then hears of that option
        if self.scope.per is not None and self.scope.per != self.id:
            out[self.scope.per] = "per"
        return out

    def describe(self) -> dict[str, Any]:
        """Return everything that can change a result, for JSON; workers, memory and paths do not.

        `max_record`, `differences` and `mix` are included but not hashed (`config_hash`): the effect of the first is known from the records
        skipped, the others change no decision.
        """
        return {
            "method": self.method.name,
            "parameters": settings_of(self.method),
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
            "differences": self.differences,
            "templates": self.templates,
            "roundups": self.roundups,
            "exact": self.exact,
            "max_record": self.max_record,
            **({} if self.mix is None else {"mix": self.mix.describe()}),
            **({} if self.target is None else {"target": self.target}),
            **({} if self.keep_per_cluster == 1 else {"keep_per_cluster": self.keep_per_cluster}),
        }

    def config_hash(self) -> str:
        """Return the blake2b-128 hash of `describe()` without `max_record`, `differences` and `mix`, as canonical JSON, in hexadecimal.

        Without templates, with roundups whole, and with one document kept per cluster, the hash is that of versions which knew none.
        """
        told = self.describe()
        del told["max_record"], told["differences"]
        told.pop("mix", None)
        if self.templates == "remove":
            del told["templates"]
        if self.roundups == "whole":
            del told["roundups"]
        canonical = json.dumps(spell_names(told), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()

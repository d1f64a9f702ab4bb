"""Construction of a plan and a method from the arguments of a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

from quchong.errors import InputError, Param, UsageError, reason_of
from quchong.io.files.fetching import local_copy
from quchong.io.limits import LARGEST
from quchong.languages import join_names
from quchong.outputs import check_regular
from quchong.plan.catalogue import DEFAULT, build
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.mix import Mix
from quchong.plan.own_methods import check_own_method, refuse_no_method
from quchong.plan.parameters import checked
from quchong.plan.plan import DEFAULT_KEEP, DEFAULT_ROUNDUPS, POSTS_KEEP, Plan, Scope, parse_within
from quchong.relations import DEFAULT_REMOVED
from quchong.seam import Method
from quchong.text import Preparer, social_steps

Body = Literal["main", "accurate", "all"]
Examined = Literal["deciding", "all"]
Templated = Literal["keep", "remove", "payload"]
Roundups = Literal["keep", "remove", "cut", "whole"]
EqualTexts = Literal["raw", "strict", "loose"]
"""Part of a page that is its text, see `quchong.pages.BODIES`."""


def names_of(value: str | Iterable[str]) -> tuple[str, ...]:
    """Split names at commas, or take them one by one, each once."""
    items = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(v.strip() for v in items if v.strip()))


def make_plan(  # noqa: PLR0913 - keywords: the options of a run
    *,
    method: str | Method = DEFAULT,
    keep: str | Iterable[str] | None = None,
    relations: str | Iterable[str] = DEFAULT_REMOVED,
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    only_against: bool = False,
    differences: Examined = "deciding",
    templates: Templated = "keep",
    roundups: Roundups | None = None,
    exact: EqualTexts = "strict",
    mix: str | Path | Mapping[str, float] | None = None,
    mix_seed: int = 0,
    keep_per_cluster: int = 1,
    recall_sample: int = 1000,
    workers: int | None = None,
    html: str | None = "html",
    body: Body = "main",
    max_record: str | int | None = None,
    **parameters: Unpack[MethodParameters],
) -> Plan:
    """Build a validated plan from the options of `dedup` and of the command line.

    Args:
        boilerplate: a file of lines that are not compared, or several.
        method: a name, or a method.
        keep: None for `POSTS_KEEP` if parts of posts are not compared, else `DEFAULT_KEEP`.
        roundups: None for the treatment that the method asks for, else `DEFAULT_ROUNDUPS`.
        max_record: bytes; None for `limits.LARGEST`.
        **parameters: parameters of the method named.

    Raises:
        UsageError: an argument cannot be used; the message lists what can.
        InputError: a boilerplate file cannot be read.
    """
    of_run = checked(
        keep=keep,
        relations=relations,
        text=text,
        id=id,
        time=time,
        source=source,
        within=within,
        per=per,
        same_site=same_site,
        strip=strip,
        social=social,
        boilerplate=boilerplate,
        only_against=only_against,
        differences=differences,
        templates=templates,
        roundups=roundups,
        exact=exact,
        mix=mix,
        mix_seed=mix_seed,
        keep_per_cluster=keep_per_cluster,
        recall_sample=recall_sample,
        workers=workers,
        html=html,
        body=body,
        max_record=max_record,
    )
    lines: list[str] = []
    for path in of_run["boilerplate"]:
        try:
            copy = local_copy(path)
            check_regular(copy, pipes=True)
            lines += copy.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, ValueError) as error:  # ValueError: no UTF-8, or no name of a file
            raise InputError(
                "boilerplate file {} cannot be read: {}; give UTF-8 text, one passage per line", path, reason_of(error)
            ) from error
    chosen = method_of(method, parameters, of_run)
    social_parts = social_of(chosen, of_run["social"])
    return Plan(
        method=chosen,
        keep=of_run["keep"] or (POSTS_KEEP if social_parts else DEFAULT_KEEP),
        relations=of_run["relations"],
        text=of_run["text"],
        id="id" if id is None else id,
        id_given=id is not None,
        time_key=time,
        source_key=source,
        scope=Scope(parse_within(within), per, of_run["same_site"]),
        preparer=Preparer(of_run["strip"], tuple(lines), social_parts),
        only_against=of_run["only_against"],
        differences=of_run["differences"],
        templates=of_run["templates"],
        roundups=of_run["roundups"] or chosen.extras.roundups or DEFAULT_ROUNDUPS,
        exact=of_run["exact"],
        mix=_mix_of(of_run["mix"], of_run["mix_seed"]),
        keep_per_cluster=of_run["keep_per_cluster"],
        recall_sample=of_run["recall_sample"],
        workers=of_run["workers"],
        html=html or None,
        body=body,
        max_record=of_run["max_record"] or LARGEST,
    )


def _mix_of(weights: Mapping[str, float] | None, seed: int) -> Mix | None:
    """Return the mix of a call; raise UsageError for a seed without weights."""
    if weights is None and seed:
        raise UsageError(
            "{} has no effect without {}: give the weights, or leave out the option", Param("mix_seed"), Param("mix")
        )
    return Mix.of_weights(weights, seed)


def method_of(given: str | Method, parameters: Mapping[str, Any], beside: Iterable[str] = ()) -> Method:
    """Create the method named, with these parameters, or return the method given.

    Args:
        beside: names of other parameters, which are suggested if the method does not have a parameter.

    Raises:
        UsageError: the value is neither a name nor a method; the method or a parameter is unknown; parameters were
            given with a method object.
    """
    if isinstance(given, str):
        named = build(given, parameters, (*beside, "method"))
        check_own_method(named)
        return named
    refuse_no_method(given)
    if isinstance(given, type):
        raise UsageError("{} got the class {} itself: write {}()", Param("method"), given.__name__, given.__name__)
    left = sorted(k for k, v in parameters.items() if v is not None)
    if left:
        raise UsageError(
            "{}: {} is a method with its own parameters; give the parameters to the method, such as {}({}=...)",
            join_names(left),
            Param("method"),
            type(given).__name__,
            left[0],
        )
    check_own_method(given)
    return given


def social_of(method: Method, given: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the steps of social folding: those asked for; by default all for a method made for posts, none for others."""
    return social_steps(("all" if method.traits.social else "none") if given is None else given)

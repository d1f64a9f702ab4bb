"""The catalogue: every method by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from quchong.errors import Param, UsageError, meant
from quchong.methods.ccdet import CCDet
from quchong.methods.cluster import Cluster
from quchong.methods.codet import CoDet
from quchong.methods.cops import Cops
from quchong.methods.exact import Exact
from quchong.methods.feature_code import FeatureCode
from quchong.methods.hybrid import Hybrid
from quchong.methods.imatch import IMatch, IMatchP, IMatchS
from quchong.methods.koala import Koala
from quchong.methods.lsh import Lsh, LshP, LshS
from quchong.methods.mdr import Mdr
from quchong.methods.minhash import MinHashBands
from quchong.methods.partial import Partial
from quchong.methods.ppjoin import PPJoin, PPJoinPlus
from quchong.methods.shingling import Shingling
from quchong.methods.short_text import ShortText
from quchong.methods.sif import Sif
from quchong.methods.sl import Sl
from quchong.methods.sl_st import SlSt
from quchong.methods.spotsigs import SpotSigs
from quchong.methods.tree_feature_string import TreeFeatureString
from quchong.methods.tree_key_sentence import TreeKeySentence
from quchong.methods.tree_long_sentence import TreeLongSentence
from quchong.methods.two_stage import TwoStage
from quchong.methods.url import Url
from quchong.methods.winnowing import Winnowing
from quchong.methods.yap3 import Yap3
from quchong.parameters import fixed_of, parameters_of
from quchong.seam import Method

METHODS: dict[str, type[Any]] = {
    "hybrid": Hybrid,
    "minhash": MinHashBands,
    "exact": Exact,
    "two-stage": TwoStage,
    "short-text": ShortText,
    "ccdet": CCDet,
    "shingling": Shingling,
    "spotsigs": SpotSigs,
    "codet": CoDet,
    "imatch": IMatch,
    "imatch-s": IMatchS,
    "imatch-p": IMatchP,
    "lsh": Lsh,
    "lsh-s": LshS,
    "lsh-p": LshP,
    "tree-long-sentence": TreeLongSentence,
    "tree-key-sentence": TreeKeySentence,
    "tree-feature-string": TreeFeatureString,
    "url": Url,
    "feature-code": FeatureCode,
    "cluster": Cluster,
    "sl-st": SlSt,
    "sl": Sl,
    "cops": Cops,
    "partial": Partial,
    "mdr": Mdr,
    "yap3": Yap3,
    "winnowing": Winnowing,
    "sif": Sif,
    "koala": Koala,
    "ppjoin": PPJoin,
    "ppjoin+": PPJoinPlus,
}

DEFAULT = "hybrid"


def build(name: str, parameters: Mapping[str, Any] | None = None, beside: Iterable[str] = ()) -> Method:
    """A method by name with the parameters given (None means: the method's own default).

    Args:
        beside: names of other parameters that could have been meant by one the method does not have.

    Raises:
        UsageError: an unknown method, or a parameter it does not have, with the names it would take.
    """
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}" + (meant(name, METHODS) or f": use {', '.join(METHODS)}"))
    kind = METHODS[name]
    known = parameters_of(kind)
    given = {k: v for k, v in (parameters or {}).items() if v is not None}
    unknown = [k for k in given if k not in known]
    if unknown:
        raise _refused(name, unknown, beside)
    try:
        method: Method = kind(**given)
    except TypeError as error:
        raise UsageError(f"method {name}: {error}") from error
    return method


def _refused(name: str, unknown: list[str], beside: Iterable[str]) -> UsageError:
    """Why a method does not take these parameters."""
    kind = METHODS[name]
    known, first = parameters_of(kind), unknown[0]
    if why := fixed_of(kind).get(first):
        return UsageError(f"method {name} takes no ", Param(first), f": {why}; leave it out")
    owners = [n for n, k in METHODS.items() if first in parameters_of(k)]
    takes = f"it takes {', '.join(sorted(known))}"
    more = f"; {first} belongs to {', '.join(owners)}" if owners else meant(first, (*known, *beside))
    return UsageError(f"method {name} has no parameter {', '.join(sorted(unknown))}; {takes}{more}")


def altered(method: Method, parameters: Mapping[str, Any]) -> Method:
    """The method with other values of some parameters.

    Raises:
        UsageError: a value that cannot be used.
    """
    chosen: Any = method  # a frozen dataclass, whichever it is
    out: Method = replace(chosen, **parameters)
    return out

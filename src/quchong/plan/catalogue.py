"""The catalogue: every method by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

from quchong.errors import UsageError, meant
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
from quchong.plan.parameters import Kind, finite_number, whether, whole_number, word
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


def parameters_of(kind: type[Any]) -> dict[str, Any]:
    """Names and defaults of a method's parameters; what only `fitted` fills is none."""
    return {f.name: f.default for f in fields(kind) if not f.metadata.get("fitted")}


_PLAIN: dict[type, tuple[str, Callable[[Any], Any]]] = {
    bool: ("True or False", whether),
    int: ("a whole number", whole_number),
    float: ("a number", finite_number),
    str: ("a word", word),
}
"""What fields of plain types take; every other type is the method's own to check."""


def _checked(kind: type[Any], name: str, value: Any) -> Any:
    """A parameter's value in the type of its field.

    Raises:
        UsageError: it is of another.
    """
    hint = get_type_hints(kind)[name]
    types = [t for t in (get_args(hint) or (hint,)) if t is not type(None)]
    if any(t not in _PLAIN for t in types):
        return value
    words, read = _PLAIN[types[0]]
    return Kind(words, read)(name, value)


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
    known = set(parameters_of(kind))
    given = {k: v for k, v in (parameters or {}).items() if v is not None}
    unknown = sorted(set(given) - known)
    if unknown:
        owners = {p: [n for n, k in METHODS.items() if p in parameters_of(k)] for p in unknown}
        elsewhere = "; ".join(f"{p} belongs to {', '.join(o)}" for p, o in owners.items() if o)
        takes = f"it takes {', '.join(sorted(known))}" + (f"; {elsewhere}" if elsewhere else "")
        takes += "" if elsewhere else meant(unknown[0], (*known, *beside))
        raise UsageError(f"method {name} has no parameter {', '.join(unknown)}; {takes}")
    given = {parameter: _checked(kind, parameter, value) for parameter, value in given.items()}
    try:
        method: Method = kind(**given)
    except TypeError as error:
        raise UsageError(f"method {name}: {error}") from error
    return method


def altered(method: Method, parameters: Mapping[str, Any]) -> Method:
    """The method with other values of some parameters.

    Raises:
        UsageError: a value that cannot be used.
    """
    chosen: Any = method  # a frozen dataclass, whichever it is
    given = {name: _checked(type(chosen), name, value) for name, value in parameters.items()}
    out: Method = replace(chosen, **given)
    return out

"""Every method by name: a literal table, no registry."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

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


_TYPES: tuple[tuple[type, tuple[type, ...], str], ...] = (
    (bool, (bool,), "true or false"),
    (int, (int,), "a whole number"),
    (float, (int, float), "a number"),
    (str, (str,), "a word"),
)


def _check_type(name: str, value: Any, default: Any) -> None:
    """Raises UsageError where a value is not of the sort of the default; a parameter without one is checked later."""
    for kind, accepted, words in _TYPES:
        if isinstance(default, kind):
            if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
                raise UsageError(f"{name} wants {words}, got {value!r}")
            return


def build(name: str, parameters: dict[str, Any] | None = None) -> Method:
    """A method by name with the parameters given (None means: the method's own default).

    Raises:
        UsageError: an unknown method, or a parameter it does not have, with the names it would take.
    """
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}{meant(name, METHODS)} (`quchong methods` lists all)")
    kind = METHODS[name]
    known = set(parameters_of(kind))
    given = {k: v for k, v in (parameters or {}).items() if v is not None}
    unknown = sorted(set(given) - known)
    if unknown:
        owners = {p: [n for n, k in METHODS.items() if p in parameters_of(k)] for p in unknown}
        elsewhere = "; ".join(f"{p} belongs to {', '.join(o)}" for p, o in owners.items() if o)
        takes = f"it takes {', '.join(sorted(known))}" + (f"; {elsewhere}" if elsewhere else "")
        raise UsageError(f"method {name} has no parameter {', '.join(unknown)}; {takes}")
    for parameter, value in given.items():
        _check_type(parameter, value, parameters_of(kind)[parameter])
    try:
        method: Method = kind(**given)
    except TypeError as error:
        raise UsageError(f"method {name}: {error}") from error
    return method

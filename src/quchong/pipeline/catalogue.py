"""Every method by name: a literal table, no registry."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from quchong.errors import UsageError
from quchong.methods.ccdet import CCDet
from quchong.methods.cluster import Cluster
from quchong.methods.exact import Exact
from quchong.methods.feature_code import FeatureCode
from quchong.methods.hybrid import Hybrid
from quchong.methods.minhash import MinHashBands
from quchong.methods.short_text import ShortText
from quchong.methods.tree_feature_string import TreeFeatureString
from quchong.methods.tree_key_sentence import TreeKeySentence
from quchong.methods.tree_long_sentence import TreeLongSentence
from quchong.methods.two_stage import TwoStage
from quchong.methods.url import Url
from quchong.seam import Method

METHODS: dict[str, type[Any]] = {
    "hybrid": Hybrid,
    "minhash": MinHashBands,
    "exact": Exact,
    "two-stage": TwoStage,
    "short-text": ShortText,
    "ccdet": CCDet,
    "tree-long-sentence": TreeLongSentence,
    "tree-key-sentence": TreeKeySentence,
    "tree-feature-string": TreeFeatureString,
    "url": Url,
    "feature-code": FeatureCode,
    "cluster": Cluster,
}

DEFAULT = "hybrid"


def build(name: str, parameters: dict[str, Any] | None = None) -> Method:
    """A method by name with the parameters given (None means: the method's own default).

    Raises:
        UsageError: an unknown method, or a parameter it does not have, with the names it would take.
    """
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}: use {', '.join(METHODS)}")
    kind = METHODS[name]
    known = {f.name for f in fields(kind)}
    given = {k: v for k, v in (parameters or {}).items() if v is not None}
    unknown = sorted(set(given) - known)
    if unknown:
        owners = {p: [n for n, k in METHODS.items() if p in {f.name for f in fields(k)}] for p in unknown}
        elsewhere = "; ".join(f"{p} belongs to {', '.join(o)}" for p, o in owners.items() if o)
        takes = f"it takes {', '.join(sorted(known))}" + (f"; {elsewhere}" if elsewhere else "")
        raise UsageError(f"method {name} has no parameter {', '.join(unknown)}; {takes}")
    try:
        method: Method = kind(**given)
    except TypeError as error:
        raise UsageError(f"method {name}: {error}") from error
    return method

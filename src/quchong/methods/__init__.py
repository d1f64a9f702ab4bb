"""The methods: one file for each paper or family. No method imports another.

    import quchong as qc
    qc.dedup("news.jsonl", method=qc.methods.Hybrid(threshold=0.8))

Each is a frozen dataclass; its fields are its parameters. A method is imported when it is first used.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from quchong.parameters import documented

if TYPE_CHECKING:
    from quchong.methods.ccdet import CCDet
    from quchong.methods.cluster import Cluster
    from quchong.methods.codet import CoDet
    from quchong.methods.cops import Cops
    from quchong.methods.exact import Exact
    from quchong.methods.feature_code import FeatureCode
    from quchong.methods.hamming_lsh import HammingLsh
    from quchong.methods.henzinger import Henzinger
    from quchong.methods.hybrid import Hybrid
    from quchong.methods.imatch import IMatch, IMatchP, IMatchS
    from quchong.methods.koala import Koala
    from quchong.methods.lcs import Lcs
    from quchong.methods.lsh import Lsh, LshP, LshS
    from quchong.methods.lsh_forest import LshForest
    from quchong.methods.mdr import Mdr
    from quchong.methods.minhash import MinHashBands
    from quchong.methods.partial import Partial
    from quchong.methods.ppjoin import PPJoin, PPJoinPlus
    from quchong.methods.projection import RandomProjection
    from quchong.methods.scam import Scam
    from quchong.methods.shingling import Shingling
    from quchong.methods.short_text import ShortText
    from quchong.methods.sif import Sif
    from quchong.methods.simhash import SimHash
    from quchong.methods.sl import Sl
    from quchong.methods.sl_st import SlSt
    from quchong.methods.spotsigs import SpotSigs
    from quchong.methods.trees import TreeFeatureString, TreeKeySentence, TreeLongSentence
    from quchong.methods.two_stage import TwoStage
    from quchong.methods.url import Url
    from quchong.methods.winnowing import Winnowing
    from quchong.methods.yap3 import Yap3

__all__ = [
    "CCDet",
    "Cluster",
    "CoDet",
    "Cops",
    "Exact",
    "FeatureCode",
    "HammingLsh",
    "Henzinger",
    "Hybrid",
    "IMatch",
    "IMatchP",
    "IMatchS",
    "Koala",
    "Lcs",
    "Lsh",
    "LshForest",
    "LshP",
    "LshS",
    "Mdr",
    "MinHashBands",
    "PPJoin",
    "PPJoinPlus",
    "Partial",
    "RandomProjection",
    "Scam",
    "Shingling",
    "ShortText",
    "Sif",
    "SimHash",
    "Sl",
    "SlSt",
    "SpotSigs",
    "TreeFeatureString",
    "TreeKeySentence",
    "TreeLongSentence",
    "TwoStage",
    "Url",
    "Winnowing",
    "Yap3",
]

PLACES = {
    "hybrid": "hybrid:Hybrid",
    "minhash": "minhash:MinHashBands",
    "exact": "exact:Exact",
    "two-stage": "two_stage:TwoStage",
    "short-text": "short_text:ShortText",
    "ccdet": "ccdet:CCDet",
    "shingling": "shingling:Shingling",
    "spotsigs": "spotsigs:SpotSigs",
    "codet": "codet:CoDet",
    "imatch": "imatch:IMatch",
    "imatch-s": "imatch:IMatchS",
    "imatch-p": "imatch:IMatchP",
    "lsh": "lsh:Lsh",
    "lsh-s": "lsh:LshS",
    "lsh-p": "lsh:LshP",
    "lsh-forest": "lsh_forest:LshForest",
    "hamming-lsh": "hamming_lsh:HammingLsh",
    "simhash": "simhash:SimHash",
    "random-projection": "projection:RandomProjection",
    "henzinger": "henzinger:Henzinger",
    "tree-long-sentence": "trees:TreeLongSentence",
    "tree-key-sentence": "trees:TreeKeySentence",
    "tree-feature-string": "trees:TreeFeatureString",
    "url": "url:Url",
    "feature-code": "feature_code:FeatureCode",
    "cluster": "cluster:Cluster",
    "sl-st": "sl_st:SlSt",
    "sl": "sl:Sl",
    "cops": "cops:Cops",
    "partial": "partial:Partial",
    "mdr": "mdr:Mdr",
    "yap3": "yap3:Yap3",
    "winnowing": "winnowing:Winnowing",
    "sif": "sif:Sif",
    "koala": "koala:Koala",
    "scam": "scam:Scam",
    "lcs": "lcs:Lcs",
    "ppjoin": "ppjoin:PPJoin",
    "ppjoin+": "ppjoin:PPJoinPlus",
}
"""Where each method stands, by the name it is called by: module and class. Their order is that of `quchong methods`."""

_MODULES = {place.partition(":")[2]: place.partition(":")[0] for place in PLACES.values()}


@cache
def _imported(name: str) -> Any:
    kind = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    kind.__doc__ = documented(kind)
    return kind


if not TYPE_CHECKING:  # a type checker would take any name for a method

    def __getattr__(name: str) -> Any:
        """The class of a method, imported now."""
        if name in _MODULES:
            return _imported(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

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
    from quchong.methods.equality.block_digest import BlockDigest
    from quchong.methods.equality.exact import Exact
    from quchong.methods.equality.url import Url
    from quchong.methods.passages.koala import Koala
    from quchong.methods.passages.lcs import Lcs
    from quchong.methods.passages.mdr import Mdr
    from quchong.methods.passages.sif import Sif
    from quchong.methods.passages.winnowing import Winnowing
    from quchong.methods.passages.yap3 import Yap3
    from quchong.methods.sentences.cops import Cops
    from quchong.methods.sentences.partial import Partial
    from quchong.methods.sentences.sl import Sl
    from quchong.methods.sentences.sl_st import SlSt
    from quchong.methods.sets.ccdet import CCDet
    from quchong.methods.sets.codet import CoDet
    from quchong.methods.sets.feature_code import FeatureCode
    from quchong.methods.sets.ppjoin import PPJoin, PPJoinPlus
    from quchong.methods.sets.shingling import Shingling
    from quchong.methods.sets.spotsigs import SpotSigs
    from quchong.methods.signatures.hamming_lsh import HammingLsh
    from quchong.methods.signatures.henzinger import Henzinger
    from quchong.methods.signatures.imatch import IMatch, IMatchP, IMatchRandom, IMatchS
    from quchong.methods.signatures.lsh import Lsh, LshP, LshS
    from quchong.methods.signatures.lsh_forest import LshForest
    from quchong.methods.signatures.projection import RandomProjection
    from quchong.methods.signatures.simhash import SimHash
    from quchong.methods.signatures.two_stage import TwoStage
    from quchong.methods.terms.cluster import Cluster
    from quchong.methods.terms.dscam import Dscam
    from quchong.methods.terms.graph import Graph
    from quchong.methods.terms.kmatch import KMatch
    from quchong.methods.terms.scam import Scam
    from quchong.methods.trees.check import Check
    from quchong.methods.trees.layers import TreeFeatureString, TreeKeySentence, TreeLongSentence
    from quchong.methods.verified.hybrid import Hybrid
    from quchong.methods.verified.minhash import MinHashBands
    from quchong.methods.verified.short_text import ShortText

__all__ = [
    "BlockDigest",
    "CCDet",
    "Check",
    "Cluster",
    "CoDet",
    "Cops",
    "Dscam",
    "Exact",
    "FeatureCode",
    "Graph",
    "HammingLsh",
    "Henzinger",
    "Hybrid",
    "IMatch",
    "IMatchP",
    "IMatchRandom",
    "IMatchS",
    "KMatch",
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
    "hybrid": "verified.hybrid:Hybrid",
    "minhash": "verified.minhash:MinHashBands",
    "exact": "equality.exact:Exact",
    "two-stage": "signatures.two_stage:TwoStage",
    "short-text": "verified.short_text:ShortText",
    "ccdet": "sets.ccdet:CCDet",
    "shingling": "sets.shingling:Shingling",
    "spotsigs": "sets.spotsigs:SpotSigs",
    "codet": "sets.codet:CoDet",
    "imatch": "signatures.imatch:IMatch",
    "imatch-random": "signatures.imatch:IMatchRandom",
    "imatch-s": "signatures.imatch:IMatchS",
    "imatch-p": "signatures.imatch:IMatchP",
    "lsh": "signatures.lsh:Lsh",
    "lsh-s": "signatures.lsh:LshS",
    "lsh-p": "signatures.lsh:LshP",
    "lsh-forest": "signatures.lsh_forest:LshForest",
    "hamming-lsh": "signatures.hamming_lsh:HammingLsh",
    "simhash": "signatures.simhash:SimHash",
    "random-projection": "signatures.projection:RandomProjection",
    "henzinger": "signatures.henzinger:Henzinger",
    "tree-long-sentence": "trees.layers:TreeLongSentence",
    "tree-key-sentence": "trees.layers:TreeKeySentence",
    "tree-feature-string": "trees.layers:TreeFeatureString",
    "check": "trees.check:Check",
    "url": "equality.url:Url",
    "feature-code": "sets.feature_code:FeatureCode",
    "cluster": "terms.cluster:Cluster",
    "sl-st": "sentences.sl_st:SlSt",
    "sl": "sentences.sl:Sl",
    "cops": "sentences.cops:Cops",
    "partial": "sentences.partial:Partial",
    "mdr": "passages.mdr:Mdr",
    "yap3": "passages.yap3:Yap3",
    "winnowing": "passages.winnowing:Winnowing",
    "sif": "passages.sif:Sif",
    "koala": "passages.koala:Koala",
    "kmatch": "terms.kmatch:KMatch",
    "graph": "terms.graph:Graph",
    "block-digest": "equality.block_digest:BlockDigest",
    "scam": "terms.scam:Scam",
    "dscam": "terms.dscam:Dscam",
    "lcs": "passages.lcs:Lcs",
    "ppjoin": "sets.ppjoin:PPJoin",
    "ppjoin+": "sets.ppjoin:PPJoinPlus",
}
"""Module and class of each method, by its name, in the order of `quchong methods`."""

_MODULES = {place.partition(":")[2]: place.partition(":")[0] for place in PLACES.values()}


@cache
def _imported(name: str) -> Any:
    kind = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    kind.__doc__ = documented(kind)
    return kind


if not TYPE_CHECKING:  # a type checker would take any name for a method

    def __getattr__(name: str) -> Any:
        """Import and return the class of a method."""
        if name in _MODULES:
            return _imported(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

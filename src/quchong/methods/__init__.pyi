# Made by tools/method_types.py from the files of the methods.
from pathlib import Path

from quchong.methods.equality.block_digest import BlockDigest as BlockDigest
from quchong.methods.equality.exact import Exact as Exact
from quchong.methods.equality.url import Url as Url
from quchong.methods.passages.koala import Koala as Koala
from quchong.methods.passages.lcs import Lcs as Lcs
from quchong.methods.passages.mdr import Mdr as Mdr
from quchong.methods.passages.sif import Sif as Sif
from quchong.methods.passages.winnowing import Winnowing as Winnowing
from quchong.methods.passages.yap3 import Yap3 as Yap3
from quchong.methods.sentences.cops import Cops as Cops
from quchong.methods.sentences.partial import Partial as Partial
from quchong.methods.sentences.sl import Sl as Sl
from quchong.methods.sentences.sl_st import SlSt as SlSt
from quchong.methods.sets.ccdet import CCDet as CCDet
from quchong.methods.sets.codet import CoDet as CoDet
from quchong.methods.sets.feature_code import FeatureCode as FeatureCode
from quchong.methods.sets.ppjoin import PPJoin as PPJoin
from quchong.methods.sets.ppjoin import PPJoinPlus as PPJoinPlus
from quchong.methods.sets.shingling import Shingling as Shingling
from quchong.methods.sets.spotsigs import SpotSigs as SpotSigs
from quchong.methods.signatures.hamming_lsh import HammingLsh as HammingLsh
from quchong.methods.signatures.henzinger import Henzinger as Henzinger
from quchong.methods.signatures.imatch import IMatch as IMatch
from quchong.methods.signatures.imatch import IMatchP as IMatchP
from quchong.methods.signatures.imatch import IMatchRandom as IMatchRandom
from quchong.methods.signatures.imatch import IMatchS as IMatchS
from quchong.methods.signatures.lsh import Lsh as Lsh
from quchong.methods.signatures.lsh import LshP as LshP
from quchong.methods.signatures.lsh import LshS as LshS
from quchong.methods.signatures.lsh_forest import LshForest as LshForest
from quchong.methods.signatures.projection import RandomProjection as RandomProjection
from quchong.methods.signatures.simhash import SimHash as SimHash
from quchong.methods.signatures.two_stage import TwoStage as TwoStage
from quchong.methods.terms.cluster import Cluster as Cluster
from quchong.methods.terms.dscam import Dscam as Dscam
from quchong.methods.terms.graph import Graph as Graph
from quchong.methods.terms.kmatch import KMatch as KMatch
from quchong.methods.terms.scam import Scam as Scam
from quchong.methods.trees.check import Check as Check
from quchong.methods.trees.layers import TreeFeatureString as TreeFeatureString
from quchong.methods.trees.layers import TreeKeySentence as TreeKeySentence
from quchong.methods.trees.layers import TreeLongSentence as TreeLongSentence
from quchong.methods.verified.hybrid import Hybrid as Hybrid
from quchong.methods.verified.minhash import MinHashBands as MinHashBands
from quchong.methods.verified.short_text import ShortText as ShortText

ORDER: tuple[str, ...]
PLACES: dict[str, str]

def find_methods(folder: Path) -> dict[str, str]: ...

"""Features by which documents are compared."""

from quchong.features.anchors import Anchors
from quchong.features.digests import digests, equal_keys
from quchong.features.short import ShortKeys

__all__ = ["Anchors", "ShortKeys", "digests", "equal_keys"]

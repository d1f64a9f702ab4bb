"""What documents are compared by."""

from quchong.features.anchors import Anchors
from quchong.features.short import ShortKeys

__all__ = ["Anchors", "ShortKeys"]

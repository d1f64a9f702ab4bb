"""What documents are compared by."""

from quchong.features.anchors import Anchors

__all__ = ["Anchors"]

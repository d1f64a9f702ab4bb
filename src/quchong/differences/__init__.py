"""What two near-copies differ in: aligned, and classified."""

from __future__ import annotations

from quchong.differences.find import find_differences

__all__ = ["find_differences"]

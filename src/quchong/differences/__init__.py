"""Differences of two near-copies: found by alignment, and classified by kind."""

from __future__ import annotations

from quchong.differences.find import find_differences
from quchong.differences.reprinted import with_furniture
from quchong.differences.warming import load_tables

__all__ = ["find_differences", "load_tables", "with_furniture"]

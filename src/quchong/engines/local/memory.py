"""How much memory there is, and what a run makes of it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
HELD = 16
"""A run needs memory of up to so many times its files: 6 times those of zh_100k (Parquet), 17 times those of zh_short_1m."""


def memory_given() -> int:
    """Bytes of memory that the machine has, or its container is given; 0 where the system does not tell."""
    found: list[int] = []
    with suppress(OSError, ValueError, AttributeError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for limit in _LIMITS:
        with suppress(OSError, ValueError):  # "max": no limit
            found.append(int(Path(limit).read_text(encoding="ascii")))
    return min((n for n in found if n > 0), default=0)


def budget(asked: int | None = None) -> int | None:
    """Bytes a run may take: what was asked for, else half of what there is; None where nobody knows."""
    return (memory_given() // 2 or None) if asked is None else asked


def may_exceed(files: int, given: int | None) -> bool:
    """May a run over files of so many bytes need more than it is given?"""
    return given is not None and files * HELD > given

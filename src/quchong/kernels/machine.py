"""What kernels run on: the instruction set of their loops, how a long one is ended, memory that was let go."""

from __future__ import annotations

import _quchong

from quchong.kernels import checked

Stop = _quchong.Stop
"""Given to a long kernel and set (`set()`) by another thread, it ends it early; what comes back then is worth nothing."""


def loops() -> str:
    """The instruction set the tight loops run with: baseline, avx2 or avx512."""
    return str(_quchong.loops())


def give_back_from(size: int = 1 << 20) -> bool:
    """From now on the process returns every block of at least `size` bytes to the system as soon as it is let go.

    glibc begins that way, but raises the limit up to 32 MB by itself: arrays below it then leave holes in a heap that
    only grows (about 100 MB in a run over a million short texts). For a process of its own, not for a library's caller:
    it concerns all of the process. False where the C library is another and nothing changed.

    Raises:
        ValueError: a size below 4096 or above 32 MB, which glibc does not take.
    """
    return bool(_quchong.give_back_from(checked.number(size, 4096, 32 << 20, "size")))

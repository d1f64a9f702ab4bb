"""Every situation by name."""

from __future__ import annotations

from pathlib import Path

from changing import CHANGING
from ground import Ground, Situation
from hanging import HANGING
from places import PLACES
from together import TOGETHER
from trial import Outcome

SITUATIONS: dict[str, Situation] = {**PLACES, **TOGETHER, **CHANGING, **HANGING}


def run(name: str, work: Path) -> Outcome:
    """Tries one."""
    ground = Ground(work)
    try:
        SITUATIONS[name](ground)
    finally:
        ground.close()
    return Outcome(name, "", 0, True, ground.code, "", tuple(ground.wrong))

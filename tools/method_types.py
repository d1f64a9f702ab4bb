"""Writes src/quchong/plan/method_parameters.py: the parameters of all methods as keywords with types.

python tools/method_types.py            writes it
python tools/method_types.py --check    writes nothing, and fails if it is not up to date
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS

TARGET = Path(__file__).parents[1] / "src" / "quchong" / "plan" / "method_parameters.py"
HEAD = '''"""The parameters of all methods as keywords with types. Made by tools/method_types.py from the fields of the methods."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from quchong.sketches import FeatureStatistics
'''
ALIGN = '''

class AlignParameters(TypedDict, total=False):
    """What `align` takes for the method named: all but `min_chars`, which it has itself."""

'''
ALL = '''

class MethodParameters(AlignParameters, total=False):
    """What `dedup`, `compare` and others take for the method named; None is the method's own default.

    Which of them a method has says `quchong methods NAME`; another is refused.
    """

'''
DECIDED = '''

class DecisionParameters(TypedDict, total=False):
    """What `Result.rethreshold` takes beside the thresholds: parameters by which methods decide; None leaves one as it is."""

'''
OF_ALIGN = "min_chars"
"""A parameter of `align` itself, which a method has too."""
OF_RETHRESHOLD = {"threshold", "containment"}


def made() -> str:
    """The module as it should be."""
    types: dict[str, set[type | None]] = defaultdict(set)
    decided: set[str] = set()
    for kind in METHODS.values():
        for known in parameters_of(kind).values():
            types[known.name].add(known.type)
        decided |= set(kind.traits.decided_by)
    lines = {name: f"    {name}: {_spelt(found)} | None\n" for name, found in sorted(types.items())}
    return "".join(
        [
            HEAD,
            ALIGN, *(line for name, line in lines.items() if name != OF_ALIGN),
            ALL, lines[OF_ALIGN],
            DECIDED, *(line for name, line in lines.items() if name in decided - OF_RETHRESHOLD),
        ]
    )  # fmt: skip


def _spelt(found: set[type | None]) -> str:
    if None in found:
        return "str | Path | FeatureStatistics"
    names = sorted(t.__name__ for t in found if t is not None)
    return "float" if names == ["float", "int"] else " | ".join(names)


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("--check", action="store_true", help="write nothing, fail if it is not up to date")
    stale = not TARGET.is_file() or TARGET.read_text("utf-8") != made()
    if arguments.parse_args().check:
        sys.exit(stale)
    if stale:
        TARGET.write_text(made(), "utf-8")


if __name__ == "__main__":
    main()

"""One maker of valid arguments for every kernel, with its Python twin where the twin is quick.

`KERNELS` names them all; a test holds it to what the compiled module has.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))  # the twins stand beside the tests

from kernel_arguments.call import KERNELS, Call

for _name in "texts sentences shingles edits runs joins segments sketches sets trees filters".split():
    import_module(f"{__name__}.{_name}")  # enters its makers into KERNELS

__all__ = ["KERNELS", "Call"]

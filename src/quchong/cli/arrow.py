"""Starts Arrow without pandas, for commands that run on this machine."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


class _Refusing(MetaPathFinder):
    """Refuses to import pandas."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Nothing; an error where pandas is looked for."""
        if fullname == "pandas":
            raise ImportError("pandas is left alone while Arrow starts")


def without_pandas() -> None:
    """Keeps pyarrow from loading pandas, which takes as long as half of everything else that starts.

    pyarrow looks once, at the first array it makes, whether pandas is there, so as to know its columns when it meets one. A
    command meets none. Who asks for pandas by name (`import pandas`, `Table.to_pandas`) gets it all the same.
    """
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    refusing = _Refusing()
    sys.meta_path.insert(0, refusing)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(refusing)

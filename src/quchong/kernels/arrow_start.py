"""Start of Arrow without pandas, for commands and processes that have no pandas columns."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


class _Refusing(MetaPathFinder):
    """Import finder that refuses to import pandas."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Return None for every module, but raise ImportError for pandas."""
        if fullname == "pandas":
            raise ImportError("pandas is left alone while Arrow starts")


def without_pandas() -> None:
    """Keep pyarrow from importing pandas, which takes half as long as all other imports together.

    pyarrow tries to import pandas once, when it makes its first array, in order to recognise pandas columns. Commands have none.
    Explicit uses of pandas (`import pandas`, `Table.to_pandas`) still work.
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

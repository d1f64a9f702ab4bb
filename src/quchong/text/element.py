"""The forms in which filters of exact repeats compare texts, by name."""

from __future__ import annotations

from quchong.errors import UsageError
from quchong.kernels.elements import RAW, STRICT, Element
from quchong.text.normalise import NORMALISER_VERSION, tables


def element(name: str = "strict") -> Element:
    """The form of this name.

    "raw": byte for byte. "strict": NFKC, case and white space do not count, marks do. "loose": letters and digits with the
    signs of figures, traditional and simplified alike, as the default method compares (`form("standard")`); strict where that is empty.

    Raises:
        UsageError: another name.
    """
    if name == "loose":
        return Element("loose", NORMALISER_VERSION, tables())
    if name not in ("raw", "strict"):
        raise UsageError(f"unknown form {name!r}: use strict, loose or raw")
    return RAW if name == "raw" else STRICT

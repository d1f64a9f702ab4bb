"""Two texts as one line for a reader: [-only in the first-], {+only in the second+}, long equal stretches cut."""

from __future__ import annotations

import difflib

EQUAL_SHOWN = 12


def inline(a: str, b: str, shown: int = EQUAL_SHOWN, longest: int | None = None) -> str:
    """What differs, in place; `longest` cuts stretches that stand on one side only."""

    def whole(text: str) -> str:
        return (
            text
            if longest is None or len(text) <= longest
            else f"{text[: longest // 2]}…<{len(text)}>…{text[-(longest // 2) :]}"
        )

    out = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            same = a[i:j]
            out.append(same if len(same) <= 3 * shown else f"{same[:shown]}…<{len(same)}>…{same[-shown:]}")
            continue
        if j > i:
            out.append(f"[-{whole(a[i:j])}-]")
        if m > k:
            out.append("{+" + whole(b[k:m]) + "+}")
    return "".join(out).replace("\n", "⏎")

"""Texts with stretches of them marked, harmless for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quchong.report.visible import Shown, compose, visible

Span = tuple[int, int]


Mark = Callable[[str], str]


LEAD = 100  # characters shown before the first passage of a long text


def bracketed(text: str) -> str:
    """Marks a shared stretch where there are no colours."""
    return f"⟦{text}⟧"


def marked(text: str, spans: Sequence[Span], mark: Mark, shown: int) -> Shown:
    """The beginning of a text, or the text around its first stretch, with stretches marked. Harmless for a terminal."""
    merged = _merged(spans)
    begin = max(0, merged[0][0] - LEAD) if merged and merged[0][0] > shown // 2 else 0
    if begin:  # a passage deep in a long text: show the text around it
        moved = [(max(0, a - begin), b - begin) for a, b in merged]
        return Shown(compose("({:,} characters before) … ", begin) + marked(text[begin:], moved, mark, shown))
    out: list[str] = []
    at = 0
    for start, end in merged:
        if start >= shown:
            break
        end = min(end, shown)
        out += [visible(text[at:start]), mark(visible(text[start:end]))]
        at = end
    out.append(visible(text[at:shown]) if at < shown else "")
    rest = len(text) - max(shown, at)
    return Shown("".join(out) + (compose(" … ({:,} characters more)", rest) if rest > 0 else ""))


def _merged(spans: Sequence[Span]) -> list[Span]:
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out

"""Posts: the patterns of their marks, and what of them is folded. They are the specification of cpp/posts."""

from __future__ import annotations

import re
import unicodedata

from quchong.text.social import BESIDE_CONTENT, BESIDE_MARKS, EMOJI_CODES, SOCIAL_STEPS

_CONTENT = frozenset(("links", "hashtags", "names"))
_NAME = r"@[\w\-·]{1,30}(?![\w\-·])"
_FORWARD = r"(?:转发微博|轉發微博|转发|轉發|转载|转贴|扩散|求转|速转|转|轉|RT|Fwd?)"
_TAG = (
    r"(?:\d{0,2}[图圖]|组图|組圖|多图|附图|有图|配图|图文|图片|高清图|高清组图|动图|长图|GIF|"
    r"视频|視頻|音频|图集|荐|推荐|原创|独家)"
)
_TOPICS = r"(?:#[^#\n]{4,40}#\s*)+"


def _codes() -> str:
    """Return a pattern of the codes, complete in brackets, or cut off at the end of the text."""
    whole = sorted(set(EMOJI_CODES), key=lambda code: (-len(code), code))
    begun = sorted({code[:n] for code in whole for n in range(1, len(code) + 1)}, key=lambda part: (-len(part), part))
    return rf"\[(?:(?:{'|'.join(map(re.escape, whole))})\]|(?:{'|'.join(map(re.escape, begun))})\Z)"


_CODE = _codes()
_LINK = r"(?:https?:(?://[!-~]*)?|(?<![0-9A-Za-z])www\.[!-~]+|(?<![0-9A-Za-z.])t\.cn/[0-9A-Za-z]+)"
_PICTURE = "[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a-\u23ff\ufe0f\u200d\u20e3\U000e0020-\U000e007f]+"
_PATTERNS = {
    "forwards": (
        rf"//\s*{_NAME}\s*[:：]?|回[复復]\s*{_NAME}\s*[:：]?"
        rf"|(?:\bRT|[转轉]自|\bvia|来自|分享自)\s*[:：]?\s*{_NAME}\s*[:：]?"
        rf"|(?:\A|(?<=[:：\s]))(?:转发微博|轉發微博|转发|轉發|Repost)[。.!！~～]*(?=\s*(?://|\Z))"
        rf"|\A\s*[（(【\[「]\s*{_FORWARD}\s*[）)】\]」]|[（(【\[「]\s*{_FORWARD}\s*[）)】\]」]\s*\Z"
        rf"|\A\s*{_FORWARD}\s*[:：]"
    ),
    "tags": rf"[（(【\[]\s*{_TAG}\s*[）)】\]]|\A\s*(?:组图|組圖|多图|图文|图片|高清图|高清组图|视频|图集)\s*[:：]",
    "links": _LINK,
    "hashtags": rf"\A\s*{_TOPICS}|{_TOPICS}(?=(?:\s|{_LINK}|{_NAME}|{_CODE})*\Z)",
    "emoji": f"{_CODE}|{_PICTURE}",
    "names": rf"\A\s*(?:{_NAME}[\s,，、:：]*)+|(?<![0-9A-Za-z._%+\-])(?:{_NAME}[\s,，、]*)+(?=(?:{_CODE}|{_PICTURE})*\Z)",
    "punctuation": r"(?P<mark>[^\w\s])(?P=mark)+",
}


def unicode_version() -> str:
    """The version of Unicode that the patterns follow here."""
    return unicodedata.unidata_version


def folding(steps: tuple[str, ...]) -> re.Pattern[str]:
    """Return one pattern of all steps, in the order of `SOCIAL_STEPS`; the group that matched names the step."""
    return re.compile("|".join(f"(?P<{s}>{_PATTERNS[s]})" for s in SOCIAL_STEPS if s in steps), re.IGNORECASE)


def fold_posts(text: str, pattern: re.Pattern[str]) -> list[tuple[int, int, str]]:
    """Return the replacements in a text: (start, end, replacement) in characters, sorted, not overlapping.

    Args:
        text: any text; the empty one has nothing to replace.
        pattern: from `folding`.
    """
    found = [(m.start(), m.end(), _step(m), m.group()) for m in pattern.finditer(text)]
    if not found:
        return []
    left = _count_letters(text) - sum(_count_letters(f[3]) for f in found)
    if left < BESIDE_CONTENT:
        left += sum(_count_letters(f[3]) for f in found if f[2] in _CONTENT)
        found = [f for f in found if f[2] not in _CONTENT]
    if left < BESIDE_MARKS:
        found = [f for f in found if f[2] == "punctuation"]
    return [(a, b, what[0] if step == "punctuation" else " ") for a, b, step, what in found]


def _step(match: re.Match[str]) -> str:
    """Return the step whose alternative matched (`lastgroup` may name the mark inside it)."""
    return "punctuation" if match.lastgroup == "mark" else str(match.lastgroup)


def _count_letters(text: str) -> int:
    """Return the number of letters and digits in a text."""
    return sum(map(str.isalnum, text))

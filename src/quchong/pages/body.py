"""Detection of the main body of a page by weights of its lines.

The library removes menus, footers and the like by the names of their elements. The remaining lines are judged by
their text: the share of a line that is a link, punctuation of sentences, and phrases typical of the surroundings of
bodies (share buttons, the editor's line, related reading, comments). The body is the run of lines with the greatest
sum of weights, as in block-distribution extraction (行块分布; Chen 2010), found in one pass (Kadane's algorithm).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from quchong.kernels.page import BOLD, BOLD_END, HEADING, LINK, LINK_END
from quchong.patterns import lazy_pattern

_MARK = lazy_pattern(f"[{LINK}{LINK_END}{BOLD}{BOLD_END}]")
_ANY = lazy_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BREAK = lazy_pattern("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_BLANK = " \t\xa0\u2002\u2003\u2009\u3000\u200b\u200c\u200d\u2060\ufeff"
"""White space at the ends of lines, and characters without width; a line of only these is empty."""
_SENTENCE = lazy_pattern(r"[。！？；，…]|[.!?,;:][”’\"')]?(?:\s|$)")
_AFTER = lazy_pattern(
    r"[\W_]*(?:责任编辑|責任編輯|责编|本文来源|特别声明|特別聲明|免责声明|免責聲明|版权声明|版權聲明|版权所有|未经授权|未经许可|更多精彩"
    r"|相关(?:阅读|新闻|推荐|文章|报道|链接|搜索|内容|专题|资讯)|相關(?:閱讀|新聞|文章|報導)|延伸阅读|延伸閱讀|推荐阅读|热门(?:推荐|评论|文章|新闻|搜索|话题)|热点推荐|精彩推荐|猜你喜欢|为您推荐|为你推荐"
    r"|网友评论|全部评论|最新评论|热评论|热门跟贴|发表评论|我要评论|我要反馈|查看更多|点击加载|阅读下一篇|下一篇|上一篇|分享到|分享至|扫一扫|扫码|关注我们|打印本页|关闭窗口|返回顶部|意见反馈"
    r"|copyright|©|all rights reserved|related (?:articles|stories|posts|news|content|topics|coverage)|read (?:more|next)\b"
    r"|more (?:from|on|stories|in)\b"
    r"|you (?:may|might) also|recommended|most (?:read|popular|viewed)|trending|share this|follow (?:us|me)\b|sign up|subscribe|newsletter"
    r"|comments?\b|leave a (?:reply|comment)|filed under|tags?:|topics:|about the author|terms of (?:use|service)|privacy policy)",
    re.IGNORECASE,
)
"""Beginnings of lines that follow a body; such a line counts against itself and what follows, unless it is a long paragraph."""
_EDITOR = lazy_pattern(r"[\W_]*(?:责任编辑|責任編輯|责编|本文来源)")
"""Beginning of the editor's line, which ends the body above it."""
_AROUND = lazy_pattern(
    r"[\W_]*(?:原标题|原標題|原题|本文原标题|原题为|来源|來源|发布时间|發布時間|发布日期|发表时间|时间|日期|编辑|編輯|校对|关键[词字]|關鍵字"
    r"|标签|標籤|字号|字體|字体|调整字体|收藏|举报|点赞|回复|查看回复|评论|\d+\s*(?:秒|分钟|小时|天)前|昨天|跟贴|转发|打印|微信|微博|朋友圈"
    r"|QQ空间|\d+\s*(?:条评论|人参与|阅读|评论)|用微信扫|首页|当前位置|您所在的位置|位置|浏览次数"
    r"|advertisement|reply\b|\d+ (?:minutes?|hours?|days?) ago|posted|published|updated|last modified|by\b|photo\b|image\b"
    r"|share\b|print\b|email\b|tweet\b|facebook\b|twitter\b|source:)",
    re.IGNORECASE,
)
"""Beginnings of lines around bodies that say nothing about what follows; such a line is dropped if it is short."""
AFTER, AROUND, AGAINST, NEUTRAL = -500, -30, -12, -4
"""Weights in bytes, all against the body.

AFTER is that of a line typical after bodies, AROUND that of a line typical around them, NEUTRAL that of a short line
without signs. A line within the body with weight AGAINST or less is dropped.
"""
FILLED = 1.2
"""Factor by which the lines between the ends of a body must outweigh the body to be taken instead.

Measured: from 1.0 to 1.3, F1 on news changes by 0.001; at 1.2 all chapters of books keep their sections.
"""
ENOUGH = 300
"""Minimum weight of a body, in bytes, before an editor's line ends it."""


_STAMP = lazy_pattern(
    r"\W*\w{0,6}\W{0,3}(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}日?[T\s　]{0,4}(?:\d{1,2}[:：]\d\d|$)"
)
"""Beginning of a line that starts with the time of publication."""


class Line(NamedTuple):
    """A line of a page: its text, its kind as in `Page.blocks`, its size in bytes of UTF-8, and how many of these are in links."""

    text: str
    block: str
    size: int
    linked: int


def lines_of(marked: str) -> list[Line]:
    """Split an extracted text with the marks of `quchong.kernels.page.slim` into lines that are not empty."""
    out = list[Line]()
    link = bold = 0
    for raw in _BREAK.sub(" ", marked).split("\n"):
        block = "p"
        if _ANY.search(raw) is None:
            text = raw.strip(_BLANK)
            if text:
                size = len(text.encode())
                out.append(Line(text, "b" if bold else "p", size, size if link else 0))
            continue
        # the line has marks: sum up what is inside of links, and note text that is not bold
        linked = plain = 0
        at = 0
        for mark in _MARK.finditer(raw):
            part = raw[at : mark.start()].strip(_BLANK)
            at = mark.end()
            if part:
                linked += len(part.encode()) if link else 0
                plain |= not bold
            c = mark[0]
            if c in (LINK, LINK_END):
                link = c == LINK
            else:
                bold = max(bold + (1 if c == BOLD else -1), 0)
        part = raw[at:].strip(_BLANK)
        if _ANY.sub("", part):
            linked += len(part.encode()) if link else 0
            plain |= not bold
        # a heading mark comes first, perhaps within a link or bold text
        heading = _ANY.search(raw.lstrip(LINK + BOLD))
        if heading is not None and HEADING <= heading[0] <= chr(ord(HEADING) + 5):
            block = str(ord(heading[0]) - ord(HEADING) + 1)
        elif not plain:
            block = "b"
        text = _ANY.sub("", raw).strip(_BLANK)
        if text:
            out.append(Line(text, block, len(text.encode()), linked))
    return out


def gain_of(line: Line) -> int:
    """Return the weight of a line in bytes: above 0 for being in the body, below 0 against it."""
    text, _, size, linked = line
    if size < 240 and _AFTER.match(text):
        return AFTER
    if size < 120 and (_AROUND.match(text) or _STAMP.match(text)):
        return AROUND
    if linked * 5 >= size * 3:
        return -min(max(size, -AGAINST), 60)
    if size >= 30 and _SENTENCE.search(text):
        return min(size, 300)
    if size >= 90:
        return 30
    return NEUTRAL


class Run(NamedTuple):
    """Run of lines with the greatest sum: the sum, the first line, the line after the last; and the weights of all lines."""

    sum: int
    first: int
    last: int
    gains: list[int]


def best_run(lines: Sequence[Line]) -> Run:
    """Find the run of lines that is most likely the body; an empty one with sum 0 if no line has a positive weight."""
    gains = [gain_of(line) for line in lines]
    best, first, last = 0, 0, 0
    run, start = 0, 0
    for i, gain in enumerate(gains):
        # Kadane: a run with a sum of 0 or less cannot begin the best one
        if run <= 0:
            run, start = 0, i
        if gain == AFTER and best >= ENOUGH and _EDITOR.match(lines[i].text):
            break
        run += gain
        if run > best:
            best, first, last = run, start, i + 1
    return Run(best, first, last, gains)


def trimmed(lines: Sequence[Line], run: Run, headlines: Sequence[str], title: str | None) -> list[Line]:
    """Return the lines of the body: the run, with the headings before it and the short lines after it.

    The headline and lines typical of the surroundings of bodies are dropped. All lines are returned if no line has a
    positive weight.
    """
    best, first, last, gains = run
    if not best:
        return list(lines)
    names = {*headlines, title}
    # begin after the headline, if most of the weight follows it
    for i in range(first, min(first + 8, last)):
        if lines[i].text in names and sum(gains[i + 1 : last]) * 2 > best:
            first = i + 1
    # take headings directly before the body
    while (
        first and lines[first - 1].block != "p" and lines[first - 1].text not in names and gains[first - 1] == NEUTRAL
    ):
        first -= 1
    # take short lines that end the body
    while last < len(lines) and gains[last] == NEUTRAL and lines[last].block == "p":
        last += 1
    kept = [lines[i] for i in range(first, last) if gains[i] > AGAINST]
    return kept or list(lines)


def filled(lines: Sequence[Line], run: Run, everything: Sequence[Line]) -> tuple[list[Line], Run] | None:
    """Return all lines of a page from the first to the last line of its body, and their run, if they outweigh the body (FILLED).

    Returns None otherwise. `everything` are all lines of the page, with nothing removed.
    """
    # positions of each text in the whole page: the first and the last one
    first = {line.text: i for i, line in reversed(list(enumerate(everything)))}
    last = {line.text: i for i, line in enumerate(everything)}
    body = [line.text for line in lines[run.first : run.last] if line.text in last]
    if not body or first[body[0]] >= last[body[-1]]:
        return None
    between = list(everything[first[body[0]] : last[body[-1]] + 1])
    found = best_run(between)
    return (between, found) if found.sum > FILLED * run.sum else None

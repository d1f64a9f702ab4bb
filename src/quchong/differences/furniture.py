"""Page furniture: lines of a page that state nothing of its text, such as 阅读 1234, Published May 3, 2021 at 4:05 pm, © 2023, or 上一篇.

A line is furniture by its form alone: every part of it, between blanks and bars, is a counter, a time of publication, a source, a number of
the article, a right, or leads to another article. Forms were counted on real pages (docs/decisions/0275).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from quchong.differences.dates import DAYS, MONTH_NAMES
from quchong.differences.windows import dictionary_forms
from quchong.patterns import lazy_pattern

LONGEST = 120
"""Most characters of a line of furniture."""
ENDS = 5
"""Lines from the head or the foot of a text within which a bare date is the time of publication."""
LONG, REPORT = 200, 60
"""Least characters of a text whose telephone of its own line at the foot is that of the site; in a shorter text it may be the subject,
unless it has REPORT characters and asks nothing of its reader.
"""

_NUMBER = r"\d[\d,.]*\s?(?:万|亿|[wkm](?![a-z]))?\+?"
_COUNTED = "|".join(
    "阅读 浏览 点击 访问 人气 热度 点赞 赞 踩 顶 收藏 转发 转载 分享 评论 跟贴 跟帖 回复 回帖 推荐 "
    "支持 反对 播放 查看 举报 字数 在看 喜欢 点评 留言".split()
)
_COUNTS = (
    rf"(?:本文|本帖|文章|总|全部|热门)?(?:{_COUNTED})(?:量|数|次数|人数|率|总数)?\s?[:：]?\s?[(\[（]?\s?{_NUMBER}\s?(?:次|人次|人|条|个|字)?\s?[)\]）]?",
    rf"(?:已有|共有?|共计|累计|全部|超过)?\s?{_NUMBER}\s?(?:次|人次|人|条|个|位)?\s?(?:网友)?(?:{_COUNTED}|参与|看过)(?:过|了|量|数|次)?",
    r"(?:回复|举报|收藏|分享|转发|点赞|评论|赞|踩|打印|关闭|返回|顶|推荐|查看对话|字号|大|中|小)",
    rf"(?:page\s?)?(?:views?|comments?|shares?|likes?|reads?|replies|hits|clicks)\s?[:(]\s?{_NUMBER}\s?\)?",
    rf"{_NUMBER}\s?(?:page\s?)?(?:views?|comments?|shares?|likes?|reads?|replies|hits|clicks|people like this)",
    rf"(?:this (?:story|article|post|page|item) (?:has been|was) )?(?:read|viewed|shared|visited) {_NUMBER} times",
    rf"{_NUMBER}\s?(?:-\s?)?min(?:ute)?s? read",
    r"\d{1,2}\s?/\s?\d{1,5}字",
    rf"(?:(?:share|tweet|retweet|like|pin|comment|recommend|email|upvote|downvote|save|facebook|twitter|reddit|whatsapp|linkedin)s?\s?[:(]?\s?{_NUMBER}\s?\)?(?:\s|$)){{2,6}}",
)
"""Counters, and the words of buttons beside them."""
_CLOCK = r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?"
_MONTHS, _WEEKDAYS = "|".join(sorted(MONTH_NAMES, key=len, reverse=True)), "|".join(sorted(DAYS, key=len, reverse=True))
_DAY = (
    r"(?:19|20)\d{2}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}日?"
    rf"|(?:(?:{_WEEKDAYS})\.?,?\s)?(?:(?:{_MONTHS})\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s(?:19|20)\d{{2}}|\d{{1,2}}(?:st|nd|rd|th)?\s(?:{_MONTHS})\.?,?\s(?:19|20)\d{{2}})"
)
_ZONE = r"(?:\s?[ap]\.?m\.?)?(?:\s?\(?(?:[a-z]{2,4}t|gmt|utc|bst|ist)\)?)?(?:\s?[+-]\d{1,2}:?\d{2})?"
_MOMENT = rf"(?:{_DAY})(?:(?:t|,?\s?(?:at|-|–|\||星期.|周.)?\s?)?{_CLOCK}{_ZONE})"
_EITHER = rf"(?:{_MOMENT}|{_DAY}|{_CLOCK}{_ZONE},?\s(?:{_DAY}))"
_TIMES = (
    rf"(?:发布|发表|更新|创建|修改|编辑|上传|录入|采集|转载|刊登|刊发|上线|最后(?:更新|修改|编辑|回复))(?:于|时间|日期)?\s?[:：]?\s?(?:{_EITHER})",
    rf"(?:(?:first|last|originally) )?(?:published|posted|updated|modified|created|aired?|filed|air date|date)"
    rf"(?: on| at|:)*\s?:?\s?(?:{_EITHER})",
    rf"(?:posted|published|updated|written|submitted) by [\w.' -]{{2,24}}? (?:at|on|,|\|) ?(?:{_CLOCK}{_ZONE}|{_EITHER})",
    rf"{_MOMENT}",
    rf"{_CLOCK}{_ZONE},?\s(?:{_DAY})",
    r"\d{1,3}\s?(?:秒|分钟|小时|天|周|个月|年)(?:以)?前|刚刚",
    rf"(?:今天|昨天|前天)\s?{_CLOCK}",
    r"(?:(?:posted|published|updated)\s)?(?:\d{1,3}|an?)\s?(?:h|m|d|w|hours?|minutes?|mins?|hrs?|days?|weeks?|months?|seconds?|years?)\s?ago",
)
"""Times of publication."""
_PAPER = (
    r"(?:the )?(?:[\w.'&-]+ ){0,3}(?:herald|times|post|courier|gazette|echo|observer|news|journal|tribune|daily|weekly|press|chronicle"
    r"|guardian|standard|independent|mail|express|telegraph|mirror|mercury|record|bulletin|dispatch|globe|examiner|sentinel"
    r"|reuters|afp|xinhua|bbc|cnn|[\w-]+\.(?:com|org|net|co\.uk))"
)
"""Name of a newspaper, an agency or a site."""
_DATES = (_DAY, rf"{_PAPER},?\s(?:{_DAY}|\d{{1,2}}[/.]\d{{1,2}}[/.](?:19|20)\d{{2}})")
"""Dates alone, or behind the name of a paper; in Chinese characters dates sign a notice, and count for nothing here."""
_PEOPLE = (
    r"(?:责任?编辑?|值班编辑|实习编辑|网络编辑|本[文期]编辑|编辑|审核|审校|校对|终审|初审|复审|二审|三审"
    r"|监制|总?监制|主编|供稿|投稿|编审|编校|排版|美编|制作"
    r"|(?:本文|文章|信息|稿件|新闻|图片|内容)?(?:来源|稿源|出处|作者))\s?[:：|丨/]\s?[^\s|｜:：。，,]{1,24}"
    r"(?:[、 ][\u4e00-\u9fff]{2,4}){0,3}",
    r"[(\[【（]\s?(?:责任?编辑?|编辑|来源|作者)\s?[:：]?\s?[^)\]】）]{1,24}[)\]】）]",
    r"(?:sources?|via|authors?|editors?|(?:edited|reported|written|(?:additional )?reporting|writing|editing) by"
    r"|(?:photo(?:s|graphs?)?|image|picture)(?: credit| by)?|credit)\s?:\s?[^:：|｜]{2,60}",
    r"\(\s?(?:source|via|credit|(?:this )?(?:article|story|piece|report) (?:was )?(?:(?:first|originally) )?"
    r"(?:appeared|published|ran)(?: (?:first|originally))? (?:in|by|on|at))\s?:?\s[^()（）]{2,60}\)",
)
"""Sources and editors."""
_NUMBERS = (
    r"(?:文章|稿件|新闻|信息|帖子|作品|内容|网页|页面|文档)(?:编号|序号|id|号)\s?[:：]?\s?(?:no\.?)?[a-z0-9_-]+",
    r"(?:article|story|post|page|news|document|doc)\s(?:id|no\.?|number|#)\s?[:.#]?\s?[a-z0-9_-]*\d[a-z0-9_-]*",
    r"[\u4e00-\u9fff]?(?:icp|公网安备|网安备)[\u4e00-\u9fff]{0,2}\s?[\w()-]*\d+\s?号?(?:-\d+)?",
    r"[\u4e00-\u9fff]{2,16}许可证(?:编?号)?\s?[:：]?\s?[\w()\[\]-]*\d+号?",
    r"第\s?\d{1,4}\s?页(?:\s?[,，/]?\s?共\s?\d{1,4}\s?页)?|[-–—·]\s?\d{1,4}\s?[-–—·]|page \d{1,4}(?: of \d{1,4})?",
)
"""Numbers of articles, registrations and pages."""
_TELEPHONE = r"[\d()+\-—–/、转 ]{5,40}(?:\(?\d+\)?)?"
_TELEPHONES = (
    r"(?:[\u4e00-\u9fff]{0,10}(?:新闻|报料|爆料|举报|投稿|广告|发行|订阅|编辑部|不良信息|纠错|版权合作|媒体合作))(?:热线|电话|专线|服务)*(?:电话|热线)?\s?[:：]?\s?"
    + _TELEPHONE,
    r"(?:newsroom|news ?desk|news tips?|tip ?line|subscriptions?|advertis(?:e|ing)|circulation|switchboard|editorial)"
    r"(?: hotline| line| phone| tel\.?| desk| office)?\s?:\s?" + _TELEPHONE,
)
_SITE_TELEPHONES = (
    r"(?:客服|客户服务|服务|监督|投诉|技术支持|商务合作|联系我们)(?:热线|电话|专线)?\s?[:：]?\s?" + _TELEPHONE,
    r"(?:customer (?:service|care|support)|contact us|help ?line)(?: phone| tel\.?)?\s?:\s?" + _TELEPHONE,
)
"""Telephones of the paper; and those that only a long text has for its site."""
_RIGHTS = lazy_pattern(r"©|\(c\)\s?(?:19|20)\d{2}|copyright|版权所有|all rights reserved|未经授权不得转载|不得转载")
_LEADS = lazy_pattern(
    r"(?:(?:相关|推荐|延伸|扩展|拓展|热门|更多|精彩|往期|猜你喜欢|热点)(?:阅读|新闻|报道|文章|推荐|链接|专题|内容|回顾|资讯|搜索)"
    r"|[上下前后]一[篇条则章页]|阅读下一篇|猜你喜欢)"
    r"\s?[:：|>»]\s?.{0,80}"
    r"|(?:read more|related(?: (?:articles?|stor(?:y|ies)|news|posts?|topics?))?|see also|also read"
    r"|(?:next|previous)(?: (?:article|story|post))?|recommended"
    r"|more (?:from|on) [^:]{1,20}|further reading|up next|most read|trending|you (?:may|might) also like|don't miss)\s?[:|>»]\s?.{0,100}"
)
"""Lines of rights, and lines that lead to other articles."""
_MARKS = "0123456789０１２３４５６７８９©:：|｜丨/(（[【"
"""Characters of which every line of these forms has one, looked for before its form is."""
_BUTTON_WORDS = (
    "ago copyright 版权 版權 转载 轉載 刚刚 剛剛 回复 回覆 回復 举报 举報 舉报 舉報 收藏 "
    "一篇 一條 一条 一則 一则 一章 一页 一頁"
).split()
"""Words of the forms that have none of them."""
HINTS = (*_MARKS, *_BUTTON_WORDS)
"""Both: a part of a text without any of these is no furniture."""
_MARK, _BUTTON = lazy_pattern(f"[{re.escape(_MARKS)}]"), lazy_pattern("|".join(_BUTTON_WORDS))
HEAD, FOOT = LONGEST + 1, LONGEST + 20
"""Characters of the beginning and of the end of a text in which furniture without lines of its own is looked for."""
_BETWEEN = r"[\s|｜·•⋅,，;；/()（）\[\]【】.。—-]*"


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of lines that consist of furniture forms, after two characters that say which forms count.

    `D` first lets dates alone count, `S` second the telephones of a site. Compiling takes 40 ms: there is one pattern, made on first use.
    """
    forms = "|".join(f"(?:{form})" for form in (*_PEOPLE, *_NUMBERS, *_TIMES, *_COUNTS, *_TELEPHONES))
    dates, site = ("|".join(f"(?:{form})" for form in some) for some in (_DATES, _SITE_TELEPHONES))
    one = rf"{forms}|(?(dates)(?:{dates})|(?!))|(?(site)(?:{site})|(?!))"
    return re.compile(rf"(?:(?P<dates>D)|-)(?:(?P<site>S)|-)(?:{_BETWEEN}(?:{one})){{1,8}}{_BETWEEN}")


def _has_form(line: str, dates: bool, site: bool) -> bool:
    """Return True if a line consists of page furniture; dates alone count if `dates`, telephones of a site if `site`."""
    return _pattern().fullmatch(("D" if dates else "-") + ("S" if site else "-") + line) is not None


_SIGNED = lazy_pattern(r"[\s\W]*(?:19|20)\d{2}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日[\s\W]*")
"""The date under a notice."""


@lru_cache(4096)
def is_furniture(line: str, at_end: bool, site: bool) -> bool:
    """Return True if a line is page furniture by its form.

    Args:
        line: in the form of the dictionaries.
        at_end: True if it is one of the ENDS first or last lines of its text.
        site: True if a telephone under its text is that of the site (`is_site`).
    """
    line = line.strip()
    if not line or len(line) > LONGEST:
        return False
    if _RIGHTS.search(line) or _LEADS.fullmatch(line):
        return True
    return not _SIGNED.fullmatch(line) and _has_form(line, at_end, at_end and site)


_ASKS = lazy_pattern(
    r"\b(?:your?s?|we|our|us|please|call|dial|phone|ring|text|contact|book|order|apply|register|buy|sale|sell|rent|let|hir(?:e|ing)|wanted|offers?|ticket"
    r"|price|free|win|account|card|delivery|blocked|verify)\b|[你您咱我]|请|欢迎|致电|拨打|电话|联系|咨询|预[订约定]|订购|购买|报名|出[租售]|招[聘工]|求[购租职]|转让|优惠|免费|特价"
    r"|账户|账号|快递|验证|中奖|点击|办理|[!！]",
    re.IGNORECASE,
)
"""Words of a text that wants something of its reader: a telephone under it may be its subject."""


def is_site(text: str) -> bool:
    """Return True if a telephone number under a text belongs to the site: the text is long, or is a report that asks its reader nothing."""
    if len(text) >= LONG:
        return True
    body = text[: max(text.rfind("\n"), 0)] or text
    return len(body) >= REPORT and _ASKS.search(body) is None


_ENDED = lazy_pattern(r"[。！？!?”」』)）】]\s*|[a-z]\.\s+|\" ")
"""Boundaries behind which furniture may stand at the foot of a text that has no lines."""


def line_of_furniture(text: str, begin: int, end: int) -> bool:
    """Return True if every line of which text[begin:end] has a part is page furniture, in a text of several lines.

    The text is one as it was read; an empty range lies where its offset is.
    """
    # Most edits are within long lines.
    first = text.rfind("\n", max(0, begin - LONGEST - 1), begin) + 1
    last = text.find("\n", end, end + LONGEST + 1)
    last = len(text) if last < 0 else last
    if (first == 0 and (begin > LONGEST or last == len(text))) or last - end > LONGEST:
        return False  # within a long line, or in a text of one line
    lines = text[first:last].split("\n")
    if len(lines) > 2 * ENDS or not all(len(line) <= LONGEST and (not line.strip() or _may_be(line)) for line in lines):
        return False
    above, below = _lines_up_to(text[:first]), _lines_up_to(text[last:])
    some = [line for line in dictionary_forms(lines) if line.strip()]
    site = is_site(text)
    return bool(some) and above + below > 0 and all(
        is_furniture(line, above + k < ENDS or below + len(some) - 1 - k < ENDS, site)
        for k, line in enumerate(some)
    )  # fmt: skip


def _may_be(line: str) -> bool:
    return _MARK.search(line) is not None or _BUTTON.search(line) is not None


def _lines_up_to(text: str) -> int:
    """Return the number of lines with something in them, counted up to ENDS."""
    found = 0
    for line in text.split("\n", 4 * ENDS)[: 4 * ENDS]:
        found += bool(line.strip())
        if found == ENDS:
            break
    return found


def foot_of(text: str) -> int:
    """Return the offset after a sentence from which the rest of a text is unmistakable furniture; the text's length if there is none."""
    start = max(0, len(text) - FOOT)
    foot = text[start:]
    return start + _foot_within(foot, is_site(text)) if _may_be_foot(foot) else len(text)


@lru_cache(1 << 12)
def _may_be_foot(foot: str) -> bool:
    """Return True if the end of a text may have furniture; a quick test before `foot_of`."""
    return _may_be(foot)


@lru_cache(1 << 12)
def _foot_within(foot: str, site: bool) -> int:
    """Return the offset within the end of a text from which it is furniture, as `foot_of`; cached, because copies end alike."""
    for found in _ENDED.finditer(foot):
        if found.end() and found.end() < len(foot) and _unmistakable(foot[found.end() :], site):
            return found.end()
    return len(foot)


def head_of(text: str) -> int:
    """Return the offset of the last blank before which a text is unmistakable furniture; 0 if there is none."""
    return _head_within(text[:HEAD])


@lru_cache(1 << 12)
def _head_within(head: str) -> int:
    """Return the offset within the beginning of a text up to which it is furniture, as `head_of`; cached."""
    blanks = [m.start() for m in _BLANK.finditer(head)][:16] if _may_be(head) else []
    if not blanks or not _may_begin(head[: blanks[-1]]):
        return 0
    return next((blank for blank in reversed(blanks) if _unmistakable(head[:blank], False)), 0)


_BLANK = lazy_pattern(r"\s")


def _may_begin(part: str) -> bool:
    """Return False if no beginning of this part of a line can be furniture; a quick test.

    In the form of the dictionaries such a beginning begins the form of the whole: nothing before a blank depends on what is behind it.
    """
    line = _dictionary_form(part)
    return _RIGHTS.search(line) is not None or _pattern().match(f"--{line}") is not None


def _dictionary_form(part: str) -> str:
    """Return a part of a line in dictionary form (normal form of the word lists), without blanks at its ends."""
    if part.isascii():
        return part.replace("\x00", " ").lower().strip()
    return dictionary_forms([part])[0].strip()


def _unmistakable(part: str, site: bool) -> bool:
    """Return True if a part of a line is furniture by a form that nothing else has; `site` as in `is_furniture`."""
    line = _dictionary_form(part) if _may_be(part) else ""
    if not line or len(line) > LONGEST:
        return False
    return bool(_RIGHTS.search(line)) or _has_form(line, False, site)

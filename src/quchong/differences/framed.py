"""Names that no list has, recognised by the words around them: persons behind a title or before a verb of speech, firms by their form."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache, lru_cache

from quchong.differences.addressed import given_in_frame, shaped_as_name, surname_in_frame
from quchong.differences.dictionaries import words
from quchong.differences.meaning import are_unrelated
from quchong.differences.names import same_person, short_form, surnames
from quchong.differences.transliterations import FOREIGN
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word

_HAN = "[\u3400-\u9fff]"
_LINKED = lazy_pattern("(?:[者人员长手师]|教练|主任|经理|教授|导演)(?:为|是|叫|名叫|由|系|[:：])$")
"""Text before a name that says who somebody is: 负责人为, 组长由."""
_SPOKEN = lazy_pattern(
    "[则也还又均曾并先]?(?:说|称(?!为|作|号)|表示|认为|指出|强调|介绍|告诉|透露|主持|担任|出任|出席|当选|到场|回答|回忆|坦言|宣布|会见|的话|已到案|执导|主演|领衔|执教|带队"
    "|率队|率领|致辞|讲话|发言|补充|解释|呼吁|去世|逝世|病逝|被捕|落网|归案|夺冠|夺得|获奖|获得|在接受|接受|告诉)"
)
"""Text behind a name that only a person does."""
_GOES_ON = lazy_pattern(
    r"$|[^\u3400-\u9fff]|[在将已还也就曾被对向与和的等又则率一从到以及随先等于来]|昨|今[天日晚早年]|当[天日晚]|日前|近日|前[天日]"
    "|[上下中]午|本[周月年]|上[周月]|去年|周[一二三四五六日]|星期|" + _SPOKEN.pattern
)
"""Text behind a name whose title stands before it: the end of a part of the sentence, or a word of grammar."""
_BEFORE = lazy_pattern("(?:[由据与和同对向请随经]|援引|接替|会见)$")
_EDGE = lazy_pattern(r"(?:^|[^\u3400-\u9fff·])$")
_NO_GIVEN = frozenset(
    "的了着过吗呢吧啊在是不也就都又将会要把被对和与及或但而以为于从到向说称们性化度者党省市县区部局厅署社院校这那"
)
"""Characters that stand in no given name."""
_LONGEST = 8
"""Most characters of a stretch that is taken for a name by its surroundings."""
_TITLE = 6
"""Most characters of a title."""


@cache
def _titles() -> frozenset[str]:
    """Return the Chinese titles and roles, of two characters or more."""
    return frozenset(w for w in words("titles") if not w.isascii() and len(w) > 1) | words("roles")


def _titled(before: str) -> bool:
    """Return True if a text ends with a title, or with a role and a verb that links it to its name."""
    known = _titles()
    for n in range(2, max(min(len(before), _TITLE), 2) + 1):
        if before[-n:] in known:
            return True
    return _LINKED.search(before) is not None


@lru_cache(1 << 12)
def person_in_frame(window: Window) -> str | None:
    """Return the name of a person that the differing text is or is a part of, where its surroundings require a person; else None.

    The name has the shape of a Chinese name (a surname, one or two characters) or is written in characters of foreign names.
    """
    text, start, end = window.text, window.start, window.end
    if not 0 < end - start <= _LONGEST:
        return None
    double, single = surnames()
    # The name may begin before the stretch, with a surname that both sides have, and end behind it, with an equal given name.
    for begin in (start, start - 1, start - 2):
        if begin < 0 or not "\u3400" <= text[begin] <= "\u9fff":
            break
        n = 2 if text[begin : begin + 2] in double else int(text[begin] in single)
        if not n or begin + n < start:
            continue
        for stop in (begin + n + 2, begin + n + 1):
            given = text[begin + n : stop]
            if stop < end or stop > len(text) or not _HAN_ONLY.fullmatch(given) or _NO_GIVEN & set(given):
                continue
            # 曾表示 is no name, though 曾 is a surname.
            if not _SPOKEN.fullmatch(text, begin, stop) and _in_frame(text[:begin], text[begin:stop], text[stop:]):
                return text[begin:stop]
    return _foreign(window) or surname_in_frame(window)


_HAN_ONLY = lazy_pattern(f"{_HAN}+")


def _in_frame(before: str, name: str, after: str) -> bool:
    if _GOES_ON.match(after) is None:  # a verb of speech goes on too
        return False
    if _titled(before):
        return True
    # Without a title, a word of the dictionary in the place of a name is no name: 白宫表示.
    if not _SPOKEN.match(after) or is_known_word(name):
        return False
    return bool(_BEFORE.search(before) or _EDGE.search(before))


_FOREIGN = frozenset(FOREIGN) | {"·"}
"""Characters of foreign names, and the dot between their parts."""


def _foreign(window: Window) -> str | None:
    """Return the name in characters of foreign names around a differing text, if its surroundings require a person; else None."""
    text, start, end = window.text, window.start, window.end
    if not _FOREIGN.issuperset(text[start:end]):
        return None
    # Extend to the whole run of such characters; a title before the stretch begins the name at the stretch.
    first, last = start, end
    while first > 0 and text[first - 1] in _FOREIGN and not _titled(text[:first]):
        first -= 1
    while last < len(text) and text[last] in _FOREIGN:
        last += 1
    if last - first < 3:
        return None
    return text[first:last] if _in_frame(text[:first], text[first:last], text[last:]) else None


_FORM = r"(?:[(（]集团[)）]|集团|控股|股份|有限责任|有限)*公司"
_FULL = lazy_pattern(
    r"[\u3400-\u9fff]{0,4}(?:(?:[(（]集团[)）]|集团|控股)*(?:股份|有限责任|有限)(?:有限)?(?:公司|公?$))"
)
"""Text behind a stretch that makes it the name of a firm: its trade and its legal form (科技股份有限公司), which the window may cut."""
_BEGUN = lazy_pattern(r"[\u3400-\u9fff]{2,8}?(?:[(（]集团[)）]|集团|控股)?(?:股份|有限责任|有限)(?:有限)?公司")
_ENDED = lazy_pattern(_FORM + "$")
_ONLY_FORM = lazy_pattern(r"(?:集团|控股|股份|有限|责任|公司|总|分|子|[()（）])+")
"""A stretch of nothing but legal forms: the firm may be the same."""
_PARTY = lazy_pattern(r"(?:[由为是方向从被与和及给据同]|^|[^\u3400-\u9fff])$")
_ACTS = lazy_pattern(
    r"$|[^\u3400-\u9fff]|股份|负责|承建|承办|主办|承担|提供|发出|收购|采购|购买|购入|买入|当日|昨日|今日|日前|发布|公告|宣布|表示|称|生产|制造|供应|出资|持有|拟|中标|签订|签署|涨停|跌停|停牌|复牌|上市"
)
"""Text behind a firm named by its short name."""


@lru_cache(1 << 12)
def firm_in_frame(window: Window) -> str | None:
    """Return the name of a firm that contains the differing text, by its legal form, or by its trade where a firm acts; else None."""
    text, start, end, stretch = window.text, window.start, window.end, window.stretch
    if not 1 < end - start <= 2 * _LONGEST or not _HAN_ONLY.match(stretch) or _ONLY_FORM.fullmatch(stretch):
        return None
    # (1) The legal form, behind the stretch, in it, or begun in it.
    if "有限" in text or "股份" in text:
        form = _FULL.match(text, end) or _BEGUN.match(text, start)
        if form is not None and form.end() >= end:
            return text[start : form.end()]
    if len(stretch) > 4 and _ENDED.search(stretch):
        return stretch
    # (2) A trade: the short name of a firm is a party of the sentence, and does what firms do.
    for trade in (3, 2):
        for stop in (end, end + trade):
            if text[stop - trade : stop] in words("trades") and stop - trade >= start + 2 and end - start <= _LONGEST:
                ordinary = is_known_word(text[start:stop])
                return (
                    text[start:stop]
                    if not ordinary and _PARTY.search(text[:start]) and _ACTS.match(text, stop)
                    else None
                )
    return None


Known = Mapping[str, Set[str]]
_NONE: Known = {}


def named_apart_in_frame(left: Window, right: Window, mine: Known = _NONE, theirs: Known = _NONE) -> str | None:
    """Return "person" or "organisation" if both sides have another name where their surroundings require one, else None.

    Of one side the name may be one that the tagger or a list knows: `mine` and `theirs`, by kind (`quchong.differences.names.names`).
    """
    if (given := given_in_frame(left)) and given_in_frame(right) not in (None, given):
        return "person"
    for kind, find in (("person", person_in_frame), ("organisation", firm_in_frame)):
        told = find(left), find(right)
        if kind == "person" and told == (None, None) and (kind in mine or kind in theirs):
            # A certain name as the whole stretch, and beside it what only looks like one.
            certain = [side.stretch in known.get(kind, ()) for side, known in ((left, mine), (right, theirs))]
            if certain[0] != certain[1]:
                told = (None, shaped_as_name(right)) if certain[0] else (shaped_as_name(left), None)
        if told == (None, None):
            continue
        x, y = ({name} if name else known.get(kind, set()) for name, known in zip(told, (mine, theirs), strict=True))
        one = same_person(set(x), set(y)) if kind == "person" else any(short_form(a, b) for a in x for b in y)
        if are_unrelated(x, y) and not one:
            return kind
    return None

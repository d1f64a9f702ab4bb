"""Names at an edit: persons, places and organisations, by part-of-speech tags and surnames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from quchong.differences.dictionaries import words
from quchong.differences.meaning import are_unrelated
from quchong.differences.remembered import Remembered
from quchong.differences.windows import Window
from quchong.kernels.offsets import prefix_sums
from quchong.patterns import lazy_pattern
from quchong.text.words import tagged

KINDS = {
    "nr": "person", "nrt": "person", "nrfg": "person", "ns": "place", "nt": "organisation", "nz": "organisation",
    "j": "organisation",
}  # fmt: skip
"""Kind of name for each part-of-speech tag; nz are other names (三星), j are short forms (发改委)."""
_BUREAUS = "局厅署"
_SUFFIXES = "大学 公司 银行 集团 医院 委员会 法院 律师事务所 会计师事务所 事务所 研究院 出版社 俱乐部 基金会".split()
_SUFFIXED = lazy_pattern(rf"[{_BUREAUS}](?![长面部])|{'|'.join(_SUFFIXES)}")
"""Text after a stretch that makes it the name of an organisation."""
NEAR = 6
"""Characters around a difference that are tagged."""
GENERIC = frozenset(
    "城市 都市 地区 区域 国家 乡村 农村 全国 世界 当地 本地 中央 地方 市区 郊区 城区 县城 省会 首都".split()
)
"""Words that the tagger takes for names although they name nothing in particular."""
PERHAPS = "perhaps a person"
"""Kind of a surname that may be another word; it counts as a person only if the other side has a person."""
HIDDEN = "a person within another word"
"""Kind of a surname that the tagger took for a part of another word (王家|豪); it counts only against a person of the same given name."""
MEDIA = lazy_pattern("(?:社|网|报|讯|台|频道|新闻|周刊|杂志|客户端)$|^本报|^本网")
"""Names of agencies and papers: the source of a report, not a fact of it."""
_LINE = "\n"
_SURNAMED = 4
"""Most characters of a word that begins with a surname."""
_SUFFIX = 2
"""Least length of an organisation suffix that makes any word a name; a shorter one requires a word of three characters."""


def names(sides: Sequence[Window]) -> list[dict[str, set[str]]]:
    """Return the names that overlap each differing text, by kind; they are not to be changed."""
    return _remembered.values_of([w.with_margin(NEAR) for w in sides])


def _names(near: Sequence[Window]) -> list[dict[str, set[str]]]:
    """Return the names that overlap each differing text, by kind; windows reach NEAR characters beyond them at most."""
    out: list[dict[str, set[str]]] = [{} for _ in near]
    if not near:
        return out
    # Tag all windows in one call, as lines of one text.
    line = _LINE.join(w.text.replace(_LINE, " ") for w in near)
    found = tagged(line)
    spoken, tags = [word for word, _ in found], [tag for _, tag in found]
    lengths = np.fromiter(map(len, spoken), np.int64, len(found))
    ends = np.cumsum(lengths)
    starts = ends - lengths
    base = np.concatenate([[0], np.cumsum([len(w.text) + 1 for w in near])[:-1]])
    begins, stops = base + [w.start for w in near], base + [w.end for w in near]
    # Range of words around each stretch: those that overlap it, and one right before it, which may be a surname.
    first = np.searchsorted(ends, np.maximum(begins - 2, base), "right")
    last = np.searchsorted(starts, stops, "left")
    # Most stretches have no name; vectorised tests on characters and tags reject them before the loop.
    for k in np.flatnonzero(_perhaps(line, tags, lengths, ends, begins, stops, first, last)).tolist():
        window, told, at = near[k], out[k], int(base[k])
        said: list[tuple[int, int, str]] = []
        for n in range(int(first[k]), int(last[k])):
            word, tag, start = spoken[n], tags[n], int(starts[n]) - at
            end = start + len(word)
            said.append((start, end, tag))
            if end - start > 1 and _half(window, start, end):
                kind = "organisation" if _organisation(word) else KINDS.get(tag)
                if kind is not None and word not in GENERIC:
                    told.setdefault(kind, set()).add(word)
        _unlisted(window, said, told)
    return out


_remembered = Remembered(_names)


def _perhaps(
    line: str, tags: Sequence[str], lengths: np.ndarray, ends: np.ndarray, begins: np.ndarray, stops: np.ndarray,
    first: np.ndarray, last: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the ranges first:last of a line that may overlap a name, by the characters and tags of its words.

    Each stretch begins and ends at the given characters of the line, and is surrounded by the words first to last (half open).
    """
    characters = np.minimum(np.frombuffer(line.encode("utf-32-le", "surrogatepass"), "<u4"), _CHARACTERS - 1)
    single, double, behind, suffixes = _marked()
    named = np.fromiter(map(KINDS.__contains__, tags), bool, len(tags))
    begin = characters[ends - lengths]
    surname = (single[begin] & ((lengths == 1) | named)) | (double[begin] & ((lengths <= 2) | named))
    word = ((named | suffixes[characters[ends - 1]]) & (lengths > 1)) | (surname & (lengths <= _SURNAMED))
    before = prefix_sums(word)
    out: np.ndarray = before[last] > before[first]
    out |= (stops - begins > 1) & behind[np.append(characters, 0)[stops]]
    return out


_CHARACTERS = 1 << 16


@cache
def _marked() -> tuple[np.ndarray, ...]:
    """Return four masks of characters: surnames, beginnings of surnames, beginnings of suffixes, and ends of organisation names."""
    double, single = surnames()
    ended = words("bodies") | words("organisations")
    out = []
    for some in (single, {w[0] for w in double}, {*_BUREAUS, *(w[0] for w in _SUFFIXES)}, {w[-1] for w in ended}):
        mask = np.zeros(_CHARACTERS, bool)
        mask[[ord(c) for c in some]] = True
        out.append(mask)
    return tuple(out)


def _half(window: Window, start: int, end: int) -> bool:
    """Return True if text[start:end] fills at least half of the differing text; smaller names are part of a rewritten passage."""
    shared = min(end, window.end) - max(start, window.start)
    return shared > 0 and 2 * shared >= window.end - window.start


@lru_cache(4096)
def _organisation(word: str) -> bool:
    """Return True if a word ends like the name of an organisation."""
    suffixes = words("organisations")
    return (
        word in words("bodies")
        or any(word[-n:] in suffixes for n in range(_SUFFIX, min(len(word), 7)))
        or (len(word) > 2 and word[-1] in suffixes)
    )


@cache
def surnames() -> tuple[frozenset[str], frozenset[str]]:
    """Return the surnames of two characters, and those of one."""
    every = words("surnames")
    return frozenset(w for w in every if len(w) == 2), frozenset(sorted(every, key=len)[-1])


_GRAMMAR = ("v", "d", "c", "p", "r", "u", "a", "l", "i")
"""Tags of words that are neither names nor part of one."""
_NO_SURNAME = ("c", "p", "d", "u", "v", "f", "m", "q", "y", "e", "r")
"""Tags of single characters that are ordinary words there, not surnames (和, 向, 来); 何 is both."""


def _grammatical(window: Window, said: Sequence[tuple[int, int, str]]) -> bool:
    """Return True if a verb or function word of two characters or more is within the differing text, which is then no name."""
    return any(
        tag.startswith(_GRAMMAR) and end - start > 1 and window.start <= start and end <= window.end
        for start, end, tag in said
    )


def _unlisted(window: Window, said: Sequence[tuple[int, int, str]], out: dict[str, set[str]]) -> None:
    """Add names to `out` that neither a dictionary nor the tagger knows, by their surname or organisation suffix.

    `said` are the words at the stretch with their tags.
    """
    if "person" not in out:
        _surnamed(window, said, out)
    if not out and window.end - window.start > 1:
        suffix = _SUFFIXED.match(window.text, window.end)
        if suffix and not _grammatical(window, said):
            out["organisation"] = {window.stretch + suffix.group()}


def _surnamed(window: Window, said: Sequence[tuple[int, int, str]], out: dict[str, set[str]]) -> None:
    """Add to `out` a surname with the one or two characters after it, if the difference touches them.

    A surname is no part of a longer word, and certain only if it is no function word. The difference begins with it or right after it,
    because further on a verb may follow the name.
    """
    text = window.text
    double, single = surnames()
    for start, end, tag in said:
        # Length of the surname; a longer tagged word counts only if the tagger calls it a person.
        n = 2 if text[start : start + 2] in double else int(text[start : start + 1] in single)
        hidden = end - start > n and not tag.startswith("nr")
        if not n or end - start > _SURNAMED or window.start > start + n:
            continue
        if hidden and (window.start, window.end) != (start, start + n):
            continue
        behind = text[start + n : start + n + 2]
        long = window.end - window.start > 2 * (n + 2)
        if long or not _han(behind[:1]) or not window.touches(start, start + n + len(behind)):
            continue
        # A character that is also a function word makes a doubtful name: it counts only against a certain one.
        alone = end - start == 1 and tag.startswith(_NO_SURNAME) and text[start] != "何"
        grammar = alone or _grammatical(window, said)
        name = text[start : start + n] + (behind if _han(behind[1:]) else behind[:1])
        if hidden:
            out[HIDDEN] = {name}
            continue
        if PERHAPS not in out or not grammar:
            out[PERHAPS if grammar else "person"] = {name}
        if not grammar:
            return


def _han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"


def named_apart(left: dict[str, set[str]], right: dict[str, set[str]]) -> str | None:
    """Return the kind of name in which the two sides differ, or None if one side has no name or both have the same.

    An organisation may differ from a place or a person, because the tagger confuses new names of these kinds.
    """
    # A doubtful surname counts as a person if the other side certainly has one, and a place that only the tagger knows (普京).
    if ("person" in left) != ("person" in right):
        mine, theirs = (
            side.get("person")
            or side.get(PERHAPS)
            or _hidden(side, other)
            or side.get("place", set()) - words("places")
            for side, other in ((left, right), (right, left))
        )
        if are_unrelated(mine, theirs) and not same_person(mine, theirs):
            return "person"
    for kind in ("person", "place"):
        mine, theirs = left.get(kind, set()), right.get(kind, set())
        if are_unrelated(mine, theirs) and not (kind == "person" and same_person(mine, theirs)):
            return kind
    # Compare an organisation with every kind of name; short forms and media names do not conflict.
    if left.get("organisation") or right.get("organisation"):
        mine, theirs = (
            set[str]().union(*(side.get(k, ()) for k in ("person", "place", "organisation"))) for side in (left, right)
        )
        if are_unrelated(mine, theirs) and not any(
            short_form(a, b) or MEDIA.search(a) or MEDIA.search(b) for a in mine for b in theirs
        ):
            return "organisation"
    return None


def _hidden(side: dict[str, set[str]], other: dict[str, set[str]]) -> set[str]:
    """Return the names inside longer words (`HIDDEN`) that share their given name of two characters with a person of the other side."""
    given = {name[1:] for name in other.get("person", ()) if len(name) == 3}
    return {name for name in side.get(HIDDEN, ()) if name[1:] in given}


_POLITE = lazy_pattern("^.[某氏]|^.(?:先生|女士|老师|总|师傅|主任)")
_FAMILIAR = lazy_pattern("^[老小](?=.$)")


def same_person(mine: set[str], theirs: set[str]) -> bool:
    """Return True if a name of one side is only the surname of one of the other, with a polite word or a title (李建国, 李教授)."""
    sides = [{_FAMILIAR.sub("", name) for name in names} for names in (mine, theirs)]
    return any(
        a[0] == b[0] and any(_POLITE.match(name) or len(name) == 1 or name[1:] in words("titles") for name in (a, b))
        for a in sides[0]
        for b in sides[1]
    )


def short_form(a: str, b: str) -> bool:
    """Return True if the shorter name is an abbreviation of the longer (环保部, 环境保护部), or both have the same characters."""
    if sorted(a) == sorted(b):
        return True
    shorter, longer = sorted((a, b), key=len)
    rest = iter(longer)
    return all(c in rest for c in shorter)

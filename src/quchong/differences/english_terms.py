"""Replaced content words of English texts, told from synonyms, forms of one word and slips."""

from __future__ import annotations

from functools import lru_cache

from quchong.differences.latin_slips import distance
from quchong.differences.phrasals import in_one_word
from quchong.differences.synonyms import are_synonyms, is_listed
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

MOST = 3
"""Most content words on either side; more are a rewritten clause."""
_LATIN = lazy_pattern(r"[a-z]+(?:'[a-z]+)?")
_GRAMMAR = frozenset(
    "a an the this that these those it its he him his she her they them their theirs we us our you your i my me who whom whose which what "
    "some any all both each every other another one ones such same own and or but nor so yet if as than then when while where why how "
    "because since until though although unless whether of in on at by for with from to into onto over under above below up down out off "
    "about after before between among through during against within without across along around near per via is are was were be been being "
    "am do does did done have has had having will would shall should can could may might must not no never none nothing also only "
    "just even "
    "still already again too very more most much many less least few several lot there here now today yesterday tomorrow ago later earlier "
    "soon recently said says say saying told tells added adds stated noted reported reportedly according get gets got make makes made take "
    "takes took go goes went come comes came however therefore thus meanwhile moreover furthermore including include includes about nearly "
    "almost around approximately roughly well new etc mr mrs ms dr s t re ve ll d m".split()
)
"""English words without content, and words so general that another one in their place tells nothing."""
_WORDS = 4
"""Most words of an English stretch."""
_SUFFIXES = frozenset(
    "s es d ed ing er ers or ors r ion ions ation ations al ally ial ly ness ity ities ive ives able ible ance ances ence ences "
    "ant ants ent "
    "ents ism isms ist ists ian ians an ans ese y ies ied ful less ous ic ics ical ically ize ise ized ised izing ising ization isation "
    "ment ments th ship hood e a i is ry".split()
)
"""Endings by which forms of one stem differ."""
_STEM = 4
"""Least letters of a stem that two words share."""


def english_term(left: Window, right: Window) -> bool:
    """Return True if one or two content words are replaced by as many that say something else."""
    if left.text[: left.start][-1:].isalnum() or right.text[: right.start][-1:].isalnum():
        return False
    both = in_one_word(_LATIN.findall(left.stretch)), in_one_word(_LATIN.findall(right.stretch))
    if max(map(len, both)) > _WORDS:
        return False
    mine, theirs = ([w for w in side if w not in _GRAMMAR and len(w) > 1] for side in both)
    if not 0 < len(mine) <= MOST or not 0 < len(theirs) <= MOST:
        return False
    if len(mine) == len(theirs) == 1 and not (is_listed(mine[0]) and is_listed(theirs[0])):
        return False  # most often a slip: no need to compare the words
    x, y = (
        [w for w in some if not any(is_akin(w, v) for v in others)] for some, others in ((mine, theirs), (theirs, mine))
    )
    # Two words for one are a phrase in the place of a word, or words that were put in beside it.
    return bool(x and y) and all(map(is_listed, x + y))


def _is_ending(word: str, at: int) -> bool:
    """Return True if the letters of a word from an offset on are an ending, also behind a doubled consonant: cancel-led."""
    rest = word[at:]
    return not rest or rest in _SUFFIXES or (rest[0] == word[at - 1] and rest[1:] in _SUFFIXES)


@lru_cache(1 << 14)
def is_akin(one: str, other: str) -> bool:
    """Return True if two English words are forms of one stem, a short form, a slip, or synonyms."""
    if one == other or are_synonyms(one, other):
        return True
    common = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if common >= _STEM and all(_is_ending(word, common) for word in (one, other)):
        return True
    # A slip is one letter more, fewer, other, or two exchanged, where one of the words is none.
    return not (is_listed(one) and is_listed(other)) and distance(one, other, 1) <= 1

"""English words that say the opposite of each other, by WordNet and by prefixes that negate: locked and unlocked."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from quchong.differences.dictionaries import base_forms, opposites
from quchong.differences.phrasals import in_one_word
from quchong.differences.synonyms import base_of, is_listed
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_GENERAL = frozenset(
    "action back be break change cheer claim clear come content cover do fail figure find following foot go green ground have head here "
    "hide host idle ill issue keep lead leading let lie like location make mind miss move other out raw ravel ride right run same say "
    "school set show sit sound stand stay take there way well wind wish work wrong yield".split()
)
"""Ambiguous words, which WordNet's opposites are not used for: they have too many meanings."""
_PREFIX = lazy_pattern("(?:un|non|dis|in|im|ir|il|de)(?=[a-z]{4})")
_ADJECTIVE = lazy_pattern(
    "(?:able|ible|al|ar|ent|ant|ive|ate|ect|ous|ic|ed|ly|ance|ence|ity|ency|ancy|ation|ile|ite|ful)$"
)
"""Endings of words that such a prefix in Latin negates; un and non negate any word."""
_NO_OPPOSITES = frozenset(
    "invaluable inflammable infamous indifferent indifference infinite inclosed intense intent immediate immediately impressive important "
    "importance import impact impart implant improve inform informed informal income inside instance instant instead until under unit "
    "united union unless unity universal universe unrest unravel untie "
    "deliver demand depart department departed derive delight develop decent detail display disposed disposal disposable distress "
    "distance distant distinct disease discharge discharged discount discussed dismissed discovered discover discovery deliberate "
    "delegate decline declined denote deposit deserve design "
    "designed desire detained delayed devote devoted decreed indeed induced inflated install installed instilled intended invested "
    "inquired insured ingrained inscribed inspired inspected invested illustrate imprinted implied".split()
)
"""Words that begin like a negated one and are not the opposite of the rest."""


@cache
def _opposites() -> dict[str, frozenset[str]]:
    """Return the opposites of each base form. Made by `tools/lexicon` from WordNet (NOTICE)."""
    text = files("quchong.differences").joinpath("lexicon", "english_opposites.txt").read_text("utf-8")
    out: dict[str, set[str]] = {}
    for one, other in (line.split() for line in text.splitlines() if not line.startswith("#")):
        if not _GENERAL & {one, other}:
            out.setdefault(one, set()).add(other)
            out.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in out.items()}


_DERIVED = ("er", "ers", "or", "ors", "ing", "ation", "ations", "ment", "ments")
"""Endings of nouns made of verbs, which say the opposite where the verbs do: exporter and importer."""


def _listed_forms(word: str) -> list[str]:
    """Return the forms of a word, as it is and uninflected, for which an opposite is listed: deny for denied."""
    forms = [word, base_forms().get(word, "")]
    for ending in _INFLECTED:
        if short := _stem_before(word, ending):
            forms += [short, f"{short}e", f"{short[:-1]}y" if short[-1] == "i" else short[:-1]]
    return [form for form in forms if form in opposites()]


def _are_parties(one: str, other: str) -> bool:
    """Return True if one word is who does something and the other to whom it is done: lessor and lessee, trainers and trainees."""
    for doing, done in ((one, other), (other, one)):
        stem = _stem_before(done.removesuffix("s"), "ee")
        if stem and doing.removesuffix("s") in (f"{stem}er", f"{stem}or"):
            return True
    return False


_INFLECTED = ("s", "es", "d", "ed", "ing")
"""Endings of the forms of a verb or noun."""


def _stem_before(word: str, ending: str) -> str:
    """Return a word without an ending; an empty string if it has not this ending."""
    return word.removesuffix(ending) if len(word) > len(ending) + 2 and word.endswith(ending) else ""


@lru_cache(1 << 14)
def are_contraries(one: str, other: str) -> bool:
    """Return True if two lower-case English words say the opposite: listed, in WordNet, by a negating prefix, or as lessor and lessee.

    Also nouns of verbs that are opposites, or of who does and to whom it is done, and words in any of their forms.

    Example:
        >>> are_contraries("guilty", "innocent"), are_contraries("locked", "unlocked"), are_contraries("flammable", "inflammable")
        (True, True, False)
        >>> are_contraries("granted", "denied"), are_contraries("lessor", "lessee")
        (True, True)
    """
    known = _opposites()
    forms = [{word, base_of(word) or word} for word in (one, other)]
    if any(b in known.get(a, ()) for a in forms[0] for b in forms[1]):
        return True
    listed = [_listed_forms(word) for word in (one, other)]
    if any(b in opposites()[a] for a in listed[0] for b in listed[1]):
        return True
    if any(_stem_before(one, end) in opposites().get(_stem_before(other, end), ()) for end in _DERIVED) or _are_parties(
        one, other
    ):
        return True
    short, long = sorted((one, other), key=len)
    found = _PREFIX.match(long)
    if found is None or long[found.end() :] != short or long in _NO_OPPOSITES or not is_listed(short):
        return False
    return found.group() in ("un", "non") or (is_listed(long) and bool(_ADJECTIVE.search(short)))


_WORD = lazy_pattern("[a-z]+")
_GRAMMAR = frozenset(
    "is are was were be been being has have had will would a an the of for from to by in on at with".split()
)


def _without_grammar(words: list[str]) -> list[str]:
    return [word for word in words if word not in _GRAMMAR]


def contrary_words(left: Window, right: Window) -> bool:
    """Return True if the differing texts are English words that say the opposite, alone or with equal words around them.

    A phrasal verb is one word, and words of grammar beside both count nothing.
    """
    mine, theirs = (in_one_word(_WORD.findall(side.stretch)) for side in (left, right))
    return _one_is_contrary(mine, theirs) or _one_is_contrary(_without_grammar(mine), _without_grammar(theirs))


def _one_is_contrary(mine: list[str], theirs: list[str]) -> bool:
    """Return True if two lists have the same words but for one, and these two say the opposite."""
    apart = [(a, b) for a, b in zip(mine, theirs, strict=False) if a != b]
    return len(mine) == len(theirs) and len(apart) == 1 and are_contraries(*apart[0])

"""Small dictionaries by which differences are classified: places, surnames, opposites, negations, confusable characters."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np


def _lines(name: str) -> list[str]:
    text = files("quchong.differences").joinpath("data", f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@cache
def words(name: str) -> frozenset[str]:
    """Return the entries of a word list of the package, by the list's name."""
    every = " ".join(_lines(name)).split()
    return frozenset(word.replace("_", " ") if "_" in word else word for word in every)


@cache
def negations() -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets: the words that negate, and longer words that contain the same characters and do not negate."""
    text = files("quchong.differences").joinpath("data", "negations.txt").read_text(encoding="utf-8")
    first, _, second = text.partition("# not negating")
    plain, other = (
        frozenset(w.replace("_", " ") for line in part.splitlines() if not line.startswith("#") for w in line.split())
        for part in (first, second)
    )
    return plain - other, other


@cache
def base_forms() -> dict[str, str]:
    """Return the base form of each form of an irregular English verb: find for found."""
    return {form: base for base, *forms in (line.split() for line in _lines("irregular")) for form in forms}


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Return for each word that has opposites the set of these, among them words of which only one can be true (春节, 中秋节).

    In a line with "/" each word before it is an opposite of each word behind it; in any other line the first one of all others.
    """
    out: dict[str, set[str]] = {}
    for line in _lines("antonyms"):
        some = [word.replace("_", " ") for word in line.split()]
        at = some.index("/") if "/" in some else 1
        for one in some[:at]:
            for other in some[at + (some[at] == "/") :]:
                out.setdefault(one, set()).add(other)
                out.setdefault(other, set()).add(one)
    for _, group in _alternatives():
        for same in group:
            for word in same:
                out.setdefault(word, set()).update(other for others in group if others is not same for other in others)
    return {word: frozenset(others) for word, others in out.items()}


@cache
def _alternatives() -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """Return groups of words of which only one can be true, as (kind of fact, members); a member is a tuple of synonyms."""
    rows = (line.split() for line in _lines("alternatives"))
    return tuple(
        (kind, tuple(tuple(w.replace("_", " ") for w in one.split("=")) for one in group)) for kind, *group in rows
    )


@cache
def near_synonyms() -> dict[str, frozenset[str]]:
    """Return for each word the words that editors put in its place, which have no sense in common in the lexicon: 领域, 范畴."""
    out: dict[str, set[str]] = {}
    for one, *others in (line.split() for line in _lines("near_synonyms")):
        for other in others:
            out.setdefault(one, set()).add(other)
            out.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in out.items()}


@cache
def same_words() -> dict[str, str]:
    """Return for each word of grammar that has another form the first of its group, or an empty string if it is left out."""
    out: dict[str, str] = {}
    for one, *others in (line.split() for line in _lines("same_words")):
        out.update({other.replace("_", " "): "" if one == "-" else one.replace("_", " ") for other in others})
    return out


@cache
def kinds_of_alternatives() -> dict[str, str]:
    """Return the kind of fact that each word of a group of alternatives states: "date" for 春节, "person" for 董事长."""
    return {word: kind for kind, group in _alternatives() for same in group for word in same}


@cache
def classes_of(name: str) -> dict[str, tuple[str, ...]]:
    """Return the words of each class of a list whose lines begin with the name of a class, by that name."""
    out: dict[str, tuple[str, ...]] = {}
    for first, *some in (line.split() for line in _lines(name)):
        out[first] = out.get(first, ()) + tuple(word.replace("_", " ") for word in some)
    return out


@cache
def phrasal_verbs() -> tuple[tuple[str, str, str], ...]:
    """Return the English phrasal verbs: the verb, the words that belong to it, and one verb that says the same: call, off, cancel."""
    rows = (line.split() for line in _lines("phrasals"))
    return tuple((verb, rest[0].replace("_", " "), rest[1]) for verb, *rest in rows if len(rest) > 1)


@cache
def turning_verbs() -> frozenset[str]:
    """Return the English verbs that say the opposite with in and with out, such as log."""
    return frozenset(verb for verb, *rest in (line.split() for line in _lines("phrasals")) if rest == ["in/out"])


@cache
def modalities() -> dict[str, frozenset[str]]:
    """Return for each word of modality the names of its classes, such as must, may, possible, future or done."""
    out: dict[str, set[str]] = {}
    for name, some in classes_of("modality").items():
        for word in some:
            out.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in out.items()}


@cache
def aliases() -> dict[str, str]:
    """Return for each name of a thing that has several names the first of them; a name of two groups joins them."""
    out: dict[str, str] = {}
    for line in (*_lines("aliases"), *_lines("territories")):
        group = [word.replace("_", " ") for word in line.split()]
        firsts = {out.get(word, word) for word in group}
        first = out.get(group[0], group[0])
        if any(word in out and out[word] != first for word in group):  # two groups become one, which is rare
            out.update({word: first for word, old in out.items() if old in firsts})
        out.update(dict.fromkeys(group, first))
    return out


@cache
def nicknames() -> dict[str, str]:
    """Return for each English given name that has short forms the first name of its group."""
    return {name: group[0] for group in (line.split() for line in _lines("nicknames")) for name in group}


@cache
def readings() -> dict[str, str]:
    """Return the most usual syllable of each frequent character, without its tone."""
    out: dict[str, str] = {}
    for line in _lines("sounds"):
        syllable, characters = line.split()
        for character in characters:
            out.setdefault(character, syllable)
    return out


@cache
def confusions() -> tuple[str, np.ndarray]:
    """Return characters that sound or look like others, and a group number for each, int64; equal numbers can be confused.

    A character is listed as often as it has groups.
    """
    near: dict[str, str] = {}

    def root(syllable: str) -> str:
        while syllable in near:
            syllable = near[syllable]
        return syllable

    # Syllables that sound alike are merged by union-find, with the lesser syllable as root.
    for line in _lines("sounds_near"):
        a, b = (root(s) for s in line.split())
        if a != b:
            near[max(a, b)] = min(a, b)
    sounds = [line.split() for line in _lines("sounds")]
    number: dict[str, int] = {}
    groups = [number.setdefault(root(syllable), len(number)) for syllable, _ in sounds]
    looks = ["".join(line.split()) for line in _lines("lookalikes")]
    every = [*(characters for _, characters in sounds), *looks]
    # Look-alikes get group numbers of their own, far above those of sounds.
    groups += range(10_000, 10_000 + len(looks))
    return "".join(every), np.repeat(groups, [len(characters) for characters in every])

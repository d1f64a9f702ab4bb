"""Tables of words by language, read from the folder `data`: a new language is a file there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

Value = tuple[str, float | str]
"""Kind ("negation", "month", "day", "relative", "half", "number", "times", "empty") and value of a word."""


@dataclass(frozen=True)
class Tongue:
    """Words of one language that state a fact.

    Attributes:
        code: its code of two letters, the name of its file.
        name: its name in English.
        common: frequent words that few other languages have, by which it is recognised; empty for one recognised by its script.
        script: "kana" or "hangul"; empty for one recognised by words.
        words: values of whole words, in lower case.
        stems: values of words by their beginning.
        patterns: values with the regular expression of each, for a language that does not part words by blanks.
        exempt: pattern of phrases that hold a negation and do not negate; None for none.
        number: pattern of a number in digits.
        decimal, thousands: the decimal mark, and the marks that part thousands.
    """

    code: str
    name: str
    common: tuple[str, ...] = ()
    script: str = ""
    words: dict[str, Value] = field(default_factory=dict)
    stems: dict[str, Value] = field(default_factory=dict)
    patterns: tuple[tuple[Value, re.Pattern[str]], ...] = ()
    exempt: re.Pattern[str] | None = None
    number: re.Pattern[str] = field(default_factory=lambda: re.compile(r"\d+"))
    decimal: str = "."
    thousands: str = ""


@cache
def tongues() -> dict[str, Tongue]:
    """Return the languages with a table, by code, sorted."""
    folder = files("quchong.differences.tongues").joinpath("data")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".txt"))
    return {
        name.removesuffix(".txt"): _read(name.removesuffix(".txt"), folder.joinpath(name).read_text("utf-8"))
        for name in names
    }


def _read(code: str, text: str) -> Tongue:
    """Build a language from the lines of its file."""
    one: dict[str, str] = {"decimal": ".", "thousands": ""}
    words: dict[str, Value] = {}
    stems: dict[str, Value] = {}
    patterns: list[tuple[Value, re.Pattern[str]]] = []
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if not kind or kind == "#":
            continue
        if kind == "pattern":
            what, _, pattern = rest.partition(" ")
            patterns.append((_value(what), re.compile(pattern)))
        elif kind in ("negation", "empty"):
            _add(words, stems, rest.split(), (kind, 1.0))
        elif kind in ("month", "day", "relative", "number", "times"):
            value, *named = rest.split()
            _add(words, stems, named, (kind, float(value)))
        else:
            one[kind] = rest
    exempt = re.compile(one["not-negating"]) if "not-negating" in one else None
    parts, point = "".join(map(re.escape, one["thousands"].split())), re.escape(one["decimal"])
    blank = "" if one.get("script") else " "  # a blank between three digits and three digits
    number = re.compile(rf"\d{{1,3}}(?:[{parts}{blank}]\d{{3}})+(?!\d)(?:{point}\d+)?|\d+(?:{point}\d+)?")
    return Tongue(
        code, one["name"], tuple(one.get("common", "").split()), one.get("script", ""), words, stems, tuple(patterns), exempt, number,
        one["decimal"], one["thousands"] + blank,
    )  # fmt: skip


def _value(written: str) -> Value:
    kind, _, value = written.partition(":")
    try:
        return kind, float(value or 1)
    except ValueError:
        return kind, value


def _add(words: dict[str, Value], stems: dict[str, Value], named: list[str], value: Value) -> None:
    for word in named:
        if word.endswith("*"):
            stems[word[:-1]] = value
        else:
            words[word] = value

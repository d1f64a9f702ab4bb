"""Lines and paragraphs in plain Python: how a text is split, and what each document of a corpus loses.

Texts are of plain lower-case words between single blanks, so that two units are equal if their words are.
"""

from __future__ import annotations

import re
from collections import defaultdict

BREAK = re.compile(r"\r\n|\n|\r")


def lines(text):
    """Return (start, end, stop) of each line: its content, and its break."""
    out, at = [], 0
    for found in BREAK.finditer(text):
        out.append((at, found.start(), found.end()))
        at = found.end()
    return [*out, (at, len(text), len(text))] if at < len(text) else out


def paragraphs(text):
    """Return (start, end, stop) of each run of lines that are not blank, with the blank ones behind it."""
    out, after_blank = [], False
    for start, end, stop in lines(text):
        blank = not text[start:end].strip(" \t\x0b\x0c\u3000\xa0")
        if not out or (after_blank and not blank):
            out.append([start, start if blank else end, stop])
        else:
            out[-1][2] = stop
            if not blank:
                out[-1][1] = end
        after_blank = blank
    return [tuple(one) for one in out]


SPLIT = {"line": lines, "paragraph": paragraphs}


def decide(documents, rule):
    """Return what each document loses: by id None (removed entirely) or its new text, and the listed units as sorted tuples
    (id, unit, start, end, copies, documents, reason, cut, kept id, kept unit).

    Documents are (id, text), the preferred one first, one after the other: a document loses what one that was kept before it has.
    """
    split = SPLIT[rule.unit]
    units = {name: [(s, e, stop, tuple(text[s:e].split())) for s, e, stop in split(text)] for name, text in documents}
    copies, spread = defaultdict(int), defaultdict(set)
    for name, mine in units.items():
        for *_, key in mine:
            copies[key] += 1
            spread[key].add(name)
    home, texts, listed = {}, {}, []
    for name, text in documents:
        mine, rows, own, new_home = units[name], {}, {}, {}
        for number, (_, _, _, key) in enumerate(mine, 1):
            if len(key) < rule.words:
                continue
            if rule.common is not None and len(spread[key]) >= rule.common:
                rows[number] = ("common", True, None, None)
            elif rule.common is None and key in home:
                rows[number] = ("copy", True, *home[key])
            elif key in own:
                rows[number] = ("repeat", rule.repeats == "cut", name, own[key])
            else:
                own[key] = number
                new_home[key] = (name, number)
        total = sum(len(key) for *_, key in mine)
        left = sum(len(key) for n, (*_, key) in enumerate(mine, 1) if not (n in rows and rows[n][1]))
        least = rule.floor * total if rule.floor < 1 else rule.floor
        if left < total and left < least:
            texts[name] = None
            for number, (s, e, _, _key) in enumerate(mine, 1):
                if number in rows and rows[number][0] != "repeat":
                    continue
                if e > s:
                    rows[number] = ("floor", True, None, None)
        else:
            home.update({key: place for key, place in new_home.items() if key not in home})
            texts[name] = without(text, mine, {n for n, row in rows.items() if row[1]})
        for number, (reason, cut, kept, kept_unit) in rows.items():
            s, e, _, key = mine[number - 1]
            counted = (copies[key], len(spread[key])) if copies[key] > 1 and len(key) >= rule.words else (None, None)
            listed.append(((name, number, s, e, *counted, reason, cut, kept, kept_unit), key))
    # What a removed document had first is kept by the next document that has it.
    listed = [
        (*row[:6], "copy", True, *home[key]) if row[6] == "floor" and rule.common is None and key in home else row
        for row, key in listed
    ]
    return texts, sorted(listed, key=lambda row: (row[0], row[1]))


def without(text, units, cut):
    """Return the text without units; it ends with no more line breaks than before, if its last unit is cut."""
    stay = [n for n in range(1, len(units) + 1) if n not in cut]
    out = ""
    for n in stay:
        s, e, stop, _ = units[n - 1]
        if n == stay[-1] and len(units) in cut:
            stop = min(stop, e + units[-1][2] - units[-1][1])
        out += text[s:stop]
    return out

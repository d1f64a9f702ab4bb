"""Which symbols of a text carry meaning, by what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twins.characters import SIGNS, is_letter, is_single, is_symbol

RULE = 3
"""So many of one mark in a row draw a line."""
ROW = 10
"""Most stars or shapes in a row that are no line."""
BRACKET = 64
"""Most characters between < and >."""
CHECKS = "\u2610\u2611\u2612\u2705\u2713\u2714\u2715\u2716\u2717\u2718\u274c\u274e"
STARS = "\u2605\u2606\u2b50\U0001f31f"
TRIANGLES = "\u25b2\u25b3\u25bc\u25bd"
OPENS, CLOSES = "([{\u3010|\t", ")]}\u3011|\t"
MINUS = "-\u2212"
OUTSIDE = "<>\n\r&|;("
"""Marks that do not stand between two brackets of markup."""


def is_star(c: str) -> bool:
    """A star of a rating."""
    return c != "" and c in STARS


def is_shape(c: str) -> bool:
    """A square, circle, triangle or the like."""
    return "\u25a0" <= c <= "\u25ff"


def is_picture(c: str) -> bool:
    """An emoji or another picture."""
    return "\u2600" <= c <= "\u27bf" or c >= "\U0001f000"


class Rules:
    """The rules over one mapped text; `parts` are the places of the marks that belong to figures."""

    def __init__(self, text: str, parts: Sequence[int]) -> None:
        self.text = text
        self.parts = parts

    def at(self, i: int) -> str:
        """The character at i; nothing beyond the text. The ends of lines are alike."""
        c = self.text[i] if 0 <= i < len(self.text) else ""
        return "\n" if c == "\r" else c

    def wordy(self, i: int) -> bool:
        """A letter or digit."""
        return self.at(i) != "" and is_letter(self.at(i))

    def latin(self, i: int) -> bool:
        """A letter or digit of a script with spaces."""
        return self.wordy(i) and not is_single(self.at(i))

    def digit(self, i: int) -> bool:
        """An ASCII digit."""
        return "0" <= self.at(i) <= "9"

    def carries_meaning(self, i: int) -> bool:
        """Does the symbol at i carry meaning?"""
        c, before, behind = self.at(i), self.at(i - 1), self.at(i + 1)
        if self.parts[i]:
            return False
        between_digits = before == " " and self.digit(i - 2) and behind == " " and self.digit(i + 2)
        written: dict[str, Callable[[], bool]] = {
            "+": lambda: self.run(i) < RULE and not (self.starts_line(i) and behind == " "),
            "-": lambda: self.is_grade(i) or self.encloses(before, behind) or behind == "=" or between_digits,
            "*": lambda: (self.latin(i - 1) and self.latin(i + 1)) or behind == "=" or between_digits,
            "/": lambda: between_digits,
            "^": lambda: self.latin(i - 1) and self.latin(i + 1),
            "=": lambda: self.run(i) < RULE and before != "" and before in "=<>",
            "<": lambda: self.run(i) == 1 and not self.is_bracket(i),
            ">": lambda: self.run(i) == 1 and not self.is_bracket(i) and not self.starts_line(i),
            "!": lambda: behind == "=",
            "|": lambda: self.run(i) == 2,
            "&": lambda: self.run(i) == 2,
            "#": lambda: self.ends_name(i),
        }
        if c in MINUS or c in written:
            return written["-" if c in MINUS else c]()
        if is_star(c):
            return self.is_row(i, is_star) or self.wordy(i - 1) or self.is_enclosed(i, is_star)
        if is_shape(c):
            figure = c in TRIANGLES and self.is_beside_figure(i)
            return self.is_row(i, is_shape) or self.is_enclosed(i, is_shape) or figure
        return before != c or c in CHECKS or not is_picture(c)

    def starts_line(self, i: int) -> bool:
        """Does a line begin at i, blanks aside?"""
        while i > 0 and self.at(i - 1) == " ":
            i -= 1
        return i == 0 or self.at(i - 1) == "\n"

    @staticmethod
    def encloses(a: str, b: str) -> bool:
        """Are these brackets, or borders of a cell?"""
        return a != "" and b != "" and a in OPENS and b in CLOSES

    def run(self, i: int) -> int:
        """How many of one mark stand in a row, counted up to RULE on either side."""
        start, end = self.row(i, lambda c: c == self.at(i), RULE)
        return end - start

    def row(self, i: int, has: Callable[[str], bool], most: int) -> tuple[int, int]:
        """The ends of the row of characters with a property around i, at most so many to either side."""
        start, end = i, i + 1
        while start > 0 and i - start < most and has(self.at(start - 1)):
            start -= 1
        while end < len(self.text) and end - i < most and has(self.at(end)):
            end += 1
        return start, end

    def is_row(self, i: int, has: Callable[[str], bool]) -> bool:
        """Does i stand in a row of 2 to ROW characters with a property?"""
        start, end = self.row(i, has, ROW + 1)
        return 2 <= end - start <= ROW

    def is_enclosed(self, i: int, has: Callable[[str], bool]) -> bool:
        """Does nothing but such a row stand within brackets or a cell?"""
        start, end = self.row(i, has, ROW + 1)
        return end - start <= ROW and self.encloses(self.at(start - 1), self.at(end))

    def is_grade(self, i: int) -> bool:
        """A minus at the end of a word that has letters, as of AA-; not a hyphen, a dash or the end of a line."""
        behind, start = self.at(i + 1), i
        while self.digit(start - 1):
            start -= 1
        return self.latin(start - 1) and not self.wordy(i + 1) and (behind == "" or behind not in MINUS + "\n")

    def ends_name(self, i: int) -> bool:
        """At the end of a name in Latin letters, as of C#; the second of two that enclose a topic is none."""
        if not self.latin(i - 1) or self.digit(i - 1) or self.latin(i + 1) or self.at(i + 1) == "#":
            return False
        start = i
        while start > 0 and self.latin(start - 1):
            start -= 1
        return self.at(start - 1) != "#"

    def is_beside_figure(self, i: int) -> bool:
        """A digit before it or behind it, with a sign or a blank between or not."""
        between = self.at(i + 1) != "" and self.at(i + 1) in SIGNS + " "
        return self.digit(i - 1) or self.digit(i + 1) or (between and self.digit(i + 2))

    def is_bracket(self, i: int) -> bool:
        """One of two marks < and > that enclose something: a tag, a title."""
        opens = self.at(i) == "<"
        if self.is_comment(i):
            return True
        if not (self.begins_inside(i) if opens else self.ends_inside(i)):
            return False
        # The next mark that does not stand between brackets decides: is it the other one?
        far = (
            range(i + 1, min(len(self.text), i + BRACKET + 1)) if opens else range(i - 1, max(-1, i - BRACKET - 1), -1)
        )
        end = next((j for j in far if self.at(j) in OUTSIDE), None)
        if end is None or self.at(end) != (">" if opens else "<"):
            return False
        return self.ends_inside(end) if opens else self.begins_inside(end)

    def begins_inside(self, i: int) -> bool:
        """May what stands behind the < at i be enclosed by it?"""
        return self.wordy(i + 1) or (self.at(i + 1) != "" and self.at(i + 1) in "/!?")

    def is_comment(self, i: int) -> bool:
        """The mark at either end of a comment of markup, which are known without the other."""
        at = self.at
        return at(i + 1) + at(i + 2) + at(i + 3) == "!--" if at(i) == "<" else at(i - 1) == at(i - 2) == "-"

    def ends_inside(self, i: int) -> bool:
        """May what stands before the > at i be enclosed by it?"""
        return self.at(i - 1) not in (" ", *MINUS, "=")


def kept_symbols(text: str, parts: Sequence[int]) -> list[bool]:
    """For every character of a mapped text: is it a symbol that carries meaning there?"""
    rules = Rules(text, parts)
    return [is_symbol(c) and rules.carries_meaning(i) for i, c in enumerate(text)]

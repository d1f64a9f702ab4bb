"""Types of options for whole numbers and numbers, with translated errors, and the placeholders of values in a help text."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import click

from quchong.errors import meant
from quchong.languages import Message, translated
from quchong.parameters.kinds import percent_hint

METAVAR = "metavar"
"""Message context of the placeholders of values in a help text."""
_WORDS = (
    Message("FILE", context="metavar"), Message("FOLDER", context="metavar"), Message("PATH", context="metavar"),
    Message("NAME", context="metavar"), Message("NAMES", context="metavar"), Message("COLUMN", context="metavar"),
    Message("NUMBER", context="metavar"), Message("NUMBERS", context="metavar"), Message("SIZE", context="metavar"),
    Message("SPAN", context="metavar"), Message("CRITERIA", context="metavar"), Message("KINDS", context="metavar"),
    Message("WHICH", context="metavar"), Message("WORDS", context="metavar"), Message("NAME=VALUE", context="metavar"),
    Message("FILE.svg", context="metavar"), Message("[OPTIONS]", context="metavar"), Message("TEXT", context="metavar"),
    Message("FORMAT", context="metavar"), Message("WHEN", context="metavar"), Message("ID", context="metavar"),
    Message("ZONE", context="metavar"), Message("K=V", context="metavar"), Message("FILE:CLASS", context="metavar"),
    Message("INPUTS", context="metavar"), Message("RUN", context="metavar"), Message("IDS", context="metavar"),
    Message("INDEX", context="metavar"), Message("DOCUMENTS", context="metavar"), Message("LEFT", context="metavar"),
    Message("RIGHT", context="metavar"), Message("COPY", context="metavar"), Message("RESULT", context="metavar"),
    Message("COMMAND [ARGS]...", context="metavar"), Message("ADDRESS", context="metavar"), Message("ROLE", context="metavar"),
    Message("NAME=VALUE,...", context="metavar"), Message("FOLDERS", context="metavar"), Message("K/N", context="metavar"),
)  # fmt: skip
"""Words that the catalogue has; others are shown as they are."""
_NAME = "_metavar"


class WholeNumber(click.ParamType):  # type: ignore[type-arg] # click 8.1 has no argument to give
    """Type of a whole number between a least and a most one; None for no limit."""

    name = "number"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that a text spells."""
        try:
            number = int(value)
        except ValueError:
            if str(value).lower() in _DEFAULTS:
                said = Message("{} is not a whole number; to use the default, leave out the option", value)
                if getattr(param, "name", None) in _COUNTS and str(value).lower() in _WITHOUT_LIMIT:
                    said = Message(
                        "{} is not a whole number; to get all, write a large number, such as {}", value, _LARGE
                    )
                self.fail(said.translation(), param, ctx)
            if not str(value).strip():
                self.fail(_EMPTY.translation(), param, ctx)
            guess = _number_meant(str(value)) or Message(", such as {}", _example(param, self.least))
            self.fail(Message("{} is not a whole number{}", value, guess).translation(), param, ctx)
        if self.least is not None and number < self.least:
            self.fail(Message("{} is less than {}", number, self.least).translation(), param, ctx)
        if self.most is not None and number > self.most:
            self.fail(Message("{} is more than {}", number, self.most).translation(), param, ctx)
        return number


_EMPTY = Message("the value is empty: give a number, or leave out the option")


def _example(param: click.Parameter | None, least: int | None) -> int:
    """Return a number that an option takes: its default, or a small one."""
    default = getattr(param, "default", None)
    return default if isinstance(default, int) and default > 0 else max(least or 0, 10)


def _example_number(param: click.Parameter | None) -> float:
    """Return a number that an option takes: its default, a share for an option of shares, else 10."""
    default = getattr(param, "default", None)
    if isinstance(default, int | float) and not isinstance(default, bool):
        return default
    return 10 if getattr(param, "metavar", None) == "N" else 0.7


_DEFAULTS = ("auto", "all", "max", "none", "default", "unlimited", "自动", "全部", "默认", "不限")
"""Words for a number that is left to the program."""
_WITHOUT_LIMIT = frozenset(("all", "max", "unlimited", "全部", "不限"))
"""Words for no limit."""
_COUNTS = frozenset(("limit", "show", "most", "chars", "sample"))
"""Options of how much is shown."""
_LARGE = 1_000_000
_FACTORS = {"k": 10**3, "m": 10**6, "b": 10**9, "g": 10**9, "千": 10**3, "万": 10**4, "百万": 10**6, "亿": 10**8, "": 1}
"""Factors of the letters and words behind a number."""


def _number_meant(text: str) -> Message:
    """Return `; did you mean ...?` for a whole number written with a unit, an exponent, commas or in Chinese; an empty message for others.

    >>> print(_number_meant("10m"), _number_meant("1,000"), _number_meant("1e6"), _number_meant("8.0"), _number_meant("一百万"))
    ; did you mean 10000000? ; did you mean 1000? ; did you mean 1000000? ; did you mean 8? ; did you mean 1000000?
    """
    from quchong.plan.spoken_numbers import in_digits

    plain = re.sub(r"\s*[个篇条份人名线程核]+$", "", in_digits(text).lower())
    if re.fullmatch(r"\d{1,3}([, ]\d{3})+", plain):
        plain = re.sub(r"[, ]", "", plain)
    found = re.fullmatch(r"(\d+(?:\.\d+)?(?:e\d{1,2})?)\s*(\D*)", plain)
    if found is None or found[2] not in _FACTORS:
        return Message("")
    number = float(found[1]) * _FACTORS[found[2]]
    return Message("; did you mean {}?", f"{number:.0f}") if number == int(number) else Message("")


class Number(click.ParamType):  # type: ignore[type-arg]
    """Number, such as 0.7."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that a text spells."""
        plain = (
            unicodedata.normalize("NFKC", value) if isinstance(value, str) else value
        )  # digits of a Chinese keyboard
        try:
            return float(plain)
        except ValueError:
            if not str(plain).strip():
                self.fail(_EMPTY.translation(), param, ctx)
            hint = percent_hint(plain) or _share_meant(str(plain))
            if (
                ctx is not None
                and re.search(r"[:,-]\d", str(plain))
                and any(one.name == "values" for one in ctx.command.params)
            ):
                hint = Message("; to try several values, give them to {}", "--values 0.5:0.9:0.05")
            if re.fullmatch(r"\d+[,。、·]\d+", str(plain)):
                hint = Message("; did you mean {}?", re.sub(r"\D", ".", str(plain)))
            said = (
                Message("{} is not a number{}", value, hint)
                if hint
                else Message("{} is not a number; write one such as {:g}", value, _example_number(param))
            )
            self.fail(said.translation(), param, ctx)


def _share_meant(text: str) -> Message:
    """Return `; did you mean ...?` for a number in Chinese words or in quotes, or one with a unit of time; else an empty message.

    >>> print(_share_meant("八成"), _share_meant("百分之八十五"), _share_meant("“0.8”"), _share_meant("10/s"))
    ; did you mean 0.8? ; did you mean 0.85? ; did you mean 0.8? ; did you mean 10?
    """
    from quchong.plan.spoken_numbers import in_digits, share_said

    if (share := share_said(text)) is not None:
        return Message("; did you mean {:g}?", share)
    plain = in_digits(text)
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)(?: ?(?:/|per ?)\w+)?", plain):
        return Message("; did you mean {}?", found[1])
    return percent_hint(plain)


class Choice(click.Choice):  # type: ignore[type-arg]
    """One of a list of words; the error about another word names the one that was probably meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word of the list."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if "," in str(value):  # several, of which one can be chosen
                raise
            if guess := meant(str(value), map(str, self.choices)):
                raise click.BadParameter(error.message.rstrip(".。") + guess.translation(), ctx, param) from None
            raise


def own_kind(kind: click.ParamType) -> click.ParamType:  # type: ignore[type-arg]
    """Return our type in place of one of click's for numbers and choices, else the type itself."""
    if type(kind) is click.Choice:
        return Choice(kind.choices, kind.case_sensitive)
    if isinstance(kind, click.IntRange):
        least, most = kind.min, kind.max
        return WholeNumber(None if least is None else int(least), None if most is None else int(most))
    if isinstance(kind, type(click.INT)):
        return WholeNumber()
    return Number() if isinstance(kind, type(click.FLOAT)) else kind


def metavar_of(option: click.Option) -> str | None:
    """Return the English placeholder of the value of an option; None for choices and flags, which have none."""
    if option.metavar is not None or option.is_flag or isinstance(option.type, click.Choice):
        return option.metavar
    if isinstance(option.type, WholeNumber):
        return "N"
    if isinstance(option.type, click.Path | click.File):
        return "PATH" if isinstance(option.type, click.Path) else "FILE"
    return "NUMBER" if isinstance(option.type, Number) else "NAME"


def argument_metavar(argument: click.Argument) -> str:
    """Return the placeholder of an argument in the chosen language, as a usage line and an error show it."""
    name = vars(argument).setdefault(_NAME, argument.metavar) or (argument.name or "").upper()
    word = translated(name.removesuffix("..."), METAVAR)
    if isinstance(argument.type, click.Choice) and word == name:
        word = "|".join(map(str, argument.type.choices))
    word = word if argument.required else f"[{word}]"
    return f"{word}..." if argument.nargs != 1 else word


def told_metavar(word: str | None) -> str | None:
    """Return the word in the chosen language."""
    return word and translated(word, METAVAR)

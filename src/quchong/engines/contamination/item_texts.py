"""Texts of the questions, choices and answers of test items, from the columns of common test sets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from quchong.errors import InputError, Param
from quchong.io.missing_columns import QUOTED, column_list
from quchong.io.usual_columns import usual_columns
from quchong.patterns import lazy_pattern

QUESTIONS = ("question", "problem", "prompt", "input", "query", "题目", "问题", "题干", "试题")
ANSWERS = ("answer", "answers", "solution", "target", "output", "答案", "解析", "参考答案")
CHOICES = ("choices", "options", "endings", "选项")
LETTERS = ("A", "B", "C", "D")
_LETTER = lazy_pattern(r"\s*[(（]?([A-Ha-h])[)）.．。]?\s*")


@dataclass(frozen=True, slots=True)
class ItemColumns:
    """Columns of a test set: of the question, of the answer and of the choices; empty if it has none."""

    question: tuple[str, ...]
    answer: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


def find_columns(asked: ItemColumns, names: Sequence[str], shown: str, text: tuple[str, ...]) -> ItemColumns:
    """Return the columns of a test set: those asked for, else those with usual names, else the text as the question.

    Args:
        asked: columns that the caller named; an empty tuple for none.
        names: columns that the set has, as far as they are known; empty if they are not.
        shown: name of the set in messages.
        text: columns of the text where no column is called like a question.

    Raises:
        InputError: a column that was asked for is not there, or no column may be the question.
    """
    for parameter, columns in (("question", asked.question), ("answer", asked.answer), ("choices", asked.choices)):
        missing = [name for name in columns if name not in names]
        if names and missing:
            raise InputError(
                "{} has no column {}; it has these columns: {}. Name the right one with {}",
                shown, QUOTED.holding(missing[0]), column_list(names), Param(parameter, _column_meant(parameter, missing[0], names)),
            )  # fmt: skip
    question = asked.question or _first(QUESTIONS, names) or _text_columns(text, names)
    if not question:
        raise InputError(
            "{} has no column {}; it has these columns: {}. Name the right one with {}",
            shown, QUOTED.holding("question"), column_list(names), Param("question", "COLUMN"),
        )  # fmt: skip
    answer = asked.answer or _first(ANSWERS, names)
    letters = LETTERS if set(LETTERS) <= set(names) else ()
    choices = asked.choices or _first(CHOICES, names) or letters
    taken = set(question)
    return ItemColumns(
        question, tuple(n for n in answer if n not in taken), tuple(n for n in choices if n not in {*taken, *answer})
    )


def _text_columns(text: tuple[str, ...], names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the text, or the one with a usual name in their place; () if the set has none, or several that may be it."""
    if not names or set(text) <= set(names):
        return text
    usual = usual_columns("text", names)
    return tuple(usual) if len(usual) == 1 else ()


def _column_meant(role: str, name: str, names: Sequence[str]) -> str:
    """Return the column that was probably meant by a name of a test set's column; COLUMN if nobody knows."""
    usual = {"question": QUESTIONS, "answer": ANSWERS, "choices": CHOICES}[role]
    return next(iter([*get_close_matches(name, names, n=1), *_first(usual, names)]), "COLUMN")


def _first(usual: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    return next(((name,) for name in usual if name in names), ())


def plain_values(value: Any) -> list[str]:
    """Return the non-blank texts in a column's value: the elements of a list, the lists of texts in a struct or in JSON."""
    if value is None:
        return []
    if isinstance(value, str):
        if value[:1] in "[{" and value[-1:] in "]}":
            try:
                return plain_values(json.loads(value))
            except ValueError:
                pass
        return [value] if value.strip() else []
    if isinstance(value, Mapping):
        texts = [value["text"]] if "text" in value else list(value.values())
        return [one for part in texts for one in plain_values(part)]
    if isinstance(value, Sequence):
        return [one for part in value for one in plain_values(part)]
    return [str(value)]


def answer_text(answer: Sequence[str]) -> str:
    """Return the text of an answer, of several each once on a line.

    A letter that names a choice stays a letter: the choice itself is in the document with every other choice.
    """
    return "\n".join(dict.fromkeys(one.strip() for one in answer))


def answer_letter(answer: str, choices: Sequence[str]) -> str:
    """Return the letter of the choice that an answer names by letter or number, in upper case; "" if it names none."""
    if found := _LETTER.fullmatch(answer):
        return found[1].upper()
    if len(choices) > 1 and answer.strip().isdigit() and int(answer) < len(choices):
        return chr(ord("A") + int(answer))
    return ""

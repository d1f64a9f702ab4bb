"""Signs that the training corpus and the test sets of a call were exchanged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from quchong.decision.alarms import Alarm
from quchong.engines.contamination.item_texts import ANSWERS, CHOICES, LETTERS, QUESTIONS
from quchong.engines.contamination.test_sets import TestSets
from quchong.errors import Call, InputError, QuchongError, shell_word
from quchong.io import Source, open_inputs
from quchong.languages import Message, join_names

_MANY_ITEMS = 100
_ITEMS_PER_DOCUMENT = 10
"""Number of items, and of items per document, from which test sets are much larger than the corpus."""
_SHOWN = 3
"""Number of inputs that a message names at most."""


def check_not_exchanged(corpus: Sequence[Source], text: Sequence[str], sets: TestSets) -> None:
    """Raise InputError if the corpus has the columns of a test set and no text, while the test sets have no questions.

    Args:
        corpus: its sources; text: columns of the text that the corpus is read by; sets: the test sets.
    """
    if not _look_exchanged(corpus, sets) or any(set(text) & set(one.column_names()) for one in corpus):
        return
    left, right = corpus[0].name, sets.names[0]
    raise _exchanged(
        left, right, f"qc.decontaminate({right!r}, {left!r})",
        f"quchong decontaminate {shell_word(right)} --against {shell_word(left)}",
    )  # fmt: skip


def check_columns_not_exchanged(columns: Iterable[str], sets: TestSets) -> None:
    """Raise InputError if a table in memory that has no text has the columns of a test set, while the test sets have no questions."""
    if _names_of_test_set(set(columns)) and not _have_questions(sets):
        raise _exchanged(
            Message("the data given"), Message("the test set"), "qc.decontaminate(corpus, tests)",
            "quchong decontaminate corpus.jsonl --against tests.jsonl",
        )  # fmt: skip


def _exchanged(left: object, right: object, in_python: str, command: str) -> InputError:
    """Return the error about a corpus `left` and a test set `right` in each other's place, with the call in its order."""
    return InputError(
        "{} has questions and answers, and {} has none: give the corpus first, and the test sets with {}: {}",
        left, right, Call("against", "--against"), Call(in_python, command),
    )  # fmt: skip


def exchange_alarms(corpus: Sequence[Source], sets: TestSets, documents: int) -> list[Alarm]:
    """Return an alarm if the test sets may be the corpus: by their columns, or as they have many more items than it has documents.

    Args:
        corpus: its sources; sets: the test sets; documents: number of documents of the corpus.
    """
    items = len(sets)
    larger = items >= max(_MANY_ITEMS, _ITEMS_PER_DOCUMENT * documents)
    if not larger and not _look_exchanged(corpus, sets):
        return []
    message = Message(
        "corpus and test sets may be swapped: {} was searched ({:,} documents) for the {:,} items of {}; give "
        "the corpus first, and the test sets after --against",
        few_names([one.name for one in corpus]), documents, items, few_names(sets.names),
    )  # fmt: skip
    return [Alarm("exchanged", message, {"documents": documents, "items": items})]


def test_sets_among(paths: Sequence[str]) -> list[str]:
    """Return the paths of files that have the columns of a test set; a file that cannot be read is left out."""
    return [path for path in paths if _file_is_test_set(path)]


def _file_is_test_set(path: str) -> bool:
    """Return True if the file at a path has the columns of a test set."""
    try:
        return Path(path).is_file() and all(map(_is_test_set, open_inputs([Path(path)])))
    except (QuchongError, OSError, ValueError):
        return False


def few_names(names: Sequence[str]) -> Message:
    """Return names of inputs as a list, the first few and the number of the others."""
    shown = join_names(names[:_SHOWN])
    more = len(names) - _SHOWN
    return Message("{} and {:,} more", shown, more) if more > 0 else Message("{}", shown)


def _look_exchanged(corpus: Sequence[Source], sets: TestSets) -> bool:
    """Return True if every source of the corpus has the columns of a test set, and no test set has a column called like a question."""
    return not _have_questions(sets) and all(map(_is_test_set, corpus))


def _have_questions(sets: TestSets) -> bool:
    """Return True if a test set has a column called like a question."""
    return any(set(one.question) & set(QUESTIONS) for one in sets.columns)


def _is_test_set(source: Source) -> bool:
    """Return True if a source has a column called like a question, and one like an answer or choices."""
    return _names_of_test_set(set(source.column_names()))


def _names_of_test_set(names: Set[str]) -> bool:
    """Return True if one of the names of columns is that of a question, and one that of an answer or choices."""
    return bool(names & set(QUESTIONS)) and bool(names & {*ANSWERS, *CHOICES} or set(LETTERS) <= names)

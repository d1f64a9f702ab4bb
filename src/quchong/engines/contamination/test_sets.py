"""Test sets: their items read from files or memory."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass, field

from quchong.engines.contamination.item_texts import (
    ItemColumns,
    answer_letter,
    answer_text,
    find_columns,
    plain_values,
)
from quchong.errors import InputError
from quchong.io import Bad, Source, WantedColumns


@dataclass(slots=True)
class TestSets:
    """Items of all test sets, one entry each in every list, in the order of the sets.

    Attributes:
        names: of the sets.
        columns: of each set.
        set, row, id: number of the item's set, its row there, and its id.
        question, choices, answer: texts; "" for none. letter: of the choice that the answer names, or "".
        bad: records that could not be read.
    """

    __test__ = False

    names: list[str] = field(default_factory=list)
    columns: list[ItemColumns] = field(default_factory=list)
    set: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    id: list[str] = field(default_factory=list)
    question: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)
    letter: list[str] = field(default_factory=list)
    bad: list[Bad] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.id)


def read_test_sets(
    sources: Sequence[Source], asked: ItemColumns, text: tuple[str, ...], id_key: str | None
) -> TestSets:
    """Read the items of every source, each of which is a test set.

    Args:
        asked: columns that the caller named.
        text: columns of the text in sets without a column called like a question.
        id_key: column of the ids; None for `id`, if there is one. An item without an id is called by its row.

    Raises:
        InputError: a set cannot be read, has not the columns asked for, or there is no item at all.
    """
    sets = TestSets()
    for number, source in enumerate(sources):
        columns = find_columns(asked, source.column_names(), source.name, text)
        sets.names.append(source.name)
        sets.columns.append(columns)
        for one in _items(source, columns, id_key, sets.bad):
            sets.set.append(number)
            for name, value in zip(("row", "id", "question", "choices", "answer", "letter"), one, strict=True):
                getattr(sets, name).append(value)
    if not len(sets):
        names = ", ".join(sets.names)
        raise InputError("{} has no item that can be read, so nothing was searched for", names)
    return sets


def _items(
    source: Source, columns: ItemColumns, id_key: str | None, bad: MutableSequence[Bad]
) -> Iterator[tuple[int, str, str, str, str, str]]:
    """Yield row, id, question, choices, answer and the letter of the answer of each item."""
    wanted = WantedColumns(
        columns.question, id_key or "id", id_key is not None, (*columns.answer, *columns.choices), textless=True
    )
    for batch in source.documents(wanted, bad):
        rows, ids, texts = (batch.column(name).to_pylist() for name in ("row", "id", "text"))
        beside = {name: batch.column(name).to_pylist() for name in (*columns.answer, *columns.choices)}
        for i, (row, known, text) in enumerate(zip(rows, ids, texts, strict=True)):
            choices = [one for name in columns.choices for one in plain_values(beside[name][i])]
            answer = answer_text([one for name in columns.answer for one in plain_values(beside[name][i])])
            name = str(row) if known is None else str(known)
            yield row, name, text or "", "\n".join(choices), answer, answer_letter(answer, choices)

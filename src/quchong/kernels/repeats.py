"""The kernels for passages of a corpus; their twins: `reference.repeats`, `reference.wholeruns`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong

from quchong.kernels import checked
from quchong.kernels.checked import MOST_I32, threads_of
from quchong.kernels.dispatch import AnyTexts, Form, Ragged, ragged_columns, text_columns

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U8, U32, Ints


class Repeats(NamedTuple):
    """Passages that stand in two documents. Arrays of one entry a match, sorted by `doc`, `other`, `start`.

    `other` is an earlier document than `doc`; `start` and `other_start` count tokens of each; `passage` numbers distinct
    token sequences. `documents` and `share` have one entry a passage: how many documents hold it, and which share of them
    it makes up on the average. `bounded` counts the places where not all earlier ones were looked at.
    """

    doc: U32
    other: U32
    start: U32
    other_start: U32
    length: U32
    passage: U32
    documents: U32
    share: F64
    bounded: int


def repeated_passages(
    docs: Ragged,
    shortest: int,
    *,
    partners: int = 64,
    tries: int = 4096,
    compared: int = 200_000_000,
    workers: int | None = None,
) -> Repeats:
    """All maximal equal runs of at least `shortest` tokens between two documents, each document with earlier ones.

    Nothing is missed but what the bounds say. Of the runs of two documents those that lie within another one, as seen in
    the later document, are left out. Runs within one document are not looked for.

    Args:
        partners: of one place of a document so many earlier places that share a passage with it are met, the first ones.
        tries: so many earlier places are looked at for them.
        compared: places looked at in counting the documents of the passages of one place, at least 1,000 for each
            passage; beyond, `documents` is a lower bound.

    Raises:
        ValueError: `shortest` below 2, or a bound below 1.

    Determinism: the same for any number of workers. Cost: O(tokens), and for each place the earlier ones it meets; memory
    about 28 * 2 / (shortest / 2 + 1) bytes a token beside the tokens.
    """
    how = (
        checked.number(shortest, 2, MOST_I32, "shortest"), checked.number(partners, 1, 2**31, "partners"),
        checked.number(tries, 1, 2**31, "tries"), checked.number(compared, 1, 2**62, "compared"),
    )  # fmt: skip
    *columns, bounded = _quchong.repeated_passages(*ragged_columns(docs), *how, threads_of(workers))
    return Repeats._make([*columns, int(bounded)])


class WholeRuns(NamedTuple):
    """What is left of equal runs of letters. Arrays of one entry a run.

    `places` are four numbers a run: start and end in the left text, start and end in the right one, in characters; 0 where
    nothing is left. `length` counts the letters left. `exact` is 1 where the tokens are the same on both sides: letters alone
    make 3.5 of 35.
    """

    places: I64
    length: U32
    exact: U8


def whole_runs(
    form: Form, texts: AnyTexts, left: Ints, right: Ints, start: Ints, other_start: Ints, length: Ints,
    workers: int | None = None,
) -> WholeRuns:  # fmt: skip
    """Equal runs of letters without what is part of a character, word or number at an end, in either text.

    Args:
        form: how text becomes tokens. Letters are those of the same form with `characters`.
        left, right: the two texts of each run.
        start, other_start: its first letter in either.
        length: letters. A word, number or character with 64 of them or more at an end leaves nothing of the run.

    二十三 and 二十一 share the letter 2, which no span of characters is; "online" and "line" share no word.

    Raises:
        ValueError: a run of texts that are not there, or beyond a text's letters.

    Determinism: the same for any number of workers. Cost: every text that has runs is normalised four times; O(tokens) for
    each run; memory 80 bytes a run and 16 a text.
    """
    a, b = checked.pairs(left, right, len(texts), "text")
    named = (("start", start), ("other_start", other_start), ("length", length))
    runs = [checked.u32(column, name, len(a)) for name, column in named]
    places, kept, exact = _quchong.whole_runs(
        form.tables, *text_columns(texts), form.full, a, b, *runs, threads_of(workers)
    )
    return WholeRuns(places.reshape(-1, 4), kept, exact)

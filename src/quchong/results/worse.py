"""Kept documents that are worse than a copy that was removed for them: cut off, shorter, noisier, or of lower quality."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import Param, UsageError
from quchong.languages import Message
from quchong.relation_codes import INSIDE, codes_in
from quchong.results.document_columns import TEXT
from quchong.results.run import Run

SHORTER_SHARE = 0.95
"""A kept document with less than this share of the characters of a removed copy is shorter."""
NOISIER_BY = 0.01
"""A kept document is noisier if the share of its characters that are noise is this much higher."""
NOISE = r"\x{FFFD}|[\x{00}-\x{08}\x{0B}\x{0C}\x{0E}-\x{1F}\x{7F}-\x{9F}]|</?[a-zA-Z][^<>]{0,200}>|&(?:[a-z]{2,8}|#[0-9]{1,6});"
"""Pattern (RE2) of what is no text: characters lost in decoding, control characters, tags and entities of HTML."""
_ENDED = r"[.!?。！？…～~)）\]】」』”\"'’>》]\s*$"
"""Pattern (RE2) of a text that ends as a sentence does."""
_READ_AT_ONCE = 4096
CUT_OFF, SHORTER, NOISIER, LOWER = Message("cut off"), Message("shorter"), Message("noisier"), Message("lower quality")
"""Reasons for which a kept document is worse."""
WORSE = pa.schema([
    ("id", pa.large_string()), ("removed_id", pa.large_string()), ("reason", pa.string()), ("kept_value", pa.float64()),
    ("removed_value", pa.float64()),
])  # fmt: skip
"""Kept documents with a removed copy that is better, in one respect a row.

reason is "cut off" (characters of both: the kept one is shorter and ends within a sentence, the other does not), "shorter" (characters),
"noisier" (shares of the characters that are noise), or "lower quality" (values of the column that was named).
"""


def worse_survivors(run: Run, quality: str | None = None) -> pa.Table:
    """Return the kept documents that are worse than a copy removed for them, as a table WORSE sorted by reason and id.

    Only copies of the whole are compared: a document that was removed because another one contains it is shorter by nature.

    Args:
        run: the run, with its texts.
        quality: a column of numbers in the rows, higher for better documents; None for none.

    Raises:
        UsageError: the rows have no such column, or it has no numbers.
        QuchongError: as `Run.columns`.

    Cost: reading both texts of every removal once.
    """
    ledger = run.table("ledger")
    whole = (INSIDE[codes_in(ledger["relation"])] == 0) & ~np.asarray(ledger["survivor_id"].is_null())
    ledger = ledger.filter(pa.array(whole)).select(["id", "survivor_id"])
    names = (run.keys[1],) if quality is None else (run.keys[1], quality)
    found, has_quality = [WORSE.empty_table()], False
    for start in range(0, len(ledger), _READ_AT_ONCE):
        some = ledger.slice(start, _READ_AT_ONCE)
        sides = [run.ids.places(some[name]) for name in ("survivor_id", "id")]
        docs, at = np.unique(np.concatenate(sides), return_inverse=True)
        columns = run.columns(docs, names)
        if quality is not None:
            has_quality |= columns[quality].null_count < len(columns)
        kept, removed = at[: len(some)], at[len(some) :]
        ids = [some[name].cast(pa.large_string()) for name in ("survivor_id", "id")]
        for reason, worse, values in _respects(columns, kept, removed, quality):
            rows = np.flatnonzero(worse)
            take = pa.array(rows)
            found.append(
                pa.table(
                    [
                        ids[0].take(take),
                        ids[1].take(take),
                        pa.array([str.__str__(reason)] * len(rows)),
                        values[kept[rows]],
                        values[removed[rows]],
                    ],
                    schema=WORSE,
                )
            )
    if quality is not None and len(ledger) and not has_quality:
        raise UsageError(
            "{}: no row has a value in this column: check the name of the column", Param("quality", quality)
        )
    return pa.concat_tables(found).sort_by([("reason", "ascending"), ("id", "ascending"), ("removed_id", "ascending")])


def _respects(
    columns: pa.Table, kept: np.ndarray, removed: np.ndarray, quality: str | None
) -> list[tuple[Message, np.ndarray, np.ndarray]]:
    """Return for each reason its message, a mask of the removals to which it applies, and the compared value of each document."""
    texts = columns[TEXT].combine_chunks()
    known = np.asarray(texts.is_valid())
    both = known[kept] & known[removed]
    size = np.asarray(pc.fill_null(pc.utf8_length(texts), 0)).astype(float)
    ended = np.asarray(pc.fill_null(pc.match_substring_regex(texts, _ENDED), False))
    noise = np.asarray(pc.fill_null(pc.count_substring_regex(texts, NOISE), 0)).astype(float) / np.maximum(size, 1)
    shorter = both & (size[kept] < SHORTER_SHARE * size[removed])
    cut_off = both & (size[kept] < size[removed]) & ~ended[kept] & ended[removed]
    out = [
        (CUT_OFF, cut_off, size),
        (SHORTER, shorter & ~cut_off, size),
        (NOISIER, both & (noise[kept] > noise[removed] + NOISIER_BY), noise),
    ]
    if quality is not None:
        try:
            value = np.asarray(pc.cast(columns[quality], pa.float64()).to_numpy(), float)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise UsageError(
                "{}: the column has values that are not numbers; name a column of numbers, or leave out {}",
                Param("quality", quality),
                Param("quality"),
            ) from error
        out.append((LOWER, value[kept] < value[removed], value))
    return out

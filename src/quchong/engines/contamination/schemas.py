"""Schemas of the tables of a search for test items: matches, items, and documents that contain an item."""

from __future__ import annotations

import pyarrow as pa

QUESTION, ANSWER = "question", "answer"
"""Parts of an item."""
BOTH, VARIANT = "both", "variant"
"""Further findings for an item in a document: both parts; the question with other numbers, which is another question."""
JUDGED, EMPTY, SHORT, FRAME_ONLY = "", "empty", "short", "frame"
"""Reasons for which a part is not judged: no text, too few tokens, hardly any words that are not shared by many items; or none."""
EXACT, NEAR = "exact", "near"

MATCHES = pa.schema(
    [
        pa.field("set", pa.string(), nullable=False),  # name of the test set
        pa.field("item", pa.large_string(), nullable=False),  # id of the item in it
        pa.field("part", pa.string(), nullable=False),  # QUESTION or ANSWER
        pa.field("source", pa.string(), nullable=False),  # of the document
        pa.field("row", pa.int64(), nullable=False),
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("share", pa.float64(), nullable=False),  # of the part, as the rule counts it
        pa.field("kind", pa.string(), nullable=False),  # EXACT, NEAR, or VARIANT
        pa.field(
            "found", pa.string(), nullable=False
        ),  # of the item in this document: QUESTION, ANSWER, BOTH or VARIANT
        pa.field("start", pa.int64(), nullable=False),  # in characters of the document as it is
        pa.field("end", pa.int64(), nullable=False),
        pa.field("item_start", pa.int64(), nullable=False),  # in characters of the part as it is
        pa.field("item_end", pa.int64(), nullable=False),
        pa.field("text", pa.large_string(), nullable=False),  # of the document, from start to end
    ]
)
"""One row for each passage of an item in a document, sorted by set, item, part, source, row and start."""

ITEMS = pa.schema(
    [
        pa.field("set", pa.string(), nullable=False),
        pa.field("item", pa.large_string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),  # in the file of the set
        pa.field("question", pa.large_string(), nullable=False),  # text that was looked for
        pa.field("answer", pa.large_string(), nullable=False),
        pa.field("question_tokens", pa.int64(), nullable=False),
        pa.field("answer_tokens", pa.int64(), nullable=False),
        pa.field("question_unjudged", pa.string(), nullable=False),  # JUDGED, EMPTY, SHORT or FRAME_ONLY
        pa.field("answer_unjudged", pa.string(), nullable=False),
        pa.field("with_choices", pa.bool_(), nullable=False),  # the choices belong to the question that was looked for
        pa.field("documents", pa.int64(), nullable=False),  # with the question, alone or with the answer
        pa.field("both", pa.int64(), nullable=False),  # with both
        pa.field("answers", pa.int64(), nullable=False),  # with the answer alone
        pa.field("variants", pa.int64(), nullable=False),  # with the question and other numbers
        pa.field("best_share", pa.float64(), nullable=False),  # of the question, in one document
        pa.field("corpus_share", pa.float64(), nullable=False),  # of its n-grams found anywhere, by 64-bit hash
    ]
)
"""One row for each item, in the order of the test sets."""

DOCUMENTS = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("place", pa.int64(), nullable=False),  # among the readable rows of the source, from 0
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("found", pa.string(), nullable=False),  # the most of all items: BOTH, QUESTION, ANSWER, VARIANT
        pa.field("items", pa.int64(), nullable=False),  # items whose question is in it
        pa.field("share", pa.float64(), nullable=False),  # the greatest of a question
        pa.field("removed", pa.bool_(), nullable=False),
        pa.field("cut", pa.int64(), nullable=False),  # characters cut out
    ]
)
"""One row for each document with a match, in input order."""

"""The Arrow schemas of all tables, and counts of their rows.

Text positions are counted in characters (Unicode code points) of the original text, half open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.relation_codes import CONFLICTS, codes_in

DOCUMENTS = pa.schema(
    [
        pa.field("row", pa.int64(), nullable=False),  # index of the record in its source, bad records counted
        pa.field("id", pa.large_string()),  # null where the input has none
        pa.field("text", pa.large_string(), nullable=False),
    ]
)
"""What a source yields; columns asked for by policies and scope follow, with their own types."""

DIFFERENCES = (
    "figure", "date", "person", "place", "organisation", "code", "negation", "opposite", "modality", "field", "symbol",
    "term", "title words", "wording", "noise", "boilerplate",
)  # fmt: skip
"""Kinds of what two texts differ in."""
FACTS = DIFFERENCES[: DIFFERENCES.index("title words")]
"""The kinds that can conflict: both texts say something, and not the same."""
TERM = 1 << FACTS.index("term")
"""Bit of FACTS that says that a content word stands in the place of another one; it decides only where it is asked for."""
FIELD = 1 << FACTS.index("field")
"""Bit of FACTS that says that two records on one template have other things in a slot; no examination of two texts finds it."""
SAME_FIELDS = 1 << 14
"""Bit beside those of FACTS in a mask of a pair: the texts fill all slots of one template alike, and have slips elsewhere."""
SAME_PAYLOAD = 1 << 15
"""Bit beside those of FACTS in a mask of a pair: the texts are records on two templates that say the same in their slots."""
BY_TEMPLATES = FIELD | SAME_FIELDS | SAME_PAYLOAD
"""Bits of a mask of a pair that templates of the corpus set, and no examination of the two texts."""

DIFFERENCE = pa.struct(
    [
        pa.field("kind", pa.string(), nullable=False),  # one of DIFFERENCES
        pa.field("conflict", pa.bool_(), nullable=False),  # both texts state a fact there, and not the same one
        pa.field(
            "left", pa.large_string(), nullable=False
        ),  # what stands there, the first 200 tokens; empty where nothing does
        pa.field("right", pa.large_string(), nullable=False),
        pa.field("left_start", pa.int64(), nullable=False),
        pa.field("left_end", pa.int64(), nullable=False),
        pa.field("right_start", pa.int64(), nullable=False),
        pa.field("right_end", pa.int64(), nullable=False),
    ]
)

PAIRS = pa.schema(
    [
        pa.field("left_id", pa.large_string(), nullable=False),
        pa.field("right_id", pa.large_string(), nullable=False),
        pa.field("relation", pa.string(), nullable=False),  # of left to right
        pa.field("jaccard", pa.float64(), nullable=False),
        pa.field("containment_left", pa.float64(), nullable=False),  # share of left found in right
        pa.field("containment_right", pa.float64(), nullable=False),  # share of right found in left
        pa.field("ngram_size", pa.uint8(), nullable=False),  # shingle width the pair was compared at; 0 for exact
        pa.field("tokens_left", pa.uint32(), nullable=False),
        pa.field("tokens_right", pa.uint32(), nullable=False),
        pa.field("han", pa.bool_(), nullable=False),  # both texts mostly of one-character tokens
        pa.field("shared_numbers", pa.uint32(), nullable=False),  # number slots found in both
        pa.field("conflicting_numbers", pa.uint32(), nullable=False),  # of these, with another number in them
        pa.field("number_overlap", pa.float64(), nullable=False),  # shared numbers / fewer numbers; 1 with none
        # a replacement occurs twice, other places are named, or (short-text, below 60 tokens) a word stands for another
        # null: not looked at, for no preset and not the thresholds of the run could call the pair a copy
        pa.field("name_swap", pa.bool_()),
        pa.field(
            "edits_only_added", pa.bool_(), nullable=False
        ),  # short pair differing by few pure insertions, none a number
        pa.field("rule", pa.string(), nullable=False),
        pa.field(
            "evidence", pa.float64()
        ),  # what a paper's own rule looked at (two-stage: bits that differ); else null
        pa.field("features_left", pa.float64()),  # size of what `evidence` compares, where it compares feature sets
        pa.field("features_right", pa.float64()),
        # fewer features / more, where the method's rule looks at that beside `evidence` (CLR of ccdet)
        pa.field("size_ratio", pa.float64()),
        pa.field("covered_left", pa.float64()),  # share of left in what the method found common, in its own units
        pa.field("covered_right", pa.float64()),
        # kinds of facts in conflict, in the order of FACTS; null, as what follows, of pairs whose relation is `unexamined`
        pa.field("facts", pa.list_(pa.string())),
        pa.field("aligned_left", pa.float64()),  # share of left's tokens that stand in right in the same order
        pa.field("aligned_right", pa.float64()),  # null, as what follows, where the method does not look at differences
        pa.field("unexplained", pa.uint32()),  # content tokens that differ and are neither noise nor boilerplate
        # null too: of pairs of further exact copies, and of those far from being called copies, whose differences nobody told
        pa.field("differences", pa.list_(DIFFERENCE)),
        pa.field(
            "supersedes", pa.string()
        ),  # which of two variants is newer, left or right; null where times do not tell
        # share of what is left of left without headers that many documents share, found in right; null where they are not most of left
        pa.field("rest_left", pa.float64()),
        pa.field("rest_right", pa.float64()),
    ]
)
"""Every verified pair at or above the floor, left_id < right_id, sorted by both."""

PASSAGE = pa.struct(
    [
        pa.field("start", pa.int64(), nullable=False),
        pa.field("end", pa.int64(), nullable=False),
        pa.field("survivor_start", pa.int64(), nullable=False),
        pa.field("survivor_end", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),  # exact: equal in normal form from end to end; else near
    ]
)

LEDGER_DIFFERENCE = pa.struct(
    [
        f.with_name(name)
        for f, name in zip(
            DIFFERENCE,
            ("kind", "conflict", "text", "survivor_text", "start", "end", "survivor_start", "survivor_end"),
            strict=True,
        )
    ]
)
"""A DIFFERENCE seen from the document that went."""

CHANGE = pa.struct([f.with_name(f.name.replace("survivor_", "source_")) for f in LEDGER_DIFFERENCE])
"""A DIFFERENCE seen from a copy, beside its source."""

LEDGER = pa.schema(
    [
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("survivor_id", pa.large_string()),  # null, as all figures, where a filter removed it unconfirmed
        pa.field("relation", pa.string(), nullable=False),  # of id to survivor_id
        pa.field("jaccard", pa.float64()),
        pa.field("containment", pa.float64()),  # share of id found in the survivor
        pa.field("survivor_containment", pa.float64()),
        pa.field("passages", pa.list_(PASSAGE), nullable=False),
        pa.field("rule", pa.string(), nullable=False),
        pa.field("threshold", pa.float64()),
        pa.field(
            "evidence", pa.float64()
        ),  # as in PAIRS; what `threshold` was compared with where a paper's rule decided
        pa.field("method", pa.string(), nullable=False),
        pa.field("config_hash", pa.string(), nullable=False),
        pa.field("facts", pa.list_(pa.string()), nullable=False),  # as in PAIRS
        pa.field("differences", pa.list_(LEDGER_DIFFERENCE), nullable=False),  # of exact copies, and unlooked at: none
        pa.field("supersedes", pa.bool_()),  # a variant newer than its survivor; null where times do not tell, and else
    ]
)
"""One row per removed document, sorted by id. A filter of stage 1 without --confirm removes a text that it wrongly calls
seen as `exact` without a survivor; `rule` then says unconfirmed."""

PASSAGES = pa.schema(
    [
        pa.field("passage", pa.int64(), nullable=False),  # equal for passages with equal normal forms
        pa.field("left_id", pa.large_string(), nullable=False),  # comes before right by policy: a cut leaves it alone
        pa.field("left_start", pa.int64(), nullable=False),
        pa.field("left_end", pa.int64(), nullable=False),
        pa.field("right_id", pa.large_string(), nullable=False),
        pa.field("right_start", pa.int64(), nullable=False),
        pa.field("right_end", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("characters", pa.int64(), nullable=False),  # letters and digits of the passage in normal form
        pa.field("documents", pa.int64(), nullable=False),  # documents the passage stands in
        pa.field("share", pa.float64(), nullable=False),  # of these documents' letters and digits, on the average
        pa.field("boilerplate", pa.bool_(), nullable=False),
    ]
)
"""Every passage that stands in two documents of a corpus, sorted by right id and start, then left."""

UNITS = pa.schema(
    [
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("unit", pa.int64(), nullable=False),  # number of the line or paragraph in its document, from 1
        pa.field("start", pa.int64(), nullable=False),  # characters of the original text
        pa.field("end", pa.int64(), nullable=False),
        pa.field("words", pa.int64(), nullable=False),  # words and Chinese characters
        pa.field(
            "copies", pa.int64()
        ),  # in the corpus; null for a unit that is removed with its document and was not compared
        pa.field("documents", pa.int64()),  # that have the unit
        pa.field("reason", pa.string(), nullable=False),
        pa.field("cut", pa.bool_(), nullable=False),
        pa.field("kept_id", pa.large_string()),  # document that keeps the unit; null if none does
        pa.field("kept_unit", pa.int64()),  # number of the unit there
    ]
)
"""Every line or paragraph that a run by units cuts, and those that a document repeats and keeps, sorted by id and number."""

UNIT_DOCUMENTS = pa.schema(
    [
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("units", pa.int64(), nullable=False),
        pa.field("words", pa.int64(), nullable=False),
        pa.field("cut_units", pa.int64(), nullable=False),
        pa.field("cut_words", pa.int64(), nullable=False),
        pa.field("removed", pa.bool_(), nullable=False),  # whole, because too little was left
    ]
)
"""What each document of a run by units lost, in input order."""

CLUSTERS = pa.schema(
    [
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("cluster_id", pa.large_string(), nullable=False),  # the survivor's id
        # that of the cluster; its own where a document is kept beside that survivor as one of the best (TOP)
        pa.field("survivor_id", pa.large_string(), nullable=False),
    ]
)
"""Members of clusters of two or more, survivors included, sorted by id. A cluster is a survivor and those
verified against it."""

TEMPLATE_SLOT = pa.struct(
    [
        pa.field("start", pa.int64(), nullable=False),  # in characters of the template's text
        pa.field("end", pa.int64(), nullable=False),
        pa.field("different", pa.int64(), nullable=False),  # different fillers
        pa.field(
            "fillers",
            pa.list_(
                pa.struct(
                    [
                        pa.field("text", pa.large_string(), nullable=False),
                        pa.field("records", pa.int64(), nullable=False),
                    ]
                )
            ),
            nullable=False,
        ),  # the most frequent ones
    ]
)
TEMPLATES = pa.schema(
    [
        pa.field("template", pa.int64(), nullable=False),  # 1 is that of most records
        pa.field("records", pa.int64(), nullable=False),  # documents on it, exact copies counted
        pa.field("model_id", pa.large_string(), nullable=False),  # the document whose text follows
        pa.field("text", pa.large_string(), nullable=False),  # as prepared for comparison
        pa.field("slots", pa.list_(TEMPLATE_SLOT), nullable=False),  # places that records fill otherwise, in order
    ]
)
"""Templates of a run: records that share a frame and fill its slots otherwise; of most records first."""

ROLES = ("first", "copy", "uses", "roundup", "digest", "series")
"""What a document is in a chain: nobody's copy there; made of one source; a text of its own, of which less than half is in the source that
it uses; contains several articles; takes pieces of several; one issue of a series, whose issues share a template and are no copies of each
other."""

BASES = ("time", "changes", "equal", "text")
"""What names a source: it alone was there before; of several, the fewest changes; several have the same text; no times tell."""

CERTAINTIES = ("only", "likely", "undecided")
"""How a source is named: it is the only earlier document of the run and texts and facts agree; it is likely; others are as likely."""

CHAINS = pa.schema(
    [
        pa.field("chain_id", pa.large_string(), nullable=False),  # the id of its first document
        pa.field("position", pa.int32(), nullable=False),  # 1 is the first
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("role", pa.string(), nullable=False),  # one of ROLES
        # with the zone of the times, or without one where the input names none; null where no time can be read
        pa.field("published", pa.timestamp("us")),
        pa.field("publisher", pa.large_string()),  # the column of the source, as text
        pa.field("title", pa.large_string()),
        pa.field("link", pa.large_string()),  # the address of the document, where the input has a column of links
        pa.field(
            "source_id", pa.large_string()
        ),  # the likeliest source; null, as all of it, where there is none in the chain
        pa.field("relation", pa.string()),  # of id to source_id
        pa.field("basis", pa.string(), nullable=False),  # one of BASES
        pa.field("choices", pa.int32(), nullable=False),  # documents it may have been made from
        pa.field("certainty", pa.string()),  # one of CERTAINTIES; null without a source
        # share of this explanation among those that the run allows; it knows no source outside of the run
        pa.field("confidence", pa.float64(), nullable=False),
        pa.field("runner_up_id", pa.large_string()),  # the next likely source
        pa.field("runner_up_confidence", pa.float64()),
        pa.field("shared", pa.float64()),  # share of it found in its source
        pa.field("source_shared", pa.float64()),
        pa.field("facts", pa.list_(pa.string()), nullable=False),  # kinds of facts in conflict, in the order of FACTS
        pa.field("changes", pa.list_(CHANGE), nullable=False),
        pa.field("changed", pa.large_string()),  # the changes in words; null without a source
        pa.field("changed_zh", pa.large_string()),
        pa.field("parts", pa.list_(pa.large_string()), nullable=False),  # what a roundup or digest was made of, as text
    ]
)
"""One row for each document of a chain, and one for a roundup or digest in the chain of every article it was made of; sorted by
the time of the chain's first document, then by position. The issues of a series are a chain of their own with the role `series`."""

REFERENCE_PREFIX = "against/"
"""Prefix of the ids of the reference corpus, so that both corpora may use the same ids."""

IDS = (
    "id", "survivor_id", "cluster_id", "left_id", "right_id", "chain_id", "source_id", "runner_up_id", "model_id",
)  # fmt: skip
"""Columns of ids: text as the schemas have it, int64 where all ids of the run came as whole numbers. Their order is that of
the text for both, 10 before 9, so that a result does not depend on the type."""


def table_of(columns: Mapping[str, Any], schema: pa.Schema) -> pa.Table:
    """Return a table of columns, ordered and typed by a schema; columns of ids and times of publication keep their own type."""
    fields = [f.with_type(columns[f.name].type) if f.name in (*IDS, "published") else f for f in schema]
    return pa.table([columns[f.name].cast(f.type) for f in fields], schema=pa.schema(fields))


def one_array(column: pa.ChunkedArray) -> pa.Array:
    """Return a column as one array, without a copy if it has one chunk."""
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def as_id(given: str | int, column: pa.DataType) -> str | int | None:
    """Return an id in the type of a column of ids: 5 and "5" name the same document. None if the column cannot hold it."""
    if not pa.types.is_integer(column):
        return str(given)
    text = str(given).strip()
    number = int(text) if re.fullmatch(r"-?[0-9]{1,19}", text) else 1 << 63
    return number if -(1 << 63) <= number < 1 << 63 else None


def by_relation(ledger: pa.Table) -> dict[str, int]:
    """Return the number of removed documents by relation, the most frequent first, ties by name."""
    rows = pc.value_counts(ledger["relation"]).to_pylist() if len(ledger) else []
    rows.sort(key=lambda row: (-row["counts"], row["values"]))
    return {row["values"]: row["counts"] for row in rows}


OVERRULED, FIRST, RESTORED, OVERTURNED = "overruled", "first", "restored", "overturned"
ORIGINAL, ROUNDUP, TOP = "original", "roundup", "top"
"""Why a document's fate is not what its pairs say (FATES, policy): removed though the policy prefers it to its survivor, in
which it is contained; kept though contained in a later document, as `earliest` protects who published first; removed by the
run, and put back by a person; kept because a person overturned its removal in an earlier run; contained in a roundup or
forward, for which it is kept, or removed if the user asks so; a roundup, which is kept beside its originals, or removed for them if
the user asks so; or kept beside its survivor as one of the N best of a cluster, if the user asks for several (TOP). ROUNDUP is also the
rule of such a removal in LEDGER."""


SHARED_HEADER = "shared header"
"""Rule of a pair that would be a copy but for a header that many documents share: what is left of one text is not in the other."""

SMALL_SHARE = "small share"
"""Rule of copies that the rule of a paper accepts, although less than a quarter of the text is found in the other one."""

HEADED = {"left_id": "rest_left", "right_id": "rest_right"}
"""Column with what is left of each document of a pair, by the column of its id."""


class VariantCounts:
    """Counts of variants, and of documents kept for a shared header, added up over the parts of PAIRS."""

    def __init__(self) -> None:
        self._pairs, self._kept = 0, dict.fromkeys(FACTS, 0)
        self._headed: list[pa.Array] = []

    def add(self, pairs: pa.Table, kept: np.ndarray) -> None:
        """Count the variants of which both documents are kept in a part of PAIRS; `kept` is a mask of the pairs of kept documents."""
        stay = pairs.select(["facts"]).filter(pa.array(CONFLICTS[codes_in(pairs["relation"])] & kept))
        self._pairs += len(stay)
        for kind, count in _by_fact(stay).items():
            self._kept[kind] += count
        shared = pairs.select([*HEADED, *HEADED.values()]).filter(
            pc.and_(pc.equal(pairs["rule"], SHARED_HEADER), pa.array(kept))
        )
        for name, rest in HEADED.items():
            if len(shared):
                self._headed.append(pc.unique(shared[name].filter(pc.is_valid(shared[rest])).cast(pa.large_string())))

    @property
    def shared_headers(self) -> int:
        """Number of kept documents that mostly are a header, and that without this rule would be copies of a kept document."""
        return len(pc.unique(pa.concat_arrays(self._headed))) if self._headed else 0

    def counts(self, ledger: pa.Table) -> dict[str, Any]:
        """Return counts of run.json, given the LEDGER of the run.

        They are `variants`, `shared_headers`, `other_terms`, `small_shares` and `roundups_removed`.
        """
        return {
            "variants": self.describe(ledger),
            "shared_headers": self.shared_headers,
            "other_terms": other_terms(ledger),
            "small_shares": pc.sum(pc.equal(ledger["rule"], SMALL_SHARE)).as_py() or 0,
            "roundups_removed": pc.sum(pc.equal(ledger["rule"], ROUNDUP)).as_py() or 0,
        }

    def describe(self, ledger: pa.Table) -> dict[str, Any]:
        """Return the number of variant pairs that are both kept, and how many of them conflict in each kind of fact.

        Also returns how many documents removed as variants conflict in each kind of fact, given the LEDGER of the run.
        """
        removed = _by_fact(ledger.filter(_conflicting(ledger)))
        return {
            "kept_pairs": self._pairs,
            "kept_by_fact": _frequent(self._kept),
            "removed_by_fact": _frequent(removed),
        }


def variants(ledger: pa.Table, pairs: pa.Table) -> dict[str, Any]:
    """Return the counts of variants of a run (`VariantCounts.describe`), given its LEDGER and PAIRS."""
    return counts_of_pairs(ledger, pairs)["variants"]  # type: ignore[no-any-return]


def counts_of_pairs(ledger: pa.Table, pairs: pa.Table) -> dict[str, Any]:
    """Return the counts of `VariantCounts.counts`, given the LEDGER and PAIRS of a run."""
    counts, gone = VariantCounts(), ledger["id"].cast(pa.large_string())
    left, right = (pc.is_in(pairs[side].cast(pa.large_string()), gone).to_numpy() for side in ("left_id", "right_id"))
    counts.add(pairs, ~(left | right))
    return counts.counts(ledger)


def other_terms(ledger: pa.Table) -> int:
    """Return the number of documents removed as copies although a content word differs from the survivor's."""
    copies = ledger.filter(pc.invert(_conflicting(ledger)))
    return _by_fact(copies.select(["facts"])).get("term", 0)


def _conflicting(table: pa.Table) -> pa.Array:
    return pa.array(CONFLICTS[codes_in(table["relation"])])


def _by_fact(table: pa.Table) -> dict[str, int]:
    rows = pc.value_counts(pc.list_flatten(table["facts"])).to_pylist() if len(table) else []
    return {row["values"]: row["counts"] for row in rows}


def _frequent(known: Mapping[str, int]) -> dict[str, int]:
    """Return the counts above 0 by kind of fact, the most frequent first, then in the order of FACTS."""
    return dict(sorted(((kind, known[kind]) for kind in FACTS if known.get(kind)), key=lambda found: -found[1]))


FATES = pa.schema(
    [
        pa.field("id", pa.large_string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("tokens", pa.uint32(), nullable=False),
        pa.field("priority", pa.int64(), nullable=False),  # 0 is the best by policy
        pa.field("reference", pa.bool_(), nullable=False),  # of the corpus compared against; never removed
        pa.field("protected", pa.bool_(), nullable=False),
        pa.field("unscored", pa.bool_(), nullable=False),  # too little text to be compared beyond equality
        pa.field("removed", pa.bool_(), nullable=False),
        pa.field(
            "policy", pa.string(), nullable=False
        ),  # OVERRULED, FIRST, RESTORED, OVERTURNED, ORIGINAL, ROUNDUP, TOP, or empty
    ]
)
"""Columns of `documents.parquet`: one row for each document in input order. With PAIRS, a run can be decided again."""

PART = "part"
"""Where kept and removed rows are folders of parts, a further column of FATES: the number of the part a document's row is in."""

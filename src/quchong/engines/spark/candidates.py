"""Joins of equal keys into candidate pairs, as DataFrames, with the cap and the count filter of the local engine.

Two sets that must share a large part of the smaller set are joined by its rarest values only, other sets by all values. Every
document of a key is paired with the first `cap` documents of that key only. The list of these is cut in two steps: salted parts
of it first, then what they keep. A key with more than `skew.HOT` documents is spread over parts, each with a copy of its cut list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from quchong.engines.spark import skew
from quchong.engines.spark.documents import ID, REFERENCE, SCOPE
from quchong.engines.spark.marks import is_reference
from quchong.engines.spark.skew import joined_to, parts_of
from quchong.engines.spark.stages import Stages
from quchong.seam import CROWD, JoinLimits

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

SALTS = 16
KEY = "key"

Notes = tuple[tuple[str, dict[str, int]], ...]

Cut = Callable[["DataFrame", int], "DataFrame"]
"""Function that keeps the first rows (scope, key, id) of each key, up to a number, in an order of its own."""

Bound = Callable[["DataFrame", int], "DataFrame"]
"""Function that selects from pairs (left, right, shared), so that no document keeps more than a number of earlier partners.

It adds `later`, the document whose bound the pair counts for, and `met`, the number of partners before the bound
(possibly 0 if none was dropped).
"""


@dataclass(frozen=True, slots=True)
class JoinResult:
    """Result of a join: the candidate pairs, the keys with their numbers of documents, and messages about what was left out.

    Attributes:
        pairs: `left` and `right` (ids of first documents, left before right) and `shared`; with a limit `most` also `later` and
            `met`, see `Bound`.
        lists: keys of two documents or more, with the number of their `documents`.
        bounded: messages about what the join left out (`quchong.seam.Meetings.bounded`).
    """

    pairs: DataFrame
    lists: DataFrame
    bounded: Notes = ()


def by_id(rows: DataFrame, cap: int, references: bool = False) -> DataFrame:
    """Keep the first `cap` documents of each key in order of ids; with `references`, `cap` references and `cap` others."""
    salted = rows.withColumn("salt", F.pmod(F.xxhash64(ID), F.lit(SALTS)))
    side: list[Column | str] = [is_reference(ID)] if references else []
    for key in ([SCOPE, KEY, "salt"], [SCOPE, KEY]):
        place = F.row_number().over(Window.partitionBy(*key, *side).orderBy(ID))
        salted = salted.withColumn("place", place).filter(F.col("place") <= cap).drop("place")
    return salted.drop("salt")


def first_by_id(
    pairs: DataFrame,
    most: int,
    limits: JoinLimits | None = None,
    crowd: DataFrame | None = None,
    references: bool = False,
) -> DataFrame:
    """Keep at most `most` partners with lesser ids for each document: half the first by id, half those with most common keys.

    Args:
        limits, crowd: a document of `crowd` (id) with more than `limits.enough` partners keeps only `limits.few`, and its pairs
            have `crowded` True; None for no crowd.
    """
    # `right` has the greater id of a pair, so its partners are all the earlier ones: the bound counts for it.
    key: list[Column | str] = ["right"]
    if references:
        key.append(is_reference("left"))
    mine = Window.partitionBy(*key)
    placed = pairs.withColumn("later", F.col("right")).withColumn("met", F.count(F.lit(1)).over(mine))
    if limits is None or crowd is None:
        placed = placed.withColumn("crowded", F.lit(False))
    else:
        flagged = crowd.select(F.col(ID).alias("right"), F.lit(True).alias("crowded"))
        inside = F.coalesce("crowded", F.lit(False)) & (F.col("met") > limits.enough)
        placed = placed.join(flagged, "right", "left").withColumn("crowded", inside)
    kept = F.when(F.col("crowded"), F.lit(limits.few if limits else most)).otherwise(F.lit(most))
    # The first half by id, then of the others those that share most, as `quchong.candidates.nearest` chooses.
    first = F.floor((kept + 1) / 2)
    placed = placed.withColumn("place", F.row_number().over(mine.orderBy("left")))
    beyond = Window.partitionBy(*key, F.col("place") > first).orderBy(F.col("shared").desc(), "left")
    nearest = F.row_number().over(beyond)
    some = (F.col("place") <= first) | (F.col("nearest") <= kept - first)
    return placed.withColumn("nearest", nearest).filter(some).drop("place", "nearest")


def join_candidates(
    heads: DataFrame, limits: JoinLimits, stages: Stages, cut: Cut = by_id, within_lists: bool = True,
    bound: Bound | None = None,
) -> JoinResult:  # fmt: skip
    """Return the candidate pairs of documents with enough keys in common, as `quchong.kernels.join` finds them.

    Args:
        heads: id, scope, keys (each once), size, window; in a run with references REFERENCE. Two references are never paired.
        limits: keys in common, and the share of those expected of the smaller one.
        stages: stores the lengths of lists and the pairs.
        cut: selects the documents that are compared in a list longer than the cap.
        within_lists: lists are made within a scope, so that the cap counts a scope's documents; else over all documents, as
            `meet_sets` does, and pairs of two scopes are left out.
        bound: selects the pairs of a document with too many, if `limits` has a `most`; None for `first_by_id`.

    Where lists are cut and `limits` has neither a share nor a bound, a pair is counted as if it shared all keys that were cut:
    pairs a little below `limits` may be returned.
    """
    cap, references = limits.cap, REFERENCE in heads.columns
    scope = F.col(SCOPE) if within_lists else F.lit("")
    if references and cut is by_id:
        cut = partial(by_id, references=True)
    rows = heads.select(scope.alias(SCOPE), F.explode("keys").alias(KEY), ID)
    key = [SCOPE, KEY]
    # Lengths of lists first: everything below depends on which keys are long, and a key of one document makes no pair.
    lists = rows.groupBy(*key).agg(F.count(F.lit(1)).alias("documents")).filter("documents > 1")
    lists = stages(lists, "lists")
    long = lists.filter(F.col("documents") > min(cap, skew.HOT))
    with stages.stage("long lists"):
        longest = lists.agg(F.max("documents")).collect()[0][0] or 0
    some_long = longest > min(cap, skew.HOT)
    # A share of the smaller set is asked for: rare values suffice to find every pair, and long lists are read last,
    # only for the sets that need them.
    if limits.share > 0 and not within_lists:
        pairs = _by_prefixes(
            heads,
            lists,
            limits,
            stages,
            partial(_long_lists, rows, long, key, cut, cap, stages, references) if some_long else None,
        )
        return JoinResult(stages(_bounded(pairs, limits, bound), "candidates"), lists)
    # Otherwise every common key counts: short lists give all pairs, long ones only those with their first documents.
    met = _whole_lists(rows, long if some_long else None, key, references)
    if some_long:
        met = met.unionByName(_long_lists(rows, long, key, cut, cap, stages, references))
    shared = met.groupBy("left", "right").agg(F.count(F.lit(1)).alias("shared"))
    # Cut lists hide shared keys. They are counted exactly where a bound compares the counts, else added as if all were
    # shared.
    if longest > cap and not within_lists:
        if limits.most:  # all counts are exact: the nearest are chosen by them
            shared = _common(_join_columns(shared.select("left", "right"), heads.select(ID, "keys")))
        else:
            beyond = long.filter(F.col("documents") > cap)
            shared = _granted(shared, rows.join(beyond.select(*key), key, "left_semi"))
    shared = shared.filter(F.col("shared") >= limits.min_shared)
    if limits.share > 0 or not within_lists:
        shared = _expected(shared, heads, limits.share)
    shared = shared.select("left", "right", "shared")
    # Documents of a very long list (a crowd) keep fewer partners; they are known only here, by the lengths of lists.
    if bound is None:
        large = lists.filter(F.col("documents") > CROWD)
        crowd = rows.join(large.select(*key), key, "left_semi").select(ID).distinct() if longest > CROWD else None
        bound = partial(first_by_id, limits=limits, crowd=crowd, references=references)
    return JoinResult(stages(_bounded(shared, limits, bound), "candidates"), lists)


def notes_of(pairs: DataFrame, limits: JoinLimits) -> Notes:
    """Return the messages about documents that kept only part of their partners."""
    many, crowded = pairs.filter(F.col("met") > limits.most), 0
    if "crowded" in pairs.columns:
        crowded = pairs.filter("crowded").select("later").distinct().count()
        many = many.filter(~F.col("crowded"))
    return limits.notes(many.select("later").distinct().count(), crowded)


def _bounded(pairs: DataFrame, limits: JoinLimits, bound: Bound | None) -> DataFrame:
    return (bound or first_by_id)(pairs, limits.most) if limits.most else pairs


def _common(pairs: DataFrame) -> DataFrame:
    """Return the pairs with the column `shared`: the exact number of keys that both documents have."""
    return pairs.withColumn("shared", F.size(F.array_intersect("keys_left", "keys_right")).cast("bigint"))


def _by_prefixes(
    heads: DataFrame, lists: DataFrame, limits: JoinLimits, stages: Stages, met_in_long: Callable[[DataFrame], DataFrame] | None
) -> DataFrame:  # fmt: skip
    """Return pairs (left, right, shared) that share enough of the smaller set, found by their rarest keys (前缀过滤).

    The smaller set shares at least `need` values with a partner, so it shares one of any size - need + 1 of its values. The join
    takes the rarest ones, a prefix in the order of document frequency, and compares only these with all values of other sets.
    The pairs found are counted exactly. Without prefixes the frequent values decide the cost of a join, because the pairs of a
    list grow with the square of its length.

    Args:
        met_in_long: function from ids to the pairs in long lists that contain one of the ids; None if there are no long lists.
            Their values come last in a prefix, so two sets that share only such values are found there or not at all.
    """
    # Rows (set, value), without values that only one set has: these make no pair.
    postings = heads.select(ID, F.size("keys").alias("size"), F.explode("keys").alias(KEY))
    postings = stages(postings.join(lists.select(KEY, "documents"), KEY), "postings")
    # Values of each set, the rarest first (ties by value): the order must be one for all sets, or a common value could
    # be outside both prefixes.
    of = postings.groupBy(ID).agg(
        F.first("size").alias("size"), F.sort_array(F.collect_list(F.struct("documents", KEY))).alias("of")
    )
    length = F.size("of") - _need(limits, F.col("size")) + F.lit(1)
    prefix = of.withColumn("length", length).filter("length > 0")
    prefix = prefix.select(
        F.col(ID).alias("a"),
        F.col("size").alias("a_size"),
        F.explode(F.slice("of", F.lit(1), F.col("length"))).alias("one"),
    )
    prefix, beyond = prefix.select("a", "a_size", "one.*"), None
    # Values of long lists leave the prefix: they are joined with the first documents of their list only, and only for
    # sets that have such a value in their prefix.
    if met_in_long is not None:
        prefix, is_long = stages(prefix, "prefixes"), F.col("documents") > min(limits.cap, skew.HOT)
        late = prefix.filter(is_long).select(F.col("a").alias(ID)).distinct()
        prefix, beyond = prefix.filter(~is_long), None if late.isEmpty() else met_in_long(late)
    others, on = postings.select(F.col(ID).alias("b"), F.col("size").alias("b_size"), KEY), [KEY]
    if REFERENCE in heads.columns:
        # References look up among the input alone, so that no two of them ever meet: their side is a part of the key.
        sides = F.when(is_reference("b"), F.array(F.lit(False))).otherwise(F.array(F.lit(False), F.lit(True)))
        others, on = others.withColumn("for_reference", F.explode(sides)), [KEY, "for_reference"]
        prefix = prefix.withColumn("for_reference", is_reference("a"))
    # Only the smaller set of a pair looks up with its prefix (of equal sizes the lesser id), so that no pair is found
    # from both sides.
    met = prefix.join(others, on).filter("b_size > a_size or (b_size = a_size and a < b)")
    pairs = met.select(F.least("a", "b").alias("left"), F.greatest("a", "b").alias("right"))
    if beyond is not None:
        pairs = pairs.unionByName(beyond)
    # A common prefix value is necessary, not sufficient: both sets come together once and are counted.
    pairs = _join_columns(pairs.distinct(), heads.select(ID, "keys", SCOPE))
    pairs = _common(pairs)
    smaller = F.least(F.size("keys_left"), F.size("keys_right"))
    enough = (F.col("shared") >= _need(limits, smaller)) & (F.col("scope_left") == F.col("scope_right"))
    return pairs.filter(enough).select("left", "right", "shared")


def _need(limits: JoinLimits, size: Column) -> Column:
    """Return the least number of keys that a set of `size` keys must share with a partner, by the limits of the join."""
    return F.greatest(F.lit(limits.min_shared), F.ceil(F.lit(limits.share) * size - F.lit(1e-9)).cast("int"))


def _whole_lists(rows: DataFrame, long: DataFrame | None, key: list[str], references: bool) -> DataFrame:
    """Return all pairs of documents with a common key outside `long`; with `references` no pair of two references."""
    short = rows if long is None else rows.join(long.select(*key), key, "left_anti")
    lists = short.groupBy(*key).agg(F.sort_array(F.collect_list(ID)).alias("ids")).filter(F.size("ids") > 1)
    each = lists.select("ids", F.posexplode("ids").alias("place", "right")).filter("place > 0")
    if references:  # which come first: a pair of two has one on the right
        each = each.filter(~is_reference("right"))
    return each.select(F.explode(F.slice("ids", F.lit(1), F.col("place"))).alias("left"), "right")


def _long_lists(
    rows: DataFrame, long: DataFrame, key: list[str], cut: Cut, cap: int, stages: Stages, references: bool,
    some: DataFrame | None = None,
) -> DataFrame:  # fmt: skip
    """Return pairs for the keys with many documents: the first `cap` documents of a key with all its documents.

    Lists of more than `skew.HOT` documents are spread over parts.
    """
    # Rows of the long lists only, those of a hot key spread over parts by id; then the cut, which sorts each list.
    hot = parts_of(long, key, "documents")
    firsts = cut(joined_to(rows, long.select(*key), key, ID, hot), cap)
    rows = rows.filter(~is_reference(ID)) if references else rows
    if some is None:
        return _with_firsts(rows, firsts, key, hot)
    firsts = stages(firsts, "firsts of long lists")  # read twice, and ordering a list is dear
    # A pair has one of `some` either as the looked-up row or among the firsts; both directions are joined.
    mine, few = (which.join(some, ID, "left_semi") for which in (rows, firsts))
    return _with_firsts(mine, firsts, key, hot).unionByName(_with_firsts(rows, few, key, hot))


def _with_firsts(rows: DataFrame, firsts: DataFrame, key: list[str], hot: DataFrame) -> DataFrame:
    """Pair each document with the first documents of every key it has, each pair once."""
    firsts = firsts.groupBy(*key).agg(F.sort_array(F.collect_list(ID)).alias("firsts"))
    looked = joined_to(rows, firsts, key, ID, hot)
    inside = F.array_contains("firsts", F.col(ID))
    each = looked.withColumn("inside", inside).select(ID, "inside", F.explode("firsts").alias("other"))
    # Of two firsts of one list only the pair with the lesser `other` counts, so that it is not counted twice.
    met = each.filter((F.col("other") != F.col(ID)) & (~F.col("inside") | (F.col("other") < F.col(ID))))
    return met.select(F.least("other", ID).alias("left"), F.greatest("other", ID).alias("right"))


def _granted(shared: DataFrame, long: DataFrame) -> DataFrame:
    """Add to the shared keys of a pair the keys of its document above the cap, which the pair may share unseen."""
    unseen = long.groupBy(ID).agg(F.count(F.lit(1)).alias("unseen"))
    shared = _join_columns(shared, unseen, "left")
    more = F.greatest(F.coalesce("unseen_left", F.lit(0)), F.coalesce("unseen_right", F.lit(0)))
    return shared.withColumn("shared", F.col("shared") + more)


def _expected(shared: DataFrame, heads: DataFrame, share: float) -> DataFrame:
    """Keep the candidate pairs of one scope that share at least `share` of the keys expected for full containment.

    Args:
        shared: pairs (left, right) with the number of keys they share.
        heads: id, size, window and scope of documents; winnowing with a window of w selects about 2 / (w + 1) of `size` shingles as keys.
        share: required share, 0 to 1.
    """
    shared = _join_columns(shared, heads.select(ID, "size", "window", SCOPE))
    expected = F.least("size_left", "size_right") * F.lit(2.0)
    expected = expected / (F.greatest("window_left", "window_right") + F.lit(1.0))
    enough = F.col("shared") >= F.ceil(F.lit(share) * expected - F.lit(1e-9))
    return shared.filter(enough & (F.col("scope_left") == F.col("scope_right")))


def _join_columns(pairs: DataFrame, rows: DataFrame, how: str = "inner") -> DataFrame:
    """Join columns of `rows` to both documents of each pair, with the suffixes _left and _right."""
    for side in ("left", "right"):
        names = (F.col(c).alias(side if c == ID else f"{c}_{side}") for c in rows.columns)
        pairs = pairs.join(rows.select(*names), side, how)
    return pairs

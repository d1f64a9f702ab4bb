"""Runs all stages of a plan on Spark: takes a DataFrame, gives DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from pyspark.sql import functions as F

from quchong.cluster.policy import Doubt
from quchong.engines.spark.candidates import Joined, by_id, joined
from quchong.engines.spark.components import components
from quchong.engines.spark.crowded import first_by_policy
from quchong.engines.spark.decisions import decided
from quchong.engines.spark.documents import (
    COLUMN,
    FIRST,
    HEAD,
    ID,
    PROTECTED,
    TEXT,
    described,
    heads,
    in_classes,
    in_parts,
)
from quchong.engines.spark.lines import NUMBERS, OWN, REASON
from quchong.engines.spark.part import Readings, doubts, readings
from quchong.engines.spark.passages import with_passages
from quchong.engines.spark.prefixes import joined_by_prefixes
from quchong.engines.spark.rows import PLACE, Rows, rows_of
from quchong.engines.spark.scores import scored
from quchong.engines.spark.sets import by_policy, feature_sets
from quchong.engines.spark.stages import Stages, told
from quchong.errors import InputError, Param, UsageError
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.plan import Plan
from quchong.plan.request import make_plan, names_of
from quchong.seam import KeyJoin, Method, SetJoin
from quchong.tables import IDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LOCAL_ONLY = ("against", "body", "html", "only_against", "recall_sample", "within", "workers")
"""Options of `quchong.dedup` that only one machine knows."""
GONE = "quchong_gone"


class SparkOptions(MethodParameters, total=False):
    """Options of `quchong.dedup` that this engine knows, and the parameters of the method named."""

    method: str | Method
    keep: str | Iterable[str]
    relations: str | Iterable[str]
    variants: Literal["keep", "remove"]
    time: str
    source: str
    per: str | None
    same_site: bool
    strip: str | Iterable[str]
    social: str | Iterable[str] | None
    boilerplate: str | Path | Sequence[str | Path]


@dataclass(frozen=True, repr=False)
class SparkResult:
    """What a run found, as DataFrames: rows of the input, and the tables of `quchong.tables`.

    Attributes:
        kept, removed: rows of the input, whole.
        skipped: lines that cannot be read, which are neither.
        ledger, pairs, clusters: as on one machine, in no order.
        policy: id and policy of the documents that went against the policy or stay as published first (`quchong.tables.FATES`).
        documents: id, tokens, blank (no text, or one of blanks) and first (the least id of its exact class) of every document.
        candidates: pairs of first documents that were scored.
        lists: keys that stand in two documents or more, and in how many.
        plan: what was done; its method knows what was counted on this corpus.
        doubts: what rules of the policy could not go by, such as times that cannot be read.
        stages: seconds by stage, and where stages are written.
    """

    kept: DataFrame
    removed: DataFrame
    skipped: DataFrame
    ledger: DataFrame
    pairs: DataFrame
    clusters: DataFrame
    policy: DataFrame
    documents: DataFrame
    candidates: DataFrame
    lists: DataFrame
    plan: Plan
    doubts: list[Doubt]
    stages: Stages

    def __repr__(self) -> str:
        seconds = sum(spent.seconds for spent in self.stages.spent.values())
        return f"<quchong.spark.SparkResult: method {self.plan.method.name}, {seconds:.0f} s, stages in {self.stages.work}>"


@dataclass(frozen=True)
class _Near:
    """Judged pairs, the candidates and lists they come from, the plan with what was counted, and how columns are read."""

    pairs: DataFrame
    candidates: DataFrame
    lists: DataFrame
    plan: Plan
    how: Readings
    doubts: list[Doubt]


def dedup(
    df: DataFrame, *, id: str = "id", text: str | Iterable[str] = "text", protect: Iterable[str | int] = (),
    work: str | None = None, **options: Unpack[SparkOptions],
) -> SparkResult:  # fmt: skip
    """Finds exact copies, near-duplicates and contained documents of a DataFrame, as `quchong.dedup` does of a file.

    Args:
        df: documents, the same rows whenever it is read. `id` names a column of unique values, `text` one or several of
            strings, joined by line feeds. A row without any text is kept.
        protect: ids that are never removed.
        work: a folder every executor sees, for what is written between stages; needed on a cluster.
        **options: see `SparkOptions`; as for `quchong.dedup`.

    Returns:
        The same pairs, relations, survivors, clusters and ledger as on one machine, for any number of partitions and
        executors. Stages have been computed when it returns; `kept` and `removed` are joins with the ledger.

    Raises:
        UsageError: an option that cannot be used here, with what could be.
        InputError: a column that is not there, ids that are missing or repeated; a record no stage could work on.
    """
    plan = _plan(id, text, options)
    return run(df, plan, [str(protect)] if isinstance(protect, str | int) else [str(p) for p in protect], work)


def pairs(
    df: DataFrame, *, id: str = "id", text: str | Iterable[str] = "text", work: str | None = None,
    **options: Unpack[SparkOptions],
) -> DataFrame:  # fmt: skip
    """The verified pairs alone (`quchong.tables.PAIRS`), as `dedup` finds them."""
    plan = _plan(id, text, options)
    stages = Stages(df.sparkSession, work)
    texts, rows = _read(rows_of(df, plan), plan, stages)
    docs = _documents(texts, plan, (), stages)
    near = _near(texts, docs, plan, stages)
    labels = components(_links(near.pairs, docs, plan), stages)
    return _named(decided(docs, near.pairs, labels, near.plan, near.how, stages)["pairs"], str(rows.id_type))


def run(df: DataFrame, plan: Plan, protect: Iterable[str] = (), work: str | None = None) -> SparkResult:
    """A whole run of a plan: see `dedup`."""
    check(plan)
    return run_all(rows_of(df, plan), plan, protect, Stages(df.sparkSession, work)).result


@dataclass(frozen=True)
class Run:
    """A result, and what it was made of.

    Attributes:
        rows: the input, its whole rows computed or read when asked for.
        documents: light, with their places where the input has such.
        policy: as in the result, ids as text.
        how: how columns are read that the policy compares.
        id_type: of the ids in the tables.
    """

    result: SparkResult
    rows: Rows
    documents: DataFrame
    policy: DataFrame
    how: Readings
    id_type: str


def run_all(rows: Rows, plan: Plan, protect: Iterable[str], stages: Stages) -> Run:
    """A whole run, with what it was made of."""
    with told():
        texts, rows = _read(rows, plan, stages)
        docs = _documents(texts, plan, protect, stages)
        bare = docs.drop(*PLACE)
        near = _near(texts, bare, plan, stages)
        labels = components(_links(near.pairs, bare, plan), stages)
        tables = decided(bare, near.pairs, labels, near.plan, near.how, stages)
        ledger = stages(with_passages(tables["ledger"], texts, near.plan), "ledger with passages")
    assert rows.whole is not None
    assert rows.id_type is not None
    gone = ledger.select(F.col("id").alias(GONE))
    whole = rows.whole.filter(rows.usable)
    tables |= {"ledger": ledger, "documents": docs.select(ID, "tokens", "blank", FIRST)}
    shown = {name: _named(table, rows.id_type) for name, table in tables.items()}
    result = SparkResult(
        whole.join(gone, rows.key == F.col(GONE), "left_anti"), whole.join(gone, rows.key == F.col(GONE), "left_semi"),
        rows.whole.filter(rows.bad), shown["ledger"], shown["pairs"], shown["clusters"], shown["policy"], shown["documents"],
        near.candidates, near.lists, near.plan, near.doubts, stages,
    )  # fmt: skip
    return Run(result, rows, docs, tables["policy"], near.how, rows.id_type)


def _named(table: DataFrame, id_type: str) -> DataFrame:
    """The table with its ids in the type that those of the input have."""
    if id_type == "string":
        return table
    return table.select(*(F.col(c).cast(id_type) if c in (*IDS, FIRST) else F.col(c) for c in table.columns))


def _plan(id: str, text: str | Iterable[str], options: SparkOptions) -> Plan:
    known = sorted(set(options) & set(LOCAL_ONLY))
    if known:
        raise UsageError(
            f"{', '.join(known)}: the cluster engine does not know this; run on one machine, or leave it out"
        )
    plan = make_plan(text=names_of(text), id=id, **options)
    check(plan)
    return plan


def check(plan: Plan) -> None:
    """Raises UsageError for a plan that only one machine can carry out."""
    join = plan.method.candidates
    if not isinstance(join, KeyJoin | SetJoin) or "spark" not in plan.method.traits.engines:
        raise UsageError(
            f"method {plan.method.name} runs on one machine only; docs/guide/spark.md lists those that run here"
        )
    if plan.method.statistics_needed:
        raise UsageError(
            f"method {plan.method.name} would count {plan.method.statistics_needed} on the whole corpus, which only one machine does: "
            "count them on a part that fits one, and give them as statistics (docs/guide/spark.md tells how)"
        )
    if plan.scope.within is not None:
        raise UsageError(Param("within"), " is not known on a cluster: use ", Param("per"), " with a column of days")
    if any(rule.name in ("first", "last") for rule in plan.policy.rules):
        raise UsageError(
            Param("keep", plan.keep), ": rows on a cluster have no order; use earliest, longest or a column"
        )
    if plan.only_against:
        raise UsageError(Param("only_against"), " is not known on a cluster")


def _read(rows: Rows, plan: Plan, stages: Stages) -> tuple[DataFrame, Rows]:
    """Every document with its text and features, written down; and the rows, with all that is known once they are read."""
    staged = stages(described(rows.documents, plan), "read and fingerprint")
    if rows.whole is None:
        rows = replace(rows, whole=staged)
    texts = staged.filter(rows.usable).drop(*OWN)
    return texts, replace(rows, id_type=_checked(staged.filter(rows.usable), rows, plan, stages))


def _documents(texts: DataFrame, plan: Plan, protect: Iterable[str], stages: Stages) -> DataFrame:
    """Every document, light, with its class and protection, written down."""
    ids = sorted(set(protect))
    if ids:
        wanted = texts.sparkSession.createDataFrame([(i,) for i in ids], f"{ID} string")
        with stages.stage("protected ids"):
            missing = wanted.join(texts.select(ID), ID, "left_anti").limit(1).collect()
        if missing:
            raise UsageError(f"protect names ids that no document has, such as {missing[0][ID]!r}: check them and id")
    docs = in_parts(in_classes(texts, plan, stages), plan)
    if ids:
        docs = docs.join(F.broadcast(wanted.withColumn(PROTECTED, F.lit(True))), ID, "left")
        docs = docs.withColumn(PROTECTED, F.coalesce(PROTECTED, F.lit(False)))
    else:
        docs = docs.withColumn(PROTECTED, F.lit(False))
    return stages(docs, "documents")


def _checked(docs: DataFrame, rows: Rows, plan: Plan, stages: Stages) -> str:
    """There are documents; ids are there, once each; columns asked for by name hold something somewhere. The type of the ids."""
    with stages.stage("check ids"):
        counted = docs.groupBy(ID).agg(F.count(F.lit(1)).alias("n"))
        bad = counted.filter((F.col("n") > 1) | F.col(ID).isNull()).limit(1).collect()
        held = [
            F.count(F.col(f"`{COLUMN}{name}`")).alias(name)
            for name in plan.named_columns
            if COLUMN + name in docs.columns
        ]
        texts = F.count(F.when(F.length(TEXT) > 0, F.lit(1))).alias("texts_")
        numbers = F.bool_and(NUMBERS) if NUMBERS in docs.columns else F.lit(False)
        found = docs.agg(F.count(F.lit(1)).alias("rows_"), texts, numbers.alias("numbers_"), *held).collect()[0]
        assert rows.whole is not None
        unused = [] if found["rows_"] else rows.whole.filter(rows.bad).limit(1).collect()
    if unused:
        raise InputError(f"no record can be used: {unused[0][REASON]}; name the text with ", Param("text", "COLUMN"))
    if found["rows_"] and not found["texts_"]:
        raise InputError("no record has a text; name the text with ", Param("text", "COLUMN"))
    if bad:
        row = bad[0]
        raise InputError(
            "some rows have no id: give every row one" if row[ID] is None
            else f"the id {row[ID]!r} occurs in {row['n']} rows: ids must be unique, make them so first"
        )  # fmt: skip
    for name, option in plan.named_columns.items():
        if found["rows_"] and name in found and found[name] == 0:
            raise UsageError(Param(option), f" asks for the column {name!r}, and no record has it: check the name")
    return rows.id_type or ("bigint" if found["numbers_"] else "string")


def _links(pairs: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """What hangs together: scored pairs, and the parts of one exact class."""
    if not plan.method.traits.needs:
        return pairs
    parts = docs.filter(F.col(HEAD) == F.col(ID)).filter(F.col(HEAD) != F.col(FIRST))
    return pairs.select("left", "right").unionByName(
        parts.select(F.col(FIRST).alias("left"), F.col(HEAD).alias("right"))
    )


def _apart(pairs: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """The candidates without parts of one exact class: these are copies."""
    if not plan.method.traits.needs:
        return pairs
    parts = docs.filter(F.col(HEAD) == F.col(ID)).filter(F.col(HEAD) != F.col(FIRST)).select(ID, FIRST)
    for side in ("left", "right"):
        named = parts.select(F.col(ID).alias(side), F.col(FIRST).alias(f"{side}_{FIRST}"))
        pairs = pairs.join(named, side, "left").withColumn(f"{side}_{FIRST}", F.coalesce(f"{side}_{FIRST}", side))
    return pairs.filter(F.col(f"left_{FIRST}") != F.col(f"right_{FIRST}")).drop(f"left_{FIRST}", f"right_{FIRST}")


def _near(texts: DataFrame, docs: DataFrame, plan: Plan, stages: Stages) -> _Near:
    """Candidates, scored."""
    with stages.stage("read columns of the policy"):
        how, strange = readings(docs, plan.policy), doubts(docs, plan.policy)
    some = heads(texts, docs)
    match plan.method.candidates:
        case KeyJoin(limits=limits):
            met: Joined = joined(some, limits, stages, by_id)
            near = scored(met.pairs, texts, plan)
        case SetJoin(prefixes=prefixes) if prefixes is not None:
            met, plan = joined_by_prefixes(some, plan, prefixes, stages)
            near = scored(met.pairs, texts, plan)
        case SetJoin(limits=limits, noise=noise):
            sets = feature_sets(some, plan, noise, stages)
            plan = sets.plan
            cut, bound = by_policy(docs, plan, how), first_by_policy(docs, plan, how, stages)
            met = joined(sets.rows, limits, stages, cut, within_lists=False, bound=bound)
            met = replace(met, pairs=_apart(met.pairs, docs, plan))
            near = scored(met.pairs, texts, plan, None if noise is None else sets.rows)
        case join:
            raise TypeError(f"{type(join).__name__} is not joined here")
    return _Near(stages(near, "verify"), met.pairs, met.lists, plan, how, strange)

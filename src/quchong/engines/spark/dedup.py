"""Runs of a plan on Spark, from DataFrame to DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from pyspark.sql import functions as F

from quchong.engines.spark.candidates import Notes
from quchong.engines.spark.component_documents import Readings
from quchong.engines.spark.components import components
from quchong.engines.spark.decisions import decided
from quchong.engines.spark.documents import (
    FIRST,
    ID,
    UNSEEN,
)
from quchong.engines.spark.following import followed
from quchong.engines.spark.headers import with_rests
from quchong.engines.spark.near_pairs import links, near_pairs
from quchong.engines.spark.own_texts import own_rows, own_texts
from quchong.engines.spark.pages import quoted, rows_of_pages
from quchong.engines.spark.passages import with_passages
from quchong.engines.spark.reading import light_documents, read
from quchong.engines.spark.rows import BAD_PAGE, PLACE, Rows, rows_of
from quchong.engines.spark.stages import Stages, executor_errors
from quchong.engines.spark.templates import numbered_table, with_templates
from quchong.errors import Call, InputError, Param, UsageError
from quchong.languages import join_names
from quchong.parameters.other_names import python_names
from quchong.plan.column_choice import with_usual_columns
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.plan import Plan
from quchong.plan.request import Body, EqualTexts, Examined, Roundups, Templated, make_plan, names_of
from quchong.policy.policy import Doubt
from quchong.seam import Method, engines_of
from quchong.tables import IDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LOCAL_ONLY = ("against", "only_against", "recall_sample", "within", "workers", "max_record", "mix", "mix_seed")
"""Options of `quchong.dedup` that only the local engine has; records of more than `limits.LARGEST` bytes are skipped here too."""
GONE = "quchong_gone"


class SparkOptions(MethodParameters, total=False):
    """Options of `quchong.dedup` that this engine supports, and the parameters of the chosen method."""

    method: str | Method
    keep: str | Iterable[str] | None
    relations: str | Iterable[str]
    time: str
    source: str
    per: str | None
    same_site: bool
    strip: str | Iterable[str]
    social: str | Iterable[str] | None
    html: str | None
    body: Body
    boilerplate: str | Path | Sequence[str | Path]
    differences: Examined
    templates: Templated
    roundups: Roundups
    exact: EqualTexts
    keep_per_cluster: int


@dataclass(frozen=True, repr=False)
class SparkResult:
    """Result of a run, as DataFrames: rows of the input, and the tables of `quchong.tables`.

    Attributes:
        kept, removed: rows of the input, with all their columns.
        skipped: lines, or rows with pages, that cannot be read; they are neither kept nor removed.
        ledger, pairs, clusters, templates: tables with the columns of a local run, in no order.
        policy: id and policy of the documents that were removed against the policy or kept as published first
            (`quchong.tables.FATES`).
        documents: id, tokens, blank (no text, or one of blanks), first (the least id of its exact class) and unseen (the method saw nothing
            in it to compare) of every document.
        candidates: pairs of first documents that were scored.
        lists: keys of two documents or more, with the number of their documents.
        plan: the plan of the run; its method knows the statistics of this corpus.
        doubts: values that criteria of the policy could not use, such as times that cannot be read.
        bounded: messages and figures about what the search left out.
        stages: seconds by stage, and the folder of stages.
        cut: rows of removed roundups with what no kept document has, with all columns; None unless the plan cuts roundups.
        repeated: number of documents that had the id of another and were renamed id~2, id~3, ...; only records of files that one task reads
            whole (CSV, WARC ...) may have repeated ids.
    """

    kept: DataFrame
    removed: DataFrame
    skipped: DataFrame
    ledger: DataFrame
    pairs: DataFrame
    clusters: DataFrame
    templates: DataFrame
    policy: DataFrame
    documents: DataFrame
    candidates: DataFrame
    lists: DataFrame
    plan: Plan
    doubts: list[Doubt]
    bounded: Notes
    stages: Stages
    repeated: int = 0
    cut: DataFrame | None = None

    def __repr__(self) -> str:
        seconds = sum(spent.seconds for spent in self.stages.spent.values())
        return f"<quchong.spark.SparkResult: method {self.plan.method.name}, {seconds:.0f} s, stages in {self.stages.work}>"


def dedup(
    df: DataFrame, *, id: str = "id", text: str | Iterable[str] = "text", protect: Iterable[str | int] = (),
    work: str | None = None, **options: Unpack[SparkOptions],
) -> SparkResult:  # fmt: skip
    """Find exact copies, near-duplicates and contained documents of a DataFrame, as `quchong.dedup` does of a file.

    Args:
        df: documents, the same rows whenever it is read. `id` names a column of unique values, `text` one or several of
            strings, joined by line feeds. A row without any text is kept. Where there is a column of web pages (`html`, strings
            or bytes; `html=None` for none), a row without text is compared by its page, which executors read.
        protect: ids that are never removed.
        work: a folder that every executor sees, for the results of stages; required if executors run on other machines.
        **options: see `SparkOptions`; as for `quchong.dedup`.

    Returns:
        Pairs, relations, survivors, clusters and ledger that equal those of one machine, for any number of partitions and
        executors. Stages have been computed when it returns; `kept` and `removed` are joins with the ledger. `skipped` has the
        rows whose page cannot be read, and why in the column quchong_reason.

    Raises:
        UsageError: an option that this engine does not support; the message names an alternative.
        InputError: a missing column, missing or repeated ids, or a record on which a stage failed.
    """
    plan = _plan(id, text, options)
    return run(df, plan, [str(protect)] if isinstance(protect, str | int) else [str(p) for p in protect], work)


def pairs(
    df: DataFrame, *, id: str = "id", text: str | Iterable[str] = "text", work: str | None = None,
    **options: Unpack[SparkOptions],
) -> DataFrame:  # fmt: skip
    """Return only the verified pairs (`quchong.tables.PAIRS`) that `dedup` finds."""
    plan = with_usual_columns(_plan(id, text, options), getattr(df, "columns", ()))
    stages = Stages(df.sparkSession, work)
    texts, rows = read(table_rows(df, plan), plan, stages)
    docs = light_documents(texts, plan, (), stages)
    near = near_pairs(texts, docs, plan, stages)
    labels = components(links(near.pairs, docs, plan), stages)
    templated = with_templates(near, texts, docs, labels, stages)
    labels = templated.labels
    near = with_rests(followed(templated, texts, docs, labels, stages), texts, labels, stages)
    return _cast_ids(decided(docs, near, labels, stages)["pairs"], str(rows.id_type))


def run(df: DataFrame, plan: Plan, protect: Iterable[str] = (), work: str | None = None) -> SparkResult:
    """Carry out a plan on a DataFrame: see `dedup`."""
    check(plan)
    plan = with_usual_columns(plan, getattr(df, "columns", ()))
    return run_all(table_rows(df, plan), plan, protect, Stages(df.sparkSession, work)).result


def table_rows(df: DataFrame, plan: Plan) -> Rows:
    """Build the rows of a DataFrame; with a column of pages, a row without text is compared by its page.

    Rows of a DataFrame have no file or number, so they are identified by id; rows whose page cannot be read need an id too.
    """
    if plan.pages is None or plan.pages not in getattr(df, "columns", ()):
        return rows_of(df, plan)
    name = plan.id or "id"
    if name not in df.columns:
        raise InputError(
            "the data has no column {!r}: it has {}; name your columns with id and text", name, join_names(df.columns)
        )
    nowhere = (F.lit(0).cast("bigint").alias(column) for column in PLACE[1:])
    rows = rows_of_pages(df, plan, (F.col(quoted(name)).cast("string").alias(PLACE[0]), *nowhere))
    return replace(rows, by_id=True)


@dataclass(frozen=True)
class Run:
    """Result of a run, and the data it was made from.

    Attributes:
        rows: the input; its whole rows are computed or read on demand.
        documents: documents without texts, with their locations if the input has any.
        policy: table `policy` of the result, with ids as text.
        how: types by which the policy reads columns of strings.
        id_type: type of the ids in the tables.
        own: own texts of removed roundups (`quchong.engines.spark.own_texts`); None unless the plan cuts roundups.
    """

    result: SparkResult
    rows: Rows
    documents: DataFrame
    policy: DataFrame
    how: Readings
    id_type: str
    own: DataFrame | None = None


def run_all(rows: Rows, plan: Plan, protect: Iterable[str], stages: Stages) -> Run:
    """Carry out a plan on rows; return the result and the data it was made from."""
    with executor_errors():
        texts, rows = read(rows, plan, stages)
        docs = light_documents(texts, plan, protect, stages)
        # Locations are needed for writing only: no decision depends on them, so joins do not carry them.
        bare = docs.drop(*PLACE)
        near = near_pairs(texts, bare, plan, stages)
        labels = components(links(near.pairs, bare, plan), stages)
        templated = with_templates(near, texts, bare, labels, stages)
        labels = templated.labels
        near = with_rests(followed(templated, texts, bare, labels, stages), texts, labels, stages)
        # Pairs that crowds add connect documents of one component, so the labels of before remain valid.
        docs = _with_unseen(docs, near.unseen)
        tables = decided(bare, near, labels, stages)
        ledger = stages(with_passages(tables["ledger"], texts, near.plan), "ledger with passages")
        met, own = tables.pop("cut"), None
        if plan.roundups == "cut":
            own = stages(own_texts(met, texts, near.plan), "own texts")
    assert rows.whole is not None
    assert rows.id_type is not None
    # Kept and removed rows are joins of the whole rows with the ledger; nothing is computed until they are used.
    gone = ledger.select(F.col("id").alias(GONE))
    whole = rows.whole.filter(rows.usable)
    templates = numbered_table(templated.table, rows.whole.sparkSession)
    tables |= {"ledger": ledger, "templates": templates, "documents": docs.select(ID, "tokens", "blank", FIRST, UNSEEN)}
    shown = {name: _cast_ids(table, rows.id_type) for name, table in tables.items()}
    ours = (*PLACE, BAD_PAGE) if rows.by_id else ()
    result = SparkResult(
        whole.join(gone, rows.key == F.col(GONE), "left_anti").drop(*ours),
        whole.join(gone, rows.key == F.col(GONE), "left_semi").drop(*ours),
        rows.whole.filter(rows.bad).drop(*ours[:-1]), shown["ledger"], shown["pairs"], shown["clusters"], shown["templates"],
        shown["policy"],
        shown["documents"], near.candidates, near.lists, near.plan, near.doubts, near.bounded, stages, rows.repeated,
        None if own is None else own_rows(whole, rows.key, own, plan.text[0]).drop(*ours),
    )  # fmt: skip
    return Run(result, rows, docs, tables["policy"], near.how, rows.id_type, own)


def _with_unseen(docs: DataFrame, unseen: DataFrame | None) -> DataFrame:
    """Add the column UNSEEN to documents, True for those in which the method saw nothing to compare."""
    if unseen is None:
        return docs.withColumn(UNSEEN, F.lit(False))
    marked = docs.join(unseen.select(ID, F.lit(True).alias(UNSEEN)), ID, "left")
    return marked.withColumn(UNSEEN, F.coalesce(UNSEEN, F.lit(False)))


def _cast_ids(table: DataFrame, id_type: str) -> DataFrame:
    """Cast the ids of a table to the id type of the input."""
    if id_type == "string":
        return table
    return table.select(*(F.col(c).cast(id_type) if c in (*IDS, FIRST) else F.col(c) for c in table.columns))


def _plan(id: str, text: str | Iterable[str], options: SparkOptions) -> Plan:
    named: Any = python_names({**options}, [*SparkOptions.__annotations__, "id", "text", "tokens"])
    id, text, options = named.pop("id", id), named.pop("text", text), named
    known = sorted(set(options) & set(LOCAL_ONLY))
    if known:
        raise UsageError(
            "{}: not available with the Spark engine; run on one machine, or leave it out", join_names(known)
        )
    plan = make_plan(text=names_of(text), id=id, **options)
    check(plan)
    return plan


def check(plan: Plan) -> None:
    """Raise UsageError if a plan can be carried out on one machine only."""
    join = plan.method.candidates
    if "spark" not in engines_of(plan.method):
        raise UsageError(
            "method {} runs on one machine only: choose another method, such as {}, or run without Spark; docs/guide/spark.md lists "
            "the methods for Spark",
            plan.method.name,
            Param("method", "hybrid"),
        )
    if join.statistics is not None and join.statistics.needed:
        raise UsageError(
            "method {} needs statistics of the corpus, which are counted on one machine only: count them on a part of it with {}, "
            "and give {}",
            plan.method.name,
            Call(
                f"qc.fit_statistics(sample, method={plan.method.name!r})",
                f"quchong statistics sample.jsonl --method {plan.method.name} -o df.parquet",
            ),
            Param("statistics", "df.parquet"),
        )
    # A filter depends on the order of documents, and rows on Spark have none.
    if plan.method.extras.first_stage is not None:
        raise UsageError(
            "a filter that depends on the order of the input runs on one machine only: use {}",
            Param("stage1", "digest"),
        )
    if plan.scope.within is not None:
        raise UsageError("{} is not supported on Spark: use {} with a column of days", Param("within"), Param("per"))
    if any(criterion.name in ("first", "last") for criterion in plan.policy.criteria):
        raise UsageError("{}: rows on Spark have no order; use earliest, longest or a column", Param("keep", plan.keep))
    if plan.only_against:
        raise UsageError("{} is not supported on Spark", Param("only_against"))

"""Runs of a plan on Spark, from DataFrame to DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    REFERENCE,
    UNSEEN,
)
from quchong.engines.spark.following import followed
from quchong.engines.spark.headers import with_rests
from quchong.engines.spark.near_pairs import links, near_pairs
from quchong.engines.spark.own_texts import own_rows, own_texts
from quchong.engines.spark.pages import table_rows
from quchong.engines.spark.passages import with_passages
from quchong.engines.spark.reading import light_documents, read
from quchong.engines.spark.references import Opener, References, open_references, with_plain_ids, with_references
from quchong.engines.spark.rows import BAD_PAGE, PLACE, Rows
from quchong.engines.spark.stages import Stages, executor_errors
from quchong.engines.spark.templates import numbered_table, with_templates
from quchong.errors import Call, Param, UsageError
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

LOCAL_ONLY = ("recall_sample", "within", "workers", "max_record", "mix", "mix_seed")
"""Options of `quchong.dedup` that only the local engine has; records of more than `limits.LARGEST` bytes are skipped here too."""
GONE = "quchong_gone"


class SparkOptions(MethodParameters, total=False):
    """Options of `quchong.dedup` that the Spark engine supports, and the method's parameters."""

    method: str | Method
    keep: str | Iterable[str] | None
    relations: str | Iterable[str]
    only_against: bool
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
            in it to compare) of every document; with a reference corpus also is_reference.
        candidates: pairs of first documents that were scored.
        lists: keys of two documents or more, with the number of their documents.
        plan: the plan of the run; its method knows the statistics of this corpus.
        doubts: values that criteria of the policy could not use, such as times that cannot be read.
        bounded: messages and figures about what the search left out.
        stages: seconds by stage, and the folder of stages.
        cut: rows of removed roundups with what no kept document has, with all columns; None unless the plan cuts roundups.
        repeated: number of documents that had the id of another and were renamed id~2, id~3, ...; only records of files that one task reads
            whole (CSV, WARC ...), and references that the driver reads, may have repeated ids.
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
    work: str | None = None, references: Opener | None = None, **options: Unpack[SparkOptions],
) -> SparkResult:  # fmt: skip
    """Find exact copies, near-duplicates and contained documents of a DataFrame: see `quchong.spark.dedup`.

    `references` opens the reference corpus, for the columns of the plan; None for none.
    """
    plan = _plan(id, text, options)
    protected = [str(protect)] if isinstance(protect, str | int) else [str(p) for p in protect]
    return run(df, plan, protected, work, references)


def pairs(
    df: DataFrame, *, id: str = "id", text: str | Iterable[str] = "text", work: str | None = None,
    **options: Unpack[SparkOptions],
) -> DataFrame:  # fmt: skip
    """Return only the verified pairs (`quchong.tables.PAIRS`) that `dedup` finds."""
    plan = with_usual_columns(_plan(id, text, options), getattr(df, "columns", ()))
    check_only_against(plan, None)
    stages = Stages(df.sparkSession, work)
    texts, rows = read(table_rows(df, plan), plan, stages)
    docs = light_documents(texts, plan, (), stages)
    near = near_pairs(texts, docs, plan, stages)
    labels = components(links(near.pairs, docs, plan), stages)
    templated = with_templates(near, texts, docs, labels, stages)
    labels = templated.labels
    near = with_rests(templated.near, texts, labels, stages)
    near = followed(near, templated.told_apart, texts, docs, labels, stages)
    return _cast_ids(decided(docs, near, labels, stages)["pairs"], str(rows.id_type))


def run(
    df: DataFrame, plan: Plan, protect: Iterable[str] = (), work: str | None = None, references: Opener | None = None
) -> SparkResult:
    """Carry out a plan on a DataFrame: see `dedup`."""
    check(plan)
    plan = with_usual_columns(plan, getattr(df, "columns", ()))
    return run_all(table_rows(df, plan), plan, protect, Stages(df.sparkSession, work), references).result


@dataclass(frozen=True)
class Run:
    """Result of a run, and the data it was made from.

    Attributes:
        rows: the input; its whole rows are computed or read on demand.
        documents: documents without texts, with their locations if the input has any.
        policy: table `policy` of the result, with ids as text.
        how: types by which the policy reads columns of strings.
        id_type: type of the ids in the tables.
        references: the reference corpus; None for none.
        own: own texts of removed roundups (`quchong.engines.spark.own_texts`); None unless the plan cuts roundups.
    """

    result: SparkResult
    rows: Rows
    documents: DataFrame
    policy: DataFrame
    how: Readings
    id_type: str
    own: DataFrame | None = None
    references: References | None = None


def run_all(rows: Rows, plan: Plan, protect: Iterable[str], stages: Stages, references: Opener | None = None) -> Run:
    """Carry out a plan on rows and reference documents; return the result with the intermediate data."""
    check_only_against(plan, references)
    opened: References | None = None
    with executor_errors():
        texts, rows = read(rows, plan, stages)
        if references is not None:
            opened = open_references(references, plan, stages)
            texts = with_references(texts, opened, plan, stages)
        docs = light_documents(texts, plan, protect, stages)
        # Locations are needed for writing only: no decision depends on them, so joins do not carry them.
        bare = docs.drop(*PLACE)
        near = near_pairs(texts, bare, plan, stages)
        labels = components(links(near.pairs, bare, plan), stages)
        templated = with_templates(near, texts, bare, labels, stages)
        labels = templated.labels
        near = with_rests(templated.near, texts, labels, stages)
        near = followed(near, templated.told_apart, texts, bare, labels, stages)
        # Pairs that crowds add connect documents of one component, so the labels of before remain valid.
        docs = _with_unseen(docs, near.unseen)
        tables = decided(bare, near, labels, stages)
        marked = REFERENCE in docs.columns
        if marked:  # tables have ids without marks, and so has everything from here on
            texts, docs = with_plain_ids(texts), with_plain_ids(docs)
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
    about = docs.select(ID, "tokens", "blank", FIRST, UNSEEN, *([REFERENCE] if marked else []))
    tables |= {"ledger": ledger, "templates": templates, "documents": about}
    # Ids of references are text: in a run with references all columns of ids are, except those of documents of the input alone.
    shown = {
        name: _cast_ids(table, rows.id_type, (["id"] if name == "ledger" else []) if marked else None)
        for name, table in tables.items()
    }
    ours = (*PLACE, BAD_PAGE) if rows.by_id else ()
    candidates = with_plain_ids(near.candidates, ("left", "right", "later")) if marked else near.candidates
    repeated = rows.repeated + (0 if opened is None else opened.repeated)
    result = SparkResult(
        whole.join(gone, rows.key == F.col(GONE), "left_anti").drop(*ours),
        whole.join(gone, rows.key == F.col(GONE), "left_semi").drop(*ours),
        rows.whole.filter(rows.bad).drop(*ours[:-1]), shown["ledger"], shown["pairs"], shown["clusters"], shown["templates"],
        shown["policy"],
        shown["documents"], candidates, near.lists, near.plan, near.doubts, near.bounded, stages, repeated,
        None if own is None else own_rows(whole, rows.key, own, plan.text[0]).drop(*ours),
    )  # fmt: skip
    return Run(result, rows, docs, tables["policy"], near.how, "string" if marked else rows.id_type, own, opened)


def _with_unseen(docs: DataFrame, unseen: DataFrame | None) -> DataFrame:
    """Add the column UNSEEN: True for documents in which the method found nothing to compare."""
    if unseen is None:
        return docs.withColumn(UNSEEN, F.lit(False))
    marked = docs.join(unseen.select(ID, F.lit(True).alias(UNSEEN)), ID, "left")
    return marked.withColumn(UNSEEN, F.coalesce(UNSEEN, F.lit(False)))


def _cast_ids(table: DataFrame, id_type: str, names: Sequence[str] | None = None) -> DataFrame:
    """Cast the ids of a table, or those of the columns `names`, to the id type of the input."""
    if id_type == "string":
        return table
    some = (*IDS, FIRST) if names is None else names
    return table.select(*(F.col(c).cast(id_type) if c in some else F.col(c) for c in table.columns))


def _plan(id: str, text: str | Iterable[str], options: SparkOptions) -> Plan:
    named: Any = python_names({**options}, [*SparkOptions.__annotations__, "id", "text", "tokens"])
    id, text, options = named.pop("id", id), named.pop("text", text), named
    known = sorted(set(options) & set(LOCAL_ONLY))
    if known:
        raise UsageError(
            "{}: not available with the Spark engine; leave out the parameter, or run on one machine", join_names(known)
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
            "method {} needs statistics of the corpus, which only one machine can count: count them on part of "
            "the corpus with {}, and give {}",
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
        raise UsageError("{} is not supported on Spark: use {} with a column of dates", Param("within"), Param("per"))
    if any(criterion.name in ("first", "last") for criterion in plan.policy.criteria):
        raise UsageError(
            "{}: rows on Spark have no order; use earliest, longest or a column instead", Param("keep", plan.keep)
        )


def check_only_against(plan: Plan, references: Opener | None) -> None:
    """Raise UsageError if a plan has `only_against` but no reference corpus."""
    if plan.only_against and references is None:
        raise UsageError("{} needs a corpus to compare with: name it with {}", Param("only_against"), Param("against"))

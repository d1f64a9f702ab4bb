"""Reading of the input, once for all stages, and checks of ids and columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from quchong.engines.spark.documents import ID, PROTECTED, TEXT, described, in_classes, in_parts, stored_name
from quchong.engines.spark.lines import NUMBERS, OWN, REASON
from quchong.engines.spark.references import protected_ids
from quchong.engines.spark.rows import BAD_PAGE, PLACE, Rows
from quchong.engines.spark.stages import Stages
from quchong.engines.spark.text_files import MARK
from quchong.engines.spark.unique_ids import without_repeats
from quchong.errors import InputError, Param, UsageError
from quchong.io.missing_columns import empty_column
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def read(rows: Rows, plan: Plan, stages: Stages) -> tuple[DataFrame, Rows]:
    """Read all documents, store them with their features, and return them together with the completed rows."""
    documents = rows.documents
    if rows.files:
        documents, repeated = without_repeats(stages(documents, "read files"), rows.files, plan, stages)
        rows = replace(rows, repeated=repeated, id_type="string" if repeated else rows.id_type)
    staged = stages(described(documents, plan), "read and fingerprint")
    if rows.whole is None:
        rows = replace(rows, whole=staged)
    elif rows.reasons:
        bad = staged.filter(rows.bad).select(*PLACE, BAD_PAGE)
        rows = replace(rows, whole=rows.whole.join(bad, list(PLACE), "left"))
    texts = staged.filter(rows.usable).drop(*OWN, BAD_PAGE, MARK)
    if rows.by_id:
        texts = texts.drop(*PLACE)
    named = staged.select(F.col(PLACE[0]).alias(ID)) if rows.by_id else staged.filter(rows.usable)
    return texts, replace(rows, id_type=_checked(staged.filter(rows.usable), named, rows, plan, stages))


def light_documents(texts: DataFrame, plan: Plan, protect: Iterable[str], stages: Stages) -> DataFrame:
    """Return every document without large columns, but with exact class and protection, stored as a stage."""
    ids = sorted(set(protect))
    if ids:
        asked = texts.sparkSession.createDataFrame(protected_ids(ids, texts), f"asked string, {ID} string")
        with stages.stage("protected ids"):
            found = asked.join(texts.select(ID), ID, "left_semi").select("asked")
            missing = asked.join(found, "asked", "left_anti").limit(1).collect()
        if missing:
            raise UsageError(
                "protect contains ids that belong to no document, such as {!r}: check protect and id",
                missing[0]["asked"],
            )
        wanted = asked.select(ID)
    docs = in_parts(in_classes(texts, plan, stages), plan)
    if ids:
        docs = docs.join(F.broadcast(wanted.withColumn(PROTECTED, F.lit(True))), ID, "left")
        docs = docs.withColumn(PROTECTED, F.coalesce(PROTECTED, F.lit(False)))
    else:
        docs = docs.withColumn(PROTECTED, F.lit(False))
    return stages(docs, "documents")


def _checked(docs: DataFrame, named: DataFrame, rows: Rows, plan: Plan, stages: Stages) -> str:
    """Check ids (unique, not null), columns named by options, and that there are documents; return the type of ids."""
    with stages.stage("check ids"):
        # Ids first: everything later is ordered and joined by them.
        counted = named.groupBy(ID).agg(F.count(F.lit(1)).alias("n"))
        bad = counted.filter((F.col("n") > 1) | F.col(ID).isNull()).limit(1).collect()
        held = [
            F.count(F.col(f"`{stored_name(name)}`")).alias(name)
            for name in plan.named_columns
            if stored_name(name) in docs.columns
        ]
        # All other counts in one pass over the stored rows.
        texts = F.count(F.when(F.length(TEXT) > 0, F.lit(1))).alias("texts_")
        numbers = F.bool_and(NUMBERS) if NUMBERS in docs.columns else F.lit(False)
        found = docs.agg(F.count(F.lit(1)).alias("rows_"), texts, numbers.alias("numbers_"), *held).collect()[0]
        assert rows.whole is not None
        unused = [] if found["rows_"] else rows.whole.filter(rows.bad).limit(1).collect()
    # Errors in the order of their likely cause: wrong columns before wrong ids.
    if unused:
        reason = unused[0][BAD_PAGE if rows.reasons else REASON]
        raise InputError("no record can be used: {}; name the text column with {}", reason, Param("text", "COLUMN"))
    if found["rows_"] and not found["texts_"]:
        raise InputError("no record has a text; name the text column with {}", Param("text", "COLUMN"))
    if bad:
        row = bad[0]
        if row[ID] is None:
            raise InputError("some rows have no id: give every row one")
        if rows.sources:
            raise InputError(
                "{} inputs have a file called {!r}, so these files would have the same id: give the one folder that "
                "contains these inputs",
                row["n"],
                row[ID],
            )
        raise InputError("the id {!r} occurs in {} rows: make ids unique before the run", row[ID], row["n"])
    # A column that was named and has no value anywhere is likely misspelt.
    for name, option in plan.named_columns.items():
        if found["rows_"] and name in found and found[name] == 0:
            raise empty_column(option, name)
    return rows.id_type or ("bigint" if found["numbers_"] else "string")

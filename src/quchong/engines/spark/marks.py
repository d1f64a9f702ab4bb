"""Marks of ids inside a run with references (`quchong.engines.spark.references`), and pairs that are made by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.engines.spark.documents import ID, REFERENCE

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

OF_REFERENCE, OF_INPUT = "0", "1"
"""First letters of the ids of references, and of documents of the input; in this order references come first."""


def with_mark(documents: DataFrame, mark: str) -> DataFrame:
    """Return documents with the mark (input or reference) put before their ids."""
    return documents.withColumn(ID, F.concat(F.lit(mark), ID))


def without_mark(name: str) -> Column:
    """Return an expression for marked ids without their marks."""
    return F.substring(name, 2, 2**31 - 1)


def plain_ids(ids: pa.Array, marked: bool) -> pa.Array:
    """Return ids as tables have them: without their marks, if they are marked."""
    return pc.utf8_slice_codeunits(ids, 1) if marked else ids


def of_input(documents: DataFrame) -> DataFrame:
    """Return the documents of the input alone, without the references."""
    return documents.filter(~F.col(REFERENCE)) if REFERENCE in documents.columns else documents


def is_reference(name: str) -> Column:
    """Return a Boolean expression: True for marked ids of references."""
    return F.col(name).startswith(OF_REFERENCE)


def are_references(ids: pa.Array) -> pa.Array:
    """Return a mask of the marked ids that are of references."""
    return pc.starts_with(ids, OF_REFERENCE)

"""Rows of a run as a data set of Hugging Face."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pyarrow as pa

from quchong.errors import UsageError


def dataset_of(rows: pa.Table) -> Any:
    """Return rows as a `datasets.Dataset`; features in their metadata, such as ClassLabel, are those of its columns.

    Raises:
        UsageError: the package datasets is not installed.
    """
    try:
        datasets = import_module("datasets")
    except ImportError as error:
        raise UsageError("the package datasets is not installed: {}", "pip install datasets") from error
    known = (rows.schema.metadata or {}).get(b"huggingface")
    plain = rows.replace_schema_metadata(None)
    if known is None:
        return datasets.Dataset(plain)
    features = datasets.Features.from_dict(json.loads(known)["info"]["features"])
    return datasets.Dataset(plain.cast(pa.schema(features.arrow_schema, None)))

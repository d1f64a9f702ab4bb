"""Rows of removed roundups with their own texts alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.manifest import describe_cut
from quchong.engines.local.outcome import Outcome
from quchong.io import KEEP, REMOVE, MemorySource, Source, concat_by_name
from quchong.io.cut_rows import write_cut_rows
from quchong.plan.plan import Plan
from quchong.plan.sources import check_replaceable_texts, no_other_text
from quchong.results.row_outputs import paths_of, row_fates


def check_cuttable(plan: Plan, sources: Sequence[Source]) -> None:
    """Raise UsageError if the plan cuts roundups and rows of these sources cannot be written with another text.

    Such rows are files or pages, or their texts are within strings that hold JSON.
    """
    for source in sources if plan.roundups == "cut" else ():
        if source.suffix == ".txt" or source.suffix.startswith(".warc"):
            raise no_other_text(source.name)
        check_replaceable_texts(source, plan.text[0])


def own_rows(outcome: Outcome) -> pa.Table:
    """Return the rows of removed roundups that have a text of their own, with that text and all other columns, in order."""
    tables = []
    for s, source in _inputs(outcome):
        if texts := _texts_of(outcome, s):
            table = source.table_of(_fates(outcome, s, texts) == KEEP)
            tables.append(
                MemorySource(table).with_texts(_replaceable(source, texts, outcome.plan), outcome.plan.text[0])
            )
    return concat_by_name(tables)


def write_own_rows(outcome: Outcome, folder: Path) -> dict[str, str]:
    """Write the rows of `own_rows` into a run folder in the formats of their inputs; return the names of the files by input."""
    files: dict[str, str] = {}
    inputs = list(_inputs(outcome))
    for (s, source), out in zip(inputs, paths_of(folder, "cut", [source for _, source in inputs]), strict=True):
        texts = _texts_of(outcome, s)
        if not texts:
            continue
        fate = row_fates(outcome.decided_rows, s)
        write_cut_rows(source, fate, texts, outcome.plan.wanted_columns, out, folder)
        files[source.name] = out.relative_to(folder).as_posix()
    return files


def describe_own(outcome: Outcome, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the entry `cut` of run.json: what was cut out of roundups, where their own texts are; {} if the plan cuts none."""
    if outcome.plan.roundups != "cut":
        return {}
    own = outcome.own.values()
    left = sum(1 for one in own if one.text)
    return describe_cut(left, sum(one.cut for one in own), len(own) - left, files)


def _inputs(outcome: Outcome) -> Iterator[tuple[int, Source]]:
    """Yield the number and the source of each input, without references."""
    return islice(enumerate(outcome.corpus.sources), outcome.reference_sources, None)


def _texts_of(outcome: Outcome, source: int) -> dict[int, str]:
    """Return the own texts of the roundups of a source by row, in the order of rows."""
    corpus = outcome.corpus
    found = {
        int(corpus.row[doc]): one.text for doc, one in outcome.own.items() if corpus.source[doc] == source and one.text
    }
    return dict(sorted(found.items()))


def _replaceable(source: Source, texts: Mapping[int, str], plan: Plan) -> dict[int, str]:
    """Return the texts by position among these rows, without rows whose text cannot be replaced, which stay as they are.

    No other text can be written into such a row, and without it sentences that no kept document has would be lost.
    """
    rows = np.array(list(texts), np.int64)
    fixed = set(source.fixed_rows(rows, plan.text[0]).tolist())
    return {number: text for number, (row, text) in enumerate(texts.items()) if row not in fixed}


def _fates(outcome: Outcome, source: int, texts: Mapping[int, str]) -> np.ndarray:
    """Return KEEP for the rows with these texts and REMOVE or BAD for all others, uint8."""
    fates = row_fates(outcome.decided_rows, source)
    fates[fates == KEEP] = REMOVE
    fates[list(texts)] = KEEP
    return fates

"""Statistics of a corpus: `fit_statistics`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from quchong.api.public_calls import public
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.memory import record_limit
from quchong.engines.local.run import run
from quchong.engines.local.statistics import fit_statistics as count_statistics
from quchong.errors import InputError, OutputError, Param, QuchongError, UsageError
from quchong.features.statistics import FeatureStatistics
from quchong.io import WantedColumns
from quchong.io.page_documents import PageReader, Pages, check_pages
from quchong.languages import Message
from quchong.outputs import check_apart, local, settled
from quchong.outputs.replacing import check_replaceable_file
from quchong.plan.column_choice import ColumnChoice, check_needs_columns
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.parameters import checked, only_with_out
from quchong.plan.request import Body, make_plan, method_of
from quchong.plan.sources import Data, Spool, may_be_copied, places_read, sources_of, spooled
from quchong.progress import Progress, Stages
from quchong.seam import Method
from quchong.text import Preparer


@public("tokens")
def fit_statistics(
    data: Data,
    *,
    text: str | Iterable[str] = "text",
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    strip: str | Iterable[str] = (),
    workers: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    progress: Progress | bool | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    html: str | None = "html",
    body: Body = "main",
    method: str | Method = "two-stage",
    **parameters: Unpack[MethodParameters],
) -> FeatureStatistics:
    """Count the document frequencies of a corpus, for the parameter `statistics` of methods that use them.

    Such methods are two-stage with weights="idf", and others that count on the whole corpus; on Spark they require
    statistics.

    Args:
        data, text, format, encoding, max_record, strip, workers, storage_options, progress, html, body: as for `dedup`.
        out: the file to write the statistics to (Parquet).
        overwrite: with `out`: replace an earlier file of statistics.
        method: the method that will use the statistics. A method other than two-stage counts on the documents without exact
            copies, as in a run, and costs as much as a run.
        **parameters: parameters of the named method; for two-stage ngram_size (2), tokens ("char"), normalise ("standard").

    Raises:
        UsageError, InputError: as `dedup`; or the method counts nothing, the corpus has no readable text, or the file at `out`
            contains no statistics.
        OutputError: `out` exists (without `overwrite`), is an input or inside one, or cannot be written.
    """
    most = record_limit(checked(max_record=max_record)["max_record"])
    of_call = checked(
        text=text, format=format, encoding=encoding, strip=strip, workers=workers, progress=progress, out=out,
        overwrite=overwrite, html=html, body=body,
    )  # fmt: skip
    counted = method_of(method, parameters, of_call)
    if of_call["out"] is None:
        only_with_out(overwrite=overwrite)
    else:
        _check_replaceable(of_call["out"], data, overwrite)
    found: FeatureStatistics | None
    columns, stages = of_call["text"], Stages(of_call["progress"], logs=True)
    spool = Spool() if may_be_copied(data) else None
    place = spool.folder if spool else None
    statistics = counted.candidates.statistics
    stream = None if statistics is None else statistics.stream
    with spooled(place):
        if stream is not None:
            wanted = WantedColumns(columns, None, instead=None if html in columns else html or None)
            # Columns are found as for a plan, of which counting itself has none.
            choice = ColumnChoice(make_plan(text=text, html=html, recall_sample=0))
            sources = sources_of(
                data, wanted, format=format, spool=place, encoding=encoding, max_record=most, choose=choice.choose
            )
            check_needs_columns(choice.plan, sources)
            wanted = replace(wanted, text=choice.plan.text)
            for remark in choice.plan.columns_found.remarks():
                stages.remark(remark)
            reader = PageReader(body, wanted.instead, workers=workers)
            pages = [Pages(source, reader) for source in sources]
            preparer = Preparer(of_call["strip"])
            found, bad = count_statistics(pages, wanted, stream, preparer, of_call["workers"], stages)
            if not found.documents:
                raise InputError(
                    "there is no text to count, because {} records could not be read; check {}", bad, Param("text")
                )
            check_pages(reader, found.documents, sources)
        else:
            plan = make_plan(
                method=counted, text=text, strip=strip, html=html, body=body, recall_sample=0, workers=workers, max_record=most,
            )  # fmt: skip
            choice = ColumnChoice(plan)
            sources = sources_of(
                data, plan.wanted_columns, format=format, spool=place, encoding=encoding, max_record=most,
                choose=choice.choose,
            )  # fmt: skip
            for remark in choice.plan.columns_found.remarks():
                stages.remark(remark)
            statistics = run(RunInputs(sources), choice.plan, stages).plan.method.candidates.statistics
            found = None if statistics is None else statistics.frozen
    if not isinstance(found, FeatureStatistics):
        raise UsageError(
            "method {} needs no statistics with these parameters: run without them",
            counted.name,
        )
    if of_call["out"] is not None:
        found.save(of_call["out"])
    return found


def _check_replaceable(out: Path, data: Data, overwrite: bool) -> None:
    """Raise OutputError if `out` overlaps an input, or exists and may not be replaced; InputError if it is another kind of file."""
    check_apart(places_read(data), local([out], "out"))
    settled(out)
    try:
        check_replaceable_file(out, Message("a file of statistics"), _has_statistics, overwrite=overwrite)
    except OutputError as error:
        if overwrite:  # promised as an InputError
            raise InputError("{}", error) from None
        raise


def _has_statistics(path: Path) -> bool:
    with suppress(QuchongError):
        FeatureStatistics.load(path)
        return True
    return False

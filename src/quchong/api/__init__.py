"""The public API: `dedup`, `compare`, `passages`, `load`, and their results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

from quchong.api.loaded import load
from quchong.api.result import Result
from quchong.api.shared import SharedPassages, align, passages
from quchong.engines.local.compare import Comparison, compare_documents
from quchong.engines.local.run import run
from quchong.engines.local.statistics import fit_statistics as count_statistics
from quchong.errors import InputError, Param, UsageError
from quchong.io import Source, Wanted, from_object, one_file, open_inputs
from quchong.plan.catalogue import DEFAULT
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.parameters import DOCUMENT, checked
from quchong.plan.plan import DEFAULT_KEEP, DEFAULT_RELATIONS, Plan
from quchong.plan.request import (
    Body,
    Data,
    Spool,
    is_stdin,
    make_plan,
    method_of,
    places_read,
    sources_of,
    spooled,
)
from quchong.progress import Progress, Stages
from quchong.reading.pages import PageReader, Pages
from quchong.seam import Method
from quchong.sketches import FeatureStatistics
from quchong.text import Preparer

__all__ = [
    "Data",
    "Result",
    "SharedPassages",
    "align",
    "compare",
    "dedup",
    "fit_statistics",
    "load",
    "make_plan",
    "passages",
    "sources_of",
]

Document = str | Mapping[str, Any] | Path
"""One document for `compare`: a text, a record, or a file."""


def dedup(
    data: Data,
    *,
    method: str | Method = DEFAULT,
    keep: str | Iterable[str] = DEFAULT_KEEP,
    relations: str | Iterable[str] = DEFAULT_RELATIONS,
    variants: Literal["keep", "remove"] = "keep",
    against: Data | None = None,
    only_against: bool = False,
    protect: str | int | Iterable[str | int] = (),
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    html: str | None = "html",
    body: Body = "main",
    format: str | None = None,
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    recall_sample: int = 1000,
    workers: int | None = None,
    progress: Progress | None = None,
    **parameters: Unpack[MethodParameters],
) -> Result:
    """Finds exact copies, near-duplicates and contained documents, and decides which to keep.

    Args:
        data: a path (file, folder, glob), paths, a list of str or dict, or any table that speaks the Arrow stream.
        method: a name, or a method such as `quchong.methods.Hybrid(threshold=0.8)`.
        keep: which of two documents is kept, by rules in order; see `quchong.cluster.policy`.
        relations: by which of them a document is removed; the others are reported.
        variants: "remove" removes near-copies that differ in a fact too.
        against: another corpus; documents of `data` that stand there go, its own are never touched. An exact copy of one there
            is not compared with the others there.
        only_against: do not compare `data` with itself.
        protect: ids that are never removed.
        text, id, time, source, html: columns; several text columns are joined. `html` has web pages, read where there is no text.
        body: what of a page is its text.
        format: of files whose name does not tell: jsonl, csv, tsv, parquet, arrow, txt, html, warc.
        within, per, same_site: compare only documents so near in time ("7d"), with one value in a column, of one site.
        strip: lines that are not compared: some of "dateline,source,editor".
        social: what of posts is not compared: "all", "none" or steps of `quchong.text.social`; None: all for the method
            short-text, else none.
        boilerplate: files of lines that are not compared.
        recall_sample: documents compared with all others to measure the search; 0 for none.
        workers: threads; None for all processors. Never changes a result.
        progress: told where the run is.
        **parameters: of the method named, such as threshold or ngram_size; `quchong methods NAME` lists them. A method that is
            given as such has its own.

    Returns:
        A result; nothing is written until its `save`.

    Raises:
        UsageError, InputError: with the file and the remedy. Bad records raise nothing: see `Result.skipped`.

    Deterministic for documents that carry ids: whatever the order, the number of files and of workers. Two things ask
    for the order of the input itself: the policy "first" or "last", and two-stage with stage1 "bloom" or "trie"
    without `confirm`.
    """
    plan = make_plan(
        method=method, keep=keep, relations=relations, variants=variants, only_against=only_against, text=text, id=id,
        time=time, source=source, html=html, body=body, within=within, per=per, same_site=same_site, strip=strip,
        social=social, boilerplate=boilerplate, recall_sample=recall_sample, workers=workers, **parameters,
    )  # fmt: skip
    of_call = checked(protect=protect, format=format, progress=progress)
    stages = Stages(progress)
    spool = Spool() if is_stdin(data) else None
    with spooled(spool.folder if spool else None):
        inputs = sources_of(data, plan.wanted, format=format, spool=spool.folder if spool else None)
        references = [] if against is None else sources_of(against, plan.wanted, format=format)
        if plan.only_against and not references:
            raise UsageError(Param("only_against"), " needs a corpus to compare with: give it as ", Param("against"))
        read = [*places_read(data), *places_read(against), *places_read(_files(boilerplate))]
        read += places_read(parameters.get("statistics"))
        return Result(run(inputs, plan, references, of_call["protect"], stages), stages, spool, read)


def _files(given: Any) -> Any:
    """Names of files as paths, where a list of str would be texts."""
    return [Path(one) for one in given] if isinstance(given, list | tuple) else given


def compare(
    left: Document,
    right: Document,
    *,
    method: str | Method = DEFAULT,
    text: str | Iterable[str] = "text",
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    html: str | None = "html",
    body: Body = "main",
    **parameters: Unpack[MethodParameters],
) -> Comparison:
    """What two documents have in common: relation, exact Jaccard and containments, guards, shared passages.

    The relation is the one a run over these two documents gives. Where a run does not look at a pair, because the two do not
    share enough keys, `compare` judges it all the same.

    Args:
        left, right: each a text (str), a record (dict) with the columns a run reads, or a `pathlib.Path` of a text or web
            page. Methods that look at more than the text take it from the columns title, blocks, url and site; a page (html,
            or a file) tells these itself.
        method: a name, or a method, as for `dedup`.
        text, strip, social, boilerplate, html, body: as for `dedup`.
        **parameters: of the method named. What it counts on a corpus (two-stage with weights="idf", imatch, imatch-s, imatch-p,
            spotsigs, partial and others that take `statistics`) comes from `statistics`, made by `fit_statistics`; without, it
            is counted on the two documents, as a run over them does. What ccdet takes out as a site's own text is counted so
            too.

    Raises:
        UsageError, InputError: as `dedup`; a document without a text.
    """
    plan = make_plan(
        method=method, text=text, strip=strip, social=social, boilerplate=boilerplate, html=html, body=body,
        recall_sample=0, workers=1, **parameters,
    )  # fmt: skip
    spool = Spool() if isinstance(left, Path) or isinstance(right, Path) else None
    sources = [_one(name, given, plan, spool) for name, given in (("left", left), ("right", right))]
    return compare_documents(sources, plan)


def _one(side: str, document: Document, plan: Plan, spool: Spool | None) -> Source:
    """One document as a source."""
    document = DOCUMENT(side, document)
    if isinstance(document, Path):
        return one_file(document, spool.folder if spool else None)
    record = {plan.text[0]: document} if isinstance(document, str) else dict(document)
    source = from_object([record], plan.wanted)
    source.name = side  # for messages
    return source


def fit_statistics(
    data: Data,
    *,
    text: str | Iterable[str] = "text",
    format: str | None = None,
    strip: str | Iterable[str] = (),
    workers: int | None = None,
    progress: Progress | None = None,
    spool: Path | None = None,
    html: str | None = "html",
    body: Body = "main",
    method: str | Method = "two-stage",
    **parameters: Unpack[MethodParameters],
) -> FeatureStatistics:
    """Document frequencies of a corpus, for `dedup(..., method="two-stage", weights="idf", statistics=...)`, or for another
    method that goes by such: on a cluster it must be given them.

    Args:
        data: as for `dedup`, or a list of paths as str where `spool` is given.
        text, format, strip, workers, progress, html, body: as for `dedup`.
        spool: where stdin is written to meanwhile.
        method: the method they are for; one other than two-stage counts what it would count in a run, on the documents that
            exact copies leave, and costs as much as a run.
        **parameters: of the method named; of two-stage ngram_size (2), tokens ("char"), normalise ("standard").

    Raises:
        UsageError, InputError: as `dedup`; a method that counts nothing; a corpus without a readable text.
    """
    of_call = checked(text=text, format=format, strip=strip, workers=workers, progress=progress, html=html, body=body)
    counting: Any = method_of(method, parameters, of_call)
    if counting.name != "two-stage":
        plan = make_plan(
            method=counting, text=text, strip=strip, html=html, body=body, recall_sample=0, workers=workers
        )
        inputs = open_inputs(data, format, spool) if spool is not None else sources_of(data, plan.wanted, format=format)
        counted = getattr(run(inputs, plan, stages=Stages(progress)).plan.method, "statistics", None)
        if not isinstance(counted, FeatureStatistics):
            raise UsageError(f"method {counting.name} counts no document frequencies with these parameters")
        return counted
    columns = of_call["text"]
    wanted = Wanted(columns, None, instead=None if html in columns else html or None)
    sources = open_inputs(data, format, spool) if spool is not None else sources_of(data, wanted, format=format)
    sources = [Pages(source, PageReader(body, wanted.instead, workers=workers)) for source in sources]
    preparer = Preparer(of_call["strip"])
    found, bad = count_statistics(sources, wanted, counting.counting, preparer, of_call["workers"], Stages(progress))
    if not found.documents:
        raise InputError(f"no text to count: {bad} records could not be read; check ", Param("text"))
    return found

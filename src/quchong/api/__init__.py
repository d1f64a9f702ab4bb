"""The public API: `dedup`, `compare`, `passages`, `load`, and their results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from quchong.api.loaded import load
from quchong.api.result import Result
from quchong.api.shared import SharedPassages, align, passages
from quchong.engines.local.compare import Comparison, compare_documents
from quchong.engines.local.run import run
from quchong.engines.local.statistics import fit_statistics as count_statistics
from quchong.errors import InputError, Param, UsageError
from quchong.io import Source, Wanted, from_object, one_file, open_inputs
from quchong.plan.catalogue import DEFAULT, build
from quchong.plan.parameters import DOCUMENT, checked
from quchong.plan.plan import Plan
from quchong.plan.request import Data, Spool, is_stdin, make_plan, places_read, sources_of, spooled
from quchong.progress import Progress, Stages
from quchong.reading.pages import PageReader, Pages
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
    against: Data | None = None,
    protect: str | int | Iterable[str | int] = (),
    format: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Finds exact copies, near-duplicates and contained documents, and decides which to keep.

    Args:
        data: a path (file, folder, glob), paths, a list of str or dict, or any table that speaks the Arrow stream.
        against: another corpus; documents of `data` that stand there go, its own are never touched. An exact copy of one there
            is not compared with the others there.
        protect: ids that are never removed.
        format: of files whose name does not tell: jsonl, csv, tsv, parquet, arrow, txt, html, warc.
        progress: told where the run is.
        **options: method ("hybrid"), keep ("longest,earliest"), relations, variants ("keep" or "remove"), text, id,
            time, source (columns), within ("7d"), per (column), same_site, strip ("dateline,source,editor"),
            social ("all", "none" or steps of `quchong.text.social`; all for the method short-text, else none),
            boilerplate (files), only_against, recall_sample (1000), workers, html (the column of web pages, read where
            there is no text) and body ("main", "all" or another of `quchong.pages.BODIES`), and the method's own parameters, such as
            preset, threshold, containment, ngram_size, normalise, tokens, guards.

    Returns:
        A result; nothing is written until its `save`.

    Raises:
        UsageError, InputError: with the file and the remedy. Bad records raise nothing: see `Result.skipped`.

    Deterministic for documents that carry ids: whatever the order, the number of files and of workers. Two things ask
    for the order of the input itself: the policy "first" or "last", and two-stage with stage1 "bloom" or "trie"
    without `confirm`.
    """
    plan = make_plan(**options)
    of_call = checked(protect=protect, format=format, progress=progress)
    stages = Stages(progress)
    spool = Spool() if is_stdin(data) else None
    with spooled(spool.folder if spool else None):
        inputs = sources_of(data, plan.wanted, format=format, spool=spool.folder if spool else None)
        references = [] if against is None else sources_of(against, plan.wanted, format=format)
        if plan.only_against and not references:
            raise UsageError(Param("only_against"), " needs a corpus to compare with: give it as ", Param("against"))
        read = [*places_read(data), *places_read(against), *places_read(_files(options.get("boilerplate")))]
        read += places_read(options.get("statistics"))
        return Result(run(inputs, plan, references, of_call["protect"], stages), stages, spool, read)


def _files(given: Any) -> Any:
    """Names of files as paths, where a list of str would be texts."""
    return [Path(one) for one in given] if isinstance(given, list | tuple) else given


def compare(
    left: Document,
    right: Document,
    *,
    method: str = DEFAULT,
    text: str | Iterable[str] = "text",
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: Sequence[str | Path] = (),
    html: str | None = "html",
    body: str = "main",
    **parameters: Any,
) -> Comparison:
    """What two documents have in common: relation, exact Jaccard and containments, guards, shared passages.

    The relation is the one a run over these two documents gives. Where a run does not look at a pair, because the two do not
    share enough keys, `compare` judges it all the same.

    Args:
        left, right: each a text (str), a record (dict) with the columns a run reads, or a `pathlib.Path` of a text or web
            page. Methods that look at more than the text take it from the columns title, blocks, url and site; a page (html,
            or a file) tells these itself.
        method: see `quchong.methods`.
        text, strip, social, boilerplate, html, body: as for `dedup`.
        **parameters: of the method. What it counts on a corpus (two-stage with weights="idf", imatch, imatch-s, imatch-p,
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
    body: str = "main",
    method: str = "two-stage",
    **parameters: Any,
) -> FeatureStatistics:
    """Document frequencies of a corpus, for `dedup(..., method="two-stage", weights="idf", statistics=...)`, or for another
    method that goes by such: on a cluster it must be given them.

    Args:
        data: as for `dedup`, or a list of paths as str where `spool` is given.
        text, format, strip, workers, progress, html, body: as for `dedup`.
        spool: where stdin is written to meanwhile.
        method: the method they are for; one other than two-stage counts what it would count in a run, on the documents that
            exact copies leave, and costs as much as a run.
        **parameters: of the method; of two-stage ngram_size (2), tokens ("char"), normalise ("standard").

    Raises:
        UsageError, InputError: as `dedup`; a method that counts nothing; a corpus without a readable text.
    """
    of_call = checked(
        text=text, format=format, strip=strip, workers=workers, progress=progress, html=html, body=body, method=method
    )
    if method != "two-stage":
        given = {k: v for k, v in parameters.items() if v is not None}
        plan = make_plan(
            method=method, text=text, strip=strip, html=html, body=body, recall_sample=0, workers=workers, **given
        )
        inputs = open_inputs(data, format, spool) if spool is not None else sources_of(data, plan.wanted, format=format)
        counted = getattr(run(inputs, plan, stages=Stages(progress)).plan.method, "statistics", None)
        if not isinstance(counted, FeatureStatistics):
            raise UsageError(f"method {method} counts no document frequencies with these parameters")
        return counted
    columns = of_call["text"]
    wanted = Wanted(columns, None, instead=None if html in columns else html or None)
    sources = open_inputs(data, format, spool) if spool is not None else sources_of(data, wanted, format=format)
    sources = [Pages(source, PageReader(body, wanted.instead, workers=workers)) for source in sources]
    counting: Any = build(method, parameters, of_call)
    preparer = Preparer(of_call["strip"])
    found, bad = count_statistics(sources, wanted, counting, preparer, of_call["workers"], Stages(progress))
    if not found.documents:
        raise InputError(f"no text to count: {bad} records could not be read; check ", Param("text"))
    return found

"""The public face: `dedup`, `compare`, `load`, and the result they give."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import InputError, UsageError
from quchong.io import MemorySource, Source, Wanted, from_object, open_inputs, read_whole
from quchong.methods.two_stage import TwoStage
from quchong.pages import check_body
from quchong.pipeline.catalogue import DEFAULT, build
from quchong.pipeline.compare import Comparison, compare_texts
from quchong.pipeline.decide import again
from quchong.pipeline.explain import explain
from quchong.pipeline.folder import describe, fates_of, fresh_folder, row_fates, write
from quchong.pipeline.local import Outcome, run
from quchong.pipeline.pages import PageReader, Pages
from quchong.pipeline.plan import DEFAULT_RELATIONS, Plan, Scope, parse_within
from quchong.pipeline.progress import Progress, Stages
from quchong.pipeline.saved import SavedRun, biggest_clusters
from quchong.pipeline.statistics import fit_statistics as count_statistics
from quchong.report import Explanation, summary
from quchong.seam import Method
from quchong.sketches import FeatureStatistics
from quchong.text import Preparer, social_steps

Data = Any
"""A path or paths (files, folders, globs), a list of str or dict, or anything that speaks the Arrow stream:
Arrow, Polars and pandas tables, DuckDB relations, Hugging Face data sets."""


class _Spool:
    """A folder for what stdin gave, removed when nobody holds it any more."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="quchong-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


class Result:
    """What a run found. Nothing is written until `save`; nothing changes: `rethreshold` gives a new result."""

    def __init__(self, outcome: Outcome, stages: Stages, spool: _Spool | None = None) -> None:
        self._outcome = outcome
        self._stages = stages
        self._spool = spool  # what stdin was written to lives as long as the result

    @property
    def ledger(self) -> pa.Table:
        """One row per removed document (`quchong.tables.LEDGER`)."""
        return self._outcome.ledger

    @property
    def pairs(self) -> pa.Table:
        """Every verified pair at or above the floor (`quchong.tables.PAIRS`)."""
        return self._outcome.pairs

    @property
    def clusters(self) -> pa.Table:
        """Survivors and what went for their sake (`quchong.tables.CLUSTERS`)."""
        return self._outcome.clusters

    @property
    def documents(self) -> pa.Table:
        """What became of every document (`quchong.tables.FATES`)."""
        o = self._outcome
        return fates_of(o.corpus, o.fate, o.priority, o.protected)

    @property
    def kept(self) -> pa.Table:
        """The input without what was removed, all columns, order kept. Read again from the files, if from files."""
        return self._rows(removed=False)

    @property
    def removed(self) -> pa.Table:
        """The removed rows, whole."""
        return self._rows(removed=True)

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """Bad records: source, row, line, reason."""
        return [{"source": b.source, "row": b.row, "line": b.line, "reason": b.reason} for b in self._outcome.bad]

    @property
    def unscored(self) -> list[str]:
        """Ids of documents with too little text to be compared beyond equality. They stay, unless exact copies."""
        ids: list[str] = self._outcome.unscored.to_pylist()
        return ids

    @property
    def counts(self) -> dict[str, Any]:
        """Documents read, kept, removed, by relation, and more."""
        return self._outcome.counts

    @property
    def manifest(self) -> dict[str, Any]:
        """What run.json would hold, without files."""
        return describe(self._outcome, "memory", {}, self._stages)

    def summary(self) -> str:
        """The summary table as text."""
        lines = []
        for title, rows in summary(self.manifest, biggest_clusters(self.clusters)):
            lines.append(title)
            lines += [f"  {label:<24} {value}" for label, value in rows]
        return "\n".join(lines)

    def __repr__(self) -> str:
        c = self.counts
        return f"<quchong.Result: {c['read']:,} documents, {c['kept']:,} kept, {c['removed']:,} removed>"

    def explain(self, doc_id: str | int) -> Explanation:
        """Why a document went, as a copy of what, with the passages both share.

        Raises:
            UsageError: no document has this id.
        """
        tables = {"ledger": self.ledger, "pairs": self.pairs, "clusters": self.clusters, "documents": self.documents}
        return explain(str(doc_id), tables, self._texts)

    def least_similar(self, n: int = 10) -> pa.Table:
        """The n removals nearest to the line: ledger rows with the least of max(jaccard, containment), then id.

        Without what a filter removed unconfirmed, which has no such figures.
        """
        ledger = self.ledger.filter(pc.is_valid(self.ledger["jaccard"]))
        score = pc.max_element_wise(ledger["jaccard"], ledger["containment"])
        order = pc.sort_indices(
            pa.table({"score": score, "id": ledger["id"]}), [("score", "ascending"), ("id", "ascending")]
        )
        return ledger.take(order.slice(0, n))

    def rethreshold(
        self,
        threshold: float | None = None,
        containment: float | None = None,
        *,
        relations: str | Iterable[str] | None = None,
        **parameters: Any,
    ) -> Result:
        """The same run under other thresholds or relations, decided again from the pairs: no text is compared again.

        Further parameters are those of the method that only enter its decision, such as two-stage's `distance`.

        Raises:
            UsageError: a threshold below the floor the pairs were kept at, or a method without such a threshold.
        """
        plan = self._outcome.plan
        fields = plan.method.settings()
        parameters |= {"threshold": threshold, "containment": containment}
        given = {k: v for k, v in parameters.items() if v is not None}
        unknown = [k for k in given if k not in fields or k not in plan.method.traits.decided_by]
        if unknown:
            raise UsageError(f"method {plan.method.name} has no {' or '.join(unknown)} to change")
        method: Any = plan.method  # a frozen dataclass, whichever it is
        method = replace(method, **given)
        changed = replace(plan, method=method, relations=plan.relations if relations is None else _names(relations))
        return Result(again(self._outcome, changed), self._stages, self._spool)

    def save(self, folder: str | Path, *, overwrite: bool = False, mode: str = "remove") -> Path:
        """Writes the run folder: kept, removed, ledger, pairs, clusters, documents, skipped, run.json.

        Raises:
            OutputError: the folder exists (without `overwrite`) or cannot be written.
            InputChanged: an input file changed since it was read.
        """
        _check_mode(mode)
        out = Path(folder)
        with fresh_folder(out, overwrite=overwrite) as fresh:
            write(self._outcome, fresh, mode, self._stages, {})
        return out

    def _rows(self, *, removed: bool) -> pa.Table:
        tables: list[pa.Table] = []
        for s, source in enumerate(self._outcome.corpus.sources):
            if s < self._outcome.reference_sources:
                continue
            fate = row_fates(self._outcome, s)
            source = source.inner if isinstance(source, Pages) else source
            wanted = fate == (1 if removed else 0)
            tables.append(
                source.take(wanted) if isinstance(source, MemorySource) else _split_rows(source, fate, removed)
            )
        return pa.concat_tables(tables, promote_options="permissive") if tables else pa.table({})

    def _texts(self, ids: Sequence[str]) -> list[str | None]:
        o = self._outcome
        wanted = o.plan.wanted
        out: list[str | None] = []
        for doc_id in ids:
            place = pc.index(o.corpus.ids, pa.scalar(doc_id, pa.large_string())).as_py()
            source = o.corpus.sources[int(o.corpus.source[place])]
            found = source.fetch([int(o.corpus.row[place])], wanted)
            out.append(found["text"][0].as_py() if len(found) else None)
        return out


def _split_rows(source: Source, fate: np.ndarray, removed: bool) -> pa.Table:
    """Rows of a file by way of its own format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows{source.suffix}"
        source.split(fate, None if removed else path, path if removed else None)
        return read_whole(path)


def _check_mode(mode: str) -> None:
    if mode not in ("remove", "annotate"):
        raise UsageError(f"unknown mode {mode!r}: use remove or annotate")


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(v.strip() for v in items if v.strip()))


def sources_of(data: Data, wanted: Wanted, *, format: str | None = None, spool: Path | None = None) -> list[Source]:
    """Sources of whatever was given: paths are opened, objects wrapped.

    One str is a path (or a glob, or - for stdin); a list of str holds texts; a list of pathlib.Path holds files.

    Raises:
        InputError, UsageError: see `quchong.io`.
    """
    if isinstance(data, str | os.PathLike):
        return open_inputs([Path(data) if not isinstance(data, str) else data], format, spool)
    if isinstance(data, list | tuple) and data and all(isinstance(d, os.PathLike) for d in data):
        return open_inputs([Path(d) for d in data], format, spool)
    return [from_object(data, wanted)]


def make_plan(  # noqa: PLR0913 - the options of a run, one by one
    *,
    method: str = DEFAULT,
    keep: str = "longest,earliest",
    relations: str | Iterable[str] = DEFAULT_RELATIONS,
    variants: str = "keep",
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: Sequence[str | Path] = (),
    only_against: bool = False,
    recall_sample: int = 1000,
    workers: int | None = None,
    html: str | None = "html",
    body: str = "main",
    **parameters: Any,
) -> Plan:
    """A validated plan from the options of `dedup` and of the command line.

    Raises:
        UsageError: whatever cannot be used, with what could be.
        InputError: a boilerplate file that cannot be read.
    """
    if variants not in ("keep", "remove"):
        raise UsageError(f"unknown --variants {variants!r}: use keep or remove")
    wanted = _names(relations)
    if variants == "remove" and "variant" not in wanted:
        wanted = (*wanted, "variant")
    lines: list[str] = []
    for path in boilerplate:
        try:
            lines += Path(path).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"boilerplate file {path} cannot be read: {error}; give UTF-8 text, one stretch a line"
            ) from error
    chosen = build(method, parameters)
    return Plan(
        method=chosen, keep=keep, relations=wanted, text=_names(text),
        id="id" if id is None else id, id_given=id is not None, time_key=time, source_key=source,
        scope=Scope(parse_within(within), per, same_site),
        preparer=Preparer(_names(strip), tuple(lines), _social(chosen, social)),
        only_against=only_against, recall_sample=recall_sample, workers=workers, html=html or None, body=body,
    )  # fmt: skip


def _social(method: Method, given: str | Iterable[str] | None) -> tuple[str, ...]:
    """The steps asked for; without any all of them for a method made for posts, else none."""
    return social_steps(("all" if method.traits.social else "none") if given is None else given)


def dedup(
    data: Data,
    *,
    against: Data | None = None,
    protect: Iterable[str | int] = (),
    format: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Finds exact copies, near-duplicates and contained documents, and decides which to keep.

    Args:
        data: a path (file, folder, glob), paths, a list of str or dict, or any table that speaks the Arrow stream.
        against: another corpus; documents of `data` that stand there go, its own are never touched.
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
    stages = Stages(progress)
    spool = _Spool() if _is_stdin(data) else None
    inputs = sources_of(data, plan.wanted, format=format, spool=spool.folder if spool else None)
    references = [] if against is None else sources_of(against, plan.wanted, format=format)
    if plan.only_against and not references:
        raise UsageError("only_against (--only-against) needs a corpus to compare with: give against (--against)")
    wanted = [str(protect)] if isinstance(protect, str | int) else [str(i) for i in protect]
    return Result(run(inputs, plan, references, wanted, stages), stages, spool)


def _is_stdin(data: Data) -> bool:
    return isinstance(data, str) and data == "-"


def compare(
    left: str, right: str, *, method: str = DEFAULT, social: str | Iterable[str] | None = None, **parameters: Any
) -> Comparison:
    """What two texts have in common: relation, exact Jaccard and containments, guards, shared passages.

    `social` as in `dedup`.
    """
    for name, text in (("left", left), ("right", right)):
        if not isinstance(text, str):
            raise UsageError(f"{name} must be a str, got {type(text).__name__}")
    chosen = build(method, parameters)
    return compare_texts(left, right, chosen, Preparer(social=_social(chosen, social)))


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
    **parameters: Any,
) -> FeatureStatistics:
    """Document frequencies of a corpus, for `dedup(..., method="two-stage", weights="idf", statistics=...)`.

    Args:
        data: as for `dedup`, or a list of paths as str where `spool` is given.
        text, format, strip, workers, progress, html, body: as for `dedup`.
        spool: where stdin is written to meanwhile.
        **parameters: ngram_size (2), tokens ("char"), normalise ("standard").

    Raises:
        UsageError, InputError: as `dedup`; a corpus without a readable text.
    """
    wanted = Wanted(_names(text), None, instead=None if html in _names(text) else html or None)
    check_body(body)
    sources = open_inputs(data, format, spool) if spool is not None else sources_of(data, wanted, format=format)
    sources = [Pages(source, PageReader(body, wanted.instead, workers=workers)) for source in sources]
    method = TwoStage(**{k: v for k, v in parameters.items() if v is not None})
    found, bad = count_statistics(sources, wanted, method, Preparer(_names(strip)), workers, Stages(progress))
    if not found.documents:
        raise InputError(f"no text to count: {bad} records could not be read; check --text-key")
    return found


def load(folder: str | Path) -> SavedRun:
    """A run folder read back: its tables, explanations and texts.

    Raises:
        RunError: no run folder, or a damaged one.
    """
    return SavedRun(Path(folder))

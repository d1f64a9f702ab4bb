"""Deduplication: `dedup` finds copies and decides which to keep, in memory or in a run folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from quchong.api.loaded import LoadedResult
from quchong.api.output import OutputOptions
from quchong.api.part_runs import check_shared_files
from quchong.api.public_calls import public
from quchong.api.result import Result
from quchong.api.units import with_units
from quchong.engines.local.memory import Room, record_limit
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.run import run
from quchong.engines.local.target import brought_to, check_target
from quchong.plan.catalogue import DEFAULT
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.parameters import checked
from quchong.plan.plan import Plan
from quchong.plan.request import Body, EqualTexts, Examined, Roundups, Templated, make_plan
from quchong.plan.sources import Data
from quchong.progress import LoggedRun, Progress, Stages
from quchong.relations import DEFAULT_REMOVED
from quchong.results.input_options import InputOptions
from quchong.seam import Method

_READ = ("against", "format", "encoding", "protect", "decisions")
"""Arguments of `dedup` on what is read; `boilerplate` also belongs to the plan."""
_WRITTEN = (
    "out", "target", "annotate", "overwrite", "work", "fresh", "keep_work", "join", "ids_only", "shard_size", "compress", "parquet",
    "add_columns",
)  # fmt: skip


@with_units
@public("tokens")
def dedup(
    data: Data,
    *,
    method: str | Method = DEFAULT,
    keep: str | Iterable[str] | None = None,
    relations: str | Iterable[str] = DEFAULT_REMOVED,
    against: Data | None = None,
    only_against: bool = False,
    protect: str | int | Path | Iterable[str | int] = (),
    decisions: str | Path | None = None,
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    html: str | None = "html",
    body: Body = "main",
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    differences: Examined = "deciding",
    templates: Templated = "keep",
    roundups: Roundups | None = None,
    exact: EqualTexts = "strict",
    mix: str | Path | Mapping[str, float] | None = None,
    mix_seed: int = 0,
    keep_per_cluster: int = 1,
    target: int | None = None,
    recall_sample: int = 1000,
    workers: int | None = None,
    out: str | Path | None = None,
    annotate: bool = False,
    ids_only: bool = False,
    shard_size: str | int | None = None,
    compress: str | None = None,
    parquet: str | Mapping[str, str | int] | None = None,
    add_columns: str | Iterable[str] = (),
    overwrite: bool = False,
    memory: str | int | None = None,
    work: str | Path | None = None,
    fresh: bool = False,
    keep_work: bool = False,
    join: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    progress: Progress | bool | None = None,
    **parameters: Unpack[MethodParameters],
) -> Result:
    """Find exact copies, near-duplicates and contained documents, and decide which to keep.

    Args:
        data: a path (file, folder, glob), paths, a list of str or dict, or any table that speaks the Arrow stream.
        method: a name, or a method such as `quchong.methods.Hybrid(threshold=0.8)`.
        keep: criteria, in order, by which one of two documents is kept: "longest", "earliest", "source:best>second" and the others
            of `quchong.policy.criteria.CRITERIA`. None for "longest,earliest", for posts (`social`, or the method short-text)
            "earliest,longest".
        relations: relations by which a document is removed, such as "exact" or "variant" (`quchong.relations.REMOVABLE` has all);
            the others are reported. Near-copies that differ in a fact are variants: facts="remove" removes them too.
        against: a reference corpus. Documents of `data` that it contains are removed; the reference is never changed. An exact
            copy of a reference document is not compared with the other references. A run folder means the rows it kept; give
            several as a list of `pathlib.Path`. Features that it stored (`keep_work`) are used if they fit, else its rows are
            read.
        only_against: do not compare `data` with itself.
        protect: ids that are never removed, or a `pathlib.Path` of a file of them, one a line.
        decisions: a file that `quchong review` wrote. A removal that a reviewer rejected is not repeated: both documents are kept.
            Accepted removals and labels have no effect.
        text, id, time, source, html: names of columns; several text columns are joined. `html` has web pages, read for rows
            without text.
        body: part of a page that is its text: "main", its article; "accurate", the article found by trafilatura, slower; "all",
            everything visible.
        format: format of files whose names do not show it: jsonl, json, csv, tsv, parquet, arrow, xlsx, txt, html, warc.
        encoding: encoding of the text and CSV files of `data`, such as "gb18030" or "cp1252". By default it is detected: UTF-8 if the
            file can be read so, else GB18030 or Big5, or UTF-16 by its mark. `Result.manifest` lists files in other encodings than
            UTF-8.
        max_record: most bytes of a record, such as "64M"; a larger one is skipped as a bad record and is never loaded whole. None for
            an eighth of the memory that the call may use, 256M at most.
        within, per, same_site: compare only documents at most this far apart in time ("7d"), with the same value in a column, of the
            same site.
        strip: kinds of lines that are not compared: some of "dateline,source,editor"; of
            source code "comments" and "licences", the licence at its beginning.
        social: parts of posts that are not compared: "all", "none" or steps of `quchong.text.social`; None: all for the method
            short-text, else none.
        boilerplate: files of lines that are not compared.
        differences: pairs whose differences are examined: "deciding", those on which it depends which documents are removed, and for
            whom; or "all". Pairs of two removed documents are mostly "unexamined" in the table of pairs then; whatever shows such a pair
            examines it. Never changes which documents are removed.
        templates: "keep" tells records on one template from copies: where three documents or more share a frame and fill its slots with
            many different things, two that fill a slot otherwise are variants by the kind of fact "field", and neither removes the other
            even with facts="remove" (`Result.templates` has what was found); "remove" looks for no templates;
            "payload" is as "keep", and records that say the same in the slots of different templates are duplicates.
        roundups: "keep" removes no document for a roundup, which contains several different documents, or for a forward, which quotes it
            with a mark such as "//@name:": both are kept, and named in the column `policy` of the documents. A part that is published
            later, or is a roundup itself, is removed. "remove" removes a roundup of which its parts have 90% of the text or more together;
            its survivor is the part that has most of it. "cut" removes every roundup for its parts, and writes its row with the
            sentences that no kept document has (`Result.cut`, the file `cut.*` of a run folder): `kept` and `cut` together are the corpus.
            "whole" removes every contained document, so that of a roundup and its parts the roundup alone is kept. None for "remove" with
            the preset training, else "keep". A manual or book beside its chapters is a roundup of them, too.
        exact: texts that are exact copies, removed without a further look: "strict", equal in letters, digits and symbols that carry
            meaning; "loose", in letters and digits alone; "raw", byte for byte. All others are compared as near-copies are.
        mix: weights by source, how often training is to read a kept document of each: a dict, a text such as "news=2,web=0.5", or the path
            of a CSV, JSON or TOML file; "*" has the weight of all others, else 1. Kept rows get the column `quchong_copies_wanted`: the
            whole part of the weight, and one more for a document that is drawn for the fraction. No other document is removed.
        mix_seed: seed of the draw, which depends on the id of a document and on nothing else.
        keep_per_cluster: number of documents of each cluster to keep: its survivor, and the best by `keep` of the documents removed for
            it, exact copies among them. Documents that `against` has, and roundups removed for their parts, stay removed.
        target: number of documents to keep: the run is decided again with the highest threshold, to three decimals, that keeps at most so
            many (`Result.rethreshold`). If none does, the nearest one is taken; a remark says what was found. Recall is not told then.
        recall_sample: number of documents that are compared with all others to measure recall; 0 for none. Those that have much in
            common with very many are compared with a share of them, and at most 10,000 pairs are judged.
        workers: threads; None for all processors. Never changes a result.
        out: the run folder to write, as `Result.save` does; rows are copied while recall is still being measured. The result
            reads rows from there and keeps no texts in memory.
        annotate: with `out`: write all rows to one output, with columns for the decisions, instead of separate kept and removed rows.
        ids_only: with `out`: write the ids of kept rows to `kept_ids.parquet` (id, source and row number), and no rows.
        shard_size: with `out`: write kept and removed rows in numbered files of at most this size before compression, such as "500MB";
            only a record that is larger has a larger file.
        compress: with `out`: compression of text files of rows: "zst", "gz", "bz2" or "none"; None: that of the input.
        parquet: with `out`: options of Parquet files of rows, such as "compression=zstd,level=3,row-group=128MB", or a dict of them;
            what is not named is as in the input.
        add_columns: with `out`: columns added to kept rows, some of "copies" (how many documents were removed for the row), "sources" (the
            different sources of both), "first_seen" and "last_seen" (the first and last of their times), each with "quchong_" before its
            name. `Result.kept_columns` has all of them for any run.
        overwrite: with `out`: replace an earlier run there.
        memory: most bytes that the run may use, such as "4G"; None for half of the memory of the machine or container. A run that
            may need more stores texts and the results of its stages in files.
        work: with `out`: folder for these files; None for a hidden one next to `out`. If it is given, they are always written. An
            interrupted run continues from them when it is called again with the same data and parameters; `workers` and `memory`
            may differ.
        fresh: with `out`: remove the files of an interrupted run, and start over.
        keep_work: with `out`: store the prepared texts and features of kept documents, so that later runs against this folder
            (`against`) need not read them again. Not possible for texts that are files of their own, nor for workbooks.
        join: with `out`: number of parts that have read the data (`dedup_part`), with the same arguments; they are not read again. The
            result is that of a run without parts.
        storage_options: options of fsspec for data on other machines, such as {"key": ..., "secret": ..., "endpoint_url": ...}, or
            those of several protocols by name. They are stored nowhere.
        progress: True shows bars on a terminal, and a line for each stage elsewhere. Another object receives the stages of the run and
            their progress by its methods stage(name, total, unit) and advance(amount); if it has a method `planned`, this receives
            the `Estimate` of a large run before it begins. The logger `quchong` of the module logging receives the stages in any case.
        **parameters: parameters of the named method, such as threshold or ngram_size; `quchong methods NAME` lists them. Not
            allowed with a method object, which has its own. Without a method, unit="line" or "paragraph" makes the call one of
            `quchong.dedup_units`, which cuts repeated lines or paragraphs out of documents.

    Returns:
        A result. Without `out` nothing is written before its method `save` is called; with `out` it is the written run folder, as
        `load` returns it.

    Raises:
        UsageError, InputError: a parameter or input cannot be used; the message names the file and a remedy. Bad records raise
            nothing: see `Result.skipped`.
        OutputError: `out` exists (without `overwrite`), overlaps an input, or cannot be written.
        InputChanged: with `out`: an input file changed during the run.

    Documents with ids give the same result for any order of the input and any number of files and workers. Two options depend on
    the order of the input: the policy "first" or "last", and two-stage with stage1 "bloom" or "trie" without `confirm`.
    """
    plan, reading, output, stages = planned_call(
        data, method=method, keep=keep, relations=relations, against=against, only_against=only_against, protect=protect,
        decisions=decisions, text=text, id=id, time=time, source=source, html=html, body=body, format=format, encoding=encoding,
        max_record=max_record, within=within, per=per, same_site=same_site, strip=strip, social=social, boilerplate=boilerplate,
        differences=differences, templates=templates, roundups=roundups, exact=exact, mix=mix, mix_seed=mix_seed,
        keep_per_cluster=keep_per_cluster, target=target, recall_sample=recall_sample,
        workers=workers, out=out,
        annotate=annotate, ids_only=ids_only, shard_size=shard_size, compress=compress, parquet=parquet, add_columns=add_columns,
        overwrite=overwrite, memory=memory, work=work, fresh=fresh, keep_work=keep_work, join=join, progress=progress, **parameters,
    )  # fmt: skip
    with LoggedRun(
        "dedup", method=plan.method.name, out=None if output.folder is None else str(output.folder)
    ) as logged:
        result = _deduplicated(plan, reading, output, stages)
        logged.finish(result.counts, result.manifest["alarms"], stages.sampler.whole.private)
    return result


def planned_call(data: Data, **given: Any) -> tuple[Plan, InputOptions, OutputOptions, Stages]:
    """Check the arguments of `dedup`; return its plan, its input options, its output options, and the record of times per stage."""
    sizes = checked(memory=given.pop("memory"), max_record=given.pop("max_record"))
    progress, boilerplate = given.pop("progress"), given["boilerplate"]
    read, written = ({name: given.pop(name) for name in names} for names in (_READ, _WRITTEN))
    plan = make_plan(max_record=record_limit(sizes["max_record"], sizes["memory"]), **given)
    reading = InputOptions.of_call(data, plan, boilerplate=boilerplate, **read)
    output = OutputOptions.of_call(**written, **sizes)
    if output.target is not None:
        check_target(plan.method, output.target)
    if output.join is not None:
        check_shared_files(reading.data, reading.against)
    return plan, reading, output, Stages(checked(progress=progress)["progress"], logs=True)


def _deduplicated(plan: Plan, reading: InputOptions, output: OutputOptions, stages: Stages) -> Result:
    """Run a plan and return its result: in memory, or of the written run folder if `output` names one."""
    if output.folder is None:
        with reading.open_inputs(plan) as inputs:
            for remark in inputs.remarks:
                stages.remark(remark)
            outcome = run(inputs, inputs.plan or plan, stages, room=Room(output.memory))
            if output.target is not None:
                outcome = _brought(outcome, output.target, stages)
            outcome = reading.with_alarms(outcome)
            return Result(outcome, stages, inputs.spool, reading.places)
    with output.writing(reading, plan, stages) as writing:
        if output.target is None:
            outcome = run(writing.inputs, writing.plan, stages, room=writing.begin(), writer=writing)
        else:  # what is kept is known only when the threshold is
            outcome = run(writing.inputs, writing.plan, stages, room=replace(writing.begin(), pairs=None))
            outcome = _brought(outcome, output.target, stages)
            writing.write_outcome(outcome)
        found = writing.finish(reading.with_alarms(outcome))
    return LoadedResult(output.folder.absolute(), *found)


def _brought(outcome: Outcome, target: int, stages: Stages) -> Outcome:
    """Decide an outcome again so that about `target` documents are kept; note in the record of times how that was reached."""
    with stages.stage("choose survivors"):
        found, told = brought_to(outcome, target)
    if told is not None:
        stages.remark(told)
    return found

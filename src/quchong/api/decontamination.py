"""Test items in a training corpus: `decontaminate`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from quchong.api.public_calls import public
from quchong.engines.contamination.exchange import check_columns_not_exchanged, check_not_exchanged
from quchong.engines.contamination.item_parts import make_parts
from quchong.engines.contamination.item_texts import ItemColumns, find_columns
from quchong.engines.contamination.rules import Rule
from quchong.engines.contamination.search import Search
from quchong.engines.contamination.test_sets import TestSets, read_test_sets
from quchong.engines.local.memory import budget, record_limit
from quchong.io import WantedColumns
from quchong.io.limits import page_limit
from quchong.io.missing_columns import MissingTextError
from quchong.io.page_documents import PageReader, Pages, check_pages
from quchong.languages import filled
from quchong.outputs import Place, check_apart, local
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.made_by_calls import MadeByCall
from quchong.parameters.other_attributes import SuggestsNames
from quchong.plan.parameters import checked, choice, only_with_out
from quchong.plan.request import Body, make_plan
from quchong.plan.sources import Data, Spool, may_be_copied, paths_of, places_opened, sources_of, spooled
from quchong.progress import Progress, Stages
from quchong.results.contamination import MODES, TABLE, ContaminationResult, check_mode, write_result
from quchong.results.input_options import InputOptions, remarks_on_itself
from quchong.runs.layout import fresh_folder

Mode = Literal["report", "remove", "cut", "annotate"]
_MODE = choice(*MODES)


@explains_arguments
class Contamination(SuggestsNames, metaclass=MadeByCall):
    """Test items that were found in a training corpus. Without `out` nothing is written before `save` is called."""

    _MADE_BY = "qc.decontaminate('corpus.jsonl', 'test.jsonl')"
    _LOOPED = "found.items.to_pylist(), found.documents.to_pylist()"
    _OTHER_NAMES = MappingProxyType({
        "rows": "kept clean cleaned data result output", "documents": "removed leaks leaked contaminated leaking",
        "items": "tests questions leaked_items", "matches": "pairs passages", "save": "write to_csv to_json",
    })  # fmt: skip

    def __init__(
        self, result: ContaminationResult, stages: Stages, spools: Sequence[Spool], read: Sequence[Place]
    ) -> None:
        self._result, self._stages, self._read = result, stages, read
        self._spools = tuple(spools)  # what stdin was written to lives as long as the result
        self._manifest: dict[str, Any] | None = None

    @property
    def matches(self) -> pa.Table:
        """Table with one row for each passage of an item in a document (`quchong.engines.contamination.schemas.MATCHES`)."""
        return self._result.tables.matches

    @property
    def items(self) -> pa.Table:
        """Table with one row for each item of the test sets: whether it was judged, and in how many documents it is (`ITEMS`)."""
        return self._result.tables.items

    @property
    def documents(self) -> pa.Table:
        """Table with one row for each document in which an item was found (`DOCUMENTS`)."""
        return self._result.tables.documents

    @property
    def sets(self) -> list[dict[str, Any]]:
        """Figures of each test set: items, judged, found with and without answer."""
        return self._result.tables.sets

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of run.json if `out` was given, else its future contents, without files."""
        return self._result.describe(self._stages) if self._manifest is None else self._manifest

    @property
    def rows(self) -> pa.Table:
        """Rows of data in memory as the mode leaves them: without the leaks, cut, annotated, or all.

        Raises:
            UsageError: the data is from files.
        """
        return self._result.rows()

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write matches.parquet, items.parquet, documents.parquet, skipped.jsonl, run.json, and the rows by the mode.

        Raises:
            OutputError: the folder exists (without `overwrite`), overlaps an input, or cannot be written.
            InputChanged: an input file changed since it was read.
            UsageError: the text of records cannot be replaced in a source of this format, such as WARC.
        """
        out: Path = checked(folder=folder, overwrite=overwrite)["folder"]
        self._check_apart(local([out]))
        with fresh_folder(out, overwrite=overwrite, table=TABLE) as fresh:
            write_result(self._result, fresh, self._stages)
        return out

    def _check_apart(self, written: list[Place]) -> None:
        check_apart([*self._read, *places_opened(self._result.sources)], written)

    def _fill(self, fresh: Path, written: list[Place]) -> None:
        """Write the result into a new folder."""
        self._check_apart(written)
        self._manifest = write_result(self._result, fresh, self._stages)

    def __repr__(self) -> str:
        c = self._result.counts
        found = sum(one["found"] for one in self.sets)
        values = found, len(self.items), c["leaking"], c["read"]
        return filled("<quchong.Contamination: {:,} of {:,} items in {:,} of {:,} documents>", values)


@public()
def decontaminate(
    data: Data,
    against: Data,
    *,
    rule: Literal["containment", "ngram8", "ngram13"] = "containment",
    min_share: float | None = None,
    min_length: int | None = None,
    question: str | Iterable[str] = (),
    answer: str | Iterable[str] = (),
    choices: str | Iterable[str] = (),
    item_id: str | None = None,
    when: Literal["question", "both"] = "question",
    mode: Mode = "report",
    text: str | Iterable[str] = "text",
    id: str | None = None,
    html: str | None = "html",
    body: Body = "main",
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    memory: str | int | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    storage_options: Mapping[str, Any] | None = None,
    progress: Progress | bool | None = None,
) -> Contamination:
    """Find the items of test sets in a training corpus, and remove, cut or annotate the documents that contain their questions.

    Texts are compared in normal form: width of characters, marks, line breaks, case, and traditional characters make no difference.

    Args:
        data, text, id, html, body, format, encoding, max_record, workers, storage_options, progress: the training corpus,
            as for `dedup`.
        against: the test sets, as `data`; each file is one set.
        rule: "containment": a document contains enough of an item in one place and in its order; "ngram8": it has enough of an item's
            8-grams anywhere (PaLM); "ngram13": it has one of an item's 13-grams (GPT-3, The Pile).
        min_share: least share of an item; default 0.75 of its tokens for containment, 0.7 of its 8-grams for ngram8.
        min_length: least length of a question or answer, default 16. A Chinese character counts 1, a word of other scripts 2. What is
            shorter, and items that have hardly any words of their own, are listed in `items` and not looked for.
        question, answer, choices: columns of the test sets; by default those with usual names, else the text is the question.
            Choices belong to the question where that is too short alone.
        item_id: column of the items' ids; default `id`, else the row.
        when: "question": a document leaks an item if it has the question; "both": only with the answer. The answer alone never counts.
        mode: "report" writes the tables alone; "remove" also the rows without and with leaks; "cut" the rows without the sentences
            that have a letter of a leak; "annotate" all rows with columns.
        memory: bytes of which the test sets may take half, else the call is refused; the search itself takes some 300 MB, for a corpus of
            any size.
        out, overwrite: the folder to write, as in `Contamination.save`.

    Raises:
        UsageError, InputError: a parameter or input cannot be used; the message names the file and a remedy. Bad records are
            counted and listed in skipped.jsonl.
        OutputError, InputChanged: with `out`, as `Contamination.save`.

    Every match is verified letter by letter. The same documents give the same matches in any order, division into files, and for any
    number of workers.

    >>> import quchong as qc
    >>> tests = [{"question": "某工厂去年生产零件一万两千个，今年比去年多生产四分之一，今年生产多少个？"}]
    >>> corpus = ["例题：某工厂去年生产零件一万两千个,今年比去年多生产四分之一,今年生产多少个?", "今天是晴天，适合到公园散步。"]
    >>> found = qc.decontaminate(corpus, tests, mode="remove")
    >>> found.sets[0]["found"], found.rows["text"].to_pylist()
    (1, ['今天是晴天，适合到公园散步。'])
    """
    given = checked(
        rule=rule, min_share=min_share, min_length=min_length, question=question, answer=answer, choices=choices, item_id=item_id,
        when=when, format=format, encoding=encoding, memory=memory, max_record=max_record, out=out, overwrite=overwrite,
        progress=progress,
    )  # fmt: skip
    mode = _MODE("mode", mode)
    most = record_limit(given["max_record"], given["memory"])
    plan = make_plan(
        method="exact", max_record=most, keep="first", text=text, id=id, html=html, body=body, workers=workers, recall_sample=0,
    )  # fmt: skip
    chosen = Rule.of_call(given["rule"], given["min_share"], given["min_length"])
    asked = ItemColumns(given["question"], given["answer"], given["choices"])
    check_mode(mode, plan)
    reading = InputOptions.of_call(data, plan, against=against, format=format, encoding=encoding)
    stages = Stages(given["progress"], logs=True)

    def find_items() -> Contamination:
        spool = Spool() if may_be_copied(against) else None
        with stages.stage("read test sets"):
            sets, opened = _test_sets(against, asked, given["item_id"], spool, most)
            search = Search(
                sets,
                make_parts(sets, chosen, budget(given["memory"]), plan.workers),
                chosen,
                given["when"] == "both",
                mode == "cut",
            )
        with ExitStack() as stack:
            try:
                inputs = stack.enter_context(replace(reading, against=None).open_inputs(plan))
            except MissingTextError as error:
                check_columns_not_exchanged(error.columns, sets)
                raise
            for remark in (*remarks_on_itself(data, against), *inputs.remarks):
                stages.remark(remark)
            used = inputs.plan or plan
            check_not_exchanged(inputs.sources, [*used.text, *([used.html] if used.html else [])], sets)
            reader = PageReader(used.body, used.pages, used.time_key, used.workers, page_limit(used.max_record))
            sources = [Pages(source, reader) for source in inputs.sources]
            check_mode(mode, used, sources)
            findings = search.run(sources, used.wanted_columns, stages, used.workers)
            check_pages(reader, sum(findings.read), sources)
            result = ContaminationResult.of_search(used, search, findings, sources, mode)
            spools = [one for one in (spool, inputs.spool) if one is not None]
            return Contamination(result, stages, spools, [*reading.places, *opened])

    if given["out"] is None:
        only_with_out(overwrite=overwrite)
        return find_items()
    written = local([given["out"]], "out")
    check_apart(reading.places, written, makes_folder=True)
    with fresh_folder(given["out"], overwrite=overwrite, table=TABLE) as fresh:
        found = find_items()
        found._fill(fresh, written)
    return found


def _test_sets(
    against: Data, asked: ItemColumns, item_id: str | None, spool: Spool | None, most: int
) -> tuple[TestSets, list[Place]]:
    """Read the test sets, each a file or the data in memory; return them and the files that were opened.

    Raises:
        UsageError, InputError: they cannot be read, or have not the columns asked for.
    """

    def choose(names: Sequence[str]) -> WantedColumns:
        columns = find_columns(asked, names, "memory", ("text",))
        return WantedColumns(columns.question, item_id or "id", textless=True)

    folder = spool.folder if spool else None
    with spooled(folder):
        sources = sources_of(
            against, WantedColumns(), spool=folder, max_record=most, choose=None if paths_of(against) else choose
        )
        return read_test_sets(sources, asked, ("text",), item_id), places_opened(sources)

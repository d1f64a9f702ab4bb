"""The result of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import pyarrow.compute as pc

from quchong.api.public_calls import public
from quchong.api.run_contents import RunContents
from quchong.decision.ledger import nearest
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.rethreshold import again
from quchong.engines.local.target import plan_again
from quchong.errors import Param, UsageError
from quchong.languages import COMMA, Message, join_messages, renaming
from quchong.outputs import Place, check_apart, local
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.made_by_calls import MadeByCall
from quchong.parameters.other_names import in_python
from quchong.plan.method_parameters import DecisionParameters, MethodParameters
from quchong.plan.parameters import checked, only_with_out, run_place
from quchong.plan.sources import Spool
from quchong.progress import Progress, Stages
from quchong.report import Explanation, PairComparison, summary
from quchong.report.histogram import scores
from quchong.report.overview import overview
from quchong.report.plot import plot
from quchong.report.summary import summary_labels
from quchong.report.text_width import cells, padded
from quchong.report.visible import compose
from quchong.results.explain import explain, side_by_side
from quchong.results.inspection import inspect_run
from quchong.results.memory import MemoryRun
from quchong.results.quoted_document import known_places
from quchong.results.run import biggest_clusters
from quchong.results.run_table import RunTable, beginnings
from quchong.results.verification import SAMPLE, Verification, verify
from quchong.seam import Method

Lang = Literal["en", "zh"] | None

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from quchong.api.inspection import Inspection
    from quchong.views import InlineReport
    from quchong.views.subject import Subject


@explains_arguments
class Result(RunContents, metaclass=MadeByCall):
    """Result of a run. It is never changed (`rethreshold` returns a new one), and no file is written before `save`.

    A pickled result contains its tables and texts, and input data that were in memory. Of input files it contains the paths: `kept`,
    `removed` and `explain` read the files again, with or without pickling. A result of standard input cannot be pickled.
    """

    _MADE_BY = "qc.dedup('news.jsonl'), qc.load('run/')"
    _OTHER_NAMES = MappingProxyType(
        {
            "kept": "unique uniques deduplicated deduped clean cleaned survivors data texts docs result output table "
            "unique_documents kept_documents is_duplicate is_unique duplicated mask",
            "removed": "duplicates dups dropped deleted copies redundant duplicate_documents removed_documents",
            "pairs": "matches similar similarities scores candidates edges duplicate_pairs",
            "clusters": "labels_ labels cluster_labels n_clusters cluster_ids groups components duplicate_groups",
            "ledger": "reasons decisions log why",
            "counts": "stats statistics info",
            "summary": "describe print",
            "report": "html to_html show view display to_xlsx",
            "save": "write to_disk save_to_disk dump export to_file",
            "rethreshold": "set_threshold with_threshold",
        }
    )

    _CALLS = MappingProxyType(
        {
            **dict.fromkeys(
                ("evaluate", "eval", "score", "precision", "recall", "f1"), "qc.evaluate(result, 'truth.jsonl')"
            ),
            **dict.fromkeys(("tune", "best_threshold"), "qc.tune('news.jsonl', 'truth.jsonl')"),
            **dict.fromkeys(("dedup", "deduplicate", "rerun", "again"), "qc.dedup(result.kept)"),
            **dict.fromkeys(("query", "search", "find", "lookup"), "qc.Index('seen/').query('...')"),
            **dict.fromkeys(("n_removed", "num_removed", "num_duplicates", "n_duplicates"), "result.counts['removed']"),
            **dict.fromkeys(("n_kept", "num_kept", "n_unique", "num_unique"), "result.counts['kept']"),
            **dict.fromkeys(("total", "n_total", "n_documents", "num_documents", "n_read"), "result.counts['read']"),
            **dict.fromkeys(
                ("duplicate_ratio", "duplicate_rate", "ratio", "removed_ratio"),
                "result.counts['removed'] / result.counts['read']",
            ),
            **dict.fromkeys(
                ("annotate", "annotated", "mark", "label"), "qc.dedup('news.jsonl', annotate=True, out='run/')"
            ),
            "passages": "qc.passages('news.jsonl')",
            "decontaminate": "qc.decontaminate(result.kept, 'test.jsonl')",
            "open": "result.report('run.html')",
            **dict.fromkeys(("restore", "undelete", "undo"), "result.save('run/'); qc.load('run/').restore('n009')"),
            "review": "result.save('run/'); qc.load('run/').review()",
        }
    )

    def __init__(
        self, outcome: Outcome, stages: Stages, spool: Spool | None = None, read: Sequence[Place] = ()
    ) -> None:
        self._run = MemoryRun(outcome, stages, spool, read)

    @property
    def _outcome(self) -> Outcome:
        return self._run.outcome

    def verify(self, *, sample: int = SAMPLE, seed: int = 0, quality: str | None = None) -> Verification:
        """Decide every removal again from the two texts and compare it with the ledger; draw some to be read; look for bad survivors.

        Args:
            sample: removals that are drawn to be read.
            seed: of the drawing; another one draws others.
            quality: a column of numbers, higher for better documents; kept ones below a copy that was removed for them are listed.

        Raises:
            UsageError: the texts or statistics of the run are not there any more, or `quality` is no column of numbers.
            RunError: texts have moved or changed since the run.

        Deterministic. Cost: as verifying as many pairs in a run, and reading the texts of all documents.
        """
        if sample < 0 or seed < 0:
            raise UsageError("{} must be 0 or more", Param("sample" if sample < 0 else "seed"))
        return verify(self._run, sample, seed, quality)

    def summary(self) -> str:
        """Return the summary table of the run as text, in the language that is spoken (`quchong.set_language`)."""
        with renaming(in_python):
            groups = summary(self.manifest, biggest_clusters(self._run.table("clusters")))
            shown = [
                (title, [(compose("{}", label), compose("{}", value)) for label, value in rows])
                for title, rows in groups
            ]
            labels = summary_labels(self.manifest, groups)
            widest = max((cells(compose("{}", label)) for label in labels), default=0)
            lines: list[str] = []
            for title, rows in shown:
                lines.append(compose("{}", title))
                lines += [f"  {padded(label, max(24, widest))} {value}" for label, value in rows]
        return "\n".join(lines)

    def __repr__(self) -> str:
        counts = self.counts
        told = [Message("{:,} documents, {:,} kept, {:,} removed", counts["read"], counts["kept"], counts["removed"])]
        told += [Message("{:,} skipped", counts["skipped"])] if counts["skipped"] else []
        alarms = [Message(a["kind"]) for a in self._run.alarms if a.get("level", "alarm") == "alarm"]
        told += [Message("alarms: {}", join_messages(alarms, COMMA))] if alarms else []
        return Message("<quchong.Result: {}>", join_messages(told, COMMA)).translation()

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show: counts, biggest clusters, alarms, and a histogram of the pairs' Jaccard similarities.

        It has no script and loads nothing. It is in the language of `quchong.set_language`, else of QUCHONG_LANG or the locale.
        """
        biggest = biggest_clusters(self._run.table("clusters"))
        begins = {name: found.words for name, found in beginnings(self._run, [name for name, _ in biggest]).items()}
        with renaming(in_python):
            return overview(self.counts, self._run.alarms, biggest, self._run.table("pairs"), begins)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a histogram of the Jaccard similarities of the listed pairs, by relation, without exact copies, and the threshold.

        The threshold is that at or above which the run called pairs duplicates by their Jaccard: the method's own, else those by which it
        removed documents (a preset has several, by length and script).

        Args:
            ax: Axes of matplotlib to draw on; without, those of a new figure.

        Returns:
            The axes, to go on with.

        Raises:
            UsageError: matplotlib is missing (extra `plot`); `ax` is something else.
        """
        return plot(scores(self._run.table("pairs")), ax, self._thresholds())

    def _thresholds(self) -> list[float]:
        """Return the Jaccard thresholds by which pairs were called duplicates, ascending; empty if no removal rests on a Jaccard."""
        plan = self._run.plan()
        own = None if plan is None else getattr(plan.method, "threshold", None)
        ledger = self._run.table("ledger").select(["relation", "rule", "threshold"])
        by_jaccard = ledger.filter((pc.field("rule") == "jaccard") & pc.is_valid(pc.field("threshold")))
        if own is not None and len(by_jaccard):
            return [float(own)]
        return sorted({round(value, 6) for value in by_jaccard["threshold"].to_pylist()})

    def least_similar(self, n: int = 10) -> RunTable:
        """Return the ledger rows of the n removals nearest to their threshold, the nearest first.

        The distance is that of the measure that decided: Jaccard, containment, or the figure that a paper's rule compares (`evidence`).
        At equal distances the least similar come first, then by id. Exact copies come last. Unconfirmed removals of a filter are left
        out, because they have no figures.
        """
        return RunTable(nearest(self._run.table("ledger"), checked(n=n)["n"]), "ledger", self._run)

    def explain(self, doc_id: str | int) -> Explanation:
        """Explain why a document was removed, kept or skipped: its survivor, the rule, and the passages that both share.

        Raises:
            UsageError: no document has this id.
        """
        if isinstance(doc_id, list | tuple):
            raise UsageError(
                "{} takes one id; for several ids, use {}",
                Param("doc_id"),
                f"[result.explain(one) for one in {list(doc_id)!r}]",
            )
        return explain(self._run, checked(doc_id=doc_id)["doc_id"])

    def compare(self, doc_id: str | int, other_id: str | int) -> PairComparison:
        """Compare two documents of the run, kept or removed: the figures of the pair, and the passages that both share.

        Raises:
            UsageError: no document has one of these ids.
        """
        given = checked(doc_id=doc_id, other_id=other_id)
        return side_by_side(self._run, given["doc_id"], given["other_id"])

    @public("tokens")
    def inspect(
        self, doc_id: str | int, other_id: str | int | None = None, *, method: str | Method | None = None,
        **parameters: Unpack[MethodParameters],
    ) -> Inspection:  # fmt: skip
        """Inspect one or two documents of the run: the features that a method sees, and every test on the way to the decision.

        Statistics that the method counts on a corpus and was not given are counted on the documents of the run, as in the run.

        Args:
            doc_id, other_id: the documents.
            method, **parameters: another method than the run's, as for `dedup`; the texts are read again then.

        Raises:
            UsageError: no document has one of these ids; the run cannot be opened again (see `rethreshold`).
        """
        from quchong.api.inspection import Inspection

        given = [checked(doc_id=doc_id)["doc_id"]]
        given += [] if other_id is None else [checked(other_id=other_id)["other_id"]]
        if len(given) == 2 and given[0] == given[1]:
            raise UsageError("both documents are {!r}: give two different documents", given[0])
        seen = inspect_run(self._run.counted, given, known_places(self._run, given), method, parameters)
        return Inspection(seen, self._run.locations())

    @public()
    def chains(
        self, ids: str | int | Iterable[str | int] = (), *, time: str | None = None, source: str | None = None,
        title: str | None = None, link: str | None = None, time_zone: str | None = None, out: str | Path | None = None,
        overwrite: bool = False, workers: int | None = None,
    ) -> RunTable:  # fmt: skip
        """Return the chains of reprints: in each group of near-copies the first publisher, the order, and the likeliest source of each.

        The table also has how certain each source is and the changes made; roundups and digests are in the chain of each article
        that they contain. The documents of a chain are connected by accepted pairs and variants. The source of a document is the
        earlier document from which it can be made with the least cost; if times are missing or equal, the cheapest tree of sources is
        chosen as a whole. Documents on one template about other facts, such as daily bulletins, are the issues of a series (role
        `series`): none is a copy of another one. `certainty` is `only`, `likely` or `undecided`; `confidence` is the share of this
        explanation among all that the run allows, which knows no source outside of the run. See docs/guide/chains.md.

        Args:
            ids: only the chains these documents are in; all without.
            time, source: columns of the time and of the publisher; None: as the run had them.
            title, link: columns of the title and the address, which are only shown; None: the first column with a usual name.
            time_zone: zone of times that have none, such as "Asia/Shanghai"; all times are then written in it. None: times without a
                zone have none in the table, and if other times of the run have one, they count as UTC.
            out: a file to write it to: all rows as .jsonl or .parquet; or flat rows for people as .xlsx or .csv, with a summary by
                medium: a second sheet, or the file NAME.media.csv beside it.
            overwrite: with `out`: replace an earlier file of chains.
            workers: threads; None for all processors. Never changes a result.

        Returns:
            `quchong.tables.CHAINS`; no rows where nothing is a copy. `changes` are those of the texts as they were compared, before
            lines were taken out of them; of a text that cannot be read any more none is known.

        Raises:
            UsageError: an id that is in no chain; a column of times that holds none; no such time zone; another suffix.
            OutputError: `out` exists (without `overwrite`), lies in the run folder or is what was read, or cannot be written.

        Deterministic, whatever the order of the input. Cost: an alignment for every pair of a chain, and every copy's differences.

        >>> import quchong as qc
        >>> text = "The council said that the new bridge will open in March, and that drivers pay 12 percent less toll in the first year."
        >>> rows = [{"id": "a", "time": "2026-03-01", "text": text}, {"id": "b", "time": "2026-03-02", "text": text.replace("new ", "")}]
        >>> found = qc.dedup(rows).chains()
        >>> found.select(["id", "role", "source_id", "certainty"]).to_pylist()[1]
        {'id': 'b', 'role': 'copy', 'source_id': 'a', 'certainty': 'only'}
        >>> found["changed"][1].as_py()
        '“The council said that the new bridge will open in March” → “The council said that the bridge will open in March”'
        """
        # Here: few runs are asked for their chains, and these modules are a thirtieth of what a process loads.
        from quchong.results.chain_files import chain_files, check_chain_file, write_chains
        from quchong.results.chains import chains_of, chains_with

        given = checked(
            ids=ids, time_key=time, source_key=source, title=title, link=link, time_zone=time_zone, out=out, overwrite=overwrite,
            workers=workers,
        )  # fmt: skip
        if given["out"] is None:
            only_with_out(overwrite=overwrite)
        else:
            check_apart(self._run.locations(), local(chain_files(given["out"]), "out"))
            check_chain_file(given["out"], overwrite)
        keys = None if time is None else given["time_key"], None if source is None else given["source_key"]
        shown = given["title"], given["workers"], given["time_zone"], given["link"]
        known_places(self._run, given["ids"])
        found = chains_of(self._run, self._run.examined_pairs, *keys, *shown)
        table = chains_with(found, given["ids"])
        if given["out"] is not None:
            check_apart(self._run.locations(), local(chain_files(given["out"]), "out"))  # more may have been read since
            write_chains(table, given["out"], overwrite)
        return RunTable(table, "chains", self._run)

    def rethreshold(
        self, threshold: float | None = None, containment: float | None = None, *, relations: str | Iterable[str] | None = None,
        target: int | None = None, keep_per_cluster: int | None = None, **parameters: Unpack[DecisionParameters],
    ) -> Result:  # fmt: skip
        """Decide the run again from its pairs under other thresholds or relations, and return the new result.

        Texts are not compared again, except for names and differences in pairs that the first run did not examine for them. Ledger,
        pairs and clusters equal those of a new run with these parameters; for minhash, which chooses its bands for the threshold,
        there are at least the pairs of a new run. If the pairs do not suffice, UsageError is raised.

        With `target` the threshold is the highest, to three decimals, that leaves at most so many documents; no other is given then.
        `keep_per_cluster` is as for `dedup`, None for that of the run.
        Further parameters are those that only affect the decision of the method, such as two-stage's `distance`, and `facts`.

        Raises:
            UsageError: a threshold below the one at which the pairs were searched; a method without such a threshold, or one whose
                threshold decides more than pairs (cluster); a `target` that no threshold leaves.
        """
        asked: dict[str, Any] = {**parameters, "threshold": threshold, "containment": containment}
        given = {k: v for k, v in asked.items() if v is not None}
        chosen = None if relations is None else checked(relations=relations)["relations"]
        outcome, run = self._outcome, self._run
        if keep_per_cluster is not None:
            several = checked(keep_per_cluster=keep_per_cluster)
            outcome = replace(outcome, plan=replace(outcome.plan, **several))
        return Result(again(outcome, plan_again(outcome, given, chosen, target)), run.stages, run.spool, run.read)

    def save(self, folder: str | Path, *, overwrite: bool = False, mode: str | None = None) -> Path:
        """Write the run folder: kept, removed, ledger, pairs, clusters, documents, skipped, run.json. That of a loaded run is copied.

        Args:
            folder: of the run.
            overwrite: replace an earlier run there.
            mode: "remove" for separate kept and removed rows, or "annotate" for one output with columns for the decisions. None: as a
                loaded run was written, else "remove".

        Raises:
            UsageError: a mode that cannot be made of this run.
            OutputError: the folder exists (without `overwrite`), lies in, over or around what was read, or cannot be written.
            InputChanged: an input file changed since it was read.
        """
        checked(overwrite=overwrite, mode=mode or "remove")
        out: Path = run_place(folder=folder)
        self._run.save(out, overwrite, mode)
        return out

    @overload
    def report(
        self, path: None = None, *, lang: Lang = None, progress: Progress | bool | None = None
    ) -> InlineReport: ...
    @overload
    def report(
        self, path: str | Path, *, lang: Lang = None, overwrite: bool = False, progress: Progress | bool | None = None
    ) -> Path: ...
    @public()
    def report(
        self, path: str | Path | None = None, *, lang: Lang = None, overwrite: bool = False, progress: Progress | bool | None = None
    ) -> Path | InlineReport:  # fmt: skip
        """Write the run as a page to look at: one HTML file that needs no network, in Chinese and English.

        It shows what was removed by relation, source and time, the scores of all pairs with a slider for other thresholds, clusters,
        time lines, and pairs of documents beside each other. It holds texts of the run, and at most 10 MB; what is left out is said
        in it.

        Args:
            path: of the page. Where it ends in .xlsx, a workbook of the removed documents with their reasons is written instead (extra
                `report`). None writes nothing: what is returned shows itself in a notebook, at most 3 MB of it, in a frame that cannot
                reach the notebook.
            lang: "zh" or "en", the language at first; the page has both. None: that of QUCHONG_LANG or the locale.
            overwrite: replace an earlier report; no other file is replaced.
            progress: is told what is done.

        Returns:
            The path; without one an `InlineReport`, whose `html` is the page.

        Raises:
            OutputError: the file exists (without `overwrite`), lies in the folder of a run, or cannot be written.
            UsageError: a workbook, and XlsxWriter is not installed; `overwrite` without a path.
        """
        from quchong.views import check_file_name, check_place, inline_report, write_report

        given = checked(lang=lang, overwrite=overwrite, progress=progress)
        stages = Stages(given["progress"], logs=True)
        if path is not None:
            check_file_name(path)
            given |= checked(path=path)
            check_place(given["path"], given["overwrite"], self._run.locations())
        elif overwrite:
            raise UsageError("{} needs an output: name it with {}", Param("overwrite"), Param("path"))
        with stages.stage("open the run"):
            subject = self._subject()
        if path is None:
            return inline_report(subject, given["lang"], stages)
        return write_report(
            subject, given["path"], given["lang"], overwrite=given["overwrite"], read=self._run.locations, stages=stages
        )

    def _subject(self) -> Subject:
        from quchong.views.subject import Subject

        return Subject(self._run)

"""Words of the page in English; the catalogue has their Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from quchong.languages import LANGUAGES, Language, Message, page_word
from quchong.languages import language_of_place as default_language
from quchong.relations import TABLE
from quchong.report.display_names import RULES
from quchong.tables import DIFFERENCES
from quchong.views.count_words import COUNTS
from quchong.views.gate_words import GATES
from quchong.views.setting_words import SETTINGS

__all__ = ["LANGUAGES", "WORDS", "Language", "default_language", "in_all_languages", "words"]

WORDS = (
    {
        "title": "Report on {0}",
        "brand": "quchong report",
        "skip": "Skip to the content",
        "language": "Language",
        "theme": "Theme",
        "theme.auto": "System",
        "theme.light": "Light",
        "theme.dark": "Dark",
        "print": "Print",
        "nav": "Parts of this page",
        "nav.overview": "Overview",
        "nav.thresholds": "Threshold",
        "nav.clusters": "Clusters",
        "nav.media": "Who reprinted whom",
        "nav.removals": "Removed",
        "nav.variants": "Variants",
        "nav.templates": "Templates",
        "nav.about": "About this run",
        "list": ", ",
        "none": "none",
        "yes": "yes",
        "no": "no",
        "labelled": "{0}: {1}",
        "counted": "{0} ({1})",
        "more": "and {0} more",
        "table": "Show as table",
        "previous": "Previous",
        "next": "Next",
        "page.previous": "Previous page",
        "page.next": "Next page",
        "page.of": "Page {0} of {1}",
        "close": "Close",
        "code": "invisible character {0}",
        "lead": "{removed} of {read} documents removed ({share}%), {kept} kept",
        "lead.none": "{read} documents read, none removed",
        "lead.empty": "No documents read",
        "parts": "Outcome",
        "alarms": "Alarms and notes",
        "alarm": "Alarm",
        "note": "Note",
        "alarms.more": "{0} more are in run.json.",
        "source": "By source",
        "source.note": "Sources with the most removals. Column: {0}.",
        "source.inputs": "By input file, because there is no column {0}.",
        "source.others": "Not shown: {sources} more sources with {removed} of {read} documents removed.",
        "time": "By time",
        "time.none": "No document has a time in the column {0}. Name your column with --time-key.",
        "time.column": "Column: {0}.",
        "time.undated": "{0} documents have no time that can be read.",
        "time.outside": "{0} documents have a time far outside this period.",
        "time.gap": "{0} without documents",
        "time.gaps": "Breaks in the axis are spans without documents.",
        "unit.hour": "hour",
        "unit.day": "day",
        "unit.month": "month",
        "unit.year": "year",
        "removed": "removed",
        "kept": "kept",
        "documents": "documents",
        "sizes": "Sizes of clusters",
        "sizes.note": "Horizontal: documents in a cluster, including the survivor. Vertical: number of clusters of that size.",
        "sizes.clusters": "clusters",
        "recall": "Recall of the search, measured",
        "recall.one": "{found} of {true} = {recall} (95%: {low} to {high})",
        "recall.none": "the sample has no true pair",
        "recall.sample": "{0} documents were compared with all others.",
        "recall.judged": "{0} of about {1} pairs that have much in common were judged; the rest is estimated from these.",
        "group.figure": "figure, code, symbol",
        "group.date": "date",
        "group.name": "name: person, place, organisation; field",
        "group.negation": "negation, opposite, modality",
        "group.wording": "wording, term",
        "group.noise": "noise, boilerplate",
        "thresholds": "What another threshold would change",
        "score": "Score",
        "score.jaccard": Message("Jaccard", context="measure"),
        "score.containment": "Larger containment",
        "score.evidence": "Evidence measured by the method",
        "histogram": "Scores of the {0} listed pairs",
        "histogram.pairs": "pairs",
        "histogram.none": "The run lists no pair.",
        "slider.threshold": "Threshold",
        "slider.containment": "Containment",
        "slider.mark": "run: {0}",
        "slider.mark.range": "run: {0} to {1}, depending on length and script",
        "slider.exact.containment": "These figures are exact: each step shows what one containment threshold for all texts would remove.",
        "curve.containment": "Removed at each containment",
        "slider.distance": "Distance in bits",
        "slider.run": "As in the run",
        "slider.exact.threshold": (
            "These figures are exact: each step shows what rethreshold would remove. One threshold for all "
            "texts replaces the thresholds of the preset."
        ),
        "slider.exact.distance": "These figures are exact: each step shows what rethreshold would remove.",
        "slider.low": "The run did not search for pairs below {0}: for a lower threshold, run again.",
        "slider.now": "As in the run: {removed} of {read} documents removed.",
        "slider.would": "At {value}: {removed} removed, {kept} kept.",
        "slider.gone": "{0} more removed",
        "slider.back": "{0} restored",
        "slider.same": "The same documents are removed as in the run.",
        "slider.first": "The first {0}:",
        "slider.back.run": "Back to the settings of the run",
        "curve": "Removed at each threshold",
        "slider.how": "To run with this threshold:",
        "slider.why.method": "The threshold of method {0} also affects the search: to change it, run again.",
        "slider.why.no pairs": "The run lists no pair, so there is nothing to decide again.",
        "slider.why.refused": "This page needs pairs that the run did not list: {0}",
        "slider.why.annotate": "quchong cannot compute a run in annotate mode at another threshold, so this page has no slider.",
        "slider.why.closed": "quchong cannot compute this run at another threshold, so this page has no slider: {0}",
        "clusters": "Biggest clusters",
        "clusters.note": "A cluster is a kept document and the documents removed as its copies.",
        "clusters.shown": "{0} of {1} clusters, the biggest first",
        "clusters.search": "Search clusters",
        "clusters.none": "No cluster matches.",
        "cluster.size": "{0} documents",
        "cluster.list": "List",
        "cluster.graph": "Graph",
        "cluster.line": "Time line",
        "cluster.views": "Views of the cluster",
        "cluster.survivor": "kept",
        "cluster.rest": "{0} more documents of this cluster are not on this page.",
        "graph.label": "Graph of the cluster of {0}: the kept document in the middle, {1} removed ones around it",
        "graph.note": "The kept document is in the middle. A document closer to the middle is more similar to the kept document.",
        "graph.lines": "A thin line joins two removed documents that the run lists as a pair.",
        "graph.bare": "Pairs of two removed documents are not drawn, because there are too many: at least {0}.",
        "line.note": "Order: by the column {0}. Sources and changes: as in quchong chains.",
        "line.untimed": (
            "No document here has a time in the column {0} that can be read, so order and sources are inferred from "
            "the texts. Name your column with --time-key."
        ),
        "line.unknown": (
            "Order: by the column {0}. Sources are not shown because more than {1} pairs are connected; quchong "
            "chains shows the sources. Each document is compared with the kept one."
        ),
        "line.none": "No document of this cluster has a time, so there is no order to show.",
        "line.more": "{0} more documents of this chain are not on this page.",
        "line.first": "first",
        "line.after": "{0} later",
        "line.same": "at the same time",
        "line.undated": "without a time",
        "line.address": "{0} (the web address has {1})",
        "line.unchanged": "the same text",
        "line.from": "copied from",
        "line.shared": "{0}% of the text comes from the source",
        "line.uses": "uses text of",
        "line.second": "equally likely:",
        "line.series": "an issue of a series on one template, not a copy of another issue",
        "line.changed": "changed (source → copy):",
        "line.published": "published first",
        "line.comes": "first in the chain",
        "line.own": "without a source in this chain",
        "line.stays": "kept",
        "line.roundup": "roundup of {0} articles:",
        "line.digest": "digest made of parts of {0} articles:",
        "certainty.only": "only earlier document",
        "certainty.likely": "likely",
        "certainty.likely.one": "likely, the only earlier document",
        "certainty.likely.of": "likely, the closest of {0} earlier documents",
        "certainty.undecided": "undecided",
        "certainty.undecided.of": "unclear; the closest of {0} earlier documents",
        "certainty.equal": "unclear; {0} earlier documents have the same text",
        "basis.text": "inferred from the texts alone, because the times are not sufficient",
        "span.days": "{0} d {1} h",
        "span.hours": "{0} h {1} min",
        "span.minutes": "{0} min",
        "span.seconds": "{0} s",
        "media": "Who reprinted whom",
        "media.note": (
            "The sources are the same as in quchong chains. Issues of a series on one template, such as daily bulletins, are not reprints."
        ),
        "media.limited": "Only the biggest clusters are searched for chains, because the run lists more than {0} pairs.",
        "media.medium": "Publisher",
        "media.originals": "Originals",
        "media.reprinted": "Reprinted",
        "media.reprints": "Own reprints",
        "media.lag": "Median lag",
        "media.issues": "Issues of series",
        "media.unknown": "(unknown)",
        "media.matrix": "Reprints by source (row) and reprinting publisher (column)",
        "media.cell": "{0} reprints, median delay {1}",
        "media.undecided": "{0} more reprints are not in the table, because their source is unclear.",
        "media.more": "{0} more media are not on this page.",
        "media.series": "Series on one template",
        "media.series.size": "{0} issues",
        "media.kept": "Chains in which nothing was removed",
        "media.rest": "To list {0} more, run quchong chains.",
        "removals": "Removed documents, each with its reason",
        "sort.by": "Sort by this column",
        "order": "Order",
        "order.run": "as in the run",
        "order.line": "nearest to the threshold first",
        "order.least": "least similar first",
        "order.alike": "most similar first",
        "order.id": "by ID",
        "order.source": "by source",
        "order.time": "by time",
        "order.facts": "by conflicting facts",
        "order.size": "biggest first",
        "order.title": "by title",
        "order.head": "by column",
        "csv": "Save as CSV",
        "csv.title": "Save all rows that match, in this order, as a CSV file",
        "csv.id": "ID",
        "csv.title.of": "title",
        "csv.time": "time",
        "csv.cluster": "Cluster",
        "csv.state": "Outcome",
        "removals.shown": "{0} removed documents",
        "removals.found": "{0} of {1} match",
        "search": "Search",
        "search.hint": "ID, title, source or words of a text",
        "filter.relation": "Relation",
        "filter.source": "Source",
        "filter.all": "all",
        "removals.none": "No removed document matches.",
        "column.document": "Removed",
        "column.survivor": "Document kept instead",
        "column.relation": "Relation",
        "column.jaccard": "Jaccard",
        "column.containment": "Contained",
        "column.rule": "Rule",
        "column.changed": "What differs (removed → kept)",
        "direction.removed": "removed → kept:",
        "direction.listed": "first → second:",
        "open": "Compare {0} with {1}",
        "see": "Compare",
        "no.text": "text not in the page",
        "unconfirmed": "no survivor: a filter removed this document, and the removal was not verified",
        "variants": "Variants: near-copies that differ in a fact",
        "variants.note": "Both documents are kept, unless the run had --facts remove.",
        "variants.shown": "{0} of {1} pairs",
        "variants.found.none": "No variant matches.",
        "variants.none": "No variants were kept.",
        "pair": "Two documents side by side",
        "pair.removed": Message("removed", context="one document"),
        "pair.kept": "kept",
        "pair.left_in": "{0}% of the left text is in the right one",
        "pair.right_in": "{0}% of the right text is in the left one",
        "pair.rule": "Rule: {0}",
        "pair.threshold": "threshold {0}",
        "pair.evidence": "evidence {0}",
        "pair.passages": "shared passages: {0}",
        "pair.exact": "Both texts are equal in normal form.",
        "pair.differences": "What differs",
        "pair.differences.many": "{0} in all",
        "pair.difference.previous": "Previous difference (P)",
        "pair.difference.next": "Next difference (N)",
        "pair.only.left": "only on the left:",
        "pair.only.right": "only on the right:",
        "pair.fields.differ": "Fields that differ:",
        "lock": "Scroll together",
        "fold": "Fold equal text",
        "fold.lines": "… {0} equal lines …",
        "fold.characters": "… {0} equal characters …",
        "fold.open": "Show on both sides",
        "steps": "How it was decided",
        "steps.found": "The search proposed this pair.",
        "steps.equal": "Both texts are equal in normal form.",
        "steps.needs": "needs {0}",
        "steps.rule": "Rule:",
        "steps.relation": "Relation:",
        "steps.removed": "Documents with the relation {0} are removed.",
        "steps.removed.facts": "This run removes copies even if facts are in conflict.",
        "steps.stays": "Documents with the relation {0} are not removed.",
        "steps.other": "Other pairs decide whether these two documents are kept.",
        "steps.keep": "This run keeps one document of such a pair, by the policy: {0}.",
        "steps.more": "All features that the method compares:",
        "pair.differences.none": "No difference is listed.",
        "pair.conflict": "conflict",
        "pair.nothing": "(nothing)",
        "pair.fields": "Fields",
        "pair.field": "Field",
        "pair.left": "left",
        "pair.right": Message("right", context="side"),
        "pair.differs": "differs",
        "pair.fields.more": "{0} more fields are not on this page.",
        "pair.cut.before": "{0} characters before this are not on this page",
        "pair.cut.after": "{0} characters after this are not on this page",
        "pair.out": "{0} passages and {1} differences are outside the text shown.",
        "pair.legend": "Marks",
        "pair.shared": "shared passage",
        "pair.near": "reworked passage",
        "pair.key": "Keys: N and P for the next and previous difference, ← → for the previous and next pair, Esc to close",
        "pair.jump": "Show in the texts",
        "pair.of": "{0} of {1}",
        "pair.empty": "(no text)",
        "about": "About this run",
        "about.run": "Run",
        "about.created": "Made",
        "about.method": "Method",
        "about.parameters": "Parameters",
        "about.keep": "Which copy is kept",
        "about.removes": "Relations that cause removal",
        "about.inputs": "Inputs",
        "about.thresholds": "Thresholds",
        "about.hash": "Configuration",
        "about.version": "Version",
        "about.seconds": "Seconds by stage",
        "left_out": "What this page leaves out",
        "left_out.why": "This page is limited to 10 MB. Its counts and charts cover the whole run.",
        "left_out.removals": "Removals listed: {0} of {1}",
        "left_out.texts": "Removals with both texts: {0} of {1}",
        "left_out.variants": "Pairs of variants with texts: {0} of {1}",
        "left_out.clusters": "Clusters: {0} of {1}, each with at most {2} removed documents",
        "left_out.characters": "At most {0} characters of a text are shown",
        "left_out.explain": "To see any document of the run, use quchong explain.",
        "left_out.nothing": "This page contains every removal and every cluster.",
        "alarm.giant cluster": "giant cluster",
        "alarm.target missed": "target missed",
        "alarm.small shares": "small shares",
        "alarm.columns": "columns that were found by their usual names",
        "alarm.one figure differs": "one figure differs",
        "alarm.removed for roundups": "removed for roundups",
        "alarm.facts not judged": "facts not judged",
        "alarm.many without features": "many without features",
        "alarm.source nearly emptied": "source nearly emptied",
        "alarm.candidate lists bounded": "very common text that was compared only in part",
        "alarm.exact class bounded": "exact class bounded",
        "alarm.times unread": "times unread",
        "alarm.values nobody has": "values without documents",
        "alarm.weights nobody has": "unused weights",
        "alarm.no times": "no times",
        "alarm.originals not known": "originals not known",
        "alarm.candidates bounded": "candidates bounded",
        "alarm.removed unconfirmed": "removed unconfirmed",
        "alarm.many without text": "many without text",
        "alarm.memory exceeded": "memory exceeded",
        "alarm.kept rows changed": "kept rows changed",
        "alarm.repeated ids": "repeated ids",
        "alarm.decisions torn": "decisions torn",
        "alarm.decisions without documents": "decisions without documents",
        "alarm.many bad records": "many bad records",
        "alarm.digest collision": "digest collision",
        "message.giant cluster": (
            "{documents} documents are in one cluster with {survivor_id}: check whether they have only a template in common"
        ),
        "message.target missed": "{kept} documents are kept, not {target}, because no threshold comes nearer",
        "message.source nearly emptied": "{removed} of {documents} documents of {source} are removed",
        "message.candidate lists bounded": (
            "very common text was compared only in part: {keys} features are in more than {cap} documents each, the "
            "most frequent in {largest}. The measured recall shows the effect"
        ),
        "message.candidate lists bounded.whole": (
            "very common text was compared only in part: {keys} features are in more than {cap} documents each, the "
            "most frequent in {largest}. The recall was still measured as 1.000"
        ),
        "message.exact class bounded": (
            "{classes} texts have more than 100 exact copies each, the largest group {largest}. For these, "
            "pairs.parquet pairs each copy only with the kept document"
        ),
        "message.times unread": (
            "{unread} of {values} values of the column {column}, such as {example}, cannot be read as a time. "
            "Documents with these values rank last"
        ),
        "message.values nobody has": (
            "the policy uses {criterion}, but no document has that value in its column {column}: check the values "
            "of the column"
        ),
        "message.weights nobody has": (
            "{unmet} sources in the weights have no document, such as {source}. The source of a row is its value in "
            "the source column (--source-key), or the name of its file if it has no value"
        ),
        "message.no times": (
            "the policy uses {criterion}, but no document has a time in the column {column}: name the column of "
            "times with --time-key"
        ),
        "message.originals not known": (
            "no document has a time, so an original cannot be told apart from a forward that repeats it. Documents "
            "removed because a longer document contains them: {documents}. Name the column of times with "
            "--time-key. If rows are in the order of arrival, --keep earliest,first keeps the row that arrived "
            "first"
        ),
        "message.removed unconfirmed": (
            "the filter removed {documents} texts without an earlier equal text, so they have no survivor: to put "
            "them back, use quchong restore"
        ),
        "message.many without text": (
            "{documents} documents have no text. Such documents are kept and not compared: check the name of the "
            "text column"
        ),
        "message.many without features": (
            "{documents} documents have nothing that the method {method} can compare. They are kept, unless they are "
            "exact copies; the method hybrid compares every text"
        ),
        "message.small shares": (
            "{documents} of {removed} removed documents have less than a quarter of their text in common with the "
            "kept one, because the method compares only a small part of a text. With --verify exact they are kept"
        ),
        "message.one figure differs": (
            "{documents} documents differ from others of the same wording in only one figure, such as a counter, and "
            "count as different. Templates: {templates}; the largest has {largest} documents, such as {model_id}. "
            "--facts sets which kinds of facts count"
        ),
        "message.removed for roundups": (
            "{documents} documents were removed because a roundup or a forward contains them (roundups: {roundups}). "
            "To keep them, use --roundups keep"
        ),
        "message.facts not judged": (
            "about {share}% of the documents are in languages in which facts are not judged (estimated from "
            "{documents} documents). Copies in these languages are removed even if a negation, a name or a date in "
            "words differs; only figures written in digits are compared"
        ),
        "message.memory exceeded": (
            "the run used {peak} bytes of private memory, more than the {given} bytes that --memory allows. The "
            "peak was in the stage {stage}. Allow more with --memory, or give fewer documents at once"
        ),
        "message.kept rows changed": (
            "the kept rows of {run} have changed since that run, which kept {kept} documents. Missing: {missing}. "
            "Added: {added}. With another text: at least {changed}. This run compared the changed rows. If nobody "
            "edited the rows on purpose, repeat that run"
        ),
        "message.repeated ids": "{documents} documents have the same id as an earlier document: they are listed as id~2, id~3, ...",
        "message.decisions torn": "{lines} lines of the decisions file are incomplete, perhaps after a crash, and were skipped",
        "message.decisions without documents": (
            "{unknown} of {decisions} decisions have no effect, because their documents are not in this run: check "
            "that the file belongs to this corpus"
        ),
        "message.many bad records": "{bad} of {records} records cannot be read",
        "message.digest collision": (
            "{documents} documents were kept although another text has the same digest, because the texts differ"
        ),
        "xlsx.removed": "Removed",
        "xlsx.about": "About",
        "xlsx.id": "ID",
        "xlsx.survivor": "Document kept instead",
        "xlsx.relation": "Relation",
        "xlsx.reason": "Reason",
        "xlsx.jaccard": "Jaccard",
        "xlsx.containment": "Contained",
        "xlsx.threshold": "Threshold",
        "xlsx.facts": "Facts in conflict",
        "xlsx.clusters": "Clusters",
        "xlsx.cluster": "Cluster",
        "xlsx.size": "Documents",
        "xlsx.fate": Message("Outcome", context="workbook"),
        "xlsx.title": Message("Title", context="workbook"),
        "xlsx.survivor_title": "Title of the kept document",
        "xlsx.link": Message("Link", context="workbook"),
        "xlsx.survivor_link": "Link of the kept document",
        "xlsx.differences": "What differs (removed → kept)",
        "xlsx.time": "Time",
        "xlsx.survivor_time": "Time of the kept one",
        "xlsx.source": "Source",
        "xlsx.survivor_source": "Source of the kept one",
        "xlsx.begins": "Begins",
        "xlsx.survivor_begins": "The kept one begins",
        "templates": "Templates",
        "templates.note": (
            "A template is text that three or more records share, with slots that they fill differently. Two records "
            "that fill a slot differently are not copies."
        ),
        "templates.counts": (
            "{0} templates with {1} records. {2} pairs are not copies because their slots are filled differently. "
            "The {3} templates with the most records are shown."
        ),
        "template": "Template {0}: {1} records",
        "template.slot": "Slot {0}",
        "template.different": "{0} different:",
        "template.more": "and {0} more slots",
        "xlsx.left_out": "Rows that do not fit into a sheet",
    }
    | COUNTS
    | SETTINGS
)
"""Words by key; `{0}` or `{name}` is a place for a value. Words of relations, rules and kinds come from their own tables."""


@cache
def words() -> dict[str, dict[str, str]]:
    """Return every word of the page by its key, then by language."""
    told = {f"kind.{name}": name for name in DIFFERENCES} | {f"rule.{name}": name for name in RULES}
    return in_all_languages(WORDS | GATES | told | {f"relation.{one.name}": one.words.listed for one in TABLE})


def in_all_languages(english: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return words by key and then by language, as scripts of a page take them."""
    return {key: {chosen: page_word(chosen, told) for chosen in LANGUAGES} for key, told in english.items()}

"""Words of the desk in English, beside those of the report's page; the catalogue has their Chinese."""

from quchong.languages import Message

WORDS = {
    "desk.brand": "quchong review",
    "desk.title": "Review of {0}",
    "desk.nav.measures": "Measures",
    "desk.nav.list": "Documents and pairs",
    "desk.lead": "How good is this run?",
    "desk.ask": "Start labelling",
    "desk.ask.why": "Label the most informative pairs, one by one.",
    "desk.ask.none": "Every pair has a label or has been skipped.",
    "desk.asked": (
        "This pair was drawn at random from {size} pairs that the run calls {relation}, with scores from {low} "
        "to {high}."
    ),
    "desk.label": "These two are",
    "desk.label.same": "the same",
    "desk.label.contained": "one contains the other",
    "desk.label.different": "different",
    "desk.label.unsure": "hard to tell",
    "desk.verdict": "Decision on the removal:",
    "desk.accept": "right",
    "desk.overturn": "wrong: keep the document",
    "desk.skip": "Skip",
    "desk.saved": "Saved",
    "desk.keys": (
        "Keys: 1 to 4 for a label, A and O for a decision on the removal, N and P for the next and previous "
        "difference, ← → for the previous and next pair, Esc to close. Press the same key again to remove the "
        "label"
    ),
    "desk.keys.ask": (
        "Keys: 1 to 4 for a label, then the next pair; A and O for a decision on the removal, N and P for the "
        "next and previous difference, S to skip, Esc to close"
    ),
    "desk.gone": (
        "The desk does not answer, so nothing more is saved. Check that quchong review is running. If not, start "
        "it again, and open the new address."
    ),
    "desk.trouble": "The action failed: {0}",
    "desk.torn": (
        "{0} lines of {1} are incomplete, perhaps after a crash, and were skipped. All other lines are used."
    ),
    "desk.precision": "Precision",
    "desk.recall": "Recall",
    "desk.percent": "{0}%",
    "desk.interval": "95%: {0}% to {1}%, from {2} labels",
    "desk.no.label": "no labels yet",
    "desk.labels": "Pairs labelled",
    "desk.accepted": "Confirmed removals",
    "desk.overturned": "Overturned removals",
    "desk.best.title": "Recommended threshold",
    "desk.best": "{0}: {1}",
    "desk.best.then": (
        "Precision would be {precision}% ({precision_low}% to {precision_high}%), recall {recall}% "
        "({recall_low}% to {recall_high}%)."
    ),
    "desk.best.alike": "According to these labels, every threshold from {0} to {1} is equally good.",
    "desk.best.now": "F1 at the threshold of the run: {0}; at this threshold: {1}.",
    "desk.best.keep": "No better threshold was found: keep the threshold of the run.",
    "desk.best.few": (
        "To suggest a threshold, the desk needs at least {0} labels, both of copies and of different "
        "documents. So far there are {1} labels."
    ),
    "desk.begin": "{0} of the {1} labels needed to estimate precision, recall and a threshold.",
    "desk.best.method": "The threshold of method {0} also affects the search: to change it, run again.",
    "desk.best.closed": "quchong cannot compute this run at another threshold: {0}",
    "desk.best.refused": (
        "The listed pairs do not show the result of method {0} at another threshold: to see it, run again."
    ),
    "desk.curve": "Precision and recall at each threshold, estimated from the labels",
    "desk.from": "Basis of the estimate",
    "desk.from.whole": "All pairs: the run lists {0} pairs that are not exact copies, and calls {1} of them copies.",
    "desk.from.drawn": (
        "Drawn by the desk: {0} labels. The desk draws more pairs near the threshold, so each label is weighted "
        "by the number of pairs in its score range."
    ),
    "desk.from.picked": (
        "Chosen by you from the list: {0} labels. They are not drawn at random, so each label counts only for "
        "its own pair."
    ),
    "desk.from.unsure": "Labels “hard to tell”: {0}. They do not count: these pairs are treated as not labelled.",
    "desk.from.exact": "Labels of exact copies: {0}. They do not count.",
    "desk.from.others": "Labels of pairs that this run does not list: {0}. They do not count.",
    "desk.from.open": "{0} pairs are in score ranges in which no pair was drawn and labelled, so the estimates "
    "leave them out.",
    "desk.from.recall": (
        "Recall counts only pairs that the run lists. For pairs that the search missed, see the candidate recall "
        "of the run."
    ),
    "desk.file": "Decisions file",
    "desk.acts": "{0} lines",
    "desk.export": "Download the labels as pairs for eval and tune",
    "desk.apply": "To put back removals that you overturned, or to keep these documents in a new run:",
    "desk.list": "Documents and pairs",
    "desk.view": "What is listed",
    "desk.view.removed": "Removed documents",
    "desk.view.pairs": "All listed pairs",
    "desk.filter.rule": Message("Reason", context="filter"),
    "desk.filter.low": "Score from",
    "desk.filter.high": "to",
    "desk.filter.state": "Status",
    "desk.state.open": "not reviewed",
    "desk.state.accept": "removal confirmed",
    "desk.state.overturn": "removal overturned",
    "desk.state.labelled": "labelled",
    "desk.state.unlabelled": "not labelled",
    "desk.state.same": "label: the same",
    "desk.state.contained": "label: one contains the other",
    "desk.state.different": "label: different",
    "desk.state.unsure": "label: hard to tell",
    "desk.sort": "Order",
    "desk.sort.line": "nearest to the threshold first",
    "desk.sort.low": "least similar first",
    "desk.sort.high": "most similar first",
    "desk.sort.id": "by ID",
    "desk.search": "ID",
    "desk.said": "Status",
    "desk.found.removed": "{0} removed documents",
    "desk.found.pairs": "{0} pairs",
    "desk.found.none": "Nothing matches.",
}
"""Words by key; `{0}` or `{name}` is a place for a value."""

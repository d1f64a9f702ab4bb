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
    "desk.ask.none": "Every pair has a label or was skipped.",
    "desk.asked": (
        "Drawn at random from the {size} pairs that the run calls {relation}, with scores from {low} to {high}."
    ),
    "desk.label": "These two are",
    "desk.label.same": "the same",
    "desk.label.contained": "one contains the other",
    "desk.label.different": "different",
    "desk.label.unsure": "hard to tell",
    "desk.verdict": "Decision on the removal:",
    "desk.accept": "right",
    "desk.overturn": "wrong: keep it",
    "desk.skip": "Skip",
    "desk.saved": "Saved",
    "desk.keys": (
        "Keys: 1 to 4 label, A and O decide on the removal, N and P next and previous difference, ← → previous and next pair, Esc "
        "closes; the same key again takes a label back"
    ),
    "desk.keys.ask": (
        "Keys: 1 to 4 label and continue, A and O decide on the removal, N and P next and previous difference, S skips, Esc closes"
    ),
    "desk.gone": (
        "The desk does not answer, so nothing more is saved. Is quchong review still running? Start it again, "
        "and open the new address."
    ),
    "desk.trouble": "Not done: {0}",
    "desk.torn": "{0} lines of {1} are damaged, as after a crash, and were left out. All other lines count.",
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
    "desk.best.alike": "According to these labels, every threshold from {0} to {1} does as well.",
    "desk.best.now": "F1 of the run as it is: {0}; at this threshold: {1}.",
    "desk.best.keep": "No threshold does better than that of the run: keep it.",
    "desk.best.few": (
        "A threshold is recommended once there are {0} labels, including copies and others; so far there are {1}."
    ),
    "desk.begin": "{0} of {1} labels. With these, precision, recall and a threshold are estimated.",
    "desk.best.method": "The threshold of method {0} also affects the search, so it cannot be changed afterwards.",
    "desk.best.closed": "The run cannot be decided again: {0}",
    "desk.best.refused": "The listed pairs do not show what another threshold of method {0} would do.",
    "desk.curve": "Precision and recall at each threshold, by the labels",
    "desk.from": "What this is estimated from",
    "desk.from.whole": "All pairs: {0} listed pairs that are not exact copies; the run calls {1} of them copies.",
    "desk.from.drawn": (
        "Drawn by the desk: {0} labels. More are drawn near the threshold, so they are not a plain random "
        "sample; each label is weighted by how many pairs of its score range there are for every pair drawn "
        "there."
    ),
    "desk.from.picked": (
        "Chosen by you from the list: {0} labels. They were not drawn at random, so each counts for itself alone."
    ),
    "desk.from.unsure": "Labels “hard to tell”: {0}. They are left out, as if these pairs had not been asked about.",
    "desk.from.exact": "Labels of exact copies: {0}, left out.",
    "desk.from.others": "Labels of pairs that this run does not list: {0}, left out.",
    "desk.from.open": "{0} pairs are in score ranges without a drawn label, so no estimate covers them yet.",
    "desk.from.recall": (
        "Recall is measured over listed pairs only. For the pairs that the search never found, see candidate "
        "recall in the run."
    ),
    "desk.file": "Decisions file",
    "desk.acts": "{0} lines",
    "desk.export": "Download the labels as pairs for eval and tune",
    "desk.apply": "To put back overturned removals, or to keep these documents in a new run:",
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

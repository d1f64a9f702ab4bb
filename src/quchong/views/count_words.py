"""Words for the counts of a run on the page, in English; the catalogue has their Chinese."""

from quchong.languages import Message

COUNTS = {
    "count.read": "Documents read",
    "count.kept": "Kept",
    "count.removed": Message("Removed", context="count of documents"),
    "count.clusters": "Clusters",
    "count.pairs": "Pairs listed",
    "count.variants": "Pairs of variants kept",
    "count.told_apart": "Pairs on one template that are not copies",
    "count.skipped": "Records skipped",
    "count.reference": "Compared with",
    "count.unscored": "Too short to compare",
    "count.without_text": "Without text",
    "count.unseen": "Without features to compare",
    "count.small_shares": "Removed by a small share",
    "count.policy_overruled": "Removed because contained, although --keep prefers them",
    "count.kept_as_first": "Kept because it came first",
    "count.kept_beside": "Kept as one of the best of a cluster, next to the survivor",
    "count.originals": "Originals in roundups and forwards",
    "count.roundups": "Roundups",
    "count.roundups_removed": "Roundups removed because their articles contain them",
    "count.restored": "Restored with quchong restore; the decision is still open",
}

"""The methods that run on Spark, with the options both engines are held to.

tests/conformance runs some of them on Spark in the suite and each in a campaign; tests/properties holds the steps of all to what
an engine asks of them, without Spark.
"""

EACH = {
    "short-text": {},
    "shingling": {"containment": 0.8},
    "lsh": {},
    "lsh-s": {},
    "lsh-p": {},
    "imatch": {},
    "imatch-random": {},
    "imatch-s": {},
    "imatch-p": {},
    "simhash": {"bits": 384, "threshold": 0.8, "cap": 3},
    "random-projection": {"threshold": 0.85},
    "henzinger": {"groups": 12, "threshold": 0.8},
    "feature-code": {"keep": "column:quality desc"},
    "tree-long-sentence": {},
    "tree-key-sentence": {},
    "sl": {},
    "sl-st": {},
    "cops": {"relations": "exact,duplicate"},
    "partial": {},
    "mdr": {},
    "winnowing": {"per": "half"},
    "sif": {},
    "url": {},
    "lcs": {},
    "hamming-lsh": {},
    "kmatch": {},
    "block-digest": {"unit": "chunk", "chunk": 16},
    "check": {"skip_root": True},
    "graph": {"window": 3, "synonyms": "记者=市民"},
    "two-stage": {"per": "half", "distance": 7},
    "ppjoin": {"threshold": 0.6},
    "ppjoin+": {"threshold": 0.5, "per": "half"},
}
"""Methods that run on Spark beside those of `MORE`, and the options they are tested with."""

PRUNING = (
    {"prune": "none"},
    {"prune": "site", "scope": "list", "min_site_docs": 2, "recount": False},
    {"prune": "site", "count": "pages", "characters": "folded", "threshold": 0.4},
    {"prune": "idf", "idf_low": 0.6, "idf_high": 0.95},
    {"prune": "none", "cap": 2, "threshold": 0.2, "verify": "exact"},
    {"prune": "site", "same_text": 1.0, "min_shared": 2, "threshold": 0.1, "cap": 3, "per": "half"},
)
"""Options of ccdet."""

MORE = (
    ("hybrid", {}),
    ("hybrid", {"strip": "dateline,editor", "per": "site", "keep": "column:quality desc"}),
    (
        "hybrid",
        {"same_site": True, "relations": "exact,duplicate", "cap": 3, "keep": "source:b>a,shortest", "source": "site"},
    ),
    ("hybrid", {"facts": "remove", "keep": "longest"}),
    ("minhash", {"threshold": 0.5}),
    ("exact", {}),
    ("ccdet", {}),
    *(("ccdet", options) for options in PRUNING),
    ("shingling", {"cap": 9, "most": 5}),
    ("lsh", {"cap": 12, "most": 5}),
    ("two-stage", {"bits": 128, "distance": 12, "cap": 5}),
)
"""Methods and options of the tests that are about something else."""

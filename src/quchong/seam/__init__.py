"""The seam: a method knows no engine, an engine knows no method.

An engine runs a method like this, and every step is a pure function of a batch:

    texts --represent--> features --candidates--> pairs --score--> measures --rule--> relations

`represent` sees each document once and keeps what later steps need. `candidates` is a value that defines the candidate pairs: a
`KeyJoin`, a `SetJoin`, a `HammingJoin`, or a `Search` for methods that search by themselves; each engine has one implementation
of each. The join also has the statistics of the corpus that the method depends on. `score` measures both documents of a pair; the
`rule` names the relation from these measures alone, so that thresholds can be changed without a second run. `differences` is None,
or examines the differences of listed pairs; `extras` has the steps that few methods have.

Further columns of a document (title, address, site, the kinds of its lines) are part of `Documents` for the methods that ask for
them (`Traits.needs`).
"""

from __future__ import annotations

from quchong.seam.batches import (
    CROWD,
    KNOWN,
    Documents,
    Features,
    JoinLimits,
    Keys,
    Measures,
    Meetings,
    Spans,
    TokenStreams,
    Traits,
)
from quchong.seam.differences import Differences, DifferenceSteps, find_all, load_steps, may_decide, template_pairs
from quchong.seam.joins import (
    HammingJoin,
    Join,
    KeyJoin,
    NoiseSteps,
    PrefixSteps,
    Search,
    SetJoin,
    Statistics,
    UnitedSets,
)
from quchong.seam.method import (
    Extras,
    FirstSeen,
    Method,
    Rule,
    active_differences,
    candidates_described,
    engines_of,
    settings_of,
    with_statistics,
)
from quchong.seam.sights import Gate, Marks, Sight, Signature, TextValues, Values

__all__ = [
    "CROWD",
    "KNOWN",
    "DifferenceSteps",
    "Differences",
    "Documents",
    "Extras",
    "Features",
    "FirstSeen",
    "Gate",
    "HammingJoin",
    "Join",
    "JoinLimits",
    "KeyJoin",
    "Keys",
    "Marks",
    "Measures",
    "Meetings",
    "Method",
    "NoiseSteps",
    "PrefixSteps",
    "Rule",
    "Search",
    "SetJoin",
    "Sight",
    "Signature",
    "Spans",
    "Statistics",
    "TextValues",
    "TokenStreams",
    "Traits",
    "UnitedSets",
    "Values",
    "active_differences",
    "candidates_described",
    "engines_of",
    "find_all",
    "load_steps",
    "may_decide",
    "settings_of",
    "template_pairs",
    "with_statistics",
]

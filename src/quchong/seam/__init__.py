"""The seam: a method knows no engine, an engine knows no method.

An engine runs a method like this, and every step is a pure function of a batch:

    texts --prepare--> features --candidates--> pairs --score--> measures --decide--> relations

`features` sees each document once and keeps what later steps need. `candidates` is a value that defines the candidate pairs: a
`KeyJoin`, a `SetJoin`, a `HammingJoin`, or a `Search` for methods that search by themselves; each engine has one implementation
of each. `score` measures both documents of a pair; `decide` names the relation from these measures alone, so that thresholds can
be changed without a second run.

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
from quchong.seam.differences import Differences
from quchong.seam.joins import HammingJoin, Join, KeyJoin, NoiseSteps, PrefixSteps, Search, SetJoin
from quchong.seam.method import FirstSeen, Method
from quchong.seam.sights import Gate, Marks, Said, Sight, Signature, Values

__all__ = [
    "CROWD",
    "KNOWN",
    "Differences",
    "Documents",
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
    "Said",
    "Search",
    "SetJoin",
    "Sight",
    "Signature",
    "Spans",
    "TokenStreams",
    "Traits",
    "Values",
]

"""The seam: a method knows no engine, an engine knows no method.

An engine runs a method like this, and every step is a pure function of a batch:

    texts --prepare--> features --candidates--> pairs --score--> measures --decide--> relations

`features` sees each document once and keeps what is needed later. `candidates` is a value that says who meets whom: a `KeyJoin`,
a `SetJoin`, a `HammingJoin`, or a `Search` for methods that search by themselves; each engine has one implementation of each.
`score` looks at both documents of a pair and says what they have in common; `decide` names the relation from that alone, so
thresholds can be changed without a second run.

What is known of a document beside its text (title, address, site, the weights of its lines) comes along in `Documents` for the
methods that ask for it (`Traits.needs`).
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

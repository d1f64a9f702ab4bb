"""The seam: a method knows no engine, an engine knows no method.

An engine runs a method like this, and every step is a pure function of a batch:

    texts --prepare--> features --> keys --join--> judge --> decide

`features` sees each document once and keeps what is needed later; `keys` says which documents meet; the engine joins
equal keys under the method's `JoinRule`; `judge` looks at both documents of a candidate and says what they have in
common; `decide` names the relation from that alone, so thresholds can be changed without a second run.

A method whose candidates are no join of equal keys is a `Finder` too: the engine hands it the documents that exact
classes leave, in order of who would be kept, and it says itself who meets (`meet`); statistics over them come first
(`fitted`).

What is known of a document beside its text (title, address, site, the weights of its lines) comes along in `Documents`
for the methods that ask for it (`Traits.needs`). A method that knows where two documents agree says so (`PassageFinder`).
"""

from __future__ import annotations

from quchong.seam.batches import KNOWN, Documents, Features, JoinRule, Keys, Measures, Meetings, Spans, Traits
from quchong.seam.finders import Finder, NoiseFinder, PrefixFinder, SetFinder
from quchong.seam.method import FirstSeen, Method, PassageFinder, Staged

__all__ = [
    "KNOWN",
    "Documents",
    "Features",
    "Finder",
    "FirstSeen",
    "JoinRule",
    "Keys",
    "Measures",
    "Meetings",
    "Method",
    "NoiseFinder",
    "PassageFinder",
    "PrefixFinder",
    "SetFinder",
    "Spans",
    "Staged",
    "Traits",
]

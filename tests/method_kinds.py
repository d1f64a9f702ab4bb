"""Methods of each kind: what an engine does differently for one method than for another, it does by these."""

import pytest

from quchong.plan.catalogue import METHODS, build


def kind_of(name):
    """The join and its steps, what it counts on a corpus and is parted by, how texts are examined, and the base classes that it is made of."""
    method = build(name)
    join = method.candidates
    steps = [step for step in ("noise", "prefixes", "meet", "statistics") if getattr(join, step, None) is not None]
    bases = [kind.__name__ for kind in type(method).__mro__[1:] if kind.__module__.startswith("quchong")]
    return type(join).__name__, *steps, "parted" * bool(METHODS[name].traits.needs), *bases


def of_each_kind(also=()):
    """All methods, as values of a parameter: the suite tries the first of each kind and those named, a campaign the others too."""
    met, out = set(), []
    for name in sorted(METHODS):
        in_suite = kind_of(name) not in met or name in also
        met.add(kind_of(name))
        out.append(pytest.param(name, marks=[] if in_suite else [pytest.mark.campaign]))
    return out

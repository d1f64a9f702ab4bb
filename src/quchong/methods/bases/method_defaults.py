"""Base class of all methods: checks of parameters, and the optional steps that a class defines."""

from __future__ import annotations

from typing import Any

from quchong.parameters import check_values
from quchong.seam import DifferenceSteps, Extras, Statistics


class MethodDefaults:
    """Base class of a method, with no differences and with the extras that it defines by name: `sights`, `gates`, `passages` ..."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_values(self)
        self.check()

    def check(self) -> None:
        """Check parameters that depend on each other, beyond their metadata; raise UsageError if they disagree."""

    @property
    def differences(self) -> DifferenceSteps | None:
        """Steps that examine differences: None, because a method has none unless it defines them."""
        return None

    @property
    def extras(self) -> Extras:
        """Optional steps, looked up among the attributes of the class."""
        return Extras.look_up(self)


def corpus_statistics(given: Any, needed: str, count: Any, stream: Any = None) -> Statistics:
    """Return the statistics of a join for a parameter `statistics`.

    Args:
        given: value of the parameter; if it is not None, nothing is to be counted.
        needed: description of what is to be counted; "" if these parameters need no statistics.
        count, stream: see `quchong.seam.Statistics`.
    """
    return (
        Statistics("", None, given, stream)
        if given is not None or not needed
        else Statistics(needed, count, None, stream)
    )

"""Cases of a matrix that the suite tries, and those that only a campaign tries."""

from itertools import product

import pytest


def each_once(*axes):
    """Return all combinations, of which the suite tries as many as the longest axis has values: each value of each axis is met.

    The values of the axes are dealt out in turn, one axis a place further with each round of another, so that no axis always has the
    same value beside one of another. Whoever thins a test in this way names a mutant that is still caught (decision 0297).
    """
    longest = max(map(len, axes))
    in_suite = set()
    # Longer axes first: a round of a shorter one would move a longer one on before all of its values were met.
    by_length = sorted(range(len(axes)), key=lambda number: -len(axes[number]))
    for place in range(longest):
        rounds = 0
        chosen = [0] * len(axes)
        for number in by_length:
            chosen[number] = (place + rounds) % len(axes[number])
            rounds += place // len(axes[number])
        in_suite.add(tuple(chosen))
    return [
        pytest.param(
            *(axis[at] for axis, at in zip(axes, places, strict=True)),
            marks=[] if places in in_suite else [pytest.mark.campaign],
        )
        for places in product(*(range(len(axis)) for axis in axes))
    ]


def some_of(values, count):
    """Return all values, of which the suite tries the first `count` and a campaign the others too."""
    return [pytest.param(value, marks=[pytest.mark.campaign] * (at >= count)) for at, value in enumerate(values)]


def in_turn(values, number, count):
    """Return `count` of the values, other ones for each number: what a case of that number tries in the suite."""
    return [values[(number * count + at) % len(values)] for at in range(count)]


def two_of_each(cases, numbers):
    """Return all pairs of a case and a number; the suite tries each case with two of the numbers, other ones in turn."""
    numbers = list(numbers)
    chosen = {(place, number) for place in range(len(cases)) for number in in_turn(numbers, place, 2)}
    return [
        pytest.param(case, number, marks=[] if (place, number) in chosen else [pytest.mark.campaign])
        for place, case in enumerate(cases)
        for number in numbers
    ]

"""Covers: values of parameters that make no sense, of every method. Compared against: the error that names the parameter.

Run: pytest tests/unit/methods/test_senseless_parameters.py
"""

import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS

ROWS = [{"text": "今天天气很好，我们去公园划船。"}, {"text": "今天天气很好，我们去公园划船吧。"}]
EVERY = [
    (name, p.name, p.type)
    for name, method in METHODS.items()
    for p in parameters_of(type(method) if not isinstance(method, type) else method).values()
]
NUMBERS = [(name, parameter) for name, parameter, kind in EVERY if kind in (int, float)]


def run(name, **parameter):
    return qc.dedup(ROWS, method=name, recall_sample=0, **parameter)


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "x"])
@pytest.mark.parametrize(("name", "parameter"), NUMBERS)
def test_no_number_of_a_method_is_negative_infinite_or_a_word(name, parameter, value):
    with pytest.raises(UsageError, match=parameter):
        run(name, **{parameter: value})


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, p) for name, p in NUMBERS if p in ("keywords", "sentences", "searched", "stored")]
)
def test_a_count_beyond_what_is_counted_is_refused_by_name(name, parameter):
    with pytest.raises(UsageError, match=parameter):
        run(name, **{parameter: 10**12})


@pytest.mark.parametrize("name", sorted({name for name, parameter, _ in EVERY if parameter == "statistics"}))
def test_statistics_are_no_number_of_an_open_file(name):
    for value in (0, 10**12, True):
        with pytest.raises(UsageError, match="statistics"):
            run(name, statistics=value)

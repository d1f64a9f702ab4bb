"""Covers: the members of methods (`quchong.seam.Method`): that they are values, and that a method is found by its file.

Compared against: the protocols themselves, pickle, and folders made here. Run: pytest tests/unit/methods/test_members.py.
"""

import pickle
from dataclasses import fields
from typing import get_args

import numpy as np
import pytest

from quchong.errors import UsageError
from quchong.methods import PLACES, find_methods
from quchong.methods.bases.authored import MethodBase
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS, build
from quchong.seam import (
    DifferenceSteps,
    Extras,
    HammingJoin,
    Join,
    KeyJoin,
    Method,
    Rule,
    Search,
    SetJoin,
    candidates_described,
    engines_of,
    settings_of,
)

MEMBERS = {"name", "traits", "form", "represent", "candidates", "score", "rule", "differences", "extras"}


def members(protocol):
    return {name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_")}


def test_a_method_has_nine_members():
    assert members(Method) == MEMBERS


@pytest.mark.parametrize("name", METHODS)
def test_the_values_of_a_method_pickle_and_say_the_same_afterwards(name):
    method = build(name)
    again = pickle.loads(pickle.dumps(method))
    assert again == method and repr(again) == repr(method)
    join, rule = (pickle.loads(pickle.dumps(one)) for one in (method.candidates, method.rule))
    assert type(join) is type(method.candidates) and isinstance(join, get_args(Join))
    assert join.statistics is None or join.statistics.needed == method.candidates.statistics.needed
    assert rule == method.rule and all(hasattr(rule, member) for member in members(Rule))
    steps = method.differences
    assert steps is None or all(hasattr(steps, member) for member in members(DifferenceSteps))


@pytest.mark.parametrize("name", METHODS)
def test_a_rule_can_decide_its_own_pairs_again_and_those_of_no_other_method(name):
    rule = build(name).rule
    assert rule.lacks(rule) is None
    for other in METHODS:
        theirs = build(other).rule
        if type(theirs) is not type(rule) or getattr(theirs, "method", name) != getattr(rule, "method", name):
            assert hasattr(rule, "given_threshold") or rule.lacks(theirs)


@pytest.mark.parametrize("name", METHODS)
def test_parameters_are_the_fields_and_what_the_rule_fills_in(name):
    method = build(name)
    told = settings_of(method)
    assert set(told) == {one.name for one in fields(method)} and set(method.rule.filled) <= set(told)
    for one, value in told.items():
        assert value == getattr(method, one) or one in method.rule.filled


@pytest.mark.parametrize("name", METHODS)
def test_extras_are_looked_up_and_never_stubbed(name):
    method = build(name)
    for one in fields(Extras):
        assert getattr(method.extras, one.name) == getattr(method, one.name, None)
    if method.extras.passages is not None:
        assert callable(method.extras.passages)
    assert (method.extras.first_stage is None) or name == "two-stage"


def test_engines_and_candidates_follow_from_the_join():
    told = {name: (engines_of(build(name)), str(candidates_described(build(name)))) for name in METHODS}
    for name, (engines, described) in told.items():
        join = build(name).candidates
        assert ("spark" in engines) == (not isinstance(join, Search) and name != "scam"), name
        assert (described == "keys") == isinstance(join, KeyJoin), name
    kinds = {described for _, described in told.values()}
    assert len(kinds) == 5  # keys, sets, sets by prefixes, signatures, a search
    assert told["ccdet"][1] == told["shingling"][1] != told["ppjoin"][1]
    assert isinstance(build("ccdet").candidates, SetJoin) and isinstance(build("simhash").candidates, HammingJoin)


def test_a_method_is_found_by_its_file(tmp_path):
    (tmp_path / "sets").mkdir()
    (tmp_path / "bases").mkdir()
    code = 'class Base(PaperMethod):\n    rows: int = 3\n\n\nclass One(Base):\n    name: ClassVar[str] = "one-by-one"\n'
    (tmp_path / "sets" / "one.py").write_text(code, encoding="utf-8")
    (tmp_path / "sets" / "hybrid.py").write_text('class H(B):\n    name: ClassVar[str] = "hybrid"\n', encoding="utf-8")
    (tmp_path / "bases" / "two.py").write_text(code.replace("one-by", "two-by"), encoding="utf-8")
    assert list(find_methods(tmp_path).items()) == [("hybrid", "sets.hybrid:H"), ("one-by-one", "sets.one:One")]


def test_every_class_with_a_name_is_among_the_methods():
    for name, place in PLACES.items():
        assert METHODS[name].__name__ == place.partition(":")[2] and METHODS[name].name == name


@pytest.mark.parametrize("name", ["fitted", "statistics_needed", "counting", "facts_mode", "differences"])
def test_a_member_that_is_not_looked_at_any_more_is_refused(name):
    with pytest.raises(TypeError, match=f"Old.{name} is not looked at any more"):
        type("Old", (MethodBase,), {"__slots__": (), name: lambda self: None})


def test_the_floor_of_a_rule_is_what_it_decides_on():
    measures = {"evidence": np.array([0.1, 0.9]), "jaccard": np.zeros(2), "covered_left": np.array([0.1, 0.9]),
                "covered_right": np.array([0.1, 0.9]), "containment_left": np.ones(2), "containment_right": np.ones(2)}  # fmt: skip
    for name in ("scam", "lsh", "simhash"):
        rule = build(name).rule
        relation, why = rule.decide(measures)
        assert relation.tolist() == ["partial", "duplicate" if rule.floor(measures)[1] else "partial"]
        assert why[0] == "below the rule" and rule.floor(measures).tolist()[0] is False


LIMITS = ("threshold", "containment", "least", "title", "keyword", "root", "inner", "ratio")
"""Parameters that two texts must reach: a limit of 0 is reached by all."""


@pytest.mark.parametrize("name", METHODS)
def test_a_limit_that_every_pair_reaches_is_refused(name):
    asked = [one for one in LIMITS if one in parameters_of(METHODS[name])]
    for one in asked:
        with pytest.raises(UsageError):
            build(name, {one: 0.0})
    for low, high in ((0.5, 0.5), (1.0, 1.0), (0.9, 0.1)):
        if "idf_low" in parameters_of(METHODS[name]):
            with pytest.raises(UsageError, match="idf_low must be less than idf_high, both from 0 to 1, got"):
                build(name, {"idf_low": low, "idf_high": high})

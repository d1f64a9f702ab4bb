"""Covers: methods of other packages whose members are missing or return something else: the member is named, and what it should return."""

import re
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from method_package import CODE

import quchong as qc
from quchong.author import MethodBase
from quchong.plan.own_methods import check_own_method

TEXTS = ["今天天气很好，我们一起去公园散步，看看湖边的花开了没有。"] * 2


def changed(member, code, decorator=""):
    """The class of the guide with another body of a member; `decorator` is what stands above it, "" for what the guide has there."""
    before = re.search(
        rf"((?:    @property\n)?)    def {member}\((.*?)\):\n(.*?)(?=\n    @|\n    def |\Z)", CODE, re.DOTALL
    )
    above = before[1] if not decorator else decorator.replace("none", "")
    return CODE.replace(before[0], f"{above}    def {member}({before[2]}):\n        {code}\n")


def made(code, monkeypatch):
    """An object of the class that the code defines."""
    module = type(sys)("quchong_opening")
    monkeypatch.setitem(sys.modules, "quchong_opening", module)
    exec(code, vars(module))
    return module.Opening(width=8)


def test_the_method_of_the_guide_is_right(monkeypatch):
    assert qc.dedup(TEXTS, method=made(CODE, monkeypatch)).counts["removed"] == 1


@pytest.mark.parametrize(("member", "code", "decorator", "said"), [
    ("form", "return 'standard'", "", "must return a form, such as form('standard', 'auto'), but it returned a value of type str"),
    ("candidates", "return [(0, 1)]", "", "must return a join (KeyJoin, SetJoin, HammingJoin, Search), such as KeyJoin(equal_keys, "
     "JoinLimits(64)), but it returned a value of type list"),
    ("candidates", "return KeyJoin(equal_keys, 64)", "", "the limits of the KeyJoin are a value of type int: write JoinLimits(64)"),
    ("rule", "return 0.8", "", "must return a rule, such as JaccardRule.from_threshold(0.8), but it returned a value of type float"),
    ("rule", "JaccardRule.from_threshold(0.8)", "", "but it returned nothing: a return is missing"),
    ("rule", "return JaccardRule.from_threshold(0.8)", "none", "is a function, but it must be a property: write @property above it"),
    ("represent", "digests(self.form, texts, workers, keep)", "", "must return the features of the texts, such as digests(self.form, "
     "texts, workers, keep), but it returned nothing: a return is missing"),
    ("represent", "return [1, 2]", "", "but it returned a value of type list"),
    ("score", "return np.ones(len(left))", "", "must return the measures of the pairs by name (jaccard, containment_left, "
     "containment_right), such as measure(self.form, ...), but it returned a value of type ndarray"),
    ("score", "return {'jaccard': np.ones(len(left))}", "", "but it returned a dict with jaccard"),
])  # fmt: skip
@pytest.mark.parametrize("call", [
    lambda method: qc.dedup(TEXTS, method=method), lambda method: qc.compare(*TEXTS, method=method),
    lambda method: qc.distinct(TEXTS, method=method), lambda method: qc.inspect(TEXTS[0], method=method),
], ids=["dedup", "compare", "distinct", "inspect"])  # fmt: skip
def test_a_member_that_returns_something_else_is_named(call, member, code, decorator, said, monkeypatch):
    method = made(changed(member, code, decorator), monkeypatch)
    with pytest.raises(qc.UsageError) as raised:
        call(method)
    assert str(raised.value).startswith(f"Opening.{member}") and said in str(raised.value)


def test_steps_that_need_more_than_two_texts_are_left_to_the_run(monkeypatch):
    check_own_method(made(changed("score", "raise ValueError('no statistics')"), monkeypatch))


def test_members_that_a_class_lacks_are_named():
    class Bare(MethodBase):
        """Nothing."""

    @dataclass(frozen=True)
    class Named(MethodBase):
        """A method without members."""

        name: ClassVar[str] = "named"
        traits: ClassVar = qc.methods.Hybrid.traits

    class Plain(Named):
        """No dataclass of its own."""

    for given in (Bare, Bare()):
        with pytest.raises(
            qc.UsageError, match="the class Bare lacks name, traits, candidates, form, represent, rule, score"
        ):
            qc.dedup(TEXTS, method=given)
    with pytest.raises(qc.UsageError, match="the class Named lacks candidates, form, represent, rule, score"):
        qc.dedup(TEXTS, method=Named())
    with pytest.raises(qc.UsageError, match="must be the name of a method, or a method such as"):
        qc.dedup(TEXTS, method=5)


def test_a_method_that_is_no_dataclass_is_answered_with_the_decorator(monkeypatch):
    code = CODE.replace("@dataclass(frozen=True, slots=True)\n", "").replace(
        "Opening(MethodBase)", "Opening(MethodBase)"
    )
    module = type(sys)("quchong_opening")
    exec(code, vars(module))
    with pytest.raises(qc.UsageError, match=r"Opening is not a dataclass: write @dataclass\(frozen=True, slots=True\)"):
        qc.dedup(TEXTS, method=module.Opening())


def test_methods_of_quchong_are_not_tried(monkeypatch):
    monkeypatch.setattr(qc.methods.Exact, "represent", lambda *_: None)
    check_own_method(qc.methods.Exact())
    assert np.array_equal(qc.distinct(["a"]).kept, [0])

"""Covers: parameters of methods as metadata of their fields: what is told of each, and that every value is held to it.

Compared against: the fields of all methods. Run: pytest tests/unit/parameters.
"""

import ast
import inspect
import math
import re
from collections import defaultdict
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
import pytest

from quchong.errors import UsageError
from quchong.kernels.checked import MAX_NGRAM
from quchong.methods.bases.facts import WORDS
from quchong.methods.bases.method_defaults import MethodDefaults
from quchong.parameters import CAP, NORMALISE, THRESHOLD, check_values, fixed_of, parameter, parameters_of, shared
from quchong.parameters.parameter import Parameter
from quchong.plan.catalogue import METHODS, build
from quchong.seam import settings_of
from quchong.similarity import PRESETS

EVERY = [(name, p) for name, kind in METHODS.items() for p in parameters_of(kind).values()]
IDS = [f"{name}-{p.name}" for name, p in EVERY]


@dataclass(frozen=True, slots=True)
class Windowed(MethodDefaults):
    """A method by someone else."""

    width: int = parameter(3, "sentences of a window.", least=1, most=9)
    share: float = parameter(0.5, "score of a layer.", above=0, below=1)
    how: str = parameter("near", "who meets.", choices=("near", "far"))
    cap: int | None = CAP(None)
    strict: bool = True

    name: ClassVar[str] = "windowed"


@pytest.mark.parametrize(("name", "known"), EVERY, ids=IDS)
def test_every_parameter_says_what_it_does_and_what_it_takes(name, known):
    assert known.help.endswith(".") and known.help[0] not in " -", known.help
    assert "Args" not in known.help
    if known.type in (int, float) and (known.name, name) not in (
        ("bits", "two-stage"),
        ("bits", "simhash"),
    ):  # a few widths, nothing between
        assert known.values
    assert known.read(known.default) == known.default


def test_several_words_come_as_a_list_too():
    listed, plain = build("hybrid", {"facts": ["date", "figure"]}), build("hybrid", {"facts": "figure,date"})
    assert listed == plain and parameters_of(type(plain))["facts"].about.several == ("keep", "remove", "any", *WORDS)


@pytest.mark.parametrize(("name", "known"), EVERY, ids=IDS)
def test_values_beyond_the_bounds_are_refused_with_the_bounds(name, known):
    about = known.about
    step = 1 if known.type is int else 1e-9
    wrong = [about.least - step] if about.least is not None else []
    wrong += [about.most + step] if about.most is not None else []
    wrong += [bound for bound in (about.above, about.below) if bound is not None]
    wrong += ["New: the index has no document like this text"] if about.choices else []
    for value in wrong:
        with pytest.raises(UsageError) as caught:
            build(name, {known.name: value})
        assert known.name in str(caught.value)
        assert about.bounds in str(caught.value) or str(caught.value).startswith("unknown") or value >= 2**64
    for value in ([], math.nan, "x" if known.type is not str else 5):
        if known.type is not None:
            with pytest.raises(UsageError, match=f"{known.name} must be "):
                known.read(value)


@pytest.mark.parametrize("name", METHODS)
def test_help_tells_each_parameter_once(name):
    """`help(qc.methods.NAME)` has its Args made of the fields' metadata; nobody writes them down beside it."""
    kind = METHODS[name]
    written = ast.parse(inspect.getsource(inspect.getmodule(kind)))
    assert not any("Args:" in (ast.get_docstring(c) or "") for c in written.body if isinstance(c, ast.ClassDef))
    told = [
        line.strip().partition(":")[0] for line in kind.__doc__.partition("Args:")[2].splitlines() if line[4:5] > " "
    ]
    assert told == list(parameters_of(kind))
    assert all(" ".join(p.help.split()) in " ".join(kind.__doc__.split()) for p in parameters_of(kind).values())


def test_one_name_means_one_thing():
    """What the shared module has, every method takes from there: same choices, same upper bound, its own words at most."""
    same = {c.lower(): p for c, p in vars(shared).items() if isinstance(p, Parameter)}
    of_their_own = {("two-stage", "distance"), ("tree-long-sentence", "least")}
    seen = defaultdict(set)
    for name, known in EVERY:
        if known.name in same and (name, known.name) not in of_their_own:
            seen[known.name].add(name)
            mine, theirs = known.about, same[known.name]
            assert mine.most == theirs.most and mine.below == theirs.below, (name, known.name)
            assert set(theirs.choices) <= set(mine.choices), (name, known.name)
    assert [one for one in same if one != "preset" and len(seen[one]) < 2] == []
    assert same["preset"].choices == tuple(PRESETS)
    assert shared.LONGEST_NGRAM == MAX_NGRAM


def test_what_a_method_only_inherits_is_no_parameter_of_it():
    for name, field, why in [
        ("ppjoin", "cap", "the method reads only short posting lists, so a limit has no effect"),
        ("ppjoin+", "most", "finds every pair"),
        ("imatch", "threshold", "two signatures are either equal or different"),
        ("sl", "n_terms", "the method counts only the words of a sentence, not which words"),
    ]:
        kind = METHODS[name]
        assert field in fixed_of(kind) and field not in parameters_of(kind)
        assert field in {f.name for f in fields(kind)} and field in settings_of(build(name))
        with pytest.raises(
            UsageError, match=f"method {re.escape(name)} does not take {field}: .*{why}.*; leave out the option"
        ):
            build(name, {field: 7})
        with pytest.raises(UsageError, match=f"method {re.escape(name)} does not take {field}"):
            kind(**{field: 7})


def test_a_method_made_by_hand_is_held_to_the_same():
    assert Windowed(width=np.int64(4)).width == 4 and type(Windowed(width=np.int64(4)).width) is int
    assert Windowed(cap=None).cap is None and Windowed(share=0.25).share == 0.25
    assert [f.default for f in fields(Windowed)] == [3, 0.5, "near", None, True]
    assert list(parameters_of(Windowed)) == ["width", "share", "how", "cap", "strict"]
    assert [p.values for p in parameters_of(Windowed).values()] == [
        "1 to 9", "above 0 and below 1", "near, far", "1 or more", "true, false",
    ]  # fmt: skip
    for given, said in [
        ({"width": 0}, "width must be 1 to 9, got 0"),
        ({"width": True}, "width must be a whole number, got True"),
        ({"width": None}, "width must be a whole number, got None"),
        ({"share": 1}, "share must be above 0 and below 1, got 1"),
        ({"how": "nar"}, "unknown how='nar': use near or far; did you mean near or far?"),
        ({"cap": 2**31}, "cap must be 1 to 2**31 - 1, got 2147483648"),
        ({"strict": 1}, "strict must be True or False, got 1"),
    ]:
        with pytest.raises(UsageError, match=re.escape(said)):
            Windowed(**given)


def test_a_field_takes_the_shared_words_or_its_own():
    @dataclass(frozen=True)
    class Two:
        threshold: float | None = THRESHOLD(None, "Jaccard of windows.", least=0, above=None)
        normalise: str = NORMALISE("plain")
        found: object = None

        def __post_init__(self):
            check_values(self)

    told = parameters_of(Two)
    assert told["threshold"].help == "Jaccard of windows." and told["threshold"].values == "0 to 1"
    assert told["normalise"].help == NORMALISE.help and told["normalise"].default == "plain"
    assert told["found"].type is None and Two(found=[1]).found == [1]
    assert Two().threshold is None

"""Covers: quchong.differences.definitions: code made after one pattern, vendored copies, versions. Compared against: pairs read here.

Run: pytest tests/unit/differences/test_definitions.py
"""

import pytest

import quchong as qc
from quchong.differences.definitions import defined_names, imported_names

PYTHON = '''from rowan.base import Probe, lookup
from rowan.tables import WEIGHTS


class AlderProbe(Probe):
    """Reads one page after another, and answers how sure it is of what it has seen so far."""

    def __init__(self) -> None:
        super().__init__()
        self._reader = lookup(WEIGHTS)
        self.reset()

    def feed(self, page: bytes) -> int:
        for place, letter in enumerate(page):
            state = self._reader.next_state(letter)
            if state == self._reader.error:
                return self._not_me(place)
        return self._state

    def confidence(self) -> float:
        return self._reader.confidence()
'''
SCRIPT = """import { lookup } from "rowan/base";

export class AlderProbe extends Probe {
  constructor(options) {
    super(options);
    this.reader = lookup(options.weights);
    this.reset();
  }

  feed(page) {
    for (const letter of page) {
      const state = this.reader.nextState(letter);
      if (state === this.reader.error) return this.notMe(letter);
    }
    return this.state;
  }
}
"""


def relation(left, right):
    return qc.compare(left, right).relation


@pytest.mark.parametrize("code", [PYTHON, SCRIPT])
def test_a_class_of_another_name_is_no_copy(code):
    other = code.replace("AlderProbe", "HazelProbe")
    result = qc.compare(code, other)
    assert result.relation == "variant"
    assert [d.kind for d in result.differences if d.conflict] == ["code"]
    assert relation(other, code) == "variant"


@pytest.mark.parametrize("code", [PYTHON, SCRIPT])
def test_a_vendored_copy_defines_the_same(code):
    assert relation(code, code.replace("rowan", "lib._vendor.rowan")) in ("duplicate", "contained_in")
    assert relation(code, code.replace("reader", "scanner")) == "duplicate"


def test_a_version_defines_more_or_renames_a_part():
    more = PYTHON + "\n\ndef probe_of(page: bytes) -> AlderProbe:\n    return AlderProbe()\n"
    assert relation(PYTHON, more) in ("duplicate", "contained_in")
    renamed = more.replace("probe_of", "make_probe")
    assert relation(more, renamed) == "duplicate"


def test_names_are_those_at_the_beginning_of_a_line():
    code = "class A:\n    class B: ...\n    def c(self): ...\n\nasync def d(): ...\nfunc E(x int) int {\n}\nexport default class F {}\n"
    assert defined_names(code) == {"A", "d", "E", "F"}
    assert not defined_names("The class of 1999 met in the hall.\nclass is over\ndef is short for definition\n")


REEXPORTED = "# Copyright (c) 2010 the makers of rowan\n\nfrom .{} import {}\n"


def test_a_module_that_imports_other_names_and_nothing_else_is_no_copy():
    lamps, probes = REEXPORTED.format("lamps", "Lamp"), REEXPORTED.format("probes", "Probe")
    assert relation(lamps, probes) not in ("exact", "duplicate")
    assert "code" in qc.compare(lamps, probes).facts


def test_a_module_that_imports_the_same_from_elsewhere_is_a_copy():
    lamps = REEXPORTED.format("lamps", "Lamp, Shade, Bulb")
    assert relation(lamps, lamps.replace(".lamps", "rowan.vendored.lamps")) == "duplicate"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("", set()),
        ("print(1)\n", set()),
        ("import os\nprint(os.getcwd())\n", set()),
        ("import os.path, sys as system\n", {"path", "sys"}),
        ('"""Names.\nimport of goods\n"""\nfrom a.b import (\n    c,\n    d as e,  # old\n)\n', {"b", "c", "d"}),
    ],
)
def test_names_that_a_module_imports_which_does_nothing_else(code, names):
    assert imported_names(code) == names

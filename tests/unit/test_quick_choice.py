"""Covers: tools/quick.py, which chooses tests of what was changed by imports, nearest first, and says what it leaves out."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytest.importorskip("grimp", reason="grimp is not installed: pip install --group lint")


@pytest.fixture(scope="module")
def quick():
    spec = importlib.util.spec_from_file_location("quick", ROOT / "tools" / "quick.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / "src"))
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(ROOT / "src"))


def test_what_imports_the_changed_module_is_chosen_nearest_first(quick):
    run, late = quick.chosen(["src/quchong/parameters/__init__.py", "docs/testing.md"], 1e6)
    names = [name for _, name in run]
    assert late == [] and [far for far, _ in run] == sorted(far for far, _ in run)
    assert run[0] == (-1, "tests/test_house.py")
    assert (0, "tests/unit/parameters/test_parameters.py") in run
    assert not [name for name in names if name.split("/")[1] in quick.SLOW]


def test_a_kernel_in_cpp_is_the_module_that_calls_it(quick):
    assert quick.module_of("cpp/align/diagonals.cpp") == "quchong.kernels.align"
    assert quick.module_of("src/quchong/seam/__init__.py") == "quchong.seam" and quick.module_of("docs/x.md") == ""
    run, _ = quick.chosen(["cpp/align/diagonals.cpp"], 1e6)
    assert (0, "tests/properties/test_align_kernels.py") in run


def test_what_has_no_time_left_is_told_and_a_changed_test_runs_in_any_case(quick):
    mine = "tests/properties/test_align_kernels.py"
    run, late = quick.chosen(["src/quchong/parameters/__init__.py", mine], 0.0)
    assert {name for _, name in run} == {mine, "tests/test_house.py"}
    assert late and min(far for far, _ in late) >= 0


def test_times_of_files_come_from_a_report(quick, tmp_path):
    report = tmp_path / "tests.xml"
    cases = [("tests.unit.test_a", 1.25), ("tests.unit.test_a", 1.0), ("tests.unit.test_b", 0.1), ("tests.test_c", 9)]
    lines = (f'<testcase classname="{name}" name="x" time="{took}"/>' for name, took in cases)
    report.write_text(f"<testsuites><testsuite>{''.join(lines)}</testsuite></testsuites>")
    told = quick.times(report)
    assert list(told["files"].items()) == [("tests/test_c.py", 9.0), ("tests/unit/test_a.py", 2.2)]
    assert told["long"] == ["tests/test_c.py::x", "tests/unit/test_a.py::x"]


def test_a_file_of_little_but_long_tests_is_left_out_as_a_whole(quick, tmp_path):
    report = tmp_path / "tests.xml"
    cases = [("tests.site", 40.0), ("tests.site", 0.1), ("tests.some", 6.0), ("tests.some", 0.1), ("tests.many", 2.0)]
    cases += [("tests.many", 0.1)] * 100
    lines = (f'<testcase classname="{name}" name="{k}" time="{took}"/>' for k, (name, took) in enumerate(cases))
    report.write_text(f"<testsuites><testsuite>{''.join(lines)}</testsuite></testsuites>")
    assert quick.times(report)["long"] == ["tests/many.py::4", "tests/site.py", "tests/some.py::2"]


def test_tests_named_after_a_module_or_its_room_are_near_it(quick):
    """`quchong chains` is imported by its name: no import leads from its tests to what it shows."""
    run, _ = quick.chosen(["src/quchong/report/chains.py"], 1e6)
    far = {name: steps for steps, name in run}
    assert far["tests/cli/test_chains_listed.py"] == 1
    assert far["tests/unit/report/test_visible.py"] == 2 and far["tests/cli/test_report_command.py"] == 3

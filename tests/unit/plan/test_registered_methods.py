"""Covers: methods of other packages: found by entry points, run on both engines, refused in clear words.

The package is the one docs/guide/methods.md shows, installed on a temporary path. Run: pytest tests/unit/plan.
"""

import json
import os
import re
import subprocess
import sys

import pytest
from method_package import CODE, PROJECT, installed

import quchong as qc
from quchong.errors import UsageError
from quchong.plan.catalogue import METHODS, build, kind_of, usable
from quchong.plan.plugin_methods import registered

TEXT = "图书馆周末延长开放时间到晚上十点，读者可以在网上预约座位，也可以借阅各个分馆的新书。"
ROWS = [
    {"id": "a", "text": TEXT + "儿童阅览室同时开放。"},
    {"id": "b", "text": TEXT + "儿童阅览室也同时开放。"},
    {"id": "c", "text": "市里的" + TEXT + "儿童阅览室同时开放。"},
    {"id": "d", "text": "完全不同的一条消息，说的是明天的天气，早上有雾，中午转晴，晚上有小雨。"},
]


def project(name, **entries):
    lines = "".join(f'{method} = "{place}"\n' for method, place in entries.items())
    return f'[project]\nname = "{name}"\nversion = "0.3"\n[project.entry-points."quchong.methods"]\n{lines}'


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages that are installed while the test runs, here and in the processes it starts."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    yield folder
    for path in folder.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture
def opening(site):
    installed(site, PROJECT, {"quchong_opening": CODE})
    return site


def quchong(*words):
    """Runs a command in a new process."""
    code = "from quchong.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, env=os.environ | {"COLUMNS": "100"},
        check=False,
    )  # fmt: skip


def test_the_method_of_the_guide_runs_by_name_and_as_an_object(opening):
    assert list(registered()) == ["opening"] and registered()["opening"].package == "quchong-opening 1.0"
    found = qc.dedup(ROWS, method="opening", width=12, recall_sample=0)
    assert found.removed["id"].to_pylist() == ["a"] and found.ledger["rule"].to_pylist() == ["jaccard"]
    kind = kind_of("opening")
    assert qc.dedup(ROWS, method=kind(width=12), recall_sample=0).ledger.equals(found.ledger)
    assert qc.dedup(ROWS, method="opening", width=63, recall_sample=0).removed.num_rows == 0
    assert {"opening", *METHODS} == set(usable()) and "opening" not in METHODS
    assert qc.compare(ROWS[0]["text"], ROWS[1]["text"], method="opening").relation == "duplicate"
    for given, said in [
        ({"width": 0}, "width must be 1 to 63, got 0"),
        ({"wdth": 9}, "method opening has no parameter wdth; it takes cap, threshold, width"),
    ]:
        with pytest.raises(UsageError, match=re.escape(said)):
            build("opening", given)
    with pytest.raises(
        UsageError,
        match=r"method hybrid does not take width: leave it out, or choose a method that takes it, such as method='sl' \(or opening\)",
    ):
        build("hybrid", {"width": 9})
    with pytest.raises(UsageError, match=r"unknown method 'openin'; did you mean opening\?"):
        build("openin")


def test_the_command_line_knows_it_and_its_parameters(opening, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), "utf-8")
    ran = quchong("dedup", path, "-o", tmp_path / "run", "--method", "opening", "--width", 12, "--json")
    assert ran.returncode == 0, ran.stderr
    config = json.loads(ran.stdout)["config"]
    assert config["method"] == "opening" and config["parameters"]["width"] == 12
    assert (
        "--width must be 1 to 63, got 90"
        in quchong("dedup", path, "--dry-run", "--method", "opening", "--width", 90).stderr
    )
    listed, one = quchong("methods").stdout, quchong("methods", "opening").stdout
    assert "opening (package quchong-opening 1.0)" in listed and "equal beginnings, then Jaccard" in listed
    assert "package: quchong-opening 1.0" in one and "letters and digits at the beginning" in one and "1 to 63" in one
    assert json.loads(quchong("methods", "opening", "--json").stdout)["parameters"]["width"] == 20
    again = qc.load(tmp_path / "run").rethreshold(0.99)
    assert again.removed.num_rows == 0


def test_a_saved_run_says_that_its_method_is_gone(opening, tmp_path):
    qc.dedup(ROWS, method="opening", width=12, recall_sample=0).save(tmp_path / "run")
    code = "import sys, quchong as qc; qc.load(sys.argv[1]).rethreshold(0.9)"
    elsewhere = os.environ | {"PYTHONPATH": os.environ["PYTHONPATH"].partition(os.pathsep)[2]}
    ran = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "run"], capture_output=True, text=True, env=elsewhere, check=False
    )
    assert "unknown method 'opening'" in ran.stderr.splitlines()[-1]


BROKEN = {
    "missing": ("no_such_module:Method", None, "cannot be loaded (ModuleNotFoundError: No module named 'no_such_module')"),
    "raising": ("bad_raising:Method", "raise ValueError('half installed')", "cannot be loaded (ValueError: half installed)"),
    "thing": ("bad_thing:Method", "Method = 5", "5 is not a dataclass"),
    "other": ("bad_other:Opening", CODE, "the class Opening has the name 'opening', but its entry point has the name 'other'"),
    "stepless": (
        "bad_stepless:Method",
        "from dataclasses import dataclass\nfrom quchong.methods import Exact\n@dataclass(frozen=True)\nclass Method:\n"
        "    name = 'stepless'\n    traits = Exact.traits\n    def decide(self): pass\n",
        "the class Method lacks candidates, differences, extras",
    ),
    "bare": (
        "bad_bare:Method",
        "from dataclasses import dataclass, field\nfrom quchong.methods import Exact\n@dataclass(frozen=True)\nclass Method(Exact):\n"
        "    width: int = field(kw_only=True)\n    name = 'bare'\n",
        "the class Method has no default for width",
    ),
    "typeless": (
        "bad_typeless:Method",
        "from dataclasses import dataclass\nfrom quchong.methods import Exact\n@dataclass(frozen=True)\nclass Method(Exact):\n"
        "    width: 'Wide' = 3\n    name = 'typeless'\n",
        "the class Method has types that cannot be read (NameError: name 'Wide' is not defined)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_package_is_an_error_where_its_method_is_asked_for(site, name):
    place, code, said = BROKEN[name]
    installed(site, project("half-done", **{name: place}), {place.partition(":")[0]: code} if code else {})
    assert qc.dedup(ROWS, recall_sample=0).manifest["config"]["method"] == "hybrid"
    assert name not in usable()
    with pytest.raises(UsageError) as caught:
        qc.dedup(ROWS, method=name)
    told = str(caught.value)
    assert told.startswith(f"method {name} of package half-done 0.3: ") and said in told
    assert told.endswith("; update that package, or uninstall it")


def test_broken_packages_are_marked_in_the_list(site):
    installed(site, project("half-done", missing="no_such_module:Method", hybrid="no_such_module:Mine"), {})
    ran = quchong("methods")
    assert ran.returncode == 0
    words = " ".join(ran.stdout.split())
    assert "missing (package half-done 0.3) cannot be used: method missing of package half-done 0.3" in words
    assert (
        "hybrid (package half-done 0.3) cannot be used: package half-done 0.3 registers a method called hybrid" in words
    )
    told = json.loads(quchong("methods", "--json").stdout)
    assert [one["name"] for one in told] == list(METHODS)


def test_a_name_that_is_taken_is_refused(site):
    """A built-in name stays what it is; of two packages neither gets the name."""
    code = CODE.replace('name: ClassVar[str] = "opening"', 'name: ClassVar[str] = "exact"')
    installed(site, project("greedy", exact="mine:Opening", opening="quchong_opening:Opening"), {"mine": code})
    installed(site, PROJECT, {"quchong_opening": CODE})
    assert type(build("exact")).__module__ == "quchong.methods.equality.exact"
    with pytest.raises(
        UsageError,
        match=r"greedy 0\.3 registers a method called exact, but quchong has a method of that name and uses its own",
    ):
        registered()["exact"].load()
    with pytest.raises(
        UsageError, match=r"opening is registered by two packages, greedy 0\.3 and quchong-opening 1\.0"
    ):
        build("opening")


def test_a_run_of_a_package_that_has_gone_says_what_made_it(opening, tmp_path, monkeypatch):
    folder = qc.dedup(ROWS, method="opening", recall_sample=0).save(tmp_path / "run")
    monkeypatch.setattr("quchong.plan.catalogue.registered", dict)
    assert qc.load(folder).removed.num_rows == 1
    with pytest.raises(
        UsageError,
        match=r"run was made by method opening, which is not installed: install the package that has it",
    ):
        qc.load(folder).rethreshold(0.9)


def test_a_method_in_the_older_form_answers_as_the_one_of_the_guide():
    from older_method import OpeningBefore

    namespace = {"__name__": "quchong_opening"}
    exec(compile(CODE, "quchong_opening", "exec"), namespace)
    runs = [qc.dedup(ROWS, method=kind(width=5), recall_sample=0) for kind in (OpeningBefore, namespace["Opening"])]
    assert len(runs[0].pairs) and runs[0].pairs.equals(runs[1].pairs)
    assert runs[0].manifest["thresholds"] == runs[1].manifest["thresholds"]
    assert runs[0].manifest["config"]["parameters"] == runs[1].manifest["config"]["parameters"]
    again = [run.rethreshold(threshold=0.95) for run in runs]
    assert again[0].pairs.equals(again[1].pairs)
    for run in runs:
        with pytest.raises(UsageError, match="for a lower threshold, run again"):
            run.rethreshold(threshold=0.2)
        assert {g.what for g in run.inspect(ROWS[0]["id"], ROWS[1]["id"]).seen.gates} >= {"equal"}


def test_a_method_in_the_older_form_that_lacks_a_step_is_told():
    from older_method import OpeningBefore

    from quchong.methods.bases.authored import MethodBase

    assert OpeningBefore.missing_steps() == []
    half = type("Half", (MethodBase,), {"__slots__": (), "form": None, "features": None, "decide": None})
    assert half.missing_steps() == [
        "above_floor",
        "candidates",
        "complete_from",
        "score",
        "threshold_used",
        "thresholds",
    ]
    assert type("Bare", (MethodBase,), {"__slots__": ()}).missing_steps() == [
        "candidates", "form", "represent", "rule", "score",
    ]  # fmt: skip

"""Covers: the types of the Python API: explicit keywords, a method by name or as an object, parameters a checker knows.

Compared against: mypy on a module of calls, tools/method_types.py, the signatures themselves. Run: pytest tests/unit/api.
"""

import importlib.util
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import quchong as qc
from quchong.api import fit_statistics, make_plan
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS, build
from quchong.plan.method_parameters import MethodParameters

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "quchong"
ROWS = [
    {"id": "a", "text": "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，创五年来新高。"},
    {"id": "b", "text": "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，创五年来最高。"},
    {"id": "c", "text": "图书馆周末延长开放时间到晚上十点，读者可以预约座位，也可以借阅新书。"},
]
CALLS = """
import quchong as qc
from quchong.api import fit_statistics, make_plan

rows = ["a", "b"]
reveal_type(qc.dedup(rows, method=qc.methods.Hybrid(threshold=0.8)))
reveal_type(qc.compare("a", "b", method="minhash", num_perm=64))
reveal_type(qc.passages(rows))
reveal_type(fit_statistics(rows, method=qc.methods.IMatch(min_terms=2)))
reveal_type(make_plan(method="ccdet", tail=8, threshold=None).method.name)
reveal_type(qc.methods.CCDet().tail)
reveal_type(qc.align("a", "b", method="sl-st", n_terms=3))
reveal_type(qc.dedup(rows).rethreshold(0.8, verify="exact"))
qc.align("a", "b", method="sl-st", n_term=3)
qc.dedup(rows).rethreshold(0.8, verify=1)
qc.dedup(rows).rethreshold(num_perm=64)
qc.dedup(rows, num_perms=64)
qc.dedup(rows, num_perm="64")
qc.dedup(rows, facts=5)
qc.dedup(rows, body="most")
qc.methods.Hybrid(treshold=0.8)
qc.methods.Hybrid(cap="many")
qc.methods.Hybird()
"""
SAID = [
    'Revealed type is "quchong.api.result.Result"', 'Revealed type is "quchong.decision.comparison.Comparison"',
    'Revealed type is "quchong.api.shared.SharedPassages"', 'Revealed type is "quchong.features.statistics.FeatureStatistics"',
    'Revealed type is "str"', 'Revealed type is "int"', 'Revealed type is "tuple[quchong.findings.Passage, ...]"',
    'Revealed type is "quchong.api.result.Result"', 'Unexpected keyword argument "n_term" for "align"',
    'Argument "verify" to "rethreshold" of "Result" has incompatible type "int"',
    'Unexpected keyword argument "num_perm" for "rethreshold" of "Result"',
    'Unexpected keyword argument "num_perms" for "dedup"', 'Argument "num_perm" to "dedup" has incompatible type "str"',
    'Argument "facts" to "dedup" has incompatible type "int"', 'Argument "body" to "dedup" has incompatible type',
    'Unexpected keyword argument "treshold" for "Hybrid"', 'Argument "cap" to "Hybrid" has incompatible type "str"',
    'has no attribute "Hybird"',
]  # fmt: skip


def test_a_type_checker_knows_methods_and_their_parameters(tmp_path):
    mypy = shutil.which("mypy", path=str(Path(sys.executable).parent))
    if mypy is None:
        pytest.skip("mypy is not installed in this environment (pip install --group lint)")
    (tmp_path / "calls.py").write_text(CALLS)
    done = subprocess.run(
        [mypy, "--strict", "--config-file", ROOT / "pyproject.toml", "--follow-imports=silent", tmp_path / "calls.py"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [
        line
        for line in done.stdout.splitlines()
        if line.split(":")[0].endswith("calls.py") and " note: Did" not in line
    ]
    told = [line.partition(": ")[2] for line in lines if re.search("Revealed|error", line)]
    first = CALLS[: CALLS.index("reveal_type")].count("\n") + 1
    assert [int(line.split(":")[1]) for line in lines if re.search("Revealed|error", line)] == list(
        range(first, first + len(SAID))
    ), done.stdout
    for line, part in zip(told, SAID, strict=True):
        assert part in line.replace("builtins.", ""), line


def test_the_keywords_of_methods_are_those_of_the_fields():
    spec = importlib.util.spec_from_file_location("method_types", ROOT / "tools" / "method_types.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text("utf-8") == module.made(), "run python tools/method_types.py"
    assert module.STUB.read_text("utf-8") == module.stub(), "run python tools/method_types.py"
    assert set(MethodParameters.__annotations__) == {p for kind in METHODS.values() for p in parameters_of(kind)}


def test_public_functions_name_every_option():
    """No `**options: Any`; what one function takes over from another has the same default in both."""
    plan = inspect.signature(make_plan).parameters
    kinds = {qc.align: "AlignParameters", qc.Result.rethreshold: "DecisionParameters"}
    for function in (qc.dedup, qc.compare, qc.passages, fit_statistics, make_plan, *kinds):
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.VAR_KEYWORD:
                assert parameter.annotation == f"Unpack[{kinds.get(function, 'MethodParameters')}]", function
            elif name in plan and function not in (qc.passages, *kinds) and name != "method":
                assert parameter.default == plan[name].default, (function, name)
                assert parameter.annotation == plan[name].annotation, (function, name)
    assert set(plan) <= set(inspect.signature(qc.dedup).parameters)


def test_the_cluster_engine_names_its_options():
    """Those of a plan that it does not refuse."""
    pytest.importorskip("pyspark")
    from quchong.engines.spark import dedup

    taken = set(inspect.signature(make_plan).parameters) - {*dedup.LOCAL_ONLY, "id", "text", "parameters"}
    assert set(dedup.SparkOptions.__annotations__) == taken | set(MethodParameters.__annotations__)
    for function in (dedup.dedup, dedup.pairs):
        assert inspect.signature(function).parameters["options"].annotation == "Unpack[SparkOptions]"


@pytest.mark.parametrize("name", METHODS)
def test_a_method_given_as_an_object_is_the_method_named(name):
    method = build(name)
    assert type(method).__name__ in qc.methods.__all__ and getattr(qc.methods, type(method).__name__) is type(method)
    assert make_plan(method=method).config_hash() == make_plan(method=name).config_hash()


def test_a_run_is_the_same_by_name_and_by_object():
    named = qc.dedup(ROWS, method="hybrid", threshold=0.6, cap=8)
    given = qc.dedup(ROWS, method=qc.methods.Hybrid(threshold=0.6, cap=8))
    assert named.pairs.equals(given.pairs) and named.ledger.equals(given.ledger)
    assert named.manifest["config_hash"] == given.manifest["config_hash"]
    left, right = ROWS[0]["text"], ROWS[1]["text"]
    two = qc.compare(left, right, method=qc.methods.MinHashBands(threshold=0.5))
    assert two.relation == qc.compare(left, right, method="minhash", threshold=0.5).relation
    assert qc.align(left, right, method=qc.methods.Yap3(mml=4)) == qc.align(left, right, method="yap3", mml=4)
    counted = fit_statistics(ROWS, method=qc.methods.IMatch(ngram_size=2))
    assert counted.digest == fit_statistics(ROWS, method="imatch", ngram_size=2).digest


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": qc.methods.Hybrid(), "threshold": 0.8}, "threshold: method is a method with its own parameters"),
        ({"method": qc.methods.Hybrid}, "method got the class Hybrid itself: write Hybrid()"),
        ({"method": 5}, "method must be the name of a method, or a method such as qc.methods.Hybrid(), got 5"),
        ({"method": None}, "method must be the name of a method"),
    ],
)
def test_what_is_no_method_is_refused(given, said):
    for call in (lambda: qc.dedup(ROWS, **given), lambda: qc.compare("a", "b", **given), lambda: make_plan(**given)):
        with pytest.raises(qc.UsageError, match=re.escape(said)):
            call()
    qc.dedup(ROWS, method=qc.methods.Hybrid(), threshold=None)  # None is not given


def test_the_door_to_methods_is_light_and_whole():
    code = "import sys, quchong as qc; qc.methods; print([m for m in sys.modules if m.startswith('quchong.methods.') or m == 'numpy'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    found = [path.relative_to(SOURCE / "methods").with_suffix("") for path in (SOURCE / "methods").glob("*/*.py")]
    files = {".".join(path.parts) for path in found if path.name != "__init__" and path.parts[0] != "bases"}
    assert {place.partition(":")[0] for place in qc.methods.PLACES.values()} == files
    assert {place.partition(":")[2] for place in qc.methods.PLACES.values()} == set(qc.methods.__all__)
    assert all(METHODS[name].name == name for name in METHODS) and set(qc.methods.__all__) <= set(dir(qc.methods))
    with pytest.raises(AttributeError, match="Hybird"):
        qc.methods.Hybird  # noqa: B018

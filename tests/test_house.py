"""Covers: the house itself: floors, file lengths, the public face, documents that must agree.

Run: pytest tests/test_house.py. Lint, types and import contracts are `make lint types contracts`, which `make test` runs.
"""

import ast
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import quchong

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "quchong"
LAB = ROOT / "packages" / "lab"
MODULES = sorted([*SOURCE.rglob("*.py"), *(LAB / "src").rglob("*.py")])
MACHINE_PATH = re.compile(r"(?<![\w.:-])/(?:home|root|work|Users)/\w")
FACE = [
    "Answer", "Answers", "Contamination", "DistinctRecords", "Index", "IndexStatistics", "InputChanged", "InputError", "Inspection", "Match",
    "OutputError", "PartRead", "QuchongError", "Result", "RunError", "SharedPassages", "UnitResult", "UsageError",
    "align", "compare", "decontaminate", "dedup", "dedup_part", "dedup_units", "distinct", "estimate", "evaluate", "fit_statistics", "inspect", "load",
    "methods", "passages",
    "set_language", "tune",
]  # fmt: skip


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_folder_that_nobody_placed_breaks_the_floors():
    listed = (ROOT / ".importlinter").read_text()
    for room in SOURCE.iterdir():
        if (
            room.name.startswith("_")
            or (room.is_dir() and not (room / "__init__.py").exists())
            or room.name == "py.typed"
        ):
            continue
        assert re.search(rf"\b{room.stem}\b", listed), room


def test_no_module_is_longer_than_500_lines():
    long = {p.name: n for p in MODULES if (n := len(p.read_text("utf-8").splitlines())) > 500}
    assert not long


def test_files_of_tests_have_names_of_their_own_after_what_they_test():
    names = [path.stem for folder in (ROOT / "tests", LAB / "tests") for path in folder.rglob("test_*.py")]
    assert len(set(names)) == len(names), sorted(name for name in set(names) if names.count(name) > 1)
    assert not [name for name in names if re.search("review|regression|bug|fix|issue", name)]


def test_only_the_command_line_names_its_options():
    """Whoever calls from Python is told of parameters: `-o` stands in messages of cli/ alone."""
    for path in MODULES:
        if path.parent != SOURCE / "cli" and path != LAB / "src" / "quchong_lab" / "command.py":
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert not re.search(r"(with|another|a) -o\b", node.value), (path, node.value)


def test_quchong_is_whole_without_the_experiments():
    """It neither imports them nor brings what they need; `quchong lab` finds them by name."""
    named = {path for path in SOURCE.rglob("*.py") if "quchong_lab" in path.read_text("utf-8")}
    assert named == {SOURCE / "cli" / "main.py"}
    assert not re.search(r"^\s*(from|import) quchong_lab\b", (SOURCE / "cli" / "main.py").read_text("utf-8"), re.M)
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = about["project"]
    asked = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    assert not [one for one in asked if re.match("quchong|psutil|scipy", one)]
    assert about["tool"]["scikit-build"]["wheel"]["packages"] == ["src/quchong"]


def test_no_drawers():
    drawers = {"utils", "helpers", "common", "misc", "core", "base", "manager"}
    assert not [p for p in MODULES if p.stem in drawers]


def test_the_public_face_is_this_list():
    assert sorted(quchong.__all__) == FACE
    for name in FACE:
        assert getattr(quchong, name).__doc__
    assert set(FACE) <= set(dir(quchong))
    with pytest.raises(AttributeError):
        quchong.nothing_of_the_kind  # noqa: B018


def test_pages_name_what_is_there():
    for page in (*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs" / "guide").glob("*.md"))):
        for name in re.findall(r"\bqc\.(\w+)", page.read_text("utf-8")):
            assert name in FACE, (page.name, name)


def test_importing_the_package_is_light():
    code = "import sys, quchong; print([m for m in ('pyarrow', 'numpy', 'rich', 'click') if m in sys.modules])"
    assert run(sys.executable, "-c", code).stdout.strip() == "[]"


def test_readme_and_guides_name_every_command_and_method():
    from quchong.cli.main import COMMANDS
    from quchong.plan.catalogue import METHODS

    pages = [ROOT / "README.md", *(ROOT / "docs" / "guide").glob("*.md"), ROOT / "docs" / "methods" / "README.md"]
    manual = "\n".join(page.read_text("utf-8") for page in pages)
    for name in COMMANDS:
        assert f"quchong {name}" in manual, name
    for name in METHODS:
        assert f"`{name}`" in manual or f"[{name}]" in manual, name


def test_architecture_is_one_page_that_names_every_room_and_no_file_that_is_gone():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    assert len(text.splitlines()) <= 110
    for room in SOURCE.iterdir():
        if (room / "__init__.py").exists():
            assert f"{room.name}/" in text, room.name
    named = {name for name in re.findall(r"`([a-z_]+/[a-z_./]+)`", text) if name.endswith(".py")}
    assert len(named) > 25
    assert not [name for name in named if not ((SOURCE / name).is_file() or (ROOT / name).is_file())]


def kernel_functions():
    """Public functions of every family of kernels: (family, name)."""
    from quchong import kernels

    for family in kernels.__all__:
        module = getattr(kernels, family)
        for name, found in vars(module).items():
            if callable(found) and name[0].islower() and getattr(found, "__module__", "") == module.__name__:
                yield family, name


def test_every_kernel_has_a_twin_in_the_module_of_its_family():
    composed = {  # kernels over whole batches, held against compositions of twins in the property tests
        "fingerprints": "tokenise", "equal_forms": "stream", "passages": "equal_runs", "sample_overlaps": "shared_shingles",
        "kept_overlaps": "shared_shingles", "take_tokens": "tokenise", "hashes": "tokenise", "names": "name", "word_name": "name",
        "composes": "tokenise", "simhash_texts": "simhash", "outline": "tree", "dots": "dot", "unit_vectors": "unit_vector",
        "element_digests": "digest", "element_hashes": "bkdr", "tokenise_placed": "narrow_places", "placed_stretches": "stretches",
    }  # fmt: skip
    passive = {"text_tables", "post_tables", "composing_ranges", "feature_weights", "text_views", "strings", "batches"}
    python = {"arrays", "checked", "composing", "machine"}
    hashing = importlib.import_module("twins.hashing")
    named = [(family, name) for family, name in kernel_functions() if family not in python and name not in passive]
    assert len(named) > 50
    for family, name in named:
        twins = importlib.import_module(f"twins.{family}")
        assert composed.get(name, name) in {*dir(twins), *dir(hashing)}, (family, name)


def test_the_families_are_the_same_in_every_place():
    from quchong import kernels

    native = {p.parent.name for p in (ROOT / "cpp").glob("*/bindings.cpp")}
    twins = {p.stem for p in (ROOT / "tests" / "twins").glob("*.py")} - {"__init__"}
    assert native <= set(kernels.__all__)
    assert native - {"machine"} == twins - {
        "hashing",
        "characters",
        "symbols",
        "units",
    }  # parts of the twin of text; no kernel
    assert set(kernels.__all__) - native == {"arrays", "checked", "composing", "hashing"}


class Plain(ast.NodeTransformer):
    """Types without what Annotated adds to them, which versions of nanobind spell in different ways."""

    def visit_Subscript(self, node):
        self.generic_visit(node)
        annotated = isinstance(node.value, ast.Name) and node.value.id == "Annotated"
        return node.slice.elts[0] if annotated else node


def signatures(stub):
    """Names, arguments and types of all functions and methods of a stub."""
    tree = Plain().visit(ast.parse(stub.read_text("utf-8")))
    scopes = [("", tree), *((n.name, n) for n in tree.body if isinstance(n, ast.ClassDef))]
    return {
        f"{owner}.{f.name}": (ast.unparse(f.args), ast.unparse(f.returns))
        for owner, scope in scopes for f in scope.body if isinstance(f, ast.FunctionDef)
    }  # fmt: skip


def test_types_of_the_compiled_module_are_those_it_was_built_with():
    """mypy reads cpp/_quchong.pyi; the build writes the types of what was built beside the module."""
    import _quchong

    made = Path(_quchong.__file__).parent / "_quchong.pyi"
    if not made.exists():
        pytest.skip("built without its types (a sanitized build)")
    known = signatures(ROOT / "cpp" / "_quchong.pyi")
    assert len(known) > 100
    assert known == signatures(made), f"kernels changed: copy {made} to cpp/_quchong.pyi"


def test_nothing_that_ships_runs_a_twin():
    assert not [p for p in MODULES if re.search(r"^\s*(from|import) twins\b", p.read_text("utf-8"), re.M)]


def test_no_path_of_a_machine_and_no_foreign_text_is_in_the_project():
    listed = run("git", "ls-files").stdout.split()
    if not listed:
        pytest.skip("no git checkout")
    for name in listed:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".cpp", ".hpp", ".txt", ""} and path.is_file():
            assert not MACHINE_PATH.search(path.read_text("utf-8", "ignore")), name


COLLECT = """
import sys, time
now, later = time.time, float(sys.argv[1])
time.time = lambda: now() + later
import pytest
sys.exit(pytest.main(["--collect-only", "-p", "no:cacheprovider", "tests"]))
"""


@pytest.mark.campaign
def test_two_collections_find_the_same_tests():
    """Whatever the clock and the order of sets: workers of pytest-xdist collect each for themselves, and must agree. It refuses to run
    where they do not, in the suite; only the clock and the zone are more here.
    """
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", COLLECT, str(later)], cwd=ROOT, text=True, stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONHASHSEED": seed, "TZ": zone},
        )
        for later, seed, zone in ((0, "1", "UTC"), (86_400, "2", "Asia/Shanghai"))
    ]  # fmt: skip
    found = [[line for line in process.communicate()[0].splitlines() if "::" in line] for process in begun]
    assert len(found[0]) > 1000
    assert found[0] == found[1]


def test_what_tools_and_benchmarks_import_is_there():
    missing, ours = [], {"quchong", "quchong_lab"}
    folders = (ROOT / "tools", ROOT / "benchmarks", LAB / "tools")
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in ours:
                module = importlib.import_module(node.module)
                for name in (alias.name for alias in node.names):
                    if not hasattr(module, name) and importlib.util.find_spec(f"{node.module}.{name}") is None:
                        missing.append(f"{path.relative_to(ROOT)}: from {node.module} import {name}")
            elif isinstance(node, ast.Import):
                mine = [alias.name for alias in node.names if alias.name.partition(".")[0] in ours]
                missing += [
                    f"{path.relative_to(ROOT)}: import {n}" for n in mine if importlib.util.find_spec(n) is None
                ]
    assert missing == []

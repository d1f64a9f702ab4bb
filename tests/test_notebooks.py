"""Covers: examples/notebooks: each runs from its first cell to its last, shows what it stores, and has the figures of the command line; Chinese twins have
the same code.

Run: pytest tests/test_notebooks.py (2 s a notebook). The cells run in this process (tools/notebooks.py, docs/decisions/0234).
"""

import importlib.util
import json
import re
from pathlib import Path

import forked
import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples" / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
TWINS = [
    (path, path.with_name(path.name.replace(".ipynb", ".zh-CN.ipynb"))) for path in PATHS if ".zh-CN" not in path.name
]
NEEDS = {"datasets": "datasets"}
"""Libraries that a notebook needs besides quchong."""
LANGUAGES = re.compile(r'set_language\("(?:en|zh)"\)')
_SPEC = importlib.util.spec_from_file_location("notebooks_tool", ROOT / "tools" / "notebooks.py")
TOOL = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(TOOL)


def cells(notebook, kind):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


@pytest.fixture(scope="module")
def ran():
    """Runs a notebook once: the notebook with its outputs, and the names that it made."""
    done = {}

    def run(path):
        pytest.importorskip(NEEDS.get(path.name.partition(".")[0], "quchong"), reason="pip install datasets")
        if path not in done:
            with TOOL.workplace():
                done[path] = TOOL.run(TOOL.read(path), path.name)
        return done[path]

    return run


def test_there_is_a_notebook_for_each_task_in_both_languages():
    assert [path.name.partition(".")[0] for path, _ in TWINS] == [
        "datasets", "own-method", "quick-start", "reprints", "reviewing", "threshold",
    ]  # fmt: skip
    assert all(twin.is_file() for _, twin in TWINS) and len(PATHS) == 2 * len(TWINS)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_notebook_runs_and_shows_what_it_stores(path, ran):
    notebook, _ = ran(path)
    stored = TOOL.read(path)
    for now, before in zip(notebook["cells"], stored["cells"], strict=True):
        assert now.get("outputs") == before.get("outputs"), "".join(now["source"])
    assert path.read_text("utf-8") == TOOL.spell(stored), "python tools/notebooks.py stores it in its form"
    assert sum("outputs" in cell and bool(cell["outputs"]) for cell in stored["cells"]) >= 5


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_notebook_is_one_by_the_format(path):
    notebook = json.loads(path.read_text("utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5) and notebook["metadata"]["kernelspec"][
        "name"
    ] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", one) for one in ids)
    for cell in notebook["cells"]:
        wanted = {"cell_type", "id", "metadata", "source"} | (
            {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        )
        assert set(cell) == wanted and cell["metadata"] == {} and cell.get("execution_count") is None
        for output in cell.get("outputs", ()):
            assert output["output_type"] in ("stream", "execute_result") and "/tmp/" not in json.dumps(output)
    assert len(path.read_bytes()) < 20_000


@pytest.mark.parametrize(("english", "chinese"), TWINS, ids=lambda path: path.name)
def test_twins_have_the_same_code_and_link_each_other(english, chinese):
    one, two = TOOL.read(english), TOOL.read(chinese)
    code = [
        [LANGUAGES.sub("", cell).replace("changed_zh", "changed") for cell in cells(each, "code")]
        for each in (one, two)
    ]
    assert len(code[0]) == len(code[1])
    assert [re.sub(r"\[:\d+\]", "", cell) for cell in code[0]] == [re.sub(r"\[:\d+\]", "", cell) for cell in code[1]]
    assert [cell["cell_type"] for cell in one["cells"]] == [cell["cell_type"] for cell in two["cells"]]
    assert f"]({chinese.name})" in cells(one, "markdown")[0] and f"]({english.name})" in cells(two, "markdown")[0]
    han = [len(re.findall("[\u4e00-\u9fff]", "".join(cells(each, "markdown")))) for each in (one, two)]
    assert han[0] < 20 and han[1] > 100


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_links_of_a_notebook_lead_somewhere(path):
    links = [link for cell in cells(TOOL.read(path), "markdown") for link in re.findall(r"\]\(([^)]+)\)", cell)]
    assert len(links) >= 2
    for link in links:
        assert (FOLDER / link).exists(), link
        assert ".zh-CN" in path.name or ".zh-CN" not in link or links.index(link) == 0, link


def counts(folder):
    return json.loads((folder / "run.json").read_text("utf-8"))["counts"]


def command(folder, *words):
    done = forked.run("dedup", str(ROOT / "examples" / "news.jsonl"), "-o", str(folder), "-q", *words)
    assert done.returncode == 0, done.stderr
    return counts(folder)


def test_figures_are_those_of_the_command_line(ran, tmp_path):
    told = command(tmp_path / "run")
    wanted = {name: told[name] for name in ("read", "kept", "removed", "removed_by_relation")}
    by_name = {path.name.partition(".")[0]: path for path, _ in TWINS}
    quick, names = ran(by_name["quick-start"])
    assert {name: names["result"].counts[name] for name in wanted} == wanted
    assert repr(wanted) in [
        "".join(output["data"]["text/plain"])
        for cell in quick["cells"]
        for output in cell.get("outputs", ())
        if "data" in output
    ]
    again = command(tmp_path / "strict", "--threshold", "0.9")
    assert names["strict"].counts["kept"] == again["kept"]
    _, names = ran(by_name["reviewing"])
    assert names["checked"].removals == told["removed"] and names["again"].counts["kept"] == told["kept"] + 1
    _, names = ran(by_name["reprints"])
    first = command(tmp_path / "first", "--keep", "earliest")
    assert names["result"].counts["kept"] == first["kept"]
    _, names = ran(by_name["threshold"])
    minhash = command(tmp_path / "minhash", "--method", "minhash")
    removed = {name: run.counts["removed"] for name, run in names["runs"].items() if name != "simhash"}
    assert removed == {"hybrid": told["removed"], "minhash": minhash["removed"]}


def test_a_data_set_keeps_what_the_command_line_keeps(ran, tmp_path):
    _, names = ran(FOLDER / "datasets.ipynb")
    told = command(tmp_path / "run", "--keep", "longest")
    assert len(names["result"].kept) == told["kept"] and type(names["result"].kept).__name__ == "Dataset"


def test_a_cell_that_shows_something_else_is_noticed():
    cell = {"cell_type": "code", "source": ["print(1)\n", "1 + 1"], "outputs": [], "metadata": {}}
    notebook, names = TOOL.run({"cells": [cell]}, "made.ipynb")
    printed, value = notebook["cells"][0]["outputs"]
    assert printed["text"] == ["1\n"] and value["data"] == {"text/plain": ["2"]} and names["__name__"] == TOOL.MODULE
    with pytest.raises(ZeroDivisionError) as failed:
        TOOL.run({"cells": [cell | {"source": ["1 / 0"]}]}, "made.ipynb")
    assert str(failed.traceback[-1].path).endswith("made.ipynb, cell 1")

"""Covers: the experiments by name: each runs small and is written with its figures, which depend on the seed alone and are those of
docs/results.md.
"""

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from click.testing import CliRunner

from quchong.errors import UsageError
from quchong_lab import EXPERIMENTS, experiment
from quchong_lab.answers import TIMED
from quchong_lab.command import command
from quchong_lab.gather import answers_of

BY_ITSELF = [name for name in EXPERIMENTS if name != "cluster/scale"]
"""That one starts Spark, for minutes: spark/test_scale.py covers it over made-up runs."""
PAGE = Path(__file__).parents[3] / "docs" / "results.md"
PAPERS = {
    PAGE.parent / "results" / name: kinds
    for name, kinds in {
        "web-pages.md": ("web/ccdet-", "web/tree-", "web/three-truths"),
        "sentences.md": ("sentences/",),
        "short-texts.md": ("short-text/",),
    }.items()
}
"""The pages of the papers' sizes, written by hand from runs, and the experiments that stand there."""


@pytest.fixture(scope="module", params=BY_ITSELF)
def written(request, tmp_path_factory):
    """Name and folder of an experiment that was run by the command."""
    folder = tmp_path_factory.mktemp("lab")
    done = CliRunner().invoke(command, ["run", request.param, "--scale", "quick", "-o", str(folder)])
    assert done.exit_code == 0, done.output
    return request.param, folder


def rows_of(lines):
    return list(csv.DictReader(lines))


def test_every_experiment_runs_and_is_written(written):
    name, tmp_path = written
    found = experiment(name)
    assert found.name == name
    rows = rows_of((tmp_path / name / "table.csv").read_text("utf-8").splitlines())
    assert rows
    text = (tmp_path / name / "table.md").read_text("utf-8")
    for claim in found.claims:
        assert claim.said in text
    assert json.loads((tmp_path / name / "run.json").read_text())["scale"] == "quick"
    pictures = sorted((tmp_path / name).glob("*.svg"))
    assert len(pictures) == len(found.plots) >= 1
    for picture in pictures:
        assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    for plot in found.plots:
        assert {plot.x, plot.y, *plot.series} <= set(rows[0])


def test_figures_other_than_time_depend_on_the_seed_alone(written):
    name, folder = written
    again = pa.BufferOutputStream()
    pa_csv.write_csv(experiment(name).run("quick", 1).table, again)
    both = [(folder / name / "table.csv").read_text("utf-8"), again.getvalue().to_pybytes().decode()]
    first, second = (
        [{k: v for k, v in row.items() if k not in TIMED} for row in rows_of(t.splitlines())] for t in both
    )
    assert first == second


def test_the_page_of_results_has_the_answers_the_code_gives(written):
    name, folder = written
    now = json.loads((folder / name / "run.json").read_text("utf-8"))["answers"]
    assert answers_of(PAGE.read_text("utf-8")).get(name) == now, (
        f"docs/results.md is older than the code it measures: {name} gives other figures now. Run\n"
        "    quchong lab run --all --scale quick -o lab && quchong lab gather lab -o docs/results.md\n"
        "and look at what changed."
    )


def test_the_pages_of_the_papers_sizes_have_the_answers_the_code_gives(written):
    name, folder = written
    now = json.loads((folder / name / "run.json").read_text("utf-8"))["answers"]
    for page in PAPERS:
        said = answers_of(page.read_text("utf-8"))
        assert said.get(name, now) == now, (
            f"docs/results/{page.name} is older than the code it measures: {name} gives other figures at the quick scale now. Run\n"
            f"    quchong lab run {name} -o lab && quchong lab show {name} -o lab\n"
            f"put its figures on the page, and the answers of lab/{name}/run.json beside them."
        )


@pytest.mark.parametrize("page", PAPERS, ids=lambda page: page.name)
def test_every_experiment_of_such_a_page_has_its_answers_there(page):
    text = page.read_text("utf-8")
    wanted = {name for name in BY_ITSELF if name.startswith(PAPERS[page])}
    assert set(answers_of(text)) == wanted
    for section in text.split("\n## ")[1:]:  # figures stand under the answers of their own experiment
        (name,) = answers_of(section)
        assert section.count(name) > 1


def test_list_shows_every_experiment():
    done = CliRunner().invoke(command, ["list"])
    assert done.exit_code == 0
    assert all(name in done.output for name in EXPERIMENTS)


def test_an_unknown_experiment_is_told_with_those_there_are():
    with pytest.raises(UsageError, match="short-text/filter-time"):
        experiment("short-text/nothing")


def test_tables_of_made_pages_have_three_truths():
    """On the page by hand as on the gathered one: F1 as made stands beside duplicates only and Jaccard of origin."""
    text = (PAGE.parent / "results" / "web-pages.md").read_text("utf-8")
    heads = re.findall(r"^(\| .*\bF1\b.*)\n\|---", text, re.MULTILINE)
    assert len(heads) >= 5
    assert [head for head in heads if not re.search(r"F1 \|.*\| duplicates only \| Jaccard \|", head)] == []
    gathered = PAGE.read_text("utf-8")
    for name in (name for name in BY_ITSELF if name.startswith("web/") and name not in ("web/tree-features",)):
        section = gathered.partition(f"<!-- answers of {name}:")[2].partition("<!-- answers of ")[0]
        assert re.search(r"f1_duplicates\b.*f1_jaccard\b", section) or "duplicates only" in section, name

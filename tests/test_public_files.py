"""Covers: files by which the public meets the project: citation, forms of issues, checks before a commit, workflows. Each is read as its reader would, and
what it names exists.

Run: pytest tests/test_public_files.py
"""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PAPERS = (ROOT / "docs" / "papers.md").read_text("utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
TARGETS = set(re.findall(r"^([a-z]+):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
HAN = re.compile("[\u4e00-\u9fff]")


def load(path):
    return yaml.safe_load(path.read_text("utf-8"))


# Citation.

TYPES = {"article", "thesis", "book", "conference-paper", "software", "generic"}
KEYS = {
    "type", "title", "authors", "journal", "volume", "issue", "year", "start", "end", "languages", "notes", "institution", "thesis-type", "doi",
}  # fmt: skip
"""Types and keys of references of the Citation File Format 1.2.0 that are used here."""


def faults_of(cited):
    """What is wrong with a citation by the schema of CFF 1.2.0, as far as it has what is used here."""
    wrong = [f"no {key}" for key in ("cff-version", "message", "title", "authors") if not cited.get(key)]
    wrong += ["version of the format"] * (cited.get("cff-version") != "1.2.0")
    wrong += ["version is no text"] * (not isinstance(cited.get("version"), str))
    for one in (cited, *cited.get("references", ())):
        for author in one.get("authors") or ():
            if not (
                set(author) <= {"family-names", "given-names", "alias", "name"}
                and {"family-names", "name"} & set(author)
            ):
                wrong.append(f"author {author}")
    for one in cited.get("references", ()):
        wrong += [f"{one.get('title')}: {key}" for key in set(one) - KEYS] + [
            f"no {key}" for key in ("type", "title", "authors") if key not in one
        ]
        if one.get("type") not in TYPES or not isinstance(one.get("year"), int):
            wrong.append(f"{one.get('title')}: type or year")
        wrong += [
            f"{key} is no text" for key in ("issue", "start", "end") if key in one and not isinstance(one[key], str)
        ]
    return wrong


def test_the_citation_is_one_and_names_the_four_papers():
    cited = load(ROOT / "CITATION.cff")
    assert faults_of(cited) == []
    assert (
        str(cited["date-released"])
        and cited["license"] == tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["license"]
    )
    assert len(cited["references"]) == 4
    for paper in cited["references"]:
        assert paper["title"] in re.sub(r"\s+", " ", PAPERS), paper["title"]
        for author in paper["authors"]:
            assert author["family-names"] + author["given-names"] in PAPERS and author["alias"] in PAPERS


def test_a_citation_that_is_none_is_told():
    cited = load(ROOT / "CITATION.cff")
    assert faults_of({}) != [] and faults_of(cited | {"cff-version": "1.0"}) == ["version of the format"]
    assert faults_of(cited | {"authors": [{"nom": "x"}]}) == ["author {'nom': 'x'}"]
    assert faults_of(cited | {"references": [{"type": "paper", "title": "t", "authors": [], "year": 2000}]}) == [
        "t: type or year"
    ]


# Forms.


def test_there_is_a_form_for_each_kind_of_issue():
    assert [path.stem for path in FORMS] == ["crash", "decision", "question"]
    assert load(ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml") == {"blank_issues_enabled": False}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_in_both_languages(path):
    form = load(path)
    assert {"name", "description", "labels", "body"} <= set(form)
    fields = [one for one in form["body"] if one["type"] != "markdown"]
    ids = [one["id"] for one in fields]
    assert len(ids) == len(set(ids)) and any(one.get("validations", {}).get("required") for one in fields)
    for one in fields:
        assert one["type"] in ("input", "textarea", "dropdown") and (one["type"] == "dropdown") == (
            "options" in one["attributes"]
        )
    said = [form["name"], form["description"], *(one["attributes"]["label"] for one in fields)]
    said += [option for one in fields for option in one["attributes"].get("options", ())]
    assert all(HAN.search(words) and re.search("[a-z]{2}", words) for words in said), said


def test_the_form_of_a_wrong_decision_asks_for_two_texts_and_what_was_expected():
    required = {
        one["id"]
        for one in load(ROOT / ".github/ISSUE_TEMPLATE/decision.yml")["body"]
        if one.get("validations", {}).get("required")
    }
    assert {"left", "right", "expected", "answered", "version"} <= required


@pytest.mark.parametrize("name", [".github/pull_request_template.md", "CODE_OF_CONDUCT.md"])
def test_what_people_read_is_in_both_languages(name):
    text = (ROOT / name).read_text("utf-8")
    assert len(HAN.findall(text)) > 60 and len(re.findall(r"\b[a-z]{3,}\b", text)) > 40


def test_security_says_how_to_report_and_which_versions_are_mended():
    version = ".".join(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"].split(".")[:2])
    for name, words in (("SECURITY.md", "now"), ("SECURITY.zh-CN.md", "现在是")):
        text = (ROOT / name).read_text("utf-8")
        assert f"{words} {version})" in text or f"{words} {version}）" in text, f"{name} names another newest version"
        assert "quchong --version" in text and "90" in text


# Checks before a commit.


def test_checks_before_a_commit_name_what_exists():
    given = load(ROOT / ".pre-commit-config.yaml")
    hooks = [hook for one in given["repos"] for hook in one["hooks"]]
    assert {hook["id"] for hook in hooks} >= {"ruff-check", "ruff-format", "catalogues", "contract", "words"}
    for hook in hooks:
        for word in hook.get("entry", "").split():
            if re.match(r"(tools|tests)/", word):
                assert (ROOT / word).exists(), word
    (ruff,) = [one["rev"] for one in given["repos"] if "ruff" in one["repo"]]
    (wanted,) = [
        one
        for one in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["lint"]
        if one.startswith("ruff")
    ]
    least = tuple(map(int, re.findall(r">=([\d.]+)", wanted)[0].split(".")))
    assert tuple(map(int, ruff.removeprefix("v").split("."))) >= least


# Workflows.


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


def test_there_are_workflows_for_every_change_and_for_a_release():
    assert {"ci", "release"} <= {path.stem for path in WORKFLOWS}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_pins_its_actions_and_may_only_read_unless_a_job_says_more(path):
    workflow = load(path)
    assert "on" in workflow or True in workflow, "YAML 1.1 reads on as true"
    assert workflow["permissions"] in ({"contents": "read"}, {})
    used = [step["uses"] for step in steps_of(workflow) if "uses" in step]
    assert all(re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}|\./[\w./-]+", one) for one in used), used
    lines = re.findall(r"uses: [\w.-]+/\S+@[0-9a-f]{40}(.*)", path.read_text("utf-8"))
    assert all(re.match(r" +# v?\d", line) for line in lines), "say the version behind the digest"
    for step in steps_of(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
        assert "${{ github.ref_name" not in step.get("run", "") and "${{ github.event" not in step.get("run", "")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_commands_of_a_workflow_exist(path):
    commands = "\n".join(step["run"] for step in steps_of(load(path)) if "run" in step)
    for target in re.findall(r"\bmake ([a-z]+)", commands):
        assert target in TARGETS, target
    for name in re.findall(r"(?<![\w/.-])((?:\.ci|tools|tests|packages|examples)/[\w./-]+)", commands):
        assert (ROOT / name).exists(), name
    for called in (job["uses"] for job in load(path)["jobs"].values() if "uses" in job):
        if "wheels" in TARGETS:  # the workflow of wheels comes with their target
            inner = load(ROOT / called)
            assert "workflow_call" in (inner.get("on") or inner[True])


def test_ci_runs_what_the_projects_own_ci_runs_on_every_python_and_system():
    jobs = load(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    lowest = jobs.pop("lowest")
    assert "make lowest" in lowest["steps"][-1]["run"] and "python:3.11" in lowest["container"]
    for name, job in jobs.items():
        assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"] and wanted == ">=3.11", name
    assert sorted(jobs) == ["linux", "macos", "windows"]
    run = "\n".join(step.get("run", "") for step in jobs["linux"]["steps"])
    assert ".ci/run" in run and "make check" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_only_the_job_that_publishes_may_ask_pypi_and_none_has_a_token():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert "secrets." not in text and "password" not in text
    assert jobs["publish"]["permissions"] == {"id-token": "write"} and jobs["publish"]["environment"] == "pypi"
    assert {name for name, job in jobs.items() if job.get("permissions", {}).get("contents") == "write"} == {"page"}
    order = {name: job.get("needs") for name, job in jobs.items()}
    assert order == {"check": None, "wheels": "check", "attest": "wheels", "publish": "attest", "page": "publish"}

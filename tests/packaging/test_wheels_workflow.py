"""Covers: .github/workflows/wheels.yml: it parses, builds for every Python and system, names its actions by version, publishes without a password.

Run: pytest tests/packaging/test_wheels_workflow.py.
"""

import re
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
TEXT = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8")
WORKFLOW = yaml.load(TEXT, Loader=yaml.BaseLoader)  # YAML 1.1 reads the key `on` as true
sys.path.insert(0, str(ROOT / "tools" / "wheels"))


def steps():
    return [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_actions_are_named_by_version():
    named = [step["uses"] for step in steps() if "uses" in step]
    assert len(named) > 6 and all(re.fullmatch(r"[\w.-]+/[\w./-]+@v\d+(\.\d+){0,2}", one) for one in named)
    assert {"pypa/cibuildwheel", "pypa/gh-action-pypi-publish", "actions/attest-build-provenance"} <= {
        one.partition("@")[0] for one in named
    }


def test_pythons_are_those_of_the_project_and_of_make_wheels():
    from targets import PYTHONS

    built = PROJECT["tool"]["cibuildwheel"]["build"]
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    stable = PROJECT["tool"]["scikit-build"]["wheel"]["py-api"]
    assert built == [f"cp{least.replace('.', '')}-*", f"{stable}-*"]
    assert {f"cp{version.replace('.', '')}-*" for version in PYTHONS} == set(built)


def test_systems_are_those_of_make_wheels_and_windows():
    from targets import TARGETS

    given = {one["name"] for one in WORKFLOW["jobs"]["build"]["strategy"]["matrix"]["include"]}
    assert given == {one.name for one in TARGETS if not one.name.startswith("musl")} | {"windows-amd64"}


def test_only_the_job_that_publishes_may_more_than_read():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert [name for name, job in WORKFLOW["jobs"].items() if "permissions" in job] == ["publish"]
    publish = WORKFLOW["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write", "attestations": "write", "contents": "read"}
    assert set(publish["needs"]) == set(WORKFLOW["jobs"]) - {"publish"} and "refs/tags/v" in publish["if"]
    assert "secrets." not in TEXT and "password" not in str(WORKFLOW)


def test_the_tested_command_is_one_of_ours():
    from quchong.cli.main import COMMANDS

    command = PROJECT["tool"]["cibuildwheel"]["test-command"]
    assert re.search(r"quchong (\w+) ", command)[1] in COMMANDS and "{project}/examples/news.jsonl" in command

"""Covers: .github/workflows/wheels.yml: it parses, builds for every Python and system, and is called by release.yml.

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


def test_release_calls_it_and_no_job_may_more_than_read():
    """Digests of actions: tests/test_public_files.py. What is built is attested and published by release.yml."""
    assert "workflow_call" in WORKFLOW["on"] and "push" not in WORKFLOW["on"]
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in WORKFLOW["jobs"].values())
    assert any(step.get("uses", "").startswith("pypa/cibuildwheel@") for step in steps())
    assert "secrets." not in TEXT and "password" not in str(WORKFLOW)


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


def test_the_tested_command_is_one_of_ours():
    from quchong.cli.main import COMMANDS

    command = PROJECT["tool"]["cibuildwheel"]["test-command"]
    assert re.search(r"quchong (\w+) ", command)[1] in COMMANDS and "{project}/examples/news.jsonl" in command

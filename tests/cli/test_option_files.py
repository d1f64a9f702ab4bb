"""Covers: files of options (`--config`): values that an option cannot have, names that are no options, options that exclude each other."""

import json

import pytest


@pytest.fixture
def corpus(jsonl, article, tmp_path):
    return jsonl(tmp_path / "in.jsonl", [{"id": str(n), "text": article(n)} for n in (1, 1, 2)])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threshold": {"a": 1}}, ['threshold cannot have the value {"a": 1}', "text or a number"]),
        ({"against": ["a.jsonl", None]}, ['against cannot have the value ["a.jsonl", null]']),
        ({"against": [["a.jsonl"]]}, ['against cannot have the value [["a.jsonl"]]']),
        ({"decisions": {"x": 1}}, ['decisions cannot have the value {"x": 1}']),
        ({"threshold": True}, ["threshold cannot have the value true", "text or a number"]),
        ({"quiet": "yes"}, ['quiet cannot have the value "yes"', "true or false"]),
        ({"protect": 5}, ["--protect 5 cannot be read"]),
        ({"inputs": ["x"]}, ["unknown options inputs"]),
        ({"config": "other.toml"}, ["unknown options config"]),
        ({"unit": "line", "method": "minhash"}, ["--method is for a run that compares whole documents"]),
        ({"unit": "line", "threshold": 0.9}, ["--threshold is for a run that compares whole documents"]),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_values_that_an_option_cannot_have_are_named(command, corpus, tmp_path, options, said):
    path = tmp_path / "options.json"
    path.write_text(json.dumps(options), "utf-8")
    ran = command("dedup", corpus, "-o", tmp_path / "run", "--config", path)
    assert ran.code in (2, 3) and all(one in ran.err for one in said), ran.err
    assert "internal" not in ran.err and not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["deep.json", "deep.toml"])
def test_a_file_that_is_nested_too_deeply_cannot_be_read(command, corpus, tmp_path, name):
    path = tmp_path / name
    path.write_text(("" if name.endswith("json") else "a = ") + "[" * 200_000, "utf-8")
    ran = command("dedup", corpus, "-o", tmp_path / "run", "--config", path)
    assert ran.code == 2 and "cannot be read" in ran.err and "internal" not in ran.err


def test_numbers_flags_and_lists_are_values_whatever_the_case_of_the_ending(command, corpus, tmp_path):
    path = tmp_path / "OPTIONS.JSON"
    path.write_text(json.dumps({"method": "minhash", "threshold": 0.9, "quiet": True, "relations": ["exact"]}), "utf-8")
    assert command("dedup", corpus, "-o", tmp_path / "run", "--config", path).code == 0
    told = json.dumps(json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["config"])
    assert '"minhash"' in told and "0.9" in told

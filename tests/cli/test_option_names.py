"""Errors name options on the command line; options take what the method they are for takes."""

from __future__ import annotations

import json

import click
import pytest

from quchong.cli.dedup import command as dedup
from quchong.cli.options import METHOD_OPTIONS, option_names
from quchong.errors import Param, UsageError
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS, build

TEXT = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五。"


def test_parameters_are_named_as_options_of_the_command():
    shown = option_names(dedup)
    for param, option in [
        (Param("text", "COLUMN"), "--text-key COLUMN"),
        (Param("id"), "--id-key"),
        (Param("recall_sample"), "--recall-sample"),
        (Param("relations", ("exact", "duplicate")), "--relations exact,duplicate"),
        (Param("confirm", True), "--confirm"),
        (Param("guards", False), "--no-guards"),
        (Param("overwrite", True), "--overwrite"),
        (Param("tail"), "--set tail"),
        (Param("signature", "idf"), "--set signature=idf"),
    ]:
        assert shown(param) == option
    error = UsageError(Param("text"), " names none: use ", Param("confirm", True))
    assert str(error) == "text names none: use confirm=True" and error.parameters == ("text", "confirm")
    assert error.told(shown) == "--text-key names none: use --confirm"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--text-key", "body"], "Name the right one with --text-key KEY or --html-key KEY"),
        (["--id-key", "key"], "Name the right one with --id-key KEY"),
        (["--workers", "0"], "--workers wants a whole number from 1"),
        (["--per", "nowhere"], "--per asks for the column 'nowhere'"),
        (["--within", "7"], "--within 7 is no span of time"),
        (["--relations", "exact,duplicat"], "--relations wants some of"),
        (["--method", "two-stage", "--threshold", "0.5"], "--threshold and --containment belong to --verify exact"),
        (["--method", "ccdet", "--set", "tail=0"], "--set tail must be 1 to 1000"),
        (["--method", "url", "--within", "7d"], "use --per with a column of days, or --method hybrid"),
        (["--method", "hybird"], "did you mean hybrid"),
        (["--set", "treshold=0.5"], "did you mean threshold"),
        (["--only-against"], "--only-against needs a corpus"),
    ],
)
def test_dedup_names_its_options(command, jsonl, options, said):
    path = jsonl("in.jsonl", [{"id": "a", "text": TEXT}])
    assert said in command("dedup", path, "--dry-run", "-q", *options).line


def test_other_commands_name_theirs(tmp_path, command, jsonl):
    path = jsonl("in.jsonl", [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT}])
    out = tmp_path / "run"
    assert command("dedup", path, "-o", out, "--quiet").code == 0
    assert "replace that run with --overwrite" in command("dedup", path, "-o", out).line
    assert "or --relation or --rule for all removed by it, or --all" in command("restore", out).line
    assert "--relation copied: use" in command("restore", out, "--relation", "copied").line
    assert "--text-key KEY" in command("statistics", path, "-q", "-o", tmp_path / "s", "--text-key", "body").line
    assert "--hash and the rules" in command("filter", path, "--hash", "bkdr").line
    assert "--capacity is for --filter bloom, not for --filter trie" in command(
        "filter", path, "--filter", "trie", "--capacity", "5").line  # fmt: skip


def test_options_tell_the_methods_they_belong_to():
    """`of` names every owner; an option without it has so many that a list would help nobody."""
    for name, spec in METHOD_OPTIONS.items():
        owners = [method for method, kind in METHODS.items() if name in parameters_of(kind)]
        assert owners == list(spec["of"]) if "of" in spec else len(owners) > 4, name


def test_every_choice_of_an_option_is_taken_by_all_its_methods():
    """A word that only some of them know must be left to these to check."""
    for name, spec in METHOD_OPTIONS.items():
        if isinstance(spec.get("type"), click.Choice):
            for method, kind in METHODS.items():
                if name in parameters_of(kind):
                    for word in spec["type"].choices:
                        try:
                            build(method, {name: word})
                        except UsageError as error:
                            assert "unknown" not in str(error), (method, name, word, str(error))


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [
        ("shingling", "sketch", "mod-m"),
        ("shingling", "sketch", "bottom-s"),
        ("minhash", "sketch", "k-mins"),
        ("sif", "bits", 8),
        ("tree-feature-string", "bits", 256),
        ("two-stage", "bits", 128),
        ("codet", "weights", "unit"),
        ("sl-st", "tokens", "char"),
        ("tree-key-sentence", "share", 0.4),
        ("lsh", "rows", 5),
    ],
)
def test_an_option_takes_what_its_method_takes(command, jsonl, method, option, value):
    path = jsonl("in.jsonl", [{"id": "a", "text": TEXT}])
    for way in ([f"--{option}", value], ["--set", f"{option}={value}"]):
        ran = command("dedup", path, "--dry-run", "--json", "--method", method, *way)
        assert json.loads(ran.out)["config"]["parameters"][option] == value


def test_a_sketch_of_another_method_is_refused_by_the_method(command, jsonl):
    path = jsonl("in.jsonl", [{"id": "a", "text": TEXT}])
    said = command("dedup", path, "--dry-run", "-q", "--method", "minhash", "--sketch", "mod-m").line
    assert "unknown --sketch mod-m: use one-permutation or k-mins" in said


def test_filter_reads_a_list_of_keys_as_every_command_does(command, jsonl):
    """A blank after the comma is no part of the key: the record that differs only there is another text."""
    rows = [{"a": "同一个标题", "b": "第一段正文"}, {"a": "同一个标题", "b": "第二段正文"}]
    path = jsonl("in.jsonl", rows)
    for keys in ("a,b", "a, b", " a ,b "):
        ran = command("filter", path, "--text-key", keys, "-q")
        assert [json.loads(line) for line in ran.out.splitlines()] == rows, keys

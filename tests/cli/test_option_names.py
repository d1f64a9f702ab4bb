"""Errors name options on the command line; options take what the method they are for takes."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from quchong.cli.dedup import command as dedup
from quchong.cli.kinds import Number, WholeNumber, own_kind
from quchong.cli.parameters import SHOWN, MethodCommand, option_names, parameters_of_all
from quchong.errors import Param, QuchongError, UsageError
from quchong.io import open_inputs
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS
from quchong.plan.parameters import checked
from quchong.runs.restore import check_restored

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
        (Param("tail"), "--tail"),
        (Param("signature", "idf"), "--signature idf"),
        (Param("mode", "remove"), "--mode remove"),
        (Param("mode", "blocks", method=True), "--set mode=blocks"),
        (Param("tail", method=True), "--tail"),
    ]:
        assert shown(param) == option
    error = UsageError("{} does not name a value: use one or more of {}", Param("text"), Param("confirm", True))
    assert str(error) == "text does not name a value: use one or more of confirm=True" and error.parameters == (
        "text",
        "confirm",
    )
    assert error.render_message(shown) == "--text-key does not name a value: use one or more of --confirm"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--text-key", "body"], "Name the right key with --text-key text"),
        (["--id-key", "key"], "Name the right key with --id-key id"),
        (["--workers", "0"], "--workers must be a whole number from 1 to 1024"),
        (["--per", "nowhere"], "--per nowhere: no record has this column"),
        (["--within", "7"], "--within 7 is not a time span"),
        (["--relations", "exact,duplicat"], "--relations must be one or more of"),
        (
            ["--method", "two-stage", "--threshold", "0.5"],
            "--threshold and --containment have an effect only with --verify exact",
        ),
        (["--method", "ccdet", "--set", "tail=0"], "--tail must be 1 to 1000"),
        (["--method", "url", "--within", "7d"], "use --per with a column of dates, or --method hybrid"),
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
    assert "--relation or --rule for the rows that a relation or rule removed, or --all" in command("restore", out).line
    assert "--relation copied: use" in command("restore", out, "--relation", "copied").line
    assert "--text-key text" in command("statistics", path, "-q", "-o", tmp_path / "s", "--text-key", "body").line
    assert (
        "--hash, and the modes end-mark and literal, are for --filter trie"
        in command("filter", path, "--hash", "bkdr").line
    )
    assert "--capacity is for --filter bloom, not for --filter trie" in command(
        "filter", path, "--filter", "trie", "--capacity", "5").line  # fmt: skip


def test_what_help_shows_of_methods_is_theirs():
    """A choice that only some owners know, or a name of one owner that another has too, would mislead."""
    for name in SHOWN:
        owners = [method for method, kind in METHODS.items() if name in parameters_of(kind)]
        option = next(p for p in SHOWN[name](click.Command("x", callback=lambda: None)).params if p.name == name)
        if len(owners) < 5:
            assert option.help.endswith(f"[only {', '.join(owners)}]"), name
        if isinstance(option.type, click.Choice):
            for method in owners:
                assert set(option.type.choices) <= set(parameters_of(METHODS[method])[name].about.choices), (
                    name,
                    method,
                )


@pytest.mark.parametrize("name", ["dedup", "compare", "passages", "statistics"])
def test_help_fits_two_screens_in_groups(name):
    """At 80 columns, whatever was asked of the command before."""
    command = importlib.import_module(f"quchong.cli.{name}").command
    assert isinstance(command, MethodCommand)
    command.learn()
    with click.Context(command, info_name=name, terminal_width=80, max_content_width=80) as ctx:
        text = command.get_help(ctx)
    assert len(text.splitlines()) <= (96 if name == "dedup" else 70)
    assert max(map(len, text.splitlines())) <= 80
    grouped = [option for names in command.groups.values() for option in names]
    shown = {p.name for p in command.params if isinstance(p, click.Option) and not p.hidden}
    assert len(grouped) == len(set(grouped)) and set(grouped) | {"lang"} == shown | {"lang"}  # of every command
    assert re.findall(r"^(\w[\w ]+):$", text, re.M) in (list(command.groups), ["Examples", *command.groups])
    assert "quchong methods" in text and "--num-perm" not in text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("name", "lines", "rare"), [("dedup", 84, "--recall-sample"), ("tune", 78, "--truth-words")])
def test_the_usual_options_fit_two_screens_and_all_are_listed_on_request(
    command, monkeypatch, language, name, lines, rare
):
    """At 100 columns, as most terminals have."""
    monkeypatch.setenv("QUCHONG_LANG", language)
    monkeypatch.setenv("COLUMNS", "100")
    usual, everything = command(name, "--help").out, command(name, "--help-all").out
    assert len(usual.splitlines()) <= lines and rare not in usual and "--keep" in usual
    called = importlib.import_module(f"quchong.cli.{name}").command
    shown = [p for p in called.params if isinstance(p, click.Option) and not p.hidden]
    assert all(
        re.search(rf"^  (-o, )?{p.opts[-1] if p.name == 'out' else p.opts[0]}\b", everything, re.M) for p in shown
    )
    assert f"{len(called.rare)} " in usual.splitlines()[-1] and usual.splitlines()[-1].endswith(
        f"quchong {name} --help-all"
    )
    assert called.rare <= {p.name for p in shown}  # nothing is hidden from completions and man pages
    assert "--help-all" not in everything.splitlines()[-1]


def test_help_loads_no_method():
    code = (
        "import sys, contextlib; from quchong.cli.main import cli\n"
        "with contextlib.suppress(SystemExit): cli(['dedup', '--help'])\n"
        "print([m for m in sys.modules if m.startswith(('quchong.methods', 'numpy', 'pyarrow'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", ["dedup", "compare", "passages", "statistics"])
def test_every_parameter_is_an_option_or_given_by_set(name):
    command = importlib.import_module(f"quchong.cli.{name}").command
    command.learn()
    flags = {flag for p in command.params for flag in p.opts}
    own = {"dedup": {"mode", "unit"}, "passages": {"gap", "min_chars"}}.get(name, set())
    assert command.other_options & set(parameters_of_all()) == own
    for parameter in parameters_of_all():
        assert f"--{parameter.replace('_', '-')}" in flags, parameter
        assert (parameter in {*SHOWN, *command.learned}) != (parameter in own), parameter


def test_an_option_of_the_command_is_no_parameter_of_a_method(tmp_path, command, jsonl):
    """`mode` is an option of dedup and a parameter of sl-st: one does not stand for the other, in values or in messages."""
    path = jsonl("in.jsonl", [{"id": "a", "text": TEXT}])
    ran = command(
        "dedup",
        path,
        "-o",
        tmp_path / "run",
        "--json",
        "--mode",
        "annotate",
        "--method",
        "sl-st",
        "--set",
        "mode=blocks",
    )
    assert ran.code == 0, ran.err
    manifest = json.loads(ran.out)
    assert manifest["mode"] == "annotate" and manifest["config"]["parameters"]["mode"] == "blocks"
    said = command("dedup", path, "--dry-run", "-q", "--method", "sl-st", "--set", "mode=block").line
    assert "unknown --set mode=block: use sentences or blocks; did you mean blocks" in said
    for one in ("one.txt", "two.txt"):
        (tmp_path / one).write_text(TEXT * 2, "utf-8")
    both = tmp_path / "one.txt", tmp_path / "two.txt"
    assert command("passages", *both, "--method", "partial", "--set", "min_chars=5", "--min-chars", "3").code == 0
    said = command("passages", *both, "--method", "partial", "--set", "min_chars=0").line
    assert "--set min_chars must be at least 1, got 0" in said
    assert "choose one with --method" in command("passages", *both, "--tail", "5").line


def test_a_file_of_options_takes_parameters_of_methods(tmp_path, command, jsonl):
    path = jsonl("in.jsonl", [{"id": "a", "text": TEXT}])
    config = tmp_path / "run.toml"
    config.write_text('method = "ccdet"\ntail = 8\nrecount = false\nset = ["min_shared=2"]\n')
    ran = command("dedup", path, "--dry-run", "--json", "--config", config, "--ratio", 0.25)
    told = json.loads(ran.out)["config"]["parameters"]
    assert (told["tail"], told["recount"], told["min_shared"], told["ratio"]) == (8, False, 2, 0.25)
    config.write_text("tial = 8\n")
    assert "unknown options tial" in command("dedup", path, "--dry-run", "--config", config).line


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


def test_none_is_offered_in_python_alone():
    with pytest.raises(UsageError) as error:
        checked(workers=0)
    assert str(error.value) == "workers must be a whole number from 1 to 1024, or None for all processors, got 0"
    assert (
        error.value.render_message(lambda param: f"--{param.name}")
        == "--workers must be a whole number from 1 to 1024, got 0"
    )


@pytest.mark.parametrize("engine", [[], ["--engine", "spark"]])
def test_a_file_of_ids_is_read_before_a_session_begins(tmp_path, command, jsonl, engine, monkeypatch):
    if engine:
        pytest.importorskip("pyspark")
        monkeypatch.setattr("quchong.engines.spark.files.session", lambda *_: pytest.fail("a session began"))
    path = jsonl("in.jsonl", [{"id": "a", "text": TEXT}])
    ran = command("dedup", path, "-o", tmp_path / "run", "--protect", tmp_path / "nowhere", *engine)
    assert ran.code == 3 and f"--protect {tmp_path / 'nowhere'} cannot be read" in ran.line


def test_the_options_of_filter_are_the_fields_of_its_choice():
    from quchong.cli.filter import command
    from quchong.methods.bases.stream_filters import FilterChoice

    options, types = {p.name: p for p in command.params}, {int: WholeNumber, float: Number, str: type(click.STRING)}
    for name, known in parameters_of(FilterChoice).items():
        option = options[name]
        assert known.help.lower() in option.help.lower() and known.about.unset in option.help, name
        if known.type is bool:
            assert option.is_flag
        elif known.about.choices:
            assert tuple(option.type.choices) == known.about.choices, name
        else:
            assert isinstance(own_kind(option.type), types[known.type]), name
    assert not set(parameters_of(FilterChoice)) - set(options)


HOSTILE = [
    "a b", "x; touch planted", "$(touch planted)", "`touch planted`", "a'b", "a\"b", "a\\b", "a\nb", "a\tb", "|tee x", "a&b", ">out", "~root",
    "*", "[ab]", "{a,b}", "#no", "!x", "", "\x1b[31m", "新华社 人民网", "\u3000", "-rf", "--help", "%s", "=ls", "x\x00y", "$HOME",
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_of_a_stranger_is_one_word_of_advice(value):
    shown = option_names(dedup)
    assert shlex.split(shown(Param("text", value))) == ["--text-key", value]
    assert shlex.split(shown(Param("against", Path("in") / value))) == ["--against", str(Path("in") / value)]
    assert shlex.split(shown(Param("relations", (value, "exact")))) == ["--relations", f"{value},exact"]
    assert shlex.split(shown(Param("mode", value, method=True))) == ["--set", f"mode={value}"]
    assert shlex.split(shown(Param("no_option_of_it", value))) == ["no_option_of_it", value]


@pytest.mark.parametrize("value", [value for value in HOSTILE if value and "\x00" not in value])
def test_a_name_of_a_stranger_is_one_word_of_advice(tmp_path, value):
    """Commands in messages that name folders and files: what a person types is what is there."""
    folder = tmp_path / value
    if value == "*":
        return
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"text": "x"}\n')
    (folder / "b.txt").write_text("x")
    (tmp_path / f"{value}.arc").write_text("x")
    left = folder / ".restore.quchong-00000000"
    left.mkdir()
    (left / "commit").touch()
    for act, begins, words in [
        (
            lambda: open_inputs([folder]),
            "only one kind, such as ",
            [f"{folder}/**/*.txt", "or", f"{folder}/**/*.jsonl"],
        ),
        (
            lambda: open_inputs([tmp_path / f"{value}.arc"]),
            "e.g. ",
            ["warcio", "recompress", f"{value}.arc", f"{value}.warc.gz"],
        ),
        (lambda: check_restored(folder), "finish it with: ", ["quchong", "restore", str(folder)]),
    ]:
        with pytest.raises(QuchongError) as caught:
            act()
        said = shlex.split(str(caught.value).split(begins, 1)[1].removesuffix(f" (its staging folder is {left})"))
        assert said == words

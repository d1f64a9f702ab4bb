"""Tests of other names of parameters: those of the command line are accepted, those of other tools lead to ours."""

from __future__ import annotations

import re
import warnings

import click
import pytest

import quchong as qc
from quchong.cli.main import cli
from quchong.parameters import other_names, parameters_of
from quchong.parameters.other_names import OPTION_NAMES, TOOL_WORDS, hint_of, names_of
from quchong.plan.catalogue import usable

TEXT = "The council said that the new bridge will open in March, and that drivers pay 12 percent less toll in the first year."
ROWS = [{"key": name, "content": TEXT, "when": "2026-03-01", "paper": "a"} for name in ("a", "b")]


@pytest.fixture(autouse=True)
def _told_anew(monkeypatch):
    monkeypatch.setattr(other_names, "_warned", set())


def test_names_of_the_command_line_are_accepted_and_told_once():
    with pytest.warns(UserWarning) as told:
        found = qc.dedup(ROWS, text_key="content", id_key="key", time_key="when", source_key="paper", num_proc=1)
        qc.dedup(ROWS, text_key="content", id_key="key")
    plain = qc.dedup(ROWS, text="content", id="key", time="when", source="paper", workers=1)
    assert found.ledger.to_pylist() == plain.ledger.to_pylist()
    assert len(plain.ledger) == 1
    said = [str(one.message) for one in told]
    assert "text_key is the name on the command line; in Python this parameter is text" in said
    assert len(said) == len(set(said)) == 5
    assert all(one.filename == __file__ for one in told)


@pytest.mark.parametrize(
    "call",
    [
        lambda: qc.estimate(ROWS, text_key="content"),
        lambda: qc.passages(ROWS, text_key="content"),
        lambda: qc.fit_statistics(ROWS, text_key="content"),
        lambda: qc.compare(ROWS[0], ROWS[1], text_key="content"),
        lambda: qc.inspect(ROWS[0], ROWS[1], text_key="content"),
        lambda: qc.tune(
            ROWS, [{"left_id": "a", "right_id": "b", "label": "same"}] * 4, text_key="content", id_key="key"
        ),
        lambda: qc.dedup(ROWS, text="content", id="key").chains(time_key="when", source_key="paper", title_key="key"),
    ],
)
def test_every_function_of_records_accepts_them(call):
    with pytest.warns(UserWarning, match="_key is the name on the command line"):
        try:
            call()
        except qc.QuchongError as error:  # such as too few labels to tune by
            assert "_key" not in str(error)


def test_one_parameter_under_both_names_is_refused():
    with pytest.raises(qc.UsageError, match="text_key and text are the same"):
        qc.dedup(ROWS, text="content", text_key="content")


def test_the_names_of_python_are_told_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        qc.dedup(ROWS, text="content", id="key")


def _options():
    context = click.Context(cli)
    for command in ("dedup", "passages", "statistics", "chains", "restore", "tune"):
        for one in cli.get_command(context, command).params:
            if isinstance(one, click.Option) and one.name in PYTHON:
                yield from ((flag[2:].replace("-", "_"), one.name) for flag in one.opts if flag.startswith("--"))


PYTHON = names_of(qc.dedup) | names_of(qc.passages) | names_of(qc.Result.chains) | names_of(qc.tune)


def test_every_option_is_called_in_python_as_it_is_or_by_the_table():
    wrong = {(name, target) for name, target in _options() if OPTION_NAMES.get(name, name) != target}
    assert wrong == set()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"b": 20, "r": 8, "method": "minhash"}, "'b' is called bands in quchong"),
        (
            {"num_perms": 128},
            "'num_perms' is called num_perm in quchong and belongs to minhash. Choose a method that has it: method='minhash'",
        ),
        ({"ngram": 5}, "'ngram' is called ngram_size in quchong"),
        ({"jaccard_threshold": 0.8}, "'jaccard_threshold' is called threshold in quchong"),
        ({"n_jobs": 2}, "'n_jobs' is called workers in quchong"),
        ({"bit_diff": 3}, "threshold=0.953 of the method simhash"),
        ({"input_file": "x"}, "'input_file' is called data in quchong"),
    ],
)
def test_words_of_other_tools_lead_to_ours(given, said):
    with pytest.raises(qc.UsageError, match=re.escape(said)):
        qc.dedup(ROWS, text="content", **given)


def test_every_word_leads_to_a_parameter_that_there_is():
    own = names_of(qc.dedup)
    of_methods = {name for kind in usable().values() for name in parameters_of(kind)}
    filters = {"error_rate", "capacity"}
    assert set(TOOL_WORDS.values()) <= own | of_methods | filters
    assert not set(TOOL_WORDS) & (own | of_methods)
    assert all(hint_of(word) for word in TOOL_WORDS)
    assert hint_of("nonsense") is None


@pytest.mark.parametrize(
    ("word", "owner"),
    [("num_proc", "text-dedup"), ("text_field", "NeMo Curator"), ("threads", "other tools"), ("column", "text-dedup")],
)
def test_a_word_of_other_tools_is_said_to_be_theirs(word, owner):
    """On the command line it is called otherwise too: --workers, --text-key."""
    value = 1 if word in ("num_proc", "threads") else "content"
    rest = {"text": "content"} if value == 1 else {}
    with pytest.warns(UserWarning, match=f"{word} is the name in {owner}; in quchong this parameter is"):
        qc.dedup(ROWS, id="key", **{word: value}, **rest)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"params": (20, 13)}, "use two parameters of the method minhash: bands and rows"),
        ({"tasks": 4}, "'tasks' is called workers in quchong"),
        ({"index": "key"}, "'index' is called id in quchong"),
        (
            {"min_length": 5},
            "for the parameter of that name in another tool: short texts are never left out",
        ),
        ({"error_rate": 0.1}, "for the parameter of that name in another tool: "),
        ({"k": 50}, "for the parameter of that name in another tool: use qc.passages(min_chars=...)"),
        ({"num_perm": 128}, "leave it out, or choose a method that takes it, such as method='minhash'"),
    ],
)
def test_words_of_the_page_on_other_tools_are_answered(given, said):
    """docs/guide/other-tools.md says so."""
    with pytest.raises(qc.QuchongError) as raised:
        qc.dedup(ROWS, text="content", id="key", **given)
    assert said in str(raised.value)

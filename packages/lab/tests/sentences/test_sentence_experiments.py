"""Covers: the experiments of Feng 2015a: wrapped lines, truth by counting, lengths, the two roads to equal runs, the sweep.

Compared against: sentences and pairs put together by hand. Run: pytest packages/lab/tests/sentences.
"""

import csv
import json

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from twins import runs as ref

from quchong import kernels
from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE
from quchong.text import sentences
from quchong_lab import experiment
from quchong_lab.command import command
from quchong_lab.sentences.lengths import ALPHABETS
from quchong_lab.sentences.methods import SYSTEMS, THRESHOLDS, counted
from quchong_lab.sentences.suffix import STRETCH, half_copied, stream
from quchong_lab.sentences.texts import chinese, unwrapped, written

TEXTS = pa.large_string()


def texts(*some):
    return pa.array(some, TEXTS)


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        ("Showers continued\nthe week. It\nended\n    The dry\nperiod", "Showers continued the week. It ended\n    The dry period"),
        ("It ended.\nThe next", "It ended.\nThe next"),
        ("A heading\n\nThe text", "A heading\n\nThe text"),
        ("Lines as long as " + "these " * 20 + "\nare no wrapped ones", None),
        ("一行没有句号\n另一行也没有", None),
        ("", None),
    ],
)  # fmt: skip
def test_only_wrapped_lines_are_put_together(given, joined):
    assert unwrapped(texts(given)).to_pylist() == [given if joined is None else joined]


def test_a_missing_text_is_an_empty_one():
    assert unwrapped(pa.array([None, "a b"], TEXTS)).to_pylist() == ["", "a b"]


def test_chinese_texts_are_told_from_others():
    assert chinese(texts("今天天气很好 ok", "the weather is 好", "")).tolist() == [True, False, False]


def test_written_articles_are_as_many_as_asked_for_and_hang_on_the_seed():
    assert len(written(7, 1)) == 7
    assert written(7, 1).equals(written(7, 1))
    assert not written(7, 1).equals(written(7, 2))
    assert len(written(0, 1)) == 0


def test_long_sentences_are_counted_without_stop_words():
    words = [f"word{i}" for i in range(40)]
    body = " ".join([*words[:35], "the"]) + ". " + " ".join(words[:36]) + ". " + "the of and. Short one here."
    table = pa.table({"title": ["t"], "text": [body]})
    rows = experiment("sentences/long-sentences").run("quick", 1, table).table.to_pylist()
    assert {r["language"] for r in rows} == {"other"}
    found = {(r["stop_words"], r["symbols"]): r for r in rows}
    assert len(found) == len(rows) == 2 * len(ALPHABETS)
    # without stop words: 35, 36, none, 2 (short, one); with them: 36, 36, 3, 3
    assert (found["standard", 35]["sentences"], found["standard", 35]["longer"]) == (3, 1)
    assert (found["none", 35]["sentences"], found["none", 35]["longer"]) == (4, 2)
    assert found["standard", 20]["share"] == pytest.approx(2 / 3)
    assert found["standard", 61]["longer"] == 0


def test_shares_fall_with_the_alphabet_and_characters_are_more_than_words():
    rows = experiment("sentences/long-sentences").run("quick", 1).table.to_pylist()
    share = {(r["terms"], r["stop_words"], r["symbols"]): r["share"] for r in rows}
    for terms, stop_words, symbols in share:
        later = [s for s in ALPHABETS if s > symbols]
        assert all(share[terms, stop_words, s] <= share[terms, stop_words, symbols] for s in later)
    assert share["characters", "standard", 35] > 10 * share["words", "standard", 35]


def test_truth_is_counted_over_all_texts():
    one = "".join(written(1, 5).to_pylist()[0].splitlines())
    places = sentences(one)
    half = one[: places[len(places) * 2 // 5][1]]
    other = written(1, 6).to_pylist()[0]
    data = counted(texts(half, one, one, other))
    ids = data.table["id"].to_pylist()
    assert data.relation == {
        (ids[0], ids[1]): CONTAINED_IN, (ids[0], ids[2]): CONTAINED_IN, (ids[1], ids[2]): DUPLICATE,
    }  # fmt: skip
    mirrored = counted(texts(one, other, half))
    assert mirrored.relation == {("000000000", "000000002"): CONTAINS}
    assert not data.undecided


def test_the_methods_are_held_to_given_texts(tmp_path):
    originals = written(30, 9).to_pylist()
    copies = [t + "\n此文转载。" for t in originals[:10]]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(json.dumps({"title": "t", "text": t}) for t in originals + copies), "utf-8")
    done = CliRunner().invoke(
        command, ["run", "sentences/methods", "--scale", "quick", "--texts", str(path), "-o", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    assert "40 texts; 10 pairs as made, 10 of them duplicates, 10 with a Jaccard of origin from 0.5 on." in done.output
    rows = list(csv.DictReader((tmp_path / "out/sentences/methods/table.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 2 * len(SYSTEMS) * len(THRESHOLDS)
    for row in rows:  # a sentence more is no matter to any of them
        if float(row["threshold"]) == 0.5:
            assert (float(row["precision"]), float(row["recall"])) == (1, 1), row


def test_without_texts_labels_come_from_the_pages_made():
    rows = experiment("sentences/methods").run("quick", 2).table.to_pylist()
    for name, _, _ in SYSTEMS:
        mine = [r for r in rows if r["system"] == name and r["decided"] == "similar"]
        recall = [r["recall_duplicates"] for r in mine]
        assert recall == sorted(recall, reverse=True)
        assert recall[0] > 0.5
    assert {r["decided"] for r in rows} == {"similar", "and contained"}


def test_half_of_a_copied_sequence_is_a_copy():
    streams = stream(400, 1)
    assert {len(v) for v in streams.values()} == {400}
    left, right = half_copied(streams["lengths and terms"], 100)
    same = left == right
    assert len(left) == len(right) == 100
    assert same.reshape(-1, STRETCH)[::2].all()
    assert not same.reshape(-1, STRETCH)[1::2].any()


@pytest.mark.parametrize("symbols", ["lengths", "lengths and terms"])
def test_both_roads_find_the_runs_of_the_twin(symbols):
    left, right = half_copied(stream(300, 4)[symbols], 150)
    wanted = ref.maximal_runs(left.tolist(), right.tolist(), 2)
    for road in ("suffixes", "places"):
        found, bounded = kernels.runs.maximal_runs(left, right, 2, road=road)
        assert [tuple(r) for r in found.tolist()] == wanted
        assert not bounded
    assert len(wanted) >= 7


def test_runs_of_lengths_alone_grow_with_the_square():
    rows = experiment("sentences/suffix").run("quick", 1).table.to_pylist()
    runs = {(r["symbols"], r["sentences"], r["road"]): r["runs"] for r in rows}
    for symbols, length, road in runs:
        assert runs[symbols, length, road] == runs[symbols, length, "all places"]
    assert runs["lengths", 256, "all places"] > 8 * runs["lengths", 64, "all places"]
    assert runs["lengths and terms", 256, "all places"] < 8 * runs["lengths and terms", 64, "all places"]
    assert np.all([r["seconds"] > 0 for r in rows])
    assert {road for _, _, road in runs} == {"suffix array", "all places", "suffix automaton"}


def test_steps_of_the_tree_stay_linear():
    """As the paper claims, of either kind of symbols; scanned in steps, not in seconds."""
    rows = experiment("sentences/suffix").run("quick", 1).table.to_pylist()
    for symbols in ("lengths", "lengths and terms"):
        made = {
            r["sentences"]: r["tree_steps_a_sentence"]
            for r in rows
            if r["symbols"] == symbols and r["tree_steps_a_sentence"]
        }
        assert len(made) > 8 and max(made.values()) < 6
        assert made[256] < 1.2 * made[64]
    assert {r["road"] for r in rows if r["tree_steps_a_sentence"] is not None} == {"suffix automaton"}

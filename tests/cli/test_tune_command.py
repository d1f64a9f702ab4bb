"""Covers: `quchong tune`: the value, the command it gives, questions and answers, what is refused.

Run: pytest tests/cli/test_tune_command.py.
"""

import io
import json
import random
import shlex

import pytest

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


@pytest.fixture
def corpus(tmp_path):
    """30 texts with a copy of each, changed more and more; those little changed are the same."""
    draw, texts, labels = random.Random(7), [], []
    for i in range(30):
        text = [draw.choice(HAN) for _ in range(240)]
        texts.append({"key": f"t{i:02}", "text": "".join(text)})
        for at in draw.sample(range(240), 3 + i):
            text[at] = draw.choice(HAN)
        texts.append({"key": f"u{i:02}", "text": "".join(text)})
        labels.append({"left_id": f"t{i:02}", "right_id": f"u{i:02}", "label": "same" if i < 15 else "different"})
    for name, rows in (("rows", texts), ("truth", labels)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return tmp_path / "rows.jsonl", tmp_path / "truth.jsonl"


ASK = ("--id-key", "key", "--method", "minhash", "-q")


def answered(command, monkeypatch, words, *args):
    monkeypatch.setattr("sys.stdin", io.StringIO(words))
    return command("tune", *args)


def test_the_command_it_gives_is_the_one_that_uses_the_value(command, corpus, tmp_path):
    rows, truth = corpus
    told = json.loads(
        command("tune", rows, "--truth", truth, *ASK, "--json", "--num-perm", "64", "--keep", "shortest").out
    )
    assert told["parameter"] == "threshold" and told["low"] <= told["value"] <= told["high"]
    words = shlex.split(told["command"])
    assert words[:3] == ["quchong", "dedup", str(rows)] and "num_perm=64" in words
    words[words.index("NEW-RUN/")] = str(tmp_path / "run")
    assert command(*words[1:], "-q").code == 0
    config = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["config"]
    assert config["parameters"]["threshold"] == told["value"] and config["parameters"]["num_perm"] == 64
    assert config["keep"] == "shortest" and config["method"] == "minhash"


def test_text_tells_every_value_and_the_labels_held_back(command, corpus):
    rows, truth = corpus
    ran = command("tune", rows, "--truth", truth, *ASK, "--values", "0.4:0.8:0.1", "--all")
    assert (
        ran.code == 0
        and ran.out.count("\n0.") == 5
        and "measured on the labels set aside" in ran.out
        and "use it:  quchong dedup" in ran.out
    )
    assert "tried   5 values" in ran.out or "tried   6 values" in ran.out


def test_a_run_is_tuned_with_its_own_options(command, corpus, tmp_path):
    rows, truth = corpus
    assert command("dedup", rows, "-o", tmp_path / "run", *ASK, "--num-perm", "64").code == 0
    direct = json.loads(command("tune", rows, "--truth", truth, *ASK, "--json", "--num-perm", "64").out)
    of_run = json.loads(command("tune", tmp_path / "run", "--truth", truth, "-q", "--json").out)
    words = [set(shlex.split(one.pop("command"))) for one in (direct, of_run)]
    assert direct == of_run and words[0] == words[1]


def test_questions_show_both_texts_and_answers_are_kept(command, corpus, monkeypatch, tmp_path):
    rows, _ = corpus
    path = tmp_path / "labels.jsonl"
    ran = answered(
        command, monkeypatch, "s\nwhat\nd\nc\nu\nsame\nd\n", rows, "--truth", path, *ASK, "--ask", "6", "--json"
    )
    assert ran.code == 0, ran.err
    kept = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [row["label"] for row in kept] == ["same", "different", "contained", "unsure", "same", "different"]
    assert len({(row["left_id"], row["right_id"]) for row in kept}) == 6
    assert all(row["left_id"] in ran.err and row["right_id"] in ran.err for row in kept)
    assert json.loads(ran.out)["labels"]["tuned"]["pairs"] + json.loads(ran.out)["labels"]["reported"]["pairs"] == 5


def test_who_stops_keeps_the_answers_and_is_not_asked_again(command, corpus, monkeypatch, tmp_path):
    rows, _ = corpus
    path = tmp_path / "labels.jsonl"
    assert answered(command, monkeypatch, "s\nd\nq\n", rows, "--truth", path, *ASK, "--ask", "9").code == 0
    before = path.read_bytes()
    assert before.count(b"\n") == 2
    assert (
        answered(command, monkeypatch, "s\n", rows, "--truth", path, *ASK, "--ask", "9").code == 0
    )  # the end of the input
    after = path.read_bytes()
    assert after.startswith(before) and after.count(b"\n") == 3
    pairs = [tuple(json.loads(line)[k] for k in ("left_id", "right_id")) for line in after.splitlines()]
    assert len(set(pairs)) == 3


def test_without_any_answer_nothing_is_recommended_or_written(command, corpus, monkeypatch, tmp_path):
    rows, _ = corpus
    ran = answered(command, monkeypatch, "q\n", rows, "--truth", tmp_path / "labels.jsonl", *ASK, "--ask", "3")
    assert ran.code == 0 and "no labels yet" in ran.out and not (tmp_path / "labels.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--method", "exact"], 2, "method exact has no threshold to tune"),
        (["--method", "hybird"], 2, "did you mean hybrid"),
        (["--parameter", "treshold"], 2, "--parameter treshold: method minhash has no numeric parameter of that name"),
        (["--values", "a"], 2, "--values must be numbers such as 0.5,0.6,0.7"),
        (["--values", "7"], 2, "accepts none of the values of threshold"),
        (["--least-precision", "1.5"], 2, "--least-precision must be a share from 0 to 1"),
        (
            ["--least-precision", "0.9", "--least-recall", "0.9"],
            2,
            "--least-precision and --least-recall cannot be used together",
        ),
        (["--ask", "3", "--truth-words", "a=same"], 2, "--ask writes a file with fixed columns"),
        (["--num-prem", "3"], 2, "did you mean"),
        (["--threshold", "3"], 2, "--threshold must be above 0 and at most 1"),
        (["--truth", "gone.jsonl"], 3, "gone.jsonl: no such file; check the spelling"),
    ],
)
def test_calls_that_cannot_be_meant_name_the_option(command, corpus, options, code, said):
    rows, truth = corpus
    ran = command("tune", rows, "--truth", truth, *ASK, *options)
    assert ran.code == code and said in ran.err


def test_answers_go_into_no_input_and_no_run(command, corpus, monkeypatch, tmp_path):
    rows, truth = corpus
    before = rows.read_bytes()
    assert answered(command, monkeypatch, "s\n", rows, "--truth", rows, *ASK, "--ask", "3").code == 4
    assert command("dedup", rows, "-o", tmp_path / "run", *ASK).code == 0
    assert (
        answered(
            command, monkeypatch, "s\n", rows, "--truth", tmp_path / "run" / "labels.jsonl", *ASK, "--ask", "3"
        ).code
        == 4
    )
    table = tmp_path / "labels.csv"
    assert answered(command, monkeypatch, "s\n", rows, "--truth", table, *ASK, "--ask", "3").code == 2
    assert rows.read_bytes() == before and not table.exists() and truth.exists()

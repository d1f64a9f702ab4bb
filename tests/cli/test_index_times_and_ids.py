"""Covers: what an index says of times that cannot be read, of ids that are none, of a document that it has already, and before it expires any.

Run: pytest tests/cli/test_index_times_and_ids.py.
"""

from __future__ import annotations

import re

import pytest

import quchong as qc


def rows(article, *times):
    """Different documents with these times; None leaves the time out."""
    return [
        {"id": f"d{k}", "text": article(k, 200)} | ({} if time is None else {"time": time})
        for k, time in enumerate(times)
    ]


@pytest.mark.parametrize(("times", "count", "example"), [
    (("2026-03-01", "2026-03-02"), 0, None), ((None, "2026-03-02"), 1, None),
    (("vor 3 Tagen", "2026-03-02", None), 2, "vor 3 Tagen"), (("昨天下午", "刚刚"), 2, "昨天下午"),
])  # fmt: skip
def test_documents_that_a_time_window_compares_with_no_other_are_counted(
    command, tmp_path, jsonl, article, times, count, example
):
    folder = tmp_path / "seen"
    assert command("index", "create", folder, "--within", "14d", "-q").code == 0
    for name in ("add", "query"):
        given = [one | {"id": f"{name}{one['id']}"} for one in rows(article, *times)]
        ran = command("index", name, folder, jsonl(f"{name}.jsonl", given))
        assert ran.code == 0
        told = re.search(r"without a time that can be read +([0-9]+)", ran.out)
        assert (int(told[1]) if told else 0) == count
        assert ran.err.count("because of --within, they are not compared") == (count > 0)
        assert (f"such as {example}" in ran.err) == (example is not None)
    with qc.Index(folder, read_only=True) as index:
        answers = index.query(given)
    assert (answers.undated, answers.unread_time) == (count, example)


def test_without_a_window_unread_times_are_told_and_missing_ones_are_not(command, tmp_path, jsonl, article):
    folder = tmp_path / "seen"
    command("index", "create", folder, "--keep", "earliest", "-q")
    ran = command("index", "add", folder, jsonl("in.jsonl", rows(article, "vor 3 Tagen", None, "2026-03-01")))
    assert re.search(r"without a time that can be read +1\n", ran.out)
    assert "--keep ranks them like documents without a time" in ran.err
    later = [one | {"id": f"n{one['id']}"} for one in rows(article, None, None)]
    assert "without a time" not in command("index", "query", folder, jsonl("none.jsonl", later)).out
    command("index", "create", tmp_path / "other", "--keep", "longest", "-q")
    assert (
        "without a time" not in command("index", "add", tmp_path / "other", jsonl("in.jsonl", rows(article, "x"))).out
    )


WRONG_IDS = [{"$oid": "5f"}, {}, ["x"], True, 1.5]


@pytest.mark.parametrize("wrong", WRONG_IDS, ids=str)
def test_an_id_that_is_none_makes_a_bad_record(command, tmp_path, jsonl, article, wrong):
    folder, good = tmp_path / "seen", {"id": "good", "text": article(2, 100)}
    command("index", "create", folder, "-q")
    path = jsonl("in.jsonl", [{"id": wrong, "text": article(1, 100)}, good])
    for again in (0, 1):
        ran = command("index", "add", folder, path)
        assert "line 1: id is " in ran.err
        assert re.search(r"could not be read +1\n", ran.out) and re.search(rf"^added +{1 - again}\n", ran.out)
    with qc.Index(folder) as index:
        answers = index.query([good | {"id": "x"}, {"id": wrong, "text": article(1, 100)}, {"text": article(3, 99)}])
        assert [one.id for one in answers] == ["x", "#1"]
        assert [(one.place, "id is " in one.reason) for one in answers.bad] == [(1, True)]
        with pytest.raises(qc.InputError, match="the document cannot be used: id is"):
            index.add({"id": wrong, "text": article(1, 100)})
        assert len(index) == 1


def test_an_id_within_an_object_is_named_by_what_the_refusal_says(command, tmp_path, jsonl, article):
    path = jsonl("in.jsonl", [{"id": {"$oid": "5f"}, "text": article(1, 100)}])
    command("index", "create", tmp_path / "seen", "-q")
    name = re.search(
        r"create the index with the id (\S+), which", command("index", "add", tmp_path / "seen", path).err
    )[1]
    command("index", "create", tmp_path / "again", "--id-key", name, "-q")
    for _ in range(2):
        ran = command("index", "add", tmp_path / "again", path)
    assert "skipped because the id is already in the index  1" in ran.out


def test_a_document_that_is_in_the_index_is_said_to_be_there(command, tmp_path, jsonl, article):
    path, folder = jsonl("in.jsonl", rows(article, None, None)), tmp_path / "seen"
    command("index", "create", folder, "-q")
    command("index", "add", folder, path)
    lines = command("index", "query", folder, path).out.splitlines()
    assert lines[:2] == [f"d{k} is an exact copy of d{k}; already in the index" for k in range(2)]


def test_what_would_expire_is_counted_before(command, tmp_path, jsonl, article):
    folder = tmp_path / "seen"
    command("index", "create", folder, "-q")
    command("index", "add", folder, jsonl("in.jsonl", rows(article, "2001-03-01", "2002-03-01", "2999-01-01")))
    moment = r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC"
    ran = command("index", "expire", folder, "--older-than", "3m", "--dry-run", "-q")
    assert re.fullmatch(rf"2 documents dated before {moment} would be deleted\n", ran.out)
    with qc.Index(folder) as index:
        assert (len(index), index.expire("3m", dry_run=True)) == (3, 2)
    assert re.fullmatch(
        rf"deleted 2 documents dated before {moment}\n", command("index", "expire", folder, "--older-than", "3m").out
    )
    assert re.match("0 documents", command("index", "expire", folder, "--older-than", "3m", "--dry-run").out)
    assert "m (minutes)" in " ".join(command("index", "expire", "--help").out.split())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_age_of_nothing_is_refused_and_says_how_to_delete_all(
    command, tmp_path, jsonl, article, monkeypatch, language
):
    monkeypatch.setenv("QUCHONG_LANG", language)
    folder = tmp_path / "seen"
    command("index", "create", folder, "-q")
    command("index", "add", folder, jsonl("in.jsonl", rows(article, "2001-03-01", "2999-01-01")))
    for age in ("0d", "0.0h", "0天"):
        for words in ((), ("--dry-run",)):
            told = command("index", "expire", folder, "--older-than", age, *words)
            assert told.code == 2 and told.line.endswith("--older-than 1s")
            assert ("确实要清空" if language == "zh" else "would delete all documents") in told.line
    with qc.Index(folder) as index:
        with pytest.raises(qc.UsageError, match="older_than='0d'"):
            index.expire("0d")
        assert (len(index), index.expire("1s"), index.ids()) == (2, 1, ["d1"])

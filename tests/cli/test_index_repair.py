"""Covers: `quchong index repair` and what other commands say of an index without its settings, its catalogue or its contents.

Run: pytest tests/cli/test_index_repair.py.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import quchong as qc

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repair") / "news"
    with qc.Index.create(folder) as made:
        made.add(EXAMPLES / "news.jsonl")
    return folder


@pytest.fixture
def seen(news, tmp_path):
    return shutil.copytree(news, tmp_path / "seen")


def test_the_exit_code_is_5_if_documents_are_lost_and_0_if_not(command, seen):
    (seen / "g000001" / "statistics").unlink()
    ran = command("index", "repair", seen)
    assert ran.code == 0 and "nothing is lost" in ran.out and "undamaged: 104 documents" in ran.out
    catalogue = seen / "g000002" / "catalogue.sqlite"
    catalogue.write_bytes(catalogue.read_bytes()[: int(catalogue.stat().st_size * 0.8)])
    ran = command("index", "repair", seen)
    assert ran.code == 5 and "is repaired, but documents are lost, as listed: add them again" in ran.err
    assert ran.out.count("lost: ") == 1 and "nothing is lost" not in ran.out and "is undamaged" in ran.out
    again = command("index", "add", seen, EXAMPLES / "news.jsonl", "-q")
    assert again.code == 0 and command("index", "repair", seen).out == f"{seen} is undamaged: 104 documents\n"


@pytest.mark.parametrize("what", ["missing", "folder", "link", "empty"])
def test_a_catalogue_that_is_none_needs_a_backup(command, seen, what):
    catalogue = seen / "g000001" / "catalogue.sqlite"
    catalogue.unlink()
    if what == "folder":
        catalogue.mkdir()
    elif what == "link":
        catalogue.symlink_to(EXAMPLES / "news.jsonl")
    elif what == "empty":
        catalogue.touch()
    assert command("index", "verify", seen).code == 5
    ran = command("index", "repair", seen)
    assert ran.code == 5 and "nothing can be saved: restore a backup" in ran.err, ran.err
    assert sorted(one.name for one in seen.iterdir()) == ["g000001", "index.json"]


def test_contents_that_are_missing_need_a_backup(command, seen):
    shutil.rmtree(seen / "g000001")
    ran = command("index", "repair", seen)
    assert ran.code == 5 and "g000001 is missing, so no document can be saved: restore a backup" in ran.err


@pytest.mark.parametrize("content", [None, "{}", "[1]"])
@pytest.mark.parametrize(
    "words", ["index query SEEN POSTS", "index add SEEN POSTS", "index stats SEEN", "index backup SEEN NEW", "dedup POSTS --against SEEN -o NEW"]
)  # fmt: skip
def test_an_index_without_settings_is_damaged_and_repair_mends_it(command, seen, tmp_path, words, content):
    (seen / "index.json").unlink()
    if content is not None:
        (seen / "index.json").write_text(content)
    places = {"SEEN": seen, "POSTS": EXAMPLES / "posts.jsonl", "NEW": tmp_path / "new"}
    ran = command(*(places.get(word, word) for word in words.split()))
    assert ran.code == 5 and f"quchong index repair {seen}" in ran.err and "make one" not in ran.err, ran.err
    assert not (tmp_path / "new").exists()
    found = command("index", "verify", seen)
    why = "the file of settings is missing" if content is None else "the file does not have settings"
    assert f"index.json: {why}; lost: nothing is lost after a repair, because there is another copy" in found.out
    assert command("index", "repair", seen).code == 0
    (seen / "g000001" / "index.json").unlink()
    assert (
        "g000001/index.json: the file of settings is missing; lost: nothing is lost: the index has another copy"
        in command("index", "verify", seen).out
    )
    assert "Index.create" not in found.out


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    "words",
    [
        "index add OTHER SEEN", "index add OTHER POSTS SEEN", "index query OTHER SEEN", "dedup SEEN -o NEW", "dedup POSTS SEEN -o NEW",
        "statistics SEEN -o NEW", "passages SEEN -o NEW", "decontaminate POSTS --against SEEN -o NEW", "index create NEW --fit SEEN",
    ],
)  # fmt: skip
def test_an_index_is_no_input_of_any_command(command, news, seen, tmp_path, words, named):
    if not named:
        (seen / "index.json").unlink()
    places = {"SEEN": seen, "OTHER": tmp_path / "other", "POSTS": EXAMPLES / "posts.jsonl", "NEW": tmp_path / "new"}
    assert command("index", "create", tmp_path / "other", "-q").code == 0
    ran = command(*(places.get(word, word) for word in words.split()))
    assert (
        ran.code == 3
        and f"{seen} is an index and cannot be an input: write its documents as a run with" in ran.err
        and ran.err.count("\n") == 1
    ), ran.err
    assert not (tmp_path / "new").exists()
    with qc.Index(tmp_path / "other", read_only=True) as other:
        assert len(other) == 0, "nothing was added before"


@pytest.mark.parametrize(
    "words",
    [
        "dedup POSTS -o SEEN/sub", "dedup POSTS -o SEEN/g000001/sub", "statistics POSTS -o SEEN/sub", "passages POSTS -o SEEN/sub",
        "decontaminate POSTS --against POSTS2 -o SEEN/sub", "report RUN -o SEEN/a.html", "index export OTHER -o SEEN/sub",
        "index backup OTHER SEEN/sub", "index create SEEN/sub", "dedup POSTS -o NEW --work SEEN/work",
    ],
)  # fmt: skip
def test_no_command_writes_into_an_index(command, seen, tmp_path, words):
    posts = shutil.copy(EXAMPLES / "posts.jsonl", tmp_path / "posts2.jsonl")
    places = {
        "POSTS": EXAMPLES / "posts.jsonl",
        "POSTS2": posts,
        "OTHER": tmp_path / "other",
        "RUN": tmp_path / "run",
        "NEW": tmp_path / "new",
    }
    assert command("index", "create", tmp_path / "other", "-q").code == 0
    assert command("dedup", EXAMPLES / "posts.jsonl", "-o", tmp_path / "run", "-q").code == 0
    before = sorted(one.name for one in seen.rglob("*"))
    ran = command(*(places.get(word, word.replace("SEEN", str(seen))) for word in words.split()))
    assert ran.code == 4 and f"is inside the index {seen}: name another place" in ran.err, ran.err
    assert sorted(one.name for one in seen.rglob("*")) == before


@pytest.mark.parametrize("words", ["explain RUN n003", "verify RUN"])
def test_texts_of_an_index_that_a_run_was_compared_with_are_said_to_be_there(command, seen, tmp_path, words):
    run = tmp_path / "run"
    assert command("dedup", EXAMPLES / "news.jsonl", "--against", seen, "-o", run, "-q").code == 0
    ran = command(*(run if word == "RUN" else word for word in words.split()))
    assert "seen is the copy of an index that the run was compared with" in ran.err, ran.err
    assert "quchong index export" in ran.err and "no longer exists" not in ran.err

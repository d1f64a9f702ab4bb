"""Covers: commands of an index in PostgreSQL: the lines, figures and exit codes of one in a folder, and clear refusals; addresses without
passwords; nothing but what is typed is taken as an address.
Compared against: an index in a folder.
Run: pytest tests/cli/test_shared_index_commands.py (a PostgreSQL server is started for some; skipped where none is installed).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import quchong as qc
from quchong.engines.index.shared import sessions
from quchong.engines.index.shared.address import parse_address

NEWS = Path(__file__).parents[2] / "examples" / "news.jsonl"


def test_commands_say_what_they_say_of_a_folder(tmp_path, postgres, command):
    def call(*argv):
        ran = command(*argv)
        assert ran.code == 0, ran
        return ran.out

    places = [tmp_path / "seen", postgres.address("commands")]
    for place in places:
        assert "has 0 documents" in call("index", "create", place)
    one, other = (call("index", "add", place, NEWS) for place in places)
    assert one == other and "n003 is an exact copy of n002; removed" in one
    one, other = (call("index", "query", place, NEWS, "--json") for place in places)
    assert one == other and json.loads(one.splitlines()[0])["matches"]
    assert [call("index", "delete", place, "n005", "n006") for place in places] == ["deleted 2 documents\n"] * 2
    one, other = (json.loads(call("index", "stats", place, "--json")) for place in places)
    assert [(told["documents"], told["kept"], told["pairs"], told["deleted"]) for told in (one, other)].count(
        (one["documents"], one["kept"], one["pairs"], one["deleted"])
    ) == 2
    assert all(size > 0 for size in other["bytes"].values())
    assert "bytes a document" in call("index", "compact", places[1])
    assert "deleted 0 documents" in call("index", "expire", places[1], "--older-than", "9999d")
    call("index", "export", places[1], "-o", tmp_path / "run")
    assert "removed" in call("dedup", NEWS, "--against", tmp_path / "run", "-o", tmp_path / "out")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("verify",), "pg_amcheck"),
        (("repair",), "pg_restore"),
        (("backup", "COPY"), "pg_dump"),
        (("migrate",), "create the index again"),
        (("compact", "--refit"), "export"),
    ],
)
def test_what_the_server_does_is_refused_with_the_reason(tmp_path, postgres, command, asked, said):
    address = postgres.address(f"refused_{asked[0]}")
    qc.Index.create(address).close()
    rest = [tmp_path / "copy" if one == "COPY" else one for one in asked[1:]]
    ran = command("index", asked[0], address, *rest)
    assert ran.code == 2 and said in ran.line and "PostgreSQL" in ran.line
    assert not (tmp_path / "copy").exists()


def test_an_index_is_made_once_and_found_by_its_name_alone(postgres, monkeypatch):
    monkeypatch.setattr(sessions, "PATIENCE", 0)  # a server that went is waited for in tests/faults
    address = postgres.address("once")
    qc.Index.create(address).close()
    with pytest.raises(qc.OutputError, match="already exists: give the new index another name"):
        qc.Index.create(address)
    with pytest.raises(qc.RunError, match="is not an index"):
        qc.Index(postgres.address("never"))
    with pytest.raises(qc.RunError, match="cannot be reached"):
        qc.Index(address.replace("/postgres?", "/nobody?"))
    with qc.Index(address, read_only=True) as index, pytest.raises(qc.OutputError, match="reading only"):
        index.add("今天天气很好，我们去公园。")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"shadow": {"threshold": 0.7}}, "shadow"),
        ({"sync": "250ms"}, "each or none"),
        ({"method": "two-stage", "stage1": "bloom"}, "filter"),
    ],
)
def test_settings_that_need_files_are_refused_before_a_server_is_asked(settings, said):
    with pytest.raises(qc.UsageError, match=said):
        qc.Index.create("postgresql://nobody@127.0.0.1:1/none?index=seen", **settings)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://me:secret@host/db?index=seen",
        "postgresql://me:@host/db?index=seen",
        "postgres://me@host/db?index=seen&password=secret",
    ],
)
def test_a_password_is_refused_and_not_repeated(text):
    with pytest.raises(qc.UsageError, match="PGPASSWORD") as told:
        qc.Index(text)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://host/db",
        "postgresql://host/db?index=",
        "postgresql://host/db?index=Seen",
        "postgresql://host/db?index=a;drop",
        "postgresql://host/db?index=a&index=b",
        "postgresql://host/db?index=seen&options=-csearch_path%3Dpublic",
        "postgresql://[host/db?index=seen",
    ],
)
def test_addresses_that_name_no_index_or_change_statements_are_refused(text):
    with pytest.raises(qc.UsageError):
        parse_address(text)


def test_an_address_is_split_into_server_and_index():
    found = parse_address("postgresql://me@db.example:5433/news?sslmode=verify-full&index=seen_2")
    assert (found.index, found.schema) == ("seen_2", "quchong_seen_2")
    assert found.server == "postgresql://me@db.example:5433/news?sslmode=verify-full"


def test_nothing_in_a_folder_is_taken_as_an_address(tmp_path):
    (tmp_path / "seen").mkdir()
    (tmp_path / "seen" / "index.json").write_text(json.dumps("postgresql://host/db?index=seen"))
    with pytest.raises(qc.RunError, match="is not an index"):
        qc.Index(tmp_path / "seen")


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(qc.UsageError, match="psycopg"):
        qc.Index("postgresql://me@host/db?index=seen")

"""Covers: commands that read an index of which a stored text is damaged: exit code 5, and no word of writing.

Run: pytest tests/cli/test_index_damage_commands.py.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quchong.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
NEWS = EXAMPLES / "news.jsonl"
DAMAGES = {"letters": b"\xff\xfe\xfd", "stream": None}


@pytest.fixture(params=DAMAGES)
def damaged(news, tmp_path, request):
    """A copy of the index whose texts are no UTF-8, or no compressed streams."""
    folder = shutil.copytree(news, tmp_path / "seen")
    with closing(sqlite3.connect(folder / "g000001" / "catalogue.sqlite")) as base, base:
        told = DAMAGES[request.param]
        if told is None:
            base.execute("UPDATE documents SET text = zeroblob(length(text)) WHERE marks & 4")
        else:
            base.execute("UPDATE documents SET text = ?, marks = marks & ~4", (told,))
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "index query SEEN NEWS", "index add SEEN COPY", "index export SEEN -o OUT", "index compact --refit SEEN",
        "index create OTHER --from SEEN", "dedup NEWS --against SEEN -o OUT", "report SEEN -o PAGE", "index verify SEEN",
    ],
)  # fmt: skip
def test_every_command_says_that_the_index_is_damaged(command, damaged, tmp_path, words):
    copy = tmp_path / "copy.jsonl"
    copy.write_text(NEWS.read_text("utf-8").replace('"id": "', '"id": "x').replace('"id":"', '"id":"x'), "utf-8")
    made = {"OUT": tmp_path / "out", "PAGE": tmp_path / "a.html", "OTHER": tmp_path / "other"}
    places = {"SEEN": damaged, "NEWS": NEWS, "COPY": copy, **made}
    said = command(*(places.get(word, word) for word in words.split()))
    assert said.code == 5 and f"{damaged} is damaged" in said.err and "verify" in said.err + words, said.err
    assert "writ" not in said.err and "Traceback" not in said.err
    assert not any(place.exists() for place in made.values())


def test_an_error_without_a_number_is_not_blamed_on_standard_output(monkeypatch, capsys):
    """A library that cannot read what it was given raises an OSError too."""

    def broken(*_, **__):
        raise OSError("ZSTD decompression failed")

    monkeypatch.setattr("quchong.api.index.Index.__init__", broken)
    monkeypatch.setattr("sys.argv", ["quchong", "index", "stats", str(EXAMPLES)])
    monkeypatch.setattr("quchong.cli.index_opening.check_is_index", lambda _: None)
    with pytest.raises(SystemExit) as ended:
        main()
    err = capsys.readouterr().err
    assert ended.value.code == 1 and "ZSTD decompression failed" in err and "standard output" not in err


def test_an_error_without_a_number_is_not_blamed_on_the_output(tmp_path):
    from quchong.outputs import staged_file

    with pytest.raises(OSError, match="ZSTD decompression failed"), staged_file(tmp_path / "a") as place:
        place.write_text("half")
        raise OSError("ZSTD decompression failed")
    assert list(tmp_path.iterdir()) == []

"""Covers: an index in which a byte of a stored text is another one: each reader says that the index is damaged, or answers rightly.

Run: pytest tests/promises/test_index_damaged_texts.py (a PostgreSQL server is started for one test; skipped where none is installed).
"""

from __future__ import annotations

import pickle
import random
import shutil

import pytest
from index_records import records

import quchong as qc
from quchong.api.index_explanation import explain_indexed
from quchong.api.index_inspection import inspect_indexed
from quchong.engines.index.document_store import COMPRESSED, DamagedRow, Row, damaged_document
from quchong.engines.index.stored_texts import original_text
from quchong.errors import RunError
from quchong.serve.problems import problem_of

LONG = "".join(chr(0x4E00 + k * 37 % 500) for k in range(400))
FLIPS = 4
"""Bytes changed, one at a time, of texts that are stored as they are, and of compressed ones."""


def made_records(seed):
    """Records whose texts are stored as they are, and long ones that are stored compressed."""
    made = [one for one in records(seed, families=1) if one["text"]]
    return made + [{**made[0], "id": f"long{k}", "text": LONG[k * 7 :] + "尾" * k} for k in range(4)]


ROWS = made_records(5)
NEW = [{**one, "id": f"new {one['id']}"} for one in ROWS[::5]]


def described(answers):
    """Answers as JSON values, without ids that were given by order of arrival."""
    return [one.as_dict() for one in answers]


def fresh(place):
    shutil.rmtree(place, ignore_errors=True)
    return place


def ledger(run):
    return qc.load(run).ledger.to_pylist()


READERS = {
    "query": lambda index, _: described(index.query(NEW, passages=True)),
    "text": lambda index, _: [index.text(id) for id in index.ids()],
    "explain": lambda index, _: [str(explain_indexed(index, id)) for id in index.ids()[::7]],
    "inspect": lambda index, _: [str(inspect_indexed(index, [("it", id, "")])) for id in index.ids()[::9]],
    "export": lambda index, place: ledger(index.export(fresh(place / "out"))),
    "against": lambda index, place: qc.dedup(NEW, against=index.folder, recall_sample=0).ledger.to_pylist(),
    "move": lambda index, place: qc.Index.create(fresh(place / "other"), from_run=index.folder).close(),
    "stats": lambda index, _: index.stats().documents,
    "add": lambda index, _: described(index.add(NEW)),
    "compact": lambda index, _: index.compact().documents,
    "refit": lambda index, _: index.compact(refit=True).documents,
    "delete": lambda index, _: index.delete(index.ids()[::3]),
}
"""What reads an index: each returns what must be the same as of the whole index."""
WRITERS = ("add", "compact", "refit", "delete")


def outcome(folder, name, place):
    """What a reader answers of an index, or the error by which it says that this is damaged."""
    try:
        with qc.Index(folder, read_only=name not in WRITERS) as index:
            return READERS[name](index, place)
    except RunError as error:
        assert str(folder) in str(error) and "quchong index verify" in str(error), str(error)
        return error


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An index, and what each reader answers of it."""
    place = tmp_path_factory.mktemp("whole")
    with qc.Index.create(place / "seen") as index:
        index.add(ROWS)
    answers = {}
    for name in READERS:
        answers[name] = outcome(shutil.copytree(place / "seen", place / name), name, place)
        assert not isinstance(answers[name], RunError)
    return place / "seen", answers


def places_of_texts(folder, draw):
    """Offsets in the file of a catalogue at which bytes of texts are: some of texts as they are, and some of compressed ones."""
    data = (folder / "g000001" / "catalogue.sqlite").read_bytes()
    with qc.Index(folder, read_only=True) as index:
        rows = [row for rows in index._open.catalogue.all_documents() for row in rows]
    found = {False: [], True: []}
    for row in rows:
        at = data.find(row.text)
        if at >= 0 and len(row.text) > 8:
            found[bool(row.marks & COMPRESSED)] += range(at, at + len(row.text))
    return [at for some in found.values() for at in draw.sample(some, FLIPS)]


def test_a_byte_of_a_text_is_another_one(whole, tmp_path):
    folder, answers = whole
    draw = random.Random(11)
    damaged = 0
    for at in places_of_texts(folder, draw):
        turned = draw.randrange(1, 256)
        for name in READERS:
            copy = shutil.copytree(folder, fresh(tmp_path / "seen"))
            catalogue = copy / "g000001" / "catalogue.sqlite"
            data = bytearray(catalogue.read_bytes())
            data[at] ^= turned
            catalogue.write_bytes(data)
            assert name != "query" or qc.Index.verify_folder(copy)
            found = outcome(copy, name, tmp_path)
            assert isinstance(found, RunError) or found == answers[name], (at, turned, name)
            damaged += isinstance(found, RunError)
            if name in ("text", "export", "against", "move", "refit"):  # these read every text
                assert isinstance(found, RunError) and "does not match its stored checksum" in str(found), (
                    at,
                    turned,
                    name,
                )
    assert damaged >= 2 * FLIPS * 5


@pytest.mark.parametrize("store", ["features", "none"])
def test_what_an_index_without_texts_keeps_is_checked_too(tmp_path, store):
    """Its readers read stored tokens, or the keys of the newest documents, which are in no segment yet."""
    edited = [{**one, "text": f"{one['text'][:-2]}改"} for one in NEW]
    table, column = ("documents", "text") if store == "features" else ("keys", "represented")
    with qc.Index.create(tmp_path / "seen", method="minhash", store=store) as index:
        index.add(ROWS)
        with index._open.catalogue.transaction() as writer:
            for number, stored in writer.execute(f"SELECT number, {column} FROM {table}").fetchall():
                turned = stored[:-1] + bytes([stored[-1] ^ 1])
                writer.execute(f"UPDATE {table} SET {column} = ? WHERE number = ?", (turned, number))
        said = r"seen is damaged: document \d+ does not match its stored checksum; see quchong index"
        with pytest.raises(RunError, match=said), qc.Index(tmp_path / "seen", read_only=True) as reading:
            reading.query(edited)


@pytest.mark.parametrize("marks", [0, COMPRESSED])
def test_a_forged_text_is_damage_too(marks):
    """Its sum is that of the bytes, which are no text."""
    row = Row(3, "a", 0, 0, 0, 3, 3, 1, 1, marks, None, 0.0, 0, None, None, None, "{}", 40, b"\xff\xfe\xfd").summed()
    with pytest.raises(DamagedRow, match="document 3 does not match its stored checksum"):
        original_text(row)
    assert pickle.loads(pickle.dumps(damaged_document(3))).args == damaged_document(3).args


def test_damaged_differences_are_told_when_they_are_looked_at(tmp_path):
    with qc.Index.create(tmp_path / "seen") as index:
        index.add(ROWS)
        with index._open.catalogue.transaction() as writer:
            writer.execute("UPDATE pairs SET differences = substr(differences, 1, length(differences) - 3)")
        with pytest.raises(RunError, match=r"is damaged: the stored differences of a pair are damaged"):
            for id in index.ids():
                described([index.matches(id)])


def test_an_index_in_a_database_is_checked_too(postgres):
    address = postgres.address("damaged_texts")
    with qc.Index.create(address) as index:
        index.add(ROWS)
        with index._open.catalogue.transaction() as writer:
            writer.execute("UPDATE documents SET text = ? WHERE number = ?", (b"\xff\xfe", 0))
        with pytest.raises(RunError, match="is damaged: document 0 does not match its stored checksum"):
            index.text(index.ids()[0])


def test_the_service_tells_damage_as_damage():
    assert "the index cannot be read" in str(problem_of(damaged_document(3)).as_dict("1"))

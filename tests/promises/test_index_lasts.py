"""Covers: an index is verified, repaired, copied while in use and brought to this format; several threads ask while one writes; a
stranger's folder leads nowhere.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from index_records import pairs_of_index, records

import quchong as qc
from quchong.engines.index import stored as stored_module
from quchong.engines.index.settings import _sum_of

SAMPLES = Path(__file__).parents[1] / "samples"
BASE = "g000001/catalogue.sqlite"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An index with two segments, a tail, copies, relations and deleted documents."""
    folder = tmp_path_factory.mktemp("whole") / "seen"
    some = records(21)
    with qc.Index.create(folder, method="hybrid", sync="none") as index:
        for part in (some[:20], some[20:24]):
            index.add(part)
            index._open.postings.seal()
            index._open._list_segments(index._open.postings)
        index.delete([some[1]["id"], some[22]["id"]])
        index.add(some[24:])
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "seen")
    return tmp_path / "seen"


def contents(folder):
    with qc.Index(folder, read_only=True) as index:
        return {id: index.text(id) for id in index.ids()}, pairs_of_index(index)


def listing(folder):
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in sorted(folder.rglob("*"))}


def change(folder, sql, *values):
    with closing(sqlite3.connect(folder / BASE)) as base, base:
        base.execute(sql, values)


# Damage.


def test_a_whole_index_has_no_problems_and_is_not_changed(folder):
    before = listing(folder)
    assert qc.Index.verify_folder(folder) == []
    assert qc.Index.repair_folder(folder) == []
    assert listing(folder) == before
    with qc.Index(folder) as index:
        assert index.verify() == index.repair() == []
        assert len(index) == len(index.ids()) > 40


def test_a_damaged_segment_is_named_and_made_anew(folder, whole):
    path = min((folder / "g000001").glob("*.segment"))
    data = bytearray(path.read_bytes())
    data[200] ^= 4
    path.write_bytes(data)
    found = qc.Index.verify_folder(folder)
    assert [one.file for one in found] == [f"g000001/{path.name}"]
    assert re.fullmatch(r"copies of documents 0 to \d+", str(found[0].lost))
    told = qc.Index.repair_folder(folder)
    assert [(one.file, one.reason) for one in told[:-1]] == [(one.file, one.reason) for one in found]
    assert told[-1].file == "g000001" and not any(one.lost for one in told), "all is made anew"
    assert (folder / "g000001" / path.name).read_bytes() == data  # kept aside
    assert qc.Index.verify_folder(folder) == []
    assert contents(folder) == contents(whole)


def test_a_missing_segment_a_column_and_statistics_are_made_anew(folder, whole):
    (folder / "g000001" / "statistics").write_bytes(b"")
    sorted((folder / "g000001").glob("*.segment"))[0].unlink()
    column = folder / "g000001" / "size.column"
    data = bytearray(column.read_bytes())
    data[70] ^= 1
    column.write_bytes(data)
    with pytest.raises(qc.RunError, match="see quchong index verify"):
        qc.Index(folder)
    assert len(qc.Index.verify_folder(folder)) == 2  # columns are summed in segments
    qc.Index.repair_folder(folder)
    assert qc.Index.verify_folder(folder) == []
    assert contents(folder) == contents(whole)


def test_a_damaged_column_alone_is_found(folder, whole):
    column = folder / "g000001" / "size.column"
    data = bytearray(column.read_bytes())
    data[70] ^= 1
    column.write_bytes(data)
    assert [one.file for one in qc.Index.verify_folder(folder)] == ["g000001/size.column"]
    qc.Index.repair_folder(folder)
    assert qc.Index.verify_folder(folder) == []
    assert contents(folder) == contents(whole)


def test_settings_that_are_damaged_come_from_their_copy(folder, whole):
    path = folder / "index.json"
    path.write_text(path.read_text("utf-8").replace('"longest,earliest"', '"latest"'), "utf-8")
    assert [one.file for one in qc.Index.verify_folder(folder)] == ["index.json"]
    qc.Index.repair_folder(folder)
    assert qc.Index.verify_folder(folder) == []
    assert contents(folder) == contents(whole)
    path.write_text("{", "utf-8")
    (folder / "g000001" / "index.json").write_text("{", "utf-8")
    with pytest.raises(qc.RunError):
        qc.Index.repair_folder(folder)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE documents SET text = X'E5A5BD' WHERE number = 5", "UPDATE documents SET high = high + 1 WHERE number = 5",
        "UPDATE documents SET id = 'other' WHERE number = 5", "DELETE FROM documents WHERE number = 5",
        "UPDATE documents SET state = 1 - state WHERE number = 5", "UPDATE documents SET survivor = 7 WHERE number = 5",
        "UPDATE pairs SET relation = 3 - relation", "UPDATE pairs SET measures = X'00'", "INSERT INTO gone VALUES (5)",
        "UPDATE notes SET value = '[]'",
    ],
)  # fmt: skip
def test_a_changed_value_of_the_catalogue_is_found_and_the_rest_is_kept(folder, whole, sql):
    change(folder, sql)
    found = qc.Index.verify_folder(folder)
    assert {one.file for one in found} == {BASE}
    told = qc.Index.repair_folder(folder)
    assert qc.Index.verify_folder(folder) == []
    texts, pairs = contents(folder)
    there, known = contents(whole)
    assert texts.items() <= there.items() and len(texts) >= len(there) - 1
    lost = set(there) - set(texts)
    assert pairs == {ends: told for ends, told in known.items() if not lost & set(ends)}
    assert bool(lost) == ("number = 5" in sql and "state" not in sql and "survivor" not in sql)
    assert not lost or "5" in told[-2].reason


@pytest.mark.parametrize("pages", [[0], [1, 2], [5], range(3, 40, 3)])
def test_destroyed_pages_cost_the_documents_on_them_alone(folder, whole, pages):
    with qc.Index(folder) as index:
        index.add([{"id": f"long{k}", "text": os.urandom(600).hex()} for k in range(60)])
    there = contents(folder)[0]
    path = folder / BASE
    data = bytearray(path.read_bytes())
    for page in pages:
        data[page << 14 : (page + 1) << 14] = bytes(len(data[page << 14 : (page + 1) << 14]))
    path.write_bytes(data)
    assert qc.Index.verify_folder(folder)
    try:
        told = qc.Index.repair_folder(folder)
    except qc.RunError:
        assert 1 in pages or len(pages) > 3  # the root of all documents
        return
    assert told[-1].file == "g000001"
    assert qc.Index.verify_folder(folder) == []
    texts = contents(folder)[0]
    assert texts.items() <= there.items()
    assert list(pages) != [0] or texts == there


# Copies.


def test_a_copy_made_while_documents_come_is_an_index_of_one_moment(folder, tmp_path):
    more = [one | {"id": f"more{k}"} for k, one in enumerate(records(22) * 3)]
    with qc.Index(folder) as index:
        before = index.ids()
        failed = []

        def adds():
            try:
                for one in more:
                    index.add(one)
                    if one["id"].endswith("0"):
                        index._open.tidy()
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=adds)
        thread.start()
        for k in range(4):
            index.backup(tmp_path / f"copy{k}")
        thread.join()
        assert not failed
        after = index.ids()
        with pytest.raises(qc.OutputError, match="already exists: an index can be copied only to a new folder"):
            index.backup(tmp_path / "copy0")
    for k in range(4):
        assert qc.Index.verify_folder(tmp_path / f"copy{k}") == []
        with qc.Index(tmp_path / f"copy{k}") as copy:
            assert copy.ids() == after[: len(copy)] and len(copy) >= len(before)
            copy.add({"id": "of the copy alone", "text": "一句只在副本里的话。"})


def test_a_copy_that_cannot_be_made_leaves_nothing(folder, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with qc.Index(folder, read_only=True) as index:
        monkeypatch.setattr("quchong.engines.index.copying.copy_files", full)
        with pytest.raises(qc.OutputError, match="No space left"):
            index.backup(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


# Formats.


def test_an_index_of_format_1_opens_and_is_left_as_it_is(tmp_path):
    shutil.copytree(SAMPLES / "index-1", tmp_path / "seen")
    before = listing(tmp_path / "seen")
    assert qc.Index.migrate(tmp_path / "seen") == "1"
    assert qc.Index.verify_folder(tmp_path / "seen") == []
    with qc.Index(tmp_path / "seen", read_only=True) as index:
        assert index.ids() == ["a1", "a2", "a3", "b1", 7]
        assert index.query("市政府周一宣布，地铁四号线将于三月通车，全线共有二十座车站。").matches[0].id == "a1"
        assert index.matches("a2").matches[0].id in ("a1", "a3")
    assert listing(tmp_path / "seen") == before


def test_an_index_of_a_later_format_is_refused(folder):
    path = folder / "index.json"
    told = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(told | {"format": 2}), "utf-8")
    before = listing(folder)
    for call in (qc.Index, qc.Index.migrate, qc.Index.verify_folder, qc.Index.repair_folder):
        with pytest.raises(qc.RunError, match="later version"):
            call(folder)
    assert listing(folder) == before


def test_a_folder_that_is_no_index_is_refused(tmp_path):
    for call in (qc.Index, qc.Index.migrate, qc.Index.verify_folder, qc.Index.repair_folder):
        with pytest.raises(qc.RunError, match="is not an index"):
            call(tmp_path)
        with pytest.raises(qc.RunError, match="is not an index"):
            call(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []


# Folders of strangers.


@pytest.mark.skipif(sys.platform == "win32", reason="links")
@pytest.mark.parametrize(
    "name", ["index.json", "g000001", BASE, "g000001/statistics", "g000001/size.column", "segment"]
)
def test_a_link_in_an_index_is_not_followed(folder, tmp_path, name):
    path = min((folder / "g000001").glob("*.segment")) if name == "segment" else folder / name
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    before = listing(tmp_path)
    with pytest.raises(qc.RunError):
        qc.Index(folder, read_only=True)
    if name == "index.json":
        with pytest.raises(qc.RunError):
            qc.Index.verify_folder(folder) and qc.Index.repair_folder(tmp_path / "missing")
    else:
        assert qc.Index.verify_folder(folder)
    assert listing(tmp_path) == before


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM pairs; END", "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE more (a)", "CREATE VIRTUAL TABLE f USING fts5(a)", "DROP INDEX by_age", "DROP TABLE gone",
        "ALTER TABLE documents ADD COLUMN more TEXT",
    ],
)  # fmt: skip
def test_a_catalogue_with_other_tables_is_refused(folder, statement):
    change(folder, statement)
    for read_only in (True, False):
        with pytest.raises(qc.RunError, match="does not have the tables of an index"):
            qc.Index(folder, read_only=read_only)
    assert "does not have the tables of an index" in qc.Index.verify_folder(folder)[0].reason


@pytest.mark.parametrize("name", ["../../outside", "/etc/passwd", "a/b", "..", "", 7])
def test_a_segment_outside_of_the_folder_is_refused(folder, name):
    with closing(sqlite3.connect(folder / BASE)) as base, base:
        record = json.loads(base.execute("SELECT record FROM segments").fetchone()[0])
        base.execute("UPDATE segments SET record = ? WHERE place = 0", (json.dumps([name, *record[1:]]),))
    for read_only in (True, False):
        with pytest.raises(qc.RunError, match="lists something other than segments"):
            qc.Index(folder, read_only=read_only)
    assert qc.Index.verify_folder(folder)


@pytest.mark.parametrize("name", ["..", "../seen/g000001", "/tmp", "g000001/", "", None])
def test_a_generation_outside_of_the_folder_is_refused(folder, name):
    path = folder / "index.json"
    told = json.loads(path.read_text("utf-8"))
    del told["sum"]
    told["generation"] = name
    path.write_text(json.dumps(told | {"sum": _sum_of(told)}), "utf-8")
    for call in (qc.Index, lambda folder: qc.Index(folder, read_only=True)):
        with pytest.raises(qc.RunError, match="damaged"):
            call(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
@pytest.mark.parametrize("part", ["", "g000001"])
def test_a_folder_that_others_may_write_is_read_and_not_written(folder, part):
    (folder / part).chmod(0o777)
    with qc.Index(folder, read_only=True) as index:
        assert len(index) > 40
    for call in (qc.Index, *([] if part else [qc.Index.repair_folder])):
        with pytest.raises(qc.OutputError, match=r"but only one user may write an index.*chmod -R go-w") as refused:
            call(folder)
        assert "delete" not in str(refused.value)
    (folder / part).chmod(0o700)
    qc.Index(folder).close()
    for path in (folder / "g000001").iterdir():
        path.chmod(0o444)
    (folder / "g000001").chmod(0o555)
    with qc.Index(folder, read_only=True) as index:
        assert len(index) > 40
    (folder / "g000001").chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="owners and links")
def test_whose_an_index_is_decides_who_writes_it_and_no_document_is_to_be_deleted(folder, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("os.geteuid", lambda: os.getuid() + 1)
        with pytest.raises(qc.OutputError, match=r"belongs to another user.*chown.*quchong index backup") as refused:
            qc.Index(folder)
        assert "delete" not in str(refused.value)
    (folder / "g000001").rename(tmp_path / "elsewhere")
    (folder / "g000001").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(
        qc.OutputError, match=r"g000001 is a link.*replace the link by the folder itself, or use a copy"
    ) as refused:
        qc.Index(folder)
    assert "delete" not in str(refused.value)


# Several at once.


def test_a_reader_beside_a_writer_sees_whole_calls(folder):
    more = [one | {"id": f"more{k}"} for k, one in enumerate(records(23))]
    early = qc.Index(folder, read_only=True)  # before anybody writes
    with qc.Index(folder) as writer, early:
        with pytest.raises(qc.OutputError, match="is already open for writing in this process"):
            qc.Index(folder)
        count = len(writer)
        for k, one in enumerate(more):
            writer.add(one)
            if k % 9 == 4:
                writer._open.tidy()
            if k % 9 == 7:
                writer._open.catalogue.shrink()  # the log goes into the file
            with qc.Index(folder, read_only=True) as late:
                assert len(late) == len(early) == count + k + 1
                assert one["id"] in late
                assert late.text(one["id"]) == one["text"]
                assert k % 20 or pairs_of_index(late) == pairs_of_index(writer)
            assert early.query(more[0]["text"]).matches or not more[0]["text"]
    with qc.Index(folder, read_only=True) as index:
        assert len(index) == count + len(more)
    assert qc.Index.verify_folder(folder) == []


def test_threads_ask_while_one_adds_deletes_and_compacts(folder, monkeypatch):
    monkeypatch.setattr(stored_module, "SEAL_DOCUMENTS", 7)
    more = [one | {"id": f"more{k}"} for k, one in enumerate(records(24) + records(25))]
    known = {one["id"]: one["text"] for one in [*records(21), *more]}
    ended, failed = threading.Event(), []
    with qc.Index(folder) as index:

        def asks(k):
            try:
                while not ended.is_set():
                    text = more[k % len(more)]["text"]
                    answer = index.query({"id": "q", "text": text}, passages=k % 5 == 0)
                    assert all(one.id in known for one in answer.matches)
                    exact = [one for one in answer.matches if one.relation == "exact"]
                    assert all(known[one.id].strip() == text.strip() for one in exact if text.strip())
                    for id in index.ids()[:: 1 + k % 7]:
                        try:
                            assert index.text(id) == known[id]
                            index.matches(id)
                        except qc.UsageError:
                            assert id not in index  # deleted meanwhile
                    k += 1
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=asks, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for k in range(0, len(more), 3):
            index.add(more[k : k + 3])
            if k % 4 == 0:
                assert index.delete(more[k]["id"]) == 1
            if k % 30 == 15:
                index.compact()
        ended.set()
        for thread in threads:
            thread.join()
        assert not failed, failed
        gone = {more[k]["id"] for k in range(0, len(more), 12)}
        assert set(index.ids()) & {one["id"] for one in more} == {one["id"] for one in more} - gone
        assert index.verify() == []

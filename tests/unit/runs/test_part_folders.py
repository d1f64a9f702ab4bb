"""Covers: run folders whose rows and tables are folders of parts, as Spark writes them: opened, decided again, restored, damaged.

Compared against: the run of the local engine that each was made of. No Spark runs here; tests/conformance holds such a folder of
Spark's own to the same. Run: pytest tests/unit/runs/test_part_folders.py.
"""

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import OutputError, RunError
from quchong.outputs import Staging
from quchong.runs.restore import restore
from quchong.tables import FATES

PARTS = 5
_SPARK = {pa.large_string(): pa.string(), pa.uint8(): pa.int64(), pa.uint32(): pa.int64()}
NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"
TABLES = ("ledger", "pairs", "clusters")


def in_parts(run, folder):
    """The folder of a local run as Spark would have written it."""
    folder.mkdir()
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    documents = pq.read_table(run / "documents.parquet")
    part = np.arange(len(documents)) * PARTS // len(documents)
    removed = np.array(documents["removed"].to_pylist())
    suffix = Path(next(iter(manifest["files"].values()))["kept"]).suffix
    for side, mine in (("kept", ~removed), ("removed", removed)):
        (folder / side).mkdir()
        (folder / side / "_SUCCESS").touch()
        places = [run / files[side] for files in manifest["files"].values()]
        if suffix == ".jsonl":
            rows = np.array([line for place in places for line in place.read_bytes().splitlines(keepends=True)], object)
        for number in range(PARTS):
            here, path = part[mine] == number, folder / side / f"part-{number:05d}{suffix}"
            if not here.any() and number:
                continue
            if suffix == ".jsonl":
                path.write_bytes(b"".join(rows[here]))
            else:
                pq.write_table(pq.read_table(places[0]).filter(pa.array(here)), path)
    manifest["files"] = {
        name: {side: f"{side}/*{suffix}" for side in ("kept", "removed")} for name in manifest["files"]
    }
    manifest["parts"] = {}
    for name in (*TABLES, "documents"):
        table = documents if name == "documents" else pq.read_table(run / f"{name}.parquet")
        if name == "documents":
            table = table.append_column("part", pa.array(part, pa.int32()))
            pieces = [table.filter(pa.array(part == number)) for number in range(PARTS)]
        else:
            pieces = [table.slice(7), table.slice(0, 7)]  # in no order
        (folder / f"{name}.parquet").mkdir()
        for number, piece in enumerate(pieces):
            fields = [pa.field(f.name, _SPARK.get(f.type, f.type)) for f in piece.schema]
            pq.write_table(
                piece.cast(pa.schema(fields)), folder / f"{name}.parquet" / f"part-{number:05d}-x.c000.parquet"
            )
        manifest["parts"][f"{name}.parquet"] = len(pieces)
    (folder / "skipped").mkdir()
    shutil.copy(run / "skipped.jsonl", folder / "skipped" / "part-00000.jsonl")
    (folder / "run.json").write_text(json.dumps(manifest, ensure_ascii=False), "utf-8")
    return folder


@pytest.fixture(scope="module", params=["two files", "numbers", "parquet"])
def made(request, tmp_path_factory):
    """The folder of a local run, and the same in parts."""
    place = tmp_path_factory.mktemp("runs")
    rows = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    if request.param == "two files":
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        lines[30:30] = ["", '{"id": "bad", "text": 7}']
        (place / "a.jsonl").write_text("\n".join([*lines[:61], ""]), "utf-8")
        (place / "b.jsonl").write_text("\n".join([*lines[61:], ""]), "utf-8")
        (place / "none.jsonl").touch()
        result = qc.dedup([place / "a.jsonl", place / "none.jsonl", place / "b.jsonl"], recall_sample=0)
    else:
        rows = [row | {"id": 7 * i} for i, row in enumerate(rows)]
        if request.param == "parquet":
            pq.write_table(pa.Table.from_pylist(rows), place / "in.parquet")
        else:
            (place / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        result = qc.dedup(place / ("in.parquet" if request.param == "parquet" else "in.jsonl"), recall_sample=0)
    run = result.save(place / "run")
    return run, in_parts(run, place / "parts")


@pytest.fixture
def both(made, tmp_path):
    """Such folders to change."""
    return [shutil.copytree(one, tmp_path / one.name) for one in made]


def rows_in(folder, side):
    """All rows of a side, one file after the other: lines, or rows of Parquet."""
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    names = dict.fromkeys(files[side] for files in manifest["files"].values())
    found = []
    for path in [path for name in names for path in sorted(folder.glob(name))]:
        found += path.read_bytes().splitlines() if path.suffix == ".jsonl" else pq.read_table(path).to_pylist()
    return found


def same(mine, theirs):
    for name in (*TABLES, "kept", "removed"):
        assert getattr(mine, name).equals(getattr(theirs, name)), name
    assert mine.documents.select(FATES.names).equals(theirs.documents)


def test_it_opens_like_the_run_it_was_made_of(made):
    theirs, mine = (qc.load(one) for one in made)
    same(mine, theirs)
    assert mine.skipped == theirs.skipped and mine.counts == theirs.counts
    ids = theirs.documents["id"].to_pylist()
    assert mine.texts(ids) == theirs.texts(ids) and None not in mine.texts(ids)
    for gone in theirs.ledger["id"].to_pylist()[:5]:
        assert mine.explain(gone) == theirs.explain(gone) and mine.explain(gone).text
    if theirs.skipped:
        assert mine.explain("bad") == theirs.explain("bad")
    assert mine.compare(ids[0], ids[50]) == theirs.compare(ids[0], ids[50])


def test_it_is_decided_again_and_saved(made, tmp_path):
    theirs, mine = (qc.load(one).rethreshold(0.95, 0.99) for one in made)
    same(mine, theirs)
    assert len(theirs.ledger) != len(qc.load(made[0]).ledger)
    for one, name in ((theirs, "theirs"), (mine, "mine")):
        one.save(tmp_path / name)
    assert rows_in(tmp_path / "mine", "kept") == rows_in(tmp_path / "theirs", "kept")
    assert rows_in(tmp_path / "mine", "removed") == rows_in(tmp_path / "theirs", "removed")
    copy = qc.load(qc.load(made[1]).save(tmp_path / "copy"))
    same(copy, qc.load(made[0]))


def test_its_kept_rows_are_a_corpus(made):
    assert [len(qc.dedup(one, recall_sample=0).kept) for one in made] == [len(qc.load(made[0]).kept)] * 2


def test_rows_are_put_back_and_only_their_parts_are_written_anew(both):
    theirs, mine = (qc.load(one) for one in both)
    before = {path: path.stat().st_ino for path in both[1].rglob("part-*")}
    checksum = both[1] / "removed" / ".part-00000.jsonl.crc"
    checksum.touch()
    part = dict(zip(mine.documents["id"].to_pylist(), mine.documents["part"].to_pylist(), strict=True))
    gone = [one for one in theirs.ledger["id"].to_pylist() if part[one] == 0][:2]
    for one in (theirs, mine):
        assert list(one.restore(gone).ids) == gone
    same(mine, theirs)
    same(qc.load(both[1]), qc.load(both[0]))
    assert mine.documents.to_pylist()[mine.documents["id"].to_pylist().index(gone[0])]["policy"] == "restored"
    for side in ("kept", "removed"):
        assert rows_in(both[1], side) == rows_in(both[0], side)
    changed = {path.relative_to(both[1]).as_posix() for path, inode in before.items() if path.stat().st_ino != inode}
    assert {path for path in changed if path.startswith(("kept", "removed", "documents"))} == {
        path.relative_to(both[1]).as_posix()
        for name in ("kept", "removed", "documents.parquet") for path in (both[1] / name).glob("part-00000*")
    }  # fmt: skip
    if theirs.manifest["files"] != {} and both[0].joinpath("kept").exists():
        assert not checksum.exists()
    for one in (theirs, mine):
        one.restore(everything=True)
    same(mine, theirs)
    assert rows_in(both[1], "removed") == [] and len(rows_in(both[1], "kept")) == len(mine.documents)


def test_a_part_without_kept_rows_gets_some(both):
    run = both[1]
    number = 3
    mine = qc.load(run)
    here = [
        i
        for i, part in zip(mine.documents["id"].to_pylist(), mine.documents["part"].to_pylist(), strict=True)
        if part == number
    ]
    documents = run / "documents.parquet" / f"part-{number:05d}-x.c000.parquet"
    table = pq.read_table(documents)
    place = table.schema.get_field_index("removed")
    assert 0 < sum(table["removed"].to_pylist()) < len(table)
    (kept,), (removed,) = (list((run / side).glob(f"part-{number:05d}.*")) for side in ("kept", "removed"))
    # as if all rows of the part had been removed
    if kept.suffix == ".jsonl":
        rows = {json.loads(line)["id"]: line for path in (kept, removed) for line in path.read_bytes().splitlines(True)}
        removed.write_bytes(b"".join(rows[i] for i in here))
    else:
        whole = pa.concat_tables([pq.read_table(kept), pq.read_table(removed)])
        order = [whole["id"].to_pylist().index(i) for i in here]
        pq.write_table(whole.take(pa.array(order)), removed)
    kept.unlink()
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array([True] * len(table))), documents)
    back = [i for i in qc.load(run).ledger["id"].to_pylist() if i in here][:1]
    assert len(qc.load(run).kept) and qc.load(run).restore(back).files == {f"kept/{kept.name}": 1}
    assert [row["id"] for row in qc.load(run).kept.to_pylist() if row["id"] in here] == back
    assert kept.is_file()


def test_a_restore_that_was_stopped_is_finished_by_the_next_one(both, monkeypatch):
    theirs, mine = (qc.load(one) for one in both)

    def stopped(self):
        raise OSError(28, "No space left on device")

    gone = theirs.ledger["id"].to_pylist()[:3]
    with monkeypatch.context() as patch:
        patch.setattr(Staging, "finish", stopped)
        with pytest.raises(OutputError, match="make the folder writable, then put the rows back with: quchong restore"):
            mine.restore(gone)
    with pytest.raises(RunError, match="finish it with: quchong restore"):
        qc.load(both[1])
    restore(both[1])
    theirs.restore(gone)
    same(qc.load(both[1]), theirs)
    assert rows_in(both[1], "kept") == rows_in(both[0], "kept")


@pytest.mark.parametrize("name", ["kept", "removed", "ledger.parquet", "pairs.parquet", "documents.parquet"])
def test_a_part_that_is_missing_is_told(both, name):
    lost = sorted((both[1] / name).glob("part-*"))[1]
    lost.unlink()
    with pytest.raises(RunError, match=r"no longer exists|parts?, but the run wrote"):
        found = qc.load(both[1])
        getattr(found, name)
    with pytest.raises(RunError):
        qc.load(both[1]).restore(everything=True)
    with pytest.raises(RunError):
        qc.load(both[1]).rethreshold(0.9)


def test_a_run_on_a_file_system_without_its_library_says_so():
    with pytest.raises(
        RunError, match=r"oss://bucket/runs/news: .*install the library that fsspec needs for this address"
    ):
        qc.load("oss://bucket/runs/news")


@pytest.mark.parametrize("part", [pa.array(["../../x"]), pa.array([None], pa.int32())], ids=["no number", "null"])
def test_a_part_of_another_name_is_refused(both, part):
    path = sorted((both[1] / "documents.parquet").glob("part-*"))[0]
    table = pq.read_table(path)
    place = table.schema.get_field_index("part")
    pq.write_table(table.set_column(place, "part", pa.concat_arrays([part] * len(table))), path)
    with pytest.raises(RunError, match="column 'part' does not contain part numbers"):
        qc.load(both[1])


@pytest.mark.parametrize("name", ["kept", "clusters.parquet", "documents.parquet"])
def test_a_part_that_is_damaged_is_told(both, name):
    path = sorted((both[1] / name).glob("part-*"))[1]
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(RunError, match=path.name.split("-x")[0]):
        assert qc.load(both[1]).kept

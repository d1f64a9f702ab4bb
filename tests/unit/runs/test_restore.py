"""Rows put back: where they stood, byte for byte, and all of it or nothing."""

from __future__ import annotations

import json
import os
import random
import shutil

import forked
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import quchong as qc
from quchong.cli.restore import command
from quchong.errors import OutputError, RunError, UsageError
from quchong.io import open_inputs
from quchong.outputs import Staging
from quchong.outputs.staging import COMMIT, OWNER
from quchong.runs.restore import recover, restore

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def article(seed, size=120):
    rng = random.Random(seed)
    return "".join(rng.choice(HAN) for _ in range(size))


def rows(groups=6):
    """Each group: a text, an exact copy with other marks, a piece of it, in every other one a longer version."""
    out = []
    for g in range(groups):
        text = article(g)
        texts = {"a": text, "exact": f"{text[:50]}，{text[50:]}", "part": text[:50]}
        if g % 2:
            texts["near"] = text[:60] + "增补数字" + text[60:]
        for kind, one in texts.items():
            out.append({"id": f"{kind}{g}", "text": one, "title": f'标题 "{g}", {kind}\n第二行'})
    random.Random(7).shuffle(out)
    return out


def staged(folder):
    """What a restore that was stopped left in a run folder."""
    return list(folder.glob(".restore*"))


def tables(folder):
    return {n: pq.read_table(folder / f"{n}.parquet") for n in ("ledger", "clusters", "documents", "pairs")}


def state(folder):
    """Every file of a run folder but the times in run.json."""
    out = {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    manifest = json.loads(out["run.json"])
    manifest["restored"] = [{"ids": one["ids"]} for one in manifest.get("restored", [])]
    return out | {"run.json": manifest}


def jsonl(items):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in items).encode()


def cells(items, sign=","):
    def cell(value):
        return '"' + value.replace('"', '""') + '"'

    return "".join(sign.join(map(cell, row)) + "\n" for row in [["id", "text", "title"], *(r.values() for r in items)])


def make(folder, kind):
    """An input of a kind; the path to give to dedup."""
    items, path = rows(), folder / f"in.{kind}"
    table = pa.Table.from_pylist(items).append_column("sort", pa.array([r["id"][0] for r in items]).dictionary_encode())
    table = table.replace_schema_metadata({"note": "kept"})
    if kind == "txt":
        path = folder / "pages"
        for row in items:
            (path / row["id"][-1]).mkdir(parents=True, exist_ok=True)
            (path / row["id"][-1] / f"{row['id']}.txt").write_text(row["text"], encoding="utf-8")
    elif kind == "parquet":
        pq.write_table(table, path, row_group_size=5, compression="gzip")
    elif kind == "feather":
        feather.write_feather(table, str(path), chunksize=5)
    elif kind in ("arrow", "ipc"):
        new = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
        with new(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=5)
    elif kind in ("csv", "tsv"):
        path.write_text(cells(items, "\t" if kind == "tsv" else ","), encoding="utf-8")
    elif kind == "odd.jsonl":  # byte order mark, blank and bad lines, CRLF, no last line feed
        lines = jsonl(items).splitlines()
        lines[3:3] = [b"", b"{broken", b"  "]
        path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    else:
        codec = {"gz": "gzip", "zst": "zstd", "bz2": "bz2"}.get(kind.split(".")[-1])
        with pa.output_stream(str(path), compression=codec) as file:
            file.write(jsonl(items))
    return path


def split_again(path, folder, out):
    """What a run would have written that removed what the documents of `folder` say."""
    documents = pq.read_table(folder / "documents.parquet")
    skipped = [json.loads(line)["row"] for line in (folder / "skipped.jsonl").read_text(encoding="utf-8").splitlines()]
    fate = np.full(len(documents) + len(skipped), 2, np.uint8)
    fate[documents["row"].to_numpy()] = documents["removed"].to_numpy()
    (source,) = open_inputs([path])
    source.split(fate, out / f"kept{source.suffix}", out / f"removed{source.suffix}")
    return f"kept{source.suffix}", f"removed{source.suffix}"


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path)
    if path.suffix in (".arrow", ".ipc", ".feather"):
        with pa.OSFile(str(path)) as file:
            return (pa.ipc.open_stream if path.suffix == ".ipc" else pa.ipc.open_file)(file).read_all()
    return path.read_bytes()


LINES = ["jsonl", "odd.jsonl", "jsonl.gz", "jsonl.zst", "jsonl.bz2", "csv", "tsv", "txt"]


@pytest.mark.parametrize("kind", [*LINES, "parquet", "arrow", "ipc", "feather"])
def test_rows_go_back_to_their_place(tmp_path, kind):
    path = make(tmp_path, kind)
    run = qc.dedup(path, recall_sample=0).save(tmp_path / "run")
    ids = pq.read_table(run / "ledger.parquet")["id"].to_pylist()
    assert len(ids) >= 12
    for chosen, everything in ((ids[::3], False), ((), True)):
        done = restore(run, chosen, everything=everything)
        expected = tmp_path / f"expected{len(chosen)}"
        expected.mkdir()
        for name in split_again(path, run, expected):
            got, wanted = read(run / name), read(expected / name)
            assert got.equals(wanted, check_metadata=True) if isinstance(got, pa.Table) else got == wanted, name
        assert sum(done.files.values()) == len(done.ids) == (len(ids[::3]) if chosen else len(ids) - len(ids[::3]))
    if kind == "jsonl":
        assert (run / "kept.jsonl").read_bytes() == path.read_bytes() and not (run / "removed.jsonl").read_bytes()
    if kind == "parquet":
        groups = pq.ParquetFile(run / "kept.parquet").metadata
        assert [groups.row_group(g).num_rows for g in range(groups.num_row_groups)] == [5, 5, 5, 5, 1]
        assert groups.row_group(0).column(0).compression == "GZIP"
    if kind == "arrow":
        with pa.ipc.open_file(str(run / "kept.arrow")) as file:
            assert file.num_record_batches == 1


def test_tables_and_manifest(tmp_path):
    path = make(tmp_path, "jsonl")
    run = qc.dedup(path, recall_sample=0).save(tmp_path / "run")
    before, counts = tables(run), json.loads((run / "run.json").read_text(encoding="utf-8"))["counts"]
    gone = before["ledger"].to_pylist()
    whole = [row for row in gone if row["survivor_id"] == gone[0]["survivor_id"]]
    one = next(row for row in gone if row["survivor_id"] != gone[0]["survivor_id"])
    ids = [row["id"] for row in whole] + [one["id"]]
    saved = qc.load(run)
    assert saved.restore([*ids, one["id"]]).ids == tuple(sorted(ids))
    after, manifest = tables(run), json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert after["ledger"].to_pylist() == [row for row in gone if row["id"] not in ids]
    assert after["pairs"].equals(before["pairs"])
    for name in ("ledger", "clusters", "documents"):
        assert after[name].schema.equals(before[name].schema)
    assert saved.tables["ledger"].equals(after["ledger"]) and saved.manifest == manifest
    clusters = {row["id"]: row["cluster_id"] for row in after["clusters"].to_pylist()}
    left = {row["id"]: row["cluster_id"] for row in before["clusters"].to_pylist()}
    assert clusters == {k: v for k, v in left.items() if k not in ids and v != whole[0]["survivor_id"]}
    for old, new in zip(before["documents"].to_pylist(), after["documents"].to_pylist(), strict=True):
        back = {"removed": False, "policy": "restored"} if old["id"] in ids else {}
        assert new == old | back
    assert manifest["counts"]["kept"] == counts["kept"] + len(ids)
    assert manifest["counts"]["removed"] == counts["removed"] - len(ids) == len(after["ledger"])
    relations = after["ledger"]["relation"].to_pylist()
    assert manifest["counts"]["removed_by_relation"] == {r: relations.count(r) for r in set(relations)}
    (entry,) = manifest["restored"]
    assert entry["ids"] == len(ids) and entry["at"].endswith("+00:00")
    log = [json.loads(line) for line in (run / "restored.jsonl").read_text(encoding="utf-8").splitlines()]
    assert log == [
        {k: v for k, v in row.items() if k not in ("passages", "differences")} for row in gone if row["id"] in ids
    ]
    other = next(row["id"] for row in gone if row["id"] not in ids)
    saved.restore([other])
    assert len((run / "restored.jsonl").read_text(encoding="utf-8").splitlines()) == len(ids) + 1
    assert [e["ids"] for e in saved.manifest["restored"]] == [len(ids), 1]
    assert saved.explain(other).removed is False
    texts = {r["id"]: r["text"] for r in rows()}
    assert saved.texts(list(texts)) == list(texts.values())


def test_by_relation_and_rule(tmp_path):
    path = make(tmp_path, "jsonl")
    run = qc.dedup(path, recall_sample=0).save(tmp_path / "run")
    gone = pq.read_table(run / "ledger.parquet").to_pylist()
    parts = [r["id"] for r in gone if r["relation"] == "contained_in"]
    assert 0 < len(parts) < len(gone)
    assert restore(run, relations=["contained_in", "exact"], rules=["equal normal form"]).ids == tuple(
        r["id"] for r in gone if r["rule"] == "equal normal form"
    )
    assert restore(run, relations=["contained_in"]).ids == tuple(parts)
    before = state(run)
    assert restore(run, relations=["contained_in"]).ids == ()
    assert state(run) == before
    restore(run, everything=True)
    assert restore(run, everything=True).files == {}


def test_several_inputs_change_only_where_they_must(tmp_path):
    items = rows()
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "a.jsonl").write_bytes(jsonl(items[:9]))
    (tmp_path / "in" / "deep" / "b.csv").write_text(cells(items[9:18]), encoding="utf-8")
    (tmp_path / "in" / "c.jsonl").write_bytes(jsonl(items[18:]))
    old = [{"id": "old", "text": items[0]["text"]}, {"id": "older", "text": items[10]["text"]}]
    (tmp_path / "a.jsonl").write_bytes(jsonl(old))
    run = qc.dedup(tmp_path / "in", against=tmp_path / "a.jsonl", recall_sample=0).save(tmp_path / "run")
    fates = pq.read_table(run / "documents.parquet").to_pylist()
    csv_gone = [r["id"] for r in fates if r["removed"] and r["source"] == "deep/b.csv"]
    untouched = (run / "kept" / "a.jsonl").stat().st_mtime_ns
    assert restore(run, csv_gone).files == {"kept/deep/b.csv": len(csv_gone)}
    assert (run / "kept" / "deep" / "b.csv").read_bytes() == (tmp_path / "in" / "deep" / "b.csv").read_bytes()
    assert (run / "removed" / "deep" / "b.csv").read_text() == '"id","text","title"\n'
    assert (run / "kept" / "a.jsonl").stat().st_mtime_ns == untouched
    restore(run, everything=True)
    for name in ("a.jsonl", "c.jsonl"):
        assert (run / "kept" / name).read_bytes() == (tmp_path / "in" / name).read_bytes()


def test_an_input_and_a_reference_of_one_name(tmp_path):
    (tmp_path / "old").mkdir()
    old = [{"id": "1", "text": article(1)}, {"id": "2", "text": article(2)}]
    (tmp_path / "old" / "x.jsonl").write_bytes(jsonl(old))
    new = [{"id": "1", "text": article(5)}, {"id": "2", "text": article(1)}, {"id": "3", "text": article(6)}]
    (tmp_path / "x.jsonl").write_bytes(jsonl(new))
    run = qc.dedup(tmp_path / "x.jsonl", against=tmp_path / "old" / "x.jsonl", recall_sample=0).save(tmp_path / "run")
    with pytest.raises(UsageError, match="'against/1' was not removed"):
        restore(run, ["against/1"])
    assert restore(run, ["2"]).ids == ("2",)
    assert (run / "kept.jsonl").read_bytes() == (tmp_path / "x.jsonl").read_bytes()


def test_tables_in_memory(tmp_path):
    run = qc.dedup(rows(), recall_sample=0).save(tmp_path / "run")
    restore(run, everything=True)
    assert pq.read_table(run / "kept.parquet").to_pylist() == rows()


def test_what_cannot_be_put_back(tmp_path):
    path = make(tmp_path, "jsonl")
    result = qc.dedup(path, recall_sample=0)
    run, annotated = result.save(tmp_path / "run"), result.save(tmp_path / "annotated", mode="annotate")
    gone = result.ledger["id"].to_pylist()
    kept = next(r["id"] for r in rows() if r["id"] not in gone)
    before = state(run)
    for folder, ids, options, message in [
        (run, ["nobody"], {}, "'nobody' is not the id of a document"),
        (run, [gone[0], kept], {}, f"'{kept}' was not removed"),
        (annotated, [gone[0]], {}, "annotate mode, so nothing was removed"),
        (
            run,
            [],
            {},
            "say which rows to put back: give ids, or relations or rules for the rows that a relation or rule removed, or everything=True",
        ),
        (run, [gone[0]], {"everything": True}, "everything=True: do not combine ids with these"),
        (run, [], {"relations": ["contains"]}, "relations='contains': use exact, duplicate, contained_in, variant"),
        (run, [], {"rules": ["nonsense"]}, "rules='nonsense': use .*equal normal form"),
    ]:
        with pytest.raises(UsageError, match=message):
            restore(folder, ids, **options)
    with pytest.raises(RunError, match="not a run folder"):
        restore(tmp_path, everything=True)
    assert state(run) == before


@pytest.mark.parametrize("change", ["longer", "shorter", "gone"])
@pytest.mark.parametrize("side", ["kept", "removed"])
def test_files_that_were_changed(tmp_path, change, side):
    run = qc.dedup(make(tmp_path, "jsonl"), recall_sample=0).save(tmp_path / "run")
    file = run / f"{side}.jsonl"
    raw = file.read_bytes()
    if change == "gone":
        file.unlink()
    else:
        file.write_bytes(raw + b'{"text": "more"}\n' if change == "longer" else b"".join(raw.splitlines(True)[1:]))
    before = state(run)
    with pytest.raises(RunError, match=f"{side}.jsonl.*no row was put back"):
        restore(run, everything=True)
    assert state(run) == before and not staged(run)


def test_a_line_feed_lost_by_an_editor(tmp_path):
    run = qc.dedup(make(tmp_path, "jsonl"), recall_sample=0).save(tmp_path / "run")
    for side in ("kept", "removed"):
        raw = (run / f"{side}.jsonl").read_bytes()
        (run / f"{side}.jsonl").write_bytes(raw.rstrip(b"\n"))
    restore(run, everything=True)
    assert [json.loads(line) for line in (run / "kept.jsonl").read_bytes().splitlines()] == rows()


def test_a_full_disk(tmp_path, monkeypatch):
    run = qc.dedup(make(tmp_path, "jsonl"), recall_sample=0).save(tmp_path / "run")
    before = state(run)

    def full(table, path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("quchong.runs.restore.write_table", full)
    with pytest.raises(OutputError, match=r"No space left on device.*no row was put back"):
        restore(run, everything=True)
    assert state(run) == before and not staged(run)


KILLED = """
import os, sys
from pathlib import Path
from quchong.runs import restore
left, real = int(sys.argv[2]), os.replace
def replace(*places, **folders):
    global left
    left -= 1
    if left == 0:
        os._exit(9)
    real(*places, **folders)
os.replace = replace
restore.restore(Path(sys.argv[1]), sys.argv[3:])
os._exit(0)
"""


@pytest.mark.parametrize("moment", range(1, 10))
def test_killed_between_moves(tmp_path, moment):
    """Moment 1 is before the decision, 2 to 8 before each of the seven moves, 9 never comes."""
    path = make(tmp_path, "jsonl")
    result = qc.dedup(path, recall_sample=0)
    run = result.save(tmp_path / "run")
    whole = shutil.copytree(run, tmp_path / "whole")
    ids = result.ledger["id"].to_pylist()[::2]
    before = state(run)
    restore(whole, ids)
    killed = forked.run(run, moment, *ids, before=KILLED)
    assert killed.returncode == (9 if moment < 9 else 0)
    assert [(one / COMMIT).exists() for one in staged(run)] == ([moment > 1] if moment < 9 else [])
    if 1 < moment < 9:
        with pytest.raises(RunError, match="finish it with: quchong restore"):
            qc.load(run)
        assert staged(run)
    recover(run)
    saved = qc.load(run)
    assert not staged(run)
    after = state(run)
    assert after == (before if moment == 1 else state(whole))
    assert len(saved.tables["ledger"]) == saved.manifest["counts"]["removed"]
    restore(run, everything=True)
    assert (run / "kept.jsonl").read_bytes() == path.read_bytes()


def test_another_process_at_it(tmp_path):
    run = qc.dedup(make(tmp_path, "jsonl"), recall_sample=0).save(tmp_path / "run")
    staging = Staging.begin(run / "restore")
    with pytest.raises(RunError, match=f"process {os.getpid()} is putting rows of .* back: wait"):
        restore(run, everything=True)
    assert qc.load(run).counts["removed"]  # nothing has happened yet
    (staging.folder / OWNER).write_text("")
    staging.release()
    recover(run)
    assert not staged(run)


def test_no_folder_of_ours_is_touched(tmp_path):
    run = qc.dedup(make(tmp_path, "jsonl"), recall_sample=0).save(tmp_path / "run")
    for folder in (tmp_path, run):
        for name in (".restore", ".restore.quchong-00000000"):
            (folder / name).mkdir()
            (folder / name / "mine").touch()
        recover(folder)
        assert len(staged(folder)) == 2 and all((one / "mine").exists() for one in staged(folder))


def test_the_command(tmp_path):
    run = qc.dedup(make(tmp_path, "jsonl"), recall_sample=0).save(tmp_path / "run")
    ids = pq.read_table(run / "ledger.parquet")["id"].to_pylist()
    got = CliRunner().invoke(command, [str(run), ids[0]])
    assert got.output == f"put back 1 row\n  rows put back: 1; file: {run / 'kept.jsonl'}\n"
    got = CliRunner().invoke(command, [str(run), "--all"])
    assert got.output == f"put back {len(ids) - 1} rows\n  rows put back: {len(ids) - 1}; file: {run / 'kept.jsonl'}\n"
    got = CliRunner().invoke(command, [str(run), "--all"])
    assert (got.exit_code, got.output) == (0, f"{run} has no removed row that matches: nothing was changed\n")


def test_what_a_person_put_back_stays_when_the_run_is_decided_again(tmp_path):
    folder = qc.dedup(rows(), recall_sample=0).save(tmp_path / "run")
    gone = qc.load(folder).removed["id"].to_pylist()
    restore(folder, ids=gone[:2])
    again = qc.load(folder).rethreshold(0.6)
    assert set(gone[:2]) <= set(again.kept["id"].to_pylist())
    assert set(gone[2:]) == set(again.removed["id"].to_pylist())


def test_a_document_put_back_is_explained_so(tmp_path):
    folder = qc.dedup(rows(), recall_sample=0).save(tmp_path / "run")
    gone = qc.load(folder).removed["id"].to_pylist()
    restore(folder, ids=gone[:1])
    told = qc.load(folder).explain(gone[0])
    assert (told.removed, told.reason) == (False, "restored")
    assert "and quchong restore put it back later" in str(told)
    assert qc.load(folder).explain(gone[1]).removed
    before = state(folder)
    with pytest.raises(UsageError, match=f"'{gone[0]}' has already been put back"):
        restore(folder, ids=[gone[1], gone[0]])
    assert state(folder) == before


def test_rows_that_are_gone_are_told_when_they_are_asked_for(tmp_path):
    folder = qc.dedup(make(tmp_path, "jsonl"), recall_sample=0).save(tmp_path / "run")
    loaded = qc.load(folder)
    (folder / "kept.jsonl").unlink()
    for ask in (lambda: loaded.kept, lambda: loaded.rethreshold(0.6), lambda: loaded.restore(everything=True)):
        with pytest.raises(RunError, match=r"kept\.jsonl, which the run wrote, no longer exists"):
            ask()
    assert len(loaded.removed) == len(loaded.ledger)


def test_rows_of_an_input_that_run_json_does_not_name_are_not_put_back(tmp_path):
    """Whoever takes an input out of run.json loses no row: nothing is put back, and no table says that it was."""
    some = rows()
    paths = [tmp_path / "x1.jsonl", tmp_path / "x2.jsonl"]
    for path, part in zip(paths, (some[::2], some[1::2]), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in part))
    folder = tmp_path / "run"
    qc.dedup(paths, out=folder)
    manifest = json.loads((folder / "run.json").read_text())
    del manifest["files"]["x2.jsonl"]
    (folder / "run.json").write_text(json.dumps(manifest))
    before = {p.relative_to(folder): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    with pytest.raises(RunError, match=r"does not say where the .*rows of x2\.jsonl are"):
        restore(folder, everything=True)
    assert {p.relative_to(folder): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()} == before


def test_a_log_without_the_end_of_its_last_line_stays_json_lines(tmp_path):
    folder = tmp_path / "run"
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()))
    qc.dedup(tmp_path / "in.jsonl", out=folder)
    one = pq.read_table(folder / "ledger.parquet")["id"][0].as_py()
    (folder / "restored.jsonl").write_text('{"id": "earlier"}')
    restore(folder, [one])
    assert [json.loads(line)["id"] for line in (folder / "restored.jsonl").read_text().splitlines()] == ["earlier", one]

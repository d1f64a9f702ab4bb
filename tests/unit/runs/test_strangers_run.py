"""Run folders of strangers: to look at one changes nothing, inside or outside, and shows no file that it points to."""

from __future__ import annotations

import json
import os
import shutil
import socket

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from matrices import each_once

import quchong as qc
from quchong.cli.explain import command as explain_command
from quchong.errors import QuchongError, RunError
from quchong.io.formats import ARROW, CELLS, FILES, LINES, SHEETS, WARCS
from quchong.languages import speaking
from quchong.outputs.owner import Mark
from quchong.runs.restore import is_restored, restore
from quchong.runs.seal import seal_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and pipes")
TEXT = "The council said that the new bridge will open in March, and that drivers pay 12 percent less toll."
TEXTS = [TEXT, TEXT, TEXT + " More follows.", "A text about the garden of the museum, which nobody copied."]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    place = tmp_path_factory.mktemp("made")
    (place / "in.jsonl").write_text("".join(json.dumps({"id": f"d{i}", "text": t}) + "\n" for i, t in enumerate(TEXTS)))
    (place / "texts").mkdir()
    for i, text in enumerate(TEXTS):
        (place / "texts" / f"d{i}.txt").write_text(text)
    qc.dedup(place / "in.jsonl", recall_sample=0).save(place / "rows")
    qc.dedup(place / "texts", recall_sample=0).save(place / "lists")
    return place


@pytest.fixture
def box(made, tmp_path):
    (tmp_path / "secret.txt").write_text("SECRET")
    for name in ("rows", "lists"):
        shutil.copytree(made / name, tmp_path / name)
    return tmp_path


def everything(place):
    return {
        p: (p.lstat().st_mode, p.read_bytes() if p.is_file() else None)
        for p in sorted(place.rglob("*"))
        if not p.is_fifo()
    }


def spoil(run, change):
    manifest = json.loads((run / "run.json").read_text())
    change(manifest)
    (run / "run.json").write_text(json.dumps(manifest))


def move(run, path):
    """Make the run one of this user's whose first input was there."""
    spoil(run, lambda m: m["inputs"][0].update(path=path))
    spoil(run, lambda m: m.update(seal_of(m)))


def left_restore(run, names):
    left = run / ".restore.quchong-00000000"
    (left / "new").mkdir(parents=True)
    (left / "new" / "kept.jsonl").write_text("theirs")
    (left / "owner").write_text(Mark("00000000", "restore", socket.gethostname(), 4_000_000, None).text())
    (left / "commit").write_text(json.dumps(names))


READERS = [
    lambda run: qc.load(run).explain("d1"),
    lambda run: qc.load(run).chains(),
    lambda run: qc.load(run).report(lang="en"),
    lambda run: qc.load(run).removed,
    lambda run: qc.load(run).rethreshold(0.9),
    lambda run: qc.dedup([{"text": "x"}], against=run, recall_sample=0),
]


@pytest.mark.parametrize("names", [["../secret.txt"], ["kept.jsonl"]])
def test_who_reads_a_run_finishes_no_restore(box, names):
    left_restore(box / "rows", names)
    before = everything(box)
    for act in READERS:
        with pytest.raises(RunError, match="finish it with: quchong restore"):
            act(box / "rows")
    assert everything(box) == before


def test_restore_moves_nothing_out_of_the_folder(box):
    left_restore(box / "rows", ["kept.jsonl", "../secret.txt"])
    before = everything(box)
    with pytest.raises(RunError, match="commit differs from what quchong writes"):
        restore(box / "rows", everything=True)
    assert everything(box) == before


NO_ROWS = [
    "kept.sh",
    "removed.py",
    "kept.a.jsonl",
    "kept/x",
    "removed/a/run",
    "kept/.bashrc",
    "ledger.parquet/part-0.sh",
    "pairs.parquet",
]


@pytest.mark.parametrize("name", NO_ROWS)
def test_restore_moves_no_file_of_a_kind_that_it_never_writes(box, name):
    run = box / "rows"
    for names in ([name], ["kept.jsonl", name], [name, "run.json"]):
        left_restore(run, names)
        place = run / ".restore.quchong-00000000" / "new" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("theirs")
        before = everything(box)
        with pytest.raises(
            RunError, match=f"commit differs from what quchong writes.*this command does not write a file '{name}'"
        ):
            restore(run, everything=True)
        assert everything(box) == before
        shutil.rmtree(run / ".restore.quchong-00000000")


@pytest.mark.parametrize("name", [name for name in NO_ROWS if "/" not in name])
def test_run_json_names_no_rows_of_a_kind_that_no_run_writes(box, name):
    side = "removed" if name.startswith("removed") else "kept"
    spoil(box / "rows", lambda m: m["files"]["in.jsonl"].update({side: name}))
    with pytest.raises(RunError, match=f"names '{name}' as the file of its {side} rows, so no run wrote it"):
        qc.load(box / "rows")


def test_what_a_restore_writes_is_what_it_moves(box):
    """Every kind of input: the names in run.json are those of a restore."""
    for path in ("rows", "lists"):
        manifest = json.loads((box / path / "run.json").read_text())
        names = [name for sides in manifest["files"].values() for name in sides.values()]
        assert names and all(
            map(is_restored, [*names, "run.json", "restored.jsonl", "ledger.parquet/part-00000.parquet"])
        )
    for suffix in (*LINES, *CELLS, *ARROW, *SHEETS, *FILES, *WARCS, ".parquet", ".jsonl.gz", ".csv.zst"):
        assert is_restored(f"kept{suffix}") and is_restored(f"removed/a b/x{suffix}")


@pytest.mark.parametrize("how", ["no owner", "another place", "another token", "torn", "link", "pipe"])
def test_a_decided_restore_that_cannot_be_settled_is_told(box, how):
    run = box / "rows"
    left_restore(run, ["kept.jsonl"])
    left = run / ".restore.quchong-00000000"
    owner = left / "owner"
    owner.unlink()
    if how == "another place":
        owner.write_text(Mark("00000000", "other", socket.gethostname(), 4_000_000, None).text())
    elif how == "another token":
        owner.write_text(Mark("11111111", "restore", socket.gethostname(), 4_000_000, None).text())
    elif how == "torn":
        owner.write_text('{"token": ')
    elif how == "link":
        owner.symlink_to("../../secret.txt")
    elif how == "pipe":
        os.mkfifo(owner)
    before = everything(box)
    for options in ({"everything": True}, {}, {"ids": ["d1"]}):
        with pytest.raises(RunError) as caught:
            restore(run, **options)
        assert (
            str(caught.value)
            == f"{left} differs from what a restore writes, so its rows were not put back: delete this file"
        )
    assert everything(box) == before
    with speaking("zh"):
        assert str(left) in caught.value.message.translation() and "delete it" not in caught.value.message.translation()
    shutil.rmtree(left)
    assert restore(run, everything=True).ids


def test_who_reads_a_place_that_is_being_replaced_is_told(box):
    left = box / ".rows.quchong-00000000"
    left.mkdir()
    (box / "rows").rename(left / "new")
    (left / "old").mkdir()
    before = everything(box)
    for act in READERS[:3]:
        with pytest.raises(RunError, match="is being replaced, or a run that replaced it was stopped"):
            act(box / "rows")
    assert everything(box) == before


@pytest.mark.parametrize("how", ["pipe", "link", "gone", "empty", "torn", "folder"])
@pytest.mark.parametrize(
    "name", ["removed.jsonl", "kept.jsonl", "skipped.jsonl", "run.json", "ledger.parquet", "pairs.parquet"]
)
def test_any_file_may_be_gone_or_another_thing(box, name, how):
    path = box / "rows" / name
    raw = path.read_bytes()
    path.unlink()
    if how == "pipe":
        os.mkfifo(path)
    elif how == "link":
        path.symlink_to("../secret.txt")
    elif how == "folder":
        path.mkdir()
    elif how != "gone":
        path.write_bytes(b"" if how == "empty" else raw[: len(raw) // 2])
    before = everything(box)
    for act in READERS:
        try:
            assert "SECRET" not in repr(act(box / "rows"))
        except QuchongError as error:
            assert name.split(".")[0] in str(error) or "run" in str(error)
    assert everything(box) == before


@pytest.mark.parametrize("how", ["pipe", "link", "link to a pipe", "gone", "folder", "device"])
@pytest.mark.parametrize("several", [False, True])
def test_rows_of_an_annotated_run_may_be_another_thing(box, made, how, several):
    data = [made / "in.jsonl"]
    if several:
        (box / "b.jsonl").write_text(json.dumps({"id": "b", "text": "Another text."}) + "\n")
        data.append(box / "b.jsonl")
    run = qc.dedup(data, recall_sample=0).save(box / "noted", mode="annotate")
    files = json.loads((run / "run.json").read_text())["files"]
    path = next(run / sides["annotated"] for name, sides in files.items() if name.endswith("in.jsonl"))
    path.unlink()
    os.mkfifo(box / "pipe")
    if how == "pipe":
        os.mkfifo(path)
    elif how == "folder":
        path.mkdir()
    elif how != "gone":
        path.symlink_to({"link": box / "secret.txt", "link to a pipe": box / "pipe", "device": "/dev/zero"}[how])
    before = everything(box)
    for act in READERS:
        try:
            assert "SECRET" not in repr(act(run))
        except QuchongError as error:
            assert path.name in str(error) or "annotate" in str(error)
    with pytest.raises(RunError, match=path.name):
        READERS[-1](run)
    assert everything(box) == before


def test_what_is_not_read_is_told_by_the_command(box):
    (box / "rows" / "removed.jsonl").unlink()
    got = CliRunner().invoke(explain_command, [str(box / "rows"), "d1"])
    assert got.exit_code == 0 and "not read: in.jsonl" in got.stderr and "removed.jsonl" in got.stderr
    assert len(qc.load(box / "rows").chains())


def test_rows_behind_a_link_are_neither_read_nor_written(box):
    (box / "outside").mkdir()
    shutil.copy(box / "rows" / "kept.jsonl", box / "outside")
    (box / "rows" / "kept").symlink_to(box / "outside")
    spoil(box / "rows", lambda m: m["files"]["in.jsonl"].update(kept="kept/kept.jsonl"))
    before = everything(box)
    with pytest.raises(RunError, match=r"rows/kept is a link|no longer exists"):
        restore(box / "rows", everything=True)
    assert everything(box) == before
    spoil(box / "rows", lambda m: m["files"]["in.jsonl"].update(kept="sub/kept.jsonl"))
    with pytest.raises(RunError, match="so no run wrote it"):
        qc.load(box / "rows")


def test_texts_outside_are_read_where_they_are_as_they_were(box, made):
    saved = qc.load(box / "lists")
    assert saved.explain("d1.txt").text == TEXT and saved.left_alone == []
    (made / "texts" / "new.txt").write_text("a file that was added since")
    try:
        assert qc.load(box / "lists").explain("d1.txt").text == TEXT
    finally:
        (made / "texts" / "new.txt").unlink()


@pytest.mark.parametrize(
    "path", ["{box}", "{box}/secret.txt", "/", "/dev/zero", "/proc/kcore", "{box}/pipe", "", "\x01", "secret.txt"]
)
def test_no_text_is_shown_that_the_folder_only_points_to(box, path, monkeypatch):
    monkeypatch.chdir(box)
    os.mkfifo(box / "pipe")
    spoil(box / "lists", lambda m: m["inputs"][0].update(path=path.format(box=box)))
    for name in ("kept.txt", "removed.txt"):
        lines = (box / "lists" / name).read_text().splitlines()
        (box / "lists" / name).write_text("secret.txt\n" * len(lines))
    saved = qc.load(box / "lists")
    found = [saved.explain(f"d{i}.txt") for i in range(4)]
    assert "SECRET" not in repr(found) + saved.report(lang="en").html and found[0].text is None
    assert len(saved.left_alone) == 1
    with pytest.raises(QuchongError):
        saved.rethreshold(0.9)


FOREIGN = [
    "/",
    "/tmp",
    "{box}",
    "{box}/out.html",
    "{box}/old.jsonl",
    "/proc",
    "{box}/loop",
    "{box}/nowhere/out.html",
    "",
    "\x01",
]


@pytest.mark.parametrize(("path", "side", "kind"), each_once(FOREIGN, ["inputs", "against"], ["rows", "lists"]))
def test_paths_in_a_run_folder_do_not_decide_where_a_user_may_write(box, made, path, side, kind, monkeypatch):
    monkeypatch.chdir(box)
    (box / "loop").symlink_to("loop")
    qc.load(made / "rows").chains(out=box / "old.jsonl")
    foreign = {"name": "theirs", "path": path.format(box=box), "format": "jsonl", "bytes": 1, "blake2b": "0" * 32}

    def point(manifest):
        if side == "inputs" and kind == "lists":
            manifest["inputs"][0]["path"] = foreign["path"]
        else:
            manifest[side].append(foreign)

    spoil(box / kind, point)
    saved = qc.load(box / kind)
    assert saved.report(box / "out.html", lang="en").is_file()
    assert (
        saved.chains(out=box / "new.jsonl") is not None
        and saved.chains(out=box / "old.jsonl", overwrite=True) is not None
    )
    (box / f"{kind}.decisions.jsonl").touch()
    saved.labels(out=box / "labels.jsonl")
    assert saved.save(box / "copy").is_dir()
    with pytest.raises(QuchongError, match=r"is inside the input|a run of quchong"):
        saved.report(box / kind / "out.html")


def test_files_that_are_read_are_not_written_over(box, made):
    """Texts outside of a run folder whose digest agrees, one of which is a file of chains: nothing is written over it."""
    texts = shutil.copytree(made / "texts", box / "texts")
    qc.load(made / "rows").chains(out=box / "chains.jsonl")
    (box / "chains.jsonl").rename(texts / "d4.txt")
    run = qc.dedup(texts, recall_sample=0).save(box / "over")
    (texts / "d4.txt").rename(texts / "x.jsonl")
    (texts / "d4.txt").symlink_to("x.jsonl")
    before = everything(texts)
    for options in ({}, {"texts": texts}):
        saved = qc.load(run, **options)
        with pytest.raises(QuchongError, match=r"is the same as the input .*d4\.txt"):
            saved.chains(out=texts / "x.jsonl", overwrite=True)
        assert everything(texts) == before
        assert saved.chains(out=texts / "new.jsonl") is not None  # it is none of the files that were read
        (texts / "new.jsonl").unlink()


def test_files_a_run_could_not_read_do_not_decide_either(box, made):
    texts = shutil.copytree(made / "texts", box / "texts")
    (texts / "bad.txt").write_bytes(b"\x00" * 20)
    run = qc.dedup(texts, recall_sample=0).save(box / "over")
    assert (run / "skipped.jsonl").read_text()
    (texts / "bad.txt").unlink()
    qc.load(made / "rows").chains(out=texts / "x.jsonl")
    (texts / "bad.txt").symlink_to("x.jsonl")
    saved = qc.load(run, texts=texts)
    assert saved.chains(out=texts / "x.jsonl", overwrite=True) is not None


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("pipe", "the path is a pipe"), ("folder", "the path is a folder"), ("device", "the path is a device"), ("dangling", "the path is a broken link"),
        ("loop", "symbolic link"), ("long", "name too long"), ("gone", "no longer exists"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("which", ["place", "one of its files"])
def test_what_is_refused_is_not_called_gone(box, made, how, why, which):
    texts = shutil.copytree(made / "texts", box / "texts")
    move(box / "lists", str(texts))
    path = box / "there" if which == "place" else texts / "d3.txt"
    if which == "place":
        move(box / "lists", str(path) + ("x" * 300 if how == "long" else ""))
    else:
        path.unlink()
        if how == "long":
            lines = (box / "lists" / "kept.txt").read_text().replace("d3.txt", "d" * 300)
            (box / "lists" / "kept.txt").write_text(lines)
    if how == "pipe":
        os.mkfifo(path)
    elif how == "folder":
        path.mkdir()
    elif how in ("device", "dangling", "loop"):
        path.symlink_to({"device": "/dev/null", "dangling": "nowhere", "loop": path.name}[how])
    if how == "folder" and which == "place":
        why = "no longer exists"  # the files of the list are
    saved = qc.load(box / "lists")
    assert saved.explain("d3.txt").text is None
    (told,) = saved.left_alone
    assert why in told.lower() and (how in ("gone", "folder") or "no longer exists" not in told), told
    with pytest.raises(RunError, match=f"(?i){why}"):
        saved.rethreshold(0.9)


def test_a_hollow_file_is_told(box, made):
    texts = shutil.copytree(made / "texts", box / "texts")
    (texts / "d3.txt").unlink()
    with (texts / "d3.txt").open("wb") as file:
        file.truncate(1 << 40)
    move(box / "lists", str(texts))
    saved = qc.load(box / "lists")
    assert (
        saved.explain("d3.txt").text is None
        and "the size of the file is 1,099,511,627,776 bytes" in saved.left_alone[0]
    )


def test_names_in_lists_lead_nowhere_else(box, made):
    for name in ("../secret.txt", str(box / "secret.txt"), "..", "a\x00b"):
        (box / "lists" / "kept.txt").write_text(f"{name}\n" * 4)
        saved = qc.load(box / "lists", texts=[made / "texts"])
        assert saved.explain("d3.txt").text is None and saved.left_alone


def test_texts_that_changed_are_read_where_the_folder_is_named(box, made):
    before = (made / "texts" / "d3.txt").read_text()
    (made / "texts" / "d3.txt").write_text("another text")
    try:
        saved = qc.load(box / "lists")
        assert saved.explain("d1.txt").text is None and "give the folder with texts=" in saved.left_alone[0]
        got = CliRunner().invoke(explain_command, [str(box / "lists"), "d1.txt"])
        assert "--texts" in got.stderr and TEXT not in got.stdout
        assert qc.load(box / "lists", texts=made).explain("d3.txt").text == "another text"
        assert qc.load(box / "lists", texts=box).explain("d3.txt").text is None
    finally:
        (made / "texts" / "d3.txt").write_text(before)


ODD = [None, True, -1, 1 << 70, 1.5, 1e999, float("nan"), "x", "\ud800", [], [None], {}, {"a": []}]


@pytest.mark.parametrize("value", ODD, ids=[str(k) for k in range(len(ODD))])
def test_odd_values_in_run_json_are_told_or_do_no_harm(box, value):
    run = box / "rows"
    whole = json.loads((run / "run.json").read_text())
    places = [(key,) for key in whole] + [
        (key, inner) for key, one in whole.items() if isinstance(one, dict) for inner in one
    ]
    for place in places:
        manifest = json.loads(json.dumps(whole))
        inner = manifest
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        (run / "run.json").write_text(json.dumps(manifest))
        try:
            saved = qc.load(run)
            saved.explain("d1"), saved.alarms, saved.kept
            from quchong.views.model import about_of

            about_of(saved._subject())
        except QuchongError:
            continue


def test_tables_that_do_not_agree_are_told(box):
    run = box / "rows"

    def wrong(name, change, match):
        path = run / f"{name}.parquet"
        table = pq.read_table(path)
        pq.write_table(change(table), path)
        with pytest.raises(RunError, match=rf"{name}\.parquet differs from what a run writes \({match}"):
            qc.load(run)
        pq.write_table(table, path)
        qc.load(run)

    def put(column, value):
        return lambda t: t.set_column(
            t.column_names.index(column),
            t.schema.field(column),
            pa.array([value] * len(t), t.schema.field(column).type),
        )

    wrong("documents", put("id", "d0"), "an id that two documents have")
    wrong("documents", put("source", "other"), "a source that run.json does not name")
    wrong("documents", put("row", 0), "a row that two documents have")
    wrong("ledger", put("id", _kept(run)[0]), "a document that was not removed")
    wrong("pairs", put("jaccard", 2.0), "jaccard: not a share")
    wrong("pairs", put("jaccard", float("nan")), "jaccard: not a share")
    wrong("pairs", put("number_overlap", float("nan")), "number_overlap: not a share")
    wrong("pairs", put("containment_left", float("inf")), "containment_left: not a share")
    wrong("pairs", put("right_id", "none"), "right_id: an id that no document has")
    wrong("clusters", put("survivor_id", "none"), "survivor_id: an id that no document has")
    wrong("pairs", put("supersedes", "both"), "supersedes: an unknown word")


def _kept(run):
    documents = pq.read_table(run / "documents.parquet")
    return documents.filter(pc.invert(documents["removed"]))["id"].to_pylist()


def test_a_table_that_claims_more_rows_than_it_can_hold(box):
    path = box / "rows" / "clusters.parquet"
    table = pq.read_table(path)
    many = pa.table(
        [pa.array(["d0"], f.type).take(pa.array([0] * 2_000_000)) for f in table.schema], schema=table.schema
    )
    pq.write_table(many, path, compression="zstd")
    with pytest.raises(RunError, match=r"clusters.parquet cannot be read \(2,000,000 rows in"):
        qc.load(box / "rows")


def test_a_sum_of_texts_stands_for_no_digest(box):
    """Runs on Spark told one, of which texts without words were no part."""

    def forged(manifest):
        (entry,) = manifest["inputs"]
        del entry["blake2b"]
        entry["texts"] = "0" * 32

    spoil(box / "lists", forged)
    opened = qc.load(box / "lists")
    with pytest.raises(RunError, match="does not prove that your own run named this location"):
        opened.rethreshold(0.9)
    assert opened.explain("d0.txt").text is None and opened.left_alone


@pytest.fixture
def salaries(box):
    """A run folder of a stranger that names a file of ours as its corpus, by what a run.json that we published tells of it."""
    ours = box / "hr.jsonl"
    ours.write_text("".join(json.dumps({"id": f"s{i}", "text": f"{t} SECRET"}) + "\n" for i, t in enumerate(TEXTS)))
    qc.dedup([{"text": "nothing"}], against=ours, recall_sample=0).save(box / "published")
    (told,) = json.loads((box / "published" / "run.json").read_text())["against"]
    theirs = box / "theirs.jsonl"
    theirs.write_text(ours.read_text().replace("SECRET", "public"))
    qc.dedup(box / "made.jsonl", against=theirs, recall_sample=0).save(box / "crafted")
    theirs.unlink()
    spoil(
        box / "crafted", lambda m: m["against"][0].update({name: told[name] for name in ("path", "bytes", "blake2b")})
    )
    return box / "crafted"


@pytest.fixture(autouse=True)
def _rows(tmp_path):
    (tmp_path / "made.jsonl").write_text(json.dumps({"id": "n1", "text": TEXT + " public"}) + "\n")


def test_a_published_digest_opens_no_file(salaries, box):
    saved = qc.load(salaries)
    assert "SECRET" not in repr(saved.explain("n1")) + saved.report(lang="en").html
    assert "does not prove that your own run named this location" in saved.left_alone[0]
    with pytest.raises(RunError, match="give the folder with texts="):
        saved.rethreshold(0.9)
    got = CliRunner().invoke(explain_command, [str(salaries), "n1"])
    assert "SECRET" not in got.output and f"--texts {box}/hr.jsonl" in got.stderr
    assert "SECRET" in repr(qc.load(salaries, texts=box).explain("n1"))


def test_a_seal_is_for_the_places_and_columns_it_was_made_of(salaries):
    published = json.loads((salaries.parent / "published" / "run.json").read_text())
    spoil(salaries, lambda m: m.update(seal=published["seal"]))
    assert "SECRET" not in repr(qc.load(salaries).explain("n1"))
    spoil(salaries.parent / "published", lambda m: m["config"].update(text=["id", "text"]))
    saved = qc.load(salaries.parent / "published")
    assert saved.texts(saved.documents.filter(saved.documents["reference"])["id"].to_pylist()) == [None] * 4


def test_ones_own_run_needs_no_word_wherever_it_was_copied_to(box):
    assert qc.load(box / "lists").explain("d1.txt").text == TEXT
    assert len(qc.load(box / "lists").rethreshold(0.9).documents) == 4
    restore(box / "lists", everything=True)
    assert qc.load(box / "lists").explain("d1.txt").text == TEXT


def test_a_run_of_another_user_is_read_where_its_folder_is_named(box, made, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(box / "state"))
    saved = qc.load(box / "lists")
    assert saved.explain("d1.txt").text is None and "give the folder with texts=" in saved.left_alone[0]
    assert qc.load(box / "lists", texts=made / "texts").explain("d1.txt").text == TEXT
    assert not (box / "state").exists()


def test_a_run_needs_no_key(box, made, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    run = qc.dedup(made / "texts", out=box / "keyless", recall_sample=0)
    assert "seal" not in run.manifest and run.explain("d1.txt").text == TEXT
    assert qc.load(box / "keyless").explain("d1.txt").text is None


def test_a_run_that_names_no_place_outside_is_not_sealed(box):
    assert "seal" not in json.loads((box / "rows" / "run.json").read_text())
    assert "seal" not in qc.dedup([{"text": "x"}], recall_sample=0).manifest


def test_a_skipped_file_hides_no_other(box):
    """The digest is of what the run read, so the files are read up to the size that the run read."""
    (box / "sizes").mkdir()
    for i, text in enumerate(TEXTS):
        (box / "sizes" / f"d{i}.txt").write_text(text)
    (box / "sizes" / "big.txt").write_text("large " * 20_000)
    (box / "sizes" / "odd.txt").write_bytes(bytes(range(256)))
    (box / "sizes" / "page.html").write_text("<p>" + "page " * 20_000)
    qc.dedup(box / "sizes", out=box / "sized", max_record="64K", recall_sample=0)
    saved = qc.load(box / "sized")
    assert saved.explain("d1.txt").text == TEXT and not saved.left_alone
    assert len(saved.rethreshold(0.9).documents) == 4
    for name, why in (
        ("big.txt", "the record has 120,000 bytes"),
        ("odd.txt", "looks like binary data: there is a NUL at byte"),
        ("page.html", "has 100,003 bytes"),
    ):
        told = str(saved.explain(name))
        assert told.startswith(f"{name} was skipped") and why in told and "line 1" not in told
        assert "The run's list of skipped records contains the part of this record that could be read" in told
    with pytest.raises(QuchongError, match="no document has the id"):
        saved.explain("none.txt")


def test_a_skipped_record_of_the_corpus_compared_with_stays_skipped(box):
    rows = [{"id": "a", "text": TEXT}, {"id": "b", "text": "large " * 20_000}, {"id": "c", "text": TEXTS[3]}]
    (box / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    qc.dedup(box / "made.jsonl", against=box / "old.jsonl", out=box / "sized", max_record="64K", recall_sample=0)
    saved = qc.load(box / "sized")
    assert saved.explain("n1").survivor_text == TEXT
    assert saved.rethreshold(0.9).counts["reference"] == 2


@pytest.mark.parametrize("value", [0, -1, 1 << 40, "64K", None])
def test_a_size_of_records_that_no_run_has_is_named(box, value):
    spoil(box / "rows", lambda m: m["config"].update(max_record=value))
    with pytest.raises(RunError, match=r"config\.max_record"):
        qc.load(box / "rows")

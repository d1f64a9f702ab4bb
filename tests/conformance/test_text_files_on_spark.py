"""Covers: folders of web pages and texts on Spark, whole run folders: tables, lists of paths, skipped files, what opens such a folder, wrong calls.

Compared against: the run folder of the local engine over the same files. Run: pytest tests/conformance.
"""

import json
import os
import sys

import pytest
from spark_folders import hold_folders_equal, page_files

import quchong as qc
from quchong.cli.main import main
from quchong.errors import InputError, OutputError, QuchongError, RunError, UsageError
from quchong.io.file_contents import PAGE_BYTES
from quchong.plan.request import make_plan

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
made = page_files()
SOME = [False, pytest.param(True, marks=pytest.mark.campaign)]
"""A campaign does more runs on Spark."""
EXACT = {"method": "exact"}
"""For tests of files: a third of the steps of the default, which `test_what_opens_such_a_run` has."""
CHARSETS = ("utf-8", "gbk", "big5", "utf-16")
NAMES = ("a/{}.html", "b c/第{}页.HTM", "{}.xhtml", "a/深 处/50%25 {}.shtml", "_{}.html", "a#b/{}?.html")
ODD = (os.fsdecode(b"b\xff.html"), "n\nl.html", "quote\"d'.html", "line\u2028end.html")
"""Names that no terminal shows as they are."""
PLAIN = str.maketrans("云风东农园桥湖泊医厂", "一二三四五六七八九十")


def encoded(html, charset):
    """A page in a character set, which it names; of letters that Big5 has as well."""
    text = html.decode("utf-8").translate(PLAIN) if charset == "big5" else html.decode("utf-8")
    return text.replace('charset="utf-8"', f'charset="{charset}"').encode(charset, "ignore")


def site(folder, n=48):
    """Pages in several character sets below odd names, some of them copies; what cannot be read; what is passed over."""
    for i in range(n):
        path = folder / NAMES[i % len(NAMES)].format(i)
        path.parent.mkdir(parents=True, exist_ok=True)
        more = f"<p>又记第{i}页，另有几句话补在文章的后面。</p></article>" if i % 5 == 3 else "</article>"
        page = made.page(i % 11).replace(b"</article>", more.encode())
        path.write_bytes(encoded(page, CHARSETS[i % 4]))
    for odd in ODD:
        (folder / odd).write_bytes(made.page(1))
    (folder / "a" / "broken.html").write_bytes(b"\x89PNG" + bytes(range(30)) * 9)
    (folder / "gone.html").symlink_to(folder / "nowhere.html")
    os.mkfifo(folder / "pipe.html")
    with (folder / "huge.html").open("wb") as file:
        file.truncate(PAGE_BYTES + 1)
    (folder / ".hidden.html").write_bytes(made.page(1))
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.html").write_bytes(made.page(1))
    (folder / "style.css").write_text("p {}")
    return folder


def on_spark(spark, inputs, out, format=None, **options):
    from quchong.engines.spark.files import dedup_files

    return dedup_files(spark, list(map(str, inputs)), str(out), make_plan(recall_sample=0, **options), format=format)


def listed(run, side):
    """The paths of one side: of parts one after the other, of local files likewise."""
    named = dict.fromkeys(one[side] for one in json.loads((run / "run.json").read_text("utf-8"))["files"].values())
    files = [file for name in named for file in sorted(run.glob(name))]
    return [line for file in files for line in file.read_text("utf-8").split("\n") if line]


def hold_equal(out, local, pairs=1):
    manifest, other = hold_folders_equal(out, local, pairs)
    for side in ("kept", "removed"):
        assert listed(out, side) == listed(local, side) != []
        assert all(sides[side] == f"{side}/*.txt" for sides in manifest["files"].values())
    for mine, theirs in zip(manifest["inputs"], other["inputs"], strict=True):
        same = ("name", "path", "bytes", "blake2b", "format")
        assert [mine.get(key) for key in same] == [theirs.get(key) for key in same]
    return manifest


@pytest.fixture
def small_parts(monkeypatch):
    """Lists in several parts, and several tasks."""
    monkeypatch.setattr("quchong.engines.spark.places.PART_BYTES", 40_000_000)
    monkeypatch.setattr("quchong.engines.spark.text_files.TASK_BYTES", 8_000_000)


@pytest.mark.parametrize("more", SOME)
def test_a_folder_for_several_partitions(spark, tmp_path, small_parts, more):
    """Whole pages by digests alone on 5 partitions, and in a campaign by `ccdet`, and on 1; lists come in several parts."""
    folder = site(tmp_path / "网 页 100%25")
    usual = spark.conf.get("spark.sql.shuffle.partitions")
    whole = {"method": "ccdet", "body": "all", "prune": "site", "min_site_docs": 5}
    plain = EXACT | {"body": "all"}
    qc.dedup(folder, out=tmp_path / "local", recall_sample=0, **plain)
    qc.dedup(folder, out=tmp_path / "whole", recall_sample=0, **whole)
    try:
        for partitions, options, name in ((5, whole, "whole"), (1, plain, "local")) if more else ((5, plain, "local"),):
            spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
            out = tmp_path / f"out{partitions}"
            on_spark(spark, [folder], out, **options)
            manifest = hold_equal(out, tmp_path / name, pairs=20)
            assert manifest["counts"]["skipped"] == 4 and manifest["inputs"][0]["records"] == 56
            assert sorted(p.name for p in (out / "kept").glob("part-*")) == ["part-00000.txt", "part-00001.txt"]
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", usual)
    reasons = [one["reason"] for one in qc.load(tmp_path / "out5").skipped]
    assert any("64 MiB" in one for one in reasons) and any("regular file" in one for one in reasons)


def test_the_command_and_what_opens_such_a_run(spark, tmp_path, small_parts, monkeypatch, capsys):
    """A folder of folders of pages, by the command; then load, explain, beside, chains, report, rethreshold, restore; and pages that were
    changed since are told, also where a text of as many words stands in the place of the one that was read.
    """
    folder, out = tmp_path / "crawl", tmp_path / "out"
    folder.mkdir()
    site(folder / "in")
    asked = ["dedup", folder, "-q", "-o"]
    run_main(monkeypatch, spark, [*asked, tmp_path / "local", "--recall-sample", 0])
    run_main(monkeypatch, spark, [*asked, out, "--engine", "spark", "--master", "local[2]"])
    hold_equal(out, tmp_path / "local", pairs=20)
    opened, there = qc.load(out), qc.load(tmp_path / "local")
    assert opened.kept.equals(there.kept) and opened.removed.equals(there.removed) and opened.skipped == there.skipped
    gone = there.ledger.to_pylist()
    for one in [one for one in gone if "\\" not in one["id"] + one["survivor_id"]][::7]:
        assert opened.explain(one["id"]) == there.explain(one["id"]) and opened.explain(one["id"]).text
        assert opened.compare(one["id"], one["survivor_id"]) == there.compare(one["id"], one["survivor_id"])
    lost = "crawl#{row}".format(**there.skipped[0])
    assert opened.explain(lost) == there.explain(lost) and opened.explain(lost).skipped
    assert opened.chains().equals(there.chains())
    text = there.explain(gone[0]["id"]).text[:20]
    assert text in opened.report(lang="en").html
    again, expected = (one.rethreshold(0.999) for one in (opened, there))
    assert again.ledger.to_pylist() == expected.ledger.to_pylist() != opened.ledger.to_pylist()
    again.save(tmp_path / "again")
    assert listed(tmp_path / "again", "kept") == expected.kept["path"].to_pylist()
    ids = [one["id"] for one in gone[::5]]
    for one in (opened, there):
        one.restore(ids)
    assert opened.kept.equals(there.kept) and listed(out, "kept") == listed(tmp_path / "local", "kept")
    assert opened.removed.equals(there.removed) and opened.explain(ids[0]) == there.explain(ids[0])
    capsys.readouterr()
    run_main(monkeypatch, spark, ["explain", out, gone[1]["id"]])
    assert "was removed" in capsys.readouterr().out
    run_main(monkeypatch, spark, ["restore", out, gone[1]["id"]])
    assert gone[1]["id"] in listed(out, "kept")
    first, second = folder / "in" / "a" / "0.html", folder / "in" / "_4.html"
    texts = first.read_bytes(), second.read_bytes()
    assert qc.load(out).rethreshold(0.9).counts["removed"]
    first.write_bytes(texts[1])  # the same texts, but not where they were
    second.write_bytes(texts[0])
    with pytest.raises(RunError, match="was changed since then"):
        qc.load(out).rethreshold(0.9)
    first.write_bytes(texts[0])
    second.write_bytes(texts[1])
    page = folder / gone[2]["id"]
    page.write_bytes(page.read_bytes()[::-1])
    with pytest.raises(RunError, match="run again"):
        qc.load(out).rethreshold(0.9)


def test_texts_and_pages_mixed(spark, tmp_path):
    """Two folders, one of texts in GBK and UTF-8 with pages among them; a text that looks binary, with all that is in it."""
    texts, pages = tmp_path / "texts", tmp_path / "pages"
    for folder in (texts, pages):
        (folder / "sub").mkdir(parents=True)
    for i in range(16):
        (texts / f"sub/t{i}.{'md' if i % 3 else 'txt'}").write_text(made.article(i % 6), "gbk" if i % 2 else "utf-8")
        (texts / f"p{i}.html").write_bytes(made.page(i % 6))
        (pages / f"sub/q{i}.html").write_bytes(made.page(i % 7))
    (texts / "binary.txt").write_bytes(b"\0\1\2\xff" * 9)
    (texts / "empty.txt").write_bytes(b"")
    local, out = tmp_path / "local", tmp_path / "out"
    qc.dedup([pages, texts], out=local, recall_sample=0, **EXACT)
    on_spark(spark, [pages, texts], out, **EXACT)
    manifest = hold_equal(out, local, pairs=20)
    assert [one["name"] for one in manifest["inputs"]] == ["pages", "texts"] and manifest["counts"]["without_text"] == 1
    opened, there = qc.load(out), qc.load(local)
    gone = there.ledger["id"].to_pylist()
    assert [opened.explain(one) == there.explain(one) for one in gone] == [True] * len(gone)
    assert opened.report(lang="en").html.count("sub/q1") == there.report(lang="en").html.count("sub/q1") > 0
    (texts / "sub/q1.html").write_bytes(made.page(3))
    with pytest.raises(
        InputError, match=r"2 inputs have a file called 'sub/q1\.html'.*: give the one folder that contains these"
    ):
        on_spark(spark, [pages, texts], tmp_path / "twice")


@pytest.mark.campaign  # in the suite a pattern is one of WARC files, and two folders are two sources
def test_files_named_one_by_one(spark, tmp_path):
    """A pattern and single files are one source; one file alone; --format holds whatever names say; html=None reads pages as texts."""
    folder = site(tmp_path / "in")
    (folder / "deep").mkdir()
    (folder / "deep" / "one.html").write_bytes(made.page(2))
    (folder / "deep" / "two.tmp").write_bytes(made.page(2))
    cases = {
        "pattern": ([folder / "a" / "*.html", folder / "deep" / "one.html", folder / "_4.html"], None, {}),
        "forced": ([folder / "deep"], "html", {}),
        "plain": ([folder / "deep", folder / "2.xhtml"], "txt", {"html": None}),
    }
    for name, (inputs, format, options) in cases.items():
        qc.dedup(inputs, out=tmp_path / name, format=format, recall_sample=0, **options, **EXACT)
        on_spark(spark, inputs, tmp_path / f"{name}-out", format, **options, **EXACT)
        hold_equal(tmp_path / f"{name}-out", tmp_path / name)
    qc.dedup(folder / "a" / "0.html", out=tmp_path / "alone", recall_sample=0, **EXACT)
    on_spark(spark, [folder / "a" / "0.html"], tmp_path / "alone-out", **EXACT)
    opened, there = qc.load(tmp_path / "alone-out"), qc.load(tmp_path / "alone")
    assert opened.kept.equals(there.kept) and opened.documents.drop("part").equals(there.documents)
    assert opened.explain("0.html") == there.explain("0.html")
    assert opened.manifest["inputs"][0]["path"] == there.manifest["inputs"][0]["path"]


@pytest.mark.parametrize("more", SOME)
def test_files_that_only_hadoop_reaches(spark, tmp_path, monkeypatch, more):
    """A viewfs mount: a folder, a pattern and a single file; the contents come through Spark and are set down on the executor."""
    folder = site(tmp_path / "网页 in")
    for name in ("gone.html", "pipe.html", *ODD[:2]):  # which Hadoop cannot read
        (folder / name).unlink()
    for path in folder.glob("_*.html"):  # which it passes over
        path.unlink()
    (folder / "a[1]{2}.html").write_bytes(made.page(3))
    monkeypatch.setattr(
        "quchong.engines.spark.text_files.MOST_BYTES", PAGE_BYTES // 2
    )  # the huge one is not handed over
    monkeypatch.setattr("quchong.engines.spark.found_files.MOST_BYTES", PAGE_BYTES // 2)
    spark._jsc.hadoopConfiguration().set("fs.viewfs.mounttable.texts.link./data", tmp_path.as_uri())
    qc.dedup(folder, out=tmp_path / "local", recall_sample=0, **EXACT)
    on_spark(spark, ["viewfs://texts/data/网页 in"], "viewfs://texts/data/out", **EXACT)
    manifest, other = hold_folders_equal(tmp_path / "out", tmp_path / "local", pairs=20)
    same = {key: other["inputs"][0][key] for key in ("name", "bytes", "blake2b")}
    assert manifest["inputs"] == [same | {"path": "viewfs://texts/data/网页 in", "records": 45}]
    for side in ("kept", "removed"):
        assert listed(tmp_path / "out", side) == listed(tmp_path / "local", side)
    opened = qc.load(tmp_path / "out")
    gone = opened.ledger["id"][0].as_py()
    assert opened.explain(gone).text is None and opened.explain(gone).survivor_id  # not read here
    with pytest.raises(RunError, match="no longer exists"):
        opened.rethreshold(0.9)
    if more:
        qc.dedup(
            [folder / "a" / "*.html", folder / "b c" / "第1页.HTM"], out=tmp_path / "named", recall_sample=0, **EXACT
        )
        on_spark(
            spark,
            ["viewfs://texts/data/网页 in/a/*.html", "viewfs://texts/data/网页 in/b c/第1页.HTM"],
            tmp_path / "named-out",
            **EXACT,
        )
        hold_folders_equal(tmp_path / "named-out", tmp_path / "named", pairs=0)
    (folder / "long.txt").write_bytes(b"a" * (PAGE_BYTES // 2 + 1))
    (folder / "a" / "rows.jsonl").write_text("{}")
    for inputs, said in (
        (["/long.txt"], "mount the file system"),
        ([""], "neither a web page"),
        (["/a/none*"], "has no file"),
    ):
        with pytest.raises(InputError, match=said):
            on_spark(
                spark,
                [f"viewfs://texts/data/网页 in{one}" for one in inputs],
                tmp_path / "no",
                "html" if "none" in inputs[0] else None,
            )


def run_main(monkeypatch, spark, argv):
    """The command, in the session of the tests."""
    monkeypatch.setattr("quchong.engines.spark.files.session", lambda _master, _settings: spark)
    monkeypatch.setattr("quchong.engines.spark.files.end", lambda _spark: None)
    monkeypatch.setattr(sys, "argv", ["quchong", *map(str, argv)])
    main()


def tree(folder):
    return {p: p.is_file() and p.read_bytes() for p in sorted(folder.rglob("*")) if not p.name.endswith(".crc")}


def test_wrong_calls(spark, tmp_path):
    """Each is refused with what to do, and nothing is changed."""
    pages, mixed, empty, no_pages = (tmp_path / name for name in ("pages", "mixed", "empty", "css"))
    for folder in (pages / "sub", mixed, empty, no_pages, tmp_path / "x.html"):
        folder.mkdir(parents=True)
    for i in range(4):
        (pages / "sub" / f"{i}.html").write_bytes(made.page(i // 2))
        (mixed / f"{i}.html").write_bytes(made.page(i))
        (no_pages / f"{i}.css").write_text("p {}")
    (mixed / "rows.jsonl").write_text('{"id": "a", "text": "b"}\n')
    (no_pages / "broken.html").write_bytes(b"\x89PNG" + bytes(range(30)) * 9)
    qc.dedup(pages, out=tmp_path / "run", recall_sample=0)
    before = tree(tmp_path)
    out = tmp_path / "out"
    for inputs, where, format, kind, said in [
        ([tmp_path / "none"], out, None, InputError, "none cannot be read, because it is empty"),
        ([tmp_path / "none"], out, "html", InputError, "none"),
        ([empty], out, None, InputError, "empty cannot be read, because it is empty"),
        ([mixed], out, None, UsageError, "all must be web pages and texts"),
        ([pages, mixed / "rows.jsonl"], out, None, UsageError, "all must be web pages and texts"),
        ([pages, mixed], out, None, UsageError, "all must be web pages and texts"),
        ([tmp_path / "x.html"], out, None, InputError, "is a folder, not a .html file"),
        ([tmp_path / "*.htm"], out, None, InputError, "no file or folder matches"),
        ([no_pages], out, None, InputError, "no record can be used: broken.html"),
        ([tmp_path / "run"], out, "html", InputError, "is a run folder that has only the paths of kept texts"),
        ([pages], out, "docx", UsageError, "unknown format 'docx'"),
        ([pages], pages / "out", None, OutputError, "is inside the input .*pages"),
        ([pages / "sub" / "*.html"], pages / "sub" / "0.html", None, OutputError, "same as .*choose another output"),
        ([pages / "sub"], pages, None, OutputError, "contains the input .*sub"),
        ([pages], tmp_path / "run", None, OutputError, "exists"),
        ([pages], tmp_path / "run" / "more", None, OutputError, "a run of quchong: choose a place outside it"),
    ]:
        with pytest.raises(QuchongError, match=said) as told:
            on_spark(spark, inputs, where, format)
        assert isinstance(told.value, kind), (inputs, told.value)
        assert tree(tmp_path) == before, inputs

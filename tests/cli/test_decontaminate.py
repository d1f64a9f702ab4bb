"""Covers: the command `decontaminate`, and `explain` and `restore` of its folder: what it prints in both languages, and wrong calls."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

QUESTION = "某工厂去年生产零件一万两千个，今年比去年多生产四分之一，今年生产多少个？"
TRAIN = [
    {"id": "a", "text": f"例题：{QUESTION}答：15000个。"},
    {"id": "b", "text": "今天是晴天，适合到公园散步。"},
    {"id": "c", "text": QUESTION},
]
TESTS = [{"id": "q1", "题": QUESTION, "答": "15000个"}, {"id": "q2", "题": "什么是熵？", "答": "混乱程度"}]
KEYS = ("--question-key", "题", "--answer-key", "答")


@pytest.fixture
def files(tmp_path):
    for name, rows in (("train.jsonl", TRAIN), ("exam.jsonl", TESTS)):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "train.jsonl", "--against", tmp_path / "exam.jsonl", *KEYS


def test_what_was_found_is_told_by_set_and_item(command, files):
    said = command("decontaminate", *files)
    assert said.code == 0 and said.out.startswith(
        "2 of 3 documents of train.jsonl contain the question of a test item\n"
    )
    assert said.out.splitlines()[2].split() == ["exam.jsonl", "2", "1", "1", "1", "0", "0"]
    assert "exam.jsonl: 1 item was not checked" in said.out
    assert "q1    2          1            1.00" in said.out
    told = json.loads(command("decontaminate", *files, "--json").out)
    assert [(m["id"], m["found"], m["start"]) for m in told["matches"]] == [("a", "both", 3), ("c", "question", 0)]
    assert [one["question_unjudged"] for one in told["items"]] == ["", "short"] and told["counts"]["leaking"] == 2
    assert told["sets"][0]["columns"] == {"question": ["题"], "answer": ["答"], "choices": []}


def test_it_speaks_chinese(command, files, tmp_path):
    said = command("decontaminate", *files, "--mode", "cut", "-o", tmp_path / "out", "--lang", "zh")
    assert (
        "2 篇文档含有测试题的题干（共 3 篇，来自 train.jsonl）" in said.out and "1 道题没有检查：题干太短" in said.out
    )
    told = command("explain", tmp_path / "out", "a", "--lang", "zh").out
    assert (
        told.splitlines()[0] == "a: 保留，切掉 39 个字符"
        and "题干，完整，比例 1.00；文档中有：题干和答案" in told
        and "文档 3-38" in told
    )


def test_a_folder_is_explained_and_restored(command, files, tmp_path):
    out = tmp_path / "out"
    assert command("decontaminate", *files, "--mode", "remove", "-o", out).code == 0
    told = command("explain", out, "a", "c").out
    assert (
        told.count("removed\n") == 2
        and "exam.jsonl q1: question, whole, share 1.00; in the document: question and answer" in told
    )
    rows = json.loads(command("explain", out, "c", "--json").out)
    assert rows["removed"] is True and rows["matches"][0]["question"] == QUESTION
    assert command("restore", out, "c").out == f"put back 1 row\n  rows put back: 1; file: {out}/kept.jsonl\n"
    assert (out / "kept.jsonl").read_text("utf-8").splitlines() == [
        json.dumps(TRAIN[k], ensure_ascii=False) for k in (1, 2)
    ]
    assert "c: kept" in command("explain", out, "c").out
    assert command("restore", out, "--all").code == 0
    assert (out / "kept.jsonl").read_bytes() == files[0].read_bytes() and (out / "removed.jsonl").read_bytes() == b""
    assert "no removed row that matches" in command("restore", out, "--all").out
    before = (out / "run.json").read_bytes()
    for wrong, why in ((["c"], "no removed or cut document 'c'"), ([], "name the documents to restore, or use --all"),
                       (["--relation", "exact"], "give ids of documents, or use --all")):  # fmt: skip
        said = command("restore", out, *wrong)
        assert said.code == 2 and why in said.line
    assert (out / "run.json").read_bytes() == before


@pytest.mark.parametrize(("wrong", "code", "why"), [
    (["--mode", "remove"], 2, "--mode remove writes rows: name a folder with -o"),
    (["--min-share", "70"], 2, "--min-share must be a share from 0 to 1, got 70"),
    (["--rule", "ngram13", "--min-share", "0.5"], 2, "under this rule, one common 13-gram is enough"),
    (["--min-length", "0"], 2, "--min-length must be a whole number of at least 1"),
    (["--rule", "ngram5"], 2, "--rule"),
    (["--question-key", "题目"], 3, "no column '题目'; it has these columns: 'id', '题', '答'. Name the right one with --question-key"),
    (["--choices-key", "A,B"], 3, "no column 'A'"),
    (["--threshold", "0.5"], 2, "--threshold"),
    (["--memory", "1K"], 2, "--memory"),
])  # fmt: skip
def test_wrong_calls_name_the_remedy(command, files, wrong, code, why):
    said = command("decontaminate", *files, *wrong)
    assert said.code == code and why in said.line and "Traceback" not in said.err
    assert any(
        "一" <= c <= "鿿" and c not in "题目答" for c in command("decontaminate", *files, *wrong, "--lang", "zh").err
    )


def test_without_test_sets_or_with_missing_ones(command, files, tmp_path):
    assert "--against" in command("decontaminate", files[0]).line
    (tmp_path / "odd.jsonl").write_text('{"q": "什么是熵？"}\n', encoding="utf-8")
    said = command("decontaminate", files[0], "--against", tmp_path / "odd.jsonl")
    assert (
        said.code == 3
        and "no column 'question'; it has these columns: 'q'. Name the right one with --question-key" in said.line
    )
    (tmp_path / "usual.jsonl").write_text(json.dumps({"正文": QUESTION}) + "\n", encoding="utf-8")
    assert command("decontaminate", files[0], "--against", tmp_path / "usual.jsonl").out.startswith("2 of 3")
    said = command("decontaminate", files[0], "--against", tmp_path / "none.jsonl")
    assert said.code == 3 and "none.jsonl" in said.line
    assert command("decontaminate", files[0], "--against", files[0]).code == 0


def test_folders_of_others_are_left_alone(command, files, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    said = command("decontaminate", *files, "-o", out, "--overwrite")
    assert said.code == 4 and "not a run folder" in said.line and (out / "mine.txt").read_text("utf-8") == "mine"
    done = tmp_path / "done"
    assert command("decontaminate", *files, "-o", done).code == 0
    assert command("decontaminate", *files, "-o", done).code == 4
    assert command("decontaminate", *files, "-o", done, "--mode", "remove", "--overwrite").code == 0
    assert command("decontaminate", *files, "-o", files[0].with_name("exam.jsonl"), "--overwrite").code == 4
    assert (done / "kept.jsonl").exists()


def test_a_test_set_that_a_link_leads_to_is_not_overwritten(command, files, tmp_path):
    done, sets = tmp_path / "done", tmp_path / "sets"
    assert command("decontaminate", *files, "--mode", "remove", "-o", done).code == 0
    sets.mkdir()
    (sets / "exam.jsonl").symlink_to(done / "removed.jsonl")
    before = (done / "removed.jsonl").read_bytes()
    said = command("decontaminate", files[0], "--against", sets, "-o", done, "--overwrite")
    assert said.code == 4 and "choose another output" in said.line and (done / "removed.jsonl").read_bytes() == before


def test_damaged_folders_are_refused(command, files, tmp_path):
    out = tmp_path / "out"
    command("decontaminate", *files, "--mode", "remove", "-o", out)
    told = json.loads((out / "run.json").read_text("utf-8"))
    for broken in (
        {**told, "files": {"train.jsonl": {"kept": "../../etc/passwd", "removed": 1}}},
        {**told, "files": {"train.jsonl": {"kept": "../kept.jsonl", "removed": "removed.jsonl"}}},
        {**told, "documents": {"train.jsonl": 1}},
        {**told, "documents": {"train.jsonl": 1 << 39}},
        {name: value for name, value in told.items() if name != "inputs"},
        [],
    ):
        (out / "run.json").write_text(json.dumps(broken), encoding="utf-8")
        said = command("restore", out, "--all")
        assert said.code == 5 and "Traceback" not in said.err
    (out / "run.json").write_text(json.dumps(told), encoding="utf-8")
    (out / "matches.parquet").write_bytes(b"PAR1")
    assert command("explain", out, "a").code == 5


def rewritten(path, changed):
    """Write a table anew with other values in the first row of some columns; None for a table without rows."""
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows = [] if changed is None else [rows[0] | changed, *rows[1:]]
    schema = pa.schema([field.with_nullable(True) for field in table.schema])
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)


@pytest.mark.parametrize("mode", ["report", "cut"])
@pytest.mark.parametrize(
    ("table", "changed"),
    [
        *[
            ("matches", {name: None})
            for name in ("set", "item", "part", "kind", "found", "share", "text", "id", "start")
        ],
        *[("matches", {name: "other"}) for name in ("set", "item", "part", "kind", "found", "source", "id")],
        ("matches", {"share": float("nan")}),
        ("matches", {"item_start": -1}),
        *[("items", {name: value}) for name in ("set", "item") for value in (None, "other")],
        ("items", None),
        ("items", {"question": None}),
        ("documents", None),
        *[("documents", {name: None}) for name in ("id", "removed", "cut", "place", "source", "found")],
        ("documents", {"source": "other"}),
        ("documents", {"place": 2}),
        ("documents", {"place": 3}),
        ("documents", {"cut": -1}),
    ],
)
def test_folders_made_by_hand_are_refused(command, files, tmp_path, mode, table, changed):
    out = tmp_path / "out"
    assert command("decontaminate", *files, "--mode", mode, "-o", out).code == 0
    rewritten(out / f"{table}.parquet", changed)
    for call in (("explain", out, "a"), ("restore", out, "--all")):
        said = command(*call)
        assert said.code == 5 and "differs from what a run writes" in said.line


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
def test_a_row_whose_text_is_in_a_string_of_json_is_removed_whole_where_others_are_cut(
    command, files, tmp_path, suffix
):
    listed = {"id": "d", "m": json.dumps({"text": f"前言\n{QUESTION}"}, ensure_ascii=False)}
    rows = [{"id": row["id"], "m": {"text": row["text"]}} for row in TRAIN]
    rows += [listed, {"id": "e", "m": {"text": ["别的", "内容"]}}]
    train = tmp_path / f"mixed{suffix}"
    whole = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    train.write_text(json.dumps(rows) if suffix == ".json" else whole, encoding="utf-8")
    out = tmp_path / "out"
    said = command("decontaminate", train, *files[1:], "--text-key", "m.text", "--mode", "cut", "-o", out)
    assert said.code == 0, said.err
    assert f"cut: {3 + 2 * len(QUESTION)} characters of 2 documents; no letters are left in 1 document\n" in said.out
    assert "1 document was removed entirely, because its text is inside a JSON string" in said.out

    def written(side):
        text = (out / f"{side}{suffix}").read_text("utf-8")
        return json.loads(text) if suffix == ".json" else [json.loads(line) for line in text.splitlines()]

    assert [row["id"] for row in written("kept")] == ["a", "b", "e"] and written("removed") == [
        rows[0],
        rows[2],
        listed,
    ]
    assert command("restore", out, "--all").code == 0 and written("kept") == rows


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
@pytest.mark.parametrize("call", [("decontaminate", "--mode", "cut"), ("dedup", "--unit", "line")])
def test_texts_within_strings_of_json_are_refused_before_anything_is_searched(command, files, tmp_path, suffix, call):
    train = tmp_path / f"chats.{suffix}"
    rows = [{"messages": json.dumps([{"role": "user", "content": QUESTION}])}]
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), train)
    else:
        train.write_text(json.dumps(rows[0], ensure_ascii=False) + "\n", encoding="utf-8")
    others = files[1:] if call[0] == "decontaminate" else ()
    for key in ("messages[0].content", "messages[].content"):
        said = command(call[0], train, *others, *call[1:], "--text-key", key, "-o", tmp_path / "out", "--progress")
        assert (
            said.code == 2 and "are inside JSON strings or maps" in said.err and "look for test items" not in said.err
        )
        assert not (tmp_path / "out").exists()


def test_one_is_told_as_one(command, files, tmp_path):
    train = files[0]
    with train.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "b", "text": "另一篇短文。"}) + "\n[]\n")
    said = command("decontaminate", *files, "--mode", "cut", "-o", tmp_path / "out").out
    assert "; no letters are left in 1 document\n1 bad record was skipped; skipped.jsonl lists them\n" in said
    told = command("dedup", train, "--unit", "line", "--dry-run")
    assert (
        "1 bad record was skipped\n" in told.out
        and "1 document has the same id as an earlier document" in told.out + told.err
    )


def test_documents_of_one_id_are_told_apart_and_what_was_cut_is_told(command, files, tmp_path):
    with files[0].open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "a", "text": QUESTION}) + "\n")
    out = tmp_path / "out"
    assert command("decontaminate", *files, "--mode", "cut", "-o", out).code == 0
    told = command("explain", out, "a").out.splitlines()
    assert f"a (train.jsonl, row 0): kept, with {3 + len(QUESTION)} characters cut" in told
    assert told.index("a (train.jsonl, row 3): removed") > 3 and sum("exam.jsonl q1" in line for line in told) == 2
    rows = [json.loads(line) for line in command("explain", out, "a", "--json").out.splitlines()]
    assert [(row["row"], row["removed"], row["cut"], len(row["matches"])) for row in rows] == [
        (0, False, 3 + len(QUESTION), 1), (3, True, len(QUESTION), 1)
    ]  # fmt: skip


@pytest.mark.parametrize("call", [("decontaminate", "--mode", "cut"), ("dedup", "--unit", "line", "--unit-words", "2")])
def test_kept_rows_of_such_a_folder_are_an_input(command, files, tmp_path, call):
    out, again = tmp_path / "out", tmp_path / "again"
    others = files[1:] if call[0] == "decontaminate" else ()
    assert command(call[0], files[0], *others, *call[1:], "-o", out).code == 0
    kept = len((out / "kept.jsonl").read_text("utf-8").splitlines())
    said = command("dedup", out, "-o", again)
    assert said.code == 0, said.err
    assert json.loads((again / "run.json").read_text("utf-8"))["counts"]["read"] == kept
    said = command("dedup", files[0], "--against", out, "-o", tmp_path / "beside")
    assert said.code == 0, said.err
    assert command("decontaminate", out, *files[1:]).out.splitlines()[0].startswith(f"{0 if others else 2} of {kept} ")
    assert command("decontaminate", files[0], "--against", out).code == 0
    for verb in ("verify", "report", "chains"):
        said = command(verb, out)
        assert said.code == 5 and "use quchong explain or quchong restore" in said.line


def test_a_folder_without_kept_rows_says_so(command, files, tmp_path):
    assert command("decontaminate", *files, "-o", tmp_path / "out").code == 0
    said = command("dedup", tmp_path / "out", "--dry-run")
    assert said.code == 3 and "in report mode, so it has no kept rows: give the input of that run instead" in said.line


def test_corpus_and_test_sets_exchanged_are_told(command, tmp_path, jsonl, article, monkeypatch):
    monkeypatch.chdir(tmp_path)
    jsonl("train.jsonl", [{"id": str(n), "text": f"{article(n)} {n}"} for n in range(120)])
    exam = [{"question": QUESTION, "answer": "15000个"}]
    jsonl("exam.jsonl", exam)
    said = command("decontaminate", "exam.jsonl", "--against", "train.jsonl")
    assert said.code == 3 and "quchong decontaminate train.jsonl --against exam.jsonl" in said.line
    said = command("decontaminate", "exam.jsonl", "--against", "train.jsonl", "--lang", "zh", "-o", tmp_path / "out")
    assert "quchong decontaminate train.jsonl --against exam.jsonl" in said.line and not (tmp_path / "out").exists()
    for words in (
        ("exam.jsonl", "--against", "train.jsonl", "--text-key", "question"),
        ("few.jsonl", "--against", "train.jsonl"),
    ):
        jsonl("few.jsonl", [{"text": article(1)}])
        said = command("decontaminate", *words)
        assert said.code == 0 and f"may be swapped: {words[0]} was searched (1 document) for the 120 items" in said.out
    for words in (("train.jsonl", "--against", "exam.jsonl"), ("few.jsonl", "--against", "exam.jsonl")):
        assert "exchanged" not in command("decontaminate", *words).out
    both = jsonl("both.jsonl", [one | {"text": article(2)} for one in exam])
    assert command("decontaminate", both, "--against", "exam.jsonl").code == 0

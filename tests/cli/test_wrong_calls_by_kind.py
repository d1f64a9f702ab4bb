"""Covers: kinds of wrong calls over many commands: one mechanism answers each kind, whatever the command, the option or the word.

Each kind has calls of several commands, and what every answer must have and must not have. A line that an answer shows is run too.
"""

import json
import re
import shlex

import pytest

from quchong.cli.kinds import WholeNumber
from quchong.errors import UsageError, check_choice, meant
from quchong.languages.habits import similar_values

NOT_FOR_PEOPLE = re.compile(r"Errno|Traceback|Usage:|Error:|internal error|<class|NoneType")


@pytest.fixture
def places(tmp_path, jsonl, article, command, monkeypatch):
    """A folder with a corpus, texts, a run, a damaged run, an index, and folders and files that are none of these."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": f"n00{n}", "title": f"Title {n}", "source": "Post", "time": "2026-03-01", "text": article(min(n, 2))}
        for n in (1, 2, 3)
    ]
    jsonl(tmp_path / "news.jsonl", rows)
    (tmp_path / "data.csv").write_text("编号,正文\n1,今天天气很好\n", "utf-8")
    (tmp_path / "a.txt").write_text(article(1), "utf-8")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(64)))
    (tmp_path / "exam.jsonl").write_text(json.dumps({"question": article(1)[:60], "answer": "x"}) + "\n", "utf-8")
    (tmp_path / "truth.jsonl").write_text('{"left_id": "n001", "right_id": "n002", "label": "different"}\n')
    for name in ("emptydir", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "other" / "note.doc").write_text("mine")
    for line in ("dedup news.jsonl -o run", "index create seen", "index add seen news.jsonl"):
        assert command(*line.split(), "-q").code == 0
    for name, lost in (("damaged", "ledger.parquet"), ("cut", "run.json")):
        (tmp_path / name).mkdir()
        for one in (tmp_path / "run").iterdir():
            (tmp_path / name / one.name).write_bytes(b"x" if one.name == lost else one.read_bytes())
    (tmp_path / "damaged" / "ledger.parquet").unlink()
    return tmp_path


def answer(command, line, code=None):
    ran = command(*shlex.split(line))
    assert ran.code not in (0, 1) if code is None else ran.code == code, f"{line}: {ran.code} {ran.err}"
    assert not NOT_FOR_PEOPLE.search(ran.err), ran.err
    return ran.err.strip().splitlines()[-1]


VALUES = [
    ("dedup news.jsonl --preset STRICT", "strict"), ("dedup news.jsonl --unit 段落", "paragraph"),
    ("dedup news.jsonl --unit lines", "line"), ("dedup news.jsonl --format ndjosn", "jsonl"),
    ("dedup news.jsonl --format EXCEL", "xlsx"), ("dedup news.jsonl --strip sources", "source"),
    ("dedup news.jsonl --roundups 删除", "remove"), ("passages news.jsonl --cut Copies -o out", "copies"),
    ("passages news.jsonl --cut-at sentenc -o out", "sentence"), ("access add callers.jsonl bob --role Writer", "write"),
    ("index create new --store Text", "text"), ("decontaminate news.jsonl --against exam.jsonl --when Both", "both"),
    ("completion Bash", "bash"), ("compare a.txt a.txt --method cosin", "cluster"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "value"), VALUES, ids=[line for line, _ in VALUES])
def test_a_value_in_other_letters_or_words_leads_to_the_value(places, command, line, value):
    assert f"did you mean {value}?" in answer(command, line)


TAKEN = [
    ("dedup news.jsonl -o other", "other2/"), ("passages news.jsonl -o other", "other2/"),
    ("decontaminate news.jsonl --against exam.jsonl -o other", "other2/"), ("index export seen -o other", "other2/"),
    ("report run -o exam.jsonl", "exam2.jsonl"), ("chains run -o exam.jsonl", "exam2.jsonl"),
    ("statistics news.jsonl -o exam.jsonl", "exam2.jsonl"), ("inspect a.txt -o page.html", "page2.html"),
    ("templates run --boilerplate exam.jsonl", ""), ("eval run --truth truth.jsonl --curve taken.png", ""),
]  # fmt: skip


PLACES = TAKEN + [(f"{line} --overwrite", free) for line, free in TAKEN if free]
"""The last two commands have no --overwrite."""


@pytest.mark.parametrize(("line", "free"), PLACES, ids=[line for line, _ in PLACES])
def test_a_place_that_is_no_earlier_output_is_never_offered_for_overwriting(places, command, line, free):
    (places / "page.html").write_text("mine")
    (places / "taken.png").write_text("mine")
    before = {one: one.read_bytes() for one in places.rglob("*") if one.is_file()}
    said = answer(command, line)
    assert free in said and "with --overwrite" not in said
    assert all(one.read_bytes() == content for one, content in before.items() if "seen" not in one.parts)


@pytest.mark.parametrize(
    "line", ["dedup news.jsonl -o run", "passages news.jsonl -o found", "statistics news.jsonl -o idf.parquet"]
)
def test_an_earlier_output_is_offered_for_overwriting_and_a_free_name_is_shown(places, command, line):
    if " run" not in line:
        assert command(*line.split(), "-q").code == 0
    said = answer(command, line)
    assert "--overwrite" in said and re.search(r"such as (run2/|found2/|idf2\.parquet)", said)
    assert command(*line.split(), "--overwrite", "-q").code == 0


@pytest.mark.parametrize("call", ["explain {} n001", "report {}", "templates {}", "chains {}", "verify {}", "restore {} n001",
                                  "eval {} --truth truth.jsonl", "inspect --run {} n001", "index create new --from {}"])  # fmt: skip
@pytest.mark.parametrize(("folder", "lost"), [("damaged", "ledger.parquet"), ("cut", "run.json")])
def test_a_damaged_run_is_called_damaged_with_the_file_it_lacks(places, command, call, folder, lost):
    said = answer(command, call.format(folder), 5)
    assert f"{folder} is a damaged run: {lost}" in said and "restore that file" in said


@pytest.mark.parametrize("call", ["explain emptydir n001", "report emptydir", "explain nothing n001"])
def test_a_damaged_run_is_not_recommended(places, command, call):
    assert answer(command, call, 5).endswith("the current folder contains run")


@pytest.mark.parametrize(
    "call", ["explain run n001", "verify run", "report run -o new.html", "chains run", "inspect --run run n001"]
)
def test_a_folder_of_texts_that_is_not_there_is_refused(places, command, call):
    assert "emptydri: no such file; did you mean emptydir?" in answer(command, f"{call} --texts emptydri", 3)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("explain run", "quchong explain run n00"), ("explain seen", "quchong explain seen n001"),
        ("explain n001", "quchong explain run n001"), ("compare a.txt", "quchong compare a.txt b.html"),
        ("index backup seen", "quchong index backup seen copy/"), ("access remove callers.jsonl", "quchong access remove callers.jsonl crawler"),
    ],
)  # fmt: skip
def test_a_missing_argument_is_shown_in_the_line_of_the_caller(places, command, line, shown):
    assert f"or try: {shown}" in answer(command, line)


@pytest.mark.parametrize("line", ["explain run n001 -o x.txt", "templates run -o t.json", "eval run --truth truth.jsonl -o e.json",
                                  "tune news.jsonl --truth truth.jsonl -o best.json", "methods -o m.txt"])  # fmt: skip
def test_output_of_a_command_without_an_output_is_redirected_in_the_line_of_the_caller(places, command, line):
    said = answer(command, line)
    words, file = line.split(" -o ")
    assert re.search(rf"{re.escape(f'quchong {words}')}( --json)? > {re.escape(file)}", said), said


@pytest.mark.parametrize(
    "line",
    ["dedup news.jsonl --shuffle", "tune news.jsonl --truth truth.jsonl --trials 5", "index create new --in-memory",
     "doctor --colours", "report run --titel X", "serve seen --cors x", "resume run --frobnicate"],
)  # fmt: skip
def test_an_option_that_stands_for_nothing_is_to_be_left_out(places, command, line):
    assert "leave out the option" in answer(command, line)


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("+8", "Etc/GMT-8"),
        ("UTC+8", "Etc/GMT-8"),
        ("asia/shanghai", "Asia/Shanghai"),
        ("Beijing", "Asia/Shanghai"),
        ("tokyo", "Asia/Tokyo"),
    ],
)
def test_a_time_zone_in_other_words_leads_to_its_name(places, command, line, zone):
    assert answer(command, f"chains run --time-zone {line}").endswith(f"did you mean {zone}?")
    assert command("chains", "run", "--time-zone", zone).code == 0


@pytest.mark.parametrize("option", ["source-key", "time-key", "title-key", "link-key"])
def test_a_column_of_chains_that_no_document_has_is_answered_with_those_there_are(places, command, option):
    said = answer(command, f"chains run --{option} sorce")
    assert "'source'" in said and "'title'" in said


@pytest.mark.parametrize("call", ["index add seen data.csv", "index query seen data.csv"])
def test_a_table_without_the_column_of_an_index_names_what_can_be_done(places, command, call):
    said = answer(command, call, 3)
    assert "Rename '正文' to 'text'" in said
    assert command(*shlex.split(said.rpartition("quchong ")[2])).code == 0


@pytest.mark.parametrize(
    "line", ["index import seen news.jsonl", "index import news.jsonl seen", "index ingest news.jsonl seen"]
)
def test_the_index_comes_before_the_file_whatever_their_order(places, command, line):
    assert "quchong index add seen news.jsonl" in answer(command, line)


@pytest.mark.parametrize(("line", "shown"), [("explain run 0", "the first id is 'n001'"), ("restore run 第2行", "the id in row 2 is 'n002'"),
                                             ("restore run 0", "the first id is 'n001'"),
                                             ("index delete seen n001,n002", "n001 n002")])  # fmt: skip
def test_rows_and_several_ids_in_one_word_lead_to_ids(places, command, line, shown):
    assert shown in answer(command, line)


@pytest.mark.parametrize(
    "line", ["compare a.txt photo.png", "inspect photo.png", "dedup photo.png", "index add seen photo.png"]
)
def test_a_picture_is_a_picture_for_every_command(places, command, line):
    assert "run text recognition (OCR) first" in answer(command, line, 3)


@pytest.mark.parametrize("word", ["lines", "SENTENCE", "句子"])
def test_choices_are_checked_in_one_place(word):
    with pytest.raises(UsageError, match=r"unknown unit='.*': use line, sentence; did you mean (line|sentence)\?"):
        check_choice("unit", word, ["line", "sentence"])
    check_choice("unit", "line", ["line", "sentence"])
    with pytest.raises(UsageError, match="unknown unit=None: use line"):
        check_choice("unit", None, ["line"])


def test_a_misspelt_habit_leads_to_its_value_and_a_like_name_is_nearer():
    assert similar_values("ndjosn", ["json", "jsonl"]) == ["jsonl"]
    assert str(meant("strct", ["strict", "lenient"])) == "; did you mean strict?"
    assert str(meant("zzz", ["strict", "lenient"])) == ""


@pytest.mark.parametrize(("word", "advice"), [("all", "such as 1000000"), ("auto", "leave out the option")])
def test_all_is_a_large_number_where_less_is_shown(places, command, word, advice):
    assert advice in answer(command, f"templates run --limit {word}")
    assert isinstance(WholeNumber(1), WholeNumber)


def test_one_of_several_inputs_without_the_column_of_texts_may_be_left_out(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exam.jsonl").write_text('{"id": "q1", "question": "x"}\n', encoding="utf-8")
    (tmp_path / "news.jsonl").write_text('{"id": "n001", "text": "x"}\n', encoding="utf-8")
    both, one = command("dedup", "exam.jsonl", "news.jsonl", "-o", "a"), command("dedup", "exam.jsonl", "-o", "b")
    assert both.code == one.code == 3
    assert "leave out this input" in both.err and "leave out" not in one.err


def test_an_id_without_its_run_is_completed_with_the_run_that_has_it(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for run, name in (("first", "n001"), ("second", "p001")):
        (tmp_path / "in.jsonl").write_text(f'{{"id": "{name}", "text": "x y z"}}\n', encoding="utf-8")
        assert command("dedup", "in.jsonl", "-o", run).code == 0
    assert "quchong explain first n001" in command("explain", "n001").err
    assert "quchong explain second p001" in command("explain", "p001").err


def test_a_word_that_denies_is_mapped_to_different(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "x y z"}\n{"id": "b", "text": "x y z"}\n', encoding="utf-8")
    assert command("dedup", "in.jsonl", "-o", "run").code == 0
    for words, shown in ((("yes_", "nodup"), "yes_=same,nodup=different"), (("非重稿",), "非重稿=different")):
        (tmp_path / "l.csv").write_text(
            "left,right,label\n" + "".join(f"a,b,{one}\n" for one in words), encoding="utf-8"
        )
        assert shown in command("eval", "run", "--truth", "l.csv").err

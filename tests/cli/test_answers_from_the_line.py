"""Covers: an answer uses what the line and its files show: paths given beside a misspelt one, the option that names a column, which file
is the test set, what a file of labels or of options has, and what an output is.
"""

import shlex

import pytest


@pytest.fixture
def places(tmp_path, jsonl, article, command, monkeypatch):
    """A folder with a corpus, a run, test items, labels and texts with similar names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUCHONG_LANG", "en")
    jsonl(tmp_path / "news.jsonl", [{"id": f"n{n}", "text": article(min(n, 2))} for n in (1, 2, 3)])
    jsonl(tmp_path / "exam.jsonl", [{"question": article(5)[:60], "answer": "A"}])
    (tmp_path / "监测.csv").write_text(
        "编号,新闻内容,来源网站,发布日期\n1,今天天气很好,甲,2026-03-01\n2,明天下雨,乙,2026-03-02\n", "utf-8"
    )
    for name in "甲乙丙":
        (tmp_path / f"稿件{name}.txt").write_text(article(1), "utf-8")
    assert command("dedup", "news.jsonl", "-o", "run", "-q").code == 0
    return tmp_path


def last_line(command, line):
    ran = command(*shlex.split(line))
    assert ran.code in (2, 3, 4), f"{line}: {ran.code} {ran.err}"
    return ran.err.strip().splitlines()[-1]


NEAR = [
    ("compare 稿件甲.txt 稿件已.txt", "did you mean 稿件丙.txt or 稿件乙.txt?"),
    ("compare 稿件已.txt 稿件丙.txt", "did you mean 稿件乙.txt or 稿件甲.txt?"),
    ("dedup news.jsonl newz.jsonl", "check the spelling"),
    ("dedup newz.jsonl", "did you mean news.jsonl?"),
]


@pytest.mark.parametrize(("line", "said"), NEAR, ids=[line for line, _ in NEAR])
def test_a_path_given_beside_a_missing_one_is_not_meant(places, command, line, said):
    assert last_line(command, line).endswith(f"no such file; {said}")


COLUMNS = [
    ("--time-key 时间 --within 7d", "--time-key 时间: no record has this column", "did you mean 发布日期?"),
    ("--time-key 时间 --keep earliest", "--time-key 时间: no record has this column", "did you mean 发布日期?"),
    ("--source-key 网站 --keep source:甲", "--source-key 网站: no record has this column", "did you mean 来源网站?"),
    ("--per 网站", "--per 网站: no record has this column", "did you mean 来源网站?"),
]


@pytest.mark.parametrize(("options", "named", "meant"), COLUMNS, ids=[one[0] for one in COLUMNS])
def test_a_missing_column_is_said_of_the_option_that_names_it(places, command, options, named, meant):
    said = last_line(command, f"dedup 监测.csv --text-key 新闻内容 {options}")
    assert named in said and meant in said and "'新闻内容'" in said


def test_a_needed_column_without_a_name_leads_to_the_option_that_names_it(places, command):
    said = last_line(command, "dedup exam.jsonl --text-key question --within 7d")
    assert "--within needs the column 'time'" in said and "name the right one with --time-key" in said


ROLES = [
    ("decontaminate exam.jsonl news.jsonl", "quchong decontaminate news.jsonl --against exam.jsonl"),
    ("decontaminate news.jsonl exam.jsonl -o clean", "quchong decontaminate news.jsonl -o clean --against exam.jsonl"),
    ("decontaminate exam.jsonl", "quchong decontaminate corpus.jsonl --against exam.jsonl"),
    ("decontaminate news.jsonl 监测.csv", "quchong decontaminate news.jsonl --against 监测.csv"),
]


@pytest.mark.parametrize(("line", "shown"), ROLES, ids=[line for line, _ in ROLES])
def test_the_file_with_questions_is_the_test_set(places, command, line, shown):
    said = last_line(command, line)
    assert said.endswith(shown) and "the corpus is given without an option, and the test sets with --against" in said


@pytest.mark.parametrize("line", ["eval run --truth news.jsonl", "tune news.jsonl --truth 监测.csv"])
def test_a_corpus_in_place_of_labels_is_said_to_be_one(places, command, line):
    said = last_line(command, line)
    assert "contains documents, not labels" in said and "quchong review run/ --export labels.jsonl" in said
    assert "--truth-keys" not in said


def test_columns_of_labels_under_usual_names_are_told(places, command):
    (places / "labels.csv").write_text("id1,id2,is_dup\nn2,n3,1\nn1,n2,0\n")
    ran = command("eval", "run", "--truth", "labels.csv")
    assert ran.code == 0 and "the columns id1, id2, is_dup are read as left_id, right_id, label" in ran.out
    (places / "labels.csv").write_text("left_id,right_id,label\nn2,n3,1\nn1,n2,0\n")
    assert "are read as" not in command("eval", "run", "--truth", "labels.csv").out


@pytest.mark.parametrize(
    "line", ["dedup news.jsonl", "passages news.jsonl", "decontaminate news.jsonl --against exam.jsonl"]
)
def test_an_output_that_is_the_input_is_to_be_a_folder(places, command, line):
    assert last_line(command, f"{line} -o news.jsonl").endswith("the output is a new folder, such as -o news/")


def test_an_output_that_is_to_be_a_file_is_no_folder(places, command):
    assert last_line(command, "statistics news.jsonl -o news.jsonl").endswith("choose another output")


CONFIGS = [
    (
        "method: minhash\nnum_perm: 128  # many\n\n# none\nweights: [1, 2]\n",
        'such as method = "minhash", num_perm = 128, into',
    ),
    ("text_key = 'body'\n", 'such as text_key = "body", into'),
    ("- a\n- b\n", 'such as method = "minhash", into'),
]


@pytest.mark.parametrize(("text", "said"), CONFIGS)
def test_options_in_another_format_are_shown_as_toml(places, command, text, said):
    (places / "conf.yaml").write_text(text, "utf-8")
    assert said in last_line(command, "dedup news.jsonl --config conf.yaml -o out")


def test_an_id_that_was_not_removed_leads_to_those_that_were(places, command):
    said = last_line(command, "restore run n1")
    assert said.endswith("cannot be put back; the removed documents are 'n3'") or said.endswith(
        "the removed documents are 'n2'"
    )


def test_lines_that_are_all_texts_are_one_error(places, command):
    (places / "posts.jsonl").write_text("one text\nanother text\n" * 8)
    ran = command("filter", "posts.jsonl")
    assert ran.code == 3 and "add --lines" in ran.err and "broken JSON" not in ran.err
    (places / "posts.jsonl").write_text('{"text": "a"}\nno record\n{"text": "b"}\n')
    ran = command("filter", "posts.jsonl")
    assert ran.code == 0 and "line 2: broken JSON" in ran.err

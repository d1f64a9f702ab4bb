"""Covers: `decontaminate`. Every rule against a count in plain Python; offsets that lead to equal letters; rows that are kept, removed,
cut, annotated and put back; the same answer in any order, division and number of workers.
"""

import json
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.engines.contamination import rules
from quchong.errors import InputError, UsageError
from quchong.io import open_inputs
from quchong.results.contamination_folder import ContaminationFolder

QUESTION = "某工厂去年生产零件一万两千个，今年比去年多生产四分之一，今年生产多少个？"
ANSWER = "一万五千个。去年的一万两千个加上它的四分之一，也就是三千个。"
ITEM = {"id": "q1", "question": QUESTION, "answer": ANSWER}
RAIN = "明天有雨，记得带伞。"
LETTERS = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地玄黄宇宙洪荒日月盈昃"


def ngrams(text, width):
    letters = [c for c in text if c.isalnum()]
    return [tuple(letters[i : i + width]) for i in range(len(letters) - width + 1)]


def made_corpus(seed, documents=60, items=25):
    """Items, and documents made of pieces of items and noise, over few letters, so that n-grams meet by chance too."""
    draw = random.Random(seed)

    def noise(low, high):
        return "".join(draw.choice(LETTERS[:12]) + "，" * (draw.random() < 0.1) for _ in range(draw.randint(low, high)))

    tests = [{"id": str(k), "question": noise(16, 60)} for k in range(items)]
    corpus = []
    for k in range(documents):
        pieces = [noise(0, 40)]
        for _ in range(draw.randint(0, 3)):
            question = draw.choice(tests)["question"]
            a, b = sorted(draw.sample(range(len(question) + 1), 2)) if draw.random() < 0.8 else (0, len(question))
            pieces += [question[a:b], noise(0, 10)]
        corpus.append({"id": str(k), "text": "".join(pieces)})
    return corpus, tests


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("rule", "width", "share"), [("ngram8", 8, 0.7), ("ngram8", 8, 0.3), ("ngram13", 13, None)])
def test_the_rules_of_the_papers_find_what_a_count_in_python_finds(rule, width, share, seed):
    corpus, tests = made_corpus(seed)
    found = qc.decontaminate(corpus, tests, rule=rule, min_share=share)
    pairs = {(row["id"], row["item"]): row["share"] for row in found.matches.to_pylist()}
    expected = {}
    for document in corpus:
        there = set(ngrams(document["text"], width))
        for item in tests:
            own = ngrams(item["question"], width)
            count = sum(one in there for one in own)
            if own and (count / len(own) >= share if share is not None else count):
                expected[document["id"], item["id"]] = round(count / len(own), 4)
    assert pairs == expected and len(expected) >= 5


@pytest.mark.parametrize("rule", rules.RULES)
def test_offsets_lead_to_equal_letters(rule):
    corpus, tests = made_corpus(9)
    texts, questions = {d["id"]: d["text"] for d in corpus}, {t["id"]: t["question"] for t in tests}
    rows = qc.decontaminate(corpus, tests, rule=rule).matches.to_pylist()
    assert len(rows) > 5
    for row in rows:
        text, question = (
            texts[row["id"]][row["start"] : row["end"]],
            questions[row["item"]][row["item_start"] : row["item_end"]],
        )
        assert text == row["text"]
        if rule != "containment" or row["kind"] == "exact":
            assert [c for c in text if c.isalnum()] == [c for c in question if c.isalnum()]


def test_containment_finds_every_whole_item_and_every_item_with_one_letter_exchanged():
    draw = random.Random(5)
    tests = [{"id": str(k), "question": "".join(draw.choices(LETTERS, k=draw.randint(20, 50)))} for k in range(40)]
    host = "".join(draw.choices(LETTERS, k=200))
    changed = []
    for item in tests:
        at = draw.randrange(len(item["question"]))
        changed.append(item["question"][:at] + "换" + item["question"][at + 1 :])
    corpus = [{"id": t["id"], "text": host[:90] + text + host[90:]} for t, text in zip(tests, changed, strict=True)]
    found = qc.decontaminate(corpus, tests)
    assert {(row["id"], row["item"]) for row in found.matches.to_pylist()} == {(t["id"], t["id"]) for t in tests}
    whole = [{"id": t["id"], "text": host[:90] + t["question"] + host[90:]} for t in tests]
    rows = qc.decontaminate(whole, tests).matches.to_pylist()
    assert all(row["kind"] == "exact" and (row["start"], row["share"]) == (90, 1.0) for row in rows) and len(rows) == 40


@pytest.mark.parametrize("rule", rules.RULES)
def test_order_division_and_workers_make_no_difference(rule, tmp_path):
    corpus, tests = made_corpus(3, 200)

    def matches(data, **options):
        rows = qc.decontaminate(data, tests, rule=rule, **options).matches.to_pylist()
        return sorted((r["id"], r["item"], r["share"], r["kind"], r["found"], r["start"], r["end"]) for r in rows)

    expected = matches(corpus, workers=1)
    shuffled = random.Random(1).sample(corpus, len(corpus))
    assert matches(corpus, workers=4) == matches(shuffled) == expected and len(expected) > 20
    for k in range(3):
        lines = [json.dumps(one, ensure_ascii=False) for one in shuffled[k::3]]
        (tmp_path / f"part{k}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert matches(sorted(tmp_path.glob("*.jsonl"))) == expected


@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        QUESTION.replace("，", ",").replace("？", "?"),
        "某工廠去年生產零件一萬兩千個，今年比去年多生產四分之一，今年生產多少個？",
        "某工厂去年生产零件一万\n  两千个，今年比去\r\n年多生产四分之\n一，今年生产\n多少个？",
    ],
)
def test_width_marks_lines_and_script_hide_nothing(text):
    before = "例题："
    rows = qc.decontaminate([before + text + RAIN], [ITEM]).matches.to_pylist()
    assert [(row["kind"], row["found"], row["start"]) for row in rows] == [("exact", "question", len(before))]
    assert rows[0]["text"] == text.rstrip("？?")


def test_a_number_in_digits_is_no_other_number():
    text = "某 工 厂 去 年 生 产 零 件 １２０００ 个，今 年 比 去 年 多 生 产 四 分 之 一，今 年 生 产 多 少 个"
    rows = qc.decontaminate([text, text.replace("１２", "１３")], [ITEM]).matches.to_pylist()
    assert [(row["kind"], row["found"], row["start"]) for row in rows] == [
        ("near", "question", 0),
        ("variant", "variant", 0),
    ]


def test_question_and_answer_are_told_apart():
    corpus = [QUESTION + RAIN, RAIN + ANSWER, QUESTION + "\n答：" + ANSWER, RAIN]
    found = qc.decontaminate(corpus, [ITEM], mode="remove")
    assert {row["row"]: row["found"] for row in found.documents.to_pylist()} == {0: "question", 1: "answer", 2: "both"}
    assert found.rows["text"].to_pylist() == [RAIN + ANSWER, RAIN]
    assert found.items.to_pylist()[0] | {"documents": 2, "both": 1, "answers": 1} == found.items.to_pylist()[0]
    both = qc.decontaminate(corpus, [ITEM], mode="remove", when="both")
    assert both.rows["text"].to_pylist() == [corpus[0], corpus[1], RAIN]


@pytest.mark.parametrize(
    ("answer", "said", "found"),
    [
        ("15000个", "答：15000个", "both"), ("15000个", "答：115000个", "question"), ("北京", "答案是北京市", "both"),
        ("北京", "答案是南京", "question"), ("是", "他说是", "question"), ("Paris", "It is Paris.", "both"), ("Paris", "Parisian", "question"),
        ("一万五千个", "答：15000個", "both"), ("一万五千个", "答：15001个", "question"), ("7", "答案：7", "both"), ("7", "答案：17", "question"),
        ("B", "A 甲 B 乙", "question"), ("B", "故选B。", "both"), ("(c)", "Answer: C", "both"),
    ],
)  # fmt: skip
def test_a_short_answer_counts_beside_its_question(answer, said, found):
    rows = qc.decontaminate([QUESTION + said], [ITEM | {"answer": answer}]).matches.to_pylist()
    assert [row["found"] for row in rows] == [found]
    far = qc.decontaminate([QUESTION + RAIN * 100 + said], [ITEM | {"answer": answer}]).matches.to_pylist()
    assert [row["found"] for row in far] == ["question"]


CHOICE = {"id": "c", "question": "下列关于光合作用的说法中正确的一项是", "answer": "B",
          "choices": ["只在白天进行而且不需要酶", "光反应在类囊体薄膜上进行", "暗反应必须在黑暗里进行", "叶绿素吸收绿光最多"]}  # fmt: skip


@pytest.mark.parametrize("shape", [
    lambda item: item,
    lambda item: item | {"answer": 1},
    lambda item: item | {"choices": {"text": item["choices"], "label": ["A", "B", "C", "D"]}},
    lambda item: {k: v for k, v in item.items() if k != "choices"} | dict(zip("ABCD", item["choices"], strict=True)),
])  # fmt: skip
def test_a_common_stem_is_looked_for_with_its_choices(shape):
    whole = (
        CHOICE["question"]
        + "："
        + "".join(f"{letter}．{one} " for letter, one in zip("ABCD", CHOICE["choices"], strict=True))
    )
    corpus = [CHOICE["question"] + "：A．发生在夜里 B．需要氧气", whole, whole + "答案：B", whole + "答案：C"]
    found = qc.decontaminate(corpus, [shape(CHOICE)])
    assert {row["row"]: row["found"] for row in found.documents.to_pylist()} == {
        1: "question",
        2: "both",
        3: "question",
    }
    assert found.items["with_choices"].to_pylist() == [True]


def test_items_that_cannot_be_judged_are_listed_with_the_reason():
    prompt = "请仔细阅读下面的题目并从四个选项中选出唯一正确的一项"
    frames = [{"id": f"f{k}", "question": prompt + LETTERS[k] * 3} for k in range(12)]
    tests = [*frames, {"id": "short", "question": "什么是熵？"}, {"id": "none", "question": "？"}, ITEM]
    found = qc.decontaminate([prompt + "，什么是熵？", QUESTION], tests)
    reasons = dict(zip(found.items["item"].to_pylist(), found.items["question_unjudged"].to_pylist(), strict=True))
    assert reasons == {**{f"f{k}": "frame" for k in range(12)}, "short": "short", "none": "empty", "q1": ""}
    assert found.sets[0]["judged"] == 1 and found.sets[0]["unjudged"] == {"short": 1, "frame": 12, "empty": 1}
    assert [row["item"] for row in found.matches.to_pylist()] == ["q1"]
    lower = qc.decontaminate(["什么是电磁感应现象", "别的话"], [{"question": "什么是电磁感应现象？"}], min_length=8)
    assert lower.sets[0]["found"] == 1


def test_other_numbers_are_another_question():
    other = QUESTION.replace("一万两千", "三万六千").replace("四分之一", "六分之一")
    found = qc.decontaminate([other, "例：" + QUESTION.replace("一万两千", "一万八千")], [ITEM], mode="remove")
    assert [row["found"] for row in found.documents.to_pylist()] == ["variant", "variant"]
    assert found.sets[0]["variant"] == 1 and found.sets[0]["found"] == 0 and len(found.rows) == 2


ROWS = [
    {"id": "a", "text": f"说明。{QUESTION}\n答：{ANSWER}后面还有别的题目。{RAIN}", "n": 1},
    {"id": "b", "text": RAIN, "n": 2},
    {"id": "c", "text": QUESTION, "n": 3},
    {"id": "d", "text": "又一天。" + RAIN, "n": 4},
    {"id": "e", "text": "练习：" + QUESTION + RAIN, "n": 5},
]


def write(folder, kind):
    path = folder / f"train.{kind}"
    table = pa.Table.from_pylist(ROWS)
    if kind == "parquet":
        pq.write_table(table, path)
    elif kind == "jsonl":
        lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
        path.write_text("\n".join([lines[0], "no record", *lines[1:]]) + "\n", encoding="utf-8")
    else:
        path.write_text("id,text,n\n" + "".join(f'{r["id"]},"{r["text"]}",{r["n"]}\n' for r in ROWS), encoding="utf-8")
    return path


def rows_of(path):
    (source,) = open_inputs([path])
    for _ in source.documents(qc.api.make_plan().wanted_columns, []):
        pass
    return [(str(row["id"]), row["text"]) for row in source.table_of(np.ones(source.expected(), bool)).to_pylist()]


@pytest.mark.parametrize("mode", ["remove", "cut"])
@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_what_was_taken_is_put_back(mode, kind, tmp_path):
    train, out = write(tmp_path, kind), tmp_path / "out"
    found = qc.decontaminate(train, [ITEM], mode=mode, out=out)
    kept, removed = out / f"kept.{kind}", out / f"removed.{kind}"
    assert [one for one, _ in rows_of(removed)] == ["a", "c", "e"]
    # Nothing of the item is in what is left, and nothing else is missing from it.
    again = qc.decontaminate(kept, [ITEM])
    assert len(again.matches) == 0
    if mode == "cut":
        assert rows_of(kept) == [
            ("a", "说明。\n后面还有别的题目。" + RAIN),
            ("b", RAIN),
            ("d", ROWS[3]["text"]),
            ("e", RAIN),
        ]
        assert found.manifest["counts"] | {"cut": 3, "removed": 1, "leaking": 3} == found.manifest["counts"]
    else:
        assert [one for one, _ in rows_of(kept)] == ["b", "d"]
    # One document first, then all others; the kept rows are then those of the input.
    before = removed.read_bytes()
    assert ContaminationFolder.open_path(out).restore(["e"]).files == {f"kept.{kind}": 1}
    assert dict(rows_of(kept))["e"] == ROWS[4]["text"] and [one for one, _ in rows_of(removed)] == ["a", "c"]
    assert removed.read_bytes() != before
    ContaminationFolder.open_path(out).restore(everything=True)
    assert rows_of(kept) == [(row["id"], row["text"]) for row in ROWS]
    left = ContaminationFolder.open_path(out)
    assert not any(left.documents["removed"].to_pylist()) and set(left.documents["cut"].to_pylist()) == {0}
    assert left.manifest["counts"] | {"removed": 0, "cut": 0} == left.manifest["counts"]
    assert [json.loads(line)["id"] for line in (out / "restored.jsonl").read_text("utf-8").splitlines()] == [
        "e",
        "a",
        "c",
    ]
    if kind == "jsonl":
        assert kept.read_bytes() == train.read_bytes().replace(b"no record\n", b"")


def test_a_folder_of_texts_is_removed_and_put_back_by_paths_and_not_cut(tmp_path):
    folder = tmp_path / "train"
    folder.mkdir()
    for row in ROWS:
        (folder / f"{row['id']}.txt").write_text(row["text"], encoding="utf-8")
    out = tmp_path / "out"
    qc.decontaminate(folder, [ITEM], mode="remove", out=out)
    assert (out / "kept.txt").read_text("utf-8").splitlines() == ["b.txt", "d.txt"]
    ContaminationFolder.open_path(out).restore(["c.txt"])
    assert (out / "kept.txt").read_text("utf-8").splitlines() == ["b.txt", "c.txt", "d.txt"]
    with pytest.raises(UsageError, match="no rows in which a text could be replaced"):
        qc.decontaminate(folder, [ITEM], mode="cut", out=tmp_path / "cut")
    assert not (tmp_path / "cut").exists()


def test_annotated_rows_say_what_was_found(tmp_path):
    qc.decontaminate(write(tmp_path, "jsonl"), [ITEM], mode="annotate", out=tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out" / "annotated.jsonl").read_text("utf-8").splitlines()]
    assert [row["quchong_leak"] for row in rows] == ["both", None, "question", None, "question"]
    assert [{k: v for k, v in row.items() if not k.startswith("quchong_")} for row in rows] == ROWS
    made = qc.decontaminate(ROWS, [ITEM], mode="annotate").rows
    assert made["quchong_leak_items"].to_pylist() == [1, 0, 1, 0, 1]


def test_several_sources_and_several_sets(tmp_path):
    for k, row in enumerate(ROWS):
        (tmp_path / f"{k}.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    tests = tmp_path / "tests"
    tests.mkdir()
    for name, item in (("one", ITEM), ("two", ITEM | {"id": "again"})):
        (tests / f"{name}.jsonl").write_text(json.dumps(item, ensure_ascii=False) + "\n", encoding="utf-8")
    train = sorted(tmp_path.glob("*.jsonl"))
    found = qc.decontaminate(train, tests, mode="remove", out=tmp_path / "out")
    assert [(one["set"], one["found"]) for one in found.sets] == [("one.jsonl", 1), ("two.jsonl", 1)]
    assert {row["item"] for row in found.matches.to_pylist()} == {"q1", "again"}
    assert (tmp_path / "out" / "removed" / "0.jsonl").read_bytes() == train[0].read_bytes()
    assert ContaminationFolder.open_path(tmp_path / "out").restore(["a"]).files == {"kept/0.jsonl": 1}
    assert (tmp_path / "out" / "kept" / "0.jsonl").read_bytes() == train[0].read_bytes()
    assert (tmp_path / "out" / "removed" / "2.jsonl").read_bytes() == train[2].read_bytes()


def test_the_share_of_a_corpus_is_over_all_documents():
    half = len(QUESTION) // 2
    found = qc.decontaminate([QUESTION[: half + 7], QUESTION[half:], RAIN], [ITEM], rule="ngram8")
    (item,) = found.items.to_pylist()
    assert item["documents"] == 0 and item["corpus_share"] > 0.9
    both = qc.decontaminate([RAIN], [ITEM], rule="ngram8").items.to_pylist()[0]
    assert both["corpus_share"] == 0


def test_repetitive_texts_take_no_longer():
    tests = [{"question": "哈" * 40}, {"question": "哈嘻" * 30}, {"question": "one two " * 20}]
    corpus = ["哈" * 60_000, "哈嘻" * 30_000, "one two " * 20_000, RAIN]
    for rule in rules.RULES:
        found = qc.decontaminate(corpus, tests, rule=rule)
        assert {row["row"] for row in found.documents.to_pylist()} == {0, 1, 2}


def test_test_sets_beyond_the_memory_are_refused():
    draw = random.Random(2)
    tests = [{"question": "".join(draw.choices(LETTERS, k=4000))} for _ in range(100)]
    with pytest.raises(UsageError, match="more than half of the 67 MB allowed"):
        qc.decontaminate([RAIN], tests, memory="64M")


def test_a_set_without_the_columns_or_without_items_is_refused(tmp_path):
    with pytest.raises(InputError, match="no column '题目'"):
        qc.decontaminate([RAIN], [ITEM], question="题目")
    (tmp_path / "t.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InputError):
        qc.decontaminate([RAIN], tmp_path / "t.jsonl")
    with pytest.raises(UsageError, match="mode"):
        qc.decontaminate([RAIN], [ITEM], mode="delete")


def test_a_list_of_texts_is_a_test_set_of_questions():
    found = qc.decontaminate([QUESTION, RAIN], [QUESTION, "另外一道没有出现过的题目，问的是完全不同的事情。"])
    assert [row["item"] for row in found.matches.to_pylist()] == ["0"] and found.sets[0]["items"] == 2


def test_saved_later_is_what_out_writes(tmp_path):
    train = write(tmp_path, "jsonl")
    qc.decontaminate(train, [ITEM], mode="remove", out=tmp_path / "one")
    qc.decontaminate(train, [ITEM], mode="remove").save(tmp_path / "two")
    for name in (
        "kept.jsonl",
        "removed.jsonl",
        "matches.parquet",
        "items.parquet",
        "documents.parquet",
        "skipped.jsonl",
    ):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()

"""Covers: weights of sources (`dedup --mix`): the column, its counts, order, formats, files of weights and their errors. Compared against:
the definition in Python, and binomial bounds."""

import hashlib
import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrices import each_once
from test_row_outputs import ROWS, USUAL, asked_of, write

import quchong as qc
from quchong.decision.mixing import copies_wanted, mix_counts
from quchong.errors import InputError, UsageError
from quchong.plan.mix import MOST, Mix

COLUMN = "quchong_copies_wanted"


def by_hand(weight, name, seed):
    """The definition: whole repetitions, and one more if the first 53 bits of the hash are below the fraction."""
    whole = math.floor(weight)
    value = int.from_bytes(
        hashlib.blake2b(name.encode(), digest_size=8, key=seed.to_bytes(8, "little")).digest(), "little"
    )
    return whole + ((value >> 11) / 2**53 < weight - whole)


def wanted_of(weights, ids, sources, seed=0, kept=None):
    mix = Mix.of_weights(weights, seed)
    mask = pa.array([True] * len(ids) if kept is None else kept).to_numpy(zero_copy_only=False)
    return copies_wanted(mix, pa.array(ids, pa.string()), pa.array(sources, pa.large_string()), mask)


weights_of_sources = st.dictionaries(st.sampled_from(["a", "b", "*"]), st.floats(0, 5), min_size=1)
documents = st.lists(st.tuples(st.text(max_size=5), st.sampled_from(["a", "b", "c"]), st.booleans()), max_size=30)


@settings(deadline=None)
@given(weights_of_sources, documents, st.integers(0, 2**63 - 1), st.randoms())
def test_copies_wanted_follow_from_id_source_and_seed_alone(weights, rows, seed, random):
    def found(rows):
        ids, sources, kept = (list(one) for one in zip(*rows, strict=True)) if rows else ([], [], [])
        wanted = wanted_of(weights, ids, sources, seed, kept).tolist()
        told = mix_counts(
            Mix.of_weights(weights, seed), pa.array(sources, pa.large_string()), pa.array(kept, pa.bool_()).to_numpy(zero_copy_only=False),
            pa.array(wanted, pa.int64()).to_numpy(),
        )  # fmt: skip
        assert told["wanted"] == sum(wanted) == sum(one["wanted"] for one in told["sources"].values())
        assert told["kept"] == sum(kept) == sum(one["kept"] for one in told["sources"].values())
        return wanted

    expected = [
        by_hand(weights.get(source, weights.get("*", 1)), name, seed) if kept else 0 for name, source, kept in rows
    ]
    assert found(rows) == expected
    order = list(range(len(rows)))
    random.shuffle(order)
    assert found([rows[k] for k in order]) == [expected[k] for k in order]


@pytest.mark.parametrize("weight", [0.01, 0.25, 0.5, 0.9, 2.5])
@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_the_drawn_share_is_the_fraction_of_the_weight(weight, seed):
    n = 20_000
    drawn = wanted_of({"web": weight}, [f"doc-{k}" for k in range(n)], ["web"] * n, seed) - math.floor(weight)
    share = weight - math.floor(weight)
    assert set(drawn.tolist()) == {0, 1}
    assert abs(drawn.sum() - n * share) < 4 * math.sqrt(n * share * (1 - share))


def test_of_a_greater_fraction_the_same_documents_are_drawn_and_more():
    ids = [str(k) for k in range(2000)]
    few, many, other = (
        wanted_of({"*": weight}, ids, ["a"] * len(ids), seed) for weight, seed in [(0.2, 0), (0.6, 0), (0.2, 1)]
    )
    assert (few <= many).all() and few.sum() < many.sum() and (few != other).any()


def columns(result):
    return {str(row["id"]): int(row[COLUMN]) for row in result.kept.select(["id", COLUMN]).to_pylist()}


def sources_of(rows):
    return sorted({row["source"] for row in rows})


def mix_of_rows():
    return {sources_of(ROWS)[0]: 2.5, "*": 0.5}


def expected(result):
    mix, source = mix_of_rows(), {str(row["id"]): row["source"] for row in ROWS}
    ids = [str(row["id"]) for row in result.kept.select(["id"]).to_pylist()]
    return {one: by_hand(mix.get(source[one], mix["*"]), one, 0) for one in ids}


@pytest.mark.parametrize(
    ("name", "shards"),
    each_once(["a.jsonl", "a.jsonl.gz", "a.csv", "gbk.csv", "a.json", "a.parquet"], [{}, {"shard_size": "64K"}]),
)
def test_kept_rows_have_the_column_and_nothing_else_changes(tmp_path, name, shards):
    file, usual = write(tmp_path / name, ROWS), asked_of(name)
    plain = qc.dedup(file, out=tmp_path / "plain", **shards, **usual)
    result = qc.dedup(file, out=tmp_path / "r", mix=mix_of_rows(), **shards, **usual)
    want = expected(result)
    assert columns(result) == want and set(want.values()) == {0, 1, 2, 3}
    assert result.kept.drop_columns([COLUMN]).to_pylist() == plain.kept.to_pylist()
    assert result.removed.equals(plain.removed) and result.ledger.equals(plain.ledger)
    assert result.manifest["config_hash"] == plain.manifest["config_hash"]
    assert result.manifest["added_columns"] == [COLUMN] and result.verify().sound
    told = result.manifest["mix"]
    assert told["wanted"] == sum(want.values()) and told["kept"] == len(want)
    first = sources_of(ROWS)[0]
    assert told["sources"][first]["kept"] == sum(
        row["source"] == first for row in plain.kept.select(["source"]).to_pylist()
    )
    # Put back, decided again: the weights stay those of the run, and the counts follow.
    result.restore([result.ledger["id"][0].as_py()])
    again = qc.load(tmp_path / "r")
    assert columns(again) == expected(again) and len(again.kept) == len(want) + 1
    assert again.manifest["mix"]["wanted"] == sum(columns(again).values())
    result.restore(everything=True)
    qc.load(tmp_path / "plain").restore(everything=True)
    whole = qc.load(tmp_path / "r").kept
    assert whole.drop_columns([COLUMN]).to_pylist() == qc.load(tmp_path / "plain").kept.to_pylist()


def test_a_run_decided_again_keeps_the_weights(tmp_path):
    file = write(tmp_path / "a.jsonl", ROWS)
    result = qc.dedup(file, out=tmp_path / "r", mix=mix_of_rows(), add_columns="copies", **USUAL)
    assert result.manifest["added_columns"] == ["quchong_copies", COLUMN]
    for k, threshold in enumerate((0.95, 0.5)):
        result.rethreshold(threshold).save(tmp_path / f"{k}")
        result = qc.load(tmp_path / f"{k}")
        assert columns(result) == expected(result)
        assert result.manifest["config"]["mix"] == {"weights": mix_of_rows(), "seed": 0}
        assert result.manifest["mix"]["wanted"] == sum(columns(result).values())


def test_the_column_does_not_depend_on_order_workers_memory_or_format(tmp_path):
    found = []
    for k, (name, rows, options) in enumerate([
        ("0.jsonl", ROWS, {"workers": 1}), ("1.jsonl", ROWS[::-1], {"workers": 3}), ("2.csv", ROWS, {"memory": "64M"}),
        ("3.parquet", ROWS, {"annotate": True}),
    ]):  # fmt: skip
        file = write(tmp_path / name, rows)
        found.append(columns(qc.dedup(file, out=tmp_path / f"r{k}", mix=mix_of_rows(), **options, **USUAL)))
    assert all(one == found[0] for one in found)
    memory = qc.dedup(ROWS, mix=mix_of_rows(), **USUAL).kept_columns
    assert {str(row["id"]): row["copies_wanted"] for row in memory.to_pylist()} == found[0]
    qc.dedup(ROWS, out=tmp_path / "ids", mix=mix_of_rows(), ids_only=True, **USUAL)
    table = pq.read_table(tmp_path / "ids" / "kept_ids.parquet")
    assert {str(row["id"]): row[COLUMN] for row in table.to_pylist()} == found[0]


def test_rows_without_a_source_have_the_weight_of_their_file(tmp_path):
    rows = [
        {"id": str(k), "text": f"第{k}篇稿件，写的是另外一件事情。", "source": "  " if k % 2 else None}
        for k in range(4)
    ]
    file = write(tmp_path / "web.jsonl", rows)
    told = qc.dedup(file, mix={"web.jsonl": 3}, recall_sample=0).manifest["mix"]
    assert told["sources"] == {
        "web.jsonl": {"weight": 3.0, "kept": 4, "wanted": 12},
        "*": {"weight": 1.0, "kept": 0, "wanted": 0},
    }


def test_a_source_without_documents_is_named_and_references_count_nowhere():
    rows = [{"id": "a", "text": "一篇稿件，写的是一件事情。", "source": "甲"}]
    others = [{"id": "b", "text": "另一篇稿件，写的是别的事情。", "source": "乙"}]
    result = qc.dedup(rows, against=others, mix={"甲": 2, "乙": 2}, recall_sample=0)
    (note,) = [alarm for alarm in result.alarms if alarm["kind"] == "weights nobody has"]
    assert (
        note["level"] == "note"
        and note["figures"] == {"unmet": 1, "source": "乙", "sources": ["乙"]}
        and "乙" in note["message"]
    )
    assert result.manifest["mix"]["wanted"] == result.manifest["mix"]["sources"]["甲"]["wanted"] == 2


FILES = {
    "a.csv": "source,weight\nnews,2\n\n\"a,b\",0.5\n", "turned.csv": "权重,来源\n2,news\n0.5,\"a,b\"\n", "bare.csv": 'news,2\n"a,b",0.5\n',
    "a.tsv": "news\t2\na,b\t0.5\n", "a.json": '{"news": 2,\n "a,b": "0.5"}', "a.toml": 'news = 2\n"a,b" = 0.5\n',
    "mark.csv": "\ufeffnews,2\n\"a,b\",0.5",
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_of_weights(tmp_path, name):
    file = tmp_path / name
    file.write_text(FILES[name], "utf-8")
    for given_as in (file, str(file)):
        config = qc.dedup(["一篇稿件"], mix=given_as, mix_seed=7, recall_sample=0).manifest["config"]
        assert config["mix"] == {"weights": {"a,b": 0.5, "news": 2.0}, "seed": 7}


WRONG = {
    "minus.csv": ("news,2\nweb,-1\n", "line 2 of .*the weight of web is '-1': give a number from 0"),
    "nan.csv": ("source,weight\nnews,nan\n", "line 2 of .*is 'nan'"),
    "word.tsv": ("news\tmany\n", "line 1 of .*is 'many'"),
    "cells.csv": ("news,2\na,b,1\n", "line 2 of .*3 cells.*quote"),
    "quotes.csv": ('news,2\n"web"x,1\n', "line 2 of .*not CSV"),
    "twice.csv": ("news,2\nweb,1\nnews,3\n", "line 3 of .*already has a weight, in line 1"),
    "none.csv": ("source,weight\n", "has no weights"),
    "noname.csv": (",2\n", "line 1 of .*the source is missing"),
    "twice.json": ('{"news": 2,\n"news": 3}', "line 2 of .*already has a weight, in line 1"),
    "bad.json": ('{"news": 2,\n]', "line 2 of .*not JSON"),
    "list.json": ("[1]", "has no JSON object"),
    "word.json": ('{"news": 1,\n "web": true}', "line 2 of .*the weight of web is True"),
    "huge.json": ('{"news": 1e300}', "line 1 of .*1,000,000"),
    "dot.toml": ("news = 1\na.example = 2\n", "line 2 of .*quote a source with a dot"),
    "bad.toml": ("news = \n", "is not TOML.*line 1"),
    "latin.csv": (b"n\xe9ws,2\n", "cannot be read.*UTF-8"),
    "a.txt": ("news,2\n", "CSV, TSV, JSON or TOML"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_of_weights_is_named_with_line_and_remedy(tmp_path, name):
    content, message = WRONG[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=f"(?s){message}") as error:
        qc.dedup(["一篇稿件"], mix=tmp_path / name)
    assert name in str(error.value)


@pytest.mark.parametrize(
    ("mix", "message"),
    [
        ({"news": -1}, "give a number from 0"), ({"news": float("nan")}, "nan"), ({"news": True}, "True"), ({"news": MOST + 1}, "1,000,000"),
        ({"": 1}, "each source needs a name"), ({1: 1}, "each source needs a name"), ({"\ud800": 1}, "each source needs a name"), ({}, "must be weights"),
        ("news=x", "the weight of news is 'x'"), ("news=1,news=2", "two weights"), ("news=1,2", "each source needs a name"), (7, "mix"),
    ],
)  # fmt: skip
def test_wrong_weights_are_refused(mix, message):
    with pytest.raises(UsageError, match=message):
        qc.dedup(["一篇稿件"], mix=mix)


def test_a_seed_without_weights_and_columns_that_cannot_be_added_are_refused(tmp_path):
    with pytest.raises(UsageError, match="mix_seed has no effect without mix"):
        qc.dedup(["一篇稿件"], mix_seed=3)
    with pytest.raises(InputError, match=r"nowhere\.csv.* cannot be read"):
        qc.dedup(["一篇稿件"], mix=tmp_path / "nowhere.csv")
    there = write(tmp_path / "a.jsonl", [row | {COLUMN: 3} for row in ROWS[:5]])
    with pytest.raises(UsageError, match=f"mix: .*already has the columns {COLUMN}"):
        qc.dedup(there, out=tmp_path / "r", mix={"*": 2})
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("一篇文章", "utf-8")
    with pytest.raises(UsageError, match=r"mix: .*annotate"):
        qc.dedup(tmp_path / "texts", out=tmp_path / "r", mix={"*": 2})


@pytest.mark.parametrize(
    "change", [{"weights": {"a": -1}}, {"weights": {"a": 1e9}}, {"weights": {"a": True}}, {"seed": -1}, {"seed": None}]
)
def test_a_run_with_weights_that_none_writes_is_refused(tmp_path, change):
    qc.dedup(ROWS[:5], out=tmp_path / "r", mix={"a": 1}, recall_sample=0)
    path = tmp_path / "r" / "run.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["config"]["mix"] |= change
    path.write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(qc.errors.RunError, match=r"config\.mix"):
        qc.load(tmp_path / "r")


def test_a_run_in_parts_and_one_with_a_target_have_the_column(tmp_path):
    file = write(tmp_path / "a.jsonl", ROWS)
    whole = qc.dedup(file, out=tmp_path / "whole", mix=mix_of_rows(), **USUAL)
    for k in (1, 2):
        qc.dedup_part(file, part=f"{k}/2", out=tmp_path / "r", mix=mix_of_rows(), **USUAL)
    joined = qc.dedup(file, out=tmp_path / "r", join=2, mix=mix_of_rows(), **USUAL)
    assert columns(joined) == columns(whole) and joined.manifest["mix"] == whole.manifest["mix"]
    for name in ("kept.jsonl", "removed.jsonl"):
        assert (tmp_path / "r" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    aimed = qc.dedup(file, out=tmp_path / "t", target=len(whole.kept) + 5, mix=mix_of_rows(), **USUAL)
    assert columns(aimed) == expected(aimed)

"""Covers: bad records held as columns. Compared against: the same operations on a list of records."""

import json
import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.text_store import FoundKeeper
from quchong.io import Bad
from quchong.io import bad_records as module
from quchong.io.bad_blocks import COLUMNS
from quchong.io.bad_records import BadRecords, bad_rows, by_source, row_numbers, sort_by_row
from quchong.io.row_changes import among
from quchong.languages import Message, Stored, several, speaking
from quchong.outputs import OwnFolder
from quchong.results.folder import whole_bad_records
from quchong.work import Damaged, Unencodable
from quchong.work.values import read_value, write_value

WORDS = st.text(st.characters(), max_size=6)  # half characters too, as names of files have them
VALUES = st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False), WORDS)


def messages(values):
    plain = st.builds(lambda some: Message("{} and {} of {}", *some), st.lists(values, min_size=3, max_size=3))
    numbered = st.builds(lambda n: several("{} row of {}", "{} rows of {}", n, "a"), st.integers(0, 3))
    return plain | numbered | st.builds(lambda word: Message("row", word, context="stage"), WORDS)


REASONS = WORDS | messages(st.recursive(VALUES, messages, max_leaves=4)) | WORDS.map(Stored)
RECORDS = st.builds(
    Bad, st.sampled_from(["a.jsonl", "b", "名\udce9"]), st.integers(0, 30), st.none() | st.integers(1, 99), REASONS,
    st.binary(max_size=9),
)  # fmt: skip
PLACES = st.integers(-12, 12)
SLICES = st.builds(slice, st.none() | PLACES, st.none() | PLACES, st.sampled_from([None, 1, 2, -1, -3]))
OPERATIONS = st.one_of(
    st.tuples(st.just("append"), RECORDS),
    st.tuples(st.just("extend"), st.lists(RECORDS, max_size=9)),
    st.tuples(st.just("insert"), PLACES, RECORDS),
    st.tuples(st.just("get"), PLACES | SLICES),
    st.tuples(st.just("set"), PLACES, RECORDS),
    st.tuples(st.just("replace"), SLICES, st.lists(RECORDS, max_size=4)),
    st.tuples(st.just("del"), PLACES | SLICES),
    st.tuples(st.just("sort"), st.integers(0, 12)),
    st.tuples(st.just("pop")),
    st.tuples(st.just("clear")),
)


def done(records, name, *how):
    """The outcome of an operation, or the class of its error."""
    try:
        match name:
            case "append" | "extend" | "insert" | "pop" | "clear":
                return getattr(records, name)(*how)
            case "get":
                found = records[how[0]]
                return found if isinstance(found, Bad) else list(found)
            case "set" | "replace":
                records[how[0]] = how[1]
            case "del":
                del records[how[0]]
            case "sort":
                sort_by_row(records, how[0])
    except (IndexError, ValueError) as error:
        return type(error)


def shown(one):
    """All that a record is: the class of its reason too, and its words in both languages."""
    reason = one.reason
    if isinstance(reason, Message):
        with speaking("zh"):
            told = reason.translation()
        reason = type(reason), reason.template, repr(reason.values), reason.plural, reason.context, told
    return one.source, one.row, one.line, reason, str.__str__(one.reason), one.raw


@given(
    st.lists(OPERATIONS, max_size=14), st.sampled_from([1, 2, 5, 4096]), st.sampled_from([3, 1 << 20]), st.booleans()
)
def test_every_operation_does_what_it_does_to_a_list(operations, block, size, spilled):
    with FoundKeeper(bound=0 if spilled else None) as keeper, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        patch.setattr(module, "BLOCK_BYTES", size)
        ours, plain = BadRecords(keep=keeper.table), list[Bad]()
        for operation in operations:
            assert done(ours, *operation) == done(plain, *operation)
            assert len(ours) == len(plain)
        assert ours == plain and plain == ours and ours == BadRecords(plain)
        assert [shown(one) for one in ours] == [shown(one) for one in plain]
        assert [shown(ours[i]) for i in range(len(ours))] == [shown(one) for one in plain]
        for source in (None, "a.jsonl", "名\udce9", "nobody"):
            for start in (0, 1, 3):
                assert row_numbers(ours, start, source).tolist() == row_numbers(plain, start, source).tolist()
        assert [(name, list(mine)) for name, mine in by_source(ours)] == [
            (name, mine) for name, mine in by_source(plain)
        ]


@given(st.lists(RECORDS, max_size=20))
def test_records_of_a_source_are_together_and_in_the_order_of_rows(records):
    expected = {name: sorted((b for b in records if b.source == name), key=lambda b: b.row) for name in
                dict.fromkeys(b.source for b in records)}  # fmt: skip
    assert [(name, list(mine)) for name, mine in by_source(BadRecords(records))] == list(expected.items())
    assert list(whole_bad_records(BadRecords(records), [])) == [b for mine in expected.values() for b in mine]
    for name in expected:
        assert bad_rows(BadRecords(records), 0, name).tolist() == sorted({b.row for b in expected[name]})


@given(st.sets(st.integers(0, 30)), st.integers(0, 30), st.integers(0, 9))
def test_rows_among_others(rows, first, count):
    assert among(np.array(sorted(rows), np.int64), first, count).tolist() == [
        row in rows for row in range(first, first + count)
    ]
    assert not among(None, first, count).any()


@pytest.mark.parametrize("rest", [0, 1])
def test_a_reason_is_told_in_the_language_spoken(rest):
    reason = Message("the file looks like binary data: there is a NUL at byte {}", 7)
    bad = BadRecords([Bad("a", 1, None, Message("{}: {}", "x.txt", reason), b"")] * (module.BLOCK + rest))
    with speaking("zh"):
        assert {one.reason.translation() for one in bad} == {
            Message("{}: {}", "x.txt", reason.translation()).translation()
        }
        assert "NUL" not in reason.translation() or "looks" not in reason.translation()


def test_many_equal_reasons_take_the_room_of_one():
    bad = BadRecords(
        Bad("in.jsonl", i, i + 1, Message("no {} here, byte {}", "text" * 100, 7), b"raw") for i in range(20_000)
    )
    assert sum(block.nbytes for block in bad.blocks) < 20_000 * 60


def test_finished_records_let_go_of_the_file_and_go_to_another_process():
    records = [Bad("a", i, None, Message("no {}", i), b"raw") for i in range(5000)]
    with FoundKeeper(bound=0) as keeper:
        bad = BadRecords(records, keeper.table)
        bad.finish()
    assert keeper.written
    bad.extend(records)
    assert bad == [*records, *records] and pickle.loads(pickle.dumps(bad)) == bad


@pytest.fixture
def folder(tmp_path):
    return OwnFolder.made(tmp_path / "work")


def kept(folder, value):
    write_value(folder, "one", value, RUN_KINDS)
    return read_value(folder, "one", RUN_KINDS)


@given(
    records=st.lists(
        RECORDS.filter(lambda one: not isinstance(one.reason, Stored) and "inf" not in one.reason), max_size=9
    )
)
def test_kept_with_the_work_of_a_run_they_come_back(tmp_path_factory, records):
    folder = OwnFolder.made(tmp_path_factory.mktemp("kept") / "work")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", 4)
        bad = BadRecords(records)
    again = kept(folder, bad)
    assert [shown(one) for one in again] == [shown(one) for one in records]
    again.append(Bad("a", 1, None, "more", b""))
    assert len(again) == len(records) + 1


def test_a_reason_that_no_file_holds_lets_the_work_go(folder):
    with pytest.raises(Unencodable, match="reason"):
        write_value(folder, "one", BadRecords([Bad("a", 1, None, Message("{}", object()), b"")]), RUN_KINDS)


def block(source="a", row=1, reason='"why"', raw=b"", **others):
    words = {name: pa.array([value], pa.large_string()).dictionary_encode() for name, value in
             {"source": json.dumps(source), "reason": reason}.items()}  # fmt: skip
    columns = {"source": words["source"], "row": pa.array([row], pa.int64()), "line": pa.array([None], pa.int64()),
               "reason": words["reason"], "raw": pa.array([raw], pa.large_binary())} | others  # fmt: skip
    return pa.table(columns)


DAMAGED = {
    "a message of attributes": block(reason='["{0.__class__}", ["x"], "", ""]'),
    "a wide message": block(reason='["{:>9999999999}", ["x"], "", ""]'),
    "an attribute within": block(reason='["{}", [["{0.__class__}", ["x"], "", ""]], "", ""]'),
    "a plural of attributes": block(reason='["{}", [1], "{0.__class__}", ""]'),
    "fields without values": block(reason='["{} {}", ["x"], "", ""]'),
    "no words": block(reason='[1, [], "", ""]'),
    "no values": block(reason='["{}", "x", "", ""]'),
    "too short a message": block(reason='["{}"]'),
    "the place of an object": block(reason="0"),
    "a dictionary": block(reason="{}"),
    "no JSON": block(reason="x"),
    "a deep message": block(reason='["{}", [' * 5000),
    "a source that is a number": block(source=5),
    "no row": block(row=None),
    "no raw record": block(raw=None),
    "no reason": block(reason=pa.scalar(None, pa.large_string())),
    "words that are no UTF-8": block(
        reason=pa.array([b'"\xff"'], pa.large_binary()).view(pa.large_string())[0]),
    "other columns": block().drop_columns(["raw"]),
    "other types": block(row=1).set_column(1, "row", pa.array([1], pa.int32())),
}  # fmt: skip


def test_the_block_of_these_tests_is_one_that_is_read(folder):
    assert block().schema == COLUMNS
    assert list(kept(folder, BadRecords.from_blocks([block()]))) == [Bad("a", 1, None, "why", b"")]


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_ones_are_refused(folder, name):
    with pytest.raises(Damaged):
        kept(folder, BadRecords.from_blocks([block(), DAMAGED[name]]))


@pytest.mark.parametrize("blocks", [5, [5], {}, [["x"]]])
def test_what_is_no_list_of_blocks_is_refused(folder, blocks, monkeypatch):
    monkeypatch.setattr(BadRecords, "blocks", blocks)
    with pytest.raises(Damaged):
        kept(folder, BadRecords())

"""Covers: postings in a folder: sealed, merged and opened again, deleted documents, damage, full disks, readers beside a writer.

Compared against: `MemoryPostings` with the same documents.
Run: pytest tests/unit/engines.
"""

import ast
import contextlib
import errno
import itertools
import os
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import pytest

from quchong.candidates.postings import MemoryPostings, Represented
from quchong.engines.index import columns, segment_file
from quchong.engines.index.segment_file import BLOCK, Damage, SegmentRecord
from quchong.engines.index.segments import RATIO, SegmentPostings
from quchong.kernels.postings import DocumentSizes
from quchong.outputs import OwnFolder
from quchong.work.value_parts import Damaged

KEYS = np.arange(90, dtype=np.uint64)


def documents(count, seed, words=0, weighted=False, among=80):
    draw = np.random.default_rng(seed)
    lists = [np.sort(draw.choice(among, draw.integers(0, 9), replace=False)).astype(np.uint64) for _ in range(count)]
    keys = np.concatenate([*lists, np.zeros(0, np.uint64)])
    weights = draw.integers(1, 5 if weighted else 2, len(keys)).astype(np.uint32)
    sizes = DocumentSizes(
        draw.random(count), draw.integers(0, 9, count).astype(np.uint32), draw.random(count),
        draw.integers(0, 3, count).astype(np.uint64),
    )  # fmt: skip
    signatures = draw.integers(0, 2**63, (count, words)).astype(np.uint64)
    return Represented(keys, weights, np.cumsum([0, *map(len, lists)]).astype(np.int64), sizes, signatures)


def check_equal(found, wanted):
    for a, b in zip((*found.lists, *found.sizes, found.signatures, found.lengths),
                    (*wanted.lists, *wanted.sizes, wanted.signatures, wanted.lengths), strict=True):  # fmt: skip
        assert np.array_equal(a, b)
    assert found.weighted == wanted.weighted


def check_lists(postings, memory):
    check_equal(postings.lookup(KEYS), memory.lookup(KEYS))
    before = np.arange(len(KEYS)) % (len(memory) + 2)
    for how in ({"most": 2, "counted": 5}, {"most": 1, "before": before}, {"before": before}):
        check_equal(postings.lookup(KEYS, **how), memory.lookup(KEYS, **how))


@pytest.fixture
def folder(tmp_path):
    return OwnFolder.made(tmp_path / "postings")


def filled(folder, batches=6, words=0, weighted=False):
    """Postings of some segments and a tail, and the same in memory."""
    postings, memory = SegmentPostings(folder, words=words), MemoryPostings(words)
    for seed in range(batches):
        some = documents(20 + seed, seed, words, weighted)
        numbers = postings.append(some)
        assert np.array_equal(numbers, memory.append(some))
        if seed % 2 and seed < batches - 1:
            postings.seal()
    return postings, memory


@pytest.mark.parametrize(("words", "weighted"), [(0, False), (2, True)])
def test_lists_are_those_of_memory_whatever_is_sealed_and_merged(folder, words, weighted):
    postings, memory = filled(folder, words=words, weighted=weighted)
    assert 0 < postings.sealed < len(postings) == len(memory)
    check_lists(postings, memory)
    merged = postings.merge(postings.records)
    assert postings.records == (merged,)
    check_lists(postings, memory)
    record = postings.seal()
    assert (record.first, record.end) == (merged.end, len(memory))
    assert postings.seal() is None
    check_lists(postings, memory)
    again = SegmentPostings(folder, postings.records, words=words)
    assert len(again) == again.sealed == len(memory)
    check_lists(again, memory)
    some = documents(5, 99, words)
    again.append(some)
    memory.append(some)
    check_lists(again, memory)
    assert again.verify() == []


def test_what_was_not_sealed_is_not_there_when_it_is_opened_again(folder):
    postings, memory = filled(folder)
    lost = len(memory) - postings.sealed
    again = SegmentPostings(folder, postings.records)
    assert len(again) == postings.sealed == len(memory) - lost
    looked = again.lookup(KEYS)
    assert looked.lists.documents.max() < postings.sealed
    check_equal(looked, postings.lookup(KEYS, before=np.full(len(KEYS), postings.sealed))._replace(
        sizes=looked.sizes, signatures=looked.signatures))  # fmt: skip
    tail = documents(lost, 7)  # the log may bring others: what was in memory reached no file
    again.append(tail)
    assert np.array_equal(again.lookup(KEYS).sizes.size[again.sealed :], tail.sizes.size)


def test_deleted_documents_are_in_no_list_and_take_no_place_at_the_front(folder):
    postings, memory = filled(folder)
    gone = np.arange(0, len(memory), 3)
    for some in (gone[:5], gone[5:], gone[:0]):
        postings.mark_gone(some)
    whole = memory.lookup(KEYS).lists
    wanted = [
        [d for d in whole.documents[a:b].tolist() if d % 3]
        for a, b in zip(whole.offsets, whole.offsets[1:], strict=False)
    ]
    for _ in range(3):
        for most in (0, 1, 4):
            looked = postings.lookup(KEYS, most=most, counted=1000)
            found = [
                looked.lists.documents[a:b].tolist()
                for a, b in zip(looked.lists.offsets, looked.lists.offsets[1:], strict=False)
            ]
            assert found == [one[: most or None] for one in wanted]
            assert looked.lengths.tolist() == [len(one) for one in wanted]
        postings.seal()
        postings.merge(postings.records)
    assert segment_file.open_segment(folder, postings.records[0]).info.postings == sum(map(len, wanted))
    assert len(postings) == len(memory)
    with pytest.raises(ValueError, match="numbered 0 to"):
        postings.mark_gone(np.array([len(memory)]))


def test_segments_are_few_and_merged_with_later_ones(folder):
    postings, merged = SegmentPostings(folder), 0
    for seed in range(64):
        postings.append(documents(4, seed))
        postings.seal()
        due = postings.merge_due()
        assert postings.merge_due(busy=[r.name for r in postings.records[-1:]]) == ()
        if due:
            assert due == postings.records[-len(due) :]
            merged += sum(record.documents for record in due)
            postings.merge(due)
        sizes = [record.documents for record in postings.records]
        assert all(size >= RATIO * later for size, later in itertools.pairwise(sizes))
        assert len(sizes) <= 4
    assert merged < 8 * len(postings)
    used = {record.name for record in postings.records}
    for name in postings.unlisted():
        folder.remove(name)
    assert {name for name in folder.names() if name.endswith(".segment")} == used
    assert SegmentPostings(folder, postings.records).verify() == []
    with pytest.raises(ValueError, match="neighbouring"):
        postings.merge(())


def change(folder, name, at, to=None):
    """Change a byte of a file in its place, or cut the file."""
    with (folder.path / name).open("r+b") as file:
        if to is None:
            file.truncate(at)
            return
        start = file.seek(at, 0 if at >= 0 else 2)
        byte = file.read(1)[0] ^ to
        file.seek(start)
        file.write(bytes([byte]))


def test_a_damaged_block_is_found_and_named(folder):
    postings = SegmentPostings(folder)
    postings.append(documents(20_000, 1, among=10**6))
    record = postings.seal()
    assert record.bytes > 3 * BLOCK
    assert postings.verify() == []
    change(folder, record.name, 64 + BLOCK + 5, 4)
    assert postings.verify() == [Damage(record.name, 64 + BLOCK, 64 + 2 * BLOCK)]
    again = SegmentPostings(folder, postings.records)  # opening reads no block
    assert again.verify() == postings.verify()
    change(folder, record.name, 64 + BLOCK + 5, 4)
    change(folder, "time.column", 64 + 8 * 19_999, 1)
    assert postings.verify() == [Damage("time.column", 0, (folder.path / "time.column").stat().st_size)]


def test_a_key_is_not_said_to_be_missing_where_its_block_is_damaged(folder):
    """Wherever a byte changes, a key is found as before, or the check of the key fails: none is overlooked in silence."""
    postings = SegmentPostings(folder)
    given = documents(8_000, 3, among=10**6)
    postings.append(given)
    record = postings.seal()
    assert record.bytes > 2 * BLOCK
    keys = np.unique(given.keys)
    there = postings.lookup(keys).lists
    SegmentPostings(folder, postings.records).check_keys(
        np.concatenate([keys, keys + np.uint64(1)])
    )  # all blocks are whole
    draw = np.random.default_rng(8)
    for at in [*draw.integers(64, record.bytes - 4_000, 24).tolist(), 64, 64 + BLOCK - 1, 64 + BLOCK]:
        change(folder, record.name, int(at), 4)
        damaged = SegmentPostings(folder, postings.records)
        some = draw.choice(keys, 400, replace=False)
        with contextlib.suppress(Damaged):
            damaged.check_keys(some)
            found = damaged.lookup(some).lists
            whole = np.searchsorted(keys, some)
            assert found.offsets.tolist() == np.cumsum([0, *np.diff(there.offsets)[whole]]).tolist()
        with pytest.raises(Damaged, match=record.name):
            damaged.check_keys(keys)
        change(folder, record.name, int(at), 4)


def test_a_damaged_segment_is_not_written_anew_with_right_sums(folder):
    postings, _ = filled(folder)
    postings.append(documents(9, 4))
    postings.seal()
    record = postings.records[0]
    change(folder, record.name, 64 + 3, 4)
    names = sorted(folder.names())
    with pytest.raises(Damaged, match=record.name):
        postings.merge(postings.records)
    assert sorted(folder.names()) == names
    assert postings.verify()


@pytest.mark.parametrize("at", [0, -1, -9, -70])
def test_a_damaged_end_or_mark_is_refused_at_opening(folder, at):
    postings, _ = filled(folder)
    record = postings.records[0]
    change(folder, record.name, at, 1)
    assert postings.verify() == [Damage(record.name, 0, record.bytes)]
    with pytest.raises(Damaged, match=record.name):
        SegmentPostings(folder, postings.records)


@pytest.mark.parametrize("name", ["segment", "size.column"])
@pytest.mark.parametrize("how", ["cut", "mark", "missing", "link"])
def test_a_file_that_is_cut_foreign_or_missing_is_refused_at_opening(folder, name, how, tmp_path):
    records = filled(folder)[0].records  # nobody maps the files any more
    name = records[0].name if name == "segment" else name
    if how == "cut":
        change(folder, name, 100)
    elif how == "mark":
        change(folder, name, 3, 1)
    else:
        folder.remove(name)
        if how == "link":
            if sys.platform == "win32":
                pytest.skip("links need a right there")
            (folder.path / name).symlink_to(tmp_path / "elsewhere")
    raw = {one: (folder.path / one).read_bytes() for one in folder.names() if how != "link" or one != name}
    for writable in (True, False):
        with pytest.raises((Damaged, OSError)):
            SegmentPostings(folder, records, writable=writable)
    assert all((folder.path / one).read_bytes() == data for one, data in raw.items())  # none was touched


def test_segments_that_do_not_follow_each_other_are_refused(folder):
    postings, _ = filled(folder)
    with pytest.raises(Damaged, match="there are gaps or overlaps between the segments"):
        SegmentPostings(folder, postings.records[1:])
    with pytest.raises(Damaged, match="does not have the documents"):
        SegmentPostings(folder, [postings.records[0]._replace(documents=3)])


@pytest.mark.parametrize("where", ["columns", "segment"])
def test_a_full_disk_leaves_the_tail_and_what_is_sealed(folder, monkeypatch, where):
    postings, memory = filled(folder)
    sealed, names = postings.records, folder.names()

    def full(*_):
        raise OSError(errno.ENOSPC, "no room")

    with monkeypatch.context() as patch:
        patch.setattr(
            columns if where == "columns" else segment_file, "os", type("Full", (), {**vars(os), "fsync": full})
        )
        with pytest.raises(OSError, match="no room"):
            postings.seal()
        check_lists(postings, memory)
        if where == "segment":
            with pytest.raises(OSError, match="no room"):
                postings.merge(sealed)
    assert (postings.records, folder.names()) == (sealed, names)
    check_lists(postings, memory)
    postings.seal()
    check_lists(SegmentPostings(folder, postings.records), memory)


def test_files_are_flushed_before_they_have_their_name(folder, monkeypatch):
    """The file of a segment, and then the folder with its name; columns before."""
    postings, _ = filled(folder)
    events = []
    kinds = {folder.path.stat().st_ino: "folder"}

    def fsync(descriptor):
        events.append(kinds.get(os.fstat(descriptor).st_ino, "file"))

    monkeypatch.setattr(os, "fsync", fsync)
    rename = OwnFolder.rename
    monkeypatch.setattr(OwnFolder, "rename", lambda *a: (events.append("rename"), rename(*a)))
    postings.seal()
    synced = ["folder"] if folder.descriptor >= 0 else []
    assert events == ["file"] * 4 + ["file", "rename", *synced]


def test_a_reader_sees_what_is_sealed_and_changes_no_file(folder):
    postings, memory = filled(folder)
    before = {name: (folder.path / name).read_bytes() for name in folder.names()}
    reader = SegmentPostings(folder, postings.records, writable=False)
    for seed in range(3):
        reader.append(documents(30_000, seed, among=10**6))  # beyond the spare rows of the files
    assert len(reader) == postings.sealed + 90_000
    assert np.array_equal(
        reader.lookup(KEYS).sizes.size[: postings.sealed], memory.lookup(KEYS).sizes.size[: postings.sealed]
    )
    assert {name: (folder.path / name).read_bytes() for name in folder.names()} == before


def test_a_long_tail_takes_more_rows_than_are_spare(folder, monkeypatch):
    monkeypatch.setattr(columns, "SPARE", 16)
    postings, memory = filled(folder, batches=9)
    for seed in range(20):
        some = documents(13, 100 + seed)
        postings.append(some)
        memory.append(some)
        check_lists(postings, memory)
        if seed == 9:
            postings.seal()
    postings.seal()
    check_lists(SegmentPostings(folder, postings.records), memory)


WRITER = """
import sys
import numpy as np
from pathlib import Path
from quchong.candidates.postings import Represented
from quchong.engines.index.segments import SegmentPostings
from quchong.kernels.postings import DocumentSizes
from quchong.outputs import OwnFolder

postings = SegmentPostings(OwnFolder.open_path(Path(sys.argv[1])))
while True:
    n = len(postings)
    sizes = DocumentSizes.from_columns(np.arange(n, n + 50, dtype=float))
    keys = np.arange(n, n + 50, dtype=np.uint64) % np.uint64(7)
    one = Represented(keys, np.ones(50, np.uint32), np.arange(51), sizes, np.zeros((50, 0), np.uint64))
    postings.append(one)
    postings.seal()
    if due := postings.merge_due():
        postings.merge(due)
    print(repr([tuple(record) for record in postings.records]), flush=True)
"""


@pytest.mark.parametrize("lines", [1, 4, 9, 16])
def test_what_was_told_to_be_sealed_is_there_after_a_kill(folder, lines):
    """The writer is killed at any moment after so many lines: older files are not removed, as the caller does so."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder.path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        told = [writer.stdout.readline() for _ in range(lines)]
        writer.kill()
    for line in told:
        records = [SegmentRecord(*one) for one in ast.literal_eval(line)]
        postings = SegmentPostings(folder, records)
        n = len(postings)
        assert n == records[-1].end
        assert postings.verify() == []
        looked = postings.lookup(np.arange(7, dtype=np.uint64))
        assert np.array_equal(looked.lists.documents, np.concatenate([np.arange(k, n, 7) for k in range(7)]))
        assert np.array_equal(looked.sizes.size, np.arange(n))
    for name in postings.unlisted():  # what the kill left, and what was merged
        folder.remove(name)
    assert postings.seal() is None
    postings.append(documents(9, 1))
    assert SegmentPostings(folder, [*records, postings.seal()]).verify() == []


def test_opening_takes_little_memory(folder):
    postings = SegmentPostings(folder)
    postings.append(documents(50_000, 1, among=10**9))
    postings.seal()
    size = sum((folder.path / name).stat().st_size for name in folder.names())
    tracemalloc.start()
    try:
        again = SegmentPostings(folder, postings.records)
        again.lookup(KEYS)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 2_000_000
    assert taken < 200_000


def test_readers_see_whole_snapshots_while_documents_are_added_sealed_and_merged(folder):
    """A document's keys are its number by digits: a list is whole up to some document, and every list of a lookup up to the same."""
    postings, failures, ended = SegmentPostings(folder), [], threading.Event()
    n, each = 600, 7

    def one(first):
        numbers = np.arange(first, first + each)
        keys = np.stack([numbers % 2, 10 + numbers % 3], 1).astype(np.uint64)
        sizes = DocumentSizes.from_columns(numbers.astype(np.float64))
        ones, offsets = np.ones(2 * each, np.uint32), np.arange(0, 2 * each + 1, 2)
        return Represented(keys.reshape(-1), ones, offsets, sizes, np.zeros((each, 0), np.uint64))

    def read():
        ask, last = np.array([0, 1, 10, 11, 12], np.uint64), 0
        while not (stop := ended.is_set()) or last < n * each:
            looked = postings.lookup(ask)
            count = len(looked.sizes)
            lists = np.split(looked.lists.documents, looked.lists.offsets[1:-1])
            right = [np.arange(r, count, m) for r, m in ((0, 2), (1, 2), (0, 3), (1, 3), (2, 3))]
            agree = all(np.array_equal(a, b) for a, b in zip(lists, right, strict=True))
            if count < last or not agree or not np.array_equal(looked.sizes.size, np.arange(count)):
                failures.append((last, count, stop))
                return
            last = count

    readers = [threading.Thread(target=read) for _ in range(2)]
    merging = threading.Thread(
        target=lambda: [postings.merge(due) for _ in iter(ended.is_set, True) if (due := postings.merge_due())]
    )
    for thread in (*readers, merging):
        thread.start()
    try:
        for i in range(n):
            postings.append(one(i * each))
            if i % 20 == 19:
                postings.seal()
    finally:
        ended.set()
        for thread in (*readers, merging):
            thread.join()
    assert failures == []
    assert len(postings) == n * each

"""Covers: exact classes of documents (`quchong.decision.classes`)."""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from quchong.decision.classes import find_classes, grouped, parted, repeats, without
from quchong.decision.documents import DocumentColumns
from quchong.decision.scope import ScopeColumns
from quchong.seam import Features


def documents(digests: list[int], references: int = 0, scope: ScopeColumns | None = None) -> DocumentColumns:
    n = len(digests)
    tokens, high = np.full(n, 20, np.uint32), np.array(digests, np.uint64)
    features = Features(tokens, tokens, high, high, np.zeros(1, np.int64), np.zeros(0, np.uint64))
    ids = pa.array([f"d{i:02}" for i in range(n)], pa.large_string())
    found = DocumentColumns.unranked(ids, np.arange(n), features, references)
    return found if scope is None else replace(found, scope=scope)


def agreed(members: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    return np.ones(len(members), bool)


def members_of(classes) -> list[list[int]]:
    return [part.tolist() for part in np.split(classes.members, classes.offsets[1:-1])]


def test_documents_of_one_digest_are_one_class_numbered_by_their_first():
    classes = find_classes(documents([7, 3, 7, 9, 3, 7]), agreed, 64)
    assert members_of(classes) == [[0, 2, 5], [1, 4], [3]]
    assert classes.first.tolist() == [0, 1, 3]
    assert classes.node.tolist() == [0, 1, 0, 2, 1, 0]
    assert (classes.sizes.tolist(), classes.large, classes.refuted) == ([3, 2, 1], 0, 0)
    none = find_classes(documents([]), agreed, 64)
    assert (none.node.tolist(), none.first.tolist(), none.offsets.tolist()) == ([], [], [0])


def test_a_document_whose_letters_differ_stands_alone_and_takes_nobody_with_it():
    def second_differs(members: np.ndarray, firsts: np.ndarray) -> np.ndarray:
        assert firsts.tolist() == [0, 0, 0]
        return members != 1

    classes = find_classes(documents([5, 5, 5, 5, 8]), second_differs, 64)
    assert members_of(classes) == [[0, 2, 3], [1], [4]]
    assert classes.refuted == 1


def test_scope_parts_equal_documents():
    codes = ScopeColumns(codes=np.array([0, 1, 0, 1]))
    assert members_of(find_classes(documents([5, 5, 5, 5], scope=codes), agreed, 64)) == [[0, 2], [1, 3]]


def test_a_window_links_equal_documents_and_joins_none():
    scope = ScopeColumns(seconds=np.array([0.0, 10.0, 25.0, np.inf]), within=15.0)
    classes = find_classes(documents([5, 5, 5, 5], scope=scope), agreed, 64)
    assert members_of(classes) == [[0], [1], [2], [3]]
    assert list(zip(classes.linked_left.tolist(), classes.linked_right.tolist(), strict=True)) == [(0, 1), (1, 2)]


def test_the_reference_corpus_stands_for_its_class_and_comes_first():
    known = replace(documents([1, 2, 2, 1], references=2), id_rank=np.array([3, 2, 1, 0]))
    classes = find_classes(known, agreed, 64)
    assert classes.first.tolist() == [1, 0]  # by id among the references, before all others
    assert members_of(classes) == [[1, 2], [0, 3]]


def test_parts_agree_in_the_columns_looked_at():
    known = documents([5, 5, 5, 6])
    classes = find_classes(known, agreed, 64)
    columns = pa.table({"site": ["a", "b", "a", "a"], "title": ["x"] * 4})
    assert members_of(parted(known, columns, classes, ("site", "blocks"))) == [[0, 2], [1], [3]]
    assert parted(known, columns, classes, ("blocks",)) is classes


def test_what_is_taken_out_is_in_no_class():
    known = documents([5, 6, 5, 7])
    classes = find_classes(known, agreed, 64)
    assert repeats(classes).tolist() == [False, False, True, False]
    left = without(known, classes, np.array([True, False, False, True]))
    assert (members_of(left), left.node.tolist()) == ([[1], [2]], [-1, 0, 1, -1])
    assert without(known, classes, np.zeros(4, bool)) is classes


def test_groups_keep_the_order_of_their_members():
    found = grouped(np.array([4, 2, 1, 3]), np.array([0, 0, 5, 5]), np.arange(5))
    assert members_of(found) == [[1, 3], [4, 2]]
    assert found.node.tolist() == [-1, 0, 1, 0, 1]

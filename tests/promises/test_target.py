"""Covers: `rethreshold(target=)`. Compared against: every threshold tried one by one."""

import pytest
from test_row_outputs import PEAK, ROWS, USUAL, write

import quchong as qc
from quchong.errors import UsageError


@pytest.fixture(scope="module")
def result():
    return qc.dedup(ROWS, **USUAL)


def kept_at(result, step):
    return result.rethreshold(step / 1000).counts["kept"]


def test_the_threshold_found_is_the_highest_that_keeps_no_more(result):
    counts = {step: kept_at(result, step) for step in (300, 600, 1000)}
    assert counts[300] < counts[600] < counts[1000]
    for target in sorted({counts[300], counts[300] + 1, counts[600], counts[600] + 1, counts[1000] - 1, counts[1000]}):
        found = result.rethreshold(target=target)
        threshold = found.manifest["config"]["parameters"]["threshold"]
        assert found.counts["kept"] <= target
        if threshold < 1:
            assert kept_at(result, round(threshold * 1000) + 1) > target
        same = result.rethreshold(threshold)
        assert found.counts | PEAK == same.counts | PEAK
        assert found.ledger.drop_columns(["config_hash"]) == same.ledger.drop_columns(["config_hash"])


def test_a_saved_run_is_brought_to_a_target_and_written(tmp_path, result):
    folder = qc.dedup(write(tmp_path / "a.jsonl", ROWS), out=tmp_path / "r", **USUAL).folder
    target = kept_at(result, 600)
    qc.load(folder).rethreshold(target=target).save(tmp_path / "s")
    assert qc.load(tmp_path / "s").kept.num_rows == result.rethreshold(target=target).counts["kept"]


def test_targets_that_no_threshold_leaves_are_refused_with_the_number_that_is_left(result):
    fewest, most = kept_at(result, 300), kept_at(result, 1000)
    with pytest.raises(UsageError, match=f"keeps {fewest} documents"):
        result.rethreshold(target=fewest - 1)
    with pytest.raises(UsageError, match=f"keeps only {most} "):
        result.rethreshold(target=most + 1)
    assert result.rethreshold(target=most).counts["kept"] == most


@pytest.mark.parametrize(
    "given", [{"target": 0}, {"target": 1.5}, {"target": 40, "threshold": 0.8}, {"target": 40, "containment": 0.8}]
)
def test_a_target_is_a_number_and_finds_the_threshold_itself(result, given):
    with pytest.raises(UsageError, match="target"):
        result.rethreshold(**given)


def test_a_method_without_a_threshold_to_decide_by_says_so():
    with pytest.raises(UsageError, match=r"target.*exact"):
        qc.dedup(ROWS[:40], method="exact", **USUAL).rethreshold(target=20)


def test_a_method_with_a_lowest_threshold_of_its_own_begins_at_that_of_the_run():
    result = qc.dedup(ROWS, method="simhash", **USUAL)
    target = result.counts["kept"] + 2
    found = result.rethreshold(target=target)
    assert result.counts["kept"] <= found.counts["kept"] <= target


@pytest.mark.parametrize("annotate", [False, True])
def test_a_run_with_a_target_is_the_run_decided_again(tmp_path, result, annotate):
    target = kept_at(result, 600)
    again = result.rethreshold(target=target)
    assert qc.dedup(ROWS, target=target, **USUAL).ledger.equals(again.ledger)
    path = write(tmp_path / "a.jsonl", ROWS)
    found = qc.dedup(path, target=target, out=tmp_path / "r", annotate=annotate, **USUAL)
    assert found.counts["kept"] == again.counts["kept"] and found.ledger["id"].equals(again.ledger["id"])
    assert found.manifest["config"]["parameters"]["threshold"] == again.manifest["config"]["parameters"]["threshold"]
    assert f"target {target}: the threshold" in str(found.manifest["remarks"])
    assert "searched for with preset balanced" in str(found.manifest["remarks"])
    loaded = qc.load(tmp_path / "r")
    assert len(loaded.pairs) == len(again.pairs)
    if not annotate:
        assert not len(loaded.verify().mismatches) and loaded.kept.num_rows == again.counts["kept"]


def test_a_target_out_of_reach_takes_the_nearest_and_says_so(tmp_path, result):
    fewest, most = kept_at(result, 300), kept_at(result, 1000)
    path = write(tmp_path / "a.jsonl", ROWS)
    low = qc.dedup(path, target=fewest - 1, out=tmp_path / "low", **USUAL)
    high = qc.dedup(ROWS, target=most + 1, **USUAL)
    assert (low.counts["kept"], high.counts["kept"]) == (fewest, most)
    for found in (low, high):
        [alarm] = [one for one in found.alarms if one["kind"] == "target missed"]
        assert f"the target cannot be reached; {found.counts['kept']} documents are kept" in alarm["message"]
        assert alarm["figures"]["kept"] == found.counts["kept"] and "target missed" in repr(found)
    reached = qc.dedup(ROWS, target=most, **USUAL)
    assert "target missed" not in {one["kind"] for one in reached.alarms}


def test_the_words_about_a_target_name_what_helps(result):
    fewest, most = kept_at(result, 300), kept_at(result, 1000)
    with pytest.raises(UsageError, match=r"; to remove more, add these relations: .*variant"):
        result.rethreshold(target=fewest - 1)
    with pytest.raises(UsageError, match=r"; to keep more, leave out some of the relations: .*exact"):
        result.rethreshold(target=most + 1)
    with pytest.raises(UsageError, match=rf"there are only {len(ROWS):,} documents"):
        result.rethreshold(target=len(ROWS) + 1)
    given = qc.dedup(ROWS, target=most, threshold=0.6, **USUAL)
    assert "pairs were searched for with 0.6" in str(given.manifest["remarks"])


def test_a_run_with_a_target_has_a_hash_of_its_own(tmp_path, result):
    target = kept_at(result, 600)
    path = write(tmp_path / "a.jsonl", ROWS)
    found = qc.dedup(path, target=target, out=tmp_path / "r", **USUAL)
    threshold = found.manifest["config"]["parameters"]["threshold"]
    given = qc.dedup(path, threshold=threshold, **USUAL)
    assert found.manifest["config"]["target"] == target and "target" not in given.manifest["config"]
    assert found.manifest["config_hash"] != given.manifest["config_hash"]
    assert set(found.ledger["config_hash"].to_pylist()) == {found.manifest["config_hash"]}
    again = qc.load(tmp_path / "r").rethreshold(threshold)
    assert "target" not in again.manifest["config"]


def test_two_stage_has_no_threshold_unless_it_verifies_by_one():
    with pytest.raises(UsageError, match=r"target.*two-stage has no threshold"):
        qc.dedup(ROWS, target=5, method="two-stage")
    result = qc.dedup(ROWS, target=len(ROWS) // 2, method="two-stage", verify="exact", **USUAL)
    assert "target missed" in repr(result)


def test_a_method_without_a_threshold_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(UsageError, match="has no threshold"):
        qc.dedup(tmp_path / "nothing.jsonl", target=5, method="exact")
    with pytest.raises(UsageError, match="target"):
        qc.dedup(ROWS, target=0)

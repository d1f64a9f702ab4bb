"""Covers: the experiments of Gao 2014 against theory: recall of SimHash, block tables, the rules of the Bloom filter."""

from quchong_lab import experiment


def test_measured_recall_of_simhash_follows_its_theory():
    rows = experiment("short-text/simhash-recall").run("quick", 1).table.to_pylist()
    assert len(rows) == 20
    for row in rows:
        spread = (row["theory"] * (1 - row["theory"]) / 200) ** 0.5
        assert abs(row["caught"] - row["theory"]) <= 5 * spread + 0.02, row


def test_block_tables_miss_nothing():
    table = experiment("short-text/simhash-time").run("quick", 1).table
    assert set(table["missing"].to_pylist()) == {0}
    assert sum(table["pairs"].to_pylist()) > 0


def test_the_two_rules_of_the_printed_filter_follow_their_theory():
    for row in experiment("short-text/bloom-memory").run("quick", 1).table.to_pylist():
        assert abs(row["kept_of_distinct"] - row["theory"]) < 0.03, row

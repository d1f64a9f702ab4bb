"""Covers: two-stage with a Bloom filter or digit trie as stage 1, from the command line to the run folder and back.

Run: pytest tests/cli/test_stage1_filters.py.
"""

import json

import pytest

RULE = "bloom filter, unconfirmed"
TINY = ["--method", "two-stage", "--stage1", "bloom", "--filter-bits", 500]


def ids_of(path):
    return [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def posts(jsonl, article):
    """200 texts, a copy of every fourth: behind all of them, with other marks."""
    rows = [{"id": f"a{i:03}", "text": article(i, 40)} for i in range(200)]
    rows += [{"id": f"b{i:03}", "text": article(i, 40) + "！"} for i in range(0, 200, 4)]
    return jsonl("posts.jsonl", rows)


def lost(run):
    return {row["id"] for row in run.ledger if row["rule"] == RULE}


def test_what_a_tiny_filter_removes_is_counted_and_told(command, dedup, posts):
    run, digest = dedup(posts, *TINY), dedup(posts, "--method", "two-stage")
    stage1, gone = run.counts["stage1"], lost(run)
    assert len(gone) == stage1["unconfirmed"] > 10
    assert 0.5 < stage1["expected_wrongly_removed"] / len(gone) < 2
    assert run.counts["kept"] + run.counts["removed"] == run.counts["read"] == 250
    assert len(run.kept) == run.counts["kept"] and len(run.removed) == run.counts["removed"]
    for row in run.ledger:
        figures = [row[name] for name in ("jaccard", "containment", "survivor_containment", "threshold")]
        assert row["relation"] == "exact"
        if row["id"] in gone:
            assert row["survivor_id"] is None and figures == [None] * 4 and row["passages"] == []
        else:
            assert row["survivor_id"] in run.kept and figures == [1] * 4 and row["rule"] == "equal normal form"
    copied = {id.replace("a", "b") for id in gone} & {f"b{i:03}" for i in range(0, 200, 4)}
    assert copied and copied <= set(run.kept), "a later copy of what went unconfirmed stays"
    assert set(run.removed) - gone == set(digest.removed) - copied
    assert ids_of(run.folder / "removed.jsonl") == sorted(run.removed)
    assert (
        f"{len(gone)} texts without an earlier equal text (expected at its error rate"
        in run.alarms["removed unconfirmed"]
    )
    assert not any(c["id"] in gone or c["survivor_id"] in gone for c in run.clusters)
    assert not any({p["left_id"], p["right_id"]} & gone for p in run.pairs)
    shown = command("dedup", posts, *TINY, "--dry-run").out
    assert (
        f"{len(gone)} without a survivor; {stage1['expected_wrongly_removed']:.3g} of them expected to be wrong"
        in shown
    )
    one = min(gone)
    told = command("explain", run.folder, one).out
    assert f"{one} was removed without a survivor: {RULE}" in told and "--confirm" in told
    assert json.loads(command("explain", run.folder, one, "--json").out)["survivor_id"] is None


def test_confirmed_it_is_the_result_of_the_digests(dedup, posts):
    digest = dedup(posts, "--method", "two-stage")
    for how in (
        ["--filter-bits", 500],
        ["--filter-bits", 2000, "--filter-mode", "any"],
        ["--capacity", 150, "--error-rate", 0.5],
    ):
        run = dedup(posts, "--method", "two-stage", "--stage1", "bloom", *how, "--confirm")
        (ledger, *rest), (want, *others) = run.found(), digest.found()
        assert [row | {"config_hash": ""} for row in ledger] == [row | {"config_hash": ""} for row in want]
        assert rest == others and not run.alarms
        assert run.counts["stage1"]["unconfirmed"] == 0 and run.counts["stage1"]["refuted"] > 0


def test_restored_it_stands_where_it_stood(command, dedup, posts):
    run = dedup(posts, *TINY)
    gone, before = lost(run), ids_of(run.folder / "kept.jsonl")
    one = min(gone)
    assert command("restore", run.folder, one).code == 0
    assert ids_of(run.folder / "kept.jsonl") == sorted([*before, one])
    assert command("restore", run.folder, "--rule", RULE).out.startswith(f"put back {len(gone) - 1:,} rows")
    again = type(run)(run.folder)
    assert not lost(again) and set(again.kept) == {*before, *gone}
    assert again.clusters == run.clusters and again.counts["removed"] == len(again.ledger)
    assert f"{one} was kept" in command("explain", run.folder, one).out


def test_annotated_it_has_no_survivor(dedup, posts):
    run = dedup(posts, *TINY, "--mode", "annotate")
    rows = [json.loads(line) for line in (run.folder / "annotated.jsonl").read_text("utf-8").splitlines()]
    assert {r["id"] for r in rows if r["quchong_survivor"] is None} == lost(run) != set()
    assert all(r["quchong_fate"] == ("removed" if r["id"] in run.removed else "kept") for r in rows)
    assert all(r["quchong_survivor"] == r["id"] for r in rows if r["quchong_fate"] == "kept")


def test_protected_documents_and_references_stay(dedup, posts, tmp_path):
    plain = dedup(posts, *TINY)
    protect = tmp_path / "protect.txt"
    some = sorted(lost(plain))[:5]
    protect.write_text("\n".join(some))
    run = dedup(posts, *TINY, "--protect", protect)
    assert set(some) <= set(run.kept) and lost(run) == lost(plain) - set(some)
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    rows = posts.read_text("utf-8").splitlines(keepends=True)
    old.write_text("".join(rows[:200]), "utf-8")
    new.write_text("".join(rows[200:]), "utf-8")
    against = dedup(new, "--against", old, *TINY)
    assert against.removed == {f"b{i:03}": f"against/a{i:03}" for i in range(0, 200, 4)}
    assert not lost(against) and against.counts["stage1"]["hits"] == 50, "no reference is removed, however it is called"
    swapped = dedup(old, "--against", new, *TINY)
    assert lost(swapped) and not lost(swapped) & {f"a{i:03}" for i in range(0, 200, 4)}


def test_the_trie_and_its_literal_rule(dedup, jsonl):
    collide = [{"id": f"n{i}", "text": f"第{i}号通知请看"} for i in (14256, 55106, 22237)]  # h64 squared alike
    run = dedup(jsonl("h64.jsonl", collide), "--method", "two-stage", "--stage1", "trie")
    assert [(r["id"], r["rule"]) for r in run.ledger] == [("n55106", "digit trie, unconfirmed")]
    assert not dedup(jsonl("h64.jsonl", collide), "--method", "two-stage", "--stage1", "trie", "--confirm").ledger
    begins = jsonl(
        "literal.jsonl", [{"id": "1", "text": "山金地人"}, {"id": "2", "text": "c"}]
    )  # 98**2 begins the other
    how = ["--method", "two-stage", "--normalise", "plain", "--stage1", "trie", "--hash", "bkdr"]
    assert not dedup(begins, *how).ledger
    assert [r["id"] for r in dedup(begins, *how, "--filter-mode", "literal").ledger] == ["2"]


def test_what_does_not_go_together_is_told_by_the_options_of_this_command(command, posts):
    for argv, text in (
        (["--capacity", "9"], "--capacity is for --stage1 bloom, not for --stage1 digest"),
        (["--confirm"], "exact"),
        (["--stage1", "bloom", "--filter-mode", "literal"], "or --stage1 trie, not for --stage1 bloom"),
        (
            ["--stage1", "trie", "--filter-bits", "9"],
            "--filter-bits is for the Bloom filter as printed in the paper (--filter-bits, --filter-mode)",
        ),
        (["--stage1", "bloom", "--filter-bits", "0"], "--filter-bits must be 1 to 2**40, got 0"),
        (["--stage1", "bloom", "--error-rate", "0.9"], "--error-rate must be 1e-12 to 0.5, got 0.9"),
        (["--stage1", "bloom", "--relations", "duplicate"], "--relations does not include exact"),
    ):
        ran = command("dedup", posts, "--method", "two-stage", "--dry-run", *argv)
        assert ran.code == 2 and text in ran.line

"""Covers: benchmarks/decisions: corpora of template families and reverse clusters, removals and pairs as CSV, scores, results and page.

Run: pytest tests/unit/benchmarks/test_decisions_benchmark.py (seconds). What quchong answers is in tests/quality/test_template_families.py.
"""

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "benchmarks" / "decisions"


@pytest.fixture(scope="module")
def modules():
    """Name -> module of the benchmark. They have plain names, which other folders have too."""
    before = set(sys.modules)
    path = list(sys.path)
    sys.path.insert(0, str(FOLDER))
    yield import_module
    sys.path[:] = path
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if "/benchmarks/" in file or "/tools/edits/" in file:
            del sys.modules[name]


@pytest.fixture(scope="module")
def families(modules):
    return modules("families").FAMILIES


def row(id_, original=None, family="f", half="tune"):
    return {"id": id_, "text": id_, "family": family, "half": half, "original": original or id_, "copy": ""}


def test_there_are_enough_families_of_both_halves_and_languages(families):
    for half in ("tune", "report"):
        mine = [one for one in families.values() if one.half == half]
        assert len(mine) >= 15
        assert all(sum(one.language == language for one in mine) >= 7 for language in ("zh", "en"))
        assert {one.kind for one in mine} >= {"JSON", "code", "HTML row", "contract"}
    assert {one.slots for one in families.values()} >= {1, 2, 3, 4, 5, 6, 7, 12}
    frames = [one.frame for one in families.values()]
    assert any(frame.startswith("<<") for frame in frames)
    assert any(frame.endswith(">>") for frame in frames)
    assert sum("<<" in frame[5:-5] and not frame.startswith("<<") for frame in frames) > 10
    assert min(map(len, frames)) < 40
    assert max(map(len, frames)) > 1500


def test_records_of_json_are_json(families, modules):
    copies = modules("families.copies").COPIES
    joined = modules("families.frame").joined
    seeded = modules("corpora").seeded
    tried = 0
    for one in families.values():
        if one.kind == "JSON":
            record = one.record(seeded(one.name))
            for kind in ("keys", "indent", "field"):
                tried += 1
                value, copied = json.loads(joined(record)), json.loads(copies[kind](record, seeded(kind), one.language))
                assert value.items() <= copied.items()
                assert len(copied) == len(value) + (kind == "field")
    assert tried == 9


def test_code_of_families_is_code(families, modules):
    joined, seeded = modules("families.frame").joined, modules("corpora").seeded
    for name in ("en_stubs", "en_handlers", "en_licensed"):
        compile(joined(families[name].record(seeded(name))), name, "exec")


@pytest.mark.parametrize("size", [3, 10, 100])
def test_families_have_as_many_records_and_copies_as_are_told(families, modules, size):
    corpora = modules("corpora")
    for name, family in families.items():
        rows = corpora.family_rows(name, size)
        originals = {one["original"] for one in rows}
        assert len(originals) == size, name
        assert len(rows) == size + max(1, round(size / 10)), name
        assert len({one["text"] for one in rows}) == len({one["id"] for one in rows}) == len(rows), name
        by_id = {one["id"]: one for one in rows}
        assert all(by_id[one]["original"] == one and not by_id[one]["copy"] for one in originals)
        assert {one["copy"] for one in rows if one["id"] != one["original"]} <= set(family.copies)
        assert all(bool(one["copy"]) == (one["id"] != one["original"]) for one in rows)
        assert [one["id"] for one in rows] == sorted(by_id)
        assert {(one["family"], one["half"]) for one in rows} == {(name, family.half)}


def test_a_copy_keeps_what_fills_the_slots(families, modules):
    corpora, copies, joined = modules("corpora"), modules("families.copies"), modules("families.frame").joined
    tried = set()
    for name, family in families.items():
        for kind in family.copies:
            tried.add(kind)
            rng = corpora.seeded(name, kind)
            for _ in range(5):
                record = family.record(rng)
                text = copies.COPIES[kind](record, rng, family.language)
                assert text != joined(record), (name, kind)
                if kind in ("noise", "source", "mark", "headline", "advert", "lines"):
                    assert all(
                        re.sub(r"\W", "", part) in re.sub(r"\W", "", text) for part, is_slot in record if is_slot
                    ), (name, kind, text)
    assert tried == set(copies.COPIES)


def test_noise_changes_a_share_of_the_frame_alone(modules):
    noisy, seeded = modules("families.copies").noisy, modules("corpora").seeded
    parts = [("the quick brown fox jumps over the lazy dog " * 5, False), ("slot", True), ("零一二不没", False)]
    text = noisy(parts, seeded("x"), 0.02)
    whole = "".join(part for part, _ in parts)
    changed = [i for i, (a, b) in enumerate(zip(whole, text, strict=True)) if a != b]
    assert len(changed) == round(0.02 * len(whole))
    assert max(changed) < len(parts[0][0])


@pytest.mark.parametrize("size", [10, 100])
def test_reverse_clusters_are_one_record(modules, size):
    corpora, reverse = modules("corpora"), modules("families.reverse")
    assert {reverse.half_of(name) for name in reverse.REVERSE} == {"tune", "report"}
    for name in reverse.REVERSE:
        rows = corpora.reverse_rows(name, size)
        assert len(rows) == len({one["text"] for one in rows}) == size, name
        assert len({one["original"] for one in rows}) == 1
        assert not any(mark in one["text"] for one in rows for mark in "{}|"), name


def test_rewording_uses_the_other_words(modules):
    reverse, seeded = modules("families.reverse"), modules("corpora").seeded
    assert reverse.worded("a {b|c} d", seeded(1), 0) == "a b d"
    assert reverse.worded("a {b|c} d", seeded(1), 1) == "a c d"


def test_corpora_depend_on_the_seed_alone():
    """In processes whose hashes differ."""
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); from corpora import *; "
        "print(json.dumps([family_rows('zh_receipt', 20, 1), reverse_rows('en_clock_everything', 20, 1), family_rows('zh_receipt', 20, 2)]))"
    )
    made = [
        subprocess.run([sys.executable, "-c", code, str(FOLDER)], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert made[0] == made[1]
    first, _, other = json.loads(made[0])
    assert first != other


def test_rows_together_are_all_rows(modules):
    corpora = modules("corpora")
    parts = [corpora.family_rows(name, 3) for name in ("zh_adverts", "en_logs")]
    rows = corpora.together(parts, 1)
    assert sorted(one["id"] for one in rows) == sorted(one["id"] for part in parts for one in part)
    assert rows == corpora.together(parts, 1)


def test_scores_of_removals_made_by_hand(modules):
    """a has copies a1, a2; b has b1; c, d are alone."""
    score = modules("scoring").score
    rows = [
        row("a"),
        row("a1", "a"),
        row("a2", "a"),
        row("b"),
        row("b1", "b"),
        row("c"),
        row("d"),
        row("other", family=""),
    ]
    (one,) = score(rows, {})
    assert (one.rows, one.records, one.lost, one.misled, one.surplus, one.present, one.clusters, one.largest) == (
        7,
        4,
        0,
        0,
        3,
        3,
        0,
        0,
    )
    (one,) = score(rows, {"a": "a2", "a1": "a2", "b1": "b"})
    assert (one.lost, one.misled, one.present, one.clusters, one.largest) == (0, 0, 0, 2, 3)
    (one,) = score(rows, {"a1": "b", "b": "c", "b1": "b", "d": "other"})
    assert (one.lost, one.misled, one.present, one.untold) == (2, 3, 1, 0)
    assert (one.lost_share, one.misled_share, one.present_share) == (0.5, 0.75, 1 / 3)
    assert (one.clusters, one.largest) == (2, 4)
    (one,) = score(rows, {"c": None, "a": None})
    assert (one.lost, one.misled, one.untold, one.present, one.clusters) == (1, 0, 2, 2, 0)


def test_copies_are_scored_by_how_they_were_made(modules):
    """Present is a copy that is there beside another row of its record."""
    score_copies = modules("scoring").score_copies
    rows = [
        row("a"),
        row("a1", "a") | {"copy": "noise"},
        row("b"),
        row("b1", "b") | {"copy": "noise"},
        row("b2", "b") | {"copy": "mark"},
    ]
    noise, mark = score_copies(rows, {"a": "a1", "b2": "b"})
    assert (noise.family, noise.surplus, noise.present, noise.present_share) == ("noise", 2, 1, 0.5)
    assert (mark.family, mark.surplus, mark.present, mark.lost_share) == ("mark", 1, 0, 0)


def test_families_of_a_corpus_are_scored_apart_and_summed(modules):
    scoring = modules("scoring")
    rows = [row("a"), row("x", family="g"), row("a1", "a"), row("x1", "x", family="g")]
    first, second = scoring.score(rows, {"a1": "x", "x1": "x"})
    assert (first.family, first.misled, first.present) == ("f", 1, 0)
    assert (second.family, second.misled, second.present) == ("g", 0, 0)
    both = scoring.summed("all", "", [first, second])
    assert (both.rows, both.records, both.misled, both.clusters) == (4, 2, 1, 2)
    assert scoring.Score.from_dict(both.as_dict() | {"tool": "t"}) == both


def test_pairs_become_removals_in_two_ways(modules):
    removals_of_pairs = modules("removals").removals_of_pairs
    ids = list("abcd")
    pairs = [("b", "a"), ("c", "b"), ("d", "d")]
    assert removals_of_pairs(ids, pairs) == {"b": "a"}
    assert removals_of_pairs(ids, pairs, "united") == {"b": "a", "c": "a"}
    assert removals_of_pairs(ids, []) == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("removed,kept\nb,a\n", {"b": "a"}),
        ("removed\nb\n", {"b": None}),
        ("kept,removed,why\na,b,x\n,c,\n", {"b": "a", "c": None}),
        ("id,survivor_id,relation\nb,a,exact\n", {"b": "a"}),
        ("left,right\na,b\n", {"b": "a"}),
        ("left_id,right_id,score\nc,b,1\n", {"c": "b"}),
    ],
)
def test_files_of_removals_and_of_pairs_are_read(modules, tmp_path, text, told):
    file = tmp_path / "r.csv"
    file.write_text(text, "utf-8")
    assert modules("removals").read_removals(file, list("abc")) == told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a,b\n1,2\n", "no column removed"),
        ("", "no column removed"),
        ("removed,kept\nz,a\n", "z is not in the corpus"),
        ("removed,kept\na,z\n", "z is not in the corpus"),
        ("left,right\na,z\n", "z is not in the corpus"),
        ("removed,kept\nb,a\nb,c\n", "b is removed twice"),
        ("removed,kept\nb,b\n", "b is removed for itself"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(modules, tmp_path, text, why):
    file = tmp_path / "r.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=why):
        modules("removals").read_removals(file, list("abc"))


def call(*words):
    command = [sys.executable, str(FOLDER), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_another_tool_is_run_and_scored_by_commands(tmp_path):
    """A tool that removes every second row for the one before it."""
    tool = tmp_path / "tool.py"
    tool.write_text(
        "import sys, json, csv\n"
        "ids = [json.loads(line)['id'] for line in open(sys.argv[1], encoding='utf-8')]\n"
        "out = csv.writer(open(sys.argv[2], 'w', newline=''))\n"
        "out.writerows([('removed', 'kept'), *zip(ids[1::2], ids[::2])])\n",
        "utf-8",
    )
    work = tmp_path / "work"
    made = call("make", work, "--parts", "families,reverse", "--families", "zh_terms,en_clock_noise", "--sizes", "10")
    assert made.stdout.splitlines() == ["families: 1 corpora", "reverse: 3 corpora"]
    ran = call("run", work, "every second", "--command", f"{sys.executable} {tool} {{corpus}} {{removals}}")
    assert ran.stdout == "every second: 4 corpora\n", ran.stderr
    assert call("run", work, "every second", "--command", "false").stdout == "every second: 0 corpora\n"
    told = call("score", work, "every second").stdout.splitlines()
    assert [line.split()[0] for line in told if not line.startswith("copies")] == [
        "families",
        "reverse",
        "reverse",
        "reverse",
    ]
    assert re.match(r"families +10 +zh_terms +tune +10 ", told[0])
    corpus, removals = (
        work / "corpora/reverse/en_clock_noise-10.jsonl",
        work / "removals/every_second/reverse/en_clock_noise-10.csv",
    )
    one = call("score-one", corpus, removals).stdout.splitlines()
    assert one[2].split() == ["copies", "by", "noise", "9", "present", "44.4"]
    assert re.split(r" +", one[1]) == ["en_clock_noise", "tune", "1", "0.0", "0.0", "9", "44.4", "5", "2"]
    removals.write_text("removed\nnobody\n", "utf-8")
    assert "nobody is not in the corpus" in call("score-one", corpus, removals).stderr
    failed = call("run", work, "mine", "--command", "false")
    assert failed.returncode == 1
    assert "failed: false" in failed.stderr
    assert "unknown tool mine" in call("run", work, "mine").stderr
    assert "unknown: nothing" in call("make", work, "--parts", "nothing").stderr


def test_what_needs_shared_data_is_left_out_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setenv("QUCHONG_SHARED", str(tmp_path / "nowhere"))
    told = call("make", tmp_path, "--parts", "mixed,edits").stdout.splitlines()
    assert len(told) == 2
    assert all(re.match(r"\w+: left out: the shared data sets are absent", line) for line in told)


def test_results_are_kept_merged_and_shown(modules, tmp_path):
    results, scoring = modules("results"), modules("scoring")
    first = scoring.Score("zh_terms", "tune", 110, 100, 2, 3, 0, 10, 1, 4, 9)
    old = [results.Result("mine", "families", "100", first), results.Result("other", "families", "100", first)]
    path = tmp_path / "r.csv"
    results.write_results(path, old)
    assert results.read_results(path) == old
    assert results.read_results(tmp_path / "none.csv") == []
    better = results.Result(
        "mine", "families", "100", scoring.Score("zh_terms", "tune", 110, 100, 0, 0, 0, 10, 0, 4, 2)
    )
    found = results.merged(old, [better])
    assert sorted(found, key=lambda one: one.tool) == [better, old[1]]
    page = modules("page").page(found, {"mine": "as it comes", "other": "stock"}, "COMMAND")
    assert "| mine | 0.0 · 0.0 · 0.0 |" in page
    assert "| other | **2.0** · 3.0 · **10.0** |" in page
    assert "| zh_terms | tune | prompt | 1 | 0.0 · 0.0 | **2.0** · **10.0** |" in page


def test_sizes_are_in_names_of_corpora(modules):
    size = modules("results").corpus_size
    assert size("small", "small-10-03") == "10"
    assert size("families", "zh_terms-2000") == "2000"
    assert size("edits", "2%_noise-80-report") == "80"
    assert size("mixed", "en_reuters-100") == "en_reuters"


def test_rows_that_fare_as_alone_are_counted(modules, tmp_path):
    results, making, removals = modules("results"), modules("making"), modules("removals")
    rows = [row("t-0", family="t"), row("t-1", family="t"), row("t-2", family="t"), row("real", family="")]
    for part in ("mixed", "families"):
        (tmp_path / "corpora" / part).mkdir(parents=True)
    making.write_rows(tmp_path / "corpora/mixed/set-3.jsonl", rows)
    making.write_rows(tmp_path / "corpora/families/t-3.jsonl", rows[:3])
    mixed = tmp_path / "removals/mine/mixed/set-3.csv"
    removals.write_removals(mixed, {"t-1": "t-0", "t-2": "real"})
    assert [one.same for one in results.score_folder(tmp_path, "mine")] == [None]
    removals.write_removals(tmp_path / "removals/mine/families/t-3.csv", {"t-1": "t-2"})
    found = {one.part: one for one in results.score_folder(tmp_path, "mine", "my tool")}
    assert (found["mixed"].size, found["mixed"].same, found["mixed"].tool) == ("set", 2, "my tool")
    assert found.keys() == {"mixed", "families"}
    assert (found["families"].size, found["families"].same) == ("3", None)
    path = tmp_path / "r.csv"
    results.write_results(path, found.values())
    assert sorted(results.read_results(path), key=lambda one: one.part) == [found["families"], found["mixed"]]


def test_python_files_of_two_environments_are_told_by_the_number_of_theirs(modules, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("x = 1\n", "utf-8")
    out = tmp_path / "files.jsonl"
    modules("python_files").write_files(out, tmp_path / "one", tmp_path / "two")
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(row["id"], row["vendored"]) for row in rows] == [("1:a.py", "a.py"), ("2:a.py", "a.py")]


def test_python_files_of_an_environment_become_a_corpus(modules, tmp_path):
    place = tmp_path / "site-packages"
    for name, text in {
        "a/b.py": "x = 1\n",
        "pip/_vendor/rich/box.py": "y = 2\n",
        "c/__init__.py": "\n",
        "d.txt": "z",
    }.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, "utf-8")
    (place / "latin.py").write_bytes(b"# \xe9\n")
    out = tmp_path / "files.jsonl"
    assert modules("python_files").write_files(out, place) == "2 files with 12 characters; 2 empty or not UTF-8"
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert rows == [
        {"id": "a/b.py", "text": "x = 1\n", "vendored": ""},
        {"id": "pip/_vendor/rich/box.py", "text": "y = 2\n", "vendored": "rich/box.py"},
    ]
    more = [{"id": name, "vendored": "rich/box.py"} for name in ("x/extern/rich/box.py", "y/vendor/rich/box.py")]
    more.append({"id": "rich/box.py", "vendored": ""})
    count = modules("python_files").score_vendored
    assert count([*rows, *more], {"a/b.py": None}) == (3, 0)
    assert count([*rows, *more], {"rich/box.py": "x/extern/rich/box.py"}) == (3, 1)
    assert count([*rows, *more], {one["id"]: None for one in [*rows, *more]}) == (3, 3)
    removals = tmp_path / "r.csv"
    removals.write_text("removed,kept\na/b.py,\n", "utf-8")
    assert call("score-one", out, removals).stdout == "2 files, 1 removed; of 0 surplus vendored ones 0\n"


def test_removals_are_drawn_to_be_read(modules, tmp_path):
    reading, making = modules("reading"), modules("making")
    corpus, removals = tmp_path / "c.jsonl", tmp_path / "r.csv"
    making.write_rows(corpus, [row(f"r{i}") | {"text": "one\ntwo\n" + f"own {i}"} for i in range(9)])
    lines = [
        "id,survivor_id,relation,rule",
        *(f"r{i},r0,duplicate,{'aligned' if i % 2 else 'jaccard'}" for i in range(1, 9)),
    ]
    removals.write_text("\n".join(lines) + "\n", "utf-8")
    found = reading.drawn(removals, 3)
    assert {name: len(rows) for name, rows in found.items()} == {"aligned": 3, "jaccard": 3}
    assert found == reading.drawn(removals, 3) != reading.drawn(removals, 3, seed=2)
    told = "\n".join(reading.told(corpus, removals, 9, "jaccard"))
    assert told.count("== jaccard") == 4
    assert "aligned" not in told
    assert "r2 (13) removed for r0 (13) relation duplicate" in told
    assert "-own 2\n+own 0" in told


def tables(text):
    return [line for line in text.splitlines() if line.startswith("|")]


def test_the_page_is_made_of_the_results(modules):
    """Every table of decisions.md is what decisions.csv gives."""
    found = modules("results").read_results(ROOT / "docs/results/decisions.csv")
    made = tables(modules("page").page(found, {}, ""))
    assert len(made) > 100
    assert made == tables((ROOT / "docs/results/decisions.md").read_text("utf-8"))

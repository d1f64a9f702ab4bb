"""Covers: the experiment cluster/scale: runs measured and kept, the cost model against runs made up from known costs, tables and words;
docs/results/cluster.md, whose figures are those of the runs beside it and of the code.

No Spark is started here: what it says of itself is made up, and so are the seconds.
"""

import importlib.util
import json
import math
import os
import random
import re
from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from quchong.errors import InputError, UsageError
from quchong_lab.answers import answers
from quchong_lab.command import command as lab
from quchong_lab.gather import answers_of
from quchong_lab.report import write as write_findings
from quchong_lab.spark import monitor, scale
from quchong_lab.spark import runs as measured_runs
from quchong_lab.spark.medians import middles
from quchong_lab.spark.model import Line, Local, Machines, crossing, fit_cluster, fit_local, least_cores
from quchong_lab.spark.pages import pages_in, recipe
from quchong_lab.spark.runs import Limits, Run, Stage, command, measure, read, together, write
from quchong_lab.spark.scale import SCALE, counted, findings, held_out, planned_runs
from quchong_lab.spark.summary import LARGER, MACHINES

RESULTS = Path(__file__).parents[4] / "docs" / "results"
RUNS = RESULTS / "cluster-runs.jsonl"
PAIRS = 0.5
TRUE = {  # stage: seconds fixed, seconds a page or pair, bytes a page or pair, wall seconds beside tasks
    "read and fingerprint": (1.0, 8e-4, 0.0, 2.0),
    "candidates": (3.0, 4e-4, 900.0, 1.5),
    "verify": (0.5, 1e-3, 5_000.0, 1.0),
    "decide": (2.0, 2e-4, 300.0, 0.5),
}
PAIRED = {"verify", "decide"}
START = 12.0


def spark_run(pages, cores=2, repeat=0, noise=0.0, rng=None):
    pairs = round(pages * PAIRS)
    stages = {}
    for name, (fixed, each, shuffled, beside) in TRUE.items():
        x = pairs if name in PAIRED else pages
        work = (fixed + each * x) * (1 + (rng.uniform(-noise, noise) if rng else 0))
        stages[name] = Stage(beside + work / cores, work, round(shuffled * x), 4)
    seconds = {name: stage.seconds for name, stage in stages.items()}
    counts = {"candidates": pairs, "pairs": pairs // 2}
    return Run(pages, 1, "spark", cores, repeat, START + sum(seconds.values()), 3_000_000_000, seconds, stages, counts)


def local_run(pages, each=1e-3, repeat=0):
    wall = 0.5 + each * pages
    counts = {"candidates": round(pages * PAIRS), "pairs": pages // 4}
    return Run(pages, 1, "local", 2, repeat, wall, 100_000_000 + 8_000 * pages, {"verify": wall - 0.3}, {}, counts)


def test_a_line_is_found_again_and_bends_at_nothing():
    line = Line.through([1, 10, 100], [5, 23, 203])
    assert (line.fixed, line.slope) == (pytest.approx(3), pytest.approx(2))
    falling = Line.through([1, 2], [10, 4])  # no slope below zero
    assert falling.slope == 0 and 4 <= falling.fixed <= 10
    steep = Line.through([10, 20], [5, 20])  # nor a fixed part
    assert steep.fixed == 0 and 0.5 <= steep.slope <= 1
    assert Line.through([1, 2], [0, 0]) == Line(0, 0)


@pytest.mark.parametrize("xs", [[], [3], [3, 3, 3]])
def test_a_line_through_fewer_than_two_sizes_is_an_error(xs):
    with pytest.raises(UsageError, match="two sizes"):
        Line.through(xs, [1.0] * len(xs))


def test_bounded_lines_are_the_best_of_all_that_are_allowed():
    rng = random.Random(7)
    for _ in range(60):
        xs = [rng.uniform(1, 100) for _ in range(4)]
        ys = [max(0.1, rng.uniform(-20, 40) + rng.uniform(-1, 1) * x) for x in xs]
        floor = 1e-3 * max(ys)

        def error(line, xs=xs, ys=ys, floor=floor):
            return sum(((line.at(x) - y) / max(y, floor)) ** 2 for x, y in zip(xs, ys, strict=True))

        best = Line.through(xs, ys)
        assert best.fixed >= 0 and best.slope >= 0
        for _ in range(200):
            other = Line(max(0, best.fixed + rng.gauss(0, 3)), max(0, best.slope + rng.gauss(0, 0.1)))
            assert error(best) <= error(other) + 1e-9


def test_the_model_finds_the_costs_the_runs_were_made_of():
    model = fit_cluster(middles(spark_run(n) for n in (1_000, 10_000, 100_000)), 2)
    assert model.start == pytest.approx(START) and model.pairs_per_page == PAIRS
    for stage in model.stages:
        fixed, each, shuffled, beside = TRUE[stage.name]
        assert stage.by == ("pairs" if stage.name in PAIRED else "pages")
        assert (stage.executor.fixed, stage.executor.slope) == (pytest.approx(fixed), pytest.approx(each))
        assert stage.overhead == pytest.approx(beside)
        assert stage.shuffle.slope == pytest.approx(shuffled, rel=1e-3)
    work = 1.0 + 3.0 + 0.5 + 2.0 + 1e6 * (8e-4 + 4e-4 + PAIRS * (1e-3 + 2e-4))
    assert model.executor_seconds(1e6) == pytest.approx(work)
    assert model.seconds(1e6) == pytest.approx(START + 5.0 + work / 2)
    assert model.seconds(1e6, 50) == pytest.approx(START + 5.0 + work / 50)
    assert model.growth == pytest.approx(8e-4 + 4e-4 + PAIRS * (1e-3 + 2e-4))


def test_bytes_are_those_of_the_largest_run_for_joins_of_small_tables_shuffle_nothing():
    runs = [spark_run(n) for n in (1_000, 10_000, 100_000)]
    small = [replace(r, stages={name: replace(s, shuffle_bytes=0) for name, s in r.stages.items()}) for r in runs[:2]]
    found = middles([*small, runs[2]])
    model = fit_cluster(found, 2)
    assert model.shuffle_bytes(1e6) == pytest.approx(1e6 * (900 + PAIRS * 5_300), rel=1e-3)
    words = "\n".join(findings([*small, runs[2], *(local_run(n) for n in (1_000, 10_000))]).remarks)
    assert "bytes shuffled 0 GB and 0.355 GB: -100%" in words


def test_work_outside_of_stages_is_counted_once():
    def run(pages):
        made = spark_run(pages)
        return replace(made, stages=made.stages | {"other": Stage(0.0, 1.0 + 1e-5 * pages, 0, 1)})

    runs = [run(n) for n in (1_000, 10_000, 100_000)]
    model = fit_cluster(middles(runs), 2)
    assert model.start == pytest.approx(START - (1.0 + 0.1) / 2)  # the median run is that of 10,000 pages
    assert model.seconds(10_000) == pytest.approx(runs[1].wall)


def test_noisy_runs_predict_a_larger_one_and_medians_throw_out_a_bad_repeat():
    rng = random.Random(3)
    runs = [spark_run(n, repeat=r, noise=0.1, rng=rng) for n in (3_000, 30_000, 100_000, 300_000) for r in range(3)]
    spoilt = replace(runs[3], wall=runs[3].wall * 9, stages={n: Stage(99, 999, 9, 9) for n in TRUE})
    model, largest = held_out(middles([*runs[:3], spoilt, *runs[4:]]), 2)
    assert largest.pages == 300_000 and model.sizes == (3_000, 30_000, 100_000) and largest.runs == 3
    assert abs(model.seconds(300_000) / largest.wall - 1) < 0.15
    assert middles(runs)[0].spread == pytest.approx(max(r.wall for r in runs[:3]) / min(r.wall for r in runs[:3]))


def test_models_of_too_few_sizes_are_errors_that_name_what_is_missing():
    with pytest.raises(UsageError, match=r"spark\[2\] needs runs of two sizes"):
        fit_cluster(middles([spark_run(1_000), spark_run(1_000, repeat=1)]), 2)
    with pytest.raises(UsageError, match="local needs runs of two sizes"):
        fit_local([])
    with pytest.raises(UsageError, match="local needs"):
        findings([spark_run(1_000), spark_run(2_000)])
    with pytest.raises(UsageError, match="spark"):
        findings([local_run(1_000), local_run(2_000), replace(spark_run(1_000), error="out of memory")])
    assert held_out(middles([spark_run(1_000), spark_run(2_000)]), 2) is None


def test_spark_crosses_the_local_engine_where_both_take_as_long():
    model = fit_cluster(middles(spark_run(n) for n in (1_000, 10_000, 100_000)), 2)
    local = fit_local(middles(local_run(n) for n in (1_000, 10_000, 100_000)))
    assert crossing(local, model, 1) is None  # 1.8 ms of a core a page against 1 ms
    assert least_cores(local, model) == 2
    for cores in (2, 3, 64):
        n = crossing(local, model, cores)
        assert model.seconds(n, cores) == pytest.approx(local.seconds.at(n))
        assert model.seconds(2 * n, cores) < local.seconds.at(2 * n)
        assert model.seconds(n / 2, cores) > local.seconds.at(n / 2)
    assert local.fits(24e9) == pytest.approx((24e9 - 1e8) / 8_000)
    assert math.isinf(Local(Line(1, 1), Line(5, 0)).fits(24e9))
    assert least_cores(Local(Line(1, 0), Line(5, 0)), model) is None


def test_larger_clusters_are_reckoned_from_work_overhead_and_network():
    model = fit_cluster(middles(spark_run(n) for n in (1_000, 10_000, 100_000)), 2)
    machines, n = Machines(100, 8, 10.0), 1_000_000_000
    costs = model.on(machines, n)
    verify = costs["verify"]
    assert verify.executor_seconds == pytest.approx(0.5 + 1e-3 * n * PAIRS)
    assert verify.shuffle_bytes == pytest.approx(5_000 * n * PAIRS, rel=1e-3)
    assert verify.network_seconds == pytest.approx(verify.shuffle_bytes / (100 * 1.25e9))
    assert verify.seconds == pytest.approx(1.0 + verify.executor_seconds / 800 + verify.network_seconds)
    assert sum(c.executor_seconds for c in costs.values()) == pytest.approx(model.executor_seconds(n))


def test_findings_hold_what_was_measured_predicted_and_reckoned(tmp_path):
    sizes = (1_000, 10_000, 100_000)
    runs = [spark_run(n, cores) for n in sizes for cores in (1, 2)] + [local_run(n) for n in sizes]
    runs.append(Run(200_000, 1, "local", 2, error="needs more than 20.0 GB of memory"))
    found = findings(runs)
    rows = found.table.to_pylist()
    measured = [r for r in rows if r["what"] == "measured"]
    assert len(measured) == 9 and {r["engine"] for r in measured} == {"local", "spark[1]", "spark[2]"}
    largest = next(r for r in measured if r["engine"] == "spark[2]" and r["pages"] == 100_000)
    assert largest["times_one_core"] == pytest.approx(spark_run(100_000, 1).wall / spark_run(100_000, 2).wall)
    predicted = [r for r in rows if r["what"] == "predicted"]
    assert [(r["engine"], r["pages"]) for r in predicted] == [("spark[1]", 100_000), ("spark[2]", 100_000)]
    assert all(abs(r["error"]) < 1e-6 for r in predicted)
    stages = found.more["stages"].to_pylist()
    assert [s["stage"] for s in stages] == [*TRUE, "all, for each page"]
    total = stages[-1]
    for column in ("executor_hours_1e9", "shuffle_tb_10e9"):
        assert sum(s[column] for s in stages[:-1]) == pytest.approx(total[column])
    large = found.more["larger"].to_pylist()
    assert [r["pages"] for r in large] == list(LARGER) and large[0]["cluster"] == str(MACHINES)
    assert large[0]["executor_hours"] == pytest.approx(total["executor_hours_1e9"])
    ten = found.more["crossing"].to_pylist()
    assert ten[0] == {"cores": 1, "pages": None, "seconds": None, "local_gb": None, "local_fits": None}
    assert ten[-1]["pages"] > 0 and ten[-1]["local_fits"] == "yes"
    words = "\n".join(found.remarks)
    assert "200,000 pages, run 0 has no figures: needs more than 20.0 GB" in words
    assert "from 2 cores on" in words and "+0%" in words and "The model leaves out" in words
    files = {p.name for p in write_findings(SCALE, found, tmp_path, "full", 1)}
    assert {"table.csv", "stages.csv", "larger.csv", "crossing.csv", "plot-1.svg", "plot-2.svg"} <= files
    text = (tmp_path / "table.md").read_text("utf-8")
    assert all(f"## {name}" in text for name in found.more) and all(c.said in text for c in SCALE.claims)


def test_the_command_runs_every_engine_at_every_size_and_writes_what_came_out(tmp_path, monkeypatch):
    asked = []

    def measured(run, files, _work, _limits):
        asked.append((run.pages, run.engine, run.repeat, files))
        return local_run(run.pages) if run.engine == "local" else spark_run(run.pages, run.cores)

    monkeypatch.setattr(scale, "measure", measured)
    monkeypatch.setattr(scale, "pages_in", lambda _folder, pages, seed: (pages, seed))
    find = importlib.util.find_spec  # what is installed is found as it is: others ask too
    monkeypatch.setattr("importlib.util.find_spec", lambda name: find(name) or object())
    monkeypatch.setattr("shutil.which", lambda _name: "java")
    done = CliRunner().invoke(lab, ["run", SCALE.name, "--scale", "quick", "-o", str(tmp_path), "--seed", "3"])
    assert done.exit_code == 0, done.output
    assert asked[:4] == [(n, engine, 0, (n, 3)) for n in (1_000, 3_000) for engine in ("local", "spark")]
    assert asked[4:] == [(n, "local", 0, (n, 1)) for n in (1_000, 3_000)]  # the answers
    assert json.loads((tmp_path / SCALE.name / "run.json").read_text())["answers"] is not None
    assert (tmp_path / SCALE.name / "stages.csv").exists() and "by the model Spark is faster" in done.output
    assert len(scale.engines("paper")) == len({1, os.cpu_count()}) + 1


def test_without_spark_the_experiment_names_what_it_needs(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(UsageError, match=r"pip install 'pyspark"):
        SCALE.run("quick", 1)


def test_two_sizes_give_tables_and_no_prediction():
    found = findings([*(spark_run(n) for n in (1_000, 3_000)), *(local_run(n) for n in (1_000, 3_000))])
    assert all(r["what"] == "measured" for r in found.table.to_pylist())
    assert any("No size was predicted" in r for r in found.remarks)
    assert any("55% are fixed costs, so that" in r for r in found.remarks)  # 6.5 of 6.5 + 3,000 * 1.8e-3
    large = findings([*(spark_run(n) for n in (1_000, 90_000)), *(local_run(n) for n in (1_000, 90_000))])
    assert any("4% are fixed costs." in r for r in large.remarks)


def test_pages_have_four_thousand_bytes_and_are_made_once(tmp_path):
    (file,) = pages_in(tmp_path, 1_200, 1, workers=1)
    read_ = pq.ParquetFile(file)
    assert read_.num_row_groups == 2 and read_.metadata.num_rows == 1_200
    assert read_.schema_arrow.names == ["id", "text", "url", "site", "title", "time"]
    assert 3_800 < pc.mean(pc.binary_length(read_.read()["text"])).as_py() < 4_200
    before = file.stat().st_mtime_ns
    assert pages_in(tmp_path, 1_200, 1) == [file] and file.stat().st_mtime_ns == before
    assert (recipe(1_000, 1).sites, recipe(1_000_000, 1).sites, recipe(10**8, 1).sites) == (60, 2_000, 20_000)
    with pytest.raises(UsageError, match="one page or more"):
        pages_in(tmp_path, 0, 1)


def test_large_corpora_stand_in_several_files(tmp_path, monkeypatch):
    monkeypatch.setattr("quchong_lab.spark.pages.FILE", 1_000)
    files = pages_in(tmp_path, 2_100, 1, workers=1)
    tables = [pq.read_table(file) for file in files]
    assert [len(t) for t in tables] == [1_000, 1_000, 100]
    assert tables[2]["id"].to_pylist()[-1] == "w00002099"


def test_a_local_run_is_measured_from_outside(tmp_path):
    files = pages_in(tmp_path, 150, 1)
    found = measure(Run(150, 1, "local", 1), files, tmp_path, Limits())
    assert found.error == "" and found.counts["read"] == 150 and found.stages == {}
    assert found.wall > sum(found.seconds.values()) > 0 and found.peak_bytes > 20_000_000
    assert found.pairs == found.counts["candidates"] > 0
    assert not (tmp_path / "run").exists()
    write(found, tmp_path / "runs.jsonl")
    assert read(tmp_path / "runs.jsonl") == [found]


def test_a_run_that_fails_comes_back_with_the_reason(tmp_path):
    (tmp_path / "none.parquet").write_bytes(b"no parquet")
    found = measure(Run(1, 1, "local", 1), [tmp_path / "none.parquet"], tmp_path)
    assert "code 3" in found.error and found.wall == 0
    with pytest.raises(UsageError, match="local and spark"):
        command(Run(1, 1, "flink", 1), [], tmp_path, Limits(), 1)


def test_runs_of_spark_are_read_from_run_json(tmp_path, monkeypatch):
    seconds = {"verify": 3.0, "components 0": 1.0, "components 1": 2.0}
    stages = {
        name: {"seconds": s, "executor_seconds": 2 * s, "shuffle_bytes": 5, "tasks": 3} for name, s in seconds.items()
    }

    def ended(argv, log, *_):
        folder = tmp_path / "run"
        folder.mkdir()
        manifest = {"seconds": seconds, "stages": stages, "counts": {"candidates": 7}}
        (folder / "run.json").write_text(json.dumps(manifest))
        assert f"spark.local.dir={tmp_path / 'spark'}" in argv
        return monitor.Ended(9.0, 5)

    monkeypatch.setattr(measured_runs, "run", ended)
    given = measure(Run(50_000, 1, "spark", 3), [], tmp_path)
    assert given.stages == {"verify": Stage(3.0, 6.0, 5, 3), "components": Stage(3.0, 6.0, 10, 6)}
    assert (given.wall, given.peak_bytes, given.name, given.pairs) == (9.0, 5, "spark[3]", 7)
    assert given.partitions == max(2 * os.cpu_count(), 6)
    assert not (tmp_path / "spark").exists()


def test_steps_of_a_loop_stand_together():
    one = Stage(1, 2, 3, 4)
    assert together([("components 0", one), ("components 12", one), ("lists", one)]) == {
        "components": Stage(2, 4, 6, 8), "lists": one
    }  # fmt: skip


def test_a_file_of_runs_that_is_none_names_the_line(tmp_path):
    path = tmp_path / "runs.jsonl"
    assert read(path) == []
    write(spark_run(1_000), path)
    with path.open("a") as out:
        out.write('{"pages": 3}\n')
    with pytest.raises(InputError, match="line 2"):
        read(path)


def test_engines_take_turns_and_every_run_has_its_key():
    runs = planned_runs([200, 100], [("local", 2), ("spark", 1)], range(2), 1)
    assert [(r.pages, r.repeat, r.name) for r in runs][:4] == [
        (100, 0, "local"), (100, 0, "spark[1]"), (100, 1, "local"), (100, 1, "spark[1]")
    ]  # fmt: skip
    assert len({r.key for r in runs}) == 8


def test_what_runs_count_is_a_row_for_each_size_and_more_where_they_disagree():
    runs = [spark_run(2_000), local_run(2_000), local_run(1_000)]
    one = {"candidates": 500, "pairs": 250, "read": 1_000, "removed_by_relation": {"exact": 3, "duplicate": 4}}
    runs[2] = replace(runs[2], counts=one)
    rows = counted(runs).to_pylist()
    assert [(r["pages"], r["candidates"], r["pairs"]) for r in rows] == [(1_000, 500, 250), (2_000, 1_000, 500)]
    assert (rows[0]["read"], rows[0]["exact"], rows[0]["duplicate"], rows[0]["contained_in"]) == (1_000, 3, 4, 0)
    other = replace(runs[2], counts=one | {"pairs": 251})
    assert [r["pairs"] for r in counted([*runs, other]).to_pylist() if r["pages"] == 1_000] == [250, 251]


def test_a_run_that_fails_leaves_no_answers(monkeypatch):
    monkeypatch.setattr(scale, "measure", lambda run, *_: replace(run, error="out of memory"))
    monkeypatch.setattr(scale, "pages_in", lambda *_: [])
    with pytest.raises(UsageError, match="1,000 pages: out of memory"):
        answers(SCALE)


def test_pages_with_its_figures_have_the_counts_of_the_code():
    now = answers(SCALE)
    for page in (RESULTS / "cluster.md", RESULTS.parent / "results.md"):
        assert answers_of(page.read_text("utf-8")).get(SCALE.name) == now, (
            f"{page.name} is older than the code it measures: runs count something else now. Measure again by the commands of "
            f"docs/results/cluster.md (`quchong lab run {SCALE.name} --scale quick` for results.md), and put the answers of its run.json there."
        )


def shown(text):
    """Rows of a page's first table: names of columns to cells."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    head, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|---")
    )
    return [dict(zip(head, row, strict=True)) for row in rows if len(row) == len(head)]


def near(cell, value):
    """A cell shows a value, rounded to the digits it has; an empty one nothing."""
    if not cell or value is None:
        return not cell and value is None
    digits = len(cell.partition(".")[2])
    return abs(float(cell.replace(",", "")) - value) <= 0.5001 * 10**-digits


def test_the_page_shows_its_runs():
    """Each figure of the table, of the runs that stand beside the page."""
    rows = [r for r in findings(read(RUNS)).table.to_pylist() if r["what"] == "measured"]
    cells = shown((RESULTS / "cluster.md").read_text("utf-8"))[: len(rows)]
    columns = {"pages": "pages", "runs": "runs", "seconds": "seconds", "longest by shortest": "spread", "executor seconds": "executor_seconds",
               "shuffled, MB": "shuffle_mb", "peak, MB": "peak_mb", "candidates": "candidates", "pairs": "pairs", "ms a page": "ms_a_page"}  # fmt: skip
    for cell, row in zip(cells, rows, strict=True):
        engine = re.sub(r"spark\[(\d+)\]", lambda m: f"Spark, {m[1]} core{'s' * (m[1] != '1')}", row["engine"])
        assert cell["engine"] == engine
        wrong = {name: (cell[name], row[of]) for name, of in columns.items() if not near(cell[name], row[of])}
        assert not wrong, (engine, row["pages"], wrong)


def test_the_page_says_what_the_model_says():
    """Each figure in words that is reckoned from the runs."""
    found = findings(read(RUNS))
    text = " ".join((RESULTS / "cluster.md").read_text("utf-8").split())
    predicted = next(r for r in found.table.to_pylist() if r["what"] == "predicted")
    measured = next(r for r in found.table.to_pylist() if r["pages"] == 2_000_000)
    crossing_at = {r["cores"]: r["pages"] for r in found.more["crossing"].to_pylist()}
    larger = found.more["larger"].to_pylist()
    local = fit_local(middles(read(RUNS)))
    for said in (
        f"says {predicted['seconds']:,.0f} seconds for 2,000,000; measured, median of 3, {measured['seconds']:,.0f}: {predicted['error']:+.0%}",
        f"{predicted['shuffle_mb'] / 1e3:.1f} GB said, {measured['shuffle_mb'] / 1e3:.1f} measured",
        f"from {crossing_at[16]:,} pages on 16 cores, {crossing_at[64]:,} on 64, {crossing_at[800]:,} on 800",
        f"needs {local.memory.slope / 1e3:.2f} kB of memory a page: above {local.fits(24e9) / 1e6:.2f} million pages",
        f"1,000 million pages {larger[0]['executor_hours']:.0f} hours of a core, {larger[0]['wall_hours']:.1f} hours in all, "
        f"{larger[0]['shuffle_tb']:.1f} TB shuffled",
        f"10,000 million {larger[1]['executor_hours']:,.0f} hours, {larger[1]['wall_hours']:.1f} hours, {larger[1]['shuffle_tb']:.0f} TB",
        *(f"n^{power}" for power in re.findall(r"spark\[2\].*n\^([\d.]+)\.", "\n".join(found.remarks))),
    ):
        assert said in text, said

"""Covers: the recipes of examples/recipes for pipelines of other libraries: datatrove, Polars, DuckDB, datasets.
Compared against: `quchong.dedup` of the same rows, and the index alone.

Run: pytest tests/recipes/test_pipelines.py.
"""

import pytest

import quchong as qc


def test_datatrove_drops_copies_of_this_run_and_answers_a_second_run_as_the_first(recipe, desk, news):
    pytest.importorskip("datatrove", reason="needs the package datatrove")
    from datatrove.data import Document

    step = recipe("datatrove_copies").DropCopies(str(desk / "seen"), batch=7)

    def run(some):
        return [(one.id, one.metadata) for one in step.run(iter([Document(row["text"], row["id"]) for row in some]))]

    first = run(news)
    assert 0 < len(first) < len(news)
    with qc.Index(desk / "seen") as index:
        gone = {row["id"] for row in news if index.matches(row["id"]).removed}
    assert [id for id, _ in first] == [row["id"] for row in news if row["id"] not in gone]
    assert any(about["like"] for _, about in first)
    assert [id for id, _ in run(news)] == [id for id, _ in first]
    (changed,) = run([news[0] | {"text": "完全不同的一段话，与前面的新闻没有任何关系。"}])
    assert "unusable" in changed[1]


def test_frames_of_polars_have_a_namespace_for_copies(recipe, news):
    polars = pytest.importorskip("polars", reason="needs the package polars")
    recipe("polars_copies")
    frame = polars.DataFrame(news)
    kept = qc.dedup(news).kept.column("id").to_pylist()
    assert frame.copies.drop()["id"].to_list() == kept
    marked = frame.copies.mark()
    assert marked.drop("copy_of", "relation").equals(frame)
    assert marked.filter(polars.col("copy_of").is_null())["id"].to_list() == kept
    survivors = {row["id"]: row["survivor_id"] for row in qc.dedup(news).ledger.to_pylist()}
    told = marked.filter(polars.col("copy_of").is_not_null())
    assert {row["id"]: news[row["copy_of"]]["id"] for row in told.to_dicts()} == survivors
    assert frame.select(polars.col("text").alias("正文")).copies.drop(text="正文").height == len(kept)


def test_duckdb_has_the_tables_of_a_run_and_a_function_that_asks_an_index(recipe, desk, news):
    duckdb = pytest.importorskip("duckdb", reason="needs the package duckdb")
    recipe = recipe("duckdb_copies")
    with duckdb.connect() as con, qc.Index.create(desk / "seen", keep="first") as index:
        con.execute("CREATE TABLE articles (id VARCHAR, text VARCHAR, time VARCHAR)")
        con.executemany(
            "INSERT INTO articles VALUES (?, ?, ?)", [[row["id"], row["text"], row["time"]] for row in news]
        )
        result = recipe.copies(con, "SELECT * FROM articles")
        assert con.sql("SELECT id FROM kept").fetchall() == [(id,) for id in result.kept["id"].to_pylist()]
        counted = con.sql("SELECT count(*) FROM removed JOIN articles USING (id)").fetchall()
        assert counted == [(len(result.ledger),)]
        index.add(news[:10])
        recipe.register_seen(con, index)
        con.execute("INSERT INTO articles VALUES ('none', NULL, NULL), ('empty', '', NULL)")
        told = dict(con.sql("SELECT id, seen(text) FROM articles").fetchall())
        assert told["none"] is None and told["empty"] is None
        for row in news:
            survivor = index.query({"text": row["text"]}).survivor_id
            assert told[row["id"]] == survivor, row["id"]
        assert sum(one is not None for one in told.values()) >= 10


def test_a_function_for_map_marks_the_copies_of_a_dataset_and_of_a_stream(recipe, desk, news):
    datasets = pytest.importorskip("datasets", reason="needs the package datasets")
    Seen = recipe("datasets_copies").Seen
    rows = [{"id": row["id"], "text": row["text"]} for row in news]
    marked = datasets.Dataset.from_list(rows).map(Seen(str(desk / "seen")), batched=True, batch_size=7)
    copies = {row["id"]: (row["copy_of"], row["relation"]) for row in marked if row["copy_of"] is not None}
    assert copies and all(copy_of in {row["id"] for row in rows} for copy_of, _ in copies.values())
    again = (
        datasets.Dataset.from_list(rows).to_iterable_dataset().map(Seen(str(desk / "seen")), batched=True, batch_size=5)
    )
    assert {row["id"] for row in again if row["copy_of"] is not None} >= set(copies)

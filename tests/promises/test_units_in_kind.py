"""Covers: rows of a run by units come in the kind in which the data was given. Compared against: the texts themselves."""

import pytest

import quchong as qc

TEXTS = ["Read the terms of this site\nOne", "Read the terms of this site!\nTwo", "Read the terms of this site"]
ROWS = [{"id": name, "text": text, "n": n} for n, (name, text) in enumerate(zip("abc", TEXTS, strict=True))]
LEFT = [TEXTS[0], "Two"]


def test_of_pandas():
    pd = pytest.importorskip("pandas", reason="pandas is of the group test")
    found = qc.dedup_units(pd.DataFrame(ROWS, index=[7, 8, 9]))
    assert found.kept.equals(
        pd.DataFrame([{**row, "text": left} for row, left in zip(ROWS, LEFT, strict=False)], index=[7, 8])
    )
    assert found.removed.index.tolist() == [8, 9] and found.removed["text"].tolist() == TEXTS[1:]
    series = qc.dedup_units(pd.Series(TEXTS, index=["x", "y", "z"], name="words")).kept
    assert series.equals(pd.Series(LEFT, index=["x", "y"], name="words")) and series.name == "words"


def test_of_polars():
    pl = pytest.importorskip("polars", reason="Polars is of the group test")
    found = qc.dedup_units(pl.DataFrame(ROWS))
    assert found.kept.equals(pl.DataFrame([{**row, "text": left} for row, left in zip(ROWS, LEFT, strict=False)]))
    assert found.removed.equals(pl.DataFrame(ROWS[1:]))
    assert qc.dedup_units(pl.Series("words", TEXTS)).kept.to_list() == LEFT


def test_of_datasets():
    datasets = pytest.importorskip("datasets", reason="datasets is of the group test")
    found = qc.dedup_units(datasets.Dataset.from_list(ROWS)).kept
    assert isinstance(found, datasets.Dataset) and found.column_names == ["id", "text", "n"]
    assert found["text"][:] == LEFT and found["n"][:] == [0, 1]
    splits = datasets.DatasetDict(
        {"one": datasets.Dataset.from_list(ROWS[:1]), "two": datasets.Dataset.from_list(ROWS[1:])}
    )
    kept = qc.dedup_units(splits).kept
    assert {name: part["text"][:] for name, part in kept.items()} == {"one": LEFT[:1], "two": LEFT[1:]}


def test_of_texts_by_id_and_of_other_data():
    assert qc.dedup_units(dict(zip("abc", TEXTS, strict=True))).kept == dict(zip("ab", LEFT, strict=True))
    assert qc.dedup_units(ROWS).kept["text"].to_pylist() == LEFT

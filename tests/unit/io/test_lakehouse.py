"""Tables of Delta Lake, Lance and Iceberg: folders and objects, by their own libraries; what is said without these."""

import sys

import pyarrow as pa
import pytest

import quchong as qc
from quchong.errors import InputError, UsageError

TEXT = "今天上午，市政府召开新闻发布会，介绍全市防疫工作的最新进展。"
TABLE = pa.table({"id": ["a", "b", "c"], "text": [TEXT, TEXT, "另一段完全不同的文字，讲的是别的事情。"]})


def check(data, tmp_path):
    result = qc.dedup(data, out=tmp_path / "run")
    assert result.ledger["id"].to_pylist() == ["b"] and result.kept["id"].to_pylist() == ["a", "c"]


def test_delta(tmp_path):
    deltalake = pytest.importorskip("deltalake", reason="deltalake is not installed: pip install deltalake")
    deltalake.write_deltalake(str(tmp_path / "t"), TABLE.slice(2))
    deltalake.write_deltalake(str(tmp_path / "t"), TABLE, mode="overwrite")  # what the first version had is no row
    check(tmp_path / "t", tmp_path)
    assert qc.dedup(deltalake.DeltaTable(str(tmp_path / "t"))).counts["read"] == 3
    with pytest.raises(InputError, match="is a Delta table, which a separate library reads"):
        qc.dedup([tmp_path / "t", tmp_path / "run"])


def test_lance(tmp_path):
    lance = pytest.importorskip("lance", reason="Lance is not installed: pip install pylance")
    lance.write_dataset(TABLE, str(tmp_path / "t.lance"))
    check(tmp_path / "t.lance", tmp_path)
    assert qc.dedup(lance.dataset(str(tmp_path / "t.lance"))).counts["read"] == 3


def test_iceberg(tmp_path):
    sql = pytest.importorskip(
        "pyiceberg.catalog.sql",
        reason="Iceberg is not installed: pip install 'pyiceberg[sql-sqlite]'",
        exc_type=ImportError,
    )
    catalog = sql.SqlCatalog("test", uri="sqlite:///:memory:", warehouse=f"file://{tmp_path}/house")
    catalog.create_namespace("n")
    made = catalog.create_table("n.t", schema=TABLE.schema)
    made.append(TABLE)
    check(made.location().removeprefix("file://"), tmp_path)
    assert qc.dedup(made).counts["read"] == 3


@pytest.mark.parametrize(
    ("made", "module", "package"),
    [
        ("_delta_log/x", "deltalake", "deltalake"),
        ("_versions/x", "lance", "pylance"),
        ("metadata/00001-x.metadata.json", "pyiceberg.table", "pyiceberg"),
    ],
)
def test_without_the_library(tmp_path, monkeypatch, made, module, package):
    file = tmp_path / "t.lance" / made
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=rf"the library that reads it is not installed: pip install {package}$"):
        qc.dedup(tmp_path / "t.lance")


def test_a_damaged_table(tmp_path):
    pytest.importorskip("deltalake", reason="deltalake is not installed: pip install deltalake")
    (tmp_path / "t" / "_delta_log").mkdir(parents=True)
    with pytest.raises(InputError, match="is a Delta table and cannot be read"):
        qc.dedup(tmp_path / "t")

"""Covers: commands start without pandas and asyncio. Compared against: modules that tell when they are imported, and real ones."""

import os
import subprocess
import sys

import pytest

from quchong.kernels.arrow_start import without_pandas

RECORDS = '{"id": 1, "text": "今天天气很好。"}\n{"id": 2, "text": "今天天气很好！"}\n'


@pytest.mark.parametrize(
    "command", [("dedup", "in.jsonl", "-o", "run"), ("compare", "今天天气很好。\n", "今天天气不好。\n")]
)
@pytest.mark.parametrize("module", ["pandas", "asyncio"])
def test_commands_do_not_load_what_they_do_not_use(tmp_path, command, module):
    (tmp_path / "in.jsonl").write_text(RECORDS, encoding="utf-8")
    (tmp_path / f"{module}.py").write_text(
        f"open({str(tmp_path / 'loaded')!r}, 'w').close()\n__version__ = '2.0'\n", encoding="utf-8"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path[1:]])}
    subprocess.run(
        [sys.executable, "-m", "quchong", *command], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    assert not (tmp_path / "loaded").exists()


def test_pandas_is_there_for_who_asks():
    pytest.importorskip("pandas")
    asked = "from quchong.kernels.arrow_start import without_pandas\nwithout_pandas()\nimport pyarrow as pa\n"
    asked += "assert len(pa.table({'a': [1, 2]}).to_pandas()) == 2\nimport pandas\nassert len(pa.array(pandas.Series([1, None]), from_pandas=True)) == 2"
    subprocess.run([sys.executable, "-c", asked], check=True)


def test_nothing_stays_refused():
    without_pandas()
    assert all(type(finder).__name__ != "_Refusing" for finder in sys.meta_path)

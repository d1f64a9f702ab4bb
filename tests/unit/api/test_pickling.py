"""Covers: results that go to another process."""

import io
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import quchong as qc
from quchong.errors import UsageError

TEXT = "今天天气很好，我们去公园散步看花，然后回家吃饭"
ROWS = [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT + "。"}, {"id": "c", "text": "另一篇文章，说的是别的事情"}]


class Loud:
    """A progress that cannot be pickled."""

    def __init__(self):
        self.stage = lambda name, total, unit: None
        self.advance = lambda amount: None


def same(one, other):
    for name in ("ledger", "pairs", "clusters", "documents", "kept", "removed"):
        assert getattr(one, name).equals(getattr(other, name)), name
    assert one.counts == other.counts
    assert str(one) == str(other)
    assert one.explain("b") == other.explain("b")
    assert one.chains().equals(other.chains())
    assert one.rethreshold(0.99).ledger.equals(other.rethreshold(0.99).ledger)


@pytest.mark.parametrize("method", ["hybrid", "minhash", "ppjoin", "simhash", "sl-st"])
def test_a_result_in_memory_comes_back_with_all_it_has(method):
    result = qc.dedup(ROWS, method=method, workers=1, progress=Loud(), memory="64M")
    same(pickle.loads(pickle.dumps(result)), result)


def test_a_result_of_files_reads_them_again(tmp_path):
    qc.dedup(ROWS, workers=1).save(tmp_path / "first")
    result = qc.dedup(tmp_path / "first" / "kept.parquet", workers=1)
    again = pickle.loads(pickle.dumps(result))
    assert again.kept.equals(result.kept)
    assert again.manifest == result.manifest


def test_a_saved_result_is_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = qc.dedup(ROWS, out="run", workers=1)
    packed = pickle.dumps(result)
    assert len(packed) < 500
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    same(pickle.loads(packed), qc.load(tmp_path / "run"))


def test_another_process_takes_it_on(tmp_path):
    (tmp_path / "r").write_bytes(pickle.dumps(qc.dedup(ROWS, workers=1)))
    told = "import pickle, sys; r = pickle.load(open(sys.argv[1], 'rb')); print(r.counts['removed'], r.rethreshold(.99).kept.num_rows)"
    done = subprocess.run([sys.executable, "-c", told, tmp_path / "r"], capture_output=True, text=True, check=False)
    assert done.stdout.split()[:1] == ["1"], done.stderr


def test_what_else_the_functions_give():
    result = qc.dedup(ROWS, workers=1)
    shared = qc.passages(ROWS, min_chars=8, workers=1)
    found = [shared, result.explain("b"), result.compare("a", "b"), qc.compare(TEXT, TEXT + "。"), qc.align(TEXT, TEXT), qc.estimate(ROWS),
             qc.inspect(TEXT), qc.fit_statistics(ROWS), result.rethreshold(0.9), UsageError("{} wants", "a")]  # fmt: skip
    again = [pickle.loads(pickle.dumps(one)) for one in found]
    assert again[0].table.equals(shared.table)
    assert again[1] == found[1]
    assert str(again[-1]) == "a wants"


def test_a_result_of_standard_input_says_what_to_do(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(b'{"text": "a b c"}\n')

    monkeypatch.setattr(sys, "stdin", Stdin())
    result = qc.dedup(Path("-"), workers=1)
    with pytest.raises(UsageError, match="save the result"):
        pickle.dumps(result)

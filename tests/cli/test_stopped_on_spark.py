"""Covers: what `quchong dedup --engine spark` says when it is stopped, or Spark goes away, before and after all is written.

Spark itself is a stand-in here. Run: pytest tests/cli/test_stopped_on_a_cluster.py (needs pyspark; else skipped).
"""

import pytest

pytest.importorskip("pyspark")
MANIFEST = {
    "engine": "spark", "counts": {"read": 2, "kept": 1, "removed": 1, "removed_by_relation": {"exact": 1}, "skipped": 0, "unscored": 0},
    "biggest_clusters": [{"survivor_id": 7, "documents": 2}], "alarms": [], "seconds": {"verify": 1.0}, "recall": None,
}  # fmt: skip


class Session:
    def __init__(self, error):
        self.error, self.stopped = error, 0

    def stop(self):
        self.stopped += 1
        if self.error is not None:
            raise self.error


@pytest.fixture
def on_spark(command, monkeypatch):
    """Runs the command with what the engine gives or raises, and what ending Spark raises."""

    def on_spark(written, at_the_end=None):
        session = Session(at_the_end)

        def files(*_, **__):
            if isinstance(written, BaseException):
                raise written
            return written

        monkeypatch.setattr("quchong.engines.spark.files.session", lambda *_: session)
        monkeypatch.setattr("quchong.engines.spark.files.dedup_files", files)
        ran = command("dedup", "in.jsonl", "-o", "out", "--engine", "spark", "--master", "local[1]")
        assert session.stopped == 1
        return ran

    return on_spark


REFUSED = ConnectionRefusedError(111, "Connection refused")


@pytest.mark.parametrize("error", [None, KeyboardInterrupt(), REFUSED], ids=repr)
def test_a_run_that_is_written_is_told_whatever_ends_spark(on_spark, error):
    ran = on_spark(MANIFEST, error)
    assert ran.code == 0 and "written to out" in ran.out and not ran.err
    assert ran.out.endswith("to see why a document was removed:  quchong explain out ID\n")


@pytest.mark.parametrize("late", [None, REFUSED], ids=repr)
def test_a_run_that_is_stopped_says_so(on_spark, late):
    ran = on_spark(KeyboardInterrupt(), late)
    assert ran.code == 130 and ran.err.strip() == "quchong: stopped; no output was written or changed"


def test_a_run_whose_spark_went_away_says_so(on_spark):
    ran = on_spark(REFUSED, REFUSED)
    assert ran.code == 1 and ran.line == "quchong: the Java process of Spark ended; the reason is in its log"


def test_options_are_checked_before_spark_starts(command, monkeypatch):
    def never(*_):
        raise AssertionError("Spark was started")

    monkeypatch.setattr("quchong.engines.spark.files.session", never)
    for options, said in [
        (["--method", "koala"], "one machine only"), (["--keep", "first"], "no order"),
        (["--method", "imatch"], "needs statistics of the corpus"),
    ]:  # fmt: skip
        ran = command("dedup", "in.jsonl", "-o", "out", "--engine", "spark", "--master", "local[1]", *options)
        assert ran.code == 2 and said in ran.line

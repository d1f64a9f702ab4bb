"""Tests of the log of runs under the logger `quchong`."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import pytest

import quchong as qc
from quchong.progress import figures_of

TEXT = "The council said that the new bridge will open in March, and that drivers pay 12 percent less toll in the first year."
ROWS = [
    {"id": "a", "text": TEXT},
    {"id": "b", "text": TEXT},
    {"id": "c", "text": "Another text that nobody copied from it."},
]


def test_a_run_logs_its_start_its_stages_and_its_end_with_figures(caplog):
    with caplog.at_level(logging.INFO, logger="quchong"):
        result = qc.dedup(ROWS)
    found = [figures_of(record) for record in caplog.records if record.name == "quchong"]
    events = [one["event"] for one in found]
    assert events[0] == "run started"
    assert events[-1] == "run ended"
    stages = {one["stage"]: one for one in found if one["event"] == "stage ended"}
    assert set(stages) == set(result.manifest["seconds"])
    assert stages["read and fingerprint"]["done"] == 3
    assert all(one["seconds"] >= 0 for one in stages.values())
    assert found[-1]["counts"] == {"read": 3, "kept": 2, "removed": 1, "skipped": 0}
    assert json.loads(json.dumps(found)) == found


def test_alarms_are_warnings_and_failures_are_errors(caplog):
    with caplog.at_level(logging.INFO, logger="quchong"):
        result = qc.dedup(
            [*ROWS, {"id": "a", "text": "One more text, under an id that is there already, as it happens."}]
        )
        with pytest.raises(qc.QuchongError):
            qc.dedup("no/such/file.jsonl")
    alarms = [one for one in result.alarms if one.get("level", "alarm") == "alarm"]
    assert alarms
    warned = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warned == [one["message"] for one in alarms]
    last = caplog.records[-1]
    assert (last.levelno, figures_of(last)["event"]) == (logging.ERROR, "run failed")


def test_an_estimate_logs_no_stages_of_the_run_it_stands_for(caplog):
    with caplog.at_level(logging.DEBUG, logger="quchong"):
        qc.estimate(ROWS)
        qc.compare(TEXT, TEXT)
    assert not caplog.records


def test_nothing_is_printed_where_logging_is_not_configured():
    code = f"import quchong as qc; qc.dedup({[*ROWS, ROWS[0]]!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")

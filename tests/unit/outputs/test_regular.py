"""What a user names as a file of ours is opened only where it is a regular file: nothing waits for a pipe or reads a device for ever."""

from __future__ import annotations

import os
import socket
import ssl
import threading

import pytest

import quchong as qc
from quchong.cli.profile import _is_own_picture
from quchong.errors import InputError, OutputError, QuchongError, reason_of
from quchong.evaluation.label_reader import read_truth
from quchong.features.statistics import FeatureStatistics
from quchong.filters.state_file import State, read_state, write_state
from quchong.outputs import check_regular
from quchong.runs.decisions_file import read_acts
from quchong.runs.restore import restore

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and devices")
ROWS = [{"id": "a", "text": "one text"}, {"id": "b", "text": "another text"}]
READERS = {
    "state": read_state,
    "statistics": FeatureStatistics.load,
    "decisions": read_acts,
    "decisions of a run": lambda path: qc.dedup(ROWS, decisions=path),
    "truth": read_truth,
    "boilerplate": lambda path: qc.dedup(ROWS, boilerplate=path),
    "protect": lambda path: qc.dedup(ROWS, protect=path),
}
LISTS = ("boilerplate", "protect")
"""Read once from beginning to end, so that a pipe will do."""


@pytest.fixture(params=["pipe", "device", "link to a device"])
def special(request, tmp_path):
    path = tmp_path / "special.jsonl"
    if request.param == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    return path


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", READERS)
def test_it_is_refused_with_its_name(special, what):
    if what in LISTS and special.is_fifo():
        pytest.skip("a pipe will do")
    with pytest.raises(InputError, match=r"special\.jsonl is not opened, because it is a pipe, a device or a socket"):
        READERS[what](special)


@pytest.mark.timeout(60)
def test_it_is_not_replaced(special):
    with pytest.raises(OutputError, match=r"special\.jsonl .*so it is not replaced"):
        write_state(State("bloom", {}, {}, []), special)
    with pytest.raises(OutputError, match=r"special\.jsonl .*so it is not replaced"):
        FeatureStatistics.fit([]).save(special)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("suffix", [".html", ".xlsx"])
def test_no_report_or_page_replaces_it(special, suffix):
    path = special.rename(special.with_suffix(suffix))
    result = qc.dedup(ROWS, recall_sample=0)
    with pytest.raises(OutputError, match="so it is not replaced: choose another file"):
        result.report(path, overwrite=True)
    with pytest.raises(OutputError, match=r"so it is not replaced: choose another file|the page is a web page"):
        result.inspect("a").save(path, overwrite=True)
    assert not _is_own_picture(path)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", LISTS)
def test_a_list_may_come_by_a_pipe(tmp_path, what):
    os.mkfifo(tmp_path / "list")
    writer = threading.Thread(target=(tmp_path / "list").write_text, args=("a\n",))
    writer.start()
    assert READERS[what](tmp_path / "list").counts["read"] == 2
    writer.join()


def test_what_is_missing_or_a_folder_is_left_to_who_opens_it(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for name in ("none", "link", ".", "a\0b"):
        check_regular(tmp_path / name)
    (tmp_path / "file").touch()
    check_regular(tmp_path / "link")


@pytest.mark.parametrize("what", READERS)
def test_bytes_of_nothing_are_told_in_words_of_ours(tmp_path, what):
    path = tmp_path / "bytes.parquet"
    path.write_bytes(bytes(range(256))[::-1] * 20)
    with pytest.raises(QuchongError) as raised:
        READERS[what](path)
    said = str(raised.value)
    assert "bytes.parquet" in said
    assert not any(word in said for word in ("<Buffer>", "codec", "Errno", "Either the file", "()"))


def test_a_damaged_table_of_a_run_is_told_in_words_of_ours(tmp_path):
    qc.dedup(ROWS, out=tmp_path / "run")
    (tmp_path / "run" / "pairs.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(QuchongError, match=r"pairs\.parquet cannot be read \([^<\[]*\): run the deduplication"):
        restore(tmp_path / "run", everything=True)


def test_reasons_have_no_number_and_no_path():
    assert reason_of(FileNotFoundError(2, "x", "/a/b")) == "No such file or directory"
    assert reason_of(UnicodeDecodeError("utf-8", b"ab\xff", 2, 3, "x")) == "byte 3 is not UTF-8"
    assert reason_of(ValueError()) == "ValueError"
    assert reason_of(socket.gaierror(socket.EAI_NONAME, "Name or service not known")) == "Name or service not known"
    assert reason_of(ssl.SSLError(1, "[SSL: TLSV1_ALERT_UNKNOWN_CA] unknown ca (_ssl.c:2580)")) == "unknown ca"
    assert (
        reason_of(ssl.SSLError(524297, "[SSL] PEM lib (_ssl.c:3921)"))
        == "the certificate file or the key file has wrong contents"
    )

"""Covers: many pages on processes, of which some crash, hang or take too much. Run: pytest tests/unit/pages."""

import os
import signal

import pyarrow as pa
import pytest

pytest.importorskip("resiliparse", reason="the extra html is not installed")

from quchong.errors import QuchongError, UsageError
from quchong.pages import pool, processes, read_page, read_pages

BREAKS = """
import os, sys, time
if "quchong.pages.worker" in " ".join(sys.orig_argv):
    import quchong.pages.worker as worker
    read = worker.read_page
    def broken(html, *rest):
        if b"KILL" in html: os._exit(9)
        if b"HANG" in html: time.sleep(600)
        if b"GROW" in html: bytearray(worker.MEMORY)
        if b"SHOUT" in html: print("x" * 100, file=sys.stderr)
        return read(html, *rest)
    worker.read_page = broken
"""


def pages(n):
    return [
        f"<title>标题{i}</title><p>第{i}页的正文，它有一些句子，还有{'很' * (i % 7)}多的字。</p>".encode("gbk")
        for i in range(n)
    ]


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """Every test starts its own processes and leaves none."""
    processes.end_processes()
    yield
    processes.end_processes()


def rows(read):
    return list(
        zip(*(column.to_pylist() for column in (read.text, read.blocks, read.title, read.url, read.time)), strict=True)
    )


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_same_for_any_number_of_workers(workers):
    html = pages(200)
    read = read_pages(pa.array(html, pa.large_binary()), "main", None, workers)
    alone = [read_page(page) for page in html]
    assert rows(read) == [(p.text, p.blocks, p.title, p.url, p.time) for p in alone]
    assert read.reasons == {}
    assert all(column.type == pa.large_string() for column in (read.text, read.blocks, read.title, read.url, read.time))
    assert len(processes._idle) == min(workers, 4)
    again = read_pages(pa.array(html, pa.large_binary()), "main", None, workers)
    assert rows(again) == rows(read)


def test_small_batches_start_nothing():
    html = pa.array(["<p>一页，它有一个句子。</p>", "", "%PDF-1.4"], pa.large_string())
    read = read_pages(html, "all", pa.array([None, "text/html", None]), 4)
    assert read.text.to_pylist() == ["一页，它有一个句子。", "", "%PDF-1.4"]
    read = read_pages(html.cast(pa.large_binary()), "all")
    assert read.text.to_pylist() == ["一页，它有一个句子。", "", None]
    assert read.blocks.to_pylist() == ["p", "", None]
    assert read.reasons == {2: "a PDF file, not a web page"}
    assert processes._idle == []
    assert len(read_pages(pa.array([], pa.large_binary())).text) == 0


def test_too_large_pages_are_sent_nowhere():
    html = [*pages(60), b"x" * 1001, *pages(3)]
    read = read_pages(pa.array(html, pa.large_binary()), workers=2, most=1000)
    assert read.reasons == {60: "the page has 1,001 bytes, but at most 1,000 bytes are read"}
    assert read.text.null_count == 1
    assert read.title[61].as_py() == "标题0"


def test_headers_reach_the_processes():
    html = ["<p>é</p>".encode("latin-1")] * 40
    said = pa.array(["text/html; charset=windows-1251", None] * 20)
    read = read_pages(pa.array(html, pa.large_binary()), "all", said, 2)
    assert read.text.to_pylist() == ["й", "é"] * 20


def test_a_broken_page_costs_only_itself(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(BREAKS, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(processes, "PATIENCE", 6.0)
    monkeypatch.setattr(pool, "CHUNK_PAGES", 16)
    html = pages(80)
    html[7], html[40], html[79] = b"KILL", b"HANG", b"GROW"
    html[20] = b"SHOUT <p>" + html[20]
    read = read_pages(pa.array(html, pa.large_binary()), workers=2)
    assert set(read.reasons) == {7, 40, 79}
    assert (
        read.reasons[7]
        == "the child process that parsed this page ended unexpectedly: try this page alone, or check the file"
    )
    assert read.reasons[40] == "reading the page took longer than 6 s"
    assert read.text.null_count == 3
    assert read.title[41].as_py() == "标题41"


def test_interrupted(monkeypatch):
    """Ctrl-C ends the processes."""
    started, signals = [], [signal.SIGINT]

    class Watched(processes._Process):
        def __init__(self, body):
            super().__init__(body)
            started.append(self)

        def ask(self, batch):
            while signals:
                os.kill(os.getpid(), signals.pop())
            return super().ask(batch)

    monkeypatch.setattr(processes, "_Process", Watched)
    with pytest.raises(KeyboardInterrupt):
        read_pages(pa.array(pages(300), pa.large_binary()), workers=2)
    assert started
    assert all(process._child.poll() is not None for process in started)
    assert processes._idle == []


def test_a_process_that_never_comes_blames_no_page(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import os\nos._exit(1)\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(QuchongError, match="the process that reads pages could not be started with"):
        read_pages(pa.array(pages(100), pa.large_binary()), workers=2)
    assert processes._idle == []


def test_what_cannot_be_asked():
    with pytest.raises(UsageError, match="unknown body="):
        read_pages(pa.array([], pa.large_binary()), "most")

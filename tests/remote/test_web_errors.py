"""What a web server that is not there, or that answers with a page instead of data, is told as; both languages."""

import socket

import aiohttp
import pytest
from remote.made_news import lines, news

import quchong as qc
from quchong.io.files.remote_file import RemoteFile
from quchong.languages import speaking


def error(address):
    with pytest.raises(qc.InputError) as caught:
        qc.dedup(address)
    return caught.value


def both(address, english, chinese):
    found = error(address)
    assert english in str(found) and "no such file" not in str(found)
    with speaking("zh"):
        assert chinese in found.message.translation()


@pytest.fixture
def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield one.getsockname()[1]  # bound, and nobody listens


def test_a_port_where_nobody_listens(free_port, waits):
    both(f"http://127.0.0.1:{free_port}/x.jsonl", f"127.0.0.1:{free_port} does not accept connections", "拒绝连接")
    assert waits == []


def test_an_unknown_host(monkeypatch, waits):
    async def unknown(self, *args, **kwargs):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(aiohttp.ThreadedResolver, "resolve", unknown)
    monkeypatch.setattr(aiohttp.connector, "DefaultResolver", aiohttp.ThreadedResolver)
    both("http://no-such-host.invalid/x.jsonl", "the host no-such-host.invalid is unknown", "主机")
    assert waits == []


def test_a_connection_that_is_cut_when_the_file_is_asked_for_is_tried_again(web, waits, monkeypatch):
    web.files["/x.jsonl"] = lines(news(10))
    plain, cuts = RemoteFile._ask, [1, 2]

    def cut(self):
        if cuts:
            cuts.pop()
            raise FileNotFoundError(self.name) from aiohttp.ServerDisconnectedError()
        return plain(self)

    monkeypatch.setattr(RemoteFile, "_ask", cut)
    assert qc.dedup(f"{web.url}/x.jsonl").counts["read"] == 10
    assert waits == [0.25, 0.5]


@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("path", ["/", "/news", "/x.jsonl", "/n.zip"])
def test_a_page_instead_of_data(web, ranges, path):
    web.files[path], web.types[path] = (
        b"\n<!DOCTYPE HTML>\n<html><body>" + b"<li>a.jsonl</li>" * 30,
        "text/html; charset=utf-8",
    )
    web.ranges = ranges
    both(f"{web.url}{path}", "the server answers with a web page (text/html), not with a data file", "网页")


def test_a_page_that_is_wanted_and_data_of_a_wrong_type_are_read(web):
    page = "<html><body><p>" + news(1)[0]["text"] + "</p></body></html>"
    web.files["/a.html"], web.types["/a.html"] = page.encode(), "text/html"
    assert qc.dedup(f"{web.url}/a.html").counts["read"] == 1
    web.files["/x.jsonl"], web.types["/x.jsonl"] = lines(news(10)), "text/html"
    assert qc.dedup(f"{web.url}/x.jsonl").counts["read"] == 10

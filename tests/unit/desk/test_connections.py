"""Covers: quchong.desk.connections, .doorway: how many may connect for how long, and how the browser learns the address."""

import socket
import stat
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

import quchong as qc


def connected(port):
    made = socket.create_connection(("127.0.0.1", port), timeout=60)
    made.settimeout(60)
    return made


def end_of(connection):
    """What comes until the other side closes; b"" where it cuts the connection off."""
    found = b""
    try:
        while piece := connection.recv(4096):
            found += piece
    except ConnectionResetError:
        pass
    return found


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST /x HTTP/1.1\r\nHost: a\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
                         ids=["nothing", "a part", "half a head", "a whole request"])  # fmt: skip
def test_idle_connections_without_a_token_keep_nobody_out(desk, client, sent):
    from quchong.desk.connections import MOST

    held = []
    for _ in range(3 * MOST):
        held.append(connected(desk.port))
        held[-1].sendall(sent)
    try:
        assert client.send("GET", "list")[0] == 200
        for one in held[:MOST]:
            end_of(one)  # ends, as the oldest make room
        assert client.send("GET", "list")[0] == 200
    finally:
        for one in held:
            one.close()


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"])
def test_a_connection_that_sends_no_whole_request_is_closed(folder, monkeypatch, sent):
    monkeypatch.setattr("quchong.desk.connections.PATIENCE", 0.05)
    with qc.load(folder).review() as desk, connected(desk.port) as one:
        one.sendall(sent)
        assert end_of(one) == b""


def test_a_connection_that_was_answered_is_closed_when_no_other_request_comes(folder, monkeypatch):
    monkeypatch.setattr("quchong.desk.connections.PATIENCE", 0.05)
    with qc.load(folder).review() as desk, connected(desk.port) as one:
        one.sendall(f"GET {urlsplit(desk.url).path} HTTP/1.1\r\nHost: 127.0.0.1:{desk.port}\r\n\r\nGET".encode())
        assert end_of(one).startswith(b"HTTP/1.1 200")


def test_the_browser_is_given_a_file_that_only_this_user_reads(folder, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    with qc.load(folder).review() as desk:
        assert desk.open_browser()
        assert desk.open_browser()
        path = Path(url2pathname(urlsplit(opened[0]).path))
        assert opened == [path.as_uri()] * 2
        assert desk.url.split("/")[3] not in opened[0]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert f'content="0; url={desk.url}"' in path.read_text(encoding="utf-8")
    assert not path.parent.exists()


def test_where_there_is_no_browser_it_is_said(folder, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    with qc.load(folder).review() as desk:
        assert desk.open_browser() is False

"""Covers: quchong.desk.gate, .app, .server: who may ask the desk what, and what every answer says.

Run: pytest tests/unit/desk/test_gate.py.
"""

import json
import re
import shutil
import socket

import pytest
from desk_client import Client

import quchong as qc
from quchong.errors import OutputError

JSON = {"Content-Type": "application/json"}
LABEL = json.dumps({"pair": 0, "label": "same"}).encode()


@pytest.fixture(scope="module")
def open_desk(master, tmp_path_factory):
    """One desk for all tests that it refuses."""
    folder = shutil.copytree(master, tmp_path_factory.mktemp("gate") / "news")
    with qc.load(folder).review(lang="en") as opened:
        yield opened


@pytest.fixture(scope="module")
def asker(open_desk):
    return Client(open_desk.url)


def untouched(desk):
    return not desk.decisions.exists()


@pytest.mark.parametrize(
    "path",
    ["/", "/list", "/x/list", "//list", "/../list", "/%2e%2e/list", "/list/{token}", "/{short}/list", "/{token}x/", "/{token}", "/{upper}/",
     "/?token={token}", "/labels.jsonl", "/favicon.ico", "/%C3%A9/", "/%00/"],
)  # fmt: skip
def test_every_request_without_the_token_is_refused(asker, open_desk, path):
    token = open_desk.url.rstrip("/").rpartition("/")[2]
    assert len(token) == 32
    asked = path.format(token=token, short=token[:-1], upper=token.swapcase())
    status, headers, body = asker.send("GET", asked, bare=True)
    assert status == 403 and b"news" not in body and token.encode() not in body
    assert headers["content-security-policy"].startswith("default-src 'none'")
    status, _, _ = asker.send("POST", asked, LABEL, JSON, bare=True)
    assert status == 403 and untouched(open_desk)


def test_a_token_is_made_anew_each_time(folder):
    with qc.load(folder).review() as one, qc.load(folder).review() as other:
        assert one.url.rpartition(":")[2].split("/")[1] != other.url.rpartition(":")[2].split("/")[1]


@pytest.mark.parametrize("host", [[], ["evil.example"], ["evil.example:{port}"], ["127.0.0.1"], ["127.0.0.1:1"], ["[::1]:{port}"],
                                  ["127.0.0.1:{port}", "evil.example"], ["127.0.0.1:{port}.evil.example"], ["0.0.0.0:{port}"]])  # fmt: skip
def test_another_name_for_this_machine_is_refused(asker, open_desk, host):
    named = [one.format(port=asker.port) for one in host]
    for method, body in (("GET", None), ("POST", LABEL)):
        status, _, said = asker.send(method, "label" if body else "list", body, JSON if body else None, host=named)
        assert status in (400, 421) and b"rows" not in said
    assert untouched(open_desk)


def test_localhost_is_this_machine(asker):
    assert asker.send("GET", "list", host=[f"LocalHost:{asker.port}"])[0] == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"])
def test_other_methods_are_refused(asker, open_desk, method):
    status, headers, _ = asker.send(method, "label", LABEL, JSON)
    assert status == 405 and headers["allow"] == "GET, HEAD, POST" and untouched(open_desk)


def test_what_reads_is_not_posted_and_what_changes_is_not_got(asker, open_desk):
    for path in ("list", "pair", "ask", "measures", "labels.jsonl", ""):
        assert asker.send("POST", path, LABEL, JSON)[0] == 405
    for path in ("label", "verdict"):
        assert asker.send("GET", path)[0] == 405
    assert asker.send("HEAD", "")[::2] == (200, b"")
    assert untouched(open_desk)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403), ({"Sec-Fetch-Site": "none"}, 403),
        ({"Content-Type": "text/plain"}, 415), ({"Content-Type": "application/x-www-form-urlencoded"}, 415), ({"Content-Type": ""}, 415),
    ],
)  # fmt: skip
def test_only_our_own_page_changes_something(client, desk, headers, status):
    assert client.send("POST", "label", LABEL, JSON | headers)[0] == status and untouched(desk)
    mine = {"Origin": f"http://127.0.0.1:{client.port}", "Sec-Fetch-Site": "same-origin"}
    assert client.send("POST", "label", LABEL, JSON | mine)[0] == 200


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}],
)  # fmt: skip
def test_another_page_reads_nothing(asker, headers):
    for path in ("", "list", "labels.jsonl"):
        assert asker.send("GET", path, headers=headers)[0] == 403
    opened = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert asker.send("GET", "", headers=opened)[0] == 200  # a link somebody follows


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/run.json", "run.json", "kept.jsonl", "assets/base.js", "list/../run.json",
             "labels.jsonl/", "pair/0", "....//run.json", "\\..\\run.json"],
)  # fmt: skip
def test_no_file_is_served(asker, path):
    status, _, body = asker.send("GET", path)
    assert status == 404 and b"root" not in body and b"config" not in body and len(body) < 100


def test_a_huge_body_is_refused_without_being_read(client, desk):
    assert client.send("POST", "label", b"{}", JSON | {"Content-Length": "99999999999"})[0] == 413
    assert client.send("POST", "label", LABEL + b" " * 20_000, JSON)[0] == 413
    assert untouched(desk)


def test_a_body_in_chunks_is_cut_off(client, desk):
    with socket.create_connection(("127.0.0.1", client.port), timeout=20) as wire:
        head = f"POST {client.path}label HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        wire.sendall(head.encode())
        said = b""
        try:
            for _ in range(300):
                wire.sendall(b"1000\r\n" + b" " * 4096 + b"\r\n")
            said = wire.recv(100)
        except OSError:
            pass  # the desk has hung up
        assert said.startswith(b"HTTP/1.1 413") or not said
    assert untouched(desk)
    assert client.send("GET", "list")[0] == 200


def test_a_huge_head_is_refused(client):
    with socket.create_connection(("127.0.0.1", client.port), timeout=20) as wire:
        wire.sendall(f"GET {client.path}list HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nX: ".encode())
        said = b""
        try:
            for _ in range(100):
                wire.sendall(b"a" * 4096)
            said = wire.recv(100)
        except OSError:
            pass  # the desk has hung up
        assert said.startswith((b"HTTP/1.1 400", b"HTTP/1.1 431")) or not said
    assert client.send("GET", "list?search=" + "a" * 5000)[0] == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"null", b'"x"', b"\xff\xfe", b"[" * 10_000])
def test_what_is_no_json_object_is_refused(client, desk, body):
    assert client.send("POST", "label", body, JSON)[0] == 400 and untouched(desk)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("label", {}), ("label", {"pair": "0", "label": "same"}), ("label", {"pair": True, "label": "same"}), ("label", {"pair": 10**9, "label": "same"}),
        ("label", {"pair": -1, "label": "same"}), ("label", {"pair": 0, "label": "copy"}), ("label", {"pair": 0, "label": ["same"]}),
        ("verdict", {"removal": 0}), ("verdict", {"removal": 0, "act": "delete"}), ("verdict", {"removal": -1, "act": "accept"}),
        ("verdict", {"removal": 2**62, "act": "accept"}), ("verdict", {"removal": 1.5, "act": "accept"}),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused_with_a_reason(client, desk, path, said):
    assert client.post(path, said, status=400)["error"] and untouched(desk)


@pytest.mark.parametrize(
    "query", ["list?view=all", "list?sort=best", "list?state=x", "list?page=-1", "list?page=x", "list?low=a", "pair?pair=x", "pair?pair=99999",
              "pair", "pair?removal=-5", "ask?skipped=a", "ask?skipped=-1", f"list?page={10**30}"],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_with_a_reason(client, query):
    status, _, body = client.send("GET", query)
    assert status == 400 and json.loads(body)["error"]


def test_headers_keep_the_page_to_itself(client, desk):
    for path in ("", "list", "labels.jsonl", "nowhere"):
        _, headers, _ = client.send("GET", path)
        assert headers["referrer-policy"] == "no-referrer" and headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store" and headers["x-frame-options"] == "DENY"
        assert headers["cross-origin-resource-policy"] == headers["cross-origin-opener-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers and "server" not in headers
    _, headers, body = client.send("GET", "")
    rules = dict(rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == rules["frame-ancestors"] == "'none'"
    assert rules["connect-src"] == "'self'" and rules["img-src"] == "data:"
    assert "unsafe" not in headers["content-security-policy"] and "http" not in headers["content-security-policy"]
    text = body.decode()
    assert (
        re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1] + "; frame-ancestors 'none'"
        == headers["content-security-policy"]
    )
    assert str(desk.decisions.parent) not in text  # no path of this machine


def test_only_the_loopback_address_listens(desk):
    assert desk._socket.getsockname()[0] == "127.0.0.1" and desk.url.startswith("http://127.0.0.1:")


def test_a_port_in_use_is_told(folder, desk):
    with pytest.raises(OutputError, match=f"port={desk.port} cannot be used"):
        qc.load(folder).review(port=desk.port)


def test_a_closed_desk_answers_nobody_and_its_port_is_free(folder, desk):
    port = desk.port
    desk.close()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    with qc.load(folder).review(port=port) as again:
        assert again.port == port

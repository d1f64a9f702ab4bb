"""Covers: quchong.serve.connections: heads, half requests, slow callers and callers without end, with real sockets."""

import json
import resource
import socket
import threading
from contextlib import suppress
from types import SimpleNamespace

import pytest
from service_client import answer_of, connected, end_of, head, lines, sent, text_of, told

from quchong.serve.connections import BoundedConnection, limited
from quchong.serve.limits import Limits

SOON = 0.2


@pytest.mark.parametrize("raw", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nx: " + b"y" * 9000],
                         ids=["nothing", "a part", "half a head", "half a long head"])  # fmt: skip
def test_a_connection_without_a_whole_head_is_closed(serve, raw):
    assert sent(serve(head_seconds=SOON), raw) == b""


def test_a_connection_that_drips_its_head_is_closed(serve):
    service = serve(head_seconds=SOON)
    with connected(service) as one:
        found = []
        reader = threading.Thread(target=lambda: found.append(end_of(one)))
        reader.start()
        try:
            while reader.is_alive():
                one.sendall(b"G")
        except OSError:
            pass
        reader.join()
    assert found[0] == b"" or found[0].startswith(b"HTTP/1.1 4")


def test_an_answered_connection_is_closed_when_nothing_follows(serve):
    found = sent(serve(head_seconds=SOON), head("GET", "/health/live"))
    assert found.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson", "text/plain"])
@pytest.mark.parametrize("part", [b"", b'{"text": "a'], ids=["nothing", "half"])
def test_half_a_body_is_a_problem_and_the_connection_ends(serve, kind, part):
    found = sent(
        serve(body_seconds=SOON, head_seconds=SOON),
        head("POST", "/query", f"Content-Type: {kind}", "Content-Length: 999") + part,
    )
    assert b"urn:quchong:problem:slow-body" in found


@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson"])
def test_a_body_that_drips_is_given_up(serve, kind):
    """Each byte comes in time, and all of them never would."""
    service = serve(body_seconds=SOON, head_seconds=SOON)
    with connected(service) as one:
        one.sendall(head("POST", "/query", f"Content-Type: {kind}", "Content-Length: 999999"))
        found = []
        reader = threading.Thread(target=lambda: found.append(end_of(one)))
        reader.start()
        wait = threading.Event()
        try:
            while reader.is_alive():
                one.sendall(b" ")
                wait.wait(SOON / 10)
        except OSError:
            pass
        reader.join()
    assert b"slow-body" in found[0] or found[0] == b""  # a reset throws away what was not read


def test_a_body_that_is_slow_but_goes_on_is_read(serve):
    service = serve(body_seconds=60)
    with connected(service) as one:
        said = json.dumps({"text": text_of(1)}).encode()
        one.sendall(head("POST", "/query", f"Content-Length: {len(said)}", "Connection: close"))
        for k in range(len(said)):
            one.sendall(said[k : k + 1])
        assert end_of(one).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (head("GET", "/health/live", "x: " + "y" * 40_000), 431),
        (head("GET", "/health/live", *[f"x{k}: y" for k in range(8000)]), 431),
        (head("GET", "/documents/" + "y" * 40_000), 431),
        (head("GET", "/stats?" + "y" * 40_000), 431),
        (b"GET /" + b"y" * 300_000, 431),
        (head("POST", "/documents", "x: " + "y" * 40_000, "Content-Length: 13") + b'{"text": "a"}', 431),
        (b"\x16\x03\x01\x02\x00\x01\x00", 400), (b"\r\n\r\nHELLO\r\n\r\n", 400), (head("GET", "/\xe4"), 400), (head("CONNECT", "a:1"), 400),
        (head("POST", "/query", "Content-Length: 3", "Content-Length: 4") + b"abcd", 400),
        (head("POST", "/query", "Content-Length: 3", "Transfer-Encoding: chunked") + b"0\r\n\r\n", 400),
        (head("POST", "/query", "Content-Length: -1"), 400), (head("POST", "/query", "Transfer-Encoding: chunked") + b"zz\r\n", 400),
        (head("GET", "/health/live", "a b: c"), 400), (b"GET /health/live HTTP/9.9\r\nHost: localhost\r\n\r\n", 400),
    ],
)  # fmt: skip
def test_heads_that_are_too_large_or_broken_are_refused(serve, raw, status):
    service = serve(head_seconds=1)
    with connected(service) as one:
        with suppress(OSError):  # refused while it was sent
            one.sendall(raw)
        found = end_of(one)
    assert found == b"" or found.startswith(b"HTTP/1.1 %d" % status)
    assert found.count(b"HTTP/1.1 ") <= 1
    assert found == b"" or json.loads(found.partition(b"\r\n\r\n")[2])["status"] == status
    assert service.client.get("/stats").json()["documents"] == 0


@pytest.mark.parametrize(
    ("raw", "kind", "title"),
    [
        (head("GET", "/health/live", "Accept-Language: zh", "X-Request-ID: r1", "x: " + "y" * 40_000), "head-too-large", "请求头太大"),
        (head("GET", "/health/live", "Accept-Language: en", "X-Request-ID: r1", "x: " + "y" * 40_000), "head-too-large", "The head"),
        (head("GET", "/health/live", "Accept-Language: zh", "X-Request-ID: r1", "Content-Length: -1"), "broken-request", "这不是"),
        (head("GET", "/health/live", "Accept-Language: en", "X-Request-ID: r1", "Content-Length: -1"), "broken-request", "This is not"),
    ],
)  # fmt: skip
def test_a_head_that_is_refused_is_a_problem_in_the_language_of_its_caller(service, raw, kind, title):
    with connected(service) as one:
        one.sendall(raw)
        status, names, body, _ = answer_of(one)
        assert end_of(one) == b""
    told = json.loads(body)
    assert names["content-type"] == "application/problem+json" and names["connection"] == "close"
    assert names["x-content-type-options"] == "nosniff" and names["x-request-id"] == told["request"] == "r1"
    assert told["type"] == f"urn:quchong:problem:{kind}" and told["status"] == status
    assert told["title"].startswith(title) and told["detail"]


def test_heads_up_to_the_limit_pass(service):
    with connected(service) as one:
        for _ in range(3):
            one.sendall(head("GET", "/health/live", "x: " + "y" * 32_000))
            assert answer_of(one)[0] == 200


def test_requests_that_come_at_once_are_answered_in_order(service):
    bodies = [json.dumps({"id": f"d{k}", "text": text_of(k)}).encode() for k in range(200)]
    raw = b"".join(head("POST", "/documents", f"Content-Length: {len(one)}") + one for one in bodies)
    with connected(service) as one:
        writer = threading.Thread(target=one.sendall, args=[raw])
        writer.start()
        buffer = b""
        for k in range(200):
            status, _, body, buffer = answer_of(one, buffer)
            assert status == 201 and json.loads(body)["id"] == f"d{k}"
        writer.join()


def test_a_body_of_an_answered_request_is_thrown_away_and_the_connection_goes_on(service):
    """What is refused by its head alone is answered before its body has come: it is no head, however long."""
    with connected(service) as one:
        for path, status in (("/none", 404), ("/health/live", 405), ("/query?passages=x", 400)):
            one.sendall(head("POST", path, "Content-Length: 300000"))
            assert answer_of(one)[0] == status
            one.sendall(b"x" * 300_000)
        one.sendall(head("GET", "/health/live"))
        assert answer_of(one)[0] == 200


def test_a_body_that_is_too_large_gets_its_answer(serve):
    service = serve(body=1 << 20)
    for said in ({}, {"expect": "100-continue"}):
        answer = service.client.post("/documents", content=b"x" * (8 << 20), headers=said)
        assert answer.status_code == 413 and answer.json()["limit"] == 1 << 20

    def parts():
        for _ in range(64):
            yield b"x" * (1 << 17)

    assert service.client.post("/documents", content=parts()).status_code == 413


def test_expect_continue_is_answered_before_the_body_comes(serve):
    service = serve(body=1 << 20)
    said = json.dumps({"id": "a", "text": text_of(1)}).encode()
    with connected(service) as one:
        one.sendall(head("POST", "/documents", f"Content-Length: {len(said)}", "Expect: 100-continue"))
        assert one.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        one.sendall(said)
        assert answer_of(one)[0] == 201
        one.sendall(head("POST", "/documents", f"Content-Length: {2 << 20}", "Expect: 100-continue"))
        assert answer_of(one)[0] == 413


def test_http_1_0_is_answered_and_closed(service):
    found = sent(service, b"GET /health/live HTTP/1.0\r\nHost: localhost\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 200") and found.endswith(b'{"status":"ok"}')


def small_buffers(service):
    """A connection that takes little before it is read."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.settimeout(60)
    made.connect(("127.0.0.1", service.port))
    return made


def wait_until_none_is_open(service):
    """Wait until the service has no connection; what it sent before may still wait in the kernel for a caller that never reads."""
    wait, known = threading.Event(), service._server.server_state.connections
    for _ in range(6000):
        if not known:
            return
        wait.wait(0.01)
    raise AssertionError(f"{len(known)} connections are open")


@pytest.mark.parametrize("path", ["/export", "/documents/long"])
def test_a_caller_who_never_reads_its_answer_is_cut_off(serve, path):
    service = serve(send_seconds=SOON, head_seconds=SOON, body=64 << 20)
    client = service.client
    assert client.post("/documents", json={"id": "long", "text": "x " * 1_500_000}).status_code == 201
    with small_buffers(service) as one:
        one.sendall(head("GET", path))
        assert one.recv(15) == b"HTTP/1.1 200 OK"
        wait_until_none_is_open(service)
    assert client.get("/health/live").status_code == 200


def test_a_stream_whose_answers_are_not_read_is_cut_off(serve):
    service = serve(send_seconds=SOON)
    client = service.client
    text = text_of(1, 500)
    client.post(
        "/documents",
        content=lines([{"id": f"{k}" * 900, "text": text} for k in range(30)]),
        headers={"content-type": "application/x-ndjson"},
    )
    line = lines([{"text": text}])
    with small_buffers(service) as one:
        one.sendall(head("POST", "/query", "Content-Type: application/x-ndjson", f"Content-Length: {len(line) * 9000}"))
        try:
            while True:
                one.sendall(line * 20)
        except OSError:
            pass
    assert client.get("/health/live").status_code == 200


def test_a_caller_who_reads_slowly_gets_all_of_it(serve):
    service = serve(head_seconds=SOON, body=64 << 20)
    text = "x " * 1_500_000
    service.client.post("/documents", json={"id": "long", "text": text})
    wait = threading.Event()
    with small_buffers(service) as one:
        one.sendall(head("GET", "/documents/long", "Connection: close"))
        found = bytearray()
        while piece := one.recv(200_000):
            found += piece
            wait.wait(0.002)
    assert json.loads(bytes(found).partition(b"\r\n\r\n")[2])["text"] == text


class Watched:
    """Loop, transport and flow of a connection whose times pass when a test says so."""

    def __init__(self, left):
        self.left, self.timers, self.aborted = left, [], False

    def call_later(self, seconds, call, *arguments):
        self.timers.append([seconds, call, arguments])
        return SimpleNamespace(cancel=self.timers.pop)

    def get_write_buffer_size(self):
        return self.left

    def abort(self):
        self.aborted = True

    def pause_writing(self):
        pass

    def pass_time(self, left):
        """Let the time for one part pass, after which so many bytes are left."""
        self.left, ((_, call, arguments),) = left, self.timers
        self.timers = []
        call(*arguments)


def test_a_caller_who_takes_some_of_its_answer_each_time_is_waited_for():
    """However little: the file is incomplete when nothing was taken, or when more waits than before."""
    connection, watched = object.__new__(limited(Limits(send_seconds=7))), Watched(3_000_000)
    connection.loop = connection.transport = connection.flow = watched
    connection.pause_writing()
    for left in (2_999_999, 2_000_000, 5):
        watched.pass_time(left)
        assert not watched.aborted and [seconds for seconds, *_ in watched.timers] == [7]
    watched.pass_time(5)
    assert watched.aborted and not watched.timers


def test_a_caller_who_has_taken_all_is_not_watched_any_longer():
    connection, watched = object.__new__(BoundedConnection), Watched(9)
    connection.loop = connection.transport = connection.flow = watched
    connection.pause_writing()
    watched.pass_time(0)
    assert not watched.aborted and not watched.timers


def test_more_connections_than_allowed_close_those_that_idle(serve):
    service = serve(connections=20)
    held = [connected(service) for _ in range(200)]
    try:
        for one in held[:150]:
            assert end_of(one) == b""
        assert service.client.get("/health/live").status_code == 200
    finally:
        for one in held:
            one.close()


def test_where_all_connections_are_busy_the_next_one_is_refused(serve):
    service = serve(connections=5)
    busy = [connected(service) for _ in range(5)]
    for one in busy:
        one.sendall(head("POST", "/query", "Content-Length: 13", "Expect: 100-continue"))
        assert one.recv(99).startswith(b"HTTP/1.1 100")
    found = sent(service, b"")
    assert found.startswith(b"HTTP/1.1 503") and b"retry-after: 1\r\n" in found
    assert json.loads(found.partition(b"\r\n\r\n")[2])["type"] == "urn:quchong:problem:too-many-connections"
    for one in busy:
        one.sendall(b'{"text": "a"}')
        assert answer_of(one)[0] == 200
        one.close()
    assert service.client.get("/health/live").status_code == 200


def test_ten_thousand_connections_keep_nobody_out(serve):
    service = serve(connections=300)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    count = min(10_000, (hard - 2000) // 2 if hard > 5000 else 500)
    held = []
    try:
        for k in range(count):
            held.append(connected(service))
            if k % 1000 == 999:
                assert sent(service, head("GET", "/health/live", "Connection: close")).startswith(b"HTTP/1.1 200")
        said = json.dumps({"id": "a", "text": text_of(1)}).encode()
        raw = head("POST", "/documents", f"Content-Length: {len(said)}", "Connection: close") + said
        assert sent(service, raw).startswith(b"HTTP/1.1 201")
    finally:
        for one in held:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert told(service.client.get("/export").content)[0]["id"] == "a"


def test_requests_are_answered_by_the_faster_loop_where_it_is_installed(serve):
    uvloop = pytest.importorskip("uvloop", reason="uvloop is not installed (extra serve, not on Windows)")
    service = serve()
    assert service.client.get("/health/live").status_code == 200
    assert isinstance(service._server.servers[0].get_loop(), uvloop.Loop)

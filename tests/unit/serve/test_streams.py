"""Covers: streams of JSON lines, packed bodies and charsets."""

import gzip
import json
import random
import zlib
from contextlib import suppress

import pytest
from index_records import records
from service_client import answer_of, connected, head, lines, text_of, told

LINES = {"content-type": "application/x-ndjson"}
TEXT = "今天下午市政府召开新闻发布会。会上介绍了地铁四号线的建设情况，工程预计明年三月通车。"


def kind_of(problem):
    return problem["type"].removeprefix("urn:quchong:problem:")


@pytest.mark.parametrize("address", ["/documents", "/query"])
@pytest.mark.parametrize(
    "body", [b"", b"\n", b"\n\r\n  \n\t\n", b" " * 100_000], ids=["nothing", "one", "blank", "spaces"]
)
def test_a_stream_without_lines_has_no_answers(client, address, body):
    answer = client.post(address, content=body, headers=LINES)
    assert (
        answer.status_code == 200 and answer.content == b"" and answer.headers["content-type"] == "application/x-ndjson"
    )


def test_lines_are_answered_in_their_order_and_bad_ones_end_nothing(client):
    good = [{"id": f"d{k}", "text": text_of(k)} for k in range(300)]
    raw = lines(good).splitlines()
    for at, bad in (
        (0, b"{"),
        (7, b"\xff\xfe"),
        (50, b""),
        (129, b'{"id": "x"}'),
        (200, b"[1]"),
        (303, b'{"id": "d3", "text": "other"}'),
        (304, b""),
    ):
        raw.insert(at, bad)
    answers = told(client.post("/documents", content=b"\r\n".join(raw), headers=LINES).content)
    numbers = [one["line"] for one in answers]
    assert numbers == [k for k, line in enumerate(raw, 1) if line]
    by_line = {one["line"]: one for one in answers}
    for at, line in enumerate(raw, 1):
        if line and b'"d' in line and at != 304:
            assert by_line[at]["id"] == json.loads(line)["id"] and by_line[at]["added"]
    bad = {at: kind_of(one["problem"]) for at, one in by_line.items() if "problem" in one}
    assert bad == {1: "bad-document", 8: "bad-document", 130: "bad-document", 201: "bad-document", 304: "known-id"}
    assert client.get("/stats").json()["documents"] == 300


def test_answers_do_not_depend_on_how_a_stream_is_cut(client):
    some = records(5)[:16]
    body = lines(some)
    client.post("/documents", content=lines(some[:8]), headers=LINES)
    whole = client.post("/query", content=body, headers=LINES).content
    draw = random.Random(3)
    for _ in range(3):
        cuts = sorted(draw.sample(range(1, len(body)), 12))

        def parts(cuts=cuts):
            for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True):
                yield body[a:b]

        assert client.post("/query", content=parts(), headers=LINES).content == whole
    single = b"".join(client.post("/query", content=line + b"\n", headers=LINES).content for line in body.splitlines())
    assert [one | {"line": 0} for one in told(single)] == [one | {"line": 0} for one in told(whole)]


def test_only_known_leaves_out_what_is_new_but_not_what_is_bad(client):
    client.post("/documents", json={"id": "a", "text": TEXT})
    body = lines([{"id": "new", "text": "The council met on Monday."}, {"id": "b", "text": TEXT}, {"id": "bad"}])
    answers = told(client.post("/query?only_known=true", content=body, headers=LINES).content)
    assert [one["line"] for one in answers] == [2, 3]


def test_documents_without_ids_are_called_by_their_lines(client):
    answers = told(client.post("/query", content=b"\n" + lines([{"text": "a"}] * 300), headers=LINES).content)
    assert [one["id"] for one in answers] == [f"#{one['line'] - 1}" for one in answers] and len(answers) == 300


@pytest.mark.parametrize("spare", [0, 1])
def test_a_line_of_the_limit_is_answered_and_a_longer_one_ends_the_stream(serve, spare):
    client = serve(body=4096).client
    line = json.dumps({"text": "x"}).encode()
    line += b" " * (4096 - len(line) + spare)
    answers = told(
        client.post("/query", content=b'{"text": "a"}\n' + line + b'\n{"text": "b"}\n', headers=LINES).content
    )
    if spare:
        assert kind_of(answers[-1]["problem"]) == "too-large" and "line" not in answers[-1]
    else:
        assert [one["line"] for one in answers] == [1, 2, 3] and not any("problem" in one for one in answers)


@pytest.mark.parametrize("size", [100_000, 3_000_000])
def test_a_long_line_without_an_end_is_answered(client, size):
    body = json.dumps({"id": "long", "text": TEXT + "长" * (size // 3)}, ensure_ascii=False).encode()
    (answer,) = told(client.post("/documents", content=body, headers=LINES).content)
    assert answer["id"] == "long" and answer["added"]


def test_answers_come_while_the_stream_goes_on(service):
    with connected(service) as one:
        one.sendall(head("POST", "/documents", "Content-Type: application/x-ndjson", "Transfer-Encoding: chunked"))
        seen = b""
        for k in range(5):
            line = lines([{"id": f"d{k}", "text": text_of(k)}])
            one.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            while b'"id":"d%d"' % k not in seen:
                seen += one.recv(65536)
        one.sendall(b"0\r\n\r\n")
        while not seen.endswith(b"0\r\n\r\n"):
            seen += one.recv(65536)


def test_a_caller_who_goes_in_the_middle_has_added_what_was_answered(service):
    with connected(service) as one:
        one.sendall(head("POST", "/documents", "Content-Type: application/x-ndjson", "Transfer-Encoding: chunked"))
        line = lines([{"id": "a", "text": TEXT}]) + b'{"id": "half'
        one.sendall(b"%x\r\n%s\r\n" % (len(line), line))
        seen = b""
        while b'"id":"a"' not in seen:
            seen += one.recv(65536)
    assert [one["id"] for one in told(service.client.get("/export").content)] == ["a"]


def test_lines_before_one_that_is_too_long_are_answered(serve):
    service = serve(body=1 << 10)
    body = lines([{"id": "a", "text": "one two three"}, {"id": "b", "text": "x" * 2000}, {"id": "c", "text": "four"}])
    answered, last = told(service.client.post("/documents", content=body, headers=LINES).content)
    assert answered["line"] == 1 and answered["id"] == "a" and last["problem"]["type"].endswith("too-large")
    assert service.index.ids() == ["a"]


def test_a_stream_ends_where_the_service_stops(service):
    with connected(service) as one:
        one.sendall(head("POST", "/documents", "Content-Type: application/x-ndjson", "Transfer-Encoding: chunked"))
        seen, sent = b"", 0
        while b"urn:quchong:problem:stopping" not in seen:  # it stops within some lines, and answers each until then
            line = lines([{"id": f"d{sent}", "text": text_of(sent)}])
            one.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            while b'"id":"d%d"' % sent not in seen:
                seen += one.recv(65536)
            if sent == 2:
                service.stop()
            sent += 1
            if sent > 3:
                one.settimeout(0.2)
                with suppress(TimeoutError):
                    seen += one.recv(65536)
                one.settimeout(60)
    assert len(service.index) == sent


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "GZIP"])
def test_packed_bodies_are_unpacked(client, coding):
    said = {"content-encoding": coding}
    assert (
        client.post("/documents", content=gzip.compress(lines([{"id": "a", "text": TEXT}])), headers=said).status_code
        == 201
    )
    some = [{"id": f"d{k}", "text": text_of(k)} for k in range(400)]
    members = b"".join(gzip.compress(lines(some[k : k + 100])) for k in range(0, 400, 100))
    answers = told(client.post("/documents", content=members, headers=said | LINES).content)
    assert [one["id"] for one in answers] == [one["id"] for one in some]


def test_bodies_packed_badly_are_problems(client):
    whole = gzip.compress(lines([{"id": "a", "text": TEXT}]))
    for body in (
        b"no gzip",
        whole[:-5],
        whole[:20],
        whole[:12] + b"\0\0\0" + whole[15:],
        whole + b"more",
        zlib.compress(b"{}"),
    ):
        answer = client.post("/query", content=body, headers={"content-encoding": "gzip"})
        assert answer.status_code == 400 and kind_of(answer.json()) == "broken-body", body
        last = told(client.post("/query", content=body, headers=LINES | {"content-encoding": "gzip"}).content)[-1]
        assert kind_of(last["problem"]) == "broken-body"
    for coding in ("br", "zstd", "deflate", "gzip, gzip"):
        assert client.post("/query", content=whole, headers={"content-encoding": coding}).status_code == 415


def test_a_bomb_is_not_unpacked(serve):
    service = serve(body=1 << 20, waiting_bytes=4 << 20)
    bomb = gzip.compress(b'{"text": "' + b"x" * (40 << 20) + b'"}')
    said = {"content-encoding": "gzip"}
    assert kind_of(service.client.post("/query", content=bomb, headers=said).json()) == "too-large"
    assert (
        kind_of(told(service.client.post("/query", content=bomb, headers=said | LINES).content)[-1]["problem"])
        == "too-large"
    )
    blank = gzip.compress(b"\n" * (30 << 20) + lines([{"text": TEXT}]))
    (answer,) = told(service.client.post("/query", content=blank, headers=said | LINES).content)
    assert answer["line"] == (30 << 20) + 1
    assert "quchong_waiting_bytes 0.0" in service.client.get("/metrics").text


@pytest.mark.parametrize("charset", ["gb18030", "big5", "utf-16", "UTF-8", '"utf-8"'])
def test_plain_texts_have_a_charset(client, charset):
    client.post("/documents", json={"id": "a", "text": TEXT})
    raw = "今天下午" if charset == "big5" else TEXT
    kind = {"content-type": f"text/plain; charset={charset}"}
    answer = client.post("/query?id=mine", content=raw.encode(charset.strip('"')), headers=kind)
    assert answer.json()["id"] == "mine" and answer.json()["new"] == (charset == "big5")


@pytest.mark.parametrize(
    "charset",
    [
        "none",
        "rot13",
        "hex",
        "punycode",
        "idna",
        "unicode_escape",
        "raw_unicode_escape",
        "undefined",
        "zlib",
        "x" * 999,
    ],
)
def test_what_is_no_charset_is_a_problem(client, charset):
    answer = client.post("/query", content=b"a" * 1000, headers={"content-type": f"text/plain; charset={charset}"})
    assert answer.status_code == 415 and kind_of(answer.json()) == "wrong-media-type"


def test_texts_in_another_charset_than_they_say_are_problems(client):
    for charset, raw in (
        ("utf-8", TEXT.encode("gb18030")),
        ("ascii", TEXT.encode()),
        ("utf-16", b"abc"),
        ("utf-7", b"+2AA-"),
    ):
        answer = client.post("/query", content=raw, headers={"content-type": f"text/plain; charset={charset}"})
        assert answer.status_code == 400 and kind_of(answer.json()) == "broken-body"
    for kind in ("application/json; charset=gb18030", "application/x-ndjson; charset=utf-16"):
        assert client.post("/query", content=b"{}", headers={"content-type": kind}).status_code == 415


def test_a_stream_waits_where_a_single_document_is_sent_away(serve, monkeypatch):
    """The lane stands still: of 100 documents that may wait, a stream of 90 waits; a second one waits until there is room."""
    import threading

    from quchong.api.index import Index

    service = serve(waiting=100)
    entered, going = threading.Event(), threading.Event()
    query = Index.query

    def held(self, documents, **options):
        entered.set()
        assert going.wait(60)
        return query(self, documents, **options)

    monkeypatch.setattr(Index, "query", held)
    body = lines([{"text": text_of(k)} for k in range(90)])
    found = []
    streams = [
        threading.Thread(target=lambda: found.append(service.client.post("/query", content=body, headers=LINES)))
        for _ in range(3)
    ]
    streams[0].start()
    assert entered.wait(60)
    for one in streams[1:]:
        one.start()
    with connected(service) as other:  # 90 wait: ten more are taken, the eleventh is sent away
        some = [connected(service) for _ in range(10)]
        said = b'{"text": "a"}'
        ask = head("POST", "/query", f"Content-Length: {len(said)}") + said
        for one in some:
            one.sendall(ask)
        while "quchong_waiting_documents 100.0" not in service.client.get("/metrics").text:
            pass
        other.sendall(ask)
        status, names, body, _ = answer_of(other)
        assert (status, names["retry-after"]) == (429, "1") and kind_of(json.loads(body)) == "too-many-requests"
        assert service.client.get("/health/ready").status_code == 503
        going.set()
        for one in some:
            assert answer_of(one)[0] == 200
            one.close()
    for one in streams:
        one.join()
    assert [len(told(one.content)) for one in found] == [90] * 3
    assert service.client.get("/health/ready").status_code == 200


def test_bytes_are_refused_before_memory_grows(serve):
    """Bodies and lines that do not end are counted while they come; beyond the limit of all together callers are sent away."""
    service = serve(body=1 << 20, waiting_bytes=3 << 20)
    part = b'{"text": "' + b"x" * 900_000
    held = []
    try:
        for kind in ("application/json", "application/x-ndjson", "application/x-ndjson"):
            held.append(connected(service))
            held[-1].sendall(
                head("POST", "/query", f"Content-Type: {kind}", "Transfer-Encoding: chunked")
                + b"%x\r\n%s\r\n" % (len(part), part)
            )
        while float(service.client.get("/metrics").text.split("\nquchong_waiting_bytes ")[1].split()[0]) < 2_600_000:
            pass
        answer = service.client.post("/query", content=part + b'"}')
        assert answer.status_code == 429 and answer.headers["retry-after"] == "1"
        last = told(service.client.post("/query", content=part + b'"}', headers=LINES).content)[-1]
        assert kind_of(last["problem"]) == "too-many-requests"
        for one in held:
            one.sendall(b'2\r\n"}\r\n0\r\n\r\n')
        for one in held:
            assert b"200 OK" in one.recv(65536)
    finally:
        for one in held:
            one.close()


@pytest.mark.parametrize("name", ["id=foo", "text=true"])
def test_what_is_for_one_document_is_refused_in_a_stream(client, name):
    answer = client.post(f"/documents?{name}", content=lines(records(1)[:2]), headers=LINES)
    assert (
        answer.status_code == 400
        and f"{name.partition('=')[0]} applies only to a single document" in answer.json()["detail"]
    )
    assert client.get("/stats").json()["documents"] == 0

"""Covers: callers, roles, tokens that are replaced without a restart, rates, TLS, and what is logged."""

import io
import json
import re
import subprocess

import httpx
import pytest
from service_client import text_of

import quchong as qc
from quchong.serve.access import add_caller, read_callers, remove_caller
from quchong.serve.addresses import ADDRESSES
from quchong.serve.log import RequestLog


@pytest.fixture
def access(tmp_path):
    return tmp_path / "access"


def bearer(token):
    return {"authorization": f"Bearer {token}"}


def kind(answer):
    return answer.json()["type"].removeprefix("urn:quchong:problem:")


def ask(client, address, **how):
    path = address.path.replace("{id}", "none")
    body = (
        {"older_than": "300d"}
        if address.name == "expire"
        else {"left": "a", "right": "b"}
        if address.name == "compare"
        else {"text": "a"}
    )
    return client.request(address.method, path, json=body if address.body else None, **how)


@pytest.mark.parametrize("address", ADDRESSES, ids=[one.name for one in ADDRESSES])
def test_each_address_is_for_its_role_and_those_above(serve, access, address):
    tokens = {role: add_caller(access, role, role) for role in ("read", "write", "admin")}
    client = serve(access=access).client
    for headers in (
        {},
        bearer("qc_none"),
        {"authorization": "Basic abc"},
        bearer(tokens["read"][:-1]),
        {"authorization": "Bearer"},
    ):
        answer = ask(client, address, headers=headers)
        if address.role is None:
            assert answer.status_code == 200
        else:
            assert (
                answer.status_code == 401
                and kind(answer) == "no-token"
                and answer.headers["www-authenticate"] == "Bearer"
            )
    for place, (role, token) in enumerate(tokens.items()):
        answer = ask(client, address, headers=bearer(token))
        allowed = address.role is None or place >= ("read", "write", "admin").index(address.role)
        assert (answer.status_code != 403) == allowed, role
        assert allowed or kind(answer) == "not-allowed"


def test_tokens_are_replaced_while_the_service_runs(serve, access):
    old = add_caller(access, "crawler", "write")
    client = serve(access=access).client
    new = add_caller(access, "crawler2", "write")
    for token in (old, new):
        assert client.post("/query", json={"text": "a"}, headers=bearer(token)).status_code == 200
    remove_caller(access, "crawler")
    assert client.post("/query", json={"text": "a"}, headers=bearer(old)).status_code == 401
    assert client.post("/query", json={"text": "a"}, headers=bearer(new)).status_code == 200
    whole = access.read_bytes()
    for damaged in (whole + b"{", b"\xff\n" + whole, whole + whole):  # what is whole counts
        access.write_bytes(damaged)
        assert client.post("/query", json={"text": "a"}, headers=bearer(new)).status_code == 200
    for without in (
        b"{",
        b"\n",
        whole.replace(b'"write"', b'"reed"'),
        None,
    ):  # who is not there is refused, whatever else is wrong
        access.unlink() if without is None else access.write_bytes(without)
        assert client.post("/query", json={"text": "a"}, headers=bearer(new)).status_code == 401


def test_what_is_wrong_with_a_file_that_changed_is_logged(serve, access):
    token, stream = add_caller(access, "crawler", "write"), io.StringIO()
    client = serve(access=access, log=RequestLog(stream, on=False)).client
    access.write_bytes(access.read_bytes() + b"nonsense\n")
    for _ in range(3):
        assert client.post("/query", json={"text": "a"}, headers=bearer(token)).status_code == 200
    (line,) = map(json.loads, stream.getvalue().splitlines())
    assert line["level"] == "warning" and "line 2: not an object with name, role" in line["warning"]
    assert client.get("/stats", headers=bearer("nope")).json()["detail"].startswith("this access token is unknown")


def test_a_file_that_is_whole_again_lets_its_callers_in(serve, access):
    new = add_caller(access, "crawler", "write")
    client = serve(access=access).client
    whole = access.read_bytes()
    access.write_bytes(b"")
    assert client.post("/query", json={"text": "a"}, headers=bearer(new)).status_code == 401
    access.write_bytes(whole)
    assert client.post("/query", json={"text": "a"}, headers=bearer(new)).status_code == 200


def test_a_file_of_callers_has_no_token_and_is_for_its_owner(access):
    token = add_caller(access, "a", "read")
    assert token.startswith("qc_") and token not in access.read_text()
    assert access.stat().st_mode & 0o077 == 0
    with pytest.raises(qc.UsageError):
        add_caller(access, "a", "write")
    for name, role in (("", "read"), ("a b", "read"), ("b", "root"), ("x" * 65, "read")):
        with pytest.raises(qc.UsageError):
            add_caller(access, name, role)
    assert [one.name for one in read_callers(access)] == ["a"]


def test_without_tokens_only_this_machine_is_answered(serve, tmp_path):
    from quchong.serve.server import Server

    with qc.Index.create(tmp_path / "seen") as index:
        for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
            with pytest.raises(qc.UsageError):
                Server(index, host=host, port=0)


def test_with_tokens_other_names_are_answered(serve, access):
    token = add_caller(access, "a", "read")
    client = serve(access=access).client
    assert (
        client.post("/query", json={"text": "a"}, headers=bearer(token) | {"host": "news.example"}).status_code == 200
    )


def test_two_tokens_in_one_request_are_none(serve, access):
    token = add_caller(access, "a", "read")
    client = serve(access=access).client
    two = [("authorization", f"Bearer {token}"), ("authorization", f"Bearer {token}")]
    assert client.post("/query", json={"text": "a"}, headers=two).status_code == 401


def test_a_caller_who_asks_too_often_is_sent_away_and_others_are_not(serve, access):
    mine, other = add_caller(access, "mine", "read"), add_caller(access, "other", "read")
    client = serve(access=access, rate=0.01).client
    assert client.post("/query", json={"text": "a"}, headers=bearer(mine)).status_code == 200
    answer = client.post("/query", json={"text": "a"}, headers=bearer(mine))
    assert (
        answer.status_code == 429
        and kind(answer) == "too-many-requests"
        and 1 <= int(answer.headers["retry-after"]) <= 101
    )
    assert client.post("/query", json={"text": "a"}, headers=bearer(other)).status_code == 200
    assert client.get("/health/live").status_code == 200


def test_a_log_has_requests_and_no_texts_or_tokens(serve, access):
    from quchong.serve.log import RequestLog

    written = io.StringIO()
    token = add_caller(access, "crawler", "write")
    client = serve(access=access, log=RequestLog(written)).client
    text = text_of(1)
    headers = bearer(token) | {"x-request-id": "mine-1"}
    assert (
        client.post(f"/documents?id={text}", content=text, headers=headers | {"content-type": "text/plain"}).status_code
        == 201
    )
    client.post("/query", content=b"{" + text.encode(), headers=headers)
    client.get("/none?" + text, headers=headers | {"x-request-id": "not one"})
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [one["status"] for one in lines] == [201, 400, 404]
    assert lines[0]["caller"] == "crawler" and lines[0]["request"] == "mine-1" and lines[0]["path"] == "/documents"
    assert re.fullmatch("[0-9a-f]{16}", lines[2]["request"])
    assert text not in written.getvalue() and token not in written.getvalue()


def test_tls_is_spoken_with_a_certificate(serve, tmp_path):
    from quchong.serve.server import Server

    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", cert,
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], capture_output=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    import ssl

    with qc.Index.create(tmp_path / "seen") as index:
        with (
            Server(index, port=0, cert=cert, key=key) as server,
            httpx.Client(
                base_url=server.url, verify=ssl.create_default_context(cafile=cert), trust_env=False, timeout=60
            ) as client,
        ):
            assert server.url.startswith("https://")
            assert client.post("/documents", json={"id": "a", "text": "x " * 500_000}).status_code == 201
            assert len(client.get("/documents/a").json()["text"]) == 1_000_000
            with pytest.raises(httpx.TransportError):
                httpx.get(server.url.replace("https", "http") + "/health/live", trust_env=False)
        for wrong in ({"cert": cert}, {"key": key}):
            with pytest.raises(qc.UsageError):
                Server(index, port=0, **wrong)
        other, locked = tmp_path / "other.pem", tmp_path / "locked.pem"
        subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", other], check=True)
        subprocess.run(
            ["openssl", "ec", "-in", key, "-aes256", "-passout", "pass:x", "-out", locked],
            check=True,
            capture_output=True,
        )
        for wrong, words in (
            ({"cert": key, "key": cert}, "the certificate file or the key file has wrong contents"),
            ({"cert": tmp_path / "none", "key": key}, "No such file"),
            ({"cert": cert, "key": other}, "another certificate"), ({"cert": cert, "key": locked}, "has a password"),
        ):  # fmt: skip
            with pytest.raises(qc.InputError, match=words) as told:
                Server(index, port=0, **wrong)
            assert "Unknown error" not in str(told.value) and "_ssl.c" not in str(told.value)


def test_a_port_that_is_taken_is_told(service, tmp_path):
    from quchong.serve.server import Server

    with qc.Index.create(tmp_path / "other") as index, pytest.raises(qc.OutputError, match="another port"):
        Server(index, port=service.port).__enter__()

"""Covers: every address of a service: its answers, its problems, and that both are as its description says."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from service_client import lines, told

import quchong as qc
from quchong import serve as package

TEXT = "今天下午市政府召开新闻发布会。会上介绍了地铁四号线的建设情况，工程预计明年三月通车。"
OTHER = "The council met on Monday to discuss the new tram line, and the works began in early spring."
IDS = ["a/b", "%25", "a%2Fb", "中文 编号", "?x=1#y", "+", "😀", "..a", "a\0b", " ", "-3", "x" * 20_000, "&amp;<b>"]


def problem(answer):
    said = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert said["status"] == answer.status_code and said["request"] == answer.headers["x-request-id"]
    return said["type"].removeprefix("urn:quchong:problem:")


def test_a_document_is_added_asked_about_explained_compared_and_deleted(client):
    first = client.post("/documents", json={"id": "a", "text": TEXT})
    assert first.status_code == 201 and first.json()["new"] and first.json()["added"]
    copy = client.post("/query", json={"text": TEXT + "另外，票价两元。"}).json()
    assert not copy["new"] and copy["id"] == "#0" and copy["matches"][0]["id"] == "a" and not copy["added"]
    again = client.post("/documents", json={"id": "a", "text": TEXT})
    assert again.status_code == 200 and again.json()["id"] == "a"
    second = client.post("/documents", json={"id": "b", "text": TEXT})
    assert second.json()["relation"] == "exact" and second.json()["survivor_id"] == "a"
    document = client.get("/documents/b").json()
    assert document["text"] == TEXT and document["removed"]
    assert client.get("/documents/b/explain").json()["survivor_id"] == "a"
    assert "a" in client.get("/documents/b/explain?format=text").text
    page = client.get("/documents/b/explain", headers={"accept": "text/html"})
    assert page.headers["content-type"].startswith("text/html") and "<script" not in page.text
    assert client.post("/compare", json={"left": TEXT, "right": {"text": TEXT}}).json()["relation"] == "exact"
    assert client.get("/stats").json()["documents"] == 2
    assert [one["id"] for one in told(client.get("/export").content)] == ["a", "b"]
    assert client.delete("/documents/a").status_code == 204
    assert not client.get("/documents/b").json()["removed"]
    assert client.post("/expire", json={"older_than": "300d"}).json() == {"deleted": 0}
    assert client.post("/compact").json()["documents"] == 1
    assert "quchong_index_documents 1.0" in client.get("/metrics").text
    assert client.get("/health/live").json() == client.get("/health/ready").json() == {"status": "ok"}
    assert client.get("/").headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("id", IDS, ids=range(len(IDS)))
def test_an_id_of_any_letters_has_an_address(client, id):
    assert client.post("/documents", json={"id": id, "text": TEXT}).status_code == 201
    where = "/documents/" + quote(id, safe="")
    assert client.get(where).json()["id"] in (id, -3)
    assert client.get(where + "/explain").status_code == 200
    assert client.delete(where).status_code == 204
    assert problem(client.get(where)) == problem(client.delete(where)) == "not-found"


def test_numbers_stay_numbers_and_have_addresses(client):
    assert client.post("/documents", json={"id": 7, "text": TEXT}).json()["id"] == 7
    assert client.get("/documents/7").json()["id"] == 7
    assert told(client.get("/export").content) == [{"id": 7, "text": TEXT}]
    made = client.post("/documents", json={"text": OTHER}).json()["id"]
    assert client.get("/documents/" + quote(str(made), safe="")).json()["text"] == OTHER


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "broken-body", 400), (b"{", "broken-body", 400), (b"[1]", "broken-body", 400), (b'"x"', "broken-body", 400),
        (b"[" * 100_000, "broken-body", 400), (b'{"text": "\\ud800"}', "broken-body", 400), (b'{"text": "\xff"}', "broken-body", 400),
        (b'{"text": "a\0"}', "broken-body", 400), (b"{}", "bad-document", 422), (b'{"text": 1}', "bad-document", 422),
        (b'{"text": null}', "bad-document", 422), (b'{"text": ["a"]}', "bad-document", 422), (b'{"id": 1.5, "text": "a"}', "bad-document", 422),
        (b'{"id": true, "text": "a"}', "bad-document", 422), (b'{"id": [], "text": "a"}', "bad-document", 422),
        (b'{"id": {}, "text": "a"}', "bad-document", 422), (b'{"id": "", "text": "a"}', "bad-document", 422),
    ],
)  # fmt: skip
@pytest.mark.parametrize("address", ["/documents", "/query"])
def test_bodies_that_cannot_be_used_are_problems(client, address, body, kind, status):
    answer = client.post(address, content=body)
    assert (problem(answer), answer.status_code) == (kind, status)
    assert client.get("/stats").json()["documents"] == 0


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({}, "bad-document"), ({"left": "a"}, "bad-document"), ({"left": "a", "right": 1}, "bad-document"),
        ({"left": "a", "right": "b", "more": 1}, "bad-document"), ({"left": {}, "right": "b"}, "bad-document"),
        ({"left": {"text": 5}, "right": "b"}, "bad-document"),
    ],
)  # fmt: skip
def test_pairs_that_cannot_be_used_are_problems(client, body, kind):
    assert problem(client.post("/compare", json=body)) == kind


def test_other_problems_of_addresses(client):
    assert problem(client.get("/documents/none")) == problem(client.get("/documents/none/explain")) == "not-found"
    assert problem(client.get("/documents/%ED%A0%80")) == problem(client.delete("/documents/%FF")) == "wrong-argument"
    assert (
        problem(client.get("/nothing"))
        == problem(client.get("/documents/a/b"))
        == problem(client.get("/documents/"))
        == "no-such-address"
    )
    alike = {
        "/querry": "/query",
        "/query/": "/query",
        "/document": "/documents",
        "/health": "/health/live",
        "/openapi": "/openapi.json",
    }
    assert all(f"did you mean {meant}" in client.get(said).json()["detail"] for said, meant in alike.items())
    assert "did you mean" not in client.get("/nothing").json()["detail"]
    wrong = client.get("/query")
    assert problem(wrong) == "wrong-method" and wrong.headers["allow"] == "POST"
    assert set(client.put("/documents/a").headers["allow"].split(", ")) == {"GET", "HEAD", "DELETE"}
    assert problem(client.post("/query?passages=perhaps", json={"text": "a"})) == "wrong-argument"
    client.post("/documents", json={"id": "a", "text": TEXT})
    assert problem(client.get("/documents/a/explain?format=pdf")) == "wrong-argument"
    assert problem(client.post("/documents", json={"id": "a", "text": OTHER})) == "known-id"
    for said in ({"older_than": "3x"}, {"older_than": 3}, {}, {"older_than": "3d", "x": 1}):
        assert problem(client.post("/expire", json=said)) == "bad-document"
    for name in ("text/csv", "multipart/form-data", "application/x-www-form-urlencoded"):
        assert problem(client.post("/query", content=b"a", headers={"content-type": name})) == "wrong-media-type"
    assert problem(client.post("/compare", content=b"a", headers={"content-type": "text/plain"})) == "wrong-media-type"


@pytest.mark.parametrize("said", ["127.0.0.1", "localhost:80", "[::1]:99", "LOCALHOST"])
def test_names_of_this_machine_are_answered(client, said):
    assert client.get("/health/live", headers={"host": said}).status_code == 200


@pytest.mark.parametrize("said", ["evil.example", "localhost.evil.example", "127.0.0.1.", "", "[", "a@localhost:1:2"])
def test_other_names_are_not(client, said):
    answer = client.get("/stats", headers={"host": said})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://["}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_pages_of_other_sites_are_not_answered(client, headers):
    for answer in (client.post("/query", json={"text": "a"}, headers=headers), client.get("/export", headers=headers)):
        assert problem(answer) == "foreign-page" and answer.status_code == 403


def test_the_page_of_the_service_is_answered(service):
    own = {"origin": service.url, "sec-fetch-site": "same-origin"}
    assert service.client.post("/query", json={"text": "a"}, headers=own).status_code == 200
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert service.client.get("/", headers=link).status_code == 200


def test_problems_are_told_in_both_languages(client):
    client.post("/documents", json={"id": "a", "text": TEXT})
    asked = [
        ("POST", "/documents", b'{"id": "a", "text": "b"}'), ("POST", "/query", b"{"), ("POST", "/query", b'{"text": 1}'),
        ("POST", "/query", b'{"id": 1.5, "text": "b"}'), ("GET", "/documents/none", None), ("GET", "/none", None), ("PUT", "/query", None),
        ("POST", "/expire", b'{"older_than": "x"}'), ("GET", "/documents/a/explain?format=x", None), ("POST", "/query?passages=x", b"{}"),
        ("POST", "/compare", b"{}"),
    ]  # fmt: skip
    for method, path, body in asked:
        english, chinese = (
            client.request(method, path, content=body, headers={"accept-language": one}).json()
            for one in ("en-GB,zh;q=0.5", "en;q=0.1, zh-CN;q=0.9, fr")
        )
        assert english["type"] == chinese["type"]
        for name in ("title", "detail"):
            assert not re.search("[一-鿿]", english[name]) and re.search("[一-鿿]", chinese[name]), (path, chinese)
    stream = client.post(
        "/query", content=b'{"text": 1}\n', headers={"content-type": "application/x-ndjson", "accept-language": "zh"}
    )
    assert re.search("[一-鿿]", told(stream.content)[0]["problem"]["detail"])


def test_an_id_in_the_address_is_that_of_a_record_without_one(client):
    assert client.post("/documents?id=a", json={"text": TEXT}).json()["id"] == "a"
    assert client.post("/documents?id=a", json={"text": TEXT}).status_code == 200
    assert client.post("/documents?id=a", json={"id": "a", "text": TEXT}).status_code == 200
    assert client.post("/documents?id=n", json={"id": None, "text": TEXT + "二"}).json()["id"] == "n"
    answer = client.post("/documents?id=b", json={"id": "c", "text": TEXT})
    assert answer.status_code == 400 and "but the record has the id 'c'" in answer.json()["detail"]


def test_a_document_sent_again_says_so(client):
    assert "again" not in client.post("/documents", json={"id": "a", "text": TEXT}).json()
    assert client.post("/documents", json={"id": "a", "text": TEXT}).json()["again"] is True


def test_parameters_that_an_address_has_not_are_problems(client):
    answer = client.post("/query?passage=true", json={"text": TEXT})
    assert answer.status_code == 400 and "did you mean passages?" in answer.json()["detail"]
    assert client.get("/stats?x=1").status_code == 400


def test_nothing_of_the_program_or_the_machine_is_told(serve, tmp_path, monkeypatch):
    service = serve()

    def broken(*_, **__):
        raise ValueError(f"secret at {tmp_path}")

    monkeypatch.setattr(service.index, "stats", broken)
    monkeypatch.setattr(service.index, "matches", broken)
    monkeypatch.setattr(service.index, "query", broken)
    service.client.post("/documents", json={"id": "a", "text": TEXT})
    for answer in (
        service.client.get("/stats"),
        service.client.get("/documents/a"),
        service.client.post("/query", json={"text": "a"}),
    ):
        assert problem(answer) == "internal" and answer.status_code == 500
        assert "Traceback" not in answer.text and "secret" not in answer.text and str(tmp_path) not in answer.text


def test_a_damaged_index_is_told_without_its_place(serve, tmp_path, monkeypatch):
    service = serve()

    def damaged(*_, **__):
        raise qc.RunError(f"{tmp_path}/catalogue is damaged")

    monkeypatch.setattr(service.index, "query", damaged)
    answer = service.client.post("/query", json={"text": "a"})
    assert problem(answer) == "damaged" and str(tmp_path) not in answer.text


def test_head_has_what_get_has_but_no_body(client):
    client.post("/documents", json={"id": "a", "text": TEXT})
    for path in ("/", "/stats", "/documents/a", "/health/live", "/openapi.json", "/export", "/documents/none"):
        head, get = client.head(path), client.get(path)
        assert head.status_code == get.status_code and head.content == b""
        assert head.headers.get("content-type") == get.headers.get("content-type")


def test_a_service_that_only_reads_says_so(serve, tmp_path):
    qc.Index.create(tmp_path / "seen").close()
    with qc.Index(tmp_path / "seen", read_only=True) as index:
        client = serve(index=index).client
        assert client.post("/query", json={"text": TEXT}).json()["new"]
        asked = [
            client.post("/documents", json={"text": TEXT}), client.delete("/documents/a"), client.post("/compact"),
            client.post("/expire", json={"older_than": "1d"}),
        ]  # fmt: skip
        assert [problem(one) for one in asked] == ["read-only"] * 4
        stream = client.post(
            "/documents", content=lines([{"text": TEXT}]), headers={"content-type": "application/x-ndjson"}
        )
        assert told(stream.content)[-1]["problem"]["type"].endswith("read-only")


def test_all_problems_are_described_and_all_described_are_raised():
    from quchong.serve.addresses import ADDRESSES
    from quchong.serve.description import description
    from quchong.serve.problems import _ERRORS, TYPES

    code = "".join(path.read_text("utf-8") for path in Path(package.__path__[0]).glob("*.py"))
    raised = set(re.findall(r'Problem\(\s*"([a-z-]+)"', code)) | set(_ERRORS.values()) | {"known-id"}
    assert raised == set(TYPES)
    told = description("text", "id", None)
    assert told["components"]["schemas"]["Problem"]["properties"]["type"]["enum"] == [
        f"urn:quchong:problem:{name}" for name in TYPES
    ]
    examples = set()
    for path in told["paths"].values():
        for operation in path.values():
            for status, answer in operation["responses"].items():
                for name in (
                    answer["content"].get("application/problem+json", {}).get("examples", {})
                    if "content" in answer
                    else ()
                ):
                    assert TYPES[name][0] == int(status)
                    examples.add(name)
    assert examples == set(TYPES) - {"no-such-address", "wrong-method"}  # those of no address
    assert {name for one in ADDRESSES for name in one.problems} <= set(TYPES)


def test_a_description_has_the_columns_of_its_index(serve):
    service = serve(create={"text": "body", "id": "key", "html": "page"})
    said = service.client.get("/openapi.json").json()
    assert set(said["components"]["schemas"]["Record"]["properties"]) == {"key", "body", "page"}
    assert "text/html" in said["paths"]["/query"]["post"]["requestBody"]["content"]
    assert service.client.post("/documents", json={"key": "a", "body": TEXT}).json()["id"] == "a"
    page = f"<html><body><article><p>{TEXT}</p><p>{TEXT}</p></article></body></html>"
    answer = service.client.post(
        "/documents?id=p", content=page.encode("gb18030"), headers={"content-type": "text/html; charset=gb18030"}
    )
    assert answer.status_code == 201 and answer.json()["id"] == "p"
    assert "地铁四号线" in service.client.get("/documents/p").json()["text"]
    assert json.loads(service.client.get("/export").content.splitlines()[0])["key"] == "a"

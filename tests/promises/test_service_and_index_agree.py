"""Covers: a service answers as its index does, whatever comes together: streams, single documents, many callers, processes beside it.

Compared against: `Index.add` and `Index.query` of the same documents in the same order.
"""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
from index_records import records
from service_client import lines, text_of, told

import quchong as qc

msgspec = pytest.importorskip("msgspec", reason="msgspec is not installed (extra serve)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra serve)")
LINES = {"content-type": "application/x-ndjson"}


@contextmanager
def served(index, **limits):
    from quchong.serve.limits import Limits
    from quchong.serve.server import Server

    with Server(index, port=0, limits=Limits(**limits)) as server:
        limit = httpx.Limits(max_connections=100)
        with httpx.Client(base_url=server.url, timeout=120, trust_env=False, limits=limit) as client:
            yield client


def plain(answer):
    return json.loads(msgspec.json.encode(answer)) | {"new": answer.new}


def before(said):
    """What was known of a document before it was added; its fate is that at the end of the call, of which more or fewer are a part."""
    shown = ("id", "relation", "rule", "jaccard", "containment")
    matches = sorted(said["matches"], key=lambda one: one["id"])  # kept ones come first
    return said["id"], said["new"], [{name: one[name] for name in shown} for one in matches]


def without_line(said):
    assert said.pop("line") > 0
    return said


def wait_for_processes(service):
    """Wait until the processes beside the service answer, not the service itself."""
    return [one._talk.ready.wait(120) for one in service._askers]


@pytest.mark.parametrize("method", ["hybrid", "short-text"])
@pytest.mark.parametrize("processes", [0, 2])
def test_answers_are_those_of_the_index(tmp_path, method, processes, monkeypatch):
    from quchong.serve.service import Service

    services = []
    begin = Service.__init__
    monkeypatch.setattr(Service, "__init__", lambda self, *given: services.append(self) or begin(self, *given))
    some, others = records(11, families=1), [one | {"id": f"q{k}"} for k, one in enumerate(records(12)[:12])]
    some = [{name: one[name] for name in ("id", "text")} for one in some]
    others = [{name: one[name] for name in ("id", "text")} for one in others] + some[:10]
    with qc.Index.create(tmp_path / "plain", method=method) as plain_index:
        wanted_adds = [plain(one) for one in plain_index.add(some).found]
        wanted_known = {id: plain(plain_index.matches(id)) for id in plain_index.ids()}
        wanted = {
            passages: [plain(one) for one in plain_index.query(others, passages=passages).found]
            for passages in (False, True)
        }
    with qc.Index.create(tmp_path / "served", method=method) as index, served(index, processes=processes) as client:
        assert all(wait_for_processes(services[0]))
        half = len(some) // 2
        found = [
            without_line(one)
            for one in told(client.post("/documents", content=lines(some[:half]), headers=LINES).content)
        ]
        for one in some[half:]:
            answer = client.post("/documents", json=one)
            assert answer.status_code == 201
            found.append(answer.json())
        assert list(map(before, found)) == list(map(before, wanted_adds))
        assert {id: plain(index.matches(id)) for id in index.ids()} == wanted_known
        for passages in (False, True):
            path = f"/query?passages={str(passages).lower()}"
            stream = told(client.post(path, content=lines(others), headers=LINES).content)
            assert [without_line(one) for one in stream] == wanted[passages]

        def ask(place):
            passages = place % 3 == 0
            answer = client.post(f"/query?passages={str(passages).lower()}", json=others[place % len(others)])
            return answer.status_code, answer.json() == wanted[passages][place % len(others)]

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(ask, range(3 * len(others)))) == {(200, True)}


@pytest.mark.parametrize("processes", [0, 1])
def test_what_was_acknowledged_is_seen_by_the_next_question(tmp_path, processes):
    with qc.Index.create(tmp_path / "seen") as index, served(index, processes=processes) as client:
        for k in range(40):
            text = text_of(k)
            assert client.post("/documents", json={"id": f"d{k}", "text": text}).status_code == 201
            assert client.post("/query", json={"text": text}).json()["matches"][0]["id"] == f"d{k}"
            if k % 4 == 0:
                assert client.delete(f"/documents/d{k}").status_code == 204
                assert client.post("/query", json={"text": text}).json()["new"]


def test_a_process_that_dies_costs_no_answer(tmp_path, monkeypatch):
    from quchong.serve.service import Service

    services = []
    begin = Service.__init__
    monkeypatch.setattr(Service, "__init__", lambda self, *given: services.append(self) or begin(self, *given))
    with qc.Index.create(tmp_path / "seen") as index, served(index, processes=1) as client:
        client.post("/documents", json={"id": "a", "text": text_of(1)})
        (asker,) = services[0]._askers
        for _ in range(2):
            assert asker._talk.ready.wait(120)
            asker._talk.process.kill()
            asker._talk.process.wait()
            for _ in range(5):
                assert client.post("/query", json={"text": text_of(1)}).json()["matches"][0]["id"] == "a"


def test_a_process_that_dies_while_many_ask_it_costs_no_answer(tmp_path):
    """Several threads ask at a time, each its own document: replies are not mixed up, and those that the process owes are given here."""
    from quchong.serve.asking import Asker
    from quchong.serve.outcomes import Question

    with qc.Index.create(tmp_path / "seen") as index:
        index.add([{"id": f"d{k}", "text": text_of(k)} for k in range(8)])
        asker = Asker(index)
        killed = [asker._talk]
        assert killed[0].ready.wait(120)

        def ask(place):
            if place == 60:
                killed[0].process.kill()
                killed[0].process.wait()
            asked = [Question({"text": text_of((place + k) % 8)}, k, False) for k in range(place % 3 + 1)]
            return [json.loads(one.body)["matches"][0]["id"] for one in asker(asked)]

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(ask, range(120)))
        assert found == [[f"d{(place + k) % 8}" for k in range(place % 3 + 1)] for place in range(120)]
        assert killed[0].broken
        assert asker._talk is not killed[0]
        assert asker._talk.ready.wait(120)
        asker.close()


def test_a_bad_document_is_told_in_chinese_by_a_process_too(tmp_path, monkeypatch):
    from quchong.serve.service import Service

    services = []
    begin = Service.__init__
    monkeypatch.setattr(Service, "__init__", lambda self, *given: services.append(self) or begin(self, *given))
    with qc.Index.create(tmp_path / "seen", html="page") as index, served(index, processes=1) as client:
        assert all(wait_for_processes(services[0]))
        here = client.post("/documents", json={"id": "a", "page": "<"}, headers={"accept-language": "zh"})
        there = client.post("/query", json={"id": "a", "page": "<"}, headers={"accept-language": "zh"})
        assert here.status_code in (201, 422)
        assert there.json().get("detail") == here.json().get("detail")


def test_a_document_that_fails_fails_no_other_of_its_batch(tmp_path, monkeypatch):
    from quchong.api.index import Index

    query, sizes = Index.query, []
    entered, going = threading.Event(), threading.Event()

    def poisoned(self, documents, **options):
        entered.set()
        assert going.wait(60)
        sizes.append(len(documents))
        if any("poison" in one["text"] for one in documents):
            raise ValueError("poison")
        return query(self, documents, **options)

    monkeypatch.setattr(Index, "query", poisoned)
    with qc.Index.create(tmp_path / "seen") as index, served(index) as client, ThreadPoolExecutor(20) as pool:
        first = pool.submit(client.post, "/query", json={"text": "first"})
        assert entered.wait(60)
        asked = [
            pool.submit(client.post, "/query", json={"text": f"poison {k}" if k % 5 == 0 else text_of(k)})
            for k in range(15)
        ]
        while "quchong_waiting_documents 16.0" not in client.get("/metrics").text:
            pass
        going.set()
        assert first.result().status_code == 200
        assert [one.result().status_code for one in asked] == [500 if k % 5 == 0 else 200 for k in range(15)]
    assert 15 in sizes, "all fifteen were one batch"


def test_nothing_acknowledged_is_lost_where_callers_are_sent_away(tmp_path):
    sent_away = []

    def add(place):
        one = {"id": f"d{place}", "text": text_of(place)}
        while (answer := client.post("/documents", json=one)).status_code == 429:
            assert answer.headers["retry-after"] == "1"
            sent_away.append(place)
        assert answer.status_code == 201
        return one["id"], one["text"]

    with qc.Index.create(tmp_path / "seen") as index, served(index, waiting=3) as client:
        with ThreadPoolExecutor(24) as pool:
            acknowledged = dict(pool.map(add, range(96)))
        assert {one["id"]: one["text"] for one in told(client.get("/export").content)} == acknowledged
        assert "quchong_waiting_documents 0.0" in client.get("/metrics").text
    assert sent_away


def test_a_stop_finishes_what_has_begun(tmp_path, monkeypatch):
    """Requests that are in the index, that wait, and of which a part has come are answered; then the service is gone."""
    from quchong.api.index import Index
    from quchong.serve.server import Server

    add = Index.add
    entered, going = threading.Event(), threading.Event()

    def held(self, documents, **options):
        entered.set()
        assert going.wait(60)
        return add(self, documents, **options)

    monkeypatch.setattr(Index, "add", held)
    with qc.Index.create(tmp_path / "seen") as index:
        server = Server(index, port=0)
        with (
            server,
            httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client,
            ThreadPoolExecutor(6) as pool,
        ):
            asked = [pool.submit(client.post, "/documents", json={"id": "d0", "text": text_of(0)})]
            assert entered.wait(60)
            asked += [
                pool.submit(client.post, "/documents", json={"id": f"d{k}", "text": text_of(k)}) for k in range(1, 5)
            ]
            while "quchong_waiting_documents 5.0" not in client.get("/metrics").text:
                pass
            server.stop()
            going.set()
            assert [one.result().status_code for one in asked] == [201] * 5
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{server.url}/health/live", trust_env=False)
        assert sorted(index.ids()) == [f"d{k}" for k in range(5)]

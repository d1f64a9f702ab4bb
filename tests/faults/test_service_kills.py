"""Covers: a service that is killed at any moment under load: what was acknowledged is there, what was not is there wholly or not at all, and
what a caller sends again is there once.

Run: pytest tests/faults/test_service_kills.py, and -m campaign for 100 kills.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import socket
import sys
import threading

import httpx
import pytest
from forked import Command
from service_client import answer_of, head, lines, text_of, told

import quchong as qc

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra serve)")
pytest.importorskip("msgspec", reason="msgspec is not installed (extra serve)")

SYNCED = "import os; os.fsync = os.fstat"
"""What a killed process wrote is there without waiting for the disk."""
IMPATIENT = "from quchong.cli import interrupt; interrupt.PATIENCE = interrupt.WAKING = 0.01"
"""The command line gives up a call that hangs much earlier than any stop is done."""
MOST = 600
"""Documents above which a new index is begun."""


def served(folder, *options, patience=""):
    """A service as a command, and its address."""
    command = Command("serve", folder, "--port", "0", "-q", *options, before=f"{SYNCED}; {patience}")
    wait = threading.Event()
    while "http://" not in (
        text := command.out.read_text("utf-8") if command.out.exists() else ""
    ) or not text.endswith("\n"):
        assert command.running(), command.err.read_text("utf-8")
        wait.wait(0.005)
    return command, text.split()[-1]


class Caller(threading.Thread):
    """Adds and deletes documents of its own until the service is gone, and keeps what was acknowledged.

    Attributes:
        there: acknowledged documents by id. gone: acknowledged deletions.
        adding, deleting: what was asked and not answered.
    """

    def __init__(self, url, name, seed, acknowledged):
        super().__init__()
        self.url, self.prefix, self.draw, self.acknowledged = url, name, random.Random(seed), acknowledged
        self.there, self.gone, self.adding, self.deleting, self.error = {}, set(), {}, set(), None

    def run(self):
        try:
            with httpx.Client(base_url=self.url, timeout=60, trust_env=False) as client:
                serial = 0
                while True:
                    serial = self.ask(client, serial)
        except httpx.TransportError:
            return
        except BaseException as error:
            self.error = error

    def ask(self, client, serial):
        what = self.draw.choices(["one", "stream", "delete", "query"], [4, 3, 1, 1])[0]
        if what == "delete" and self.there:
            id = self.draw.choice(sorted(self.there))
            self.deleting.add(id)
            assert client.delete(f"/documents/{id}").status_code == 204
            self.deleting.remove(id)
            del self.there[id]
            self.gone.add(id)
        elif what == "query":
            assert client.post("/query", json={"text": text_of(self.draw.randrange(40))}).status_code == 200
        else:
            some = {}
            for _ in range(1 if what == "one" else 20):
                serial += 1
                id = f"{self.prefix}-{serial}"
                some[id] = text_of(self.draw.randrange(200))
            self.adding.update(some)
            if what == "one":
                ((id, text),) = some.items()
                assert client.post("/documents", json={"id": id, "text": text}).status_code == 201
                self.acknowledge(id)
            else:
                body = lines([{"id": id, "text": text} for id, text in some.items()])
                with client.stream(
                    "POST", "/documents", content=body, headers={"content-type": "application/x-ndjson"}
                ) as answer:
                    for line in answer.iter_lines():
                        said = json.loads(line)
                        assert said["added"]
                        self.acknowledge(said["id"])
        return serial

    def acknowledge(self, id):
        self.there[id] = self.adding.pop(id)
        self.acknowledged.release()


def kill_often(folder, kills, seed):
    """Kill a service again and again; return how many kills struck a request that was not answered."""
    draw, there, struck = random.Random(seed), {}, 0
    for kill in range(kills):
        if len(there) > MOST or not folder.exists():
            shutil.rmtree(folder, ignore_errors=True)
            qc.Index.create(folder, sync=draw.choice(["each", "20ms"])).close()
            there = {}
        command, url = served(folder)
        acknowledged = threading.Semaphore(0)
        callers = [Caller(url, f"{seed}.{kill}.{k}", draw.randrange(1 << 30), acknowledged) for k in range(4)]
        for one in callers:
            one.start()
        for _ in range(draw.randrange(1, 120)):
            assert acknowledged.acquire(timeout=120), [one.error for one in callers]
        for _ in range(draw.choice([0, draw.randrange(200_000)])):
            pass
        command.send(signal.SIGKILL)
        for one in callers:
            one.join()
        assert [one.error for one in callers] == [None] * 4
        assert command.wait().returncode == -signal.SIGKILL
        adding = {id: text for one in callers for id, text in one.adding.items()}
        deleting = {id for one in callers for id in one.deleting}
        for one in callers:
            there |= one.there
        struck += bool(adding or deleting)
        there = check(folder, there, adding, deleting)
    return struck


def check(folder, there, adding, deleting):
    """Assert that an index has what was acknowledged; send again what was not; return what is there then."""
    with qc.Index(folder) as index:
        assert index.verify() == []
        found = set(index.ids())
        assert found <= there.keys() | adding.keys() and there.keys() - deleting <= found
        assert all(index.text(id) == (there | adding)[id] for id in found)
        there = {id: (there | adding)[id] for id in found}
    command, url = served(folder)
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
        body = lines([{"id": id, "text": text} for id, text in adding.items()])
        for _ in range(2):
            answers = told(
                client.post("/documents", content=body, headers={"content-type": "application/x-ndjson"}).content
            )
            assert [one["id"] for one in answers] == list(adding)
        for id in deleting:
            assert client.delete(f"/documents/{id}").status_code == (204 if id in there else 404)
        there = {id: text for id, text in (there | adding).items() if id not in deleting}
        assert {one["id"]: one["text"] for one in told(client.get("/export").content)} == there
    command.send(signal.SIGTERM)
    assert command.wait().returncode == 0
    return there


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize(
    ("kills", "seed"), [(4, 1), *(pytest.param(25, seed, marks=pytest.mark.campaign) for seed in range(2, 6))]
)
def test_a_service_that_is_killed_loses_nothing(tmp_path, kills, seed):
    struck = kill_often(tmp_path / "seen", kills, seed)
    print(f"{kills} kills, {struck} of them within a request")
    assert struck


def test_a_stop_that_takes_long_is_no_failure(tmp_path, monkeypatch):
    """What has begun is finished, though it takes longer than the command line waits for a call that hangs."""
    monkeypatch.setenv("QUCHONG_LANG", "en")
    qc.Index.create(tmp_path / "seen").close()
    command, url = served(tmp_path / "seen", "--processes", "0", patience=IMPATIENT)
    body = b'{"id": "a", "text": "abc"}'
    address = httpx.URL(url)
    with socket.create_connection((address.host, address.port), timeout=60) as one:
        one.sendall(head("POST", "/documents", f"Content-Length: {len(body)}", "Expect: 100-continue"))
        assert one.recv(99).startswith(b"HTTP/1.1 100")
        command.send(signal.SIGTERM)
        with pytest.raises(OSError):
            while True:  # the stop has begun when nobody else is let in
                socket.create_connection((address.host, address.port), timeout=60).close()
        one.sendall(body)
        assert answer_of(one)[0] == 201
    ran = command.wait()
    assert (ran.returncode, ran.stderr) == (0, "")
    with qc.Index(tmp_path / "seen", read_only=True) as index:
        assert index.ids() == ["a"]

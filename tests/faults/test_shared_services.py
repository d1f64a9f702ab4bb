"""Covers: four services on one index in PostgreSQL: the answers of one index in a folder, with one service killed in the middle of a request
and the server of the store restarted.
Compared against: an index in a folder to which one process adds the same in the same order.
Run: pytest tests/faults/test_shared_services.py (a PostgreSQL server is started; skipped where none is installed).
"""

from __future__ import annotations

import signal
import threading

import forked
import httpx
import pytest
from index_records import records

import quchong as qc

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra serve)")
SERVICES = 4


class Caller:
    """Sends each document to the next service, and to the one after it where one does not answer: what was not answered is sent again."""

    def __init__(self, urls):
        self._clients = [httpx.Client(base_url=url, timeout=120, trust_env=False) for url in urls]
        self._next = 0

    def send(self, address, record):
        """The answer, after as many services as it takes; fails if none answers."""
        for _ in self._clients:
            client = self._clients[self._next % SERVICES]
            self._next += 1
            try:
                return client.post(address, json=record).raise_for_status().json()
            except httpx.TransportError:
                continue
        raise AssertionError("no service answers")

    def close(self):
        for one in self._clients:
            one.close()


def decided(answer):
    """What an answer says of a document, by an index or over HTTP."""
    told = answer if isinstance(answer, dict) else answer.as_dict()
    return {name: told[name] for name in ("id", "removed", "survivor_id", "relation")} | {
        "matches": [(match["id"], match["relation"], match["jaccard"]) for match in told["matches"]]
    }


def test_four_services_answer_as_one_index_does_with_one_killed_and_the_store_restarted(tmp_path, postgres):
    some, address = records(8, families=2), postgres.address("services")
    qc.Index.create(address).close()
    commands = [forked.Command("serve", address, "--port", "0", "-q", "--processes", "0") for _ in range(SERVICES)]
    try:
        for one in commands:
            while not one.out.exists() or "\n" not in one.out.read_text("utf-8"):
                assert one.running(), one.err.read_text("utf-8")
        caller = Caller(one.out.read_text("utf-8").split()[-1] for one in commands)
        with qc.Index.create(tmp_path / "one") as index:
            for k, record in enumerate(some):
                if k == len(some) // 3:  # a service is killed while it answers, before or after it has committed
                    killed = threading.Thread(target=commands[k % SERVICES].send, args=[signal.SIGKILL])
                    killed.start()
                    told = caller.send("/documents", record)
                    killed.join()
                else:
                    if k == 2 * len(some) // 3:
                        postgres.control("-m", "immediate", "restart")
                    told = caller.send("/documents", record)
                assert decided(told) == decided(index.add(record)), record["id"]
            asked = [{"text": record["text"][:-1]} for record in some]
            assert [decided(caller.send("/query", one)) for one in asked] == [
                decided(index.query(one)) for one in asked
            ]
            ids = index.ids()
        caller.close()
        with qc.Index(address, read_only=True) as shared:
            assert shared.ids() == ids
        assert sum(one.running() for one in commands) == SERVICES - 1
        for one in commands:
            if one.running():
                one.send(signal.SIGTERM)
                assert one.wait().returncode == 0
    finally:
        for one in commands:
            one.close()

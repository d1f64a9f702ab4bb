"""Covers: a service whose disk is full says so, loses nothing that it acknowledged, and goes on when there is room."""

import json

import forked
import httpx
import pytest
from service_client import lines, text_of, told

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra serve)")
LINES = {"content-type": "application/x-ndjson"}


def test_a_full_disk_is_a_problem_and_nothing_acknowledged_is_lost(small_disk):
    disk = small_disk("24m")
    assert forked.run("index", "create", disk / "seen").returncode == 0
    with forked.Command("serve", disk / "seen", "--port", "0", "-q", "--processes", "0") as command:
        while "\n" not in (said := command.out.read_text("utf-8") if command.out.exists() else ""):
            assert command.running(), command.err.read_text("utf-8")
        with httpx.Client(base_url=said.split()[-1], timeout=60, trust_env=False) as client:
            there, number, answer = {}, 0, None
            (disk / "filling").write_bytes(b"\0" * (8 << 20))
            while number < 400:
                number += 1
                one = {"id": f"d{number}", "text": text_of(number, 40_000)}
                answer = client.post("/documents", json=one)
                if answer.status_code != 201:
                    break
                there[one["id"]] = one["text"]
            assert answer.status_code == 507, answer.text
            problem = answer.json()
            assert problem["type"].endswith("no-room") and str(disk) not in answer.text
            stream = [{"id": f"s{k}", "text": text_of(1000 + k, 40_000)} for k in range(40)]
            parts = told(client.post("/documents", content=lines(stream), headers=LINES).content)
            assert parts[-1]["problem"]["type"].endswith("no-room")
            there |= {one["id"]: one["text"] for one, part in zip(stream, parts, strict=False) if part.get("added")}
            assert client.post("/query", json={"text": next(iter(there.values()))}).json()["matches"]
            assert {one["id"] for one in told(client.get("/export").content)} == set(there)
            (disk / "filling").unlink()
            assert client.post("/documents", json=one).status_code == 201
            there[one["id"]] = one["text"]
            found = {one["id"]: one["text"] for one in map(json.loads, client.get("/export").content.splitlines())}
            assert found == there
        command.send(15)
        assert command.wait().returncode == 0
    assert forked.run("index", "verify", disk / "seen").returncode == 0

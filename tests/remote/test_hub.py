"""Data sets of a hub, which a web server of this machine imitates: hf://datasets/OWNER/NAME/FILE."""

import json

import pytest
from remote.made_news import lines, news

import quchong as qc

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def hub(web):
    files = {"data/one.jsonl": lines(news(40)), "data/two.jsonl": lines(news(40, 30)), "README.md": b"# news"}
    listed = [
        {"type": "file", "path": path, "size": len(body), "oid": str(len(path)) * 40} for path, body in files.items()
    ]
    api = "/api/datasets/owner/news"
    web.files[api] = json.dumps({"id": "owner/news", "sha": SHA, "siblings": []}).encode()
    for revision in ("main", SHA):
        web.files[f"{api}/revision/{revision}"] = web.files[api]
        web.files[f"{api}/tree/{revision}"] = json.dumps(
            [listed[2], {"type": "directory", "path": "data", "oid": "1" * 40, "size": 0}]
        ).encode()
        web.files[f"{api}/tree/{revision}/data"] = json.dumps(listed[:2]).encode()
        web.files[f"{api}/paths-info/{revision}"] = json.dumps(listed[:1]).encode()
        for path, body in files.items():
            web.files[f"/datasets/owner/news/resolve/{revision}/{path}"] = body
    return web


def test_a_data_set_is_read_from_a_hub(hub, tmp_path):
    options = {"endpoint": hub.url, "token": "hf_secret"}
    here = tmp_path / "data"
    here.mkdir()
    for n, name in enumerate(("one", "two")):
        (here / f"{name}.jsonl").write_bytes(lines(news(40, 30 * n)))
    one = qc.dedup("hf://datasets/owner/news/data/one.jsonl", storage_options=options, out=tmp_path / "run")
    assert one.counts["removed"] == 20
    assert hub.headers["authorization"] == "Bearer hf_secret"
    assert "hf_secret" not in (tmp_path / "run/run.json").read_text()
    both = qc.dedup("hf://datasets/owner/news/data/*.jsonl", storage_options=options)
    assert both.ledger.equals(qc.dedup(str(here)).ledger)

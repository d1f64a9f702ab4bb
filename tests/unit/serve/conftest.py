"""A service over a fresh index, and a client of it."""

import re
from contextlib import ExitStack

import httpx
import pytest

import quchong as qc

for _name in ("starlette", "uvicorn", "httptools", "msgspec", "prometheus_client"):
    pytest.importorskip(_name, reason=f"{_name} is not installed (extra serve)")


@pytest.fixture
def serve(tmp_path):
    """`serve(access=..., **limits)` starts a service, and returns it with its index and a client."""
    from quchong.serve.limits import Limits
    from quchong.serve.server import Server

    with ExitStack() as held:

        def start(*, access=None, log=None, create=None, index=None, **limits):
            if index is None:
                index = held.enter_context(
                    qc.Index.create(tmp_path / f"seen{len(list(tmp_path.iterdir()))}", **(create or {}))
                )
            server = held.enter_context(Server(index, port=0, access=access, log=log, limits=Limits(**limits)))
            server.index = index
            server.client = held.enter_context(
                httpx.Client(
                    base_url=server.url, timeout=60, trust_env=False, event_hooks={"response": [checker(tmp_path)]}
                )
            )
            return server

        yield start


def checker(place):
    """A check of every answer: its status, its type and its problem are those that the description has for its address, and nothing of the
    machine is in it.
    """
    from quchong.serve.description import description

    told = {}
    for path, operations in description("text", "id", "html")["paths"].items():
        for method, one in operations.items():
            told[re.compile(re.sub(r"\\{id\\}", "[^/]+", re.escape(path))), method.upper()] = one["responses"]

    def check(answer):
        text = answer.read().decode("utf-8", "replace")
        assert str(place) not in text and "Traceback" not in text and "site-packages" not in text
        raw = answer.request.url.raw_path.decode().partition("?")[0]
        found = [
            one
            for (path, method), one in told.items()
            if path.fullmatch(raw) and method == answer.request.method.replace("HEAD", "GET")
        ]
        if not found:
            assert answer.status_code in (404, 405)
            return
        (responses,) = found
        assert str(answer.status_code) in responses, (raw, answer.status_code)
        kinds = responses[str(answer.status_code)].get("content", {})
        kind = answer.headers.get("content-type", "").partition(";")[0]
        assert kind in kinds if kinds else not kind
        if kind == "application/problem+json" and text:
            assert answer.json()["type"].removeprefix("urn:quchong:problem:") in kinds[kind]["examples"]

    return check


@pytest.fixture
def service(serve):
    return serve()


@pytest.fixture
def client(service):
    return service.client

"""A service over a fresh index, and a client of it."""

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
                index = held.enter_context(qc.Index.create(tmp_path / f"seen{len(list(tmp_path.iterdir()))}", **(create or {})))
            server = held.enter_context(Server(index, port=0, access=access, log=log, limits=Limits(**limits)))
            server.index = index
            server.client = held.enter_context(httpx.Client(base_url=server.url, timeout=60, trust_env=False))
            return server

        yield start


@pytest.fixture
def service(serve):
    return serve()


@pytest.fixture
def client(service):
    return service.client

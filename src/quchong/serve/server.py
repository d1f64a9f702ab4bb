"""Web server of a service: an open index behind an address."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

import uvicorn

from quchong.api.index import Index
from quchong.errors import InputError, OutputError, Param, UsageError, reason_of
from quchong.languages import Message
from quchong.serve.access import AccessFile
from quchong.serve.application import application
from quchong.serve.connections import limited
from quchong.serve.limits import Limits
from quchong.serve.log import RequestLog
from quchong.serve.service import Service

PORT = 8765
"""Port by default."""
_PATIENCE = 30.0
_TURN_SECONDS = 0.0005


class Server:
    """Service that listens, in the thread that calls `run`, or in one of its own within a `with` block.

    Args:
        index: the open index; it stays open.
        host: address to listen on. Without `access` only one of this machine.
        port: port to listen on; 0 for any free one.
        access: file of callers; None for everybody on this machine.
        cert, key: files of a certificate and its private key, in PEM, for TLS.
        limits: limits of requests.
        log: where requests are logged; by default errors only, on standard error.

    Attributes:
        url: address under which the service is reached.

    Raises:
        UsageError: the host is another than this machine, and there is no access file; or a certificate without a key.
        InputError: the access file, the certificate or the key cannot be read.
        OutputError: the address or port cannot be used.
    """

    def __init__(
        self, index: Index, *, host: str = "127.0.0.1", port: int = PORT, access: Path | None = None, cert: Path | None = None,
        key: Path | None = None, limits: Limits | None = None, log: RequestLog | None = None,
    ) -> None:  # fmt: skip
        if access is None and not is_loopback(host):
            raise UsageError(
                "{} can be reached from other machines, so access tokens are required: quchong access add FILE NAME, then {}",
                Param("host", host),
                Param("access", "FILE"),
            )
        if (cert is None) != (key is None):
            given, lacking = ("cert", "key") if key is None else ("key", "cert")
            raise UsageError(
                "{} needs {} too: HTTPS takes a certificate and its private key", Param(given), Param(lacking, "FILE")
            )
        log = log or RequestLog(on=False)
        self._access = None if access is None else AccessFile(access, log.warning)
        self._index, self._limits, self._log = index, limits or Limits(), log
        self._tls = None if cert is None or key is None else _checked_certificate(cert, key)
        self._socket = _listening(host, port)
        self.port = int(self._socket.getsockname()[1])
        shown = f"[{host}]" if ":" in host else host
        self.url = f"{'http' if self._tls is None else 'https'}://{shown}:{self.port}"
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        self._stopped = False

    def run(self, started: Callable[[], None] = lambda: None) -> None:
        """Answer requests until `stop` is called, or SIGINT or SIGTERM comes; then finish those that have begun.

        Args:
            started: called when requests are answered.
        """
        with _quick_turns(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(self._serve(started))

    async def _serve(self, started: Callable[[], None]) -> None:
        service = Service(self._index, self._limits)
        cert, key = self._tls or (None, None)
        config = uvicorn.Config(
            application(service, self._access, self._log), http=limited(self._limits), ws="none", lifespan="off",
            log_config=None, log_level="critical", access_log=False, server_header=False, proxy_headers=False,
            timeout_keep_alive=int(self._limits.head_seconds) + 1, timeout_graceful_shutdown=int(self._limits.answer_seconds),
            ssl_certfile=cert, ssl_keyfile=key, backlog=self._limits.connections,
        )  # fmt: skip
        self._server = _Uvicorn(config, service, started)
        if self._stopped:
            return
        try:
            await self._server.serve([self._socket])
        finally:
            await service.close()

    def stop(self) -> None:
        """End `run`, after the requests that have begun."""
        self._stopped = True
        if self._server is not None:
            self._server.should_exit = True

    def __enter__(self) -> Server:
        """Listen in a thread of its own; return when requests are answered.

        Raises:
            OutputError: the service does not start.
        """
        started = threading.Event()

        def run() -> None:
            try:
                self.run(started.set)
            except BaseException as error:
                self._error = error
            finally:
                started.set()

        self._thread = threading.Thread(target=run, name="quchong-serve", daemon=True)
        self._thread.start()
        started.wait(_PATIENCE)
        if self._error is not None or not self._thread.is_alive():
            raise OutputError("the service does not start: {}", self._error or "it ended")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()
        self.close()

    def close(self) -> None:
        """Close the sockets, so that the port is free."""
        self._socket.close()


class _Uvicorn(uvicorn.Server):
    """Uvicorn server that reports when it is ready, and tells the service when it stops."""

    def __init__(self, config: uvicorn.Config, service: Service, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._service, self._started = service, started

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle SIGINT and SIGTERM as a request to stop, without raising them again afterwards."""
        with super().capture_signals():
            try:
                yield
            finally:
                self._captured_signals.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then report readiness."""
        await super().startup(sockets)
        self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connections, and finish the requests that have begun."""
        self._service.stopping = True
        await super().shutdown(sockets)


@contextmanager
def _quick_turns() -> Iterator[None]:
    """Let Python threads switch more often in the block, because an answer would otherwise wait 5 ms for the event loop."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, _TURN_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the maker of event loops of uvloop; None where there is none, as on Windows."""
    try:
        import uvloop  # optional
    except ImportError:
        return None
    return uvloop.new_event_loop


def is_loopback(host: str) -> bool:
    """Return True if an address is one of this machine alone."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _checked_certificate(cert: Path, key: Path) -> tuple[str, str]:
    """Return the paths of certificate and key after checking that both can be loaded.

    Raises:
        InputError: one cannot be read, or they do not belong together.
    """
    for path in (cert, key):
        try:
            path.open("rb").close()
        except OSError as error:
            raise InputError("{} cannot be read: {}; check the path", path, reason_of(error)) from error
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=_no_password)
    except (ssl.SSLError, OSError) as error:
        raise InputError(
            "{} and {} are not a certificate and its key in PEM: {}; give the certificate with {} and the key with {}",
            cert,
            key,
            reason_of(error),
            "--cert",
            "--key",
        ) from error
    return str(cert), str(key)


def _no_password() -> str:
    """Raise the error that a key with a password is not supported, because nobody can type it at start.

    Raises:
        OSError: always.
    """
    raise OSError(
        Message("the key has a password: store a key without a password in a file that only the service can read")
    )


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        OutputError: the address or port cannot be used.
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise OutputError("{} is not an address of this machine: {}", Param("host", host), reason_of(error)) from error
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(place)
    except OSError as error:
        made.close()
        raise OutputError(
            "{} and {} cannot be used: {}; choose another port, or 0 for any free one", Param("host", host), Param("port", port),
            reason_of(error),
        ) from error  # fmt: skip
    return made

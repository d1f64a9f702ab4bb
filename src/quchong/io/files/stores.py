"""File systems of other machines, opened through fsspec with the settings and credentials that its users have."""

from __future__ import annotations

import base64
import http
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import unquote

from quchong.errors import Call, InputError
from quchong.io.files.addresses import full_address, redacted
from quchong.languages import Message
from quchong.patterns import lazy_pattern

T = TypeVar("T")

EXTRAS = {
    "s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gcs", "gcs": "gcs", "az": "azure", "abfs": "azure", "abfss": "azure", "adl": "azure",
    "hf": "hf", "http": "http", "https": "http", "sftp": "sftp", "ssh": "sftp",
}  # fmt: skip
"""Extra of this package that installs what a protocol needs."""
_OTHER_NAMES = {"s3n": "s3", "wasb": "abfs", "wasbs": "abfs"}
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_DENIED = frozenset({
    "AccessDenied", "ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "SignatureDoesNotMatch", "TokenRefreshRequired",
    "RequestTimeTooSkewed", "NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError", "GatedRepoError",
    "AuthenticationException", "CredentialRetrievalError",
})  # fmt: skip
_WRONG = frozenset(
    {"ParamValidationError", "InvalidRegionError", "NoRegionError", "InvalidS3UsEast1RegionalEndpointConfigError"}
)
"""Errors of libraries about the request itself, which no server has seen."""
_MISSING = frozenset({"NoSuchKey", "NoSuchBucket", "RepositoryNotFoundError", "EntryNotFoundError"})

_options: ContextVar[Mapping[str, Any] | None] = ContextVar("storage_options", default=None)

_known_options: dict[str, dict[str, Any]] = {}
"""Options that a call of this process gave, by the store: what the call returned may read from it later."""


@contextmanager
def using_storage_options(options: Mapping[str, Any] | None) -> Iterator[None]:
    """Use these fsspec options for every store opened in the block; None leaves the options in use."""
    if options is None:
        yield
        return
    before = _options.set(options)
    try:
        yield
    finally:
        _options.reset(before)


class StoreError(OSError):
    """Error of a file on another machine, with a message that names the reason and a remedy and contains no secret."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message

    def __reduce__(self) -> Any:
        return StoreError, (self.message,)


class CutShort(Exception):
    """Error: a store sent fewer or more bytes than requested.

    Args:
        got: bytes of the answer; wanted: bytes that were asked for.
    """

    def __init__(self, got: int, wanted: int) -> None:
        super().__init__(f"{got:,} of {wanted:,} bytes came")


@dataclass(frozen=True)
class Retries:
    """Policy of repeated requests: the number of repeats and the waiting time between them.

    Attributes:
        attempts: most requests for the same bytes.
        first, longest: seconds before the second request, doubled for each further one up to `longest`.
        wait: function that waits for some seconds.
    """

    attempts: int = 6
    first: float = 0.25
    longest: float = 8.0
    wait: Callable[[float], None] = time.sleep

    def call(self, function: Callable[[], T]) -> T:
        """Return what the function returns, calling it again after failures that may pass.

        Raises:
            FileNotFoundError: the store has no such file.
            StoreError: the store refuses, or failed at every attempt; the message has the last reason.
        """
        for attempt in range(1, self.attempts + 1):
            try:
                return function()
            except (StoreError, InputError):
                raise
            except Exception as error:
                if (final := _final(error)) is not None:
                    raise final from None  # the messages of libraries hold addresses with their signatures
                reason = reason_in(error)
            if attempt < self.attempts:
                self.wait(min(self.first * 2 ** (attempt - 1), self.longest))
        raise StoreError(
            Message(
                "the storage service failed {} times; the last error was: {}; run again when the service is available",
                self.attempts,
                reason,
            )
        )


RETRIES = Retries()
"""The policy in use."""


def store_call(function: Callable[[], T]) -> T:
    """Call a function of a store, with repeats by the policy in use, see `Retries.call`."""
    return RETRIES.call(function)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or one.__context__


def _status(error: BaseException) -> int | None:
    """Return the status of HTTP in an error or its causes, as aiohttp, requests, httpx and botocore keep it."""
    for one in _chain(error):
        response = getattr(one, "response", None)
        if isinstance(response, dict):
            found: Any = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        else:
            found = getattr(response, "status_code", None) or getattr(one, "status", None)
        if isinstance(found, int) and found >= 300:
            return found
    return None


def _codes(error: BaseException) -> set[str]:
    codes = set()
    for one in _chain(error):
        codes.add(type(one).__name__)
        response = getattr(one, "response", None)
        if isinstance(response, dict):
            codes.add(str(response.get("Error", {}).get("Code", "")))
    return codes


_ERRNO = lazy_pattern(r"\[Errno -?\d+\] ")
"""Number before the words of an error of the system."""


_WORDS = (
    (
        lazy_pattern("Unable to locate credentials|Could not automatically determine credentials"),
        Message("no credentials were found"),
    ),
    (
        lazy_pattern("Name or service not known|name resolution|getaddrinfo failed|nodename nor servname"),
        Message("the host is unknown"),
    ),
)
"""Frequent words of libraries and systems, with ours."""


def reason_in(error: BaseException) -> Message:
    """Return why a request failed, in a few words without secrets."""
    if isinstance(error, CutShort):
        return Message("{}", str(error))
    if (status := _status(error)) is not None:
        phrase = http.HTTPStatus(status).phrase if status in set(http.HTTPStatus) else ""
        return Message("{}", f"HTTP {status} {phrase}".strip())
    if isinstance(error, FileNotFoundError):  # whose text is an address alone
        error = _network_error(error) or error
    for known, told in _WORDS:
        if known.search(str(error)):
            return told
    words = _ERRNO.sub("", re.sub(r"\s+", " ", redacted(str(error))))[:200]
    return Message("{}", f"{type(error).__name__}: {words}" if words else type(error).__name__)


def _final(error: Exception) -> OSError | None:
    """Return the error to raise for a permanent failure; None for one that may pass."""
    status, codes = _status(error), _codes(error)
    wrapped = _network_error(error) if status is None and isinstance(error, FileNotFoundError) else None
    if wrapped is not None:  # fsspec calls every failure of asking for a file of the web a missing file
        return _no_connection(wrapped)
    if status in (401, 403) or codes & _DENIED or (status is None and isinstance(error, PermissionError)):
        return StoreError(
            Message(
                "the storage service refuses access ({}): check that the credentials exist and are valid. Set "
                "them as for fsspec, or give storage_options in Python",
                reason_in(error),
            )
        )
    if status in (404, 410) or codes & _MISSING or (status is None and isinstance(error, FileNotFoundError)):
        return FileNotFoundError("no such file")
    if isinstance(error, IsADirectoryError):
        return error
    transient = not codes & _WRONG and (
        status in _TRANSIENT
        or (status is None and isinstance(error, OSError | EOFError | CutShort))
        or (status is None and _network_error(error) is not None)
    )
    return (
        None
        if transient
        else StoreError(
            Message("the storage service cannot be read: {}; check the address and the network", reason_in(error))
        )
    )


def _network_error(error: BaseException) -> BaseException | None:
    """Return the connection error among the causes of an error; None if there is none."""
    return next((one for one in _chain(error) if type(one).__module__.split(".")[0] in _NETWORK), None)


def _no_connection(error: BaseException) -> StoreError | None:
    """Return the error that a server is unknown or refuses connections; None for a failure that may pass."""
    host, causes = getattr(error, "host", None), list(_chain(error))
    where = f"{host}:{getattr(error, 'port', None) or ''}".rstrip(":")
    if any(isinstance(one, socket.gaierror) for one in causes):
        return StoreError(Message("the host {} is unknown: check the spelling and the network", host or where))
    if any(isinstance(one, ConnectionRefusedError) for one in causes):
        return StoreError(
            Message("{} does not accept connections: check that the server runs, and the address and port", where)
        )
    return None


_NETWORK = ("aiohttp", "urllib3", "requests", "httpx", "httpcore", "botocore", "aiobotocore", "paramiko")
"""Libraries whose errors without a status are those of connections."""


def protocol_of(address: str) -> str:
    """Return the protocol of an address in small letters."""
    protocol = address.split("://", 1)[0].lower()
    return _OTHER_NAMES.get(protocol, protocol)


def unknown_protocol(address: str) -> Message | None:
    """Return the message about the protocol of an address that no library reads, None for a known one."""
    protocol = re.split(":/+", address, maxsplit=1)[0]
    if protocol.lower() in ("file", "local"):
        return Message("write an address of this machine with three slashes, such as {}", "file:///tmp/news.jsonl")
    try:
        from fsspec import available_protocols  # type: ignore[import-untyped]
    except ImportError:  # opening the address says so
        return None
    if protocol_of(f"{protocol}://") in {*available_protocols(), *EXTRAS, "zip", "tar"}:
        return None
    known = ", ".join(f"{name}://" for name in ("file", "s3", "gs", "az", "hf", "http", "https", "sftp", "zip", "tar"))
    return Message(
        "the protocol {} is not supported; supported protocols are {}, and the other protocols of fsspec",
        f"{protocol}://",
        known,
    )


def open_store(shown: str) -> tuple[Any, str]:
    """Return the file system of fsspec for an address, and the file's name in it.

    Raises:
        InputError: what the protocol needs is not installed, or the address or the storage options cannot be used.
    """
    if (unknown := unknown_protocol(shown)) is not None:
        raise InputError("{}: {}", shown, unknown)
    protocol = protocol_of(shown)
    extra = EXTRAS.get(protocol)
    try:
        import fsspec

        kind = fsspec.get_filesystem_class(protocol)
        if kind.__module__.endswith("implementations.http"):
            import aiohttp  # noqa: F401 - which fsspec asks for at the first call only
    except (ImportError, ValueError) as error:
        if extra is None:
            raise InputError(
                "{}: {}; install the library that fsspec needs for this address", shown, redacted(str(error))
            ) from error
        raise InputError("{}: to read this, install {}", shown, f'pip install "quchong[{extra}]"') from error
    address = full_address(shown)
    options = _options_for(protocol, "/".join(shown.split("/", 3)[:3]))
    if protocol.startswith("http"):
        headers = {"Accept-Encoding": "identity"} | _http_user(address)
        options["headers"] = headers | dict(options.get("headers") or {})
        address = re.sub(r"^(https?://)[^/@?#]*@", r"\1", address)
    try:
        files, name = fsspec.core.url_to_fs(address, use_listings_cache=False, **options)
        if extra == "s3":
            files.retries = 1  # attempts are counted here
        return files, str(name)
    except Exception as error:  # of any library, for values that it does not take
        if isinstance(error, OSError):  # a library that asks its server when it is opened
            if protocol in ("hdfs", "viewfs"):
                raise InputError(
                    "{} must be read by a cluster: give {}, or copy the file to this machine first",
                    shown,
                    Call("quchong.spark.dedup(spark.read.json(path))", "--engine spark"),
                ) from None
            raise InputError("{} cannot be opened: {}; check the address", shown, reason_in(error)) from None
        if extra is None:
            raise InputError("{}: this store needs settings: give storage_options in Python", shown) from None
        raise InputError("{} cannot be opened: {}; check storage_options", shown, reason_in(error)) from None


def _options_for(protocol: str, root: str) -> dict[str, Any]:
    """Return the storage options for a protocol: those under its name, or all if no protocol is named."""
    given = dict(_options.get() or {}) or _known_options.get(root, {})
    if given:
        _known_options[root] = given
    by_protocol = {name: value for name, value in given.items() if name in EXTRAS and isinstance(value, dict)}
    found = dict(by_protocol.get(protocol, {})) if by_protocol else given
    if EXTRAS.get(protocol) == "s3":
        config = dict(found.get("config_kwargs") or {})
        found["config_kwargs"] = {"retries": {"total_max_attempts": 1, "mode": "standard"}} | config
    return found


def _http_user(address: str) -> dict[str, str]:
    """Return the header that says user and password of an address."""
    found = re.match(r"https?://([^/@:?#]*):([^/@]*)@", address)
    if found is None:
        return {}
    user = f"{unquote(found[1])}:{unquote(found[2])}".encode()
    return {"Authorization": f"Basic {base64.b64encode(user).decode()}"}

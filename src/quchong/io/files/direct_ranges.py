"""Ranges of bytes of an S3 store read from its socket in the thread that wants them.

The libraries behind fsspec receive every range in one event loop, in pieces of some KB, for several times the processor time that a
read from a socket takes. Here each reader has a connection of its own. Requests are signed by botocore with the credentials of the file
system, in headers, so that no address holds a secret. Whatever is not an answer with the whole range is left to fsspec, which tells errors.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import ssl
import threading
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

_TIMEOUT = 60
_ELSEWHERE = ("verify", "config", "api_version")
"""Arguments of a client after which its requests are not as they are made here."""
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_CERTIFICATES = ("AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE")
_open = threading.local()
_places: WeakKeyDictionary[Any, dict[str, tuple[Any, str]]] = WeakKeyDictionary()
"""Address of each bucket of a file system, with the client that told it: all but the key of a file."""


def may_be_direct(files: Any) -> bool:
    """Return True if this module can make the requests of a file system itself: S3 with credentials and default settings."""
    plain = hasattr(files, "get_s3") and not getattr(files, "anon", True)
    said = [getattr(files, name, None) for name in ("req_kw", "s3_additional_kwargs", "version_aware")]
    said += [(getattr(files, "client_kwargs", None) or {}).get(name) for name in _ELSEWHERE]
    said += [
        (getattr(files, "config_kwargs", None) or {}).get(name)
        for name in ("proxies", "client_cert", "signature_version")
    ]
    return plain and not any(said) and not any(os.environ.get(one) or os.environ.get(one.lower()) for one in _PROXIES)


def direct_range(files: Any, name: str, start: int, size: int) -> bytes | None:
    """Return a range of bytes of a file by a direct request; None if the store or its answer does not allow that.

    Args:
        files: file system of s3fs (`may_be_direct`).
        name: the file's name in it.
        start: offset of the first byte.
        size: number of bytes, at least 1, not beyond the end of the file.
    """
    try:
        url, headers = _signed(files, name, start, size)
        found = _ask(url, headers, size)
    except Exception:  # of any library: fsspec is asked next, and says what is wrong
        _forget()
        return None
    return found if len(found) == size else None


def _signed(files: Any, name: str, start: int, size: int) -> tuple[str, dict[str, str]]:
    """Return the address and headers of a signed request for a range of bytes."""
    from botocore.auth import S3SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import ReadOnlyCredentials
    from botocore.utils import percent_encode

    async def prepare() -> tuple[str, Any, str]:
        bucket, key, version = files.split_path(name)
        await files.set_session()
        client = await files.get_s3(bucket)
        quoted = percent_encode(key, "/-_.~")
        known = _places.setdefault(files, {})
        if (base := known.get(bucket)) is None or base[0] is not client:
            # the library tells where a bucket is only of a signed request; of that nothing but the place is used
            parts = urlsplit(await client.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": key}))
            if not parts.path.endswith(f"/{quoted}"):
                raise LookupError
            base = known[bucket] = client, f"{parts.scheme}://{parts.netloc}{parts.path.removesuffix(quoted)}"
        if files.key:
            found = ReadOnlyCredentials(files.key, files.secret, files.token)
        else:
            found = await (await files.session.get_credentials()).get_frozen_credentials()
        query = f"?versionId={version}" if version else ""
        return f"{base[1]}{quoted}{query}", found, client.meta.region_name

    url, credentials, region = asyncio.run_coroutine_threadsafe(prepare(), files.loop).result(_TIMEOUT)
    request = AWSRequest("GET", url, headers={"Range": f"bytes={start}-{start + size - 1}"})
    S3SigV4Auth(credentials, "s3", region).add_auth(request)
    return url, dict(request.headers.items())


def _ask(url: str, headers: dict[str, str], size: int) -> bytes:
    """Return the body of a partial answer (status 206), else b""; the thread's connection to the host is reused."""
    parts = urlsplit(url)
    connection = _connection(parts.scheme, parts.netloc)
    connection.request("GET", parts.path + (f"?{parts.query}" if parts.query else ""), headers=headers)
    response = connection.getresponse()
    if response.status != http.HTTPStatus.PARTIAL_CONTENT or response.getheader("Content-Encoding"):
        _forget()
        return b""
    body = response.read(size)
    if response.read(1):
        _forget()
        return b""
    return body


def _connection(scheme: str, host: str) -> http.client.HTTPConnection:
    place = os.getpid(), scheme, host  # a forked process shares no connection with its parent
    if getattr(_open, "host", None) != place:
        _forget()
        bundle = next((os.environ[one] for one in _CERTIFICATES if os.environ.get(one)), None)
        made = (
            http.client.HTTPSConnection(host, timeout=_TIMEOUT, context=ssl.create_default_context(cafile=bundle))
            if scheme == "https"
            else http.client.HTTPConnection(host, timeout=_TIMEOUT)
        )
        _open.host, _open.connection = place, made
    found: http.client.HTTPConnection = _open.connection
    return found


def _forget() -> None:
    """Close the HTTP connection of this thread."""
    if getattr(_open, "host", None) is not None:
        _open.connection.close()
        _open.host = _open.connection = None

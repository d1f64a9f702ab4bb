"""Heads of requests and answers: who asks in which language, and what every answer says besides its own headers."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping

from quchong.languages import Language, known_language
from quchong.patterns import lazy_pattern

HEADERS = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
}
"""Headers of every answer, unless it has its own."""
_REQUEST = lazy_pattern(r"[A-Za-z0-9._-]{1,64}")


def headers_of(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the headers of a request by name, in lower case.

    Of several of one name the last is taken, but "" for several Host or Authorization, which could be meant for two readers.

    >>> headers_of([(b"Host", b"localhost"), (b"Accept-Language", b"zh")])
    {'host': 'localhost', 'accept-language': 'zh'}
    """
    out: dict[str, str] = {}
    for name_bytes, value in raw:
        name = name_bytes.decode("latin-1").lower()
        out[name] = "" if name in out and name in ("host", "authorization") else value.decode("latin-1")
    return out


def request_id(headers: Mapping[str, str]) -> str:
    """Return the id of a request: the caller's own if it has only characters that are safe in a log, else a new one."""
    said = headers.get("x-request-id", "")
    return said if _REQUEST.fullmatch(said) else secrets.token_hex(8)


def preferred_language(headers: Mapping[str, str]) -> Language | None:
    """Return the language that a caller prefers, by the weights of its header; None if it asks for none that is known.

    >>> preferred_language({"accept-language": "fr, zh-CN;q=0.8, en;q=0.5"})
    'zh'
    """
    best: tuple[float, Language] | None = None
    for one in headers.get("accept-language", "").split(","):
        word, _, weight = one.partition(";")
        found = known_language(word.strip()) if word.strip()[:2].lower() in ("zh", "en") else None
        try:
            share = float(weight.partition("=")[2]) if weight else 1.0
        except ValueError:
            share = 0.0
        if found and share > 0 and (best is None or share > best[0]):
            best = share, found
    return best[1] if best else None

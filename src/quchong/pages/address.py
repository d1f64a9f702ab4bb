"""Canonical addresses of pages, and sites of hosts.

Source: Ya 2013, the URL class among the three traditional ones it names (基于 URL 去重).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import pyarrow as pa
import pyarrow.compute as pc
from publicsuffixlist import PublicSuffixList

from quchong.patterns import lazy_pattern

TRACKING = lazy_pattern(
    r"utm_.*|spm|scm|sid|sessionid|session_id|jsessionid|phpsessid|aspsessionid.*|gclid|fbclid|msclkid|yclid|dclid"
    r"|mc_cid|mc_eid|_ga|share_token|shareid|share_source",
    re.IGNORECASE,
)
"""Names of query parameters that describe the visit instead of the page."""
_DEFAULT = lazy_pattern(r"/(?:index|default|home)\.(?:html?|php|aspx?|jsp|shtml)$", re.IGNORECASE)
_SESSION = lazy_pattern(r";(?:jsessionid|sid|phpsessid)=[^/?#]*", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def host_of(url: str) -> str:
    """Return the host of an address in lower case, without user, port, final dot and leading `www.`; "" without a host."""
    try:
        host = urlsplit(url.strip() if "://" in url else "//" + url.strip().lstrip("/")).hostname or ""
    except ValueError:
        return ""
    return host.rstrip(".").removeprefix("www.")


def site_of_host(host: str) -> str:
    """Return the registrable domain of a host (`news.sina.com.cn` -> `sina.com.cn`); the host itself if it has none.

    The public suffix list of the library decides, with private suffixes: `a.github.io` is a site of its own. IP
    addresses are returned unchanged.
    """
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return str(_suffixes().privatesuffix(host) or host)
    return host


def canonical(url: str) -> str:
    """Return one form for all spellings of an address, without its scheme; "" for an empty one.

    The host is in lower case, and international names are punycode. Removed are `www.`, the default port, user,
    fragment, session and tracking parameters, default documents, double and final slashes, and dot segments. Needless
    percent escapes are decoded, and the query is sorted. Two addresses with one canonical form show the same page, as
    far as addresses can tell.

    `HTTP://WWW.News.com:80/a//b/index.html?utm_source=x&id=3#top` -> `news.com/a/b?id=3`
    """
    text = url.strip()
    if not text:
        return ""
    try:
        parts = urlsplit(text if "://" in text else "//" + text.lstrip("/"))
        port = parts.port
    except ValueError:
        return text
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    place = f":{port}" if port is not None and port != _PORTS.get(parts.scheme.lower() or "http") else ""
    with suppress(UnicodeError):
        host = host.encode("idna").decode()  # 例子.cn and xn--fsqu00a.cn
    # path: session ids, double slashes, dot segments, default documents, needless escapes
    path = _SESSION.sub("", parts.path)
    path = re.sub(r"/{2,}", "/", path)
    path = _dots_out(path)
    path = _DEFAULT.sub("/", path).rstrip("/")
    path = _unescaped(path)
    # query: without tracking parameters, sorted
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = sorted((k, v) for k, v in pairs if not TRACKING.fullmatch(k))
    query = "?" + urlencode(kept) if kept else ""
    return host + place + path + query


def _dots_out(path: str) -> str:
    """Resolve the segments `.` and `..` of a path, as browsers do."""
    if "/." not in path:
        return path
    out: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            out = out[:-1]
        elif segment != ".":
            out.append(segment)
    return "/" + "/".join(out)


def _unescaped(path: str) -> str:
    """Decode percent escapes of letters, digits, the marks -._~ and characters beyond ASCII."""

    def run(match: re.Match[str]) -> str:
        try:
            text = unquote(match[0], errors="strict")
        except UnicodeDecodeError:
            return match[0].upper()
        return "".join(c if c.isalnum() or c in "-._~" or ord(c) > 127 else f"%{ord(c):02X}" for c in text)

    return re.sub(r"(?:%[0-9A-Fa-f]{2})+", run, path)


def sites(site: pa.Array, url: pa.Array) -> pa.Array:
    """Return the site of each document: as given, else the registrable domain of its address; null if neither is known.

    Each host is looked up once. large_string in and out.
    """
    known = pc.if_else(pc.equal(pc.fill_null(site, ""), ""), pa.scalar(None, pa.large_string()), site)
    if not known.null_count:
        return known
    encoded = pc.dictionary_encode(pc.if_else(pc.is_null(known), url, pa.scalar(None, pa.large_string())))
    values: Sequence[str] = encoded.dictionary.to_pylist()
    made = [site_of_host(host_of(u)) or None for u in values]
    return pc.coalesce(known, pa.array(made, pa.large_string()).take(encoded.indices))

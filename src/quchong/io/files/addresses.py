"""Addresses of files that are not paths of this machine, such as s3://bucket/name; what of them may be shown, and their paths."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from quchong.patterns import lazy_pattern

SCHEME = r"[a-z][a-z0-9+.-]+"
"""Pattern of a protocol; whether it is known is asked when the address is opened, so that none is taken for a folder of this machine."""
_HERE = lazy_pattern(r"(?:file|local):(?:/|//localhost/+|/{3,})(?!/)", re.IGNORECASE)
"""Beginning of an address of this machine, also with the slashes that `pathlib.Path` takes away."""
_HERE_IN_CHAIN = lazy_pattern(rf"::{_HERE.pattern}", re.IGNORECASE)
_ADDRESS = lazy_pattern(rf"(?!{_HERE.pattern})({SCHEME}):/+(?=[^/])", re.IGNORECASE)
_MANGLED = lazy_pattern(rf"(^|::)({SCHEME}):/+", re.IGNORECASE)
_IN_TEXT = lazy_pattern(rf"\b(?:{SCHEME})://[^\s'\"<>]+", re.IGNORECASE)
_USER = lazy_pattern(rf"(^|::)((?:{SCHEME})://)[^/@:?#]*:[^/@]*@", re.IGNORECASE)
_QUERY = lazy_pattern(r"([?&])([^=&?#]+)=([^&#]*)")
_SECRET_KEY = lazy_pattern(
    r"sig|token|key|secret|pass|pwd|cred|policy|auth|x-amz-|x-goog-|hmac|hash|code", re.IGNORECASE
)
_LONGEST_VALUE = 24
"""Longest value of a query that is shown: longer ones may be signatures under any name."""
_HIDDEN = "..."

_full: dict[str, str] = {}
"""Full address by the shown one, for addresses with secrets that a caller gave to this process. Nothing else has them."""
_secrets: set[str] = set()
"""Users with passwords, and values of queries, of these addresses, which libraries show in messages without the address."""
_LEAST_SECRET = 4
"""Characters from which a value of a query is taken out of any text: a shorter one may be any word."""


def is_address(path: str) -> bool:
    """Return True if a text is an address with a protocol, such as s3://bucket/name, and no file here has that name."""
    return _ADDRESS.match(path) is not None and not os.path.lexists(path)


def local_spelling(text: str) -> str:
    """Return the path that an address of this machine names, such as file:///tmp/x; any other text unchanged.

    Escapes such as %20 are read, unless a file has them in its name.

    >>> local_spelling("file:///tmp/a%20b"), local_spelling("s3://bucket/x")
    ('/tmp/a b', 's3://bucket/x')
    """
    found = _HERE.match(text)
    if found is None:
        return text
    path = f"/{text[found.end() :]}"
    return path if os.path.lexists(path) else unquote(path)


def address_of(place: str | os.PathLike[str]) -> str | None:
    """Return the address that a text or path names, with all slashes and without secrets; None for a path of this machine."""
    text = _HERE_IN_CHAIN.sub("::/", os.fspath(place))
    return shown_address(_MANGLED.sub(r"\1\2://", text).rstrip("/")) if is_address(text) else None


def shown_address(address: str) -> str:
    """Return an address without its secrets, and remember them in this process: passwords of users, signatures and keys of queries."""
    shown = base = without_secrets(address)
    if shown != address:
        _secrets.update(_secrets_of(address))
    number = 1
    while shown != address and _full.setdefault(shown, address) != address:  # another one that is shown alike
        number += 1
        shown = f"{base}#{number}"
    return shown


def full_address(shown: str) -> str:
    """Return the address with the secrets that this process knows, for opening it."""
    return _full.get(shown, shown)


def without_secrets(text: str) -> str:
    """Return an address without user and password and without values of its query that may be secret.

    >>> without_secrets("https://ann:pw@example.org/x.jsonl?part=2&sig=abc")
    'https://example.org/x.jsonl?part=2&sig=...'
    """
    text = _USER.sub(r"\1\2", text)

    def value(found: re.Match[str]) -> str:
        return f"{found[1]}{found[2]}={_HIDDEN if _is_secret(found) else found[3]}"

    return _QUERY.sub(value, text)


def _secrets_of(address: str) -> set[str]:
    """Return the secrets in an address: user, password and query values, each as written and with escapes decoded."""
    users = {found[0][len(found[1] + found[2]) : -1] for found in _USER.finditer(address)}
    hidden = {found[3] for found in _QUERY.finditer(address) if _is_secret(found)}
    found = {*users, *(user.partition(":")[2] for user in users), *hidden}
    return {one for value in found for one in (value, unquote(value)) if len(one) >= _LEAST_SECRET}


def _is_secret(found: re.Match[str]) -> bool:
    return len(found[3]) > _LONGEST_VALUE or _SECRET_KEY.search(found[2]) is not None


def redacted(text: str) -> str:
    """Return a text in which secrets are removed from every address, and known secrets elsewhere."""
    text = _IN_TEXT.sub(lambda found: without_secrets(found[0]), text)
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    return text


class RemotePath(type(Path())):  # type: ignore[misc]  # the class of paths of this system
    """Path that stands for an address: its text is the address, its name the name of the file.

    It names nothing on this machine. A `Path` made of it has lost a slash; `address_of` puts it back.
    """

    def __str__(self) -> str:
        text: str = _MANGLED.sub(r"\1\2://", super().__str__())
        return text

    def __fspath__(self) -> str:
        return str(self)

    def as_posix(self) -> str:
        """Return the address."""
        return str(self)

    def absolute(self) -> RemotePath:
        """Return the path itself: an address has no working folder."""
        return self

    def __reduce__(self) -> Any:
        return RemotePath, (str(self),)

    @property
    def name(self) -> str:
        """Name of the file, without a query, and of the member of an archive."""
        return name_in(str(self))

    @property
    def suffix(self) -> str:
        """Last suffix of the name."""
        return Path(self.name).suffix

    @property
    def stem(self) -> str:
        """Name without its last suffix."""
        return Path(self.name).stem


def name_in(address: str) -> str:
    """Return the file name in an address.

    >>> name_in("https://example.org/a/x%20y.jsonl?sig=..."), name_in("zip://a/b.csv::s3://bucket/c.zip")
    ('x y.jsonl', 'b.csv')
    """
    first = address.split("::", 1)[0]
    if first.lower().startswith("http"):
        first = unquote(re.split(r"[?#]", first)[0])
    return first.rstrip("/").rpartition("/")[2]


def path_of(place: str | os.PathLike[str]) -> Path:
    """Return the path of a text or path: a RemotePath for an address, whose secrets are taken out and remembered, else a Path."""
    address = address_of(place)
    return Path(local_spelling(os.fspath(place))) if address is None else RemotePath(address)


def here_among(*paths: Path) -> list[Path]:
    """Return the paths that are on this machine; addresses are left out."""
    return [path for path in paths if address_of(path) is None]

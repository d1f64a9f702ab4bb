"""Address of an index in a database: postgresql://user@host/database?index=NAME, without a password."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from quchong.errors import UsageError
from quchong.languages import join_names
from quchong.patterns import lazy_pattern

SCHEMES = ("postgresql://", "postgres://")
_NAME = lazy_pattern(r"[a-z][a-z0-9_]{0,39}")
_ALLOWED = (
    "host", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey", "passfile", "connect_timeout", "application_name",
    "target_session_attrs", "keepalives_idle",
)  # fmt: skip
"""Parameters of the driver that an address may have; none holds a secret, and none changes what a statement means."""


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """Address of an index in a database, without the password, so that it may be shown.

    Attributes:
        text: as it was typed.
        server: the address of the database, for the driver.
        index: name of the index in the database.
    """

    text: str
    server: str
    index: str

    def __str__(self) -> str:
        return self.text

    @property
    def schema(self) -> str:
        """Schema of the database that has the tables of the index, and nothing else."""
        return f"quchong_{self.index}"


def is_address(text: object) -> bool:
    """Return True if a text is meant as the address of an index in a database."""
    return isinstance(text, str) and text.startswith(SCHEMES)


def parse_address(text: str) -> StoreAddress:
    """Parse the address of an index in a database.

    Raises:
        UsageError: it has a password, lacks the name of an index, or has a parameter that is not allowed. The message repeats no password.
    """
    try:
        parts = urlsplit(text)
        asked = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        raise UsageError(
            "the address of the index cannot be read: write postgresql://user@host/database?index=NAME"
        ) from None
    names = [name for name, _ in asked]
    if parts.password is not None or "password" in names or ":" in parts.netloc.rpartition("@")[0]:
        raise UsageError(
            "the address of an index must not have a password: put the password into the variable PGPASSWORD "
            "or the file ~/.pgpass"
        )
    if wrong := [name for name in names if name != "index" and name not in _ALLOWED]:
        raise UsageError(
            "the address of an index cannot have the parameter {!r}; allowed parameters are {}",
            wrong[0],
            join_names(("index", *_ALLOWED)),
        )
    found = [value for name, value in asked if name == "index"]
    if len(found) != 1 or not _NAME.fullmatch(found[0]):
        raise UsageError(
            "{} does not name an index: add ?index=NAME at the end. A name has 1 to 40 small letters, digits and "
            "_, and begins with a letter",
            text,
        )
    rest = urlencode([pair for pair in asked if pair[0] != "index"])
    return StoreAddress(text, urlunsplit((parts.scheme, parts.netloc, parts.path, rest, "")), found[0])

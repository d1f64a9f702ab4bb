"""Inputs that an address names: a file of another machine, a glob or a folder there, and members of archives."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from quchong.errors import InputError
from quchong.io.files.addresses import address_of, full_address, name_in, path_of
from quchong.io.files.archives import Member, archive_kind, is_member
from quchong.io.files.input_file import InputFile, reading
from quchong.io.files.location import ARCHIVES
from quchong.io.files.port import Location
from quchong.io.files.remote_file import ReadAhead, RemoteFile, prefetch_beginnings
from quchong.io.files.stores import StoreError, store_call, unknown_protocol
from quchong.io.folder import PAGES
from quchong.io.formats import suffix_of
from quchong.languages import Message

_COLUMNS = (".parquet", ".arrow", ".feather", ".ipc", ".xlsx")
"""Suffixes of files that are read by ranges, not from the beginning to the end."""


def checked_address(path: str) -> str | None:
    """Return the address that a path names, without secrets; None for a path of this machine.

    Raises:
        InputError: an empty part of the address would be lost in a path.
    """
    shown = address_of(path)
    if shown is None:
        return None
    if str(path_of(Path(path))) != shown:
        if (unknown := unknown_protocol(shown)) is not None:
            raise InputError("{}: {}", shown, unknown)
        raise InputError(
            "{}: an address with an empty part (// or /./) cannot be read; write the address without it", shown
        )
    return shown


def remote_files(address: str) -> list[Location] | None:
    """Return the files that an address names by a pattern or as a folder, or the one file; None if it is a folder.

    Raises:
        InputError: nothing is there, the store refuses, or what it needs is not installed.
    """
    place = path_of(address)
    with reading(place):
        if is_member(address):
            return _members(address)
        file = RemoteFile(address)
        name = file.name
        if glob.has_magic(name) and (not address.lower().startswith("http") or "*" in re.split(r"[?#]", address)[0]):
            return list(_matches(file))
        if file.state().is_folder:
            return None
        return [file]


def folder_files(address: str, recursive: bool, hidden: bool = False) -> list[RemoteFile]:
    """Return the files of a remote folder, in the order of their names; with `hidden` also those whose names begin with a dot."""
    with reading(path_of(address)):
        file = RemoteFile(address)
        return list(file.list_files(f"{file.name.rstrip('/')}/", recursive, hidden))


def _matches(file: RemoteFile) -> Iterator[Location]:
    """Yield the files that a pattern matches in a store."""
    if file.address.lower().startswith("http"):
        raise StoreError(Message("a web server does not list its files: give the address of each file"))
    found = store_call(lambda: file.files.glob(file.name, detail=True))
    hidden = name_in(file.name).startswith(".")
    for name, about in sorted(found.items()):
        if about.get("type") == "file" and (hidden or not name_in(name).startswith(".")):
            yield file.sibling(name, about)


def _members(address: str) -> list[Location]:
    """Return the members of an archive that an address names, perhaps by a pattern."""
    inner, _, outer = full_address(address).partition("::")
    kind, _, pattern = inner.partition("://")
    one = ARCHIVES.member(address)
    if not glob.has_magic(pattern) or _is_there(one):
        return [one]
    names = re.sub(r"\*\*/?", "*", pattern)
    return [member for member in ARCHIVES.members(path_of(outer), kind.lower()) if fnmatchcase(member.name, names)]


def _is_there(member: Member) -> bool:
    try:
        member.state()
    except FileNotFoundError:
        return False
    return True


def data_members(place: Path, forced: str | None) -> list[Location] | None:
    """Return the members of an archive that have a known suffix; None if the path does not name an archive.

    Raises:
        InputError: the archive is damaged, or holds no file that can be read.
    """
    kind = archive_kind(place.name)
    if kind is None or forced is not None:
        return None
    with reading(place):
        return [one for one in ARCHIVES.members(place, kind) if suffix_of(one.path.name) is not None]


def in_sequence(files: list[InputFile]) -> None:
    """Share one read-ahead limit among remote files that are read one after another from beginning to end."""
    remote = [
        file.location
        for file in files
        if isinstance(file.location, RemoteFile) and not file.path.name.lower().endswith(_COLUMNS)
    ]
    if remote:
        ahead = ReadAhead(remote, remote[0].window)
        for one in remote:
            one.sequence = ahead


def checked_beginnings(files: list[Location]) -> None:
    """Fetch the first bytes of remote files, several at once, for the check of their formats."""
    remote = [file for file in files if isinstance(file, RemoteFile)]
    if len(remote) > 1:
        prefetch_beginnings(remote)


def name_place(path: Path) -> Path:
    """Return an absolute path for an address, from which a source takes its display name.

    Members of an archive lie below it, as in a folder.
    """
    address = address_of(path)
    if address is None:
        return path.absolute()
    inner, sign, outer = address.partition("::")
    protocol, _, rest = inner.partition("://")
    if sign:
        return name_place(path_of(outer)) / rest
    if protocol.lower().startswith("http"):
        rest = re.split(r"[?#]", rest)[0]
    return Path("/", protocol, rest)


def check_no_page(file: Location, forced: str | None) -> None:
    """Refuse the web page that a server answers with instead of a data file, such as a list of files or a form of login.

    Raises:
        InputError: the server says text/html, and the file begins as a page; not if a page is wanted.
    """
    if not isinstance(file, RemoteFile) or (forced or suffix_of(file.path.name)) in PAGES:
        return
    with reading(file.path):
        if not file.is_page():
            return
    raise InputError(
        "{}: the server answers with a web page (text/html), not with a data file: give the address of the file "
        "itself; a web server does not list its files",
        file.path,
    )


def must_be_copied(location: Location, forced: str | None) -> bool:
    """Return True for a file that can be read only from beginning to end, without ranges or a known size.

    It is False for an archive, which makes its own copy, unless it is read in the format `forced`.
    """
    if forced is None and archive_kind(location.path.name) is not None:
        return False
    with reading(location.path):
        return not location.by_ranges()

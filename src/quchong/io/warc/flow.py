"""Decompressed bytes of a WARC, with their offsets in the file.

A compressed WARC is a sequence of gzip members (or zstd or lz4 frames), mostly one a record. Decompressed they are one flow of bytes. The
offsets at which members begin are stored, so that a record with its own members can be copied unchanged.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import BinaryIO

from quchong.io.warc.members import DICTIONARY, MAGIC, MARK, PIECE, Damage, Framed, Gzip, Member, PlainMember, Unread
from quchong.languages import Message


class Flow:
    """Forward reader of the decompressed bytes of a WARC from one offset on.

    Args:
        file: the compressed file
        start: offset in the file at which a member begins
        packing: a value of `PACKINGS`, or None

    Attributes:
        start, size: the start as given, and the size of the file
        at: decompressed bytes passed since `start`
        filled: bytes decompressed so far, passed or not
        members: decompressed and compressed offsets at which members begin, without those that `forget` dropped
        damaged: compressed offset of the member that cannot be read; None without one
        within: True while the content of a record is read, which ends at the latest at a member that begins with another record
        overrun: compressed offset of that member; None without one
    """

    def __init__(self, file: BinaryIO, start: int, packing: str | None) -> None:
        self._file, self._packing = file, packing
        self.size = file.seek(0, io.SEEK_END)
        self._member: Member | None = None
        self._next = start
        self._buffer, self._place = b"", 0
        self._damage: Damage | None = None
        self._stop: int | None = None
        self.start, self.at, self.filled = start, 0, 0
        self.members: list[tuple[int, int]] = []
        self.damaged: int | None = None
        self.within = False
        self.overrun: int | None = None

    def peek(self, size: int) -> bytes:
        """Return the next bytes without passing them; fewer only at the end.

        Raises:
            Damage: fewer bytes can be decompressed; `available` returns these
        """
        if len(self._buffer) - self._place < size and not self._stopped():
            self._fill(size)
        return self.available(size)

    def available(self, most: int) -> bytes:
        """Return the next bytes that are decompressed already, at most `most`."""
        if self._stopped():
            assert self._stop is not None
            most = min(most, self._stop - self.at)
        return self._buffer[self._place : self._place + most]

    def take(self, size: int) -> bytes:
        """Return the next bytes and pass them; fewer only at the end. Raises as `peek`."""
        found = self.peek(size)
        self._place += len(found)
        self.at += len(found)
        return found

    def skip(self, size: int, enough: Callable[[int, int], bool] = lambda unpacked, packed: False) -> int:
        """Skip bytes and return their number; fewer at the end, or as soon as `enough(decompressed, compressed)` is True.

        Raises:
            Damage: before the end
        """
        begun, done = self.position(), 0
        while done < size:
            here = self.available(size - done)
            if here or self._stopped() or self._member is None:
                here = here or self.peek(1)
                self._place += len(here)
                self.at += len(here)
                done += len(here)
                if not here:
                    break
                continue
            try:
                step = self._member.skip(size - done)
            except Damage as damage:
                raise self._note_damage(damage) from damage
            self._buffer, self._place = b"", 0
            self.filled += step
            self.at += step
            done += step
            if not step:
                self._next, self._member = self._member.end, None
            if enough(done, self.position() - begun):
                break
        return done

    def enter(self) -> None:
        """Begin a record's content: reading stops at the next member that begins with a record, or at `leave`."""
        self.within, self._stop = True, None
        first = self.at - self._place
        for begun, packed in self.members:
            if begun >= self.at and self._buffer.startswith(MARK, begun - first):
                self._stop, self.overrun = begun, packed
                break

    def leave(self) -> None:
        """End the record's content."""
        self.within, self.overrun = False, None

    def back(self, at: int) -> bool:
        """Move back to an earlier offset; return False if its bytes are no longer in memory, else True."""
        if at < self.at - self._place:
            return False
        self._place -= self.at - at
        self.at = at
        return True

    def ended(self) -> bool:
        """Return True if no bytes are left; otherwise the next member is opened, so that its offset is known.

        Raises:
            Damage: the following bytes are not a member
        """
        return not self.peek(1)

    def position(self) -> int:
        """Return the compressed offset up to which the file is read."""
        return self._next if self._member is None else self._member.at

    def member_at(self, unpacked: int) -> int | None:
        """Return the compressed offset of the member that begins at a decompressed offset; None if no member does."""
        if unpacked == self.filled and self._member is None and self._next >= self.size:
            return self.size
        return next((packed for place, packed in reversed(self.members) if place == unpacked), None)

    def member_of(self, unpacked: int) -> tuple[int, int]:
        """Return the decompressed and compressed offsets of the last member that begins at or before a decompressed offset."""
        return next((both for both in reversed(self.members) if both[0] <= unpacked), (0, self.start))

    def forget(self, unpacked: int) -> None:
        """Drop the offsets of members that end before a decompressed offset."""
        keep = next((i for i in range(len(self.members) - 1, -1, -1) if self.members[i][0] <= unpacked), 0)
        del self.members[:keep]

    def _stopped(self) -> bool:
        return self.within and self._stop is not None and self._stop >= self.at

    def _note_damage(self, damage: Damage) -> Damage:
        self._damage = damage
        if self.damaged is None:
            self.damaged = self.members[-1][1]
        return damage

    def _fill(self, size: int) -> None:
        if self._damage is not None:
            raise self._damage
        parts = [self._buffer[self._place :]]
        have = len(parts[0])
        try:
            while have < size:
                member = self._current_member()
                if member is None:
                    break
                piece = member.read(max(PIECE, size - have))
                if not piece:
                    self._next, self._member = member.end, None
                    continue
                parts.append(piece)
                have += len(piece)
                self.filled += len(piece)
                begun, packed = self.members[-1]
                if self.within and begun == self.filled - len(piece) and piece.startswith(MARK):
                    self._stop, self.overrun = begun, packed
                    break
        except Damage as damage:
            raise self._note_damage(damage) from damage
        finally:
            self._buffer, self._place = b"".join(parts), 0

    def _current_member(self) -> Member | None:
        """Return the member that is being read, or open the next one; None at the end of the file."""
        if self._member is not None:
            return self._member
        if self._next >= self.size:
            return None
        if self._packing is None:
            self._member = PlainMember(self._file, self._next, self.size)
            self.members.append((self.filled, self._next))
            return self._member
        self._file.seek(self._next)
        magic = self._file.read(4)
        if not magic.startswith(MAGIC[self._packing]):
            if not magic.strip(b"\0") and self._rest_is_zero():
                self._next = self.size
                return None
            if self._next == 0 and magic == DICTIONARY:
                raise Unread(
                    Message(
                        "the file is compressed with a zstd dictionary of its own; decompress it first, for "
                        "example with zstd -d"
                    )
                )
            self.damaged = self._next
            raise Damage(Message("the data after this record is not {}", self._packing))
        self.members.append((self.filled, self._next))
        self._member = (
            Gzip(self._file, self._next) if self._packing == "gzip" else Framed(self._file, self._next, self._packing)
        )
        return self._member

    def _rest_is_zero(self) -> bool:
        """Return True if only zero bytes follow, which tapes and disks add at the end of files."""
        self._file.seek(self._next)
        while piece := self._file.read(PIECE):
            if piece.strip(b"\0"):
                return False
        return True

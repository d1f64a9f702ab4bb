"""Records of a stream of lines, cut out of its bytes as they arrive."""

from __future__ import annotations

from dataclasses import dataclass, field

from quchong.errors import InputError
from quchong.io.limits import LARGEST
from quchong.io.records.lines import BOM, CutLine, LongLine, Records
from quchong.io.records.other_form import check_is_lines
from quchong.kernels.records import line_records

_BLANK = b" \t\r"


@dataclass
class LineStream:
    """Lines of one input whose bytes arrive in any pieces: `feed` returns the records that are complete, `finish` the last one.

    Of a line above the size limit only the beginning is in memory.

    Args:
        name: of the input, for messages.
        blank_lines: True if a blank line is a record; else it is left out.
        most: maximum bytes of a record; a larger one is broken and cut (`Records.limited`).
    """

    name: str
    blank_lines: bool = False
    most: int = LARGEST
    _parts: list[bytes | memoryview] = field(default_factory=list)
    _long: LongLine | None = None
    _row: int = 0
    _line: int = 1

    def feed(self, piece: bytes) -> Records | None:
        """Return the records of all lines that are complete now; None if no line has ended.

        Raises:
            InputError: the input is UTF-16, or JSON of another form than lines.
        """
        cuts: list[CutLine] = []
        if self._long is not None:
            if (rest := self._long.passed(piece)) is None:
                return None
            piece, cuts, self._long = self._long.stand_in + b"\n" + rest, [self._long.cut], None
        end = piece.rfind(b"\n") + 1
        if not end:
            self._parts.append(piece)
            if sum(map(len, self._parts)) > self.most:
                self._long, self._parts = LongLine(self._parts, self._line == 1), []
            return None
        block = b"".join([*self._parts, piece[:end]])
        self._parts = [piece[end:]] if end < len(piece) else []
        return self._cut_out(block, cuts)

    def finish(self) -> Records | None:
        """Return the last record, if its line had no ending; else None.

        Raises:
            InputError: the input is UTF-16, or JSON of another form than lines.
        """
        block = b"".join(self._parts)
        cuts = []
        if self._long is not None:
            block, cuts = self._long.stand_in, [self._long.cut]
        self._parts, self._long = [], None
        return self._cut_out(block, cuts) if block else None

    def _cut_out(self, block: bytes, cuts: list[CutLine]) -> Records:
        start = 0
        if self._line == 1:
            if block.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise InputError("{} is UTF-16; convert it with iconv -f UTF-16 -t UTF-8", self.name)
            start = len(BOM) if block.startswith(BOM) else 0
            if not self.blank_lines:
                check_is_lines(block[start:] if start else block, self.name, piped=self.name == "stdin")
        found = line_records(block, start, b"" if self.blank_lines else _BLANK)
        records = Records(block, found.starts, found.ends, self._line + found.lines, self._row).with_cut(cuts)
        self._row, self._line = self._row + len(records), self._line + found.feeds
        return records.limited(self.most)

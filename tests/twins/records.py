"""Records of text files in plain Python, one byte after another."""

from __future__ import annotations

LF, CR, QUOTE = b"\n"[0], b"\r"[0], b'"'[0]


def line_records(block: bytes, start: int, blanks: bytes) -> list[tuple[int, int, int]]:
    """First byte, end and line feeds before it of every line that is not blank."""
    found, at = [], start
    lines = [line + b"\n" for line in block[start:].split(b"\n")]
    lines[-1] = lines[-1][:-1]
    for number, line in enumerate(line for line in lines if line):
        if not blanks or line.strip(blanks + b"\n"):
            found.append((at, at + len(line), number))
        at += len(line)
    return found


def csv_records(
    block: bytes, start: int, delimiter: bytes, final: bool, longest: int
) -> tuple[list[tuple[int, int, int]], int, list[int]]:
    """First byte, end and line feeds before it of every record that is not blank; where the rest begins; quotes never closed."""
    found: list[tuple[int, int, int]] = []
    unclosed: list[int] = []
    begin = start
    while begin < len(block):
        end, lost = _record(block, begin, delimiter, final, longest)
        if end is None:
            break
        unclosed += lost
        if block[begin:end] not in (b"\n", b"\r", b"\r\n"):
            found.append((begin, end, block.count(b"\n", start, begin)))
        begin = end
    return found, begin, unclosed


def _record(block: bytes, begin: int, delimiter: bytes, final: bool, longest: int) -> tuple[int | None, list[int]]:
    """Where the record ends that begins there, and the quote in it that is never closed; None where it waits for more."""
    at = begin
    while at < len(block):
        if block[at] == LF:
            return at + 1, []
        if block[at] == QUOTE and (at == begin or block[at - 1] == delimiter[0]):
            close = _close(block, at)
            line_end = block.find(b"\n", at)
            if close is None:
                if not final and len(block) - at <= longest:
                    return None, []
                return (line_end + 1 or len(block)), [at]
            proper = close + 1 == len(block) or block[close + 1] in (delimiter[0], LF, CR)
            if line_end < 0 or close < line_end or (proper and close - at <= longest):
                at = close
            else:
                return line_end + 1, [at]
        at += 1
    return (len(block), []) if final else (None, [])


def _close(block: bytes, quote: int) -> int | None:
    """The quote that closes the field which `quote` opened; two quotes are one."""
    at = quote + 1
    while at < len(block):
        if block[at] == QUOTE:
            if block[at + 1 : at + 2] != b'"':
                return at
            at += 1
        at += 1
    return None

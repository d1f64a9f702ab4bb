"""Covers: where records of text files begin and end. Compared against: the twins, byte after byte, and Python's csv module."""

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from twins import records as twin

from quchong.kernels.records import OpenQuote, csv_records, line_records

OCTETS = st.lists(st.sampled_from([b"a", b'"', b'""', b",", b"\n", b"\r\n", b'"\n', b',"', b" "]), max_size=40).map(
    b"".join
)


@given(OCTETS, st.integers(0, 8), st.sampled_from([b"", b" ", b" \r"]), st.integers(1, 4))
def test_lines_are_those_of_the_twin(block, start, blanks, most):
    start = min(start, len(block))
    whole = line_records(block, start, blanks)
    assert list(zip(*(part.tolist() for part in whole[:3]), strict=True)) == twin.line_records(block, start, blanks)
    assert whole.done == len(block) and whole.feeds == block.count(b"\n", start) and not whole.full
    found, lines, more = [], 0, True
    while more:
        piece = line_records(block, start, blanks, most)
        assert len(piece.starts) <= most
        found += zip(piece.starts.tolist(), piece.ends.tolist(), (lines + piece.lines).tolist(), strict=True)
        start, lines, more = piece.done, lines + piece.feeds, piece.full
    assert found == list(zip(*(part.tolist() for part in whole[:3]), strict=True))


def of_pieces(blocks, start, final, longest, most):
    """The records of blocks that come one after the other, and quotes never closed."""
    found, unclosed, carry, quote, lines, passed = [], [], b"", OpenQuote(), 0, 0
    for number, piece in enumerate(blocks):
        block, more, last = carry + piece, True, final and number == len(blocks) - 1
        while more:
            some = csv_records(block, start, b",", last, longest, quote, most)
            assert len(some.starts) <= most
            rows = zip(some.starts.tolist(), some.ends.tolist(), some.lines.tolist(), strict=True)
            found += [(first + passed, end + passed, lines + line) for first, end, line in rows]
            unclosed += [at + passed for at in some.unclosed.tolist()]
            start, lines, more, quote = some.done, lines + some.feeds, some.full, some.open
        carry, quote, passed, start = block[start:], quote.moved(start), passed + start, 0
    return found, passed, unclosed


@given(OCTETS, st.integers(0, 3), st.booleans(), st.integers(0, 30), st.sets(st.integers(0, 40)), st.integers(1, 3))
@example(b'"a\n""b""\n"x\n', 0, False, 30, {0, 1}, 1)
def test_records_of_csv_are_those_of_the_twin_in_whatever_pieces_they_come(block, start, final, longest, cuts, most):
    start = min(start, len(block))
    if not final:
        block += b"\n"
    whole = twin.csv_records(block, start, b",", final, longest)
    assert of_pieces([block], start, final, longest, 2**40) == whole
    lines = [line + b"\n" for line in block.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    pieces, first = [], b""
    for number, line in enumerate(line for line in lines if line):
        first += line
        if number in cuts and len(first) > start:
            pieces.append(first)
            first = b""
    assert of_pieces([*pieces, first], start, final, longest, most) == whole


@given(st.lists(st.lists(st.text('a,"\n\r 文', max_size=6), min_size=2, max_size=4), max_size=6))
def test_what_pythons_writer_writes_is_found_again(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    block = out.getvalue().encode()
    found = csv_records(block, 0, b",", True, 2**40)
    assert not len(found.unclosed) and found.done == len(block)
    texts = [block[a:b].decode() for a, b in zip(found.starts.tolist(), found.ends.tolist(), strict=True)]
    assert [next(csv.reader(io.StringIO(text, newline=""))) for text in texts] == rows


@pytest.mark.parametrize(
    "octets", [b'"' + b"\n" * 400_000, b'"' * 400_001 + b"\n", b"\n" * 400_000, b'"\n""\n' * 100_000]
)
def test_nothing_is_held_of_what_is_no_record(octets):
    found = csv_records(octets, 0, b",", False, 2**40)
    assert sum(part.nbytes for part in found if hasattr(part, "nbytes")) <= 8 * 3 * 200_000
    again = csv_records(octets, found.done, b",", False, 2**40, found.open)
    assert not len(again.starts) and again.done == found.done


def test_wrong_arguments_are_refused():
    for call in (
        lambda: line_records(b"a\n", 3, b""),
        lambda: line_records(b"a\n", 0, b"", 0),
        lambda: csv_records(b"a\n", 0, b",,", True, 9),
        lambda: csv_records(b"a\n", 0, b",", True, 9, OpenQuote(2, 3)),
        lambda: csv_records(b"a\n", 1, b",", True, 9, OpenQuote(0, 1)),
        lambda: csv_records(b"a\n", 0, b",", True, 9, OpenQuote(0, 0)),
        lambda: csv_records(b"a\n", 0, b",", True, -1),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        line_records("a\n", 0, b"")  # type: ignore[arg-type]

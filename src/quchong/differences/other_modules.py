"""Short modules of source code that say other things: siblings made after one pattern, and what is nothing but a licence or imports.

Of a short module little is its own: its literals, the few names it imports, a sentence of documentation. Where these are others, the
module is another one, whatever licence and pattern it shares; a vendored copy and a version have them (docs/decisions/0293).
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from quchong.differences.definitions import defined_names
from quchong.differences.edits import Edits
from quchong.differences.hinted_documents import HintedDocuments
from quchong.differences.source_code import SourceCode, read_code
from quchong.differences.stretches import Stretches
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sorting import among, distinct
from quchong.patterns import lazy_pattern

SHORT = 200
"""Number of words of own code up to which literals tell modules apart; versions of longer modules have other literals, too."""
OTHER = 0.016
"""Share of the words of its own code that are literals which the other module has nowhere, from which on it says another thing."""
STUB, LITTLE, FEW = 18, 10, 3
"""Most words of own code of a module in which a literal more counts as one that is missing, and in which a name that looks like a slip is
another one; least words of own code of a module that is contained in a far longer one; most imports that are each all that a module says.
"""
SENTENCE = 25
"""Most words of documentation of which every one counts where a module has nothing else."""
LONGER = 1.5
"""Ratio of own code from which on a module is no version of another one but may be contained in it."""
TOKENS = 2500
"""Most tokens of the shorter text of a pair that is read here."""


LITERALS, WHOLE = "literals", "whole"


def told_apart_by(one: SourceCode, other: SourceCode) -> str:
    r"""Return by what two modules of code differ for good: LITERALS, or WHOLE for their whole content; "" if they may be copies.

    The first module is the shorter one.

    Example:
        >>> code = "import lamps\n\nlamps.glow('{}')\nlamps.wait(1.5)\nlamps.off()\nlamps.sleep()\nlamps.glow('{}')\nlamps.wait(2.5)\n"
        >>> red, blue = (read_code(code.format(colour, colour)) for colour in ("red", "blue"))
        >>> told_apart_by(red, blue)
        'whole'
        >>> told_apart_by(red, red)
        ''
    """
    if one.states != other.states:
        return WHOLE
    if not one.states:
        return WHOLE if _documents_another(one, other) else ""
    size = one.words
    if _says_nothing_of_its_own(one, other) or (other.words <= STUB and _few_lines_differ(one, other)):
        return WHOLE
    if size > SHORT:
        return ""
    if one.exports and other.exports and 2 * len(one.exports & other.exports) <= len(one.exports):
        return WHOLE
    return LITERALS if len(missing_literals(one, other)) >= max(OTHER * size, 1) else ""


def _says_nothing_of_its_own(one: SourceCode, other: SourceCode) -> bool:
    """Return True if a module has next to no code of its own and the other far more code, or other words."""
    if other.words <= LONGER * one.words or one.words_beside_exports >= LITTLE:
        return False
    return other.words > STUB or 2 * len(one.vocabulary - other.vocabulary) > len(one.vocabulary)


def _few_lines_differ(one: SourceCode, other: SourceCode) -> bool:
    """Return True if two modules of a few lines define other names, or, if they define none, import another; or have another literal."""
    names, others = defined_names(one.bare), defined_names(other.bare)
    if names and others and not names & others:
        return True
    few = max(len(one.imports), len(other.imports)) <= FEW and not (names and others)
    if few and _imports_another(one, other):
        return True
    return other.words < LONGER * one.words and bool(missing_literals(other, one))


def missing_literals(one: SourceCode, other: SourceCode) -> list[tuple[int, int]]:
    """Return the offsets of the literals of a module that the other one has nowhere; a path may have the name of a package before it."""
    there = {literal for _, _, literal in other.literals}
    ends = {literal[dot + 1 :] for literal in there for dot in _dots(literal)}
    return [
        (first, last)
        for first, last, literal in one.literals
        if literal not in there
        and literal not in ends
        and not any(literal[dot + 1 :] in there for dot in _dots(literal))
    ]


def _dots(literal: str) -> list[int]:
    """Return the offsets of the dots in a literal that is a dotted name; empty for any other literal."""
    return [k for k, character in enumerate(literal) if character == "."] if _PATH.fullmatch(literal) else []


def _documents_another(one: SourceCode, other: SourceCode) -> bool:
    """Return True if of two modules of documentation alone one has another word in its sentence."""
    short = [code for code in (one, other) if code.documentation]
    if len(short) < 2 or max(len(code.documentation) for code in short) > SENTENCE:
        return False
    mine, theirs = (Counter(word.lower() for word in code.documentation) for code in (one, other))
    return mine != theirs


def _imports_another(one: SourceCode, other: SourceCode) -> bool:
    """Return True if both modules import something that the other one does not (`.cli.main`, `.cli.run`); one suffices if both only import.

    A path is the same with the name of a package around it, and from a module of the package of its own.
    """
    lone = [
        [path for path in a.imports if not any(_same_path(path, there) for there in b.imports)]
        for a, b in ((one, other), (other, one))
    ]
    # Where nothing else is there, one more import is one more thing said.
    return bool(lone[0] and lone[1]) or (one.words == other.words == 0 and bool(lone[0] or lone[1]))


_PATH = lazy_pattern(r"[a-z_]\w*(?:\.[a-z_]\w*)+")


def _same_path(one: str, other: str) -> bool:
    if one.startswith(".") and other.startswith("."):
        return one.lstrip(".") == other.lstrip(".")
    shorter, longer = sorted((one.strip("."), other.strip(".")), key=len)
    return f".{shorter}." in f".{longer}."


def other_modules(
    hinted: HintedDocuments, hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray,
    stretches: Stretches, known: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits that make two short modules different ones: edits at their literals, or the longest edit of the pair.

    Literals are those of edits that are no noise: a scan with slips is the same text.

    Args:
        hinted: documents, with the hints of their texts.
        hashed: their tokens.
        left, right: int64, documents of each pair.
        edits: edits of the pairs.
        noise: mask of the edits that are slips and other noise.
        stretches: their texts.
        known: mask of the edits by which a pair is told apart already; such pairs are not read.

    Cost: texts of pairs whose shorter one has at most TOKENS tokens are read, about 15 us for prose and 0.3 ms a kilobyte of code.
    """
    out = np.zeros(len(edits.pair), bool)
    sizes = hashed.lengths
    short = np.minimum(sizes[left], sizes[right]) <= TOKENS
    short[edits.pair[known]] = False
    read: dict[int, SourceCode | None] = {}

    def code(document: int) -> SourceCode | None:
        if document not in read:
            read[document] = read_code(hinted.documents.texts.text(document))
        return read[document]

    # The shorter text of each pair is asked first, each text once: it is no code nearly always.
    pairs = distinct(edits.pair[short[edits.pair]])
    turned = (sizes[left] > sizes[right])[pairs]
    shorter = np.where(turned, right[pairs], left[pairs])
    likely = distinct(shorter)
    likely = likely[hinted.may_have_code(likely)]
    brief = [k for k in likely.tolist() if (module := code(k)) is not None and module.words <= SHORT]
    if not brief:
        return out
    bounds = prefix_sums(np.bincount(edits.pair, minlength=len(left)))
    for pair in pairs[among(shorter, np.array(brief, shorter.dtype))].tolist():
        sides = [int(left[pair]), int(right[pair])]
        if code(sides[0]) is None or code(sides[1]) is None:
            continue
        sides.sort(key=lambda document: _size(code(document)))
        one, other = (code(document) for document in sides)
        assert one is not None and other is not None
        told = told_apart_by(one, other)
        here = np.arange(bounds[pair], bounds[pair + 1])
        if told == WHOLE:
            out[here[np.argmax(edits.a[here] + edits.b[here])]] = True
        elif told == LITERALS:
            column = 0 if sides[0] == left[pair] else 2
            places = stretches.places[here, column : column + 2]
            literals = np.array(missing_literals(one, other))
            # An edit of a slip is none; what is replaced or left out beside it is.
            touched = (places[:, :1] < literals[:, 1]) & (places[:, 1:] > literals[:, 0])
            touched &= (noise[here] == 0)[:, None]
            if np.count_nonzero(touched.any(0)) >= max(OTHER * one.words, 1):
                out[here[touched.any(1)]] = True
    return out


def _size(code: SourceCode | None) -> tuple[int, int, str]:
    assert code is not None
    return code.words, len(code.text), code.text

"""Use that a line of the caller makes of an attribute that it just asked for: called, its attribute taken, or a key of it.

An error of Python about such a line says nothing of the attribute: "'tuple' object is not callable". The line itself says it, before the
error: the instructions after the one that asks. Only those of CPython 3.11 to 3.13 are read; elsewhere no use is known.
"""

from __future__ import annotations

import opcode
import sys
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

CALLED: Final = "called"
ATTRIBUTE: Final = "attribute"
KEY: Final = "key"
ITEMS: Final = "items"
COMPARED: Final = "compared"
_READ = sys.implementation.name == "cpython" and (3, 11) <= sys.version_info[:2] <= (3, 13)
_NEW_CALLS = sys.version_info >= (3, 12)
"""True if one instruction loads attributes and methods, and the lowest bit of its argument tells them apart."""
_EXTENDED, _LOAD_ATTR, _GET_ITER = (opcode.opmap[name] for name in ("EXTENDED_ARG", "LOAD_ATTR", "GET_ITER"))
_LOAD_METHOD = opcode.opmap.get("LOAD_METHOD", -1)
_LOAD_CONST, _COMPARE = opcode.opmap["LOAD_CONST"], opcode.opmap["COMPARE_OP"]
_LOADS = frozenset(opcode.opmap[name] for name in ("LOAD_CONST", "LOAD_NAME", "LOAD_FAST", "LOAD_GLOBAL"))
"""Instructions that load a key that is one word."""
_SUBSCRIPT = opcode.opmap.get("BINARY_SUBSCR", -1)
_SIGN_BITS = 0 if sys.version_info < (3, 12) else 4 if sys.version_info < (3, 13) else 5
"""Bits of the argument of COMPARE_OP below the sign."""
UNKNOWN: Final = object()
"""Key that is no constant of the line."""


class Use(NamedTuple):
    """Use that the caller's line makes of an attribute it reads, such as a call or a key.

    Attributes:
        kind: CALLED, ATTRIBUTE, KEY, ITEMS (a loop over it) or COMPARED (with a constant).
        name: of the attribute taken, the constant key or the constant compared with; UNKNOWN for another key, None for other kinds.
        sign: of a comparison, such as ">"; of a KEY, the comparison of its item with the constant `item`.
        then: attribute that is taken of an attribute or an item.
        item: constant key that is taken of an item; None for another key.
        of_item: attribute that is taken of that.
        is_call: True if the attribute taken is called; its first argument is then `item`, if it is a constant.
    """

    kind: str
    name: Any = None
    sign: str = ""
    then: str = ""
    item: Any = None
    of_item: str = ""
    is_call: bool = False


def is_called(frame: FrameType) -> bool:
    """Return True if the line of a frame asks for an attribute in order to call it: `object.attribute(...)`."""
    at = frame.f_lasti
    if not _READ or at < 0:
        return False
    words = frame.f_code.co_code
    if words[at] == 0:
        at = _instruction_before(words, at)
    return words[at] == _LOAD_ATTR and words[at + 1] & 1 == 1 if _NEW_CALLS else words[at] == _LOAD_METHOD


def next_use(frame: FrameType) -> Use | None:
    """Return the use that the line of a frame makes of the value that it is loading; None if it is stored, passed on or unknown.

    Args:
        frame: of the caller, at an instruction that loads an attribute or an item.
    """
    if is_called(frame):
        return Use(CALLED)
    code = frame.f_code
    at = _instruction_before(code.co_code, frame.f_lasti)
    if not _READ or at < 0 or code.co_code[at] not in (_LOAD_ATTR, _SUBSCRIPT):
        return None  # among others what getattr() asks for
    first, value, after = _instruction(code, at + 2)
    if first in (_LOAD_ATTR, _LOAD_METHOD):
        called = first == _LOAD_METHOD or (_NEW_CALLS and value & 1 == 1)
        given, what, _ = _instruction(code, after)
        item = code.co_consts[what] if called and given == _LOAD_CONST else None
        return Use(ATTRIBUTE, _name(code, value), then=_attribute(code, after), item=item, is_call=called)
    if first == _GET_ITER:
        return Use(ITEMS)
    return _use_with_word(code, first, value, after) if first in _LOADS else None


def _use_with_word(code: CodeType, load: int, value: int, after: int) -> Use | None:
    """Return the use of an attribute together with a word that an instruction loads, as its key or compared with it."""
    constant = code.co_consts[value] if load == _LOAD_CONST else UNKNOWN
    second, how, beyond = _instruction(code, after)
    if second == _SUBSCRIPT:
        loaded, other, compared = _instruction(code, beyond)
        third, sign, _ = _instruction(code, compared)
        if loaded == _LOAD_CONST and third == _COMPARE:
            return Use(KEY, constant, opcode.cmp_op[sign >> _SIGN_BITS], item=code.co_consts[other])
        item, behind = _constant_key(code, beyond)
        return Use(
            KEY, constant, then=_attribute(code, beyond), item=item, of_item=_attribute(code, behind) if behind else ""
        )
    if second == _COMPARE and constant is not UNKNOWN:
        return Use(COMPARED, constant, opcode.cmp_op[how >> _SIGN_BITS])
    return None


def _name(code: CodeType, value: int) -> str:
    return code.co_names[value >> 1 if _NEW_CALLS else value]


def _attribute(code: CodeType, at: int) -> str:
    """Return the name of the attribute that the instruction from an offset on loads; "" for another instruction."""
    found, value, _ = _instruction(code, at)
    return _name(code, value) if found in (_LOAD_ATTR, _LOAD_METHOD) else ""


def _constant_key(code: CodeType, at: int) -> tuple[Any, int]:
    """Return the constant that is taken as a key from an offset on, and the offset behind; None and 0 for other instructions."""
    first, value, after = _instruction(code, at)
    second, _, behind = _instruction(code, after)
    return (code.co_consts[value], behind) if first == _LOAD_CONST and second == _SUBSCRIPT else (None, 0)


def _instruction_before(words: bytes, at: int) -> int:
    """Return the offset of the instruction at an offset, or of the one to whose caches it belongs; a getter may be called from there."""
    while at > 0 and words[at] == 0:
        at -= 2
    return at


def _instruction(code: CodeType, at: int) -> tuple[int, int, int]:
    """Return the next instruction from an offset on, its argument, and the offset behind it; caches (0) are skipped."""
    words, argument = code.co_code, 0
    while at < len(words) - 1:
        found, given = words[at], words[at + 1]
        at += 2
        if found == 0:
            continue
        argument = argument << 8 | given
        if found != _EXTENDED:
            return found, argument, at
    return -1, 0, at

"""One finding of `quchong doctor`, and how private parts of a text are hidden."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from quchong.languages import Message
from quchong.patterns import lazy_pattern

State = Literal["fine", "note", "broken"]


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: what was looked at, what was found, and what to do about it.

    Attributes:
        name: what was looked at, in a word or two.
        found: what was found: a version, a size, or a sentence.
        state: "fine"; "note" for something that is absent or slow; "broken" for something installed that does not work.
        remedy: what to do; None if there is nothing to do.
    """

    name: Message | str
    found: Message | str
    state: State = "fine"
    remedy: Message | str | None = None


_HOMES = lazy_pattern(r"(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s:;,'\")]+")
"""Pattern of the home folder of any user."""
_LOGIN = lazy_pattern(r"://[^/\s@]+@")
"""Pattern of a name or password within an address."""


def without_private_parts(text: str) -> str:
    r"""Return a text with home folders as ~ and without names and passwords in addresses.

    >>> print(without_private_parts("C:\\Users\\mei and https://mei:secret@host/"))
    ~ and https://...@host/
    """
    for home in {os.environ.get("HOME", ""), str(Path.home())}:
        if len(home) > 1:
            text = re.sub(rf"{re.escape(home)}(?![\w-])", "~", text)
    return _LOGIN.sub("://...@", _HOMES.sub("~", text))


def reason(error: BaseException) -> str:
    """Return an error in one line, with its class."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said:.200}" if said else type(error).__name__

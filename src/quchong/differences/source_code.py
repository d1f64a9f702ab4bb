"""Source code of a module without comments, documentation and imports, and the literals in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quchong.kernels.arrays import Texts
from quchong.kernels.differences import CODED, text_hints
from quchong.patterns import lazy_pattern
from quchong.text.comments import TRIPLE, comments

_NAMES = r"[\w.$*]+(?:[ \t]+as[ \t]+\w+)?"
_IMPORTS = lazy_pattern(
    rf"^[ \t]*(?:from[ \t]+(?P<module>[\w.]+)[ \t]+import[ \t]+(?:\((?P<several>[^()]*)\)|(?P<one>{_NAMES}(?:[ \t]*,[ \t\\\n]*{_NAMES})*))"
    rf"|import[ \t]+(?P<plain>{_NAMES}(?:[ \t]*,[ \t\\\n]*{_NAMES})*)"
    # JavaScript, Java, Go, Rust, C, C#.
    r"|import[ \t][^\n;]*?[\"'][^\"'\n]+[\"']|import[ \t]*\([^)]*\)|(?:import[ \t]+static|package|using|use|pub[ \t]+use)[ \t]+[\w.:*{}, ]+"
    r"|(?:const|let|var)[ \t][^\n=]*=[ \t]*require\([^\n)]*\)|#[ \t]*include[ \t]+[<\"][^\n>\"]+[>\"])[ \t]*;?[ \t]*(?:(?:#|//).*)?$",
    re.M,
)
_EXPORTS = lazy_pattern(r"^__all__(?:[ \t]*:[^=\n]+)?[ \t]*\+?=[ \t]*[\[(](?P<names>[^\])]*)[\])]", re.M)
_ABOUT = lazy_pattern(r"^__(?!all__)\w+__[ \t]*=.*$", re.M)
_STATES = lazy_pattern(
    r"^(?:(?:async[ \t]+)?(?:def|class)[ \t]+\w+.*:|if[ \t]+__name__[ \t]*==.*:"
    r"|(?:export|public|private|static|func|fn|struct|impl|interface)\b.*[{(]|(?:const|let|var)[ \t]+\w+[ \t]*="
    r"|function[ \t]*\w*\(.*|@\w[\w.]*(?:\(.*)?"
    r"|[A-Za-z_][\w.]*(?:\[.*\])?[ \t]*(?:[-+|]?=(?!=)[ \t]*\S.*|\([^)\n]*\);?))[ \t]*$",
    re.M,
)
"""Lines that nothing but code has."""
_CODE_LINE = lazy_pattern(
    r"[:;,(){}\[\]\"'`\\]$|^[@)\]}\"']|[\w\])][ \t]*[-+*/|&]?=[ \t]*\S|[A-Za-z0-9_]\(|^(?:return|pass|else|try|break|continue|raise)\b"
)
LIKELY = 0.7
"""Least share of the lines of source code that look like code, without comments, documentation and imports."""
_LITERALS = lazy_pattern(
    r"(?P<text>" + TRIPLE + r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<![\w.])\d[\w.]*", re.S
)
_ASIDE = lazy_pattern(r"(?:#|//).*")
PHRASE = 4
"""Most words of a string that is compared as a whole: `%d.%m.%Y`."""
_WORDS = lazy_pattern(r"\w+(?:\.\d\w*)*")
_ALONE = lazy_pattern(rf"^[ \t]*[rR]?(?:{TRIPLE})[ \t]*(?:#[^\n]*)?$", re.M)
_BEGINS = lazy_pattern(r"\s*(?:#[\s!]|[rR]?\"\"\"|[rR]?'''|//[\s/!]|/\*)")
_FIRST = lazy_pattern(rf"{_BEGINS.pattern}|\s*(?:import|from)[ \t]")
_LINE = (
    r"[ \t]*(?:(?:import|from|def|class|async|export|const|let|var|func|fn|struct|impl|interface|public|private|static|function|package"
    r"|using|use|if[ \t]+__name__)[ \t]|@\w|#[ \t]*include|[A-Za-z_][\w.]*(?:\[[^\]\n]*\])?(?:[ \t]*=[ \t]*\S|\())"
)
_AT_FIRST, _BEHIND = lazy_pattern(_LINE), lazy_pattern("\n" + _LINE)
"""Lines of code: the first one, and one behind a line break, which is found several times as fast as any beginning of a line."""


def _blank(found: re.Match[str]) -> str:
    """Return spaces of the length of a match, so that offsets and lines in the text stay as they are."""
    return _blanked(found.group())


def _blanked(text: str) -> str:
    """Return a text with everything but line breaks replaced by spaces."""
    return "\n".join([" " * len(line) for line in text.split("\n")])


@dataclass(frozen=True)
class SourceCode:
    """A text read as source code.

    Attributes:
        text: the text.
        bare: the same with blanks in the place of comments, documentation and imports, so that offsets stay.
        imports: of what is imported the path of each name, as it is written: `.cli.main`.
    """

    text: str
    bare: str
    imports: tuple[str, ...]

    @cached_property
    def words(self) -> int:
        """Number of words and figures in its own code."""
        return len(_WORDS.findall(self.bare))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different words of its own code."""
        return frozenset(_WORDS.findall(self.bare))

    @cached_property
    def words_beside_exports(self) -> int:
        """Number of words and figures in its own code without the list of its exports."""
        return len(_WORDS.findall(_EXPORTS.sub("", self.bare)))

    @cached_property
    def exports(self) -> frozenset[str]:
        """Names in its list of what it exports."""
        return frozenset(word for found in _EXPORTS.finditer(self.bare) for word in _WORDS.findall(found["names"]))

    @cached_property
    def literals(self) -> list[tuple[int, int, str]]:
        """Its figures, its strings of at most PHRASE words and the words of longer ones, in lower case, with their offsets.

        Left out is what it exports, its version, its author and the like.
        """
        code = _ABOUT.sub(_blank, _EXPORTS.sub(_blank, self.bare))
        out = []
        for found in _LITERALS.finditer(code):
            words = [found] if found.lastgroup is None else list(_WORDS.finditer(code, *found.span()))
            if found.lastgroup is not None and 0 < len(words) <= PHRASE:
                words = [found]
            out += [(*word.span(), word.group().strip("\"'` ").lower()) for word in words]
        return out

    @property
    def states(self) -> bool:
        """True if there is anything but comments and documentation."""
        return bool(self.imports or self.bare.strip())

    @cached_property
    def documentation(self) -> list[str]:
        """Words of its documentation: of the strings that are statements of their own."""
        return [word for found in _ALONE.finditer(self.text) for word in _WORDS.findall(found.group())]


def may_be_code(text: str) -> bool:
    """Return False if the beginnings of a text's lines show that it is no source code; else True."""
    if _FIRST.match(text) is not None:
        return True
    return "\n" in text and (_AT_FIRST.match(text) is not None or _BEHIND.search(text) is not None)


def may_have_code(texts: Texts) -> np.ndarray:
    """Return a mask of the texts that may be source code, by the beginnings of their lines, as `may_be_code`."""
    mask: np.ndarray = (text_hints(texts, (), line=0, head=0, foot=0, workers=1).hints & CODED) != 0
    return mask


def read_code(text: str) -> SourceCode | None:
    r"""Return a text parsed as source code; None unless LIKELY of its lines look like code and one can be nothing else.

    A text of nothing but comments and documentation is source code that states nothing.

    Cost: some passes of regular expressions, about 1 us a line.

    Example:
        >>> code = read_code("# Lamps\nfrom .lamps import glow\n\nCOLOURS = {'red': 1}\n")
        >>> code.words, code.imports, [word for _, _, word in code.literals]
        (3, ('.lamps.glow',), ['red', '1'])
        >>> read_code("The lamps import light = warm.") is None
        True
    """
    if not may_be_code(text):
        return None
    bare, at = list[str](), 0
    for a, b in sorted(comments(text)):
        if a >= at:
            bare += [text[at:a], _blanked(text[a:b])]
            at = b
    said_aside = _ALONE.sub(_blank, "".join([*bare, text[at:]]))
    imports: list[str] = []
    for found in _IMPORTS.finditer(said_aside):
        if found["module"] == "__future__":  # a setting of the language
            continue
        listed = found["several"] or found["one"] or found["plain"]
        module = f"{found['module']}." if found["module"] else ""
        module = module if module.strip(".") else "." * (len(module) - 1)
        if listed:
            names = (one.replace("\\", " ").split(" as ")[0].strip() for one in _ASIDE.sub("", listed).split(","))
            imports += [module + name for name in names if name]
        else:
            imports.append(" ".join(found.group().split()))
    rest = _IMPORTS.sub(_blank, said_aside)
    code = SourceCode(text, rest, tuple(imports))
    lines = [line.strip() for line in rest.splitlines() if line.strip()]
    if lines:
        likely = sum(_CODE_LINE.search(line) is not None for line in lines)
        if likely < LIKELY * len(lines) or not (_STATES.search(rest) or imports):
            return None
        return code
    return code if imports or _BEGINS.match(text) else None

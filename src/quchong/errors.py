"""All errors. Each names the place and the remedy.

    QuchongError
    ├── UsageError            an option, policy or name that cannot be used (exit code 2)
    │   └── UnknownParameter  a parameter that no method has
    ├── InputError            a file that cannot be read as what it is said to be (exit code 3)
    │   ├── NoSuchFile        a path at which nothing is
    │   └── InputChanged      a file that changed between the two passes over it
    ├── OutputError           a place that cannot be written: exists, full, forbidden (exit code 4)
    └── RunError              a run folder that is missing, foreign or damaged (exit code 5)

A single bad record is no error: it is counted, listed in ``skipped.jsonl`` and kept there.

An error is a template and values, so that it can be told in another language. It names a parameter as a `Param`, not in words: a
caller in Python reads `text="COLUMN"`, one at the command line `--text-key COLUMN`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from errno import errorcode
from typing import Any

from quchong.languages import Message, join_names, translated
from quchong.languages.habits import similar_values, value_meant
from quchong.patterns import lazy_pattern

_SPECIAL = lazy_pattern(r"[\s'\"$`\\;&|<>()*?\[\]{}~#!\x00-\x1f]")
"""Pattern of characters with a meaning for a shell: a value may come from a stranger, and advice is typed as it is shown."""


def shell_word(value: Any) -> str:
    """Return a value as one word of a command, quoted where a shell would read it otherwise.

    >>> print(shell_word("news/2020"), shell_word("a b"), shell_word("x; reboot"))
    news/2020 'a b' 'x; reboot'
    """
    text = str(value)
    return shlex.quote(text) if _SPECIAL.search(text) or not text else text


class _Unsaid:
    """Marker for a missing value; a class, so that it is the same object after pickling."""


PLACEHOLDERS = (Message("COLUMN"), Message("KEY"), Message("FORMAT"), Message("FILE"))
"""Placeholders in messages for a value that the user gives."""


def shown_placeholder(value: Any) -> Any:
    """Return a placeholder in the language in use, also behind `=`; any other value as it is.

    >>> shown_placeholder("COLUMN"), shown_placeholder("cluster=COLUMN"), shown_placeholder(5)
    ('COLUMN', 'cluster=COLUMN', 5)
    """
    if not isinstance(value, str):
        return value
    role, equals, last = value.rpartition("=")
    return f"{role}{equals}{translated(last)}" if last in PLACEHOLDERS else value


@dataclass(frozen=True)
class Param:
    """A parameter named in a message, with the value it has or could be given.

    Args:
        name: as Python has it.
        value: shown beside the name; left out where only the name is meant.
        method: whether it belongs to a method: the command line may have an option of its own under that name.
        optional: whether it is shown as "" at the command line if the command called has no option for it (`Remedy`).
    """

    name: str
    value: Any = _Unsaid
    method: bool = False
    optional: bool = False

    @property
    def has_value(self) -> bool:
        """True if the parameter has a value."""
        return self.value is not _Unsaid

    def __str__(self) -> str:
        """Return the parameter as a caller writes it in Python: name=value, or the name alone without a value."""
        return f"{self.name}={self.value!r}" if self.has_value else self.name


class InPython(str):
    """Words of a message that hold in Python alone, such as None, which no option of the command line takes."""

    __slots__ = ()


class Remedy(Message):
    """Advice to set a parameter, at the end of a message; empty if the command has no such option.

    >>> advice = Remedy("; name the format with {}", Param("format", "csv"))
    >>> error = InputError("a.x cannot be read{}", advice)
    >>> print(error, "|", error.render_message(lambda param: "" if param.optional else param.name))
    a.x cannot be read; name the format with format='csv' | a.x cannot be read
    """

    def translation(self, render: Callable[[Any], Any] = lambda value: value) -> str:
        """Return the advice in the language that is spoken; "" if `render` shows one of its parameters as an empty text."""
        named = [value for value in _nested_values(self) if isinstance(value, Param)]
        return (
            "" if any(render(replace(param, optional=True)) == "" for param in named) else super().translation(render)
        )

    def __reduce__(self) -> Any:
        return Remedy, (self.template, *self.values)


@dataclass(frozen=True, slots=True)
class Call:
    """A call named in a message, which Python and the command line write differently.

    Args:
        python: the expression in Python; command: the command line.
    """

    python: str
    command: str

    def __str__(self) -> str:
        """Return the call as Python writes it."""
        return self.python


def index_call(place: Any) -> Call:
    """Return the call that makes an index at a place, for messages."""
    return Call(f"qc.Index.create({str(place)!r})", f"quchong index create {shell_word(place)}")


class QuchongError(Exception):
    """Base of every error this package raises on purpose; `exit_code` is what the CLI returns.

    Args:
        template: the message in English, a literal with `{}` for each value, by which the catalogues know it.
        *values: what stands in it: any values, `Param`, `InPython`, messages and other errors; `str()` gives the whole in
            the language that is spoken and in the terms of Python.
    """

    exit_code = 1

    def __init__(self, template: str = "", *values: Any) -> None:
        super().__init__(template, *values)

    @property
    def message(self) -> Message:
        """Message of the error with its remedy, which can be translated."""
        template, *values = self.args
        return template if isinstance(template, Message) and not values else Message(template, *values)

    def __str__(self) -> str:
        return _SURROGATES.sub(_escape_surrogate, self.message.translation(_in_python))

    @property
    def english(self) -> str:
        """Message in English, as it is stored and logged, whatever language is spoken."""
        return _SURROGATES.sub(_escape_surrogate, str.__str__(self.message))

    def render_message(self, shown: Callable[[Param], str]) -> str:
        """Return the message in the current language, with each parameter written by `shown` and without `InPython` words."""

        def render(value: Any) -> Any:
            if isinstance(value, Param):
                return shown(value)
            if isinstance(value, Call):
                return value.command
            if isinstance(value, QuchongError):
                return value.render_message(shown)
            return "" if isinstance(value, InPython) else value

        return self.message.translation(render)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters the message is about, each once."""
        return tuple(dict.fromkeys(value.name for value in _nested_values(self.message) if isinstance(value, Param)))


def _in_python(value: Any) -> Any:
    """Return a value as a message shows it in Python; placeholders and words of `InPython` are translated."""
    if isinstance(value, Param) and value.has_value:
        return replace(value, value=shown_placeholder(value.value))
    return Message(value).translation() if isinstance(value, InPython) and value else value


_SURROGATES = lazy_pattern("[\ud800-\udfff]")


def _escape_surrogate(found: re.Match[str]) -> str:
    r"""Return a surrogate in a text as an escape: a byte of a file name that is not UTF-8 as \xe9, half a character as \ud800."""
    code = ord(found[0])
    return f"\\x{code & 0xFF:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def _nested_values(message: Message) -> Iterator[Any]:
    for value in message.values:
        yield from _nested_values(value) if isinstance(value, Message) else (value,)


class UsageError(QuchongError):
    """An option, policy or name that cannot be used; the message says what would be accepted."""

    exit_code = 2


class UnknownParameter(UsageError):
    """A parameter that no method has; `name` is as given, or "" if the message has a name that is spelt like it."""

    name = ""


class InputError(QuchongError):
    """An input that cannot be read at all; the message names the file and the remedy."""

    exit_code = 3


class NoSuchFile(InputError):
    """A path at which nothing is; the command line adds what was probably meant.

    Its first value is the path.
    """

    def __init__(self, template: str = "", *values: Any) -> None:
        super().__init__(template, *values)
        self.path = str(values[0]) if values else ""


class InputChanged(InputError):
    """An input file changed between the pass that reads it and the pass that copies its rows."""


class OutputError(QuchongError):
    """An output that cannot be written: it exists, the disk is full, or it is forbidden."""

    exit_code = 4


class RunError(QuchongError):
    """A run folder that is missing, not ours, or damaged."""

    exit_code = 5


_OF_ARROW = lazy_pattern(
    r"Could not open Parquet input source '[^']*': | ?Either the file is corrupted or this is not a parquet file\.?$"
)
"""Words of Arrow that name one of its own objects, or guess what the message says anyway."""
_OF_TLS = lazy_pattern(r"^\[[A-Z0-9:_ ]+\] | \(_ssl\.c:\d+\)$")
"""Words of TLS about where in its own program it failed."""
_DAMAGED = (
    (lazy_pattern("KEY_VALUES_MISMATCH"), Message("the key belongs to another certificate")),
    (
        lazy_pattern(r"\[SSL\] PEM lib|NO_START_LINE"),
        Message("the certificate file or the key file has wrong contents"),
    ),
    (lazy_pattern("magic bytes|Parquet file size is"), Message("the file is not Parquet, or its end is missing")),
    (
        lazy_pattern("inflate failed|decompress failed|Invalid data stream"),
        Message("the compressed data is damaged, or the file is not compressed"),
    ),
    (lazy_pattern("Corrupted message|Not an Arrow file"), Message("the file is not Arrow, or its end is missing")),
)
"""Error texts of Arrow and of its decompressors, and what is said instead."""
_LOCATED = lazy_pattern(
    r"^(?P<said>.+?)(?: at)?(?:: (?=line)| \(at )(?:line (?P<line>\d+),? column (?P<column>\d+)|end of document)(?: \(char \d+\)|\))$"
)
"""Error texts of the parsers of JSON and TOML, which end with the line and column."""


_OF_PYTHON = (TypeError, LookupError, AttributeError, OverflowError, RecursionError, AssertionError)
"""Errors that Python raises for damaged values; their words are for programmers."""
_VALUE_OF_PYTHON = lazy_pattern(
    "invalid literal for|could not convert|(?:not enough|too many) values to|dictionary update sequence|must be |is not a valid "
    "|cannot (?:reshape|convert)|buffer (?:size|is smaller)|could not broadcast|Exceeds the limit"
)
"""Words of Python and NumPy in a ValueError about such values."""


def _own_words(error: BaseException) -> Message | None:
    """Return the message of one of our errors; None for errors of Python, a library or the system."""
    if isinstance(error, QuchongError):
        return error.message
    return error.args[0] if len(error.args) == 1 and type(error.args[0]) is Message else None


def reason_of(error: BaseException) -> str:
    """Return why a file could not be read, for a message that names it, without number and path.

    These are the words of the system, of a library, or a message of ours that the error has; of an error of Python about what the file
    contains, such as a KeyError, they say only that the contents are wrong.
    """
    if (own := _own_words(error)) is not None:
        return own
    if isinstance(error, _OF_PYTHON) or (type(error) is ValueError and _VALUE_OF_PYTHON.search(str(error))):
        return Message("the contents are damaged, or belong to another kind of file")
    if isinstance(error, IsADirectoryError):
        return Message("it is a folder, but a file is needed")
    if isinstance(error, OSError) and (number := error.errno or 0) in errorcode and type(error).__module__ != "ssl":
        return os.strerror(number)  # TLS and the resolver of names have numbers of their own
    if isinstance(error, UnicodeDecodeError):
        return Message("byte {:,} is not UTF-8", error.start + 1)
    return _library_words(error)


def _library_words(error: BaseException) -> str:
    """Return what a library says about its input, without the names of its internal objects."""
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    for words, told in _DAMAGED:
        if words.search(said):
            return told
    if isinstance(error, ValueError) and (found := _LOCATED.search(said)):
        if found["line"]:
            return Message("{} at line {}, column {}", found["said"], found["line"], found["column"])
        return Message("{} at the end of the file", found["said"])
    return " ".join(_OF_TLS.sub("", _OF_ARROW.sub("", said)).split()).removesuffix(".") or type(error).__name__


def is_of_system(error: OSError) -> bool:
    """Return True if an error came from a call of the system: its number says which.

    Without one it is a library's word about data that it was given, such as that a compressed stream is broken: nothing was written.
    """
    return error.errno is not None


_SIGNS_OF_LISTS = lazy_pattern(r"\s*[,;\uff0c\u3001\uff1b]\s*")
"""Signs between the values of a list, of English and Chinese keyboards."""


def parts_of_list(words: object) -> list[str]:
    """Return the parts of a text that commas, semicolons or the signs of a Chinese keyboard separate; an empty list for one part.

    >>> parts_of_list("n003，n009"), parts_of_list("n003"), parts_of_list(3)
    (['n003', 'n009'], [], [])
    """
    parts = [part for part in _SIGNS_OF_LISTS.split(words) if part] if isinstance(words, str) else []
    return parts if len(parts) > 1 else []


def meant(given: str, known: Iterable[str]) -> Message:
    """Return `; did you mean ...?` with the known names similar to `given` (a name or a list of names); an empty message if none is."""
    words = list(known)
    given = given.strip()
    if parts := parts_of_list(given):
        each = [part if part in words else next(iter(_near(part, words)), "") for part in parts]
        return Message("; did you mean {}?", ",".join(each)) if all(each) else Message("")
    near = _near(given, words)
    if not near:
        return Message("")
    return Message("; did you mean {} or {}?", *near) if len(near) > 1 else Message("; did you mean {}?", near[0])


def check_choice(name: str, value: object, choices: Iterable[str], *, method: bool = False) -> None:
    """Raise UsageError unless the value of a parameter is one of its choices; the error has all, and the one that was probably meant.

    Args:
        name: of the parameter, as Python has it; method: True if it belongs to a method.
    """
    known = list(choices)
    if value not in known:
        guess = meant(value, known) if isinstance(value, str) else Message("")
        raise UsageError("unknown {}: use {}{}", Param(name, value, method=method), join_names(known), guess)


def _near(given: str, words: list[str]) -> list[str]:
    """Return the one known word that is surely meant, or up to two words that are spelt alike."""
    same = value_meant(given, words)
    if same is not None:
        return [same]
    return similar_values(given, words)


def install(extra: str) -> str:
    """Return the pip command that installs the packages of an extra; it works however quchong itself was installed."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        asked = [line.partition(";") for line in requires("quchong") or ()]
    except PackageNotFoundError:
        asked = []
    named = [name.strip() for name, _, when in asked if re.search(rf"""extra == ["']{extra}["']""", when)]
    return "pip install " + " ".join(shlex.quote(name) for name in named or [f"quchong[{extra}]"])

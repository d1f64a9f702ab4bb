"""Advice about a path that does not exist."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath

from quchong.cli.extra_words import span_of_words
from quchong.cli.missing_runs import runs_here
from quchong.errors import parts_of_list, shell_word
from quchong.io.files.similar_path import similar_paths
from quchong.languages import OR, Message, join_messages
from quchong.patterns import lazy_pattern
from quchong.plan.text_or_path import is_text, looks_like_path
from quchong.report.visible import Shown
from quchong.runs.layout import is_run

_QUOTES = "\u201c\u201d\u2018\u2019\u300c\u300d\uff02\uff07\"'"
_LISTS = (
    "--keep",
    "--relations",
    "--facts",
    "--social",
    "--strip",
    "--text-key",
    "--fail-on",
    "--add-columns",
    "--mix",
    "--relation",
)
"""Options whose value is a list with commas."""
_MULTIPLES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "k": 10**3,
    "千": 10**3,
    "万": 10**4,
    "百万": 10**6,
    "亿": 10**8,
}
"""Words that follow a number."""
_PROTOCOLS = "s3a?|gs|gcs|az|abfss?|hf|https?|sftp|hdfs"
_HUB = lazy_pattern(r"[A-Za-z0-9][\w-]*/[A-Za-z0-9][\w-]*")
"""Name of an owner and of a data set, as on Hugging Face."""
_CHINESE = lazy_pattern(r"[\u4e00-\u9fff]{4}")
"""Characters of Chinese in a row that may be a text."""
_WORDS = 6
"""Most words that are joined to the path of something with blanks in its name."""


def path_hint(path: str, argv: Sequence[str]) -> Message | None:
    """Return what to do about a path of a command line at which nothing is; None if nothing better is known than its spelling.

    Args:
        path: as the error names it; argv: the words of the command line, with the command first.
    """
    bare = path.strip(_QUOTES)
    if bare != path and bare:
        return Message(
            "the quotes became part of the file name: use the straight quotes of the keyboard, or no quotes: {}",
            _typed(bare),
        )
    if (
        elsewhere := _two_of_run(argv)
        or _document_of_file(path)
        or _with_blanks(path, argv)
        or _several_or_elsewhere(path)
    ) is not None:
        return elsewhere
    if argv[:2] == ["index", "query"] and (" " in path or not path.isascii()) and "." not in path:
        record = json.dumps({"text": path}, ensure_ascii=False)
        line = f"echo {shell_word(record)} | quchong index query {shell_word(argv[2])} -"
        return Message("to search for a given text: {}", Shown(line))
    if argv[:2] == ["index", "query"] and len(argv) > 2 and re.fullmatch(r"[\w-]+", path):
        return Message("to show a document of the index: {}", Shown(f"quchong explain {shell_word(argv[2])} {path}"))
    if (
        hint := _behind_span(path, argv) or _word_hint(path, argv) or _in_run(path, argv) or _near_or_far(path, argv)
    ) is not None:
        return hint
    beside = Message("check the spelling") if similar_paths(path) else None  # which the command line has already
    return _as_text(path, argv) or beside or _file_as_output(path, argv)


def _file_as_output(path: str, argv: Sequence[str]) -> Message | None:
    """Return how the output of a run is named, for the last of several inputs if no output is given; None for other words."""
    if (
        argv[:1] != ["dedup"]
        or {"-o", "--output"} & set(argv)
        or os.path.normpath(argv[-1]) != path
        or not os.path.exists(argv[-2])
    ):
        return None
    folder = path.rstrip("/").partition(".")[0] if not path.startswith(".") else ""
    return Message("if this is the output, give a folder: {}", _typed(f"{folder or 'run'}/", "-o"))


def _two_of_run(argv: Sequence[str]) -> Message | None:
    """Return how two documents of a run are compared, for `compare RUN/ID RUN/ID` and `passages RUN ID ID`; None for other lines."""
    words = [word for word in argv[1:] if not word.startswith("-")]
    run = other = left = right = ""
    if len(words) == 2:
        (run, left), (other, right) = (os.path.split(word) for word in words)
    elif len(words) == 3:  # the run may be named first or last
        run = other = next((word for word in words if is_run(Path(word))), "")
        left, right = [word for word in words if word != run][:2]
        if os.path.lexists(left) or os.path.lexists(right):
            return None
    if (
        argv[:1] not in (["compare"], ["passages"])
        or run != other
        or not (run and left and right and is_run(Path(run)))
    ):
        return None
    if argv[0] == "passages":
        line = Shown(f"quchong explain {shell_word(run)} {shell_word(left)} --with {shell_word(right)}")
        return Message("to see the passages that two documents of a run share, use {}", line)
    line = Shown(f"quchong inspect {shell_word(run)} {shell_word(left)} {shell_word(right)}")
    return Message("to compare documents of a run, use {}", line)


def _as_text(path: str, argv: Sequence[str]) -> Message | None:
    """Return how a text is given to a command that reads files; None for a word that is not written as a text."""
    if looks_like_path(path) or not (is_text(path) or _CHINESE.search(path)):
        return None
    record = '{"text": "..."}'
    if argv[:2] == ["index", "add"] and len(argv) > 2:
        line = f"echo '{record}' | quchong index add {shell_word(argv[2])} -"
        return Message("check the spelling; to add a text itself: {}", Shown(line))
    if argv[:1] == ["filter"]:
        return Message(
            "check the spelling; to filter texts line by line: {}", Shown("echo '...' | quchong filter --lines")
        )
    return Message(
        "check the spelling; to read texts, write them to a file with {} on each line; to compare two texts, use {}",
        record,
        Shown(f"quchong compare {shell_word(path)} {_second_text(path, argv)}"),
    )


def _document_of_file(path: str) -> Message | None:
    """Return how a document of a file is named, for a path with an id behind that of a file (FILE:ID, FILE#ID); None for other paths."""
    found = re.fullmatch(r"(.+\.\w+)[:#]([\w-]+)", path)
    if found is None or not os.path.isfile(found[1]):
        return None
    line = Shown(f"quchong dedup {shell_word(found[1])} -o run/")
    then = Shown(f"quchong inspect run/ {found[2]}")
    return Message("to inspect documents of a file by their ids, first run {}; then run {}", line, then)


def _second_text(path: str, argv: Sequence[str]) -> str:
    """Return the argument that follows `path` on a command line; '...' if `path` is the last."""
    behind = list(argv[argv.index(path) + 1 :]) if path in argv else []
    return shell_word(behind[0]) if behind and (is_text(behind[0]) or _CHINESE.search(behind[0])) else "'...'"


def _near_or_far(path: str, argv: Sequence[str]) -> Message | None:
    """Return a hint at an existing path that is spelt alike, or at the address of a data set; None if none is known."""
    if near := similar_paths(path, [word for word in argv if word != path]):
        return Message("did you mean {}?", join_messages([Message("{}", _typed(one)) for one in near], OR))
    if _HUB.fullmatch(path) and not os.path.exists(Path(path).parent):
        return Message("give a data set of Hugging Face by its address: {}", Shown(f"hf://datasets/{path}"))
    return None


def _with_blanks(path: str, argv: Sequence[str]) -> Message | None:
    """Return a hint to quote a path with blanks, if the word is a part of an existing one; None otherwise."""
    for at in range(len(argv)):
        for end in range(at + 2, min(at + 1 + _WORDS, len(argv)) + 1):
            joined = " ".join(argv[at:end])
            if path in argv[at:end] and os.path.lexists(joined):
                return Message("put a path with blanks into quotes: {}", _typed(joined))
    return None


def _in_run(path: str, argv: Sequence[str]) -> Message | None:
    """Return how `inspect` names a document of the run in the current folder, for a word that may be an id; None for others."""
    if argv[:1] != ["inspect"] or not re.fullmatch(r"[\w-]+", path) or not (runs := runs_here()):
        return None
    if path in argv and argv[argv.index(path) - 1].startswith("--"):  # the value of an option
        return None
    return Message("to inspect a document of a run: {}", Shown(f"quchong inspect {runs[0]} {path}"))


def _several_or_elsewhere(path: str) -> Message | None:
    """Return how to write a path that is several, an address or a path of Windows; None for others."""
    if (parts := parts_of_list(path)) and all(os.path.exists(part) for part in parts):
        return Message("separate paths by spaces: {}", Shown(" ".join(map(shell_word, parts))))
    if "://" not in path and (found := re.match(rf"({_PROTOCOLS})[:/\\]+(?=\S)", path, re.IGNORECASE)):
        return Message("an address must begin with {}", Shown(f"{found[1].lower()}://"))
    if os.sep == "/" and re.match(r"[A-Za-z]:[\\/]", path):
        drive = PureWindowsPath(path)
        there = "/".join(["/mnt", drive.drive[0].lower(), *drive.parts[1:]])
        return Message("this is a Windows path; WSL has the same file at {}", _typed(there))
    return None


def _typed(words: str, option: str = "") -> Shown:
    """Return words as they are typed behind an option."""
    return Shown(f"{option} {shell_word(words)}".strip())


def _number_behind(option: str, value: str, path: str) -> Message | None:
    """Return a hint about a second word after an option's number: another number, or a multiple such as "million"; None for other words."""
    if value.isdecimal() and path.lower() in _MULTIPLES:
        return Message("write the number in digits: {}", Shown(f"{option} {int(value) * _MULTIPLES[path.lower()]}"))
    return Message("{} takes one value, such as {}", option, value) if re.fullmatch(r"[\d.]+", path) else None


def _behind_span(path: str, argv: Sequence[str]) -> Message | None:
    """Return that a span of time such as 3d needs no word `days` behind it; None for other words."""
    at = argv.index(path) if path in argv else 0
    if at < 2 or not argv[at - 2].startswith("--") or span_of_words(argv[at - 1][:-1], path) != argv[at - 1]:
        return None
    return Message("{} is complete without this word", f"{argv[at - 2]} {argv[at - 1]}")


def _word_hint(path: str, argv: Sequence[str]) -> Message | None:
    """Return what to do about a word that belongs to the option before it, or is an output; None for other words."""
    at = next((at for at, word in enumerate(argv) if word.rstrip("/") == path.rstrip("/")), 0)
    if at < 2:
        return None
    option, value = argv[at - 2], argv[at - 1]
    if option.startswith("--") and "=" not in option and re.fullmatch("-[a-zA-Z]|--[a-z-]+", value):
        return Message(
            "{} needs a value, so {} was read as its value: give a value, or leave out the option", option, value
        )
    if (
        option.startswith("--")
        and re.fullmatch(r"[\d.]+", value)
        and (said := _number_behind(option, value, path)) is not None
    ):
        return said
    word = option in _LISTS or (" " not in path and path.isascii())  # else a text, or the name of a file
    if (
        word
        and option.startswith("--")
        and "=" not in option
        and not re.search(r"[./\\]", path)
        and not os.path.exists(value)
    ):
        one = value + ("," if option in _LISTS else "") + path
        return Message("if this word belongs to {}, join the two into one word: {}", option, _typed(one, option))
    if argv[0] == "dedup" and not {"-o", "--output"} & set(argv) and "." not in path and not value.startswith("-"):
        return Message("to write the run to that folder, give it with {}", _typed(argv[at], "-o"))
    return None

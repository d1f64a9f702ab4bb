"""Covers: that first docstring lines can be read alone, as CONTRIBUTING.md asks. Compared against: openings and words that a reader stumbles on."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "src" / "quchong", ROOT / "packages" / "lab" / "src")
OPENING = re.compile(
    r"(Those|That|What|Which|Whether|Of|As|All that|None|Where|The same|The rest|In their|Everything|Whose|By|How|May|Is|Are|Has|Have|Was|Does"
    r"|Did|Can)\b"
)
"""Openings that name neither what a function does nor what a thing is."""
WORDS = re.compile(
    r"\b(stands?|stood|told|tells|went|goes on|lies|held to|let go|lets go|of ours|of theirs|met by|come to|beside|ahead|is none|one another"
    r"|some of|taken in|takes in|so many|so many of)\b"
)
"""Words of place and speech in the stead of the field's verbs."""
SHARE = 0.06
"""Share of first lines that may be such; some are right, as a column that is named `told`."""


def first_lines():
    for path in sorted(path for folder in SOURCES for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    yield (
                        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}",
                        text.split("\n\n")[0].replace("\n", " "),
                    )


def stumbles(line):
    short = len(line.split()) <= 3 and not re.match(r"(See|Raises|Returns)\b", line)
    return short or bool(OPENING.match(line) or WORDS.search(line))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [("What is looked for.", True), ("Nothing waits.", True), ("Write a value where it lies.", True), ("See Source.split.", False),
     ("Return the links selected by a boolean mask or by row indices.", False)],
)  # fmt: skip
def test_what_is_stumbled_on(line, wrong):
    assert stumbles(line) is wrong


def test_first_lines_can_be_read_alone():
    lines = list(first_lines())
    wrong = [f"{place}: {line}" for place, line in lines if stumbles(line)]
    assert len(lines) > 4000
    assert len(wrong) <= SHARE * len(lines), "\n".join(["reword first docstring lines:", *wrong])


VAGUE = frozenset(
    "of where here there told said held gone met named known kept chosen ahead around beside seen found wanted asked about apart within outside some"
    " both whole part parts those rest mine ours them that joined standing stands plain opened closed put taken looked once alike listed judged ruled"
    " weave small behind".split()
)
"""Prepositions, participles and pronouns: as the whole name of a module, function or class they say neither what it does nor what it returns."""
PROMISED = frozenset({"api/run_contents.py: kept", "api/units.py: kept"})
"""`Result.kept` and `UnitResult.kept`, beside `removed`, are promised (docs/stability.md) and are words of the glossary."""


def vague_names(folder):
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder).as_posix()
        if path.stem in VAGUE:
            yield f"{place}: module"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            if named and node.name.strip("_").lower() in VAGUE:
                yield f"{place}: {node.name}"


def test_vague_names_are_found(tmp_path):
    code = "class Kept:\n    def of(self): ...\ndef _told(): ...\ndef told_by(): ...\ndef select(where): ...\n"
    (tmp_path / "sample.py").write_text(code)
    (tmp_path / "parts.py").write_text("def parts_of(): ...\n")
    assert list(vague_names(tmp_path)) == ["parts.py: module", "sample.py: Kept", "sample.py: _told", "sample.py: of"]


def test_names_say_what_they_are():
    names = [name for folder in SOURCES for name in vague_names(folder)]
    assert sorted(names) == sorted(PROMISED), "name these by a verb and its object, or by what they return"

"""Sections of CHANGELOG.md: a version, its date, what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEAD = re.compile(r"^## \[([^\]]+)\](?: - (\S+))?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a changelog.

    Attributes:
        version: as in the head; "Unreleased" for what the next version has.
        date: YYYY-MM-DD; "" if the head has none.
        text: Markdown below the head.
    """

    version: str
    date: str
    text: str

    @property
    def items(self) -> list[str]:
        """Lines that begin an item of a list."""
        return [line for line in self.text.splitlines() if line.startswith("- ")]


def sections(changelog: str) -> dict[str, Section]:
    """Return the sections of a changelog by version, in their order."""
    heads = list(_HEAD.finditer(changelog))
    ends = [*(head.start() for head in heads[1:]), len(changelog)][: len(heads)]
    found = [
        Section(head[1], head[2] or "", changelog[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    ]
    return {one.version: one for one in found}


def missing_for(changelog: str, version: str) -> list[str]:
    """Return what a changelog lacks for the release of a version; an empty list if it lacks nothing."""
    found = sections(changelog)
    if version not in found:
        return [f"CHANGELOG.md has no section ## [{version}] - DATE"]
    missing = []
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", found[version].date):
        missing.append(f"the section [{version}] of CHANGELOG.md has no date: ## [{version}] - YYYY-MM-DD")
    if not found[version].items:
        missing.append(f"the section [{version}] of CHANGELOG.md lists nothing")
    if (rest := found.get("Unreleased")) and rest.items:
        missing.append(
            f"{len(rest.items)} lines of CHANGELOG.md are still under [Unreleased]: move them to [{version}]"
        )
    return missing


def untranslated(english: str, chinese: str, version: str) -> list[str]:
    """Return what the Chinese changelog lacks of the section of a version: the date, a part, or lines of a part."""
    ours, theirs = sections(english).get(version), sections(chinese).get(version)
    if ours is None:
        return []
    if theirs is None or theirs.date != ours.date:
        return [f"CHANGELOG.zh-CN.md has no section ## [{version}] - {ours.date}"]
    wanted, found = (_lines_by_part(one.text) for one in (ours, theirs))
    return [
        f"CHANGELOG.zh-CN.md has {found.get(part, 0)} lines under {part} of [{version}], and CHANGELOG.md {count}"
        for part, count in wanted.items()
        if found.get(part) != count
    ]


def _lines_by_part(text: str) -> dict[str, int]:
    parts = re.split(r"^### (\w+).*$", text, flags=re.MULTILINE)
    return {
        name: len(re.findall(r"^- ", body, re.MULTILINE)) for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def notes(english: str, chinese: str, version: str) -> str:
    """Return the notes of a release, Markdown: its section in both languages, without the heads; English alone if there is no other.

    Raises:
        KeyError: the English changelog has no such section.
    """
    told = f"# quchong {version}\n\n{sections(english)[version].text}\n"
    there = sections(chinese).get(version)
    return f"{told}\n---\n\n# 中文\n\n{there.text}\n" if there else told

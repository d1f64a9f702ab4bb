"""Catalogues by domain: `quchong`, our words, `quchong_lab`, those of the package of experiments, and `click`, those of the library that
reads the command line.

They carry no line numbers and no dates, and stand in alphabetical order: what changes in them is what was said differently.
"""

from __future__ import annotations

import io
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from extraction import messages, messages_of_lab

ROOT = Path(__file__).parents[2]
DOMAINS = ("quchong", "quchong_lab", "click")
LANGUAGE = "zh"
LAB = ROOT / "packages" / "lab" / "src" / "quchong_lab"
_HEADER = {
    "quchong": "# What quchong says, in Chinese. Made of the source by tools/catalogues; translated here.",
    "quchong_lab": "# What the experiments say beside it, in Chinese. Made of packages/lab by tools/catalogues; translated here.",
    "click": "# What click says, in Chinese: of every version quchong has been tried with.",
}


class Plain(Catalog):
    """A catalogue whose head holds no date and no name: the same messages give the same file."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """What gettext needs to know."""
        return [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", "nplurals=1; plural=0;")]

    @mime_headers.setter
    def mime_headers(self, _value: object) -> None:
        """What a file had is not taken over."""


def path_of(domain: str) -> Path:
    """The .po file of a domain; the .mo file lies beside it."""
    folder = LAB if domain == "quchong_lab" else ROOT / "src" / "quchong"
    return folder / "languages" / LANGUAGE / "LC_MESSAGES" / f"{domain}.po"


def read(domain: str) -> Catalog:
    """The catalogue as it stands."""
    if not path_of(domain).is_file():
        return Catalog(locale=LANGUAGE)
    with path_of(domain).open("rb") as file:
        return read_po(file, locale=LANGUAGE)


def found(domain: str) -> set[tuple[str, str | tuple[str, str]]]:
    """Every message of a domain that the code has: context, and words (one and many where they differ by number)."""
    if domain == "quchong":
        return messages(ROOT / "src" / "quchong")
    if domain == "quchong_lab":
        return messages_of_lab(LAB) - found("quchong")
    import click

    out: set[tuple[str, str | tuple[str, str]]] = set()
    for _, _, message, _, _ in extract_from_dir(Path(click.__file__).parent, [("**.py", "python")]):
        out.add(("", message[:2] if isinstance(message, tuple) else message))
    return out


def updated(domain: str) -> Catalog:
    """The catalogue with the messages of today and the translations there are. Of click's, old ones stay."""
    old, now = read(domain), found(domain)
    if domain == "click":
        now |= {(m.context or "", m.id) for m in old if m.id}
    new = Plain(locale=LANGUAGE, header_comment=_HEADER[domain], domain=domain, fuzzy=False)
    for context, words in sorted(now, key=lambda one: (one[1] if isinstance(one[1], str) else one[1][0], one[0])):
        before = old.get(words, context or None)
        new.add(words, before.string if before is not None else None, context=context or None)
    return new


def written(catalogue: Catalog) -> bytes:
    """As a .po file."""
    out = io.BytesIO()
    write_po(out, catalogue, width=120, no_location=True)
    return out.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """As a .mo file."""
    plain, out = Plain(locale=LANGUAGE), io.BytesIO()
    for message in catalogue:
        if message.id:
            plain.add(message.id, message.string, context=message.context)
    write_mo(out, plain)
    return out.getvalue()

"""Catalogues by domain: `quchong`, our words, and `click`, those of the library that reads the command line.

They carry no line numbers and no dates, and stand in alphabetical order: what changes in them is what was said differently.
"""

from __future__ import annotations

import io
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from extraction import messages

ROOT = Path(__file__).parents[2]
DOMAINS = ("quchong", "click")
LANGUAGE = "zh"
_HEADER = {
    "quchong": "# What quchong says, in Chinese. Made of the source by tools/catalogues; translated here.",
    "click": "# What click says, in Chinese: of every version quchong has been tried with.",
}


def path_of(domain: str) -> Path:
    """The .po file of a domain; the .mo file lies beside it."""
    return ROOT / "src" / "quchong" / "languages" / LANGUAGE / "LC_MESSAGES" / f"{domain}.po"


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
    new = Catalog(locale=LANGUAGE, header_comment=_HEADER[domain], domain=domain, fuzzy=False)
    for context, words in sorted(now, key=lambda one: (one[1] if isinstance(one[1], str) else one[1][0], one[0])):
        before = old.get(words, context or None)
        new.add(words, before.string if before is not None else None, context=context or None)
    return new


def written(catalogue: Catalog) -> bytes:
    """As a .po file."""
    out = io.BytesIO()
    write_po(out, catalogue, width=120, no_location=True, omit_header=False)
    dated = (
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Generated-By",
        "Last-Translator",
        "Language-Team",
        "Report-Msgid",
        "Project-Id",
    )
    lines = out.getvalue().decode().split("\n")
    return "\n".join(line for line in lines if not line.strip('"').startswith(dated)).encode()


def compiled(catalogue: Catalog) -> bytes:
    """As a .mo file."""
    out = io.BytesIO()
    write_mo(out, read_po(io.BytesIO(written(catalogue)), locale=LANGUAGE))
    return out.getvalue()

"""Inspection of one or two documents by a method: `inspect`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Unpack

from quchong.api.comparison import Document, one_source
from quchong.api.public_calls import public
from quchong.decision.comparison import Comparison
from quchong.engines.local.inspection import MethodSights, inspect_documents
from quchong.outputs import Place, local
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.made_by_calls import MadeByCall
from quchong.parameters.other_attributes import SuggestsNames
from quchong.plan.catalogue import DEFAULT
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.mistaken_data import check_no_file_name
from quchong.plan.parameters import checked
from quchong.plan.request import Body, make_plan
from quchong.plan.sources import Spool
from quchong.seam import Method
from quchong.views.inspection import STYLE, data, drawn, listing, write_page
from quchong.views.words import default_language

Language = Literal["en", "zh"]


@explains_arguments
class Inspection(SuggestsNames, metaclass=MadeByCall):
    """Features that a method sees in one or two documents, and its tests of the pair: print it, show it in a notebook, or save it.

    `seen` contains it as data, with offsets in characters of `seen.texts`; `read` lists the inputs, which are never overwritten.
    """

    _MADE_BY = "qc.inspect('text 1', 'text 2')"
    _OTHER_NAMES = MappingProxyType(
        {
            "save": "report html to_html write",
            "seen": "features tokens shingles keys",
        }
    )

    def __init__(self, seen: MethodSights, read: Sequence[Place] = ()) -> None:
        self.seen, self.read = seen, tuple(read)

    @property
    def comparison(self) -> Comparison | None:
        """Comparison of the pair, as `compare` returns it; None for one document."""
        return self.seen.comparison

    def text(self, lang: Language | None = None, *, most: int = 20, chars: int = 600) -> str:
        """Format the inspection as lines of text.

        Args:
            lang: "en" or "zh"; without it the language of QUCHONG_LANG or the locale.
            most: features listed of each document and kind.
            chars: characters shown of each text.
        """
        given = checked(lang=lang, n=most, min_chars=chars)
        language = given["lang"] or default_language()
        return str(listing(self.seen, language, most=given["n"], shown=given["min_chars"]))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        names = " and ".join(self.seen.names)
        return f"<quchong.Inspection: {self.seen.method} on {names}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the inspection as JSON values: every feature with its offset, every test with its measured value; without the texts."""
        return data(self.seen)

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook, without scripts and without loading anything."""
        return f'<style>{STYLE}</style><div class="tex2jax_ignore mathjax_ignore">{drawn(self.seen, default_language())}</div>'

    def save(self, path: str | Path, *, lang: Language | None = None, overwrite: bool = False) -> Path:
        """Write one HTML file that needs no network, in Chinese and English.

        Args:
            path: path of the file.
            lang: language shown first; None for that of the environment.
            overwrite: replace an earlier page; no other file is replaced.

        Raises:
            OutputError: the file exists (without `overwrite`), is inside a run folder, or cannot be written.
        """
        given = checked(path=path, lang=lang, overwrite=overwrite)
        return write_page(self.seen, given["path"], given["lang"], overwrite=given["overwrite"], read=self.read)


@public("tokens")
def inspect(
    left: Document,
    right: Document | None = None,
    *,
    method: str | Method = DEFAULT,
    text: str | Iterable[str] = "text",
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    html: str | None = "html",
    body: Body = "main",
    storage_options: Mapping[str, Any] | None = None,
    **parameters: Unpack[MethodParameters],
) -> Inspection:
    """Show which features a method sees in a document; for two documents also every test of its decision, with the scores of `compare`.

    Args:
        left, right: as for `compare`; one document, or two.
        method, text, strip, social, boilerplate, html, body, storage_options, **parameters: as for `compare`. Statistics that are not
            given are counted on these documents; `Result.inspect` uses those of the run.

    Returns:
        An `Inspection`: str(...) as lines, to_dict() as JSON, save(...) as a page.

    Raises:
        UsageError, InputError: as `compare`.

    >>> import quchong
    >>> seen = quchong.inspect("今天天气很好。明天也会是晴天。", method="ccdet")
    >>> [feature["said"] for feature in seen.to_dict()["sees"][0]["documents"][0]["features"]]
    ['今天天气很好。', '明天也会是晴天。']
    """
    check_no_file_name(left)
    check_no_file_name(right)
    plan = make_plan(
        method=method, text=text, strip=strip, social=social, boilerplate=boilerplate, html=html, body=body,
        recall_sample=0, workers=1, **parameters,
    )  # fmt: skip
    given = [("left", left), *([("right", right)] if right is not None else [])]
    spool = Spool() if any(isinstance(one, Path) for _, one in given) else None
    sources = [one_source(side, one, plan, spool) for side, one in given]
    names = [_called(side, one) for side, one in given]
    read = local([one for _, one in given if isinstance(one, Path)])
    return Inspection(inspect_documents(sources, plan, names), read)


def _called(side: str, document: Document) -> str:
    """Return the display name of a document: the name of a file, the id of a record, else its side."""
    if isinstance(document, Path):
        return document.name
    if not isinstance(document, str) and isinstance(document.get("id"), str | int):
        return str(document["id"])
    return side

"""Comparison of two documents: `compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from quchong.api.public_calls import public
from quchong.decision.comparison import Comparison
from quchong.engines.local.compare import compare_documents
from quchong.io import Source, from_object, one_file
from quchong.plan.catalogue import DEFAULT
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.mistaken_data import check_no_file_name
from quchong.plan.parameters import DOCUMENT
from quchong.plan.plan import Plan
from quchong.plan.request import Body, make_plan
from quchong.plan.sources import Spool
from quchong.seam import Method

Document = str | Mapping[str, Any] | Path
"""Argument type of `compare`: a text, a record, or the path of a file."""


@public("tokens")
def compare(
    left: Document,
    right: Document,
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
) -> Comparison:
    """Compare two documents: return their relation, exact Jaccard and containments, guards and shared passages.

    The relation equals that of a run over these two documents. If a run would not compare the two, because they do not share
    enough keys, it is "none", and `relation_if_found` is the relation that their texts would have.

    Args:
        left, right: each a text (str), a record (dict) with the columns a run reads, or a `pathlib.Path` of a text or web
            page. Methods that use more than the text read the columns title, blocks, url and site; from a page (html, or a file)
            they are extracted. A str that is the name of a file is refused; as a text, give it as a record: {"text": "README"}.
        method: a name, or a method, as for `dedup`.
        text, strip, social, boilerplate, html, body, storage_options: as for `dedup`.
        **parameters: parameters of the named method. Methods that count statistics on a corpus (two-stage with weights="idf",
            imatch, imatch-s, imatch-p, spotsigs, partial and others) take them as `statistics`, made by `fit_statistics`; without
            these they count on the two documents, as a run over them does. The text of a site that ccdet removes is counted on
            the two documents too.

    Raises:
        UsageError, InputError: as `dedup`; or a document has no text, or is a str that names a file.
    """
    check_no_file_name(left)
    check_no_file_name(right)
    plan = make_plan(
        method=method, text=text, strip=strip, social=social, boilerplate=boilerplate, html=html, body=body,
        recall_sample=0, workers=1, **parameters,
    )  # fmt: skip
    spool = Spool() if isinstance(left, Path) or isinstance(right, Path) else None
    sources = [one_source(name, given, plan, spool) for name, given in (("left", left), ("right", right))]
    return compare_documents(sources, plan)


def one_source(side: str, document: Document, plan: Plan, spool: Spool | None) -> Source:
    """Return one document as a source; `side` is its name in messages."""
    document = DOCUMENT(side, document)
    if isinstance(document, Path):
        return one_file(document, spool.copies if spool else None)
    record = {plan.text[0]: document} if isinstance(document, str) else dict(document)
    source = from_object([record], plan.wanted_columns)
    source.name = side  # for messages
    return source

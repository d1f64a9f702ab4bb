"""Options of `dedup` and `index create` on which documents are compared, and which of two copies is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from quchong.cli.parameters import MessageOption
from quchong.cli.redirected import warn_if_redirected
from quchong.languages import Message, join_names
from quchong.relations import DEFAULT_REMOVED, REMOVABLE

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

COMPARED = ("within", "per", "same_site", "strip", "social", "boilerplate")
"""Parameters on what is compared, in the order of a help."""
KEPT = ("keep", "relations", "templates", "roundups", "exact")
"""Options of `dedup` on which documents are kept, without `facts`, which only some methods have."""
_OPTIONS: tuple[Decorator, ...] = (
    click.option("--keep", metavar="CRITERIA", callback=warn_if_redirected,
                 help="Criteria for the copy that is kept: longest, shortest, earliest, latest, first, last, "
                      "'source:a>b', column:NAME [desc], prefer:COLUMN=VALUE. A contained document is removed, "
                      "unless earliest is the first criterion and the document came first.  [default: "
                      "longest,earliest; posts: earliest,longest]"),
    click.option(
        "--relations", cls=MessageOption, metavar="NAMES", default=",".join(DEFAULT_REMOVED), show_default=True,
        words=Message("relations by which a document is removed; also {}.", join_names(n for n in REMOVABLE if n not in DEFAULT_REMOVED)),
    ),
    click.option("--within", metavar="SPAN", help="Compare only documents at most this far apart in time: 7d, 12h."),
    click.option("--per", metavar="COLUMN", help="Compare only documents with equal values in this column."),
    click.option("--same-site", is_flag=True, help="Compare only within one site (column site or url)."),
    click.option("--strip", metavar="NAMES", default="", help="Parts not to compare: dateline, source, editor, comments, licences."),
    click.option("--social", metavar="NAMES",
                 help="Ignore these parts of posts: all, none, forwards, tags, links, hashtags, emoji, names, punctuation.  "
                      "[default: all for short-text, else none]"),
    click.option("--boilerplate", multiple=True, type=click.Path(), help="File of lines not to compare (repeatable)."),
    click.option("--templates", type=click.Choice(["keep", "remove", "payload"]), metavar="WHICH", default="keep",
                 help="How records on one template are compared: keep treats them as different if they fill its "
                      "slots differently; remove compares them like any other texts; payload is like keep, but "
                      "the same fillers on another template make a copy."),
    click.option("--roundups", type=click.Choice(["keep", "remove", "cut", "whole"]), metavar="WHICH",
                 help="What happens to a roundup (a document made of others): keep it and the others (keep), "
                      "remove it if they contain nearly all of its text (remove), keep only its own sentences "
                      "(cut), or keep it and remove the others (whole).  [default: keep; remove with preset "
                      "training]"),
    click.option("--exact", type=click.Choice(["raw", "strict", "loose"]), metavar="WHICH", default="strict",
                 help="Which copies are exact: equal in all bytes (raw), in letters and symbols (strict), or in "
                     "letters alone (loose)."),
)  # fmt: skip


def deciding_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options in `COMPARED` and `KEPT` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command

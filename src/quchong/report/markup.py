"""HTML for notebooks: every value is escaped, and the HTML loads nothing and runs no script.

As with `quchong.report.visible.compose` for a terminal, templates are trusted and values are foreign unless they are
`Html`, which only the functions of this module make.
"""

from __future__ import annotations

import html
import string
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quchong.relations import TABLE
from quchong.report.visible import shown_name, visible


class Html(str):
    """HTML that is safe to show; only the functions of this module make it."""

    __slots__ = ()


class _Composer(string.Formatter):
    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        value = super().get_value(key, args, kwargs)
        return value if isinstance(value, Html | bool | int | float) else escaped(shown_name(str(value)))


def markup(template: str, *values: Any) -> Html:
    """Fill a trusted HTML template with values, as `str.format` does.

    `Html` is inserted unchanged and numbers are formatted; any other value is shown on one line, as by `named`, and
    escaped.

    >>> markup("<b>{}</b> {:,}", "a<b", 1200)
    '<b>a&lt;b</b> 1,200'
    """
    return Html(_Composer().vformat(template, values, {}))


def escaped(text: str) -> Html:
    r"""Escape a text of several lines for HTML and make invisible characters visible.

    >>> escaped("<script>\u202e")
    '&lt;script&gt;⟨U+202E⟩'
    """
    return Html(html.escape(visible(text)))


def join_html(parts: Iterable[Html], between: str = "") -> Html:
    """Join pieces of HTML; `between` is inserted unescaped."""
    return Html(between.join(parts))


_COLOURS = {
    **{relation.name: relation.colours.notebook for relation in TABLE},
    "figure": "#d8463c", "date": "#c77a0a", "name": "#8d55d6", "negation": "#cf2f80", "wording": "#3b82d0", "noise": "#7d8797",
}  # fmt: skip
"""Colours of relations and of kinds of differences, readable on white and on black.

Text takes its colour from the notebook, and backgrounds are translucent, so that both light and dark themes are
readable.
"""

_STYLE = """
.quchong-view{font:14px/1.55 system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;
max-width:72rem;overflow-wrap:anywhere;color:inherit}
.quchong-view p{margin:.3em 0}
.quchong-view .q-head{font-size:1.1em;font-weight:600}
.quchong-view .q-soft{opacity:.75;font-size:.92em}
.quchong-view .q-two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(19rem,100%),1fr));gap:.6em 2em;align-items:start}
.quchong-view.quchong-view table{border-collapse:collapse;margin:.3em 0;border:0;font-variant-numeric:tabular-nums;font-size:1em}
.quchong-view.quchong-view table tr{background:none}
.quchong-view.quchong-view table :is(th,td){text-align:start;padding:.12em 1.2em .12em 0;border:0;font-weight:400;
vertical-align:top;white-space:normal;background:none;color:inherit;max-width:none}
.quchong-view.quchong-view table th.q-in{padding-inline-start:1.2em}
.quchong-view.quchong-view table .q-title{font-weight:600;padding-top:.5em}
.quchong-view svg{display:block;width:100%;max-width:32rem;height:auto}
.quchong-view .q-dot{display:inline-block;width:.7em;height:.7em;border-radius:2px;background:var(--q);margin-inline-end:.4em}
.quchong-view .q-legend{display:flex;flex-wrap:wrap;gap:.1em 1.1em;margin:.2em 0;padding:0;list-style:none;font-size:.92em}
.quchong-view .q-alarm{border-inline-start:4px solid #d9822b;background:rgba(217,130,43,.14);padding:.2em .7em;margin:.3em 0}
.quchong-view .q-note{border-color:#7d8797;background:rgba(125,135,151,.14)}
.quchong-view .q-text{white-space:pre-wrap;border:1px solid rgba(128,128,128,.4);border-radius:6px;padding:.6em .8em;
max-height:30em;overflow:auto;scrollbar-color:rgba(128,128,128,.6) transparent;line-height:1.8;unicode-bidi:isolate}
.quchong-view .q-side{min-width:0}
.quchong-view .q-card{border-top:1px solid rgba(128,128,128,.4);padding:.5em 0}
.quchong-view .q-begin{white-space:pre-line;max-height:14em;overflow:auto;unicode-bidi:isolate}
.quchong-view.quchong-view table td.q-id{white-space:nowrap}
.quchong-view.quchong-view table td.q-notes{min-width:5em}
.quchong-view mark{color:inherit;background:rgba(46,160,90,.22);border-radius:3px}
.quchong-view mark.q-near{background:rgba(150,170,30,.26)}
.quchong-view .q-diff{color:inherit;text-decoration:none;background:color-mix(in srgb,var(--q) 30%,transparent);
box-shadow:inset 0 -2px var(--q);border-radius:2px}
.quchong-view .q-conflict{font-weight:700}
.quchong-view ul.q-differences{list-style:none;margin:.3em 0;padding:0}
.quchong-view ul.q-differences li{border-inline-start:4px solid var(--q);padding:.05em .6em;margin:.2em 0}
""".replace("\n", "")


def coloured(name: str) -> Html:
    """Return a CSS declaration that sets `--q` to the colour of a relation or of a group of kinds."""
    return Html(f"--q:{colour(name)}")


def colour(name: str) -> str:
    """Return the colour of a relation or of a group of kinds; grey for an unknown name."""
    return _COLOURS.get(name, "#7d8797")


def framed(*parts: Html) -> Html:
    """Join pieces into the element that a notebook shows, with its style sheet.

    MathJax ignores the element, so that a text with two `$` is not shown as a formula.
    """
    style = f"<style>{_STYLE}</style>"
    return Html(f'<div class="quchong-view tex2jax_ignore mathjax_ignore">{style}{"".join(parts)}</div>')

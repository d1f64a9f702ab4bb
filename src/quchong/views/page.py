"""Assembly of a page: one HTML file that loads nothing, under a strict content security policy.

Scripts and styles are those of this package or of the chart library, each allowed by its digest. All data of a run is
JSON in a data block, which browsers do not execute; the scripts insert it as text, never as HTML.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from quchong.relations import TABLE
from quchong.views.words import words

GENERATOR = "quchong report"
SCRIPTS = (
    "chart.umd.min.js", "base.js", "language.js", "tables.js", "charts.js", "controls.js", "breakdown.js", "overview.js", "histogram.js",
    "slider.js", "thresholds.js", "folds.js", "lock.js", "marks.js", "differences.js", "waterfall.js", "pair.js", "graph.js", "timeline.js",
    "clusters.js", "removals.js", "variants.js", "templates.js", "media.js", "start.js",
)  # fmt: skip
"""Scripts in the order they run: the library, shared functions, a file for each part of the page, and the start."""
_POLICY = "default-src 'none'; script-src {scripts}; style-src {styles}; base-uri 'none'; form-action 'none'"
_DATA: dict[str, str | int | None] = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def asset(name: str) -> str:
    """Return the text of a file in the folder `assets`."""
    return files("quchong.views").joinpath("assets", name).read_text(encoding="utf-8")


def styles() -> str:
    """Return the style sheet of the page, with the colours of each relation by its name."""
    light, dark = (
        " ".join(f"--r-{one.name}: {getattr(one.colours, side)};" for one in TABLE) for side in ("light", "dark")
    )
    return asset("page.css") + "\n".join((
        f":root {{ {light} }}",
        f':root[data-theme="dark"] {{ {dark} }}',
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}',
        *(f".r-{one.name} {{ --c: var(--r-{one.name}); }}" for one in TABLE),
        "",
    ))  # fmt: skip


def data_block(value: Any) -> str:
    r"""Return JSON for a script element: nothing in it ends the element or begins a comment.

    >>> data_block({"text": "</script><!--"})
    '{"text":"\\u003c/script\\u003e\\u003c!--"}'
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:  # infinities, which JSON has not
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    return text.translate(str.maketrans(_DATA))


def _finite(value: Any) -> Any:
    """Replace infinities and NaN in a value by None."""
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def allowed(text: str) -> str:
    """Return the expression of a content security policy that allows a script or style by its digest."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@dataclass(frozen=True, slots=True)
class Made:
    """Parts of a page other than its data: scripts, styles and frame.

    Attributes:
        template: HTML with the names of parts in double braces.
        styles, scripts: the style sheet, and the scripts in the order they run.
        words: words by key, then by language.
        generator: name of the program in the page's metadata.
        beyond: further rules of its policy.
    """

    template: str
    styles: str
    scripts: tuple[str, ...]
    words: Mapping[str, Mapping[str, str]]
    generator: str
    beyond: str = ""


def page(model: dict[str, Any], language: str) -> str:
    """Return the page of a model, with `language` shown first.

    Raises:
        ValueError: a script would end its own element.
    """
    scripts = tuple(asset(name) for name in SCRIPTS)
    return assembled(Made(asset("page.html"), styles(), scripts, words(), GENERATOR), model, language)[0]


def assembled(made: Made, model: dict[str, Any], language: str) -> tuple[str, str]:
    """Return a page assembled from its parts, and the policy that allows only these parts.

    Raises:
        ValueError: a script would end its own element.
    """
    if any("</script" in script.lower() or "<!--" in script for script in made.scripts):
        raise ValueError("a script holds the end of a script element")
    policy = _POLICY.format(scripts=" ".join(map(allowed, made.scripts)), styles=allowed(made.styles)) + made.beyond
    parts = {
        "policy": policy,
        "generator": made.generator,
        "language": "zh-Hans" if language == "zh" else "en",
        "styles": made.styles,
        "words": data_block(made.words),
        "model": data_block(model | {"language": language}),
        "scripts": "\n".join(f"<script>{script}</script>" for script in made.scripts),
    }
    head, *rest = made.template.split("{{")
    return head + "".join(parts[name] + text for name, text in (one.split("}}", 1) for one in rest)), policy

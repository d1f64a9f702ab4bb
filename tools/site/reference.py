"""Pages of the Python interface: every public name with its types and docstring, by Sphinx's autodoc."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from pages import Page

import quchong
import quchong.author
import quchong.spark

GROUPS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("find", "Find copies", "Find exact copies, near-duplicates and contained documents; compare texts.",
     ("dedup", "distinct", "dedup_units", "dedup_part", "compare", "inspect", "passages", "align", "estimate")),
    ("results", "Results", "What calls return, and how a saved run is opened again.",
     ("load", "Result", "UnitResult", "PartRead", "DistinctRecords", "Inspection", "SharedPassages", "set_language")),
    ("documents", "Documents one at a time", "An index of what was seen, and its answers.",
     ("Index", "Answer", "Answers", "Match", "IndexStatistics", "fit_statistics")),
    ("measures", "Measure and choose", "Measures of a run against labels, thresholds chosen by labels, test items in a training corpus.",
     ("evaluate", "tune", "decontaminate", "Contamination")),
    ("errors", "Errors", "Errors that calls raise.",
     ("QuchongError", "UsageError", "InputError", "InputChanged", "OutputError", "RunError")),
)  # fmt: skip
"""Address below api/, title, first sentence and names of each page of `import quchong`."""
ELSEWHERE = ("methods",)
"""Names of `quchong.__all__` that have pages of their own."""


def names_of(address: str, names: Sequence[str]) -> list[str]:
    """Return the names of a page; those that no page lists are on that of results."""
    if address != "results":
        return list(names)
    listed = {name for *_, those in GROUPS for name in those} | set(ELSEWHERE)
    return [*names, *(name for name in quchong.__all__ if name not in listed)]


def directive(module: str, name: str, value: object) -> str:
    """Return autodoc's directive for a public name."""
    full = f"{module}.{name}"
    if inspect.isclass(value):
        lines = [
            f".. autoclass:: {full}",
            "   :members:",
            "   :inherited-members: tuple, object, Exception, Mapping, Sequence",
            "   :class-doc-from: class",
        ]
    elif inspect.ismodule(value):
        lines = [f".. py:module:: {full}", "   :no-index:", "", f"``{full}``: {first_line(value)}"]
    elif callable(value):
        lines = [f".. autofunction:: {full}"]
    else:
        lines = [f".. autodata:: {full}"]
    return "```{eval-rst}\n" + "\n".join(lines) + "\n```\n"


def first_line(value: object) -> str:
    """Return the first sentence of a docstring on one line, empty without one."""
    text = inspect.getdoc(value) or ""
    return " ".join(text.split("\n\n")[0].split())


def page(title: str, sentence: str, module: object, names: Sequence[str]) -> str:
    """Return a page of names of a module."""
    prefix = module.__name__  # type: ignore[attr-defined]
    blocks = [directive(prefix, name, getattr(module, name)) for name in names]
    return f"# {title}\n\n{sentence}\n\n" + "\n".join(blocks)


def overview() -> str:
    """Return the page that lists all names."""
    lines = [
        "# Python interface",
        "",
        "`import quchong as qc` has these names. Their arguments and results are typed, and examples in docstrings are run by tests.",
        "",
    ]
    for address, title, _, names in GROUPS:
        lines += [f"## [{title}](/api/{address}.md)", "", "| name | |", "|---|---|"]
        for name in names_of(address, names):
            sentence = first_line(getattr(quchong, name)).replace("|", "\\|")
            lines.append(
                f'| <a class="reference" href="{address}.html#quchong.{name}"><code>{name}</code></a> | {sentence} |'
            )
        lines.append("")
    lines += [
        "## Besides", "", "| module | |", "|---|---|",
        "| [`quchong.methods`](/methods/overview.md) | The methods as classes: their fields are the parameters of each method's page. |",
        f"| [`quchong.author`](/api/author.md) | {first_line(quchong.author)} |",
        f"| [`quchong.spark`](/api/spark.md) | {first_line(quchong.spark)} |", "",
    ]  # fmt: skip
    return "\n".join(lines)


def reference_pages() -> dict[Page, str]:
    """Return the pages of the Python interface, in English. A public name that no group lists is on the page of results."""
    pages = {"overview": overview()}
    pages |= {
        address: page(title, sentence, quchong, names_of(address, names)) for address, title, sentence, names in GROUPS
    }
    pages["author"] = page(
        "Names for authors of methods",
        f"{first_line(quchong.author)} See [the guide](/guide/methods.md).",
        quchong.author,
        quchong.author.__all__,
    )
    pages["spark"] = page(
        "Spark", f"{first_line(quchong.spark)} See [the guide](/guide/spark.md).", quchong.spark, quchong.spark.__all__
    )
    return {Page("en", f"api/{address}"): text for address, text in pages.items()}

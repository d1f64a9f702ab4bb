"""quchong methods: list the methods and their parameters."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import asdict
from typing import Any

import click

from quchong.errors import UsageError, meant


@click.command(short_help="List the methods: what they find, what they cost, their papers.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="JSON, with all parameters and defaults.")
def command(name: str | None, as_json: bool) -> None:
    """Lists every method: what it finds, what it costs, and the paper it comes from.

    With NAME: the parameters of one method and, where it has presets, their thresholds.
    """
    from quchong.cli.printing import paragraph, say, say_json, table
    from quchong.plan.catalogue import METHODS, build, parameters_of
    from quchong.report.visible import NOTHING

    if name is not None and name not in METHODS:
        raise UsageError(f"unknown method {name!r}" + (meant(name, METHODS) or f": use {', '.join(METHODS)}"))
    chosen = METHODS if name is None else {name: METHODS[name]}
    if as_json:
        methods = [
            {"name": known, **asdict(kind.traits), "parameters": build(known).settings()}
            for known, kind in chosen.items()
        ]
        say_json(methods if name is None else methods[0], indent=2)
        return
    if name is None:
        for known, kind in METHODS.items():
            t = kind.traits
            say("{}", known, bold=True)
            paragraph(t.title, "    ")
            paragraph(f"finds {', '.join(t.finds)}; cost: {t.cost}; source: {t.paper}", "    ")
        say("")
        paragraph("quchong methods NAME lists the parameters of one method; --json prints all.")
        return
    kind = METHODS[name]
    t = kind.traits
    say("{}", name, bold=True)
    paragraph(t.title, "  ")
    about = {"source": t.paper, "finds": ", ".join(t.finds), "cost": t.cost}
    if t.candidates != "keys":
        about["pairs"] = t.candidates
    about["engines"] = "one machine, and a cluster (--engine spark)" if "spark" in t.engines else "one machine"
    if t.order:
        about["order"] = f"depends on the order of the input: {t.order}"
    for label, words in about.items():
        paragraph(f"{label}: {words}", "  ")
    meanings = _meanings(kind)
    settings = build(name).settings()
    rows = [("parameter", "default", "meaning")]
    rows += [
        (p, _shown(settings.get(p, default)), meanings.get(p, NOTHING)) for p, default in parameters_of(kind).items()
    ]
    say("")
    table(rows)
    if name in PRESET_METHODS:
        say("\nthresholds of the presets (--preset)")
        table(preset_rows())
    say("")
    paragraph(
        "Give a parameter as an option (--name value) if `quchong dedup --help` lists it, else as --set name=value."
    )


PRESET_METHODS = ("hybrid",)


def preset_rows() -> list[tuple[str, ...]]:
    """The thresholds of every preset, as rows of a table."""
    from quchong.similarity import PRESETS

    said = {
        "Jaccard, Chinese, 200 characters and more": "jaccard",
        "Jaccard, Chinese, just below 200": "mid_jaccard",
        "Jaccard, Chinese, 80 to 120": "short_jaccard",
        "Jaccard, Chinese, up to 60": "brief_jaccard",
        "Jaccard, other languages": "latin_jaccard",
        "containment, Chinese": "containment",
        "containment, other languages": "latin_containment",
    }
    rows: list[tuple[str, ...]] = [("a pair is accepted from", *PRESETS)]
    return rows + [(label, *(f"{getattr(p, name):.2f}" for p in PRESETS.values())) for label, name in said.items()]


def _shown(value: Any) -> str:
    return "-" if value is None else json.dumps(value, ensure_ascii=False, default=str).strip('"')


def _meanings(kind: type[Any]) -> dict[str, str]:
    """What the docstrings of a method and of what it builds on say of each parameter."""
    out: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        text = inspect.cleandoc(owner.__doc__ or "")
        args = re.search(r"^Args:\n((?:[ ]+.*\n?|\n)*)", text, re.MULTILINE)
        for match in re.finditer(r"^    ([\w, ]+): (.*(?:\n {8}.*)*)", args[1] if args else "", re.MULTILINE):
            for one in match[1].split(","):
                out[one.strip()] = re.sub(r"\s+", " ", match[2])
    return out

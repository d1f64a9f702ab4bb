"""Recall and false alarms of the rules on made leaks."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from makers import CLEAN, LEAKS

import quchong as qc

HERE = Path(__file__).resolve().parent
NEWS = HERE.parents[1] / "examples" / "news.jsonl"
RULES = ("containment", "ngram8", "ngram13")
PHRASES = "common phrases, prompts, formulae"
HOSTS = "news, nothing planted"


def read(name: str) -> list[dict[str, Any]]:
    """Return the records of a file of this folder."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def corpora() -> dict[str, list[dict[str, Any]]]:
    """Return for each kind the training texts: for each item one, planted in a news text at a line end."""
    items = read("items.jsonl")
    hosts = [json.loads(line)["text"] for line in NEWS.read_text(encoding="utf-8").splitlines()]
    out: dict[str, list[dict[str, Any]]] = {}
    for kind, make in {**LEAKS, **CLEAN}.items():
        draw = random.Random(kind)
        out[kind] = [{"id": item["id"], "text": planted(make(item, draw), hosts, draw)} for item in items]
    draw = random.Random(PHRASES)
    out[PHRASES] = [
        {"id": str(i), "text": planted(one["text"], hosts, draw)} for i, one in enumerate(read("phrases.jsonl"))
    ]
    out[HOSTS] = [{"id": str(i), "text": text} for i, text in enumerate(hosts)]
    return out


def planted(text: str, hosts: list[str], draw: random.Random) -> str:
    """Return a news text with another text between two of its lines."""
    lines = draw.choice(hosts).split("\n")
    at = draw.randint(0, len(lines))
    return "\n".join([*lines[:at], text, *lines[at:]])


def measure(rules: tuple[str, ...] = RULES, **options: Any) -> dict[str, dict[str, tuple[int, int]]]:
    """Return for each kind and rule how many texts leak, of how many: of a leak, the item that was planted."""
    items = read("items.jsonl")
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for kind, corpus in corpora().items():
        for rule in rules:
            made = qc.decontaminate(corpus, items, rule=rule, workers=1, **options)
            rows = [row for row in made.matches.to_pylist() if row["found"] in ("question", "both")]
            leaking = {row["id"] for row in rows if kind not in LEAKS or row["item"] == row["id"]}
            found.setdefault(kind, {})[rule] = (len(leaking), len(corpus))
    return found

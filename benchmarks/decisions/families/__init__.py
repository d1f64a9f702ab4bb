"""All families, by name."""

from __future__ import annotations

from families import chinese, english, headers, structured
from families.frame import Family

FAMILIES: dict[str, Family] = {
    family.name: family for family in (*chinese.FAMILIES, *english.FAMILIES, *structured.FAMILIES, *headers.FAMILIES)
}
HALVES = ("tune", "report")

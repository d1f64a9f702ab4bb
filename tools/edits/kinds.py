"""All kinds of edits: those after which both texts must stay, and those after which one can go."""

from __future__ import annotations

import ends
import english
import english_names
import english_notations
import firms
import furniture
import modality
import notations
import scans
import statements
import symbols
import terms
import units
from amounts import all_figures, code, date, one_figure, sign, two_figures
from draw import Edit
from layout import LAYOUTS, has_opencc
from names import organisation, person, place
from noise import noise, typo
from rewording import editor, synonym
from siblings import sibling
from turns import negation, opposite

APART: dict[str, Edit] = {
    "one figure": one_figure,
    "two figures": two_figures,
    "all figures": all_figures,
    "sign": sign,
    "date": date,
    "person": person,
    "place": place,
    "organisation": organisation,
    "code": code,
    "negation": negation,
    "opposite": opposite,
    "sibling notices": sibling,
    "unit": units.unit,
    "period or count": units.turn,
    "figure beside a clause": units.figure_beside,
    "count before a measure word": notations.counted,
    "rough count": notations.rough,
    "score turned": notations.score,
    "figure in a reworded clause": notations.figure_reworded,
    "code that ends another": notations.code_ending,
    "calendar word": notations.calendar,
    "other notation": notations.notation,
    "English figure": english.figure,
    "English unit": english.unit,
    "English date": english.date,
    "English negation": english.negation,
    "English sign of a unit": units.english_unit,
    "English figure beside a clause": units.english_figure_beside,
    "symbol": symbols.symbol,
    "English symbol": symbols.english_symbol,
    "English other notation": english_notations.notation,
    "English figure in a reworded clause": english_notations.figure_reworded,
    **ends.APART,
    **firms.APART,
    **english_names.APART,
    "modality": modality.modality,
    "English modality": modality.english_modality,
    "another noun": terms.noun,
    "another verb": terms.verb,
    "another of a class": terms.of_class,
    "confusable word": terms.confusable,
    "English another noun": terms.english_term,
    **statements.APART,
    "line of content": furniture.content,
    "English line of content": furniture.english_content,
    "figure in noise": scans.figure_in_noise,
    "negation in noise": scans.negation_in_noise,
    "English figure in a scan": scans.english_figure_in_scan,
    "English negation in a scan": scans.english_negation_in_scan,
}
"""Another fact: both must stay."""
GOES: dict[str, Edit] = {
    **LAYOUTS,
    "2% noise": noise(0.02),
    "5% noise": noise(0.05),
    "10% noise": noise(0.1),
    "synonyms": synonym,
    "editor's rewording": editor,
    "typo corrected": typo,
    "amount in another unit": units.same_amount,
    "clause with figures": units.clause_beside,
    "same figure in another notation": notations.same_figure,
    "same figure in a reworded clause": notations.clause_reworded,
    "word with a numeral": notations.numeral_word,
    "English amount in another unit": units.english_same_amount,
    "English clause with figures": units.english_clause_beside,
    "decoration": symbols.decoration,
    "English same figure in another notation": english_notations.same_figure,
    "English same figure in a reworded clause": english_notations.clause_reworded,
    **ends.GOES,
    **firms.GOES,
    **english_names.GOES,
    "same modality": modality.same_modality,
    "English same modality": modality.english_same_modality,
    "synonyms by any": synonym,
    "editor's rewording by any": editor,
    "typo corrected by any": typo,
    "English same noun": terms.english_same_term,
    **statements.GOES,
    "page furniture": furniture.furniture,
    "page furniture in the line": furniture.inline_furniture,
    "English page furniture": furniture.english_furniture,
    "English page furniture in the line": furniture.english_inline_furniture,
    "2% random noise": scans.random_noise(0.02),
    "5% random noise": scans.random_noise(0.05),
    "English 1% scan": scans.scan(0.01),
    "English 2% scan": scans.scan(0.02),
    "English 3% scan": scans.scan(0.03),
    "clauses swapped": scans.clauses_swapped,
    "clauses reversed": scans.clauses_reversed,
}
WITH_ANY = (
    "another noun", "another verb", "another of a class", "confusable word", "English another noun", "synonyms by any",
    "editor's rewording by any", "typo corrected by any", "English same noun",
)  # fmt: skip
"""Kinds that are judged with `--facts any`."""
"""The same facts: one can go."""
KINDS = APART | GOES
INSERTING = ("sign", "date", "person", "place", "organisation", "English person", "English firm")
"""Kinds that put a sentence into both texts where a base text has nothing to edit."""
SCRIPTS = ("traditional script", "Taiwan wording")
"""Kinds that need OpenCC."""


def made_here() -> list[str]:
    """The kinds that can be made with what is installed."""
    return [kind for kind in KINDS if has_opencc() or kind not in SCRIPTS]


def lengths_of(kind: str, lengths: list[int]) -> list[int]:
    """The lengths a kind is made at: notices have one, of 60 to 80 characters, that stands under 80; English ones begin at 200, as do
    clauses in other words, which are most of a shorter text; English ones of these begin at 600.
    """
    if kind == "sibling notices":
        return [n for n in lengths if n == 80]
    if kind.startswith("clauses "):
        return [n for n in lengths if n <= 80]
    english, reworded = language_of(kind) == "en", "reworded clause" in kind
    usual = (80 if kind in scans.BRIEF else 200) if english or reworded else 0
    least = 600 if english and reworded else usual
    return [n for n in lengths if n >= least]
    if kind.startswith("clauses "):
        return [n for n in lengths if n <= 80]
    return [n for n in lengths if n >= (80 if kind in scans.BRIEF else 200)] if language_of(kind) == "en" else lengths


def language_of(kind: str) -> str:
    """The language of the texts a kind is made of."""
    return "en" if kind.startswith("English ") else "zh"

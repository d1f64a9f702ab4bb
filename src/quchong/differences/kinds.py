"""Classification of each edit: its kind of difference, and whether facts conflict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.differences.addressed import may_call
from quchong.differences.asking import asked_apart, may_ask
from quchong.differences.choices import links_otherwise, may_choose
from quchong.differences.claims import claims_apart, titled_apart
from quchong.differences.clauses import reworded_apart, rewritten
from quchong.differences.contraries import contrary_words
from quchong.differences.denials import denied, may_deny
from quchong.differences.dictionaries import kinds_of_alternatives
from quchong.differences.direction import directed_otherwise, may_direct
from quchong.differences.edit_tokens import ASKS, CHOOSES, DIRECTS, PHRASES, EditTokens
from quchong.differences.edits import ANCHORED, READ, Edits
from quchong.differences.exchange import listed_otherwise
from quchong.differences.exemptions import exempted
from quchong.differences.extents import WHOLE, extents
from quchong.differences.facts import ADVERTISED, advertised, contradiction, spoken_of
from quchong.differences.framed import named_apart_in_frame
from quchong.differences.inserted import may_turn_days
from quchong.differences.latin_names import latin_names_apart, may_be_names, wrote
from quchong.differences.latin_slips import slipped_names
from quchong.differences.marks import mark_tables
from quchong.differences.meaning import differing, opposed_at, opposing, words_at
from quchong.differences.modality import modality_differs
from quchong.differences.names import named_apart, names
from quchong.differences.negation import AFFIRMED, NEGATED, negated
from quchong.differences.phrasals import may_phrase, phrased_otherwise
from quchong.differences.places_by_form import may_be_places, places_apart
from quchong.differences.ranks import may_rank, ranked
from quchong.differences.replacements import replacements
from quchong.differences.same_names import same_name
from quchong.differences.shares import shares_apart
from quchong.differences.stretch_letters import letters_of
from quchong.differences.stretches import Stretches, Surroundings, stretches_of, widened
from quchong.differences.symbols import another_formula, are_formulas, contrary_symbols
from quchong.differences.terms import other_terms
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged
from quchong.kernels.differences import ReasonLimits
from quchong.kernels.sorting import code_table, distinct
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.tables import DIFFERENCES

WORDING, NOISE, BOILERPLATE, TERM, OPPOSITE, MODALITY = (
    DIFFERENCES.index(name) for name in ("wording", "noise", "boilerplate", "term", "opposite", "modality")
)
NAMES = tuple(DIFFERENCES.index(name) for name in ("person", "place", "organisation"))
"""Kinds of names."""
IS_NAME, _IS_WHOLE = code_table(NAMES), code_table(WHOLE)
"""Masks of kinds: the names; those that are reported with the whole fact."""
MARGIN = 8
"""Tokens around a difference that are read to classify it."""
UNIT = 4
"""Tokens after a figure in which its unit is looked for."""
NAME = 8
"""Most tokens of a stretch that may be a name."""
SCATTERED = 5
"""Number of different tokens replaced one by one at or above which a pair is a noisy copy; single characters are no names there."""
LIMITS = ReasonLimits(READ, ANCHORED, UNIT, NAME, SCATTERED, NEGATED)
BY_FIGURES, BY_LIST, BY_NEGATION, BY_NAME, BY_WORD, BY_SYMBOL, BY_FORMULA = 1, 2, 4, 8, 16, 32, 64
"""Reasons to read an edit, as bits from `quchong.kernels.differences.reasons`: it has figures, words of the lexicon, negations, a possible
name, other Latin words, symbols, or digits above and below the line.
Edits with only Latin words are read only if they have digits or are one letter: codes; or if both sides have a capital: names.
"""
BY_CLAUSE, BY_CAPITAL, BY_TERM = 128, 256, 512
"""Reasons found here: a clause in other words, in which a figure of the same thing may be another one; capitals on both sides; words that
may be replaced by others (`quchong.differences.replacements`).
"""
CERTAIN = 2
"""Value of an edit that is noise and needs no reading."""
REASONS = 1024
"""Number of combinations of these bits."""


def kinds_of(  # noqa: PLR0913 - the columns of edits
    form: Form, documents: Documents, tokens: tuple[Ragged, Ragged], left: np.ndarray, right: np.ndarray, edits: Edits,
    noise: np.ndarray, listed: EditTokens, workers: int | None,
) -> tuple[np.ndarray, np.ndarray, Stretches]:  # fmt: skip
    """Return kind (uint8) and conflict (bool) of every edit, and the differing texts; most edits are classified without reading.

    `tokens` are those of the documents, and the same as hashes of their letters (`Documents.hashed`). `noise` is 0 for an
    edit that is no slip, 1 for one that may be a slip, and CERTAIN for noise whatever it spells. `listed` says which lists the tokens of
    the edits are in.
    """
    # Without a reason to read it, an edit is noise or wording.
    kind = np.where(noise, NOISE, WORDING).astype(np.uint8)
    conflict = np.zeros(len(kind), bool)
    pairs = (*tokens, left, right, edits.pair)
    why = kernels.differences.reasons(
        *pairs, edits.places, edits.before + edits.after, noise, mark_tables(form.tables), LIMITS, workers
    ).astype(np.uint16)
    why[rewritten(tokens[0], left, right, edits)] |= BY_CLAUSE
    why[replacements(tokens[0], left, right, edits)] |= BY_TERM
    if listed.every:
        _add_reasons_of_lists(why, tokens[0], left, right, edits, listed)
    why[may_be_places(tokens[0], left, right, edits, noise)] |= BY_NAME
    why[noise == CERTAIN] = 0
    # Cut out the texts around the edits to read; Latin words matter only if they are codes (a digit, or one letter).
    read = why.nonzero()[0]
    stretches, around = stretches_of(form, documents, left, right, edits, read, MARGIN, workers)
    worded = (why[read] & BY_WORD).nonzero()[0]
    latin = read[worded]
    if len(worded):
        why[latin] |= _reasons_of_words(stretches, around, worded, latin)
    some = (why[read] & ~np.uint16(BY_WORD)).nonzero()[0]
    if not len(some):
        return kind, conflict, stretches
    read, (windows, written, sides) = read[some], around.distinct_windows(some)
    # Many copies differ from one text in the same way: equal questions are answered once.
    why &= ~np.uint16(BY_WORD)
    questions, which = _distinct_questions(sides, noise[read], why[read], len(windows))
    told, contrary = (answers[which] for answers in _answers(windows, written, questions))
    some = told != UNTOLD
    kind[read[some]], conflict[read[some]] = told[some], contrary[some]
    # A name that a noisy copy has with slips is no other name.
    named = read[some & contrary & IS_NAME[told] & ((why[read] & BY_CAPITAL) != 0)]
    if len(named):
        latin = np.union1d(latin, np.flatnonzero(noise == CERTAIN))  # slips show that a copy is noisy
        slips = slipped_names(edits.pair, stretches, named, latin)
        kind[slips], conflict[slips] = NOISE, False
    # Report whole facts: extend the stretches of figures, dates, words and names.
    stated = _IS_WHOLE[kind[read]].nonzero()[0]
    if not len(stated):
        return kind, conflict, stretches
    reach = extents(windows, sides[stated], kind[read[stated]])
    docs_of = (left[edits.pair], right[edits.pair])
    return kind, conflict, widened(documents.texts, docs_of, edits.pair, stretches, read[stated], reach)


def _add_reasons_of_lists(
    why: np.ndarray, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, listed: EditTokens
) -> None:
    """Add the reasons to read edits that have a listed token to the reasons `why`, in place."""
    why[may_deny(docs, left, right, edits, listed) | may_rank(docs, left, right, edits, listed)] |= BY_NEGATION
    if listed.every & (DIRECTS | ASKS | PHRASES | CHOOSES):
        why[may_direct(edits, listed) | may_ask(edits, listed)] |= BY_NEGATION
        why[may_phrase(edits, listed) | may_choose(edits, listed)] |= BY_NEGATION
    why[may_turn_days(docs, left, right, edits, listed)] |= BY_FIGURES
    why[may_call(docs, left, right, edits, listed)] |= BY_NAME


def _reasons_of_words(stretches: Stretches, around: Surroundings, worded: np.ndarray, edits: np.ndarray) -> np.ndarray:
    """Return for each edit of Latin words why it must be read, as bits, uint16: codes, formulas, and capitals of names.

    Args:
        worded: indices of the edits in `around`. edits: their indices in `stretches`.
    """
    some = pa.array(edits)
    mine, theirs = (letters_of(side.take(some)) for side in (stretches.left, stretches.right))
    out = np.where(mine.numbered & theirs.numbered, BY_FIGURES, 0).astype(np.uint16)
    out[mine.scripted | theirs.scripted] |= BY_FORMULA
    # CO and CO2: only one of them has a figure.
    lone = np.flatnonzero((mine.numbered != theirs.numbered) & mine.capitalised & theirs.capitalised)
    for k, one, other in zip(lone.tolist(), *stretches.written(edits[lone]), strict=True):
        if are_formulas(one, other):
            out[k] |= BY_FORMULA
    capital = np.flatnonzero(mine.capitalised & theirs.capitalised)
    if len(capital):
        out[capital[may_be_names(*around.originals(worded[capital]))]] |= BY_CAPITAL
    return out


_FEW = 64
"""Most questions whose distinct ones a dictionary of Python finds faster than sorting."""


def _distinct_questions(
    sides: np.ndarray, noise: np.ndarray, why: np.ndarray, windows: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct questions, (n, 4) int64, and the index of the question that each edit asks.

    A question is packed into one integer for sorting.
    """
    if len(sides) <= _FEW:
        asked = [*zip(*sides.T.tolist(), noise.tolist(), why.tolist(), strict=True)]
        known = sorted({*asked})
        number = {question: k for k, question in enumerate(known)}
        return np.array(known, np.int64).reshape(-1, 4), np.array([number[each] for each in asked], np.int64)
    keys = ((sides[:, 0] * windows + sides[:, 1]) * 2 + noise) * REASONS + why
    keys, which = np.unique(keys, return_inverse=True)
    both, reason = np.divmod(keys, REASONS)
    both, slip = np.divmod(both, 2)
    return np.column_stack([*np.divmod(both, max(windows, 1)), slip, reason]), which


UNTOLD = 255
"""Value in place of a kind: the edit gives no answer."""


def _answers(
    windows: Sequence[Window], written: Sequence[Window], questions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return kind (uint8) and conflict (bool) for each question about an edit; `written` are the windows of the original texts.

    A question is a row of four: its window left and right, whether it may be a slip, and why it is read, as bits.
    """
    kind, conflict = np.full(len(questions), UNTOLD, np.uint8), np.zeros(len(questions), bool)
    wanting: list[int] = []
    said = _may_say(windows, questions)
    # First the cheap answers, from patterns and lists; the tagger is asked only about the rest.
    for k, (a, b, noise, reason) in enumerate(questions.tolist()):
        told = _kind_by_facts(windows[a], windows[b], bool(noise), reason) if said[k] else None
        if told is not None:
            kind[k], conflict[k] = DIFFERENCES.index(told[0]), told[1]
        elif reason & BY_NAME:
            wanting.append(k)
        # Capitals tell names where neither figures nor lists tell a conflict; a date without one is a dateline.
        dated = told is not None and told[0] in ("date", "boilerplate")
        if (
            reason & BY_CAPITAL
            and not conflict[k]
            and not dated
            and (name := latin_names_apart(written[a], written[b])) is not None
        ):
            byline = wrote(written[a]) or spoken_of(windows[a]) or spoken_of(windows[b])
            kind[k], conflict[k] = (BOILERPLATE, False) if byline else (DIFFERENCES.index(name), True)
    asked_for_names = tuple(wanting)
    known: dict[int, dict[str, set[str]]] = {}
    # Names differ only if both sides have one: the right side is tagged only where the left side has a name, which is rare.
    for side in (0, 1):
        asked = [k for k in distinct(questions[wanting, side]).tolist() if k not in known]
        known.update(zip(asked, names([windows[k] for k in asked]), strict=True))
        wanting = [k for k in wanting if known[int(questions[k, side])]]
    for k, (a, b) in zip(wanting, questions[wanting, :2].tolist(), strict=True):
        if (name := named_apart(known[a], known[b])) is not None:
            if name == "person" and places_apart(windows[a], windows[b]):
                name = "place"
            kind[k], conflict[k] = _told_of_names(name, windows[a], windows[b])
    # Names that neither the tagger nor a list knows, by what stands around them.
    for k in asked_for_names:
        a, b = questions[k, :2].tolist()
        if kind[k] != UNTOLD:
            continue
        name = named_apart_in_frame(windows[a], windows[b], known.get(a, {}), known.get(b, {}))
        if places_apart(windows[a], windows[b]):
            name = "place"
        if name is not None:
            kind[k], conflict[k] = _told_of_names(name, windows[a], windows[b])
    # Last, and only where nothing else was told, another content word in the place of one.
    open_ = np.flatnonzero((kind == UNTOLD) & ((questions[:, 3] & BY_TERM) != 0))
    other = open_[other_terms(windows, questions[open_, :2], questions[open_, 2] != 0)]
    kind[other], conflict[other] = TERM, True
    # Of English words one may say the opposite of the other: locked, unlocked.
    latin = np.fromiter((w.text[w.start : w.start + 1].isascii() for w in windows), bool, len(windows))
    asked = open_[latin[questions[open_, 0]] & latin[questions[open_, 1]]]
    contrary = [k for k in asked.tolist() if contrary_words(windows[questions[k, 0]], windows[questions[k, 1]])]
    # A rank said of something in the place of another noun: the capital, the largest port.
    contrary += [k for k in open_.tolist() if claims_apart(windows[questions[k, 0]], windows[questions[k, 1]])]
    kind[contrary], conflict[contrary] = OPPOSITE, True
    return kind, conflict


def _told_of_names(name: str, mine: Window, theirs: Window) -> tuple[int, bool]:
    """Return kind and conflict of an edit whose sides have different names of the kind `name`; they may be aliases or bylines."""
    if spoken_of(mine) or spoken_of(theirs):
        return BOILERPLATE, False
    return DIFFERENCES.index(name), not same_name(mine, theirs)


def _may_say(windows: Sequence[Window], questions: np.ndarray) -> np.ndarray:
    """Return a mask of the questions that `_kind_by_facts` can answer; short ones that are read for names alone are left out."""
    lengths = np.fromiter((w.end - w.start for w in windows), np.int64, len(windows))
    a, b = lengths[questions[:, 0]], lengths[questions[:, 1]]
    reason = questions[:, 3] & ~np.int64(BY_TERM)
    stated = (reason & ~np.int64(BY_NAME | BY_CAPITAL)) != 0
    out: np.ndarray = stated | (np.minimum(a, b) >= ADVERTISED) | ((a == b) & (a > 2))
    out &= reason != 0  # what is read for a term alone states no fact
    return out


def _kind_by_facts(mine: Window, theirs: Window, noise: bool, reason: int) -> tuple[str, bool] | None:
    """Return kind and conflict of an edit by its figures, listed words, negations and titles; None if these give no answer."""
    # Advertisements and reordered lists first: figures and names in them are no facts of the text.
    if advertised(mine, theirs):
        return "boilerplate", False
    if listed_otherwise(mine.stretch, theirs.stretch):
        return "wording", False
    # A conflict of symbols or figures outranks words; such that agree are the answer only if no word differs.
    if reason & (BY_FIGURES | BY_LIST) and (apart := shares_apart(mine, theirs)) is not None:
        return "figure", apart
    facts = _kind_by_figures(mine, theirs, reason)
    if reason & BY_CLAUSE and reworded_apart(mine, theirs):
        facts = ("figure", True)
    if facts is not None and facts[1]:
        return facts
    found = _kind_by_lists(mine, theirs, noise) if reason & BY_LIST else None
    if found is None and reason & BY_NEGATION:
        found = _kind_by_negation(mine, theirs, noise)
    return found or facts


def _kind_by_negation(mine: Window, theirs: Window, noise: bool) -> tuple[str, bool] | None:
    """Return kind and conflict of an edit of which one side denies, undoes or need not do what the other states."""
    # A look-alike of a negation is taken for a slip (未, 末), unless it replaces an affirming word (已, 未).
    if negated(mine, theirs) and (not noise or AFFIRMED & {mine.stretch, theirs.stretch}):
        return "negation", True
    for kind, apart in (
        ("negation", denied),
        ("modality", modality_differs),
        ("modality", exempted),
        ("person", ranked),
        ("opposite", directed_otherwise),
        ("modality", asked_apart),
        ("opposite", links_otherwise),
        ("opposite", phrased_otherwise),
    ):
        if apart(mine, theirs):
            return kind, True
    return None


def _kind_by_figures(mine: Window, theirs: Window, reason: int) -> tuple[str, bool] | None:
    """Return kind and conflict of an edit by its symbols, figures, dates and codes, or None."""
    # Symbols alone come first, because the figures beside them are the same.
    contrary = contrary_symbols(mine, theirs) if reason & BY_SYMBOL else None
    if contrary is not None and not any(c.isalnum() for c in mine.stretch + theirs.stretch):
        return "symbol", contrary
    facts = contradiction(mine, theirs) if reason & BY_FIGURES else None
    if (facts is None or not facts[1]) and (contrary or (reason & BY_FORMULA and another_formula(mine, theirs))):
        return "symbol", True
    return facts


def _kind_by_lists(mine: Window, theirs: Window, noise: bool) -> tuple[str, bool] | None:
    """Return kind and conflict of an edit whose sides have different or opposite words of one list; None if not. `noise`: may be a slip."""
    here = words_at(mine)
    there = words_at(theirs) if here else {}
    both = here.keys() & there.keys()
    for name, kind in (("places", "place"), ("bodies", "organisation")):
        if name in both and differing(mine, theirs, here[name], there[name]):
            told, conflict = _told_of_names(kind, mine, theirs)
            return DIFFERENCES[told], conflict
    if "opposites" in both and opposed_at(mine, theirs, here["opposites"], there["opposites"]):
        stated = {
            kinds_of_alternatives().get(word, "opposite") for word in opposing(here["opposites"], there["opposites"])
        }
        return stated.pop() if len(stated) == 1 else "opposite", True
    # A Chinese word of one character is found only where it is the whole stretch; 将于 and 已在 are read all the same.
    if ("opposites" in both or not mine.stretch.isascii()) and modality_differs(mine, theirs):
        return "modality", True
    if not noise and "titles" in both and differing(mine, theirs, here["titles"], there["titles"]):
        if titled_apart(mine, theirs, here["titles"], there["titles"]):
            return "person", True
        return "title words", False
    return None

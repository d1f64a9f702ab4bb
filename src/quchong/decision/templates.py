"""Decisions about records on one template: two that fill a slot differently are no copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

import numpy as np
import pyarrow as pa

from quchong.decision.documents import pair_codes
from quchong.decision.expansion import ClassPairs, numbers_of_lists
from quchong.decision.reprints import are_reprints
from quchong.decision.same_records import differ_in_slips
from quchong.decision.template_table import template_table
from quchong.differences.rearranged import has_lines, same_parts
from quchong.differences.windows import dictionary_forms
from quchong.frames.filling import Filled, fill
from quchong.frames.finding import find_frames
from quchong.frames.likeness import look_alike
from quchong.frames.payloads import conflicts, equal_fillers, filler_keys, meetings, payload_bags, same_payloads
from quchong.frames.rarities import meetings_by_rarities
from quchong.kernels.arrays import Ragged
from quchong.kernels.graph import components
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import distinct, ordered
from quchong.kernels.text import Form, take_tokens
from quchong.plan.plan import Plan
from quchong.seam import CROWD, Differences, Documents, active_differences, template_pairs
from quchong.tables import FIELD


def reads_templates(plan: Plan) -> bool:
    """Return True if a run looks for templates: the plan asks for them, and the method examines differences and can tell slots apart."""
    if plan.templates == "remove":
        return False
    steps = active_differences(plan.method)
    searches = steps is not None and hasattr(steps, "template_pairs") and bool(steps.counted & FIELD)
    return searches and plan.method.form is not None


def joins_compared(plan: Plan) -> bool:
    """Return True if a run also puts classes without a scored pair into frames (`compared_in_vain`)."""
    return reads_templates(plan) and not plan.method.traits.needs


def settled(found: ClassPairs, pairs: np.ndarray, bit: int = FIELD) -> ClassPairs:
    """Return the pairs of classes with those of the mask `pairs` decided by their fillers (fact `bit`), and no longer open.

    Their other differences are not examined, as these decide nothing.

    Args:
        bit: FIELD for pairs that fill a slot otherwise, SAME_PAYLOAD for pairs that say the same on two templates.
    """
    some = np.flatnonzero(pairs)
    if not len(some):
        return found
    measures, list_of = dict(found.measures), numbers_of_lists(found).copy()
    for name, values in Differences.none(len(some)).measures.items():
        measures[name] = measures[name].copy()
        measures[name][some] = values
    measures["told"][some], measures["facts"][some], list_of[some] = True, bit, -1
    return replace(
        found, measures=measures, list_of=None if found.differences is None and found.open is None else list_of,
        open=None if found.open is None else found.open & ~pairs,
    )  # fmt: skip


def compared_in_vain(
    found: ClassPairs, left: np.ndarray, right: np.ndarray, numbers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes that were compared and are in no scored pair, and for each the first scored class it was compared with.

    Noise breaks so many shingles of a copy in a large family that it is alike none of the few records it was compared with. It belongs to
    their family anyway, where it may meet its record.

    Args:
        found: scored pairs. left, right: int64, all pairs that were compared.
        numbers: int64, number of each class in the order of ids, of which the least partner is the first.

    Returns:
        Numbers of the classes, ascending, and of their partners, int64. Cost: O(pairs).
    """
    paired = np.zeros(len(numbers), bool)
    paired[found.left] = paired[found.right] = True
    one, other = np.flatnonzero(paired[left] & ~paired[right]), np.flatnonzero(~paired[left] & paired[right])
    alone, partner = numbers[np.append(right[one], left[other])], numbers[np.append(left[one], right[other])]
    order = ordered(alone, partner)
    order = order[first_of_runs(alone[order])]
    return alone[order], partner[order]


Take = Callable[[np.ndarray], Documents]
"""Function that returns classes, by their numbers, as documents."""
LARGE = 16
"""Classes of a component beyond which texts that were compared with none are looked at, as they may be on one of its frames."""
READ_AT_ONCE = 1 << 12
"""Pairs whose texts are compared at once."""


_RUNS_ON = frozenset(" \t\u3000'\"\u2018\u2019\u201c\u201d`-:\uff1a")
"""Characters that may separate two words of one sentence, or a label from its value."""


def line_breaks(form: Form, take: Take, classes: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Return a mask of the tokens of classes that follow a line break or a punctuation mark.

    Args:
        form: form in which texts become tokens.
        take: function that returns classes as documents.
        classes, tokens: int64, classes and the number of a token of each, from 1 on.

    Cost: the texts of these classes are normalised once more.
    """
    out = np.ones(len(classes), bool)
    order = np.argsort(classes, kind="stable")
    for begin in range(0, len(order), READ_AT_ONCE):
        some = order[begin : begin + READ_AT_ONCE]
        which, index = np.unique(classes[some], return_inverse=True)
        # The token before, with a margin of one: what stands behind it up to the first letter or figure is the space between the two.
        found = take(which).stretches(form, index, tokens[some] - 1, tokens[some], np.ones(len(some), np.uint8))
        ends = (found.places[:, 2] - found.places[:, 0]).tolist()
        for k, window, end in zip(some.tolist(), found.windows.to_pylist(), ends, strict=True):
            space = "".join(takewhile(lambda c: not c.isalnum(), window[end:]))
            out[k] = not _RUNS_ON.issuperset(space)
    return out


@dataclass(frozen=True)
class FilledClasses:
    """Frames among classes, and what fills their slots; the same for any engine.

    Attributes:
        filled: frames and fillers of the classes.
        component: int64 for each class, the component among whose frames it is looked for.
        form: form in which texts become tokens.
        take: function that returns classes as documents.
        family: int64 for each class, the least class that any scored pairs connect with it, or with the partner it was compared with in
            vain; None if no further pairs are asked for.
        large: bool per frame, True if more than LARGE classes are connected in its component.
    """

    filled: Filled
    component: np.ndarray
    form: Form
    take: Take
    family: np.ndarray | None = None
    large: np.ndarray | None = None

    @staticmethod
    def find(
        plan: Plan, found: ClassPairs, size: np.ndarray, take: Take, beside: tuple[np.ndarray, np.ndarray] | None = None,
        alone: np.ndarray | None = None,
    ) -> FilledClasses:  # fmt: skip
        """Find the frames among pairs of classes that may be copies.

        Args:
            found: pairs of classes that are numbered in the order of ids, so that the result does not depend on the order of the input.
            size: int64, bytes of each class.
            beside: result of `compared_in_vain`: classes that are put into frames of the partner's component.
            alone: int64, ascending, all other classes in no scored pair: those that look like a frame of a large component are put into
                frames of it (`quchong.frames.likeness`).
        """
        form, workers = plan.method.form, plan.workers
        assert form is not None

        def read(some: np.ndarray) -> Ragged:
            return take(some).hashed(form, workers)

        steps = active_differences(plan.method)
        assert steps is not None
        chosen = template_pairs(steps, found.measures)
        assert chosen is not None
        some = np.flatnonzero(chosen)
        breaks = partial(line_breaks, form, take)
        reprints = partial(are_reprints, steps, take, workers=workers)
        frames, label = find_frames(
            len(size), found.left[some], found.right[some], size, read, workers, breaks, reprints
        )
        family = components(len(size), found.left, found.right)
        large = np.bincount(label, minlength=len(size))[frames.component] > LARGE
        nothing = np.zeros(0, np.int64)
        joined = [(nothing, nothing) if beside is None else beside]
        if alone is not None and large.any():
            models = np.flatnonzero(large)
            models = models[ordered(frames.model[models])]
            docs, like = look_alike(take_tokens(frames.tokens, models), size[frames.model[models]], alone, size, read)
            joined.append((docs, frames.model[models[like]]))
        for classes, partner in joined:
            for labels in (label, family):
                labels[classes] = labels[partner]
        return FilledClasses(fill(frames, label, size, read, workers), label, form, take, family, large)

    def large_models(self) -> np.ndarray:
        """Return the classes that are models of the frames of large components, int64."""
        models: np.ndarray = self.filled.frames.model if self.large is None else self.filled.frames.model[self.large]
        return models

    def conflicts(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs of classes that fill a slot otherwise.

        Records with the same lines or the same JSON in another order fill none otherwise, nor if one of them has lines more.
        """
        mask = conflicts(self.filled, left, right, partial(line_breaks, self.form, self.take))
        some = np.flatnonzero(mask)
        if not len(some):
            return mask
        bags, inside = self.filled.bag, payload_bags(self.filled)
        a, b = left[some], right[some]
        same = some[(bags[a] == bags[b]) | ((inside[a] == inside[b]) & (inside[a] != 0))]
        for begin in range(0, len(same), READ_AT_ONCE):
            some = same[begin : begin + READ_AT_ONCE]
            classes, index = np.unique(np.concatenate([left[some], right[some]]), return_inverse=True)
            documents = self.take(classes)
            texts = dictionary_forms([documents.texts.text(k) for k in range(len(classes))])
            sides = zip(index[: len(some)].tolist(), index[len(some) :].tolist(), strict=True)
            mask[some] = [not (same_parts(texts[a], texts[b]) or has_lines(texts[a], texts[b])) for a, b in sides]
        return mask

    def meetings(self, size: np.ndarray, workers: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of classes that meet by what fills their slots, or by what is rare in a family of more than CROWD classes.

        Left < right, each pair once, sorted (`quchong.frames.payloads.meetings`, `quchong.frames.rarities.meetings_by_rarities`).

        Args:
            size: int64, bytes of each class.
        """
        left, right = meetings(self.filled)
        if self.family is None:
            return left, right

        def read(some: np.ndarray) -> Ragged:
            return self.take(some).hashed(self.form, workers)

        a, b = meetings_by_rarities(self.family, CROWD + 1, size, read)
        codes = distinct(np.concatenate([pair_codes(left, right, len(size)), pair_codes(a, b, len(size))]))
        return codes // len(size), codes % len(size)

    def same_fields(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the pairs of classes on one template with equal fillers in all slots and slips elsewhere (`differ_in_slips`).

        Left < right, each pair once, sorted. A class is paired with the first ones that fill the slots so.
        """
        left, right = equal_fillers(self.filled)
        kept = self._with_slips(left, right)
        return left[kept], right[kept]

    def are_same_fields(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs of classes on one template that fill all its slots alike and have slips elsewhere."""
        keys = filler_keys(self.filled)
        out: np.ndarray = (keys[left] == keys[right]) & (keys[left] != 0)
        some = np.flatnonzero(out)
        out[some] = self._with_slips(left[some], right[some])
        return out

    def _with_slips(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs of classes of one frame that differ in slips."""
        out = np.zeros(len(left), bool)
        for begin in range(0, len(left), READ_AT_ONCE):
            here = slice(begin, begin + READ_AT_ONCE)
            frame = self.filled.frame[left[here]]
            classes, index = np.unique(np.concatenate([left[here], right[here]]), return_inverse=True)

            def seldom(pairs: np.ndarray, words: np.ndarray, frame: np.ndarray = frame) -> np.ndarray:
                return self.filled.seldom(frame[pairs], words)

            one, other = np.split(index, 2)
            out[here] = differ_in_slips(self.form, self.take(classes), one, other, seldom)
        return out

    def same_payloads(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the pairs of classes that say the same on different templates (`quchong.frames.payloads.same_payloads`)."""
        return same_payloads(self.filled)

    def table(self, ids: pa.Array, copies: np.ndarray) -> pa.Table:
        """Return the table TEMPLATES, given the id of the first document of each class and the number of its documents."""
        return template_table(self.filled, self.form, ids, copies, self.take)

"""Base class of filters of exact repeats."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from quchong.errors import InputError, UsageError
from quchong.kernels.arrays import Texts
from quchong.kernels.elements import RAW, STRICT, Element, TextColumn, batches
from quchong.sketches.statefile import State, read_state, write_state

Mask = NDArray[np.bool_]
BATCH = 1 << 16
"""Texts hashed before they are looked up: bounds the memory beside the filter to a few megabytes."""


@dataclass(frozen=True, eq=False)
class FirstSeenFilter(ABC):
    """Tells which texts were there before, and takes in the others. The parameters are frozen, the contents grow.

    Answers depend on the order of texts and on nothing else: not on batches, not on threads. A text that was there is
    always found; `expected_wrongly_removed` says how many new ones are to be expected among those found.
    """

    name: ClassVar[str]
    _tally: list[int] = field(default_factory=lambda: [0, 0], init=False, repr=False)

    @property
    def form(self) -> Element:
        """The form in which texts are compared."""
        raise NotImplementedError

    def seen(self, texts: TextColumn, workers: int | None = None) -> Mask:
        """True for every text that was there before, earlier in `texts` included; the others are taken in.

        A text of which nothing is left in its form (no character but white space) is never there and never taken in.

        Args:
            texts: an Arrow string column, or a sequence of str; no nulls.
            workers: threads that hash; None for all processors. The answer does not depend on it.
        """
        parts = [self._tallied(self._answer(views, workers)) for views in batches(texts, BATCH)]
        return np.concatenate(parts) if parts else np.zeros(0, bool)

    @abstractmethod
    def _answer(self, texts: Texts, workers: int | None) -> Mask: ...

    @property
    def refuted(self) -> int | None:
        """Hits that were looked at again and were wrong; None for a filter that looks at none again."""
        return None

    def _tallied(self, mask: Mask) -> Mask:
        self._tally[0] += len(mask)
        self._tally[1] += int(mask.sum())
        return mask

    @property
    def tested(self) -> int:
        """Texts asked about."""
        return self._tally[0]

    @property
    def found(self) -> int:
        """Texts said to have been there before."""
        return self._tally[1]

    @property
    @abstractmethod
    def count(self) -> int:
        """Texts taken in."""

    @property
    @abstractmethod
    def memory_bytes(self) -> int:
        """Memory of the contents."""

    @property
    @abstractmethod
    def expected_wrongly_removed(self) -> float:
        """New texts to be expected among those said to have been there, over the filter's whole life: whether any were or not."""

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """All parameters, as JSON."""

    @abstractmethod
    def _contents(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        """Numbers and arrays that make the contents again."""

    @abstractmethod
    def _refill(self, numbers: dict[str, Any], sections: list[np.ndarray]) -> None:
        """Takes up what `_contents` gave."""

    @classmethod  # noqa: B027 - most filters are small when empty
    def _check_sizes(cls, settings: dict[str, Any], sections: Sequence[np.ndarray]) -> None:
        """Before memory is taken: raises ValueError where a filter of these settings is larger than the state's sections."""

    @classmethod
    def _build(cls, settings: dict[str, Any], form: Element) -> Self:
        """An empty filter of these settings."""
        return cls(**settings, form=form)  # type: ignore[call-arg]

    def state(self) -> State:
        """Everything, to be written or looked at."""
        numbers, sections = self._contents()
        return State(self.name, self.settings(), numbers | {"tally": list(self._tally)}, sections)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the state; a file of that name is replaced as a whole or not at all.

        Raises:
            OutputError: the place cannot be written.
        """
        write_state(self.state(), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], form: Element | None = None) -> Self:
        """The filter a file holds. `form` is needed where texts are compared in the loose form.

        Raises:
            InputError: no such file, no state of ours, or damaged.
            UsageError: the state of another kind of filter, or of another form or version of it.
        """
        return cls.from_state(read_state(path), str(path), form)

    @classmethod
    def from_state(cls, state: State, shown: str, form: Element | None = None) -> Self:
        """The filter a state describes; `shown` names it in errors."""
        if state.kind != cls.name:
            raise UsageError("{} holds a filter of kind {}, not {}: load it as that", shown, state.kind, cls.name)
        try:
            settings, numbers = dict(state.settings), dict(state.numbers)
            cls._check_sizes(dict(settings), state.sections)
            made = cls._build(settings, _form_of(settings, form, shown))
            tally = numbers.pop("tally")
            made._refill(numbers, list(state.sections))
            made._tally[:] = [int(tally[0]), int(tally[1])]
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
            raise InputError("{} holds no state of a {} filter that makes sense: {}", shown, cls.name, error) from error
        return made


def _form_of(settings: dict[str, Any], form: Element | None, shown: str) -> Element:
    kind, version = settings.pop("form"), settings.pop("form_version")
    if form is None:
        known = {RAW.kind: RAW, STRICT.kind: STRICT}.get(kind)
        if known is None:
            raise UsageError("{} compares texts in the {} form: give it, quchong.text.element({!r})", shown, kind, kind)
        form = known
    if (form.kind, form.version) != (kind, version):
        raise UsageError(
            "{} was made for the {} form, version {}, not {}, version {}: ask for the same form, or start "
            "again with another state",
            shown,
            kind,
            version,
            form.kind,
            form.version,
        )
    return form


def form_settings(form: Element) -> dict[str, Any]:
    """The form, as settings name it."""
    return {"form": form.kind, "form_version": form.version}

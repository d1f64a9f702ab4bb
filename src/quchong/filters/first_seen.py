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
from quchong.filters.state_file import State, read_state, write_state
from quchong.kernels.arrays import Texts
from quchong.kernels.elements import RAW, STRICT, Element, TextColumn, batches

Mask = NDArray[np.bool_]
BATCH = 1 << 16
"""Texts hashed before they are looked up, which bounds the memory besides the filter to a few megabytes."""


@dataclass(frozen=True, eq=False)
class FirstSeenFilter(ABC):
    """A filter that reports which texts it has seen before, and adds the others. Parameters are frozen, contents grow.

    Answers depend on the order of texts and on nothing else: not on batches, not on threads. A text seen before is always found;
    `expected_wrongly_removed` is the expected number of new texts among those found.
    """

    name: ClassVar[str]
    _tally: list[int] = field(default_factory=lambda: [0, 0], init=False, repr=False)

    @property
    def form(self) -> Element:
        """Form in which texts are compared."""
        raise NotImplementedError

    def seen_before(self, texts: TextColumn, workers: int | None = None) -> Mask:
        """Return True for every text seen before, earlier in `texts` included, and add the others to the filter.

        A text whose form is empty (only white space) is never found and never added.

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
        """Number of hits that a second check refuted, or None for a filter without such a check."""
        return None

    def _tallied(self, mask: Mask) -> Mask:
        self._tally[0] += len(mask)
        self._tally[1] += int(mask.sum())
        return mask

    @property
    def tested(self) -> int:
        """Number of texts tested so far."""
        return self._tally[0]

    @property
    def seen_count(self) -> int:
        """Number of texts reported as seen before."""
        return self._tally[1]

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of texts added to the filter."""

    @property
    @abstractmethod
    def memory_bytes(self) -> int:
        """Size of the contents in bytes."""

    @property
    @abstractmethod
    def expected_wrongly_removed(self) -> float:
        """Expected number of new texts among those reported as seen, over the filter's whole life."""

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Return all parameters of the filter by name, as values that JSON can store."""

    @abstractmethod
    def _contents(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        """Return the contents of the filter, numbers by name and arrays, from which `_refill` restores them."""

    @abstractmethod
    def _refill(self, numbers: dict[str, Any], sections: list[np.ndarray]) -> None:
        """Restore the contents of the filter from the values that `_contents` returned."""

    @classmethod  # noqa: B027 - most filters are small when empty
    def _check_sizes(cls, settings: dict[str, Any], sections: Sequence[np.ndarray]) -> None:
        """Raise ValueError, before memory is allocated, if a filter of these settings is larger than the state's sections."""

    @classmethod
    def _build(cls, settings: dict[str, Any], form: Element) -> Self:
        """Build an empty filter from its parameters by name, and the form in which it compares texts."""
        return cls(**settings, form=form)  # type: ignore[call-arg]

    def state(self) -> State:
        """Return the complete state of the filter, to be saved or inspected."""
        numbers, sections = self._contents()
        return State(self.name, self.settings(), numbers | {"tally": list(self._tally)}, sections)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a file, atomically.

        Raises:
            OutputError: the place cannot be written.
        """
        write_state(self.state(), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], form: Element | None = None) -> Self:
        """Read a filter from a state file. `form` is needed if texts are compared in the loose form.

        Raises:
            InputError: the file does not exist, is no state file, or is damaged.
            UsageError: the state of another kind of filter, or of another form or version of it.
        """
        return cls.from_state(read_state(path), str(path), form)

    @classmethod
    def from_state(cls, state: State, shown: str, form: Element | None = None) -> Self:
        """Build the filter that a state describes; `shown` names it in errors."""
        if state.kind != cls.name:
            raise UsageError(
                "{} contains a filter of kind {}, not {}: load the right kind", shown, state.kind, cls.name
            )
        try:
            settings, numbers = dict(state.settings), dict(state.numbers)
            cls._check_sizes(dict(settings), state.sections)
            made = cls._build(settings, _form_of(settings, form, shown))
            tally = numbers.pop("tally")
            made._refill(numbers, list(state.sections))
            made._tally[:] = [int(tally[0]), int(tally[1])]
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
            raise InputError(
                "{} has no usable state of a {} filter ({}): start again with another state file",
                shown,
                cls.name,
                error,
            ) from error
        return made


def _form_of(settings: dict[str, Any], form: Element | None, shown: str) -> Element:
    kind, version = settings.pop("form"), settings.pop("form_version")
    if form is None:
        known = {RAW.kind: RAW, STRICT.kind: STRICT}.get(kind)
        if known is None:
            raise UsageError(
                "{} compares texts in the {} form: convert the text with quchong.text.element({!r})", shown, kind, kind
            )
        form = known
    if (form.kind, form.version) != (kind, version):
        raise UsageError(
            "{} was made for the {} form, version {}, not {}, version {}: use the same form, or start again with "
            "another state file",
            shown,
            kind,
            version,
            form.kind,
            form.version,
        )
    return form


def form_settings(form: Element) -> dict[str, Any]:
    """Return the kind and version of the form in which a filter compares texts, as its settings store them."""
    return {"form": form.kind, "form_version": form.version}

"""Construction of filters of exact repeats by name, new or from a state file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quchong.errors import Param, UsageError
from quchong.filters import Bloom, Confirmed, DigestSet, DigitTrie, FirstSeenFilter, PrintedBloom, read_state
from quchong.languages import AND, OR, Message, join_messages
from quchong.parameters import check_values
from quchong.parameters.filters import CAPACITY, CONFIRM, ERROR_RATE, FILTER, FILTER_BITS, FILTER_MODE, FORM, HASH, UNIT
from quchong.text import element

KINDS: dict[str, type[FirstSeenFilter]] = {
    kind.name: kind for kind in (Bloom, PrintedBloom, DigitTrie, DigestSet, Confirmed)
}
_TAKES = {
    "bloom": ("capacity", "error_rate"),
    "bloom-printed": ("bits", "filter_mode", "unit"),
    "trie": ("hash", "filter_mode", "unit"),
    "digest": (),
}
_MODES = {"bloom-printed": ("all", "any"), "trie": ("end-mark", "literal")}


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """Choice of a filter of exact repeats and its parameters; None for each one not given.

    Args:
        filter: "bloom", "trie" or "digest"; default bloom, which with `bits` or `filter_mode` is the filter as Gao 2014 prints it.
        capacity, error_rate: see `Bloom`.
        bits: see `PrintedBloom`.
        filter_mode: "all" or "any" (`PrintedBloom`), "end-mark" or "literal" (`DigitTrie`).
        hash: "h64" or "bkdr" (`DigitTrie`).
        unit: "utf8" or "utf16" (`PrintedBloom`, `DigitTrie`).
        form: "strict", "loose" or "raw"; default strict.
        confirm: see `Confirmed`.
        called: names of parameters in messages, where a method calls them otherwise: {"bits": "filter_bits"}.

    Raises:
        UsageError: an unknown name, a parameter the filter does not have, or one out of range.
    """

    filter: str | None = FILTER(None)
    capacity: int | None = CAPACITY(None)
    error_rate: float | None = ERROR_RATE(None)
    bits: int | None = FILTER_BITS(None)
    filter_mode: str | None = FILTER_MODE(None)
    hash: str | None = HASH(None)
    unit: str | None = UNIT(None)
    form: str | None = FORM(None)
    confirm: bool = CONFIRM(False)
    called: Mapping[str, str] = field(
        default_factory=dict, repr=False, compare=False, metadata={"fitted": True}
    )  # by a method

    def __post_init__(self) -> None:
        check_values(self)
        if self.kind is None:
            return
        for name in ("capacity", "error_rate", "bits", "filter_mode", "hash", "unit"):
            if getattr(self, name) is not None and name not in _TAKES[self.kind]:
                takers = join_messages([self._shown(k) for k, v in _TAKES.items() if name in v], OR)
                raise UsageError(
                    "{} is for {}, not for {}: leave out one of the two",
                    self._param(name),
                    takers,
                    self._shown(self.kind),
                )
        if self.filter_mode is not None and self.filter_mode not in _MODES[self.kind]:
            modes = join_messages(_MODES[self.kind], AND)
            raise UsageError("{} allows the modes {}, not {}", self._shown(self.kind), modes, self.filter_mode)
        if self.confirm and self.kind == "digest":
            raise UsageError("a digest filter is exact, so confirmation is not needed; leave out {}", Param("confirm"))

    @property
    def kind(self) -> str | None:
        """Kind of filter that the choice asks for; None if nothing given determines it."""
        if self.filter in ("trie", "digest"):
            return self.filter
        if self.bits is not None or self.filter_mode in ("all", "any"):
            return "bloom-printed"
        if self.filter is None and (self.hash is not None or self.filter_mode is not None):
            raise UsageError("{}, and the modes end-mark and literal, are for {}", Param("hash"), self._shown("trie"))
        if self.capacity is not None or self.error_rate is not None:
            return "bloom"
        return self.filter

    def _param(self, name: str, value: Any = None) -> Param:
        known = self.called.get(name, name)
        return Param(known) if value is None else Param(known, value)

    def _shown(self, kind: str) -> Message:
        if kind == "bloom-printed":
            return Message(
                "the Bloom filter as printed in the paper ({}, {})", self._param("bits"), self._param("filter_mode")
            )
        return Message("{}", self._param("filter", kind))

    @property
    def parameters(self) -> dict[str, Any]:
        """Given parameters, as the settings of the filter name them."""
        names = ("capacity", "error_rate", "bits", "filter_mode", "hash", "unit", "form")
        said = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        if self.kind == "trie" and "filter_mode" in said:
            said["end_mark"] = said.pop("filter_mode") == "end-mark"
        return said

    def build(self) -> FirstSeenFilter:
        """Build a new, empty filter."""
        said = self.parameters | {"form": element(self.form or "strict")}
        made = KINDS[self.kind or "bloom"](**said)
        return Confirmed(made) if self.confirm else made

    def open(self, path: Path) -> FirstSeenFilter:
        """Read a filter from a state file; it must agree with the parameters given.

        Raises:
            InputError: the file is damaged or no state.
            UsageError: it holds another filter than asked for.
        """
        state = read_state(path)
        if state.kind not in KINDS:
            raise UsageError(
                "{} contains a filter of kind {!r}, which this version of quchong does not know: upgrade quchong",
                Param("state", str(path)),
                state.kind,
            )
        settings = dict(state.settings)
        kind = settings.get("filter", state.kind)
        # a bare `--filter bloom` means either Bloom filter
        same = self.kind is None or self.kind == kind or (self.kind == "bloom" and kind == "bloom-printed" and not
               (self.capacity or self.error_rate))  # fmt: skip
        if not same:
            raise _other(path, "filter", kind, self.kind)
        for name, value in self.parameters.items():
            if settings.get(name) != value:
                raise _other(path, name, settings.get(name), value)
        if self.confirm and state.kind != "confirmed":
            raise UsageError(
                "{} has no digests for confirming hits: start again with another state file", Param("state", str(path))
            )
        return KINDS[state.kind].from_state(state, f"the state {path}", element(str(settings.get("form"))))


def _other(path: Path, name: str, there: Any, asked: Any) -> UsageError:
    if name == "end_mark":  # a trie keeps as a switch what its user gave as a mode
        name, there, asked = "filter_mode", *("end-mark" if mark else "literal" for mark in (there, asked))
    return UsageError(
        "{} was made with {}, not {}: leave out the option, or start again with another state file",
        Param("state", str(path)),
        Param(name, there),
        asked,
    )

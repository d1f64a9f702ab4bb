"""Statistics and noise that a method counted on a corpus, and its templates, as values that are stored without the method.

A resuming process, or an index that documents join one at a time, makes the method anew and sets these fields: document frequencies of
features (`FeatureStatistics`), the order of prefixes made of them, and noise (`Noise`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

import numpy as np

from quchong.features.periods import Noise, TakenOut
from quchong.features.statistics import FeatureStatistics
from quchong.frames.fillers import Slots
from quchong.frames.filling import Filled, KnownFillers, fill
from quchong.frames.finding import Frames, Read
from quchong.kernels.arrays import Ragged
from quchong.outputs import OwnFolder
from quchong.seam import Documents, Method, with_statistics
from quchong.work import Damaged, Kind, Kinds, Unencodable
from quchong.work.checks import check_array, check_type, check_within
from quchong.work.values import read_value, write_value


def fitted_fields(method: Method, fitted: Method) -> dict[str, Any]:
    """Return the fields that `with_statistics` set, by name; empty if it returned the method itself.

    If the method is not a dataclass or its type has changed, the whole fitted method is returned under the name "". Values that no
    file can store, such as objects of another package, raise an error only when they are written.
    """
    if fitted is method:
        return {}
    if type(fitted) is not type(method) or not is_dataclass(method):
        return {"": fitted}
    values = {one.name: getattr(fitted, one.name) for one in fields(fitted)}
    return {name: value for name, value in values.items() if value is not getattr(method, name)}


def with_fields(method: Method, found: Mapping[str, Any]) -> Method:
    """Return the method with the fields `found` replaced, which `fitted_fields` returned."""
    if not found:
        return method
    if "" in found:
        whole: Method = found[""]
        return whole
    made: Method = replace(method, **found)  # type: ignore[type-var] # a dataclass
    return made


def check_fields(method: Method, found: Any) -> None:
    """Raise Damaged unless `found` is a dictionary whose keys are fields of the method."""
    check_type(found, dict)
    known: set[str] = {one.name for one in fields(method)} if is_dataclass(method) else set()
    if not known.issuperset(found):
        raise Damaged("a method without these fields")


@dataclass(frozen=True, slots=True)
class FrozenStatistics:
    """Statistics and noise that a method counted on a corpus.

    Attributes:
        method: name of the method.
        counted: the counted values, by the name of the field of the method; empty for a method that counts nothing.
        headers: uint64, shingles of the headers that many documents of the corpus share (`quchong.decision.headers`), ascending.
    """

    method: str
    counted: Mapping[str, Any]
    headers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))

    @staticmethod
    def count(method: Method, documents: Documents, workers: int | None = None) -> FrozenStatistics:
        """Count the statistics of a method on documents, one per exact class."""
        return FrozenStatistics(method.name, fitted_fields(method, with_statistics(method, documents, workers)))

    def applied(self, method: Method) -> Method:
        """Return a method with these statistics; it counts nothing any more.

        Raises:
            Damaged: the statistics are those of another method, or of fields that the method does not have.
            UsageError: they were counted on texts prepared otherwise.
        """
        if method.name != self.method:
            raise Damaged(f"statistics of {self.method}, not of {method.name}")
        check_fields(method, self.counted)
        return with_fields(method, self.counted)

    def save(self, folder: OwnFolder, name: str) -> int:
        """Write the statistics to a file of a folder, atomically; return its size in bytes (`quchong.work.values`).

        Raises:
            OSError: there is no room, or no permission.
            Unencodable: the method has statistics of a type of another package.
        """
        return write_value(folder, name, [self.method, dict(self.counted), self.headers], STATISTICS_KINDS_ALONE)

    @staticmethod
    def load(folder: OwnFolder, name: str) -> FrozenStatistics:
        """Read statistics that `save` wrote; arrays are mapped and read-only, and nothing of the file is executed.

        Raises:
            Damaged: the file is incomplete, or contains what no statistics are.
            OSError: the file cannot be read.
        """
        found = read_value(folder, name, STATISTICS_KINDS_ALONE)
        check_type(found, list)
        if len(found) != 3:
            raise Damaged("statistics that are none")
        method, counted, headers = found
        check_type(method, str)
        check_type(counted, dict)
        check_headers(headers)
        return FrozenStatistics(method, counted, headers)


def check_headers(headers: Any) -> None:
    """Raise Damaged unless `headers` are shingles of headers: uint64, ascending, distinct."""
    check_array(headers, np.uint64)
    if (headers[1:] <= headers[:-1]).any():
        raise Damaged("headers out of order")


@dataclass(frozen=True, slots=True)
class FrozenTemplates:
    """Templates of a corpus: frames, and the fillers that several documents have. Later documents are compared by them one at a time.

    Attributes:
        frames: the frames.
        known: fillers of at least two documents, by slot.
    """

    frames: Frames
    known: KnownFillers

    @staticmethod
    def freeze(filled: Filled) -> FrozenTemplates:
        """Freeze the frames of a corpus, with what its documents have in their slots."""
        return FrozenTemplates(filled.frames, KnownFillers.count(filled) if filled.known is None else filled.known)

    def fill(self, label: np.ndarray, size: np.ndarray, read: Read, workers: int | None = None) -> Filled:
        """Return the fillers of each document in the slots of its frame, found without the other documents.

        Args:
            label: int64, component that each document belongs to: that of documents it is alike, as the corpus numbered it; -1 for none.
            size, read, workers: see `quchong.frames.filling.fill`.
        """
        return fill(self.frames, label, size, read, workers, self.known)

    def save(self, folder: OwnFolder, name: str) -> int:
        """Write the templates to a file of a folder, atomically; return its size in bytes.

        Raises:
            OSError: there is no room, or no permission.
        """
        return write_value(folder, name, [self.frames, self.known], STATISTICS_KINDS_ALONE)

    @staticmethod
    def load(folder: OwnFolder, name: str) -> FrozenTemplates:
        """Read templates that `save` wrote; nothing of the file is executed.

        Raises:
            Damaged: the file is incomplete, or contains what no templates are.
            OSError: the file cannot be read.
        """
        found = read_value(folder, name, STATISTICS_KINDS_ALONE)
        check_type(found, list)
        if len(found) != 2:
            raise Damaged("templates that are none")
        made = FrozenTemplates(*found)
        made.check()
        return made

    def check(self) -> None:
        """Raise Damaged unless these are frames, and fillers of their slots."""
        check_type(self.frames, Frames)
        check_type(self.known, KnownFillers)
        if len(self.known.listed) != len(self.frames.slots.frame):
            raise Damaged("fillers of other slots")


def _check_statistics(known: FeatureStatistics) -> None:
    check_array(known.features, np.uint64)
    check_array(known.frequencies, np.uint32, len(known.features))
    check_type(known.documents, int)
    check_type(known.ngram, int)
    check_type(known.form, dict)
    if (known.features[1:] <= known.features[:-1]).any():
        raise Damaged("statistics out of order")
    if known.documents < 0 or known.ngram < 1:
        raise Damaged("statistics of no documents")


def _pack_statistics(known: FeatureStatistics) -> tuple[Any, ...]:
    if known.path is not None:
        raise Unencodable("statistics of a file, which the run has already")
    return known.documents, known.features, known.frequencies, known.ngram, dict(known.form)


def _check_noise(noise: Noise) -> None:
    for values in (noise.everywhere, noise.of_site):
        check_array(values, np.uint64)
        if (values[1:] <= values[:-1]).any():
            raise Damaged("noise out of order")


def _check_frames(frames: Frames) -> None:
    count, tokens, slots = len(frames.model), frames.tokens, frames.slots
    for values in (frames.model, frames.component, slots.frame):
        check_array(values, np.int64)
    check_array(tokens.tokens, np.uint32)
    check_array(tokens.offsets, np.int64, count + 1)
    if len(frames.component) != count or slots.places.shape != (len(slots.frame), 2):
        raise Damaged("frames of other documents")
    if tokens.offsets[0] != 0 or (np.diff(tokens.offsets) < 0).any() or tokens.offsets[-1] != len(tokens.tokens):
        raise Damaged("tokens of other frames")
    check_within(slots.frame, 0, count)
    if (np.diff(frames.component) < 0).any() or (np.diff(slots.frame) < 0).any():
        raise Damaged("frames out of order")
    first, last = slots.places[:, 0], slots.places[:, 1]
    if len(first) and ((first < 0) | (last <= first) | (last > 2 * tokens.lengths[slots.frame] + 1)).any():
        raise Damaged("slots outside of their frames")


def _pack_frames(frames: Frames) -> tuple[Any, ...]:
    places = np.ascontiguousarray(frames.slots.places).reshape(-1)
    return frames.model, frames.component, *frames.tokens, frames.slots.frame, places


def _make_frames(model: Any, component: Any, tokens: Any, offsets: Any, frame: Any, places: Any) -> Frames:
    check_array(places, np.int64)
    if len(places) % 2:
        raise Damaged("a slot without an end")
    return Frames(model, component, Ragged(tokens, offsets), Slots(frame, places.reshape(-1, 2)))


def _check_known(known: KnownFillers) -> None:
    check_array(known.listed, np.bool_)
    check_array(known.slot, np.int64)
    check_array(known.value, np.uint64, len(known.slot))
    check_within(known.slot, 0, len(known.listed))
    same, later = known.slot[1:] == known.slot[:-1], known.value[1:] > known.value[:-1]
    if (known.slot[1:] < known.slot[:-1]).any() or (same & ~later).any():
        raise Damaged("fillers out of order")
    check_array(known.neighbours, np.uint64)
    if (known.neighbours[1:] <= known.neighbours[:-1]).any():
        raise Damaged("neighbours out of order")
    check_array(known.usual, np.uint64)
    if (known.usual[1:] <= known.usual[:-1]).any():
        raise Damaged("usual tokens out of order")


def _pack_known(known: KnownFillers) -> tuple[Any, ...]:
    return known.listed, known.slot, known.value, known.neighbours, known.usual


STATISTICS_KINDS = (
    Kind("statistics", FeatureStatistics, _pack_statistics, FeatureStatistics, _check_statistics),
    Kind("noise", Noise, lambda noise: (noise.everywhere, noise.of_site), Noise, _check_noise),
    Kind("taken-out", TakenOut, lambda noise: (noise.digest,), TakenOut),
    Kind("frames", Frames, _pack_frames, _make_frames, _check_frames),
    Kind(
        "frozen-templates", FrozenTemplates, lambda one: (one.frames, one.known), FrozenTemplates, FrozenTemplates.check
    ),
    Kind("fillers", KnownFillers, _pack_known, KnownFillers, _check_known),
)
"""How statistics and noise are stored."""
STATISTICS_KINDS_ALONE = Kinds(STATISTICS_KINDS)

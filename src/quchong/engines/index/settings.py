"""Settings of an index: the file `index.json`, from which its plan is made again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

from quchong.errors import Call, Param, RunError, UsageError, index_call, reason_of, shell_word
from quchong.languages import Message
from quchong.outputs import OwnFolder, has_index_contents, is_file_beneath, read_beneath
from quchong.outputs.free_names import free_name, name_that_is
from quchong.parameters import parameters_of
from quchong.plan.catalogue import build, kind_of
from quchong.plan.plan import Plan, Scope
from quchong.text import NORMALISER_VERSION, Preparer

SETTINGS = "index.json"
"""Name of the file of settings; a folder with it is an index."""
FORMAT = 1
"""Version of the layout of an index."""
KIND = "quchong index"
_MOST_BYTES = 64 << 20
STORES = ("text", "features", "none")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of an index that never change after its creation.

    Attributes:
        plan: how documents are read, compared and decided; the statistics of its method are stored apart.
        store: "text", "features" or "none": what is kept of a document besides its keys.
        sync: when an added document is safe from a power cut: "each", "none", or a span such as "250ms".
        generation: name of the folder with the contents; `compact` makes a new one.
        shadow: parameters of a second method that answers beside the first; empty for none.
    """

    plan: Plan
    store: str = "text"
    sync: str = "each"
    generation: str = "g000001"
    shadow: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sync_seconds(self) -> float | None:
        """Most seconds between two flushes to the disk: 0 for "each", None for "none"."""
        return sync_seconds(self.sync)

    def describe(self) -> dict[str, Any]:
        """Return the settings as JSON values, as they are in the file."""
        plan = self.plan
        return {
            "kind": KIND, "format": FORMAT, "generation": self.generation, "store": self.store, "sync": self.sync,
            "shadow": dict(self.shadow), **plan.describe(), "parameters": _plain_parameters(plan), "id": plan.id,
            "id_given": plan.id_given, "html": plan.html, "boilerplate": sorted(plan.preparer.boilerplate),
        }  # fmt: skip

    def save(self, folder: OwnFolder) -> None:
        """Write the file of settings atomically."""
        told = self.describe()
        text = json.dumps({**told, "sum": _sum_of(told)}, ensure_ascii=False, indent=1, sort_keys=True)
        part = f"{SETTINGS}.part"
        folder.remove(part)
        with folder.open(part, "xb", 0o644) as file:
            file.write(text.encode())
            file.flush()
            _flush(file.fileno())
        folder.rename(part, SETTINGS)
        if folder.descriptor >= 0:
            _flush(folder.descriptor)


def is_index(folder: Path) -> bool:
    """Return True if a folder has the settings of an index; nothing of them is read."""
    return os.path.isdir(folder) and is_file_beneath(folder, SETTINGS)  # noqa: PTH112 - a text may be no name of a file


class NoSettings(RunError):
    """Error that a folder has no readable settings of an index; the message says whether it has an index's contents."""


def no_settings(place: object) -> NoSettings:
    """Return the error for a place without index settings, with the advice to make or to repair an index."""
    if isinstance(place, Path) and has_index_contents(place):
        return NoSettings(
            "{} is damaged: {} is missing, or has no settings; to look for a copy: quchong index repair {}",
            place, SETTINGS, shell_word(place),
        )  # fmt: skip
    if isinstance(place, Path) and is_file_beneath(place, "run.json"):
        return NoSettings("{} is a run folder, not an index: read it with {}", place,
                          Call(f"qc.load({str(place)!r})", f"quchong explain {shell_word(place)} ID"))  # fmt: skip
    if isinstance(place, Path) and (near := _index_near(place)) is not None:
        return NoSettings("{} is not an index: did you mean {}? To make a new one, use {}", place, near,
                          index_call(free_name(place.name) if os.path.lexists(place) else place))  # fmt: skip
    free = free_name(place.name or "seen") if isinstance(place, Path) and os.path.lexists(place) else place
    return NoSettings("{} is not an index: to make one, use {}", place, index_call(free))


def _index_near(place: Path) -> str | None:
    """Return the index beside a place that is spelt like it; None without one."""
    with suppress(OSError):
        beside = [
            one.name for one in islice(place.absolute().parent.iterdir(), _ENTRIES) if is_file_beneath(one, SETTINGS)
        ]
        if near := get_close_matches(place.name, beside, n=1):
            return str(place.with_name(near[0]))
    return None


_ENTRIES = 500
"""Entries of a folder that are looked at."""


def _is_file(file: Path) -> RunError:
    """Return the error for a file in the place of an index folder, with the command to make or fill an index."""
    if is_index(file.absolute().parent):
        return RunError("{} is a file of an index: give the folder {}", file, file.parent)
    there = name_that_is("seen", is_index)
    place = there or free_name("seen")
    filled = Call(
        f"qc.Index({place!r}).add(Path({str(file)!r}))", f"quchong index add {shell_word(place)} {shell_word(file)}"
    )
    if there:
        return RunError(
            "{} is a file, but an index is a folder: give the folder of an index, such as {}; to add the file, use {}",
            file, there, filled,
        )  # fmt: skip
    return RunError("{} is a file, but an index is a folder: to make an index, use {}; then add the file with {}",
                    file, index_call(place), filled)  # fmt: skip


def read_settings(folder: Path) -> Settings:
    """Read the settings of an index; nothing is written or executed.

    Raises:
        RunError: the folder is no index, its settings are damaged, or it is of a later version.
        UsageError: its method is not installed.
    """
    if os.path.isfile(folder):  # noqa: PTH113 - a text may be no name of a file
        raise _is_file(folder)
    if not is_index(folder):
        raise no_settings(folder)
    try:
        told = json.loads(read_beneath(folder, SETTINGS, _MOST_BYTES))
    except (OSError, ValueError) as error:
        raise RunError(
            "{}: {} cannot be read: {}. If this is an index, see quchong index verify",
            folder,
            SETTINGS,
            reason_of(error),
        ) from error
    ours = isinstance(told, dict) and (told.get("kind"), told.get("format")) == (KIND, FORMAT)
    if ours and told.pop("sum", None) != _sum_of(told):
        raise RunError("{}: {} is damaged: {}", folder, SETTINGS, Message("the checksum of the file is wrong"))
    return checked_settings(told, folder)


def checked_settings(told: Any, place: object) -> Settings:
    """Return the settings of an index from their JSON values; `place` names the index in messages.

    Raises:
        RunError: they are none, damaged, or of another version.
        UsageError: its method is not installed.
    """
    if not isinstance(told, dict) or told.get("kind") != KIND:
        raise no_settings(place)
    version = told.get("format")
    if not isinstance(version, int) or version > FORMAT:
        raise RunError(
            "{} was made by a later version of quchong: its format is {}, but this version reads {}",
            place,
            version,
            FORMAT,
        )
    if version < FORMAT:
        raise RunError("{} has an earlier format ({}): to convert it, quchong index migrate {}", place, version, place)
    if told.get("normaliser") != NORMALISER_VERSION:
        raise RunError(
            "{} was made with another normal form of texts ({}, but this version has {}): export it, and create "
            "it again",
            place, told.get("normaliser"), NORMALISER_VERSION,
        )  # fmt: skip
    try:
        _check_types(told)
        kind_of(told["method"])
    except UsageError as error:
        raise UsageError(
            "{} was made by method {}, which is not installed: install the package that has it ({})",
            place,
            told["method"],
            error,
        ) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError("{}: {} is damaged: {}", place, SETTINGS, reason_of(error)) from error
    try:
        return _settings(told)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError("{}: {} is damaged: {}", place, SETTINGS, reason_of(error)) from error


def sync_seconds(text: str) -> float | None:
    """Return the most seconds between two flushes of a `sync`: 0 for "each", None for "none", a span such as "250ms" or "2s".

    Raises:
        UsageError: the text is none of these.
    """
    if text in ("each", "none"):
        return 0.0 if text == "each" else None
    for unit, seconds in (("ms", 0.001), ("s", 1.0)) if isinstance(text, str) else ():
        number = text.removesuffix(unit)
        if number != text and number.isdecimal() and 0 < int(number) <= 3_600_000:
            return int(number) * seconds
    raise UsageError("{} must be each, none, or a time such as 250ms or 2s", Param("sync", text))


def _plain_parameters(plan: Plan) -> dict[str, Any]:
    """Return the parameters of the method that are plain values; statistics are stored apart."""
    method: Any = plan.method
    known = parameters_of(type(method))
    values = {name: getattr(method, name) for name in known if name != "statistics"}
    return {name: value for name, value in values.items() if isinstance(value, str | int | float | bool | None)}


_TYPES: Mapping[str, tuple[type, ...]] = {
    "method": (str,), "parameters": (dict,), "keep": (str,), "relations": (list,), "text": (list,), "id": (str, type(None)),
    "id_given": (bool,), "time_key": (str,), "source_key": (str,), "scope": (dict,), "strip": (list,), "boilerplate": (list,),
    "social": (list,), "templates": (str,), "roundups": (str,), "exact": (str,), "html": (str, type(None)), "body": (str,),
    "max_record": (int,), "generation": (str,), "store": (str,), "sync": (str,), "shadow": (dict,),
}  # fmt: skip
"""Types of the settings in the file; lists are of texts."""


def _check_types(told: Mapping[str, Any]) -> None:
    """Raise ValueError if a setting is of another type than `Settings.describe` writes."""
    for name, types in _TYPES.items():
        value = told[name]
        if type(value) not in types or (isinstance(value, list) and any(type(one) is not str for one in value)):
            raise ValueError(f"{name} is {value!r:.40}")
    scope = told["scope"]
    kinds = {"within": (int, float, type(None)), "per": (str, type(None)), "same_site": (bool,)}
    if any(type(scope[name]) not in types for name, types in kinds.items()):
        raise ValueError("a scope that is none")


def _settings(told: Mapping[str, Any]) -> Settings:
    known = parameters_of(kind_of(told["method"]))
    given = {name: value for name, value in told["parameters"].items() if name in known and name != "statistics"}
    scope = told["scope"]
    plan = Plan(
        method=build(told["method"], given), keep=told["keep"], relations=tuple(told["relations"]), text=tuple(told["text"]),
        id=told["id"], id_given=bool(told["id_given"]), time_key=told["time_key"], source_key=told["source_key"],
        scope=Scope(scope["within"], scope["per"], scope["same_site"]),
        preparer=Preparer(tuple(told["strip"]), tuple(told["boilerplate"]), tuple(told["social"])),
        recall_sample=0, differences="all", templates=told["templates"], roundups=told["roundups"], exact=told["exact"],
        html=told["html"], body=told["body"], max_record=int(told["max_record"]),
    )  # fmt: skip
    generation = told["generation"]
    if not isinstance(generation, str) or not generation.isalnum():
        raise ValueError("a generation without a name")
    if told["store"] not in STORES:
        raise ValueError("an unknown store")
    sync_seconds(told["sync"])
    return Settings(plan, told["store"], told["sync"], generation, dict(told["shadow"]))


def _sum_of(told: Mapping[str, Any]) -> str:
    """Return the BLAKE2b digest of settings, 16 bytes in hexadecimal, which shows accidental damage."""
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _flush(descriptor: int) -> None:
    import os

    os.fsync(descriptor)

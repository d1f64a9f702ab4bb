"""Schema of run.json: every field that is read, with its type and range.

Every reader of a run folder passes run.json through `check_manifest` first, because anybody may have written it. A field that a run
would not write is named in the error, and later code need not check again. Fields that are not read may contain any plain JSON.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from quchong.errors import RunError
from quchong.io.formats import suffix_of
from quchong.io.limits import GREATEST, LARGEST
from quchong.languages import Message
from quchong.outputs import is_plain_name
from quchong.relations import RELATIONS, SEARCHED

DAMAGED = Message("run the deduplication again, or restore a copy")
MODES = ("remove", "annotate", "ids")
ADDED = ("quchong_copies", "quchong_sources", "quchong_first_seen", "quchong_last_seen", "quchong_copies_wanted")
"""Columns that a run may add to kept rows, see `quchong.results.kept_columns`."""
TIMED = (
    "created", "seconds", "cpu_seconds", "memory_bytes", "spilled_bytes", "peak_memory_bytes", "peak_private_bytes", "peak_mapped_bytes",
)  # fmt: skip
"""Fields about time and memory of a run, which differ between two runs with the same result."""
_SIDES = ("kept", "removed", "annotated")
_MOST = 1 << 63
MOST_WEIGHT = 1_000_000
"""Greatest weight of a source, `quchong.plan.mix.MOST`."""
_DEEPEST = 40
_LONGEST = 1 << 16
"""Most characters of a word, such as the name of a file or column."""

Check = Callable[[Any], bool]
"""Function that returns True if a run would write this value."""


def _word(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST and "\0" not in value


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < _MOST


def _weight(value: Any) -> bool:
    return _number(value) and 0 <= value <= MOST_WEIGHT


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _anything(value: Any) -> bool:
    return True


def _optional(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _list_of(check: Check, least: int = 0) -> Check:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(check, value))


def _dict_of(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def _one_of(*values: str) -> Check:
    return lambda value: value in values if isinstance(value, str) else False


def _record(asked: tuple[str, ...] = (), **fields: Check) -> Check:
    """Return a check of an object: required fields must be present, and present fields must pass their checks."""
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in asked)
        and all(check(value[name]) for name, check in fields.items() if name in value)
    )


_PLACE = _record(
    ("name",), name=_word, path=_word, format=_word, encoding=_word, bytes=_count, rows=_count, blake2b=_word,
    kept_rows=_count, columns=_dict_of(_word), text_columns=_list_of(_word),
    sheets_passed_over=_list_of(_word), encodings=_dict_of(_record(files=_count, names=_list_of(_word))),
)  # fmt: skip
_STAGE1 = _record(
    ("filter", "hits", "refuted", "unconfirmed", "expected_wrongly_removed"), filter=_record(("name",), name=_word), hits=_count,
    refuted=_optional(_count), unconfirmed=_optional(_count), expected_wrongly_removed=_optional(_number),
)  # fmt: skip
_ALARM = _record(("kind", "message"), kind=_word, message=_word, level=_word, figures=_dict_of(_anything))
_MEASURED = _record(
    ("found", "true", "recall", "interval_95"),
    found=_count, true=_count, recall=_optional(_number), interval_95=lambda value: _list_of(_number, 2)(value) and len(value) == 2,
)  # fmt: skip
_RECALL = _record(
    ("sampled_documents", *SEARCHED),
    sampled_documents=_count,
    pairs=_count,
    judged_pairs=_count,
    duplicate=_MEASURED,
    contained_in=_MEASURED,
)

_CONFIG: dict[str, Check] = {
    "method": _word,
    "parameters": lambda value: isinstance(value, dict),
    "normaliser": _word,
    "keep": _word,
    "time_key": _word,
    "source_key": _word,
    "relations": _list_of(_one_of(*RELATIONS)),
    "text": _list_of(_word, 1),
    "html": _optional(_word),
    "body": _word,
    "scope": _record(("within", "per", "same_site"), within=_optional(_number), per=_optional(_word), same_site=_flag),
    "strip": _list_of(_word),
    "social": _list_of(_word),
    "only_against": _flag,
    "templates": _one_of("keep", "remove", "payload"),
    "roundups": _one_of("keep", "remove", "cut", "whole"),
    "exact": _one_of("raw", "strict", "loose"),
    "mix": _record(("weights", "seed"), weights=_dict_of(_weight), seed=_count),
    "max_record": lambda value: _count(value) and 0 < value <= GREATEST,
    "target": lambda value: _count(value) and value > 0,
    "keep_per_cluster": lambda value: _count(value) and value > 0,
}
_FIELDS: dict[str, Check] = {
    "quchong": _word,
    "created": _word,
    "config_hash": _word,
    "seal": _word,
    "thresholds": _optional(_dict_of(_anything)),
    "id": _word,
    "mode": _one_of(*MODES),
    "engine": _word,
    "inputs": _list_of(_PLACE),
    "against": _list_of(_PLACE),
    "counts": _record(
        read=_count, kept=_count, removed=_count, reference=_count, skipped=_count, records=_count, unscored=_count,
        without_text=_count, policy_overruled=_count, other_terms=_count, kept_as_first=_count,
        originals=_count, roundups=_count, roundups_removed=_count, removed_by_relation=_dict_of(_count),
        small_shares=_count, unseen=_count, kept_beside=_count,
        variants=_record(
            ("kept_pairs", "kept_by_fact", "removed_by_fact"),
            kept_pairs=_count, kept_by_fact=_dict_of(_count), removed_by_fact=_dict_of(_count),
        ),
        templates=_record(templates=_count, records=_count, told_apart=_count, without_evidence=_count),
        stage1=_optional(_STAGE1),
    ),
    "recall": _optional(_RECALL),
    "shards": _record(("size", "count"), size=_count, count=_count),
    "kept_ids": _word,
    "written": _dict_of(_anything),
    "mix": _record(kept=_count, wanted=_count, sources=_dict_of(_record(weight=_weight, kept=_count, wanted=_count))),
    "added_columns": _list_of(_one_of(*ADDED), 1),
    "cut": _record(what=_word, at=_word, files=_dict_of(_word), taken=_optional(_dict_of(_count))),
    "alarms": _list_of(_ALARM),
    "seconds": _dict_of(_number),
    "cpu_seconds": _dict_of(_number),
    "parts": _dict_of(_count),
    "restored": _list_of(_record(ids=_count, at=_word)),
    "command": _list_of(_word),
    "memory_bytes": _dict_of(_count),
    "spilled_bytes": _dict_of(_count),
    "peak_memory_bytes": _count,
    "peak_private_bytes": _count,
    "peak_mapped_bytes": _count,
    "decisions": _record(("kept", "overturned"), file=_word, kept=_count, overturned=_count),
    "config": lambda value: isinstance(value, dict),
    "files": _dict_of(
        lambda sides: isinstance(sides, dict) and all(side in _SIDES and _word(file) for side, file in sides.items())
    ),
}  # fmt: skip
_ASKED = ("mode", "counts", "files", "config")
_MISSING: dict[str, Callable[[], Any]] = {
    "inputs": list, "against": list, "alarms": list, "seconds": dict, "id": lambda: "id",
    "thresholds": dict, "quchong": str, "created": str, "config_hash": str,
}  # fmt: skip
"""Fields that runs of older versions may lack, and functions that make their defaults."""
_MISSING_OF_CONFIG = {"html": None, "body": "main", "max_record": LARGEST}
_ASKED_OF_CONFIG = (
    "text", "method", "parameters", "keep", "time_key", "source_key", "relations", "scope", "strip", "social", "only_against",
)  # fmt: skip
_ASKED_OF_COUNTS = ("read", "kept", "removed", "skipped", "unscored", "removed_by_relation")


def check_manifest(manifest: dict[str, Any], path: Path) -> dict[str, Any]:
    """Check run.json and return it, with defaults for missing fields.

    Every field that is read must be as a run writes it, and no file may be outside the folder.

    Raises:
        RunError: a field is not; the message names it and `path`.
    """
    wrong = _first_wrong(manifest)
    if wrong:
        raise RunError("{} differs from what a run writes ({}): {}", path, wrong, DAMAGED)
    for sides in manifest["files"].values():
        for side, file in sides.items():
            if not is_plain_name(file):
                raise RunError("{} names a file outside its folder, {!r}, so no run wrote it", path, file)
            if not is_rows_name(file, side):
                raise RunError("{} names {!r} as the file of its {} rows, so no run wrote it", path, file, side)
    config = {name: value for name, value in _MISSING_OF_CONFIG.items() if name not in manifest["config"]}
    missing = {name: make() for name, make in _MISSING.items() if name not in manifest}
    return manifest | missing | ({"config": manifest["config"] | config} if config else {})


def is_rows_name(name: str, side: str) -> bool:
    """Return True if a run can give this name to a file of rows.

    A run of one input writes `kept.jsonl`; a run of several inputs, and one on Spark, writes files in the folder `kept`. The suffix is
    that of a format, because no run writes rows in another.

    Args:
        name: in the folder of the run; `kept/*.jsonl` stands for parts.
        side: kept, removed or annotated.

    >>> [is_rows_name(name, "kept") for name in ("kept.jsonl.gz", "kept/a/b.csv", "kept.sh", "kept/run", "kept.a.csv")]
    [True, True, False, False, False]
    """
    suffix = suffix_of(name)
    if suffix is None or not is_plain_name(name):
        return False
    return name.startswith(f"{side}/") or name == side + suffix


def _first_wrong(manifest: Mapping[str, Any]) -> str:
    """Return the name of the first field that is not as a run writes it; "" if all are."""
    if not _is_plain_json(manifest):
        return Message("the data is nested too deeply, or has a number out of range or an incomplete character")
    wrong = _wrong_in(manifest, "", _FIELDS, _ASKED)
    wrong = wrong or _wrong_in(manifest["counts"], "counts.", {}, _ASKED_OF_COUNTS)
    return wrong or _wrong_in(manifest["config"], "config.", _CONFIG, _ASKED_OF_CONFIG)


def _wrong_in(value: Mapping[str, Any], within: str, checks: Mapping[str, Check], asked: tuple[str, ...]) -> str:
    for name in asked:
        if name not in value:
            return Message("{} is missing", f"{within}{name}")
    return next((within + name for name, check in checks.items() if name in value and not check(value[name])), "")


def _is_plain_json(value: Any, depth: int = 0) -> bool:
    """Return True if the value is plain JSON, with numbers in range and encodable words, and is not nested too deeply."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return all(_is_plain_json(name) and _is_plain_json(one, depth + 1) for name, one in value.items())
    if isinstance(value, list):
        return all(_is_plain_json(one, depth + 1) for one in value)
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < 1 << 64

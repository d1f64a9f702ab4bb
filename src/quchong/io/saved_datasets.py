"""Folders that `datasets` of Hugging Face saves (`save_to_disk`): a data set, or several splits; read without that library."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quchong.errors import InputError
from quchong.io.files.input_file import reading
from quchong.io.files.location import FileBeneath
from quchong.outputs import is_file_beneath, is_plain_name

_STATE, _INFO, _SPLITS = "state.json", "dataset_info.json", "dataset_dict.json"


@dataclass(frozen=True, slots=True)
class SavedFile:
    """File of rows of a saved data set, and the split to which it belongs; None in a data set without splits."""

    file: FileBeneath
    split: str | None = None


def saved_files(folder: Path) -> list[SavedFile] | None:
    """Return the files of rows of all splits of a saved data set, in order; None if the folder is not a saved data set.

    Raises:
        InputError: the files that describe it are damaged, or name files that are not there.
    """
    if is_file_beneath(folder, _STATE) and is_file_beneath(folder, _INFO):
        return [SavedFile(FileBeneath(folder, name)) for name in _names(folder, "")]
    if not is_file_beneath(folder, _SPLITS):
        return None
    splits = _described(folder, _SPLITS).get("splits")
    if not isinstance(splits, list) or not all(isinstance(one, str) and is_plain_name(one) for one in splits):
        raise _damaged(folder, _SPLITS)
    return [SavedFile(FileBeneath(folder, name), split) for split in splits for name in _names(folder, f"{split}/")]


def _names(folder: Path, within: str) -> list[str]:
    """Return the names of the files of rows that a data set's own description lists, below the folder."""
    state = f"{within}{_STATE}"
    files = _described(folder, state).get("_data_files") if is_file_beneath(folder, state) else None
    names = [one.get("filename") if isinstance(one, dict) else None for one in files] if isinstance(files, list) else []
    found = [f"{within}{name}" for name in names if isinstance(name, str) and is_plain_name(name)]
    if not found or len(found) < len(names) or not all(is_file_beneath(folder, name) for name in found):
        raise _damaged(folder, state)
    return found


def _described(folder: Path, name: str) -> dict[str, Any]:
    with reading(folder / name), FileBeneath(folder, name).open() as file:
        try:
            found = json.loads(file.read() or b"")
        except ValueError as error:
            raise _damaged(folder, name) from error
    return found if isinstance(found, dict) else {}


def _damaged(folder: Path, name: str) -> InputError:
    return InputError(
        "{} is a data set saved to disk, but its {} is damaged or names files that are missing: save it again",
        folder, name,
    )  # fmt: skip

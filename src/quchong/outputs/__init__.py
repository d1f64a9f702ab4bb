"""Outputs of commands: where they may be written, and atomic writing."""

from quchong.outputs.beneath import (
    copy_beneath,
    is_file_beneath,
    is_folder_beneath,
    is_hollow,
    is_plain_name,
    names_beneath,
    open_beneath,
    read_beneath,
    remove_beneath,
    stands_beneath,
)
from quchong.outputs.blocks import (
    appended,
    check_settled,
    only_one,
    placed_here,
    settled,
    staged,
    staged_file,
    staged_files,
)
from quchong.outputs.overlap_check import (
    MANIFEST,
    Place,
    begins_run,
    check_apart,
    check_in_no_run,
    has_index_contents,
    in_a_run,
    local,
    manifest_of,
    unlinked,
)
from quchong.outputs.private_folder import OwnFolder, make_own_folder, open_folder, open_own_file, open_own_folder
from quchong.outputs.protocol import Busy
from quchong.outputs.regular_files import check_regular
from quchong.outputs.seal import is_sealed, make_seal
from quchong.outputs.spelling import read_path, spell_names, spell_path
from quchong.outputs.staging import Staging, settle
from quchong.outputs.unfinished import UNFINISHED, stopped_here

__all__ = [
    "MANIFEST",
    "UNFINISHED",
    "Busy",
    "OwnFolder",
    "Place",
    "Staging",
    "appended",
    "begins_run",
    "check_apart",
    "check_in_no_run",
    "check_regular",
    "check_settled",
    "copy_beneath",
    "has_index_contents",
    "in_a_run",
    "is_file_beneath",
    "is_folder_beneath",
    "is_hollow",
    "is_plain_name",
    "is_sealed",
    "local",
    "make_own_folder",
    "make_seal",
    "manifest_of",
    "names_beneath",
    "only_one",
    "open_beneath",
    "open_folder",
    "open_own_file",
    "open_own_folder",
    "placed_here",
    "read_beneath",
    "read_path",
    "remove_beneath",
    "settle",
    "settled",
    "spell_names",
    "spell_path",
    "staged",
    "staged_file",
    "staged_files",
    "stands_beneath",
    "stopped_here",
    "unlinked",
]

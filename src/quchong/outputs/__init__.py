"""Where a command may write. Outputs appear whole or not at all."""

from quchong.outputs.apart import (
    MANIFEST,
    Place,
    begins_run,
    check_apart,
    check_in_no_run,
    in_a_run,
    local,
    manifest_of,
)
from quchong.outputs.blocks import appended, only_one, placed_here, settled, staged, staged_file, staged_files
from quchong.outputs.own_folder import OwnFolder, make_own_folder, open_own_file, open_own_folder
from quchong.outputs.protocol import Busy
from quchong.outputs.staging import Staging, settle

__all__ = [
    "MANIFEST",
    "Busy",
    "OwnFolder",
    "Place",
    "Staging",
    "appended",
    "begins_run",
    "check_apart",
    "check_in_no_run",
    "in_a_run",
    "local",
    "make_own_folder",
    "manifest_of",
    "only_one",
    "open_own_file",
    "open_own_folder",
    "placed_here",
    "settle",
    "settled",
    "staged",
    "staged_file",
    "staged_files",
]

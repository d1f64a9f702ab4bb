"""Where a command may write, and how what it writes gets its name: whole, or not at all."""

from quchong.outputs.apart import Place, check_apart, local
from quchong.outputs.staging import Staging, only_one, placed_here, settle, settled, staged, staged_file, staged_files

__all__ = [
    "Place",
    "Staging",
    "check_apart",
    "local",
    "only_one",
    "placed_here",
    "settle",
    "settled",
    "staged",
    "staged_file",
    "staged_files",
]

"""What a run has done so far, in files: to go on after a stop, and to hold what memory has no room for."""

from quchong.work.folder import UNWRITABLE, Work, about_work, stopped_here, work_folder
from quchong.work.values import Damaged

__all__ = ["UNWRITABLE", "Damaged", "Work", "about_work", "stopped_here", "work_folder"]

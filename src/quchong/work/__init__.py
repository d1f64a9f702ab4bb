"""What a run has done so far, in files: to go on after a stop, and to hold what memory has no room for."""

from quchong.work.folder import Work, about_work, work_folder
from quchong.work.parts import Damaged, Unencodable
from quchong.work.tree import Kind, Kinds

__all__ = ["Damaged", "Kind", "Kinds", "Unencodable", "Work", "about_work", "work_folder"]

"""Intermediate results of a run in files, to continue after an interruption and to extend memory."""

from quchong.work.folder import Work, about_work, part_folder, part_folders, work_folder
from quchong.work.tree import Kind, Kinds
from quchong.work.value_parts import Damaged, Unencodable

__all__ = [
    "Damaged",
    "Kind",
    "Kinds",
    "Unencodable",
    "Work",
    "about_work",
    "part_folder",
    "part_folders",
    "work_folder",
]

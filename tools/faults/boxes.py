"""A box: the folder a case works in, with its inputs, neighbours that nobody may touch, and what undisturbed runs leave."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import child
import shim
from answers import Answer, answer, differences
from cases import Case

NEIGHBOURS = ("{}.old", "{}.partial.mine", ".{}.notes", "{}-2", ".{}.partial", ".{}.old", ".{}.restore")
"""Names near that of a result, that a command could take for its own."""


@dataclass
class Box:
    """A case in its folder, which is filled anew for every stop.

    Attributes:
        folder: where the command runs; the same for every stop, since runs hold paths.
        pristine: a copy of it as it is before the command.
        untouched: every file but the result, as it must be for ever.
        old, new: the result before, and after an undisturbed run.
        changes, reads: file calls of the undisturbed run.
        turns: those that change something and are no mere writes: a folder made, a file opened or renamed.
        wrong: what the undisturbed run did wrong.
    """

    case: Case
    folder: Path
    pristine: Path
    scratch: Path
    untouched: Answer = field(default_factory=dict)
    old: Answer = field(default_factory=dict)
    new: Answer = field(default_factory=dict)
    changes: int = 0
    reads: int = 0
    turns: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def count(self, done: child.Ended) -> None:
        """Takes the calls of the undisturbed run that has just ended."""
        page = shim.page()
        assert page is not None
        self.changes, self.reads = done.changes, done.reads
        self.turns = [n for n in range(1, min(done.changes + 1, len(page.writes))) if not page.writes[n]]

    @property
    def result(self) -> Path:
        """What the command writes."""
        return self.folder / self.case.result

    def run(self, argv: tuple[str, ...], **more: object) -> child.Ended:
        """A command in the box."""
        return child.run(argv, self.folder, self.scratch, hooks=self.case.hooks, **more)

    def fill(self) -> None:
        """The box as it is before the command."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.pristine, self.folder, symlinks=True)

    def others(self) -> Answer:
        """Everything in the box but the result."""
        name = self.case.result
        return {k: v for k, v in answer(self.folder).items() if k.rstrip("/") != name and not k.startswith(name + "/")}

    def foreign(self) -> str:
        """What happened to files that are none of the command's: missing or changed ones, in words."""
        now = self.others()
        return differences({k: v for k, v in now.items() if k in self.untouched}, self.untouched)

    def litter(self) -> list[str]:
        """What stands in the box and did not before, beside the result."""
        return sorted(self.others().keys() - self.untouched.keys())


def make(case: Case, work: Path) -> Box:
    """Fills a box for a case, plants neighbours, and runs the command undisturbed."""
    box = Box(case, work / "box", work / "pristine", work / "said")
    for folder in (box.folder, box.pristine, box.scratch):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    case.inputs(box.folder)
    for argv in case.before:
        done = box.run(argv)
        assert done.code == 0, (argv, done)
    if not case.stream:
        for pattern in NEIGHBOURS:
            near = box.folder / pattern.format(case.result)
            near.mkdir()
            (near / "mine.txt").write_text("not yours", "utf-8")
    shutil.rmtree(box.pristine)
    shutil.copytree(box.folder, box.pristine, symlinks=True)
    box.untouched, box.old = box.others(), answer(box.result)
    if not case.stream:
        done = box.run(case.argv, root=box.folder)
        assert done.code == 0, (case.argv, done)
        box.count(done)
        box.new = answer(box.result)
        assert box.new != box.old, f"{case.name}: the command changes nothing"
        if changed := box.foreign():
            box.wrong.append(f"foreign files: {changed}")
        if left := box.litter():
            box.wrong.append(f"left behind: {', '.join(left)}")
    return box

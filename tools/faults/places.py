"""Where the output lies: full and read-only disks, over the input, behind links, among foreign files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ground import QUIET, Ground, Situation, can_mount, fill

_FILTER = ("filter", "in.jsonl", "--removed", "disk/removed.jsonl", "--state", "disk/state", "-q")
_WRITERS: dict[str, tuple[tuple[str, ...], str]] = {
    "dedup": (("dedup", "in.jsonl", "-o", "disk/new", *QUIET), "disk/new"),
    "overwrite": (("dedup", "in.jsonl", "-o", "disk/run", "--overwrite", *QUIET), "disk/run"),
    "restore": (("restore", "disk/run", "--all"), "disk/run"),
    "passages": (("passages", "in.jsonl", "--corpus", "-o", "disk/found", "--cut", "copies", "-q"), "disk/found"),
    "statistics": (("statistics", "in.jsonl", "-o", "disk/idf.parquet", "--overwrite", "-q"), "disk/idf.parquet"),
    "filter": (_FILTER, "disk/state"),
}
"""A command that writes on the disk, and what."""


def _prepared(ground: Ground) -> Path:
    """A disk with an earlier run and earlier statistics."""
    ground.write(count=104)
    disk = ground.disk()
    ground.good("dedup", "in.jsonl", "-o", "disk/run", "--method", "exact", *QUIET)
    ground.good("statistics", "in.jsonl", "-o", "disk/idf.parquet", "--ngram-size", "3", "-q")
    return disk


def full_disk(ground: Ground, command: str, free: int) -> None:
    """So many bytes are free: all of the work or nothing, and what was there stays."""
    disk = _prepared(ground)
    argv, result = _WRITERS[command]
    before, old, names = ground.at("in.jsonl"), ground.at(result), {p.name for p in disk.iterdir()}
    fill(disk, free)
    done = ground.run(*argv)
    ground.code = done.code
    ground.demand(done.code in (0, 4), f"exit code {done.code}: {done.told}")
    ground.same("in.jsonl", before, "the input")
    if done.code == 4 and command != "filter":
        ground.same(result, old, "nothing was written, and what was there is another")
        left = {p.name for p in disk.iterdir()} - names - {"ballast"}
        ground.demand(not left, f"left behind: {sorted(left)}")
    (disk / "ballast").unlink()
    ground.good("explain", "disk/run", "n003")
    again = argv if done.code else ("methods",)
    ground.good(*again)


def read_only(ground: Ground, command: str) -> None:
    """Nothing can be written there: exit code 4, and reading goes on."""
    disk = _prepared(ground)
    argv, _ = _WRITERS[command]
    old = ground.at("disk")
    ground.read_only(disk)
    done = ground.run(*argv)
    ground.code = done.code
    ground.demand(done.code == 4, f"exit code {done.code}, not 4: {done.told}")
    ground.same("disk", old, "a read-only disk")
    ground.good("explain", "disk/run", "n003")


def _run(ground: Ground) -> None:
    """A run in run/, and a folder of passages in found/."""
    ground.write()
    ground.good("dedup", "in.jsonl", "-o", "run", *QUIET)
    ground.good("passages", "in.jsonl", "--corpus", "-o", "found", "--cut", "copies", "-q")
    ground.write("texts", name="texts")
    (ground.folder / "link.jsonl").symlink_to("run/kept.jsonl")
    (ground.folder / "to-run").symlink_to("run")


OVER = {
    "kept": ("dedup", "run/kept.jsonl", "-o", "run", "--overwrite"),
    "removed": ("dedup", "run/removed.jsonl", "-o", "run", "--overwrite"),
    "link": ("dedup", "link.jsonl", "-o", "run", "--overwrite"),
    "output-link": ("dedup", "run/kept.jsonl", "-o", "to-run", "--overwrite"),
    "dots": ("dedup", "texts/../run/kept.jsonl", "-o", "./run/", "--overwrite"),
    "glob": ("dedup", "run/*.jsonl", "-o", "run", "--overwrite"),
    "against": ("dedup", "in.jsonl", "--against", "run/kept.jsonl", "-o", "run", "--overwrite"),
    "file": ("dedup", "in.jsonl", "-o", "in.jsonl"),
    "file-overwrite": ("dedup", "in.jsonl", "-o", "in.jsonl", "--overwrite"),
    "folder": ("dedup", "texts", "-o", "texts"),
    "folder-overwrite": ("dedup", "texts", "-o", "texts", "--overwrite"),
    "within": ("dedup", "texts", "-o", "texts/run"),
    "above": ("dedup", "in.jsonl", "-o", ".", "--overwrite"),
    "passages": ("passages", "found/cut.jsonl", "--corpus", "-o", "found", "--overwrite"),
    "passages-run": ("passages", "in.jsonl", "--corpus", "-o", "run", "--overwrite"),
    "statistics": ("statistics", "in.jsonl", "-o", "in.jsonl", "--overwrite"),
    "statistics-run": ("statistics", "run/kept.jsonl", "-o", "run/ledger.parquet", "--overwrite"),
    "filter-removed": ("filter", "in.jsonl", "--removed", "in.jsonl"),
    "filter-state": ("filter", "in.jsonl", "--state", "in.jsonl"),
    "filter-removed-link": ("filter", "run/kept.jsonl", "--removed", "link.jsonl"),
    "filter-both": ("filter", "in.jsonl", "--removed", "new", "--skipped", "new"),
}


def over_input(ground: Ground, name: str) -> None:
    """The output would take the place of the input: refused, and nothing changes."""
    _run(ground)
    before = ground.at(".")
    done = ground.run(*OVER[name], *(QUIET if OVER[name][0] == "dedup" else ("-q",)))
    ground.code = done.code
    ground.demand(done.code in (2, 3, 4), f"exit code {done.code}: {done.told}")
    ground.same(".", before, "files")


def foreign_within(ground: Ground) -> None:
    """A file of the user's in a run folder outlives --overwrite, or it is refused."""
    _run(ground)
    (ground.folder / "run" / "my notes.txt").write_text("mine")
    done = ground.run("dedup", "in.jsonl", "-o", "run", "--overwrite", *QUIET)
    ground.code = done.code
    kept = (ground.folder / "run" / "my notes.txt").is_file()
    ground.demand(kept, f"a file of the user's in the run folder is gone (exit code {done.code})")


def output_link(ground: Ground, there: str) -> None:
    """The output is a link: to nothing, to an empty folder, to a run; the link stays, what it leads to is written."""
    ground.write()
    (ground.folder / "far").mkdir()
    if there != "dangling":
        (ground.folder / "far" / "run").mkdir()
    (ground.folder / "run").symlink_to("far/run")
    if there == "run":
        ground.good("dedup", "in.jsonl", "-o", "far/run2", "--method", "exact", *QUIET)
        (ground.folder / "far" / "run").rmdir()
        (ground.folder / "far" / "run2").rename(ground.folder / "far" / "run")
    done = ground.good("dedup", "in.jsonl", "-o", "run", *(["--overwrite"] if there == "run" else []), *QUIET)
    ground.code = done.code
    ground.demand((ground.folder / "run").is_symlink(), "the link is gone")
    ground.demand((ground.folder / "far" / "run" / "ledger.parquet").is_file(), "nothing stands where the link leads")
    left = sorted(
        p.name
        for f in (ground.folder, ground.folder / "far")
        for p in f.iterdir()
        if p.name not in ("in.jsonl", "run", "far")
    )
    ground.demand(not left, f"left behind: {left}")
    ground.good("explain", "run", "n003")


def loop_link(ground: Ground) -> None:
    """The output is a link to itself."""
    ground.write()
    (ground.folder / "run").symlink_to("run")
    done = ground.run("dedup", "in.jsonl", "-o", "run", *QUIET)
    ground.code = done.code
    ground.demand(done.code in (2, 4), f"exit code {done.code}: {done.told}")


def input_link(ground: Ground, kind: str) -> None:
    """The input is reached by a link; the same answer as without."""
    ground.write(kind, name="far")
    name = "far" if kind == "texts" else f"far.{kind}"
    (ground.folder / "near").mkdir()
    (ground.folder / "near" / name).symlink_to(f"../{name}")
    before = ground.at(name)
    ground.good("dedup", name, "-o", "one", *QUIET)
    ground.code = ground.good("dedup", f"near/{name}", "-o", "two", *QUIET).code
    for table in ("ledger.parquet", "pairs.parquet", "clusters.parquet"):
        ground.demand(ground.at(f"one/{table}") == ground.at(f"two/{table}"), f"{table} differs behind a link")
    ground.same(name, before, "the input")


def links_within(ground: Ground) -> None:
    """A folder of texts with a link to itself and one that leads nowhere: neither hangs a run."""
    ground.write("texts", name="texts")
    (ground.folder / "texts" / "loop").symlink_to(".")
    (ground.folder / "texts" / "nowhere.txt").symlink_to("../no such file")
    before = ground.at("texts")
    done = ground.run("dedup", "texts", "-o", "run", *QUIET)
    ground.code = done.code
    ground.demand(done.code in (0, 3), f"exit code {done.code}: {done.told}")
    ground.same("texts", before, "the input")


def staging_link(ground: Ground, name: str) -> None:
    """What a run makes beside its name is there already, as a link to a folder of the user's."""
    ground.write()
    (ground.folder / "precious").mkdir()
    (ground.folder / "precious" / "mine.txt").write_text("mine")
    (ground.folder / name).symlink_to("precious")
    for option in ((), ("--overwrite",)):
        done = ground.run("dedup", "in.jsonl", "-o", "run", *option, *QUIET)
        ground.demand(done.code in (0, 4), f"exit code {done.code}: {done.told}")
    ground.code = done.code
    ground.demand((ground.folder / "precious" / "mine.txt").is_file(), "a file behind the link is gone")
    ground.demand((ground.folder / name).is_symlink(), "the link is gone")


PLACES: dict[str, Situation] = {
    **{f"over-input/{name}": partial(over_input, name=name) for name in OVER},
    **{f"output-link/{there}": partial(output_link, there=there) for there in ("dangling", "empty", "run")},
    **{f"input-link/{kind}": partial(input_link, kind=kind) for kind in ("jsonl", "parquet", "texts", "warc")},
    **{f"staging-link/{name}": partial(staging_link, name=name) for name in ("run.partial", "run.old", ".run.partial", ".run.old")},
    "output-link/loop": loop_link,
    "links-within": links_within,
    "foreign-file-in-run": foreign_within,
}  # fmt: skip

if can_mount():
    PLACES |= {f"read-only/{command}": partial(read_only, command=command) for command in _WRITERS}
    PLACES |= {
        f"full-disk/{command}-{free}": partial(full_disk, command=command, free=free << 10)
        for command in _WRITERS
        for free in (0, 4, 8, 24, 60, 120, 180, 240)
    }

"""Runs an experiment so that it can be stopped: finished cells are kept beside its folder, and the same command goes on there."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pyarrow as pa

from quchong.lab.answers import SCALE, SEED, answers, digest
from quchong.lab.cells import keeping
from quchong.lab.experiment import Experiment, Findings, Scale
from quchong.lab.report import write
from quchong.outputs import MANIFEST, only_one
from quchong.outputs.protocol import busy_place
from quchong.work import Work, work_folder


def key(experiment: Experiment, scale: str, seed: int, texts: pa.Table | None = None) -> str:
    """What tells one run from another: the experiment, its size, seed and texts, and every file of the package."""
    given = None
    if texts is not None:
        whole = hashlib.blake2b(digest_size=16)
        for name in texts.column_names:
            for value in texts[name].to_pylist():
                whole.update(f"{len(value or '')}:{value or ''}".encode("utf-8", "surrogatepass"))
        given = whole.hexdigest()
    return hashlib.blake2b(
        json.dumps([experiment.name, scale, seed, given, _code()]).encode(), digest_size=16
    ).hexdigest()


@cache
def _code() -> str:
    """Version of the package, and digest of its Python files and native library."""
    root, whole = Path(str(files("quchong"))), hashlib.blake2b(digest_size=16)
    native = importlib.util.find_spec("_quchong")
    kernels = [Path(native.origin)] if native and native.origin else []
    for path in [*sorted(root.rglob("*.py")), *kernels]:
        whole.update(path.name.encode() + path.read_bytes())
    return f"{version('quchong')} {whole.hexdigest()}"


def finished(folder: Path, wanted: str) -> bool:
    """Does a whole run of this key stand in the folder?"""
    try:
        about = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(about, dict) and about.get("key") == wanted


def run_into(
    experiment: Experiment, folder: Path, scale: Scale, seed: int, texts: pa.Table | None = None
) -> tuple[Findings, list[Path]]:
    """Runs an experiment and writes it into a folder; what a stopped run of the same key has measured is not measured again.

    The work lies hidden beside the folder, and goes when the run is written. Figures are those of a run that was not stopped,
    timings aside: those of finished cells stay as they were taken.

    Raises:
        OutputError: another run is writing the folder, or it cannot be written.
        UsageError: an extra is missing.
    """
    wanted = key(experiment, scale, seed, texts)
    with only_one(folder, busy_place):
        work = Work.open(work_folder(folder), wanted, {"out": str(folder), "experiment": experiment.name})
        with keeping(work):
            findings = experiment.run(scale, seed) if texts is None else experiment.run(scale, seed, texts)
        usual = texts is None and experiment.repeats and (scale, seed) == (SCALE, SEED)
        found = digest(findings) if usual else answers(experiment)
        paths = write(
            experiment, findings, folder, scale, seed, {"key": wanted, "answers": found, "own_texts": texts is not None}
        )
        work.end()
    return findings, paths

"""Interruptible runs of experiments: finished cells are stored next to the folder, and the same command continues there."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pyarrow as pa

from quchong.outputs import MANIFEST, only_one
from quchong.outputs.protocol import busy_place
from quchong.work import Work, work_folder
from quchong_lab.answers import SCALE, SEED, answers, digest
from quchong_lab.cells import keeping
from quchong_lab.experiment import Experiment, Findings, Scale
from quchong_lab.further import FurtherMethod, measured_too
from quchong_lab.report import write


def key(
    experiment: Experiment, scale: str, seed: int, texts: pa.Table | None = None, methods: Sequence[FurtherMethod] = ()
) -> str:
    """Return the key of a run: a digest of the experiment, its scale, seed and texts, and every file of quchong and of this package."""
    given = None
    if texts is not None:
        whole = hashlib.blake2b(digest_size=16)
        for name in texts.column_names:
            for value in texts[name].to_pylist():
                whole.update(f"{len(value or '')}:{value or ''}".encode("utf-8", "surrogatepass"))
        given = whole.hexdigest()
    return hashlib.blake2b(
        json.dumps(
            [experiment.name, scale, seed, given, _code(), *([one.name, one.digest] for one in methods)]
        ).encode(),
        digest_size=16,
    ).hexdigest()


@cache
def _code() -> str:
    """Return the version of quchong, and a digest of its Python files, its native library and this package's Python files."""
    whole = hashlib.blake2b(digest_size=16)
    modules = [path for name in ("quchong", "quchong_lab") for path in sorted(Path(str(files(name))).rglob("*.py"))]
    native = importlib.util.find_spec("_quchong")
    kernels = [Path(native.origin)] if native and native.origin else []
    for path in [*modules, *kernels]:
        whole.update(path.name.encode() + path.read_bytes())
    return f"{version('quchong')} {whole.hexdigest()}"


def finished(folder: Path, wanted: str) -> bool:
    """Return True if the folder contains a complete run of this key."""
    try:
        about = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(about, dict) and about.get("key") == wanted


def run_into(
    experiment: Experiment,
    folder: Path,
    scale: Scale,
    seed: int,
    texts: pa.Table | None = None,
    methods: Sequence[FurtherMethod] = (),
    exports: Path | None = None,
) -> tuple[Findings, list[Path]]:
    """Run an experiment and write it into a folder; cells that an interrupted run of the same key measured are not measured again.

    Cells are stored in a hidden folder next to `folder`, which is removed when the run is written. Figures equal those of a run
    without interruption, except timings: those of stored cells are not taken again.

    Args:
        methods: further methods to measure, for an experiment that compares systems.
        exports: folder to which the made documents and their truth are written; None for none.

    Raises:
        OutputError: another run is writing the folder, or it cannot be written.
        UsageError: PySpark is missing, which the experiment needs.
    """
    wanted = key(experiment, scale, seed, texts, methods)
    with only_one(folder, busy_place):
        work = Work.open(work_folder(folder), wanted, {"out": str(folder), "experiment": experiment.name})
        with keeping(work), measured_too(methods, exports):
            findings = experiment.run(scale, seed) if texts is None else experiment.run(scale, seed, texts)
        usual = texts is None and not methods and experiment.repeats and (scale, seed) == (SCALE, SEED)
        found = digest(findings) if usual else answers(experiment)
        paths = write(
            experiment,
            findings,
            folder,
            scale,
            seed,
            {"key": wanted, "answers": found, "own_texts": texts is not None}
            | ({"methods": [m.name for m in methods]} if methods else {}),
        )
        work.end()
    return findings, paths

"""The answers of an experiment: a digest of what it finds at the quick scale, by which figures that are older than the code are told.

Figures on paper say nothing of the code they were measured with. So each run of an experiment keeps the digest of the answers its
code gives at the quick scale with seed 1, `docs/results.md` shows it, and a test measures it again: where it differs, the code gives
other figures than those that stand there. A comment, a new name or a faster loop changes nothing; a change of a method, a kernel, a
generator or a label does (docs/decisions/0088).
"""

from __future__ import annotations

import hashlib

import pyarrow as pa

from quchong.lab.experiment import Experiment, Findings, Scale

SCALE: Scale = "quick"
SEED = 1
TIMED = frozenset(
    ("seconds", "times_ccdet", "memory_bytes", "nanoseconds_a_text", "sign_seconds", "pair_seconds")
)  # fmt: skip
"""Columns that are other ones in each run: time, and memory, which hangs on the growth of arrays."""


def digest(findings: Findings) -> str:
    """Sixteen hexadecimal digits of all tables but the columns TIMED; numbers count by four significant figures."""
    whole = hashlib.blake2b(digest_size=8)
    for name, table in (("", findings.table), *sorted(findings.more.items())):
        whole.update(f"# {name}\n".encode())
        for line in lines(table):
            whole.update(f"{line}\n".encode())
    return whole.hexdigest()


def lines(table: pa.Table) -> list[str]:
    """The rows of a table without what is timed, a line each, the names first."""
    names = [name for name in table.column_names if name not in TIMED]
    return ["\t".join(names), *("\t".join(_shown(row[name]) for name in names) for row in table.to_pylist())]


def answers(experiment: Experiment) -> str | None:
    """The digest of what the experiment finds now, or counts beside its times, which takes seconds; None where it tells nothing twice."""
    if experiment.repeats:
        return digest(experiment.run(SCALE, SEED))
    return None if experiment.counts is None else digest(experiment.counts(SCALE, SEED))


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)

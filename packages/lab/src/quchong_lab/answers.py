"""Answers of an experiment: a digest of its results at the quick scale, which shows whether published figures are older than the code.

Published figures do not show which code they were measured with. So each run of an experiment stores the digest of the answers
that its code gives at the quick scale with seed 1. `docs/results.md` contains it, and a test measures it again: if it differs, the
code gives other figures than the published ones. A comment, a new name or a faster loop changes nothing; a change of a method, a kernel, a
generator or a label does (docs/decisions/0105).
"""

from __future__ import annotations

import hashlib

import pyarrow as pa

from quchong_lab.experiment import Experiment, Findings, Scale

SCALE: Scale = "quick"
SEED = 1
TIMED = frozenset(
    ("seconds", "times_ccdet", "memory_bytes", "nanoseconds_a_text", "sign_seconds", "pair_seconds")
)  # fmt: skip
"""Columns that differ in each run: time, and memory, which depends on how arrays grow."""


def digest(findings: Findings) -> str:
    """Return a digest, sixteen hexadecimal digits, of all tables without the columns TIMED; numbers count by four significant figures."""
    whole = hashlib.blake2b(digest_size=8)
    for name, table in (("", findings.table), *sorted(findings.more.items())):
        whole.update(f"# {name}\n".encode())
        for line in lines(table):
            whole.update(f"{line}\n".encode())
    return whole.hexdigest()


def lines(table: pa.Table) -> list[str]:
    """Format the rows of a table without timed columns, one line each; the first line has the names."""
    names = [name for name in table.column_names if name not in TIMED]
    return ["\t".join(names), *("\t".join(_shown(row[name]) for name in names) for row in table.to_pylist())]


def answers(experiment: Experiment) -> str | None:
    """Return the digest of the experiment's results now, or of its counts if only these repeat; None if nothing repeats. Takes seconds."""
    if experiment.repeats:
        return digest(experiment.run(SCALE, SEED))
    return None if experiment.counts is None else digest(experiment.counts(SCALE, SEED))


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)

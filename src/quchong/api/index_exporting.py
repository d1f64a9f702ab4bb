"""Export of an index: its documents written as a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quchong.api.index_fitting import check_outside
from quchong.api.index_location import OpenIndex
from quchong.engines.index.documents import check_texts_kept, spooling, write_documents, written_plan
from quchong.plan.sources import Spool


def export_run(stored: OpenIndex, name: str, out: Path, *, overwrite: bool) -> None:
    """Write all documents of an open index as a run folder, decided as a run over them decides.

    Args:
        stored: the index. name: its name, which its rows come under.
        out: the folder to write. overwrite: an earlier run there is replaced.

    Raises:
        UsageError: the index keeps no texts.
        OutputError: the folder exists (without `overwrite`), or cannot be written.
    """
    from quchong.api.deduplication import dedup

    check_outside(out)
    check_texts_kept(stored.settings.store)
    plan, spool = stored.plan, Spool()
    rows = spool.folder / f"{name}.parquet"
    write_documents(stored.catalogue, plan, rows)
    lines = spool.folder / "boilerplate.txt"
    with spooling(spool.folder):
        lines.write_text("\n".join(sorted(plan.preparer.boilerplate)), encoding="utf-8")
    scope, text = plan.scope, written_plan(plan).text
    decisions: dict[str, Any] = {"templates": plan.templates, "roundups": plan.roundups, "exact": plan.exact}
    dedup(
        rows, method=plan.method, keep=str(plan.policy), relations=plan.relations, text=text, id=plan.id, time=plan.time_key,
        source=plan.source_key, html=None, within=None if scope.within is None else f"{scope.within:.3f}s", per=scope.per,
        same_site=scope.same_site, strip=plan.preparer.strip, social=plan.preparer.social or "none",
        boilerplate=lines if plan.preparer.boilerplate else (), differences="all", out=out, overwrite=overwrite, **decisions,
    )  # fmt: skip

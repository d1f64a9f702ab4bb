"""What each stage of a run cost Spark, read from its event log: for runs whose run.json does not say so."""

from __future__ import annotations

import json
from pathlib import Path

PREFIX = "quchong: "
"""What the description of a job begins with; the stage's name follows."""
REST = "other"


def stages_of_log(path: Path) -> dict[str, tuple[float, int, int]]:
    """Stage -> seconds of its tasks, bytes they shuffled (written), tasks.

    Jobs of no stage of ours stand under "other"; failed tasks are counted, as their time was spent.
    """
    names: dict[int, str] = {}
    out: dict[str, tuple[float, int, int]] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith('{"Event":"SparkListenerStageSubmitted"'):
                event = json.loads(line)
                described = (event.get("Properties") or {}).get("spark.job.description") or ""
                names[event["Stage Info"]["Stage ID"]] = (
                    described.removeprefix(PREFIX) if described.startswith(PREFIX) else REST
                )
            elif line.startswith('{"Event":"SparkListenerTaskEnd"'):
                event = json.loads(line)
                metrics = event.get("Task Metrics") or {}
                name = names.get(event["Stage ID"], REST)
                seconds, shuffled, tasks = out.get(name, (0.0, 0, 0))
                written = metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
                out[name] = (seconds + metrics.get("Executor Run Time", 0) / 1000, shuffled + written, tasks + 1)
    return out

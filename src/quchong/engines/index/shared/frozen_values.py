"""Settings and frozen values of an index as values of a table: statistics, headers and templates, checked as if they were files."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.generations import STATISTICS, TEMPLATES
from quchong.engines.index.settings import SETTINGS, Settings
from quchong.outputs import OwnFolder


def packed_values(settings: Settings, statistics: FrozenStatistics, templates: FrameModels | None) -> dict[str, bytes]:
    """Return settings and frozen values as bytes, by name."""
    with _private_folder() as folder:
        statistics.save(folder, STATISTICS)
        if templates is not None:
            templates.save(folder, TEMPLATES)
        found = {name: (folder.path / name).read_bytes() for name in folder.names()}
    return found | {SETTINGS: json.dumps(settings.describe(), ensure_ascii=False, sort_keys=True).encode()}


def unpacked_values(stored: Mapping[str, bytes]) -> tuple[FrozenStatistics, FrameModels | None]:
    """Return the frozen values of `packed_values`.

    Raises:
        Damaged: they are none.
    """
    with _private_folder() as folder:
        for name in (STATISTICS, TEMPLATES):
            if name in stored:
                with folder.open(name, "xb") as file:
                    file.write(stored[name])
        statistics = FrozenStatistics.load(folder, STATISTICS)
        return statistics, FrameModels.load(folder, TEMPLATES) if TEMPLATES in stored else None


@contextmanager
def _private_folder() -> Iterator[OwnFolder]:
    """Make a folder of this user alone for the block."""
    with tempfile.TemporaryDirectory(prefix="quchong-") as above:
        folder = OwnFolder.made(Path(above) / "frozen")
        try:
            yield folder
        finally:
            folder.close()

"""Staging folder of a new index, which is renamed to the path of the index when it is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quchong.errors import OutputError, QuchongError
from quchong.languages import Message
from quchong.outputs import staged
from quchong.outputs.free_names import free_name

COPIED = Message("{} already exists: an index can be copied only to a new folder, such as {}")
MADE = Message("{} already exists: an index can be made only in a new folder, such as {}")
"""Messages about a path that is taken, with one that is free."""


@contextmanager
def named_when_complete(place: Path, taken: Message) -> Iterator[Path]:
    """Yield a hidden folder beside `place`; it is renamed to `place` if the block succeeds, else removed.

    So there is never half an index under the name that a user gave. What a killed process left is removed by the next one that makes an
    index at the same path. All files are flushed to the disk before the folder gets its name.

    Args:
        place: path of the index, at which nothing may be. The block makes the folder, and closes what it opens in it.
        taken: message if there is something, whose value is the path.

    Raises:
        OutputError: the path is taken, another process makes an index there, or it cannot be written. Errors of the block name `place`.
    """

    def check() -> None:
        if os.path.lexists(place):
            raise OutputError("{}", taken.holding(place, free_name("copy" if taken == COPIED else "seen")))

    check()
    remedy = Message("make room or choose another place")
    with staged(Path(os.path.realpath(place)), check, remedy) as hidden:

        def shown(value: Any) -> Any:
            beneath = isinstance(value, Path) and (value == hidden or hidden in value.parents)
            return place / value.relative_to(hidden) if beneath else value

        try:
            yield hidden
        except QuchongError as error:
            error.args = (error.message.mapped(shown),)
            raise

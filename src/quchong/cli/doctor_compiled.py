"""The compiled code that `quchong doctor` looks at: whether it loads, and whether it is that of this package."""

from __future__ import annotations

from contextlib import suppress

from quchong.cli.doctor_check import Check, reason
from quchong.errors import QuchongError
from quchong.languages import Message

_SENTENCES = (
    "The ferry leaves the old harbour at nine in the morning, 渡轮每天早上九点从旧码头开出。",
    "The ferry leaves the old harbour at nine in the morning, 渡轮每天早上九点从旧码头开出。 Tickets at the pier.",
    "Rain is expected in the hills tomorrow, 明天山区有雨。",
)


def compiled_code() -> Check:
    """Return the check of the compiled code, which is used to find out: two texts are compared, three are deduplicated; about 0.1 s."""
    name, remedy = Message("compiled code"), Message("pip install --force-reinstall quchong")
    try:
        from quchong.kernels.machine import loops

        found = Message("works; instruction set of its loops: {}", loops())
    except Exception as error:  # whatever a broken build raises
        return Check(name, Message("cannot be loaded: {}", reason(error)), "broken", remedy)
    try:
        _use()
    except ImportError as error:
        if error.name == "_quchong":
            return _of_another_build(name, error)
        return Check(name, Message("not known: {}", reason(error)), "note")  # the package has a check of its own
    except Exception as error:  # TypeError of a function that takes other arguments, and whatever else
        return _of_another_build(name, error)
    return Check(name, found)


def _use() -> None:
    """Build the tables of texts, tokenise, compare and deduplicate sentences.

    Raises:
        ValueError: a result is wrong; else whatever the compiled code raises.
    """
    from quchong.api import compare, dedup

    first, second, other = _SENTENCES
    if not compare(first, first).jaccard == 1 > compare(first, other).jaccard:
        raise ValueError("wrong similarity")
    with suppress(OSError, QuchongError):  # of the temporary folder, which has a check of its own
        if dedup([first, first, second, other], workers=1).kept.num_rows not in (2, 3):
            raise ValueError("wrong result")


def _of_another_build(name: Message, error: Exception) -> Check:
    """Return the check of compiled code that loads and cannot be used."""
    from quchong.kernels.machine import module_file

    found = Message("{} belongs to another build of quchong: {}", module_file(), reason(error))
    remedy = Message(
        "remove that file, or take its folder out of PYTHONPATH; then run pip install --force-reinstall quchong"
    )
    return Check(name, found, "broken", remedy)

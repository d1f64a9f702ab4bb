"""Examples of the documentation run again in another language, and the commands of the README as a terminal shows them."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
from typing import Any

from pages import ROOT

from quchong.languages import Language, speaking


def retold_example(block: str, language: Language) -> str:
    """Return a Python example with what it prints in a language.

    Raises:
        Exception: what the example raises.
    """
    names: dict[str, Any] = {}
    lines: list[str] = []
    with _at_root(), speaking(language):
        for example in doctest.DocTestParser().get_examples(block):
            first, *rest = example.source.splitlines()
            lines += [f">>> {first}", *(f"... {line}" for line in rest)]
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(example.source, "example", "single"), names)
            lines += printed.getvalue().splitlines()
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def _at_root() -> Any:
    """Run a block in the folder of the repository, where the examples are."""
    before = os.getcwd()  # noqa: PTH109 - chdir has no other inverse
    os.chdir(ROOT)
    try:
        yield
    finally:
        os.chdir(before)

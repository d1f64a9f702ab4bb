"""The methods: one file for each paper or family. No method imports another.

    import quchong as qc
    qc.dedup("news.jsonl", method=qc.methods.Hybrid(threshold=0.8))

Each is a frozen dataclass; its fields are its parameters. A method is found by its file in a folder beside this one, and imported when it
is first used. `__init__.pyi` has the classes for type checkers; tools/method_types.py makes it.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from quchong.languages import Message
from quchong.parameters import documented
from quchong.parameters.other_calls import imports_name
from quchong.patterns import lazy_pattern

BASES = "bases"
"""Folder of what methods share; the other folders hold methods."""
ORDER = (
    "hybrid",
    "minhash",
    "exact",
    "two-stage",
    "short-text",
    "ccdet",
    "shingling",
    "spotsigs",
    "codet",
    "imatch",
    "imatch-random",
    "imatch-s",
    "imatch-p",
    "lsh",
    "lsh-s",
    "lsh-p",
    "lsh-forest",
    "hamming-lsh",
    "simhash",
    "random-projection",
    "henzinger",
    "tree-long-sentence",
    "tree-key-sentence",
    "tree-feature-string",
    "check",
    "url",
    "feature-code",
    "cluster",
    "sl-st",
    "sl",
    "cops",
    "partial",
    "mdr",
    "yap3",
    "winnowing",
    "sif",
    "koala",
    "kmatch",
    "graph",
    "block-digest",
    "scam",
    "dscam",
    "lcs",
    "ppjoin",
    "ppjoin+",
)
"""Order of `quchong methods`; a method that is not named here follows these, by name."""
_CLASS = lazy_pattern(r"^class (\w+)\(")
_NAME = lazy_pattern(r'^    name: ClassVar\[str\] = "([^"]+)"')


def find_methods(folder: Path) -> dict[str, str]:
    """Return module and class of each method of a folder of folders, by its name, without importing any: "verified.hybrid:Hybrid".

    A method is a class with a line `name: ClassVar[str] = "..."`.
    """
    found: dict[str, str] = {}
    for path in sorted(folder.glob("[a-z]*/[a-z]*.py")):
        kind = ""
        for line in path.read_text(encoding="utf-8").split("\n") if path.parent.name != BASES else ():
            if match := _CLASS.match(line):
                kind = match[1]
            elif match := _NAME.match(line):
                found[match[1]] = f"{path.parent.name}.{path.stem}:{kind}"
    rank = {name: place for place, name in enumerate(ORDER)}
    return dict(sorted(found.items(), key=lambda one: (rank.get(one[0], len(rank)), one[0])))


PLACES = find_methods(Path(__file__).parent)
"""Module and class of each method, by its name, in the order of `quchong methods`."""

_MODULES = {place.partition(":")[2]: place.partition(":")[0] for place in PLACES.values()}
__all__ = sorted(_MODULES)


@cache
def _imported(name: str) -> Any:
    kind = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    kind.__doc__ = documented(kind)
    return kind


if not TYPE_CHECKING:  # a type checker would take any name for a method

    def __getattr__(name: str) -> Any:
        """Import and return the class of a method."""
        if name in _MODULES:
            return _imported(name)
        squeezed = name.lower().replace("_", "").replace("-", "")
        given = next((one for one in PLACES if one.replace("-", "") in (squeezed, squeezed.removesuffix("lsh"))), None)
        loading = f"{__name__}.{name}" in sys.modules  # a module in a circle of imports, which Python finds itself
        if not name.startswith("_") and not loading and imports_name(sys._getframe(1)):
            raise ImportError(_how_given(given).translation(), name=__name__)
        if given is not None:
            said = Message(
                "module {!r} has no attribute {!r}: give the method by its name, {}",
                __name__,
                name,
                f"method={given!r}",
            )
            raise AttributeError(said.translation())
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        said = Message(
            "module {!r} has no attribute {!r}; to list the names of the methods, use {}",
            __name__,
            name,
            "list(qc.methods.PLACES)",
        )
        raise AttributeError(said.translation(), name=name)

    class _Methods(ModuleType):
        """Module of the methods, whose errors about a call or a key say how a method is given."""

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            raise TypeError(_how_given(args[0] if args else None).translation())

        def __getitem__(self, name: Any) -> Any:
            raise TypeError(_how_given(name).translation())

    def _how_given(name: Any) -> Message:
        """Return how the method with this name is given to a call."""
        shown = name if isinstance(name, str) and name in PLACES else "minhash"
        return Message(
            "quchong.methods is a module: give a method by its name, such as {}; list(qc.methods.PLACES) has all names",
            f"qc.dedup('news.jsonl', method={shown!r})",
        )

    _Methods.__name__ = "module"  # as it is for who asks for its kind
    sys.modules[__name__].__class__ = _Methods


def __dir__() -> list[str]:
    return sorted(__all__)

"""Methods of other packages, registered under the entry point group `quchong.methods` and loaded on demand.

See docs/guide/methods.md. A broken package is an error only if its method is asked for; the message names the
package.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from quchong.errors import UsageError
from quchong.languages import Message, join_names
from quchong.methods import PLACES
from quchong.methods.bases.authored import MethodBase
from quchong.parameters import parameters_of
from quchong.seam import Method, Traits

GROUP = "quchong.methods"
_STEPS = tuple(sorted(name for name in vars(Method) if not name.startswith("_")))


@dataclass(frozen=True, slots=True)
class Registered:
    """A method that another package registers.

    Attributes:
        name: name of the method.
        package: name and version of the package.
        entry: entry point of the method's class.
        also: another package that registers the same name; "" for none.
    """

    name: str
    package: str
    entry: EntryPoint
    also: str = ""

    def load(self) -> type[Any]:
        """Import and return the method's class.

        Raises:
            UsageError: the name is taken, the code cannot be imported, or the class is no method; the message names the package.
        """
        if why := self.refused:
            raise UsageError("{}", why)
        try:
            kind = self.entry.load()
        except Exception as error:  # whatever the code of another package raises
            raise self._broken(
                Message("{} cannot be loaded ({}: {})", self.entry.value, type(error).__name__, error)
            ) from error
        if why := _lacks(self.name, kind):
            raise self._broken(why)
        loaded: type[Any] = kind
        return loaded

    @property
    def refused(self) -> str:
        """Reason why the name cannot be used; "" if it can."""
        if self.name in PLACES:
            return Message(
                "package {} registers a method called {}, but quchong has a method of that name and uses its "
                "own; rename the entry point",
                self.package,
                self.name,
            )
        if self.also:
            return Message(
                "method {} is registered by two packages, {} and {}: uninstall one of them, or rename its entry point",
                self.name,
                self.package,
                self.also,
            )
        return ""

    def _broken(self, why: str) -> UsageError:
        return UsageError(
            "method {} of package {}: {}; update that package, or uninstall it", self.name, self.package, why
        )


def registered() -> dict[str, Registered]:
    """Return the methods that other packages register, by name, without loading any; reads the metadata of all installed packages."""
    found: dict[str, Registered] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda e: (e.name, _package(e), e.value)):
        one = Registered(entry.name, _package(entry), entry)
        before = found.get(one.name)
        if before is None:
            found[one.name] = one
        elif before.package != one.package:
            found[one.name] = Registered(one.name, before.package, before.entry, one.package)
    return found


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


def _lacks(name: str, kind: Any) -> str:
    """Return the reason why an object is not the class of a method of this name; "" if it is."""
    if not isinstance(kind, type) or not is_dataclass(kind):
        return Message("{!r} is not a dataclass", kind)[:200]
    called = getattr(kind, "name", None)
    missing = [step for step in _STEPS if not hasattr(kind, step)]
    if issubclass(kind, MethodBase):
        missing = kind.missing_steps()
    bare = [f.name for f in fields(kind) if f.default is MISSING]
    found = [
        Message("has the name {!r}, but its entry point has the name {!r}", called, name) if called != name else "",
        "" if isinstance(getattr(kind, "traits", None), Traits) else Message("has no traits (quchong.seam.Traits)"),
        Message("lacks {} (see quchong.seam.Method)", join_names(missing)) if missing else "",
        Message("has no default for {}", join_names(bare)) if bare else "",
        _unreadable(kind),
    ]
    return next((f"the class {kind.__name__} {why}" for why in found if why), "")


def _unreadable(kind: type[Any]) -> str:
    try:
        parameters_of(kind)
    except Exception as error:  # whatever stands in the types of another package
        return Message("has types that cannot be read ({}: {})", type(error).__name__, error)
    return ""

"""Methods of other packages: registered under the entry point group `quchong.methods`, loaded when they are asked for.

See docs/guide/methods.md. A package that is broken is an error only where its method is asked for, and names the package.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from quchong.errors import UsageError
from quchong.methods import PLACES
from quchong.parameters import parameters_of
from quchong.seam import Method, Traits

GROUP = "quchong.methods"
_STEPS = tuple(sorted(name for name in vars(Method) if not name.startswith("_")))


@dataclass(frozen=True, slots=True)
class Registered:
    """A method that another package registers.

    Attributes:
        name: what it is called by.
        package: name and version of the package.
        entry: where it stands.
        also: another package that registers the same name; "" for none.
    """

    name: str
    package: str
    entry: EntryPoint
    also: str = ""

    def load(self) -> type[Any]:
        """The method's class.

        Raises:
            UsageError: a name that is taken, code that cannot be imported, or a class that is no method; the message names the
                package.
        """
        if why := self.refused:
            raise UsageError(why)
        try:
            kind = self.entry.load()
        except Exception as error:  # whatever the code of another package raises
            raise self._broken(f"{self.entry.value} cannot be loaded ({type(error).__name__}: {error})") from error
        if why := _lacks(self.name, kind):
            raise self._broken(why)
        loaded: type[Any] = kind
        return loaded

    @property
    def refused(self) -> str:
        """Why the name cannot be had, in words; "" where it can."""
        if self.name in PLACES:
            return (
                f"package {self.package} registers a method called {self.name}: quchong has one of that name, which stays; "
                "rename the entry point"
            )
        if self.also:
            return (
                f"method {self.name} is registered by two packages, {self.package} and {self.also}: uninstall one, or rename "
                "its entry point"
            )
        return ""

    def _broken(self, why: str) -> UsageError:
        return UsageError(f"method {self.name} of package {self.package}: {why}; update that package, or uninstall it")


def registered() -> dict[str, Registered]:
    """What other packages register, by name; nothing is loaded. Reads the metadata of all installed packages."""
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
    """What keeps an object from being the class of a method of this name; "" for nothing."""
    if not isinstance(kind, type) or not is_dataclass(kind):
        return f"{kind!r} is no dataclass"[:200]
    called = getattr(kind, "name", None)
    missing = [step for step in _STEPS if not hasattr(kind, step)]
    bare = [f.name for f in fields(kind) if f.default is MISSING]
    found = [
        f"is called {called!r}, the entry point {name!r}" if called != name else "",
        "" if isinstance(getattr(kind, "traits", None), Traits) else "has no traits (quchong.seam.Traits)",
        f"lacks {', '.join(missing)} (see quchong.seam.Method)" if missing else "",
        f"has no default for {', '.join(bare)}" if bare else "",
        _unreadable(kind),
    ]
    return next((f"the class {kind.__name__} {why}" for why in found if why), "")


def _unreadable(kind: type[Any]) -> str:
    try:
        parameters_of(kind)
    except Exception as error:  # whatever stands in the types of another package
        return f"has types that cannot be read ({type(error).__name__}: {error})"
    return ""

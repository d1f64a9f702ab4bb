"""Systems that wheels are built for: what zig, CMake and wheel tags call each of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A system that a wheel is built for."""

    name: str
    """Name on the command line of `make wheels`."""
    triple: str
    """Target of zig's compiler, with the oldest C library or macOS that the wheel is to run on."""
    system: str
    """CMAKE_SYSTEM_NAME."""
    processor: str
    """CMAKE_SYSTEM_PROCESSOR, and how the interpreter's own modules are named."""
    build_platform: str
    """Platform tag before the audit, which replaces it on Linux."""
    policy: str | None
    """Platform that auditwheel must agree to; None on macOS, whose module is checked by its load commands."""
    extension: str
    """Suffix of modules for one Python version, with {} for its digits."""


TARGETS = (
    Target(
        "linux-x86_64", "x86_64-linux-gnu.2.17", "Linux", "x86_64", "linux-x86_64", "manylinux_2_17_x86_64",
        ".cpython-{}-x86_64-linux-gnu.so",
    ),
    Target(
        "linux-aarch64", "aarch64-linux-gnu.2.17", "Linux", "aarch64", "linux-aarch64", "manylinux_2_17_aarch64",
        ".cpython-{}-aarch64-linux-gnu.so",
    ),
    Target(
        "musl-x86_64", "x86_64-linux-musl", "Linux", "x86_64", "linux-x86_64", "musllinux_1_2_x86_64",
        ".cpython-{}-x86_64-linux-musl.so",
    ),
    Target(
        "macos-arm64", "aarch64-macos.11.0", "Darwin", "arm64", "macosx-11.0-arm64", None, ".cpython-{}-darwin.so",
    ),
    Target(
        "musl-aarch64", "aarch64-linux-musl", "Linux", "aarch64", "linux-aarch64", "musllinux_1_2_aarch64",
        ".cpython-{}-aarch64-linux-musl.so",
    ),
    Target(
        "macos-x86_64", "x86_64-macos.11.0", "Darwin", "x86_64", "macosx-11.0-x86_64", None, ".cpython-{}-darwin.so",
    ),
)  # fmt: skip
"""All targets, the most used first. Windows is absent: zig has no headers of the MSVC runtime that Python for Windows needs."""

PYTHONS = ("3.12", "3.11")
"""Versions of Python that a wheel is built with: 3.12 makes the stable ABI, which all later versions load; 3.11 its own."""


def named(names: list[str]) -> list[Target]:
    """Return the targets of these names, all if there are none. Raises SystemExit for an unknown name."""
    known = {target.name: target for target in TARGETS}
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise SystemExit(f"no target {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names] or list(TARGETS)

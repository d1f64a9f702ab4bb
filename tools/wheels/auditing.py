"""What a wheel's platform and interpreter tags promise, compared with what its module needs."""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
import zipfile
from pathlib import Path

from environment import run, tools
from targets import Target

SYSTEM_LIBRARIES = ("/usr/lib/libSystem.B.dylib", "/usr/lib/libc++.1.dylib")
"""Libraries that every macOS has."""
MUSL = "libc.so"
"""Name by which zig's modules ask for musl."""
NEWEST_MACOS = (11, 0)
"""Least macOS that the wheels for it name."""


def audited(wheel: Path, target: Target, out: Path) -> Path:
    """Check a wheel and put it into `out` under the platform tag that its symbols allow; return its path there.

    On Linux auditwheel gives the tag, and refuses one that the module's symbols or instructions do not allow; on macOS the
    module's load commands are compared with the tag. abi3audit compares the stable ABI with the symbols of Python.

    Raises:
        SystemExit: a tool refuses the wheel.
    """
    if target.policy is None:
        _check_macos(wheel, target)
        done = out / wheel.name
        done.write_bytes(wheel.read_bytes())
    else:
        done = _with_linux_tag(wheel, target.policy, out)
    if "-abi3-" in done.name:
        run(tools() / "abi3audit", "--strict", "--summary", done)
    return done


def _with_linux_tag(wheel: Path, policy: str, out: Path) -> Path:
    with tempfile.TemporaryDirectory() as folder:
        # The x86-64 module asks for the second level of the architecture, processors from 2009 on, as numpy and pyarrow do;
        # levels 3 and 4 are behind a look at the processor, which auditwheel cannot know of.
        # auditwheel takes the names of this machine's platforms alone; of others it finds the tag by itself.
        asked = policy if policy.endswith(f"_{platform.machine()}") and policy.startswith("manylinux") else "auto"
        command = ["repair", "--plat", asked, "--disable-isa-ext-check", "--wheel-dir", folder]
        given = wheel
        if policy.startswith("musllinux"):
            # zig's module names musl as libc.so, which musl's loader takes for itself. auditwheel knows the C library by the
            # name of the wheel then, and is not to look for a libc.so on this machine, where that is another C library's.
            given = Path(folder) / "given" / f"{wheel.name.rpartition('-')[0]}-{policy}.whl"
            given.parent.mkdir()
            shutil.copyfile(wheel, given)
            command += ["--exclude", MUSL, "--ldpaths", str(given.parent)]
        run(tools() / "auditwheel", *command, given, env=_with_tools())
        (made,) = Path(folder).glob("*.whl")
        if not _allows(made.name, policy):
            raise SystemExit(f"auditwheel calls it {made.name}, and not {policy}")
        if any(".libs/" in name for name in zipfile.ZipFile(made).namelist()):
            raise SystemExit(f"{made.name} carries libraries of this machine: zig links its own")
        (out / made.name).write_bytes(made.read_bytes())
    return out / made.name


def _allows(name: str, policy: str) -> bool:
    """Return True if the tags of a wheel have this platform, or an older one of the same C library and processor."""
    pattern = re.compile(r"(manylinux|musllinux)_(\d+)_(\d+)_(\w+?)(?=\.|-|$)")
    ((library, *version, processor),) = pattern.findall(policy)
    return any(
        (found[0], found[3]) == (library, processor) and (int(found[1]), int(found[2])) <= tuple(map(int, version))
        for found in pattern.findall(name)
    )


def _with_tools() -> dict[str, str]:
    """Return the environment in which auditwheel finds patchelf."""
    return {**os.environ, "PATH": f"{tools()}{os.pathsep}{os.environ['PATH']}"}


def _check_macos(wheel: Path, target: Target) -> None:
    """Compare the processor, the least macOS and the libraries of a module with its tag. Raises SystemExit if they differ."""
    code = (
        "import sys; from macholib.MachO import MachO\n"
        "for header in MachO(sys.argv[1]).headers:\n"
        "    versions = [c.minos if hasattr(c, 'minos') else c.version for l, c, _ in header.commands if l.cmd in (0x24, 0x32)]\n"
        "    names = [d.rstrip(b'\\0').decode() for l, _, d in header.commands if l.cmd in (0xc, 0x80000018, 0x8000001f)]\n"
        "    print(header.header.cputype, *[f'{int(v) >> 16}.{int(v) >> 8 & 255}' for v in versions], *names)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        opened = zipfile.ZipFile(wheel)
        (module,) = [name for name in opened.namelist() if name.startswith("_quchong.") and name.endswith(".so")]
        told = run(tools() / "python", "-c", code, opened.extract(module, folder)).stdout.split()
    processor = {"arm64": "16777228", "x86_64": "16777223"}[target.processor]
    least = tuple(int(part) for part in told[1].split("."))
    if told[0] != processor or least > NEWEST_MACOS or not set(told[2:]) <= set(SYSTEM_LIBRARIES):
        raise SystemExit(f"{wheel.name} has a module for another system: {' '.join(told)}")

"""Toolchain of a target: zig under the names that CMake calls, and the file that tells CMake of them."""

from __future__ import annotations

from pathlib import Path

from environment import WORK, zig
from targets import Target

COMPILER = """\
#!/bin/sh
# zig names processors with underscores: -march=x86-64-v3 is -march=x86_64_v3. Its linker for macOS reads no list of Python's
# symbols, so that all which it does not find are left to the interpreter; and it crashes over bundles (0.17.1), but makes shared
# libraries, which Python loads as well.
for word do
  shift
  case $word in
    -march=x86-64-v*) word=-march=x86_64_${{word#-march=x86-64-}};;
    -Wl,@*.sym) word=-Wl,-undefined,dynamic_lookup;;
    -bundle) word=-shared;;
  esac
  set -- "$@" "$word"
done
exec {zig} c++ -target {triple} "$@"
"""

FILE = """\
set(CMAKE_SYSTEM_NAME {system})
set(CMAKE_SYSTEM_PROCESSOR {processor})
set(CMAKE_CXX_COMPILER {folder}/c++)
set(CMAKE_AR {folder}/ar)
set(CMAKE_RANLIB {folder}/ranlib)
# Python's headers name a version of POSIX that zig's C library has named already.
# zig writes debug information unless told not to: a third of the compiling, and what is installed is stripped of it.
set(CMAKE_CXX_FLAGS_INIT "-Wno-macro-redefined -g0")
# CMake asks for it on macOS; nothing is renamed, as the module links no library of ours.
set(CMAKE_INSTALL_NAME_TOOL true)
"""


def write_toolchain(target: Target) -> Path:
    """Write the compiler, archiver and CMake file of a target; return the file."""
    folder = WORK / target.name
    folder.mkdir(parents=True, exist_ok=True)
    binary = zig()
    scripts = {"c++": COMPILER.format(zig=binary, triple=target.triple)}
    for name in ("ar", "ranlib"):
        scripts[name] = f'#!/bin/sh\nexec {binary} {name} "$@"\n'
    for name, text in scripts.items():
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(0o755)
    file = folder / "toolchain.cmake"
    file.write_text(FILE.format(system=target.system, processor=target.processor, folder=folder), "utf-8")
    return file

"""One wheel: built for a target by zig, with a platform tag that the audit replaces."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from environment import ROOT, WORK, environment, interpreter, requirements, run, tools
from targets import Target
from toolchain import write_toolchain

TOGETHER = 9
"""Sources that are compiled as one: headers are read once for them; half of the module, so that two processors are used."""


def building_environment(version: str) -> Path:
    """Return the folder of the commands that build with a version of Python. Raises SystemExit if there is no such Python."""
    python = interpreter(version)
    if python is None:
        raise SystemExit(f"wheels are built with Python {version}, which is not on this machine")
    return environment(f"cp{version.replace('.', '')}", python, requirements("build"))


def build_wheel(target: Target, version: str) -> Path:
    """Build the wheel of a target with a version of Python; return its path below build/wheels.

    Sources are compiled in batches; what zig compiled before, such as the C++ library of a target, comes from its cache.
    Raises SystemExit if there is no such Python, or with the end of the compiler's words.
    """
    commands = building_environment(version)
    digits = version.replace(".", "")
    out = WORK / target.name / f"wheel-cp{digits}"
    shutil.rmtree(out, ignore_errors=True)
    machine = {
        **os.environ,
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "_PYTHON_HOST_PLATFORM": target.build_platform,
        "SETUPTOOLS_EXT_SUFFIX": target.extension.format(digits),
    }
    settings = [
        f"build-dir={WORK / target.name / f'cp{digits}'}",
        f"cmake.args=-DCMAKE_TOOLCHAIN_FILE={write_toolchain(target)};-DCMAKE_UNITY_BUILD=ON;-DCMAKE_UNITY_BUILD_BATCH_SIZE={TOGETHER}",
        "ninja.make-fallback=false",
    ]
    chosen = [word for setting in settings for word in ("--config-setting", setting)]
    run(
        *(tools() / "uv", "build", "--wheel", "--no-build-isolation", "--python", commands / "python"),
        *(*chosen, "--out-dir", out, ROOT),
        env=machine,
    )
    (wheel,) = out.glob("*.whl")
    return wheel

"""Wheels for other machines, run here: aarch64 under qemu with Debian's Python, the symbols of musl by its own loader."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from environment import WORK, run

SUITES = {"3.11": "bookworm", "3.13": "trixie"}
"""Releases of Debian, by the version of Python they have."""
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


class NotHere(Exception):
    """Error: a wheel cannot be run on the machine; the message says why."""


def unpacked_package(name: str) -> Path:
    """Return the folder of a Debian package, unpacked below build/wheels and not installed: musl, installed, would break other programs.

    Raises:
        NotHere: apt-get cannot bring it.
    """
    folder = WORK / f"debian-{name}"
    if (folder / "complete").is_file():
        return folder
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        raise NotHere(f"no {name} on this machine, and no apt-get to bring it")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        run("apt-get", "-qq", "download", name, cwd=folder)
        (package,) = folder.glob("*.deb")
        run("dpkg", "-x", package, folder)
    except (SystemExit, ValueError) as error:
        raise NotHere(
            f"no {name} on this machine, and apt-get does not bring it: {str(error).splitlines()[0]}"
        ) from None
    (folder / "complete").touch()
    return folder


class Emulated:
    """A Python of Debian for aarch64, unpacked beside this system and run by qemu."""

    def __init__(self, version: str) -> None:
        self.emulator = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
        if self.emulator is None:
            self.emulator = str(unpacked_package("qemu-user-static") / "usr" / "bin" / "qemu-aarch64-static")
        if shutil.which("apt-get") is None or not Path(KEYS).is_file():
            raise NotHere("the Python to emulate comes from Debian, by apt-get")
        self.version = version
        self.root = WORK / f"debian-{version}-arm64"
        if not (self.root / "complete").is_file():
            self._unpack()

    def _unpack(self) -> None:
        """Download the packages of Python and what it needs, and unpack them; nothing is installed on this system."""
        shutil.rmtree(self.root, ignore_errors=True)
        apt = self.root / "apt"
        for folder in ("etc/preferences.d", "etc/apt.conf.d", "lists/partial", "archives/partial"):
            (apt / folder).mkdir(parents=True)
        (apt / "status").touch()
        suite = SUITES[self.version]
        source = f"deb [arch=arm64 signed-by={KEYS}] http://deb.debian.org/debian {suite} main\n"
        (apt / "etc" / "sources.list").write_text(source, "utf-8")
        settings = {
            "Dir": apt, "Dir::Etc": apt / "etc", "Dir::State::lists": apt / "lists", "Dir::State::status": apt / "status",
            "Dir::Cache::archives": apt / "archives", "APT::Architecture": "arm64", "APT::Architectures": "arm64",
            "APT::Sandbox::User": "root",
        }  # fmt: skip
        (apt / "settings").write_text("".join(f'{name} "{value}";\n' for name, value in settings.items()), "utf-8")
        environment = {**os.environ, "APT_CONFIG": str(apt / "settings")}
        run("apt-get", "-qq", "update", env=environment)
        names = (f"python{self.version}", "libstdc++6")
        run("apt-get", "-qq", "--download-only", "--yes", "--no-install-recommends", "install", *names, env=environment)
        for package in sorted((apt / "archives").glob("*.deb")):
            run("dpkg", "-x", package, self.root)
        if not (self.root / "lib").exists():  # since trixie no package has this link
            (self.root / "lib").symlink_to("usr/lib")
        (self.root / "complete").touch()

    def install(self, wheel: Path) -> tuple[list[Path | str], dict[str, str]]:
        """Install a wheel and its dependencies for aarch64 into a fresh folder; return the command and its environment."""
        packages = self.root / "packages"
        shutil.rmtree(packages, ignore_errors=True)
        platforms = [f"manylinux_2_{glibc}_aarch64" for glibc in (17, 26, 27, 28)]
        chosen = [word for name in (*platforms, "manylinux2014_aarch64") for word in ("--platform", name)]
        run(
            *(
                sys.executable,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--only-binary",
                ":all:",
            ),
            *("--python-version", self.version, *chosen, "--target", packages, wheel),
        )
        python = self.root / "usr" / "bin" / f"python{self.version}"
        command = [str(self.emulator), "-L", self.root, python, "-m", "quchong"]
        return command, {"PATH": "", "PYTHONPATH": str(packages)}


def musl_symbols(wheel: Path, machine: str) -> str:
    """Let the loader of musl resolve a module; return that all but Python's symbols were found.

    No interpreter for musl is in the registries that wheels come from, so the module is loaded by the C library it is for, without one.

    Raises:
        NotHere: musl is not on this machine.
        SystemExit: a symbol that is not of Python is missing.
    """
    loader = Path(f"/lib/ld-musl-{machine}.so.1")
    if not loader.exists():
        if machine != platform.machine():
            raise NotHere(f"no musl for {machine} on this machine")
        loader = unpacked_package("musl") / loader.relative_to("/")
    with tempfile.TemporaryDirectory() as folder:
        opened = zipfile.ZipFile(wheel)
        (name,) = [name for name in opened.namelist() if name.startswith("_quchong.") and name.endswith(".so")]
        module = opened.extract(name, folder)
        done = subprocess.run([loader, "--list", module], capture_output=True, text=True, check=False)
    missing = re.findall(r"Error relocating \S+: (\S+): symbol not found", done.stderr + done.stdout)
    others = [symbol for symbol in missing if not re.match(r"_?Py", symbol)]
    if others or not missing:
        raise SystemExit(f"{wheel.name}: musl lacks {', '.join(others) or done.stderr}")
    return f"the loader of musl finds all but the {len(missing)} symbols of Python; no interpreter for musl is here to run it"

"""Programs outside of Python that `quchong doctor` looks at: Java for Spark, fonts for pictures, a browser for reports."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from quchong.cli.doctor_check import Check, reason
from quchong.cli.doctor_packages import version_of
from quchong.errors import install
from quchong.languages import Message

LEAST_JAVA = 17
_BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "firefox",
    "webkit",
    "microsoft-edge",
)
"""Programs that are browsers, and names of folders of those that Playwright installs."""
_PATIENCE = 30
"""Seconds that Java may take to tell its version."""


def java_program() -> str | None:
    """Return the Java program that Spark would start, from JAVA_HOME or else from the path; None if no Java is installed."""
    home = os.environ.get("JAVA_HOME")
    if home:
        found = shutil.which(str(Path(home) / "bin" / "java"))
        if found:
            return found
    return shutil.which("java")


def java_version(told: str) -> int | None:
    """Return the major version from what `java -version` prints; None if it says none.

    >>> java_version('openjdk version "17.0.9" 2023-10-17'), java_version('java version "1.8.0_391"')
    (17, 8)
    """
    found = re.search(r'version "(?:1\.)?(\d+)', told)
    return int(found[1]) if found else None


def spark() -> list[Check]:
    """Return the checks of Java and of whether Spark would run."""
    program = java_program()
    version: int | None = None
    java = Check("Java", Message("not found"), "note")
    if program is not None:
        try:
            ran = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=_PATIENCE, check=False)
            version = java_version(ran.stderr + ran.stdout)
            java = (
                Check("Java", str(version))
                if version
                else Check("Java", Message("the program does not state its version"), "note")
            )
        except (OSError, subprocess.SubprocessError) as error:
            java = Check("Java", Message("does not start: {}", reason(error)), "note")
    return [java, _spark_runs(version, silent=program is not None)]


def _spark_runs(java: int | None, silent: bool) -> Check:
    """Return the check of Spark; `silent` is whether there is a Java, which did not say its version if that is None."""
    installed = version_of("pyspark")
    remedy = Message(
        "install Java {} or later, such as apt install openjdk-17-jre-headless, or set JAVA_HOME", LEAST_JAVA
    )
    if installed is None:
        return Check("Spark", Message("cannot run: pyspark is not installed"), "note", install("spark"))
    if java is None and silent:
        found = Message("cannot run: pyspark {} is installed, but the version of Java is unknown", installed)
        return Check("Spark", found, "broken", remedy)
    if java is None:
        return Check(
            "Spark", Message("cannot run: pyspark {} is installed, but Java is not", installed), "broken", remedy
        )
    if java < LEAST_JAVA:
        found = Message("cannot run: Java {} is older than {}", java, LEAST_JAVA)
        return Check("Spark", found, "broken", remedy)
    return Check("Spark", Message("can run: pyspark {}, Java {}", installed, java))


def fonts() -> Check:
    """Return the check of fonts with Chinese characters, which pictures need for Chinese names."""
    name = Message("Chinese in pictures")
    if version_of("matplotlib") is None:
        return Check(name, Message("not checked: matplotlib is not installed"))
    try:
        from quchong.evaluation.picture import chinese_font

        font = chinese_font()
    except Exception as error:  # a broken package is told in its own check too
        return Check(name, Message("not known: {}", reason(error)), "note")
    if font is not None:
        return Check(name, Message("shown in the font {}", font))
    remedy = Message(
        "install a Chinese font, such as apt install fonts-noto-cjk; without such a font, pictures show "
        "numbers in place of Chinese names"
    )
    return Check(name, Message("no installed font has Chinese characters"), "note", remedy)


def browser_program() -> str | None:
    """Return the name of a browser on the path or installed by Playwright; None if no browser is found."""
    found = next(filter(shutil.which, _BROWSERS), None)
    if found is not None:
        return found
    place = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or str(Path.home() / ".cache" / "ms-playwright")
    try:
        names = sorted(folder.name.partition("-")[0] for folder in Path(place).iterdir())
    except OSError:
        return None
    return next((name for name in names if name.partition("_")[0] in _BROWSERS), None)


def browser() -> Check:
    """Return the check of a browser, which `review` opens; nothing else needs one."""
    import webbrowser

    try:
        webbrowser.get()
    except webbrowser.Error:
        remedy = Message(
            "quchong review prints an address: open it in a browser yourself; nothing else needs a browser"
        )
        program = browser_program()
        if program is not None:  # Python starts none without a screen
            return Check(
                Message("browser"),
                Message("{} is installed, but there is no screen to open it on", program),
                "note",
                remedy,
            )
        return Check(Message("browser"), Message("none is found"), "note", remedy)
    return Check(Message("browser"), Message("a browser is installed; quchong review opens it"))

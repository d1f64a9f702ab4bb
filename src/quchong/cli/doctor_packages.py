"""Packages that `quchong doctor` looks at: what quchong needs, its extras, and the experiments."""

from __future__ import annotations

import importlib
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

from quchong.cli.doctor_check import Check, reason
from quchong.errors import install
from quchong.languages import Message, join_names
from quchong.patterns import lazy_pattern

PURPOSES = {
    "html": Message("main text of web pages, faster"),
    "accurate": Message("main text of web pages by trafilatura (--body accurate)"),
    "report": Message("Excel workbooks, read and written"),
    "plot": Message("pictures of curves (eval, result.plot)"),
    "postgres": Message("an index that several processes share"),
    "s3": Message("inputs and runs at s3://"),
    "gcs": Message("inputs and runs at gs://"),
    "azure": Message("inputs and runs at az://"),
    "hf": Message("data sets at hf://"),
    "http": Message("inputs at https://"),
    "sftp": Message("inputs and runs at sftp://"),
    "profile": Message("flame graphs of runs (--profile)"),
    "serve": Message("the service and the review desk (serve, review)"),
    "spark": Message("runs on a cluster (--engine spark)"),
}
"""What each extra is for."""
MODULES = {
    "numpy": "numpy", "pyarrow": "pyarrow", "orjson": "orjson", "click": "click", "rich": "rich", "publicsuffixlist": "publicsuffixlist",
    "rjieba": "rjieba", "resiliparse": "resiliparse", "trafilatura": "trafilatura", "lxml_html_clean": "lxml_html_clean",
    "xlsxwriter": "xlsxwriter", "python-calamine": "python_calamine", "matplotlib": "matplotlib", "psycopg": "psycopg", "fsspec": "fsspec",
    "s3fs": "s3fs", "gcsfs": "gcsfs", "adlfs": "adlfs", "huggingface_hub": "huggingface_hub", "aiohttp": "aiohttp", "paramiko": "paramiko",
    "starlette": "starlette", "uvicorn": "uvicorn", "httptools": "httptools", "uvloop": "uvloop", "msgspec": "msgspec",
    "prometheus-client": "prometheus_client", "pyspark": "pyspark", "pandas": "pandas",
}  # fmt: skip
"""Modules by the distribution they are in, which are imported to see whether they work; py-spy is a program without one."""
_REQUIREMENT = lazy_pattern(r"^\s*([\w.-]+)\s*(?:\[[^\]]*\])?\s*([^;]*)(?:;(.*))?$")
_BOUND = lazy_pattern(r"(>=|<=|==|<|>)\s*([\d.]+)")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A distribution that is asked for: its name, the range of versions, and the extra that asks for it, "" for none."""

    name: str
    versions: str
    extra: str


def requirements() -> list[Requirement]:
    """Return what the installed quchong asks for on this system; an empty list if it is not installed as a package."""
    try:
        lines = metadata.requires("quchong") or []
    except metadata.PackageNotFoundError:
        return []
    out = []
    for line in lines:
        found = _REQUIREMENT.match(line)
        marker = (found and found[3]) or ""
        if found is None or (sys.platform == "win32" and "sys_platform" in marker and "!=" in marker):
            continue
        extra = re.search(r"""extra\s*==\s*["']([^"']+)["']""", marker)
        out.append(Requirement(found[1], found[2].strip(), extra[1] if extra else ""))
    return out


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3])


def in_range(version: str, versions: str) -> bool:
    """Return True if a version is within a range such as ">=1.26,<3"; letters in versions, as of pre-releases, are ignored.

    >>> in_range("2.1.3", "<3,>=1.26"), in_range("1.25", ">=1.26")
    (True, False)
    """
    given = _numbers(version)
    for sign, bound in _BOUND.findall(versions):
        wide = max(len(given), len(_numbers(bound)))
        left, right = (parts + (0,) * (wide - len(parts)) for parts in (given, _numbers(bound)))
        fits = {">=": left >= right, "<=": left <= right, "==": left == right, "<": left < right, ">": left > right}
        if not fits[sign]:
            return False
    return True


def version_of(name: str) -> str | None:
    """Return the installed version of a distribution, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def fault_of(wanted: Requirement, version: str) -> Message | None:
    """Return why an installed distribution cannot be used, or None; it is imported to find out."""
    if not in_range(version, wanted.versions):
        return Message("{} {} does not fit: the required range is {}", wanted.name, version, wanted.versions)
    if wanted.name not in MODULES:
        return None
    try:
        importlib.import_module(MODULES[wanted.name])
    except Exception as error:  # whatever a broken package raises
        return Message("{} {} cannot be imported: {}", wanted.name, version, reason(error))
    return None


def versions() -> Iterator[Check]:
    """Iterate over checks of quchong, Python, the system, and the packages that quchong always needs."""
    own = version_of("quchong")
    if own is None:
        yield Check(
            "quchong",
            Message("not installed as a package"),
            "note",
            Message("install the command with pip install quchong"),
        )
    else:
        yield Check("quchong", own)
    yield Check("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    known = platform.uname()
    yield Check(Message("system"), f"{known[0]} {known.release} {known.machine}")
    for wanted in requirements():
        if not wanted.extra:
            yield _needed(wanted)


def _needed(wanted: Requirement) -> Check:
    version = version_of(wanted.name)
    remedy = f'pip install "{wanted.name}{wanted.versions}"'
    if version is None:
        return Check(wanted.name, Message("not installed"), "broken", remedy)
    fault = fault_of(wanted, version)
    if fault is None:
        return Check(wanted.name, version)
    return Check(wanted.name, fault, "broken", remedy if not in_range(version, wanted.versions) else again(remedy))


def again(remedy: str) -> str:
    """Return a command of pip that also replaces what is there: pip leaves a package whose version fits, however damaged it is.

    >>> again("pip install orjson")
    'pip install --force-reinstall orjson'
    """
    return str.__str__(remedy).replace("pip install ", "pip install --force-reinstall ", 1)


def extras() -> Iterator[Check]:
    """Iterate over checks of the extras: what each is for, and its packages or the command that installs it."""
    asked = requirements()
    for extra, purpose in PURPOSES.items():
        group = [one for one in asked if one.extra == extra]
        found = {one: version for one in group if (version := version_of(one.name)) is not None}
        if not group or len(found) < len(group):
            yield Check(extra, Message("{}: not installed", purpose), "note", install(extra))
            continue
        faults = [(one, fault) for one, version in found.items() if (fault := fault_of(one, version)) is not None]
        if faults:
            one, fault = faults[0]
            there = in_range(found[one], one.versions)
            remedy = again(f'pip install "{one.name}{one.versions}"') if there else install(extra)
            yield Check(extra, Message("{}, by {}", purpose, fault), "broken", remedy)
        else:
            told = join_names(f"{one.name} {version}" for one, version in found.items())
            yield Check(extra, Message("{}, by {}", purpose, told))


def experiments() -> Check:
    """Return the check of the package of experiments, quchong-lab."""
    version = version_of("quchong-lab")
    if version is not None:
        return Check("lab", Message("experiments of the papers: {}", f"quchong-lab {version}"))
    remedy = Message("pip install ./packages/lab in the source folder of quchong")
    return Check("lab", Message("experiments of the papers: not installed"), "note", remedy)

"""Covers: tools/release, which `make release` calls: versions, sections of the changelog, the steps in their order, the folder of files and sums.

Run: pytest tests/test_release.py
"""

import hashlib
import importlib
import importlib.metadata
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

import quchong

ROOT = Path(__file__).parents[1]
MODULES = ("artefacts", "changelog", "steps", "versions")


@pytest.fixture(scope="module")
def release():
    """The modules of tools/release, and its command as `main`."""
    folder = str(ROOT / "tools" / "release")
    sys.path.insert(0, folder)
    try:
        found = {name: importlib.import_module(name) for name in MODULES}
        spec = importlib.util.spec_from_file_location("release_command", ROOT / "tools" / "release" / "__main__.py")
        found["main"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found["main"])
    finally:
        sys.path.remove(folder)
        for name in MODULES:
            del sys.modules[name]
    return SimpleNamespace(**found)


def test_every_place_says_one_version(release):
    version = release.versions.version_of_source()
    assert release.versions.wrong_places(version) == []
    assert quchong.__version__ == importlib.metadata.version("quchong") == version, "install it again: pip install ."
    assert {name for name, _ in release.versions.said_elsewhere()} >= {
        "pyproject.toml",
        "CITATION.cff",
        "packages/lab/pyproject.toml",
    }


def test_a_version_is_written_to_every_place_and_one_that_lags_is_named(release, tmp_path, monkeypatch):
    for name in release.versions.PLACES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(release.versions, "ROOT", tmp_path)
    assert sorted(release.versions.set_version("3.4.5")) == sorted(release.versions.PLACES)
    assert release.versions.wrong_places("3.4.5") == []
    assert 'quchong>=3.4,<3.5"' in (tmp_path / "packages/lab/pyproject.toml").read_text("utf-8")
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "Dockerfile").write_text("RUN pip install quchong==3.4.4\n", "utf-8")
    (tmp_path / "CITATION.cff").write_text("title: quchong\n", "utf-8")
    assert release.versions.wrong_places("3.4.5") == [
        "CITATION.cff says none, not 3.4.5",
        "deploy/Dockerfile says 3.4.4, not 3.4.5",
    ]


LOG = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n- One thing.\n\n## [0.1.0] - unreleased\n\n### Added\n- First.\n"


@pytest.mark.parametrize(
    ("version", "log", "lacks"),
    [
        ("0.2.0", LOG, []),
        ("0.3.0", LOG, ["no section"]),
        ("0.1.0", LOG, ["has no date"]),
        ("0.2.0", LOG.replace("- One thing.\n", ""), ["lists nothing"]),
        (
            "0.2.0",
            LOG.replace("[Unreleased]\n", "[Unreleased]\n\n### Fixed\n- Late.\n"),
            ["1 lines of CHANGELOG.md are still under"],
        ),
    ],
)
def test_what_a_changelog_lacks(release, version, log, lacks):
    missing = release.changelog.missing_for(log, version)
    assert len(missing) == len(lacks) and all(words in line for words, line in zip(lacks, missing, strict=True))


ZH = "# 更新日志\n\n## [0.2.0] - 2026-12-01\n\n### Added 新增\n\n- 一件事。\n"


@pytest.mark.parametrize(
    ("log", "lacks"),
    [
        (ZH, []),
        ("", ["has no section"]),
        (ZH.replace("12-01", "12-02"), ["has no section"]),
        (ZH + "- 还有一件。\n", ["has 2 lines under Added"]),
        (ZH.replace("Added", "Fixed"), ["has 0 lines under Added"]),
    ],
)
def test_what_the_chinese_changelog_lacks(release, log, lacks):
    missing = release.changelog.untranslated(LOG, log, "0.2.0")
    assert len(missing) == len(lacks) and all(words in line for words, line in zip(lacks, missing, strict=True))


def test_released_versions_are_told_in_both_languages(release):
    english, chinese = release.steps.changelogs()
    for version in release.changelog.sections(chinese):
        assert release.changelog.untranslated(english, chinese, version) == []
    assert "0.1.0" in release.changelog.sections(chinese)


def test_notes_are_the_section_alone(release):
    told = "# quchong 0.2.0\n\n### Added\n- One thing.\n"
    assert release.changelog.notes(LOG, "", "0.2.0") == told
    assert release.changelog.notes(LOG, ZH, "0.2.0") == f"{told}\n---\n\n# 中文\n\n### Added 新增\n\n- 一件事。\n"
    own = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert next(iter(release.changelog.sections(own))) == "Unreleased"
    assert len(release.changelog.sections(own)["0.1.0"].items) > 20


def test_the_changelog_is_read_in_five_minutes(release):
    for section in release.changelog.sections((ROOT / "CHANGELOG.md").read_text("utf-8")).values():
        assert len(section.text.splitlines()) <= 130, section.version
        parts = re.findall(r"^### (.+)$", section.text, re.MULTILINE)
        assert set(parts) <= {"Added", "Changed", "Deprecated", "Fixed", "Removed", "Security"} and len(parts) == len(
            set(parts)
        )


def test_a_rehearsal_names_every_step_and_does_the_light_ones(release, capfd):
    version = release.versions.version_of_source()
    folder = ROOT / "dist" / version
    before = sorted(folder.rglob("*"))
    release.main.rehearse(version)
    said = capfd.readouterr().out
    state = {line.split()[1]: line for line in said.splitlines() if re.match(r" ?\d+ \w+ +(ready|missing|would)", line)}
    assert list(state) == [*(step.name for step in release.steps.STEPS), "collect"]
    assert " ready " in state["version"] and " ready " in state["samples"] and " ready " in state["catalogues"]
    assert "would run make check" in state["suite"] and "would run make wheels" in state["wheels"]
    assert "would write dist/" in state["collect"] and sorted(folder.rglob("*")) == before


def test_steps_run_what_exists(release):
    for step in release.steps.STEPS:
        assert (step.check is None) == bool(step.command), step.name
        assert all((ROOT / word).exists() for word in step.command if word.startswith(("tests/", "tools/"))), (
            step.command
        )
    assert [step.name for step in release.steps.STEPS if step.heavy] == ["suite", "digests", "wheels", "site", "sdist"]


def test_a_release_stops_at_the_first_step_that_fails_and_goes_on_from_it(release, capsys, tmp_path, monkeypatch):
    done = []
    made = release.steps.Step

    def steps(fails):
        def looks(name):
            return lambda version: done.append(name) or (["it lacks this"] if name == fails else [])

        return tuple(made(name, "words", check=looks(name)) for name in ("one", "two", "three"))

    monkeypatch.setattr(release.main, "ROOT", tmp_path)
    monkeypatch.setattr(release.steps, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(LOG, "utf-8")
    built(tmp_path / "dist", "0.2.0")
    monkeypatch.setattr(release.main, "STEPS", steps("two"))
    assert release.main.release("0.2.0", "one") == 1 and done == ["one", "two"]
    said = capsys.readouterr().out
    assert "it lacks this" in said and "--from two" in said and not (tmp_path / "dist" / "0.2.0").exists()
    monkeypatch.setattr(release.main, "STEPS", steps(None))
    assert release.main.release("0.2.0", "two") == 0 and done == ["one", "two", "two", "three"]
    assert "git tag -s v0.2.0" in capsys.readouterr().out
    folder = tmp_path / "dist" / "0.2.0"
    names = ["NOTES.md", "SHA256SUMS", "quchong-0.2.0-cp312-abi3-any.whl", "quchong-0.2.0.tar.gz"]
    assert sorted(path.name for path in folder.iterdir()) == names
    for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert release.main.release("0.2.0", "three") == 1 and "exists" in capsys.readouterr().out
    assert (folder / "NOTES.md").read_text("utf-8").startswith("# quchong 0.2.0\n")


def built(folder, version):
    """Files as a build leaves them: a wheel, a source distribution, and a wheel of an earlier version."""
    folder.mkdir()
    for number in (version, "0.0.9"):
        with zipfile.ZipFile(folder / f"quchong-{number}-cp312-abi3-any.whl", "w") as wheel:
            wheel.writestr("quchong/__init__.py", "")
    with tarfile.open(folder / f"quchong-{version}.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("quchong/pyproject.toml"), io.BytesIO())


def test_files_that_are_missing_or_damaged_are_named(release, tmp_path):
    built(tmp_path / "dist", "0.2.0")
    files = sorted((tmp_path / "dist").glob("quchong-0.2.0*"))
    assert release.main.faults_of(files) == []
    assert release.main.faults_of(files[:1]) == ["no source distribution"] and release.main.faults_of(files[1:]) == [
        "no wheel"
    ]
    files[0].write_bytes(files[0].read_bytes()[:60])
    assert len(release.main.faults_of(files)) == 1 and files[0].name in release.main.faults_of(files)[0]


def test_a_release_neither_tags_nor_pushes():
    source = "".join(path.read_text("utf-8") for path in (ROOT / "tools" / "release").glob("*.py"))
    commands = re.findall(r"\[\"git\", [^\]]*\]", source)
    assert commands and all("status" in one for one in commands)
    assert "twine" not in source

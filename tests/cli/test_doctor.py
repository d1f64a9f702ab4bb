"""Covers: `quchong doctor`: what it tells of a machine, what is absent, what is broken, and what it does not tell."""

import json
import os
import re
import subprocess
import sys
from importlib import metadata

import pytest

from quchong.cli import doctor_machine, doctor_outside, doctor_packages
from quchong.cli.doctor_check import without_private_parts


@pytest.fixture
def checked(command):
    """Runs `quchong doctor --json`, and returns its exit code and its checks by name."""

    def checked(*argv):
        ran = command("doctor", "--json", *argv)
        assert not ran.err, ran.err
        told = json.loads(ran.out)
        assert told["usable"] == (ran.code == 0) == all(one["state"] != "broken" for one in told["checks"])
        return ran.code, {one["name"]: one for one in told["checks"]}

    return checked


@pytest.fixture
def without(monkeypatch):
    """Hides distributions, as if they were not installed, or gives them another version."""

    def without(*names, **versions):
        found = metadata.version

        def version(name):
            if name in names:
                raise metadata.PackageNotFoundError(name)
            return versions.get(name, found(name))

        monkeypatch.setattr(metadata, "version", version)

    return without


@pytest.fixture(autouse=True)
def one_java(monkeypatch):
    """A machine that has Java 17, so that tests do not depend on this one."""
    monkeypatch.setattr(doctor_outside, "java_program", lambda: "/opt/java")
    told = {"/opt/java": 'openjdk version "17.0.9" 2023-10-17'}
    run = subprocess.run

    def ran(argv, **options):
        if argv[0] in told:
            return subprocess.CompletedProcess(argv, 0, "", told[argv[0]])
        return run(argv, **options)

    monkeypatch.setattr(doctor_outside.subprocess, "run", ran)
    return told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_is_told_in_both_languages(command, monkeypatch, language):
    monkeypatch.setenv("QUCHONG_LANG", language)
    ran = command("doctor")
    said = {"en": ("extras", "compiled code", "everything that is installed works", "because of QUCHONG_LANG=en"),
            "zh": ("可选组件", "编译的代码", "已安装的都能用", "因为 QUCHONG_LANG=zh")}[language]  # fmt: skip
    assert ran.code == 0, ran.out
    assert all(words in ran.out for words in (*said, "pyarrow", "resiliparse", "Spark"))


def test_versions_machine_and_folders(checked, tmp_path):
    code, checks = checked(tmp_path)
    assert code == 0
    assert checks["quchong"]["found"] == metadata.version("quchong")
    assert checks["numpy"]["found"] == metadata.version("numpy")
    assert checks["compiled code"]["found"].removeprefix("works; instruction set of its loops: ") in (
        "baseline", "avx2", "avx512",
    )  # fmt: skip
    assert "GB free" in checks["temporary folder"]["found"] and f"folder {tmp_path}" in checks
    assert {"processors", "memory", "locks", "unnamed files", "letter case", "browser", "Java"} <= set(checks)
    assert not list(tmp_path.iterdir())  # nothing is left behind


def test_a_folder_that_is_not_there(command, tmp_path):
    ran = command("doctor", tmp_path / "nowhere")
    assert ran.code == 2 and "no such folder" in ran.line


def test_an_extra_that_is_absent_is_no_fault(checked, without):
    without("matplotlib", "pyspark", "quchong-lab")
    code, checks = checked()
    assert code == 0
    assert checks["plot"]["state"] == "note" and checks["plot"]["remedy"].startswith("pip install")
    assert "matplotlib" in checks["plot"]["remedy"]
    assert checks["Spark"]["found"] == "cannot run: pyspark is not installed"
    assert checks["lab"]["remedy"].startswith("pip install ./packages/lab")
    assert "not checked" in checks["Chinese in pictures"]["found"]


def test_what_is_needed_and_absent_is_broken(checked, without):
    without("orjson")
    code, checks = checked()
    assert code == 7 and checks["orjson"]["state"] == "broken"
    assert checks["orjson"]["remedy"].startswith('pip install "orjson')


def test_a_version_out_of_range_is_broken(checked, without, command):
    without(numpy="1.20.0")
    code, checks = checked()
    assert code == 7 and "numpy 1.20.0 does not fit: the required range is " in checks["numpy"]["found"]
    assert command("doctor").out.splitlines()[-1] == "1 installed part does not work: numpy"


def test_a_package_that_cannot_be_imported_is_broken(checked, monkeypatch):
    load = doctor_packages.importlib.import_module

    def import_module(name, *rest):
        if name == "xlsxwriter":
            raise RuntimeError("made by somebody\nelse")
        return load(name, *rest)

    monkeypatch.setattr(doctor_packages.importlib, "import_module", import_module)
    code, checks = checked()
    assert code == 7
    assert checks["report"]["found"].endswith("cannot be imported: RuntimeError: made by somebody else")


def test_compiled_code_that_does_not_load_is_broken(checked, monkeypatch):
    import quchong.kernels.machine as machine

    def loops():
        raise OSError("no kernel")

    monkeypatch.setattr(machine, "loops", loops)
    code, checks = checked()
    assert code == 7 and checks["compiled code"]["found"] == "cannot be loaded: OSError: no kernel"


@pytest.mark.parametrize(
    ("java", "code", "said"),
    [
        (None, 7, "is installed, but Java is not"),
        ('java version "1.8.0_391"', 7, "Java 8 is older than 17"),
        ("gibberish", 7, "is installed, but the version of Java is unknown"),
        ('openjdk version "21" 2023', 0, "can run: pyspark"),
    ],
)
def test_spark_needs_java(checked, monkeypatch, one_java, java, code, said):
    if java is None:
        monkeypatch.setattr(doctor_outside, "java_program", lambda: None)
    else:
        one_java["/opt/java"] = java
    ended, checks = checked()
    assert ended == code and said in checks["Spark"]["found"]
    assert (checks["Spark"]["remedy"] is None) == (code == 0)


def test_limits_of_a_container_are_told(checked, monkeypatch, tmp_path):
    quota = tmp_path / "cpu.max"
    quota.write_text("50000 100000\n")
    monkeypatch.setattr(doctor_machine, "_QUOTAS", (quota,))
    _, checks = checked()
    assert "the container is limited to the time of 0.5 processors" in checks["processors"]["found"]
    assert checks["processors"]["remedy"] == "use --workers 1: as many threads as the container allows"


def test_a_folder_without_locks_that_ignores_case(checked, monkeypatch):
    monkeypatch.setattr(doctor_machine, "_locks", lambda file: False)
    monkeypatch.setattr(doctor_machine.os, "O_TMPFILE", None, raising=False)
    monkeypatch.setattr(doctor_machine, "kind_of_file_system", lambda folder: "tmpfs")
    code, checks = checked()
    assert code == 0
    assert checks["locks"]["remedy"] == "never let two commands write to the same run folder or index on this disk"
    assert checks["unnamed files"]["found"].startswith("unnamed files are not supported")
    assert "take memory" in checks["temporary folder"]["remedy"]


def test_a_temporary_folder_that_cannot_be_written_is_broken(checked, monkeypatch, tmp_path):
    monkeypatch.setattr(doctor_machine.tempfile, "gettempdir", lambda: str(tmp_path / "nowhere"))
    code, checks = checked()
    assert code == 7 and "No such file or directory" in checks["temporary folder"]["found"]


def test_kinds_of_file_systems(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text("/dev/a / ext4 rw 0 0\nserver:/x /data nfs4 rw 0 0\ntmpfs /data/fast tmpfs rw 0 0\n")
    kinds = [
        doctor_machine.kind_of_file_system(place, str(mounts)) for place in ("/data/x", "/data/fast/y", "/database")
    ]
    assert kinds == ["nfs4", "tmpfs", "ext4"]
    assert doctor_machine.kind_of_file_system("/", str(tmp_path / "none")) == ""


def test_nothing_private_is_told(command, monkeypatch, tmp_path):
    home = tmp_path / "meihua"
    (home / "tmp").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("HTTPS_PROXY", "http://mei:pa55word@proxy:3128")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cr3t-key")
    monkeypatch.setattr(doctor_machine.tempfile, "gettempdir", lambda: str(home / "tmp"))
    for argv in (("doctor", home), ("doctor", home, "--json")):
        ran = command(*argv)
        assert "~/tmp" in ran.out
        for secret in ("meihua", "pa55word", "s3cr3t-key"):
            assert secret not in ran.out + ran.err
    told = without_private_parts(rf"C:\Users\mei\x, {'/'}Users/mei/y, {'/'}home/li.na/z, https://a:b@c/d")
    assert told == r"~\x, ~/y, ~/z, https://...@c/d"


def test_every_extra_has_a_purpose():
    """Of the project's file, because an installed package may be older."""
    import tomllib
    from pathlib import Path

    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["optional-dependencies"]) == set(doctor_packages.PURPOSES)
    lines = [line for group in project["optional-dependencies"].values() for line in group] + project["dependencies"]
    names = {re.match(r"[\w.-]+", line)[0] for line in lines}
    assert names - set(doctor_packages.MODULES) == {"py-spy"}


@pytest.mark.parametrize("function", ["hash_tokens", "shared_shingles", "survivors"])
def test_compiled_code_of_another_build_is_broken(checked, monkeypatch, function):
    """It loads and has other functions, as an older one has that is found first."""
    import _quchong

    def older(*arguments):
        raise TypeError(f"{function}(): incompatible function arguments. The following argument types are supported:")

    monkeypatch.setattr(_quchong, function, older)
    code, checks = checked()
    assert code == 7
    one = checks["compiled code"]
    assert "belongs to another build of quchong: TypeError: " in one["found"] and "_quchong" in one["found"]
    assert one["remedy"].endswith("then run pip install --force-reinstall quchong")


def test_an_older_module_that_is_found_first(tmp_path):
    """Its tables of texts take other arguments, which nothing but their use shows."""
    import _quchong

    (tmp_path / "_quchong.py").write_text(
        "import importlib.util, sys\n"
        f"made = importlib.util.spec_from_file_location('_quchong', {_quchong.__file__!r})\n"
        "real = importlib.util.module_from_spec(made)\n"
        "made.loader.exec_module(real)\n"
        "globals().update({name: getattr(real, name) for name in dir(real) if not name.startswith('__')})\n"
        "def TextTables(*arguments):\n"
        "    raise TypeError('__init__(): incompatible function arguments')\n"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    ran = subprocess.run(
        [sys.executable, "-m", "quchong", "doctor", "--json"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": path, "HOME": str(tmp_path / "home")},
    )  # fmt: skip
    one = next(check for check in json.loads(ran.stdout)["checks"] if check["name"] == "compiled code")
    assert ran.returncode == 7 and one["state"] == "broken"
    assert one["found"].startswith(f"{tmp_path / '_quchong.py'} belongs to another build of quchong: TypeError"), one


def test_the_remedy_of_a_package_that_cannot_be_imported_replaces_it(checked, monkeypatch):
    """pip leaves a package whose version fits."""
    load = doctor_packages.importlib.import_module

    def import_module(name, *rest):
        if name in ("orjson", "xlsxwriter"):
            raise ImportError("damaged")
        return load(name, *rest)

    monkeypatch.setattr(doctor_packages.importlib, "import_module", import_module)
    _, checks = checked()
    for name, package in (("orjson", "orjson"), ("report", "xlsxwriter")):
        assert checks[name]["remedy"].startswith(f'pip install --force-reinstall "{package}'), checks[name]


@pytest.mark.parametrize("variable", ["TMPDIR", "TEMP", "TMP"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_temporary_folder_that_is_passed_over_is_told(command, monkeypatch, tmp_path, variable, language):
    import tempfile

    used = tempfile.gettempdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "nowhere"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("QUCHONG_LANG", language)
    ran = command("doctor")
    said = next(line for line in ran.out.splitlines() if line.strip().startswith(variable + " "))
    assert {"en": "cannot be written; ", "zh": "无法写入"}[language] in said and used in said
    assert tempfile.gettempdir() == used


def test_no_temporary_folder_at_all_is_broken(checked, monkeypatch):
    def none_found():
        raise FileNotFoundError("no usable temporary directory found")

    monkeypatch.setattr(doctor_machine.tempfile, "gettempdir", none_found)
    code, checks = checked()
    assert code == 7 and checks["temporary folder"]["found"] == "no folder for temporary files can be written"

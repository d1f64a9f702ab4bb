"""Covers: the folder a run keeps its work in."""

import errno
import json
import os
import re
import stat

import numpy as np
import pytest

from quchong.errors import OutputError
from quchong.work import Damaged, Unencodable, Work, about_work, work_folder
from quchong.work import folder as module


def opened(tmp_path, key="k", **options):
    return Work.open(tmp_path / ".out.quchong-work", key, {"begun": "now"}, **options)


def test_a_stage_is_made_once(tmp_path):
    made = []

    def make():
        made.append(1)
        return np.arange(10)

    first = opened(tmp_path).stage("numbers", make)
    again = opened(tmp_path)
    assert again.found == ("numbers",)
    assert (again.stage("numbers", make) == first).all() and made == [1]


def test_without_a_folder_nothing_is_kept(tmp_path):
    value = [np.arange(3)]
    assert (
        Work().stage("numbers", lambda: value) is value and not Work().stores_values and Work().get("numbers") is None
    )


@pytest.mark.parametrize("how", ["another key", "fresh", "another format"])
def test_work_of_another_run_is_begun_anew(tmp_path, how, monkeypatch):
    opened(tmp_path).store("numbers", 1)
    if how == "another format":
        monkeypatch.setattr(module, "FORMAT", 99)
    again = opened(tmp_path, "other" if how == "another key" else "k", fresh=how == "fresh")
    assert again.found == () and again.get("numbers") is None and about_work(again.folder)["begun"] == "now"


def test_a_value_that_is_not_whole_is_made_again(tmp_path):
    work = opened(tmp_path)
    work.store("numbers", np.arange(100))
    path = work.folder / "numbers.value"
    path.write_bytes(path.read_bytes()[:-1])
    assert (opened(tmp_path).stage("numbers", lambda: np.zeros(2)) == 0).all()


def test_shared_values_are_written_once_and_found_by_others(tmp_path):
    work = opened(tmp_path)
    (one,) = work.share("texts-0", [np.arange(10_000)])
    work.store("uses", {"a": one})
    assert (work.folder / "uses.value").stat().st_size < 1000
    again = opened(tmp_path)
    assert (again.get("uses")[0]["a"] == np.arange(10_000)).all()
    again.forget("texts-")
    assert opened(tmp_path).get("uses") is None


def test_a_folder_with_foreign_files_is_left_alone(tmp_path):
    folder = tmp_path / ".out.quchong-work"
    folder.mkdir(mode=0o700)
    (folder / "letters.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"letters\.txt, which quchong did not write"):
        opened(tmp_path)
    assert (folder / "letters.txt").read_text() == "mine"


def test_a_foreign_file_beside_the_values_stays_when_the_work_ends(tmp_path):
    work = opened(tmp_path)
    work.store("numbers", 1)
    (work.folder / "letters.txt").write_text("mine")
    work.end()
    assert [path.name for path in work.folder.iterdir()] == ["letters.txt"]


def test_the_end_removes_the_folder(tmp_path):
    work = opened(tmp_path)
    work.store("numbers", 1)
    work.end()
    assert not list(tmp_path.iterdir())


def test_no_room_is_said_with_a_remedy_and_what_was_there_stays(tmp_path, monkeypatch):
    work = opened(tmp_path)
    work.store("numbers", 1)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "write_value", full)
    with pytest.raises(OutputError, match=r"has no room .* give the same command again"):
        work.store("more", 2)
    monkeypatch.undo()
    assert opened(tmp_path).found == ("numbers",)


def test_two_outputs_of_one_name_have_work_apart(tmp_path):
    one, other = (work_folder(tmp_path / name / "run", tmp_path) for name in "ab")
    assert one != other and one.parent == other.parent == tmp_path
    assert work_folder(tmp_path / "run") == tmp_path / ".run.quchong-work"


def test_a_folder_without_its_own_description_is_no_work(tmp_path):
    assert about_work(tmp_path) is None
    (tmp_path / "work.json").write_text(json.dumps({"key": 3}))
    assert about_work(tmp_path) is None and about_work(tmp_path / "none") is None


posix = pytest.mark.skipif(os.name != "posix", reason="Windows knows neither owner nor mode of a folder")


@posix
def test_the_folder_and_its_files_are_for_the_user_alone(tmp_path):
    work = opened(tmp_path)
    work.store("numbers", np.arange(3))
    assert stat.S_IMODE(work.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in work.folder.iterdir()} == {0o600}


def planted(tmp_path, how):
    """Work as another user could plant it, or the user has made it accessible to others."""
    work = opened(tmp_path)
    work.store("numbers", 1)
    if how == "link":
        work.folder.rename(tmp_path / "real")
        work.folder.symlink_to(tmp_path / "real", target_is_directory=True)
    elif how == "another user's":
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(work.folder, 12345, -1)
    else:
        work.folder.chmod(0o777 if how == "written by all" else 0o770)
    return work.folder


@posix
@pytest.mark.parametrize("how", ["link", "another user's", "written by all", "written by the group"])
@pytest.mark.parametrize("fresh", [False, True])
def test_work_that_others_may_have_put_there_is_refused_with_its_name(tmp_path, how, fresh):
    folder = planted(tmp_path, how)
    for act in (lambda: opened(tmp_path, fresh=fresh), lambda: about_work(folder)):
        with pytest.raises(OutputError, match=re.escape(folder.name)):
            act()
    assert (folder / "numbers.value").exists()


@posix
@pytest.mark.parametrize("name", ["work.json", "numbers.value"])
@pytest.mark.parametrize("how", ["link", "fifo"])
def test_files_of_work_are_not_followed_and_not_waited_for(tmp_path, name, how):
    work = opened(tmp_path)
    work.store("numbers", 1)
    outside = tmp_path / "outside"
    (work.folder / name).rename(outside)
    if how == "link":
        (work.folder / name).symlink_to(outside)
    else:
        os.mkfifo(work.folder / name)
    before = outside.read_bytes()
    again = opened(tmp_path)
    assert again.get("numbers") is None or name == "work.json"
    assert again.stage("numbers", lambda: 2) == 2 if name == "numbers.value" else again.found == ()
    assert outside.read_bytes() == before and (work.folder / name).is_file() and not (work.folder / name).is_symlink()


def test_a_value_of_another_stage_is_made_again(tmp_path):
    opened(tmp_path).store("numbers", "words")

    def check(value):
        if not isinstance(value, int):
            raise Damaged("no number")

    assert opened(tmp_path).stage("numbers", lambda: 3, check=check) == 3
    assert opened(tmp_path).stage("numbers", lambda: 4, check=check) == 3


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "Texts", "a/b", "", "."])
def test_a_value_that_names_what_is_no_value_is_made_again(tmp_path, name):
    work = opened(tmp_path)
    shared = np.arange(3)
    work.remember(name, [shared])
    work.store("uses", [shared])
    assert opened(tmp_path).get("uses") is None


def test_what_cannot_be_written_leaves_the_rest(tmp_path):
    work = opened(tmp_path)
    work.store("numbers", 1)
    with pytest.raises(Unencodable):
        work.store("method", lambda: 0)
    assert sorted(path.name for path in work.folder.iterdir()) == ["numbers.value", "work.json"]

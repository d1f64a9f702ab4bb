"""Seals: only who has the key makes them, and where there can be no key there is none, without an error."""

from __future__ import annotations

import os
import stat
import threading

import pytest

from quchong.outputs import is_sealed, make_seal, private_folder
from quchong.outputs.seal import state_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes")
VALUE = [{"path": "/a\udce9", "bytes": 3}]


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "quchong"


def test_a_seal_is_of_one_kind_and_one_value(state):
    seal = make_seal("run", VALUE)
    assert seal == make_seal("run", VALUE) and is_sealed("run", VALUE, seal)
    assert not is_sealed("work", VALUE, seal) and not is_sealed("run", [*VALUE, 1], seal)
    for other in (None, 3, "", "é", seal[:-1], seal.upper()):
        assert not is_sealed("run", VALUE, other)


def test_the_key_is_this_users_alone(state):
    seal = make_seal("run", VALUE)
    assert stat.S_IMODE(state.stat().st_mode) == 0o700 and [one.name for one in state.iterdir()] == ["key"]
    key = state / "key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600 and len(key.read_bytes()) == 32
    for mode in (0o640, 0o604):
        key.chmod(mode)
        assert make_seal("run", VALUE) is None and not is_sealed("run", VALUE, seal)
    key.chmod(0o600)
    state.chmod(0o777)
    assert make_seal("run", VALUE) is None and not is_sealed("run", VALUE, seal)
    state.chmod(0o700)
    assert is_sealed("run", VALUE, seal)


def test_who_looks_at_a_seal_makes_no_key(state):
    assert not is_sealed("run", VALUE, "0" * 64) and not state.parent.exists()


@pytest.mark.parametrize("what", ["short", "long", "link", "pipe", "folder"])
def test_what_is_no_key_is_none(state, what):
    state.mkdir(parents=True, mode=0o700)
    key = state / "key"
    if what == "link":
        (state.parent / "other").write_bytes(bytes(32))
        key.symlink_to(state.parent / "other")
    elif what == "pipe":
        os.mkfifo(key, 0o600)
    elif what == "folder":
        key.mkdir()
    else:
        key.touch(0o600)
        key.write_bytes(bytes(31 if what == "short" else 33))
    assert make_seal("run", VALUE) is None
    assert [one.name for one in state.iterdir()] == ["key"]


@pytest.mark.parametrize("home", ["{}/file", "", "/", "/dev/null", "."])
def test_no_place_for_a_key_is_no_error(tmp_path, monkeypatch, home):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", home.format(tmp_path))
    assert make_seal("run", VALUE) is None
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_home_of_another_user_gets_no_key(state, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert make_seal("run", VALUE) is None and not state.parent.exists()


def test_the_home_is_used_where_nothing_else_is_said(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder() == tmp_path / ".local" / "state" / "quchong"
    assert make_seal("run", VALUE) and (state_folder() / "key").is_file()


def test_a_key_made_in_the_folder_before_its_maker_has_looked_is_the_key(state, monkeypatch):
    real, first = private_folder._check_owner, []

    def check(path, about):
        if not first and path == state:  # the folder is made; now another process comes, and makes the key in it
            first.append(None)
            first[0] = make_seal("run", VALUE)
        return real(path, about)

    monkeypatch.setattr(private_folder, "_check_owner", check)
    made = make_seal("run", VALUE)
    assert made is not None and [made] == first


def test_two_at_a_time_make_one_key(state):
    made = []
    threads = [threading.Thread(target=lambda: made.append(make_seal("run", VALUE))) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert made.count(made[0]) == 8 and made[0] is not None
    assert [one.name for one in state.iterdir()] == ["key"]

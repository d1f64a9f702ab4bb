"""The steps of staging, as both carriers of it take them."""

from __future__ import annotations

import pytest

from quchong.errors import OutputError
from quchong.languages import Message
from quchong.outputs.owner import Mark
from quchong.outputs.protocol import Next, after_stop, check_ended, clearing, half_swapped, prefix_for, token_of


@pytest.mark.parametrize("name", ["run", "跑" * 80, ".hidden", "a.quchong-00000000"])
def test_a_staging_folder_is_known_by_its_name(name):
    folder = prefix_for(name) + "0123abcd"
    assert len(folder.encode()) < 256
    assert token_of(folder, name) == "0123abcd"
    for other in (folder + "0", folder[:-1], folder[1:], folder.upper(), name, "", prefix_for(name)):
        assert token_of(other, name) is None
    assert token_of(folder, "another") is None


@pytest.mark.parametrize(
    ("there", "staged", "next_"),
    [
        (True, {"owner"}, Next.NOTHING),
        (False, {"owner"}, Next.NOTHING),
        (True, {"owner", "new"}, Next.NOTHING),  # stopped while it wrote, or before the old one moved
        (False, {"owner", "new"}, Next.NOTHING),  # there never was an old one
        (False, {"owner", "new", "old"}, Next.PLACE),  # between the two names
        (True, {"owner", "new", "old"}, Next.NOTHING),  # somebody else has taken the place
        (True, {"owner", "old"}, Next.NOTHING),  # the new one has it
        (True, {"owner", "new", "commit"}, Next.MOVE),
        (False, {"owner", "new", "commit"}, Next.MOVE),
    ],
)
def test_what_a_stop_left_to_be_done(there, staged, next_):
    assert after_stop(there, staged) is next_
    assert half_swapped(staged) == ({"new", "old"} <= staged)


def test_the_mark_goes_last():
    assert clearing(["owner", "old", "new"])[-1] == "owner"


def test_a_place_is_left_to_who_writes_it():
    mark = Mark("0123abcd", "run", "another-machine", 1, None)
    check_ended(mark, True, "run", "folder")
    with pytest.raises(OutputError, match=r"another run \(process 1 on another-machine\) is writing run"):
        check_ended(mark, False, "run", "folder")
    with pytest.raises(
        OutputError, match="cannot find out whether that process still runs: if it has ended, delete folder"
    ):
        check_ended(mark, None, "run", "folder")
    with pytest.raises(OutputError, match="a process has run: wait"):
        check_ended(None, False, "run", "folder", lambda *said: Message("{} has {}: wait", *said))

"""Covers: what an error says of an id that no document has: the id that was meant, else a few that there are."""

import pytest

from quchong.runs.unknown_ids import id_advice

IDS = ["n001", "n009", "n010", "doc-7"]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("N009", "n009"),
        ("9", "n009"),
        ("n9", "n009"),
        ("ｎ００９", "n009"),
        (" n010 ", "n010"),
        ("“n001”", "n001"),
        (1, "n001"),
    ],
)
def test_an_id_written_in_another_way_is_meant(asked, meant):
    assert str(id_advice(asked, IDS)) == f"did you mean {meant}?"


@pytest.mark.parametrize("asked", ["n999", "x", "", "停水通知", "n00", "5"])
def test_another_id_leads_to_some_that_there_are(asked):
    assert str(id_advice(asked, IDS)) == "the ids are, for example, 'n001', 'n009', 'n010'"


def test_an_id_with_several_alike_is_not_guessed():
    assert str(id_advice("9", ["a9", "b9"])) == "the ids are 'a9', 'b9'"


def test_long_ids_are_shortened_and_none_is_said():
    assert str(id_advice("x", ["y" * 100])) == f"the ids are {'y' * 60 + '...'!r}"
    assert str(id_advice("x", [])) == "there is no document"

"""The dictionaries of `quchong.differences`: they parse, hold nothing twice, and are in normal form and simplified."""

from __future__ import annotations

import unicodedata
from importlib.resources import files

import pytest

from quchong.differences.dictionaries import aliases, base_forms, kinds_of_alternatives, opposites, same_words
from quchong.text.opencc import folds

NAMES = (
    "aliases", "alternatives", "antonyms", "bodies", "denials", "irregular", "lookalikes", "modality", "near_synonyms", "negations", "nicknames", "organisations", "phrasals", "place_words", "places", "ranks", "roles",
    "same_words", "sounds", "sounds_near", "surnames", "territories", "titles", "trades",
)  # fmt: skip


def text(name: str) -> str:
    return files("quchong.differences").joinpath("data", f"{name}.txt").read_text("utf-8")


def rows(name: str) -> list[list[str]]:
    return [line.split() for line in text(name).splitlines() if not line.startswith("#")]


def entries(name: str) -> list[str]:
    return [entry for row in rows(name) for entry in row]


def test_all_files_are_here_and_small():
    data = files("quchong.differences").joinpath("data")
    found = {file.name: len(file.read_bytes()) for file in data.iterdir()}
    assert set(found) == {f"{name}.txt" for name in (*NAMES, "english")}
    assert found.pop("english.txt") < 250_000
    assert sum(found.values()) < 165_000


@pytest.mark.parametrize("name", NAMES)
def test_normal_form(name):
    assert all(rows(name)), "an empty line"
    assert text(name).startswith("# ") or name == "sounds_near"
    traditional = folds()
    for entry in entries(name):
        assert unicodedata.normalize("NFKC", entry) == entry == entry.lower()
        assert not [c for c in entry if c in traditional], entry
        assert not entry.startswith("_") and not entry.endswith("_")


@pytest.mark.parametrize(
    "name",
    [
        "aliases",
        "bodies",
        "negations",
        "nicknames",
        "organisations",
        "places",
        "roles",
        "territories",
        "titles",
        "trades",
    ],
)
def test_no_entry_twice(name):
    assert len(set(entries(name))) == len(entries(name))


def test_surnames():
    single, compound = rows("surnames")
    assert len(single) == 1 and len(set(single[0])) == len(single[0]) >= 300
    assert len(set(compound)) == len(compound) and {len(name) for name in compound} == {2}


def test_no_place_is_a_surname_alone():
    single, compound = rows("surnames")
    assert not set(entries("places")) & {*single[0], *compound}
    assert min(map(len, entries("places"))) >= 2


def test_antonyms():
    pairs = []
    for row in rows("antonyms"):
        some, others = (row[: row.index("/")], row[row.index("/") + 1 :]) if "/" in row else (row[:1], row[1:])
        assert some and others
        pairs += [(one, other) for one in some for other in others]
    assert all(one != other for one, other in pairs)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    for one, other in pairs:
        assert one.isascii() == other.isascii()
    assert {"下跌", "减少"} <= opposites()["升高"] and "上涨" not in opposites()["升高"]


def test_same_words():
    given = [word.replace("_", " ") for row in rows("same_words") for word in row[1:]]
    assert len(set(given)) == len(given) == len(same_words())
    firsts = {row[0].replace("_", " ") for row in rows("same_words")}
    # The first word of a group is at most one step from the first of another one: 礼拜, 星期, 周.
    chained = {word for word in firsts if word in same_words()}
    assert not {same_words()[word] for word in chained} & chained
    # No two words of one group are opposites, and none negates but in a group of such.
    assert not any(first in opposites().get(word, ()) for word, first in same_words().items())


def test_alternatives():
    groups = rows("alternatives")
    assert {kind for kind, *_ in groups} == {"date", "figure", "opposite", "organisation", "person"}
    for _, *group in groups:
        words = [word for one in group for word in one.split("=")]
        assert len(group) > 1 and len(set(words)) == len(words)
        assert len({word.isascii() for word in words}) == 1
    assert "中秋节" in opposites()["春节"] and "国庆" not in opposites()["国庆节"]
    assert {kinds_of_alternatives()[word] for word in ("春节", "weekends")} == {"date"}
    assert kinds_of_alternatives()["总经理"] == "person"


def test_aliases():
    names = [name for group in rows("aliases") for name in group]
    assert len(set(names)) == len(names) and all(len(group) > 1 for group in rows("aliases"))
    assert aliases()["北大"] == aliases()["北京大学"] != aliases()["清华"]


def test_irregular_verbs():
    assert base_forms()["found"] == "find" and base_forms()["went"] == "go"
    forms = [form for row in rows("irregular") for form in row]
    assert len(set(forms)) == len(forms)


def test_negations_stand_in_two_sections():
    negating, _, others = text("negations").partition("# not negating\n")
    assert negating.splitlines()[-1] and not negating.splitlines()[-1].startswith("#")
    assert len(others.split()) >= 120 and "#" not in others
    assert {"不", "没有", "not", "n't"} <= set(negating.split()) and {"不仅", "非洲", "是否"} <= set(others.split())


def test_sounds():
    groups = {syllable: characters for syllable, characters in rows("sounds")}
    assert len(groups) == len(rows("sounds"))
    assert all(syllable.isascii() and syllable.isalpha() for syllable in groups)
    assert all(len(set(characters)) == len(characters) for characters in groups.values())
    assert "行" in groups["xing"] and "行" in groups["hang"] and "女" in groups["nv"]
    near = [frozenset(pair) for pair in rows("sounds_near")]
    assert "#" not in text("sounds_near") and {len(pair) for pair in near} == {2} and len(set(near)) == len(near)
    assert all(pair <= set(groups) for pair in near)


def test_lookalikes():
    groups = entries("lookalikes")
    assert all(len(set(group)) == len(group) >= 2 for group in groups)
    sets = [frozenset(group) for group in groups]
    assert len(set(sets)) == len(sets) >= 400
    assert all(ord(c) > 0x2E80 for group in groups for c in group)
    for pair in ("未末", "己已", "晴睛", "拨拔"):
        assert any(set(pair) <= group for group in sets), pair

"""Covers: what is known of the tokens at an edit before anything is read. Compared against: the words that reading finds there."""

import re

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from quchong import kernels
from quchong.differences import figures
from quchong.differences.facts import contradiction
from quchong.differences.kinds import BY_FIGURES, BY_LIST, BY_WORD, LIMITS
from quchong.differences.marks import mark_tables
from quchong.differences.meaning import lexicon, words_at
from quchong.differences.windows import Window
from quchong.text import form

WORDS = sorted(word for word in lexicon() if all("\u4e00" <= c <= "\u9fff" for c in word))
PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from("的在了说人这天生大中"))


def by_list(text, first, last):
    """Is a stretch read for words of the lexicon, where the other side has the same one? None where tokens are no characters."""
    docs = kernels.text.tokenise(form(), pa.array([text], pa.large_string()), workers=1).docs
    if docs.lengths[0] != len(text):  # a character that the form writes as two: places of tokens are others then
        return None
    one, edit = np.zeros(1, np.uint32), np.array([[first, last, first, last]])
    return bool(
        kernels.differences.reasons(docs, docs, one, one, one, edit, one + 9, one, mark_tables(form().tables), LIMITS)[
            0
        ]
        & BY_LIST
    )


@given(st.lists(PIECES, min_size=1, max_size=5), st.data())
def test_no_word_that_reading_finds_is_passed_over(pieces, data):
    text = "".join(pieces)
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, min(len(text), first + LIMITS.read)))
    if words_at(Window(text, first, last)):
        assert by_list(text, first, last) in (True, None), (text, first, last)


def test_words_beside_the_stretch_do_not_count():
    """A word of one character stands for itself only where it is what differs: 生 behind what differs is none."""
    assert by_list("毁长坠生班盼", 2, 3) is False
    assert by_list("有人生了", 2, 3) is True


def why(text, other, first, last):
    """Why an edit is read that puts the words `other` in the place of others of a text."""
    words = text.split()
    both = [" ".join(words), " ".join([*words[:first], *other, *words[last:]])]
    docs = kernels.text.tokenise(form(), pa.array(both, pa.large_string()), workers=1).docs
    if docs.lengths.tolist() != [len(words), len(words) - (last - first) + len(other)]:
        return None
    zero, edit = np.zeros(1, np.uint32), np.array([[first, last, first, first + len(other)]])
    given_ = (zero, zero + 1, zero, edit, zero + 9, zero.astype(np.uint8))
    return int(kernels.differences.reasons(docs, docs, *given_, mark_tables(form().tables), LIMITS)[0])


STATING = sorted(figures.stating() - {"second"})
ENGLISH = st.lists(st.one_of(st.sampled_from(STATING), st.sampled_from("the of 5 17 2019 b737 bank rose in".split())), min_size=1,
                   max_size=6)  # fmt: skip


@given(ENGLISH, st.lists(st.sampled_from(STATING), min_size=1, max_size=2), st.data())
def test_no_english_figure_or_date_that_contradicts_is_passed_over(words, other, data):
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    ahead, behind = ("".join(w + " " for w in part) for part in (words[:first], words[last:]))
    mine, theirs = " ".join(words[first:last]), " ".join(other)
    windows = (Window(f"{ahead}{side} {behind}", len(ahead), len(ahead) + len(side)) for side in (mine, theirs))
    told, reason = contradiction(*windows), why(" ".join(words), other, first, last)
    if told is not None and told[1] and reason is not None:
        assert reason & (BY_FIGURES | BY_WORD), (words, other, told)


def test_every_word_of_the_pattern_is_known_to_the_marks():
    source = re.sub(r"\(\?P<\w+>|\\[a-z]", "(", figures._WRITTEN)
    parts = set(re.findall("[a-z]{3,}", source)) - set("mon tues wednes thurs fri satur sun day".split())
    parts -= set(
        "until from before after since code pin number order".split()
    )  # what may stand before, and the of, as, to of shares
    # Before and behind a third that is a share; within numbers of several words.
    parts -= set(
        "than nearly almost about over roughly only this last during but while compared within because between and".split()
    )
    parts -= figures._COMMON | {"the", "early", "mid", "late"}
    assert {p for p in parts if p not in figures.stating()} == set()


def test_english_words_that_state_nothing_are_not_read():
    assert why("the big dog ran home", ["cat"], 2, 3) == BY_WORD
    assert why("it rose 5 percent then", ["points"], 3, 4) & BY_FIGURES
    assert why("it rose in march then", ["may"], 3, 4) & BY_FIGURES

"""Covers: words looked up by binary search in sorted lines, as a dictionary of the same lines answers.

Run: pytest tests/unit/differences/test_sorted_words.py.
"""

import pytest

from quchong.differences.sorted_words import SortedWords


@pytest.mark.parametrize("name", ["chinese.txt", "english.txt"])
def test_the_file_answers_as_a_dictionary_of_its_lines(name):
    mapped = SortedWords("lexicon", name)
    lines = mapped.text().split("\n")
    every = {word: value for word, _, value in (line.partition(" ") for line in lines)}
    assert len(every) == len(lines) and list(every) == sorted(every, key=lambda word: word.encode())
    asked = [*list(every)[::97], list(every)[-1]]
    asked += [
        other for word in asked for other in (word[:-1], word + "a", word + "一", word + " ", "\n" + word, word + "\n")
    ]
    assert [mapped.value(word) for word in asked[: SortedWords.MOST]] == [
        every.get(w) for w in asked[: SortedWords.MOST]
    ]
    assert [word in mapped for word in asked] == [word in every for word in asked]


def test_many_questions_load_the_lines_and_change_no_answer():
    mapped, loaded = SortedWords("lexicon", "chinese.txt"), SortedWords("lexicon", "chinese.txt")
    every = loaded.load()
    words = list(every)[: SortedWords.MOST + 10]
    assert [mapped.value(word) for word in words] == [every[word] for word in words] == [loaded.value(w) for w in words]
    assert mapped.value("没有这个词") is None is loaded.value("没有这个词")

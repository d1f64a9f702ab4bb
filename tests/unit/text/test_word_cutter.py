"""Covers: the cutter of words: its dictionary is loaded once, and is its own. Compared against: what it said before others added words."""

import subprocess
import sys

import rjieba

from quchong.text.words import is_known_word, tagged

TEXT = "张三在北京大学读书"


def test_words_that_others_add_to_the_package_change_nothing_here():
    before = tagged(TEXT)
    rjieba.add_word(TEXT, 10**9, "x")
    assert [word for word, _ in rjieba.tag(TEXT)] == [TEXT]
    assert tagged(TEXT) == before and not is_known_word(TEXT)


def test_the_package_can_be_imported_before_and_after():
    """The compiled module is loaded without its package: whoever imports that later gets the same one."""
    for imports in ("import rjieba; from quchong.text.words import tagged", "from quchong.text.words import tagged"):
        code = f"{imports}; found = tagged({TEXT!r}); import rjieba; assert found == rjieba.tag({TEXT!r})"
        subprocess.run([sys.executable, "-c", code], check=True)

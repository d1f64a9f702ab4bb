"""Covers: comments and licences of source code (`quchong.text.comments`), what `strip` makes of them, and tokens of code.

Run: pytest tests/unit/text/test_comments.py.
"""

import pickle

import pytest

import quchong as qc
from quchong.text import form
from quchong.text.comments import comments, licence

C = """/* Copyright (c) 2026 The authors.
   Licensed under the Apache License. */
#include <stdio.h>   // for printf
#define MAX 3
int main(void) { printf("// no comment, http://a.example/\\n"); return 7 / 2; } // the end
"""
PYTHON = '''#!/usr/bin/env python
# SPDX-License-Identifier: MIT
"""Module."""
import os  # of the system

def half(x):
    """Half of x."""
    s = """no
comment"""
    return x // 2, "# none", 'it''s # none'
'''
SQL = "-- 报表\nSELECT a, b - -1 -- 负数\nFROM t WHERE c = '--' AND d = 5;\n"
CSS = "#menu { color: #fff; background: url(//cdn.example/a.png) } /* 菜单 */\n"
LUA = "--[[ a ]]\nlocal n = #t\n"


def words(text):
    return [text[a:b] for a, b in comments(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (C, [C[: C.index("#include") - 1], "// for printf", "// the end"]),
        (PYTHON, ["#!/usr/bin/env python", "# SPDX-License-Identifier: MIT", '"""Module."""', "# of the system", '    """Half of x."""']),
        (SQL, ["-- 报表", "-- 负数"]),
        (CSS, ["/* 菜单 */"]),
        (LUA, ["--[[ a ]]"]),
        ("<p>a</p><!-- b\nc --><p>d</p>", ["<!-- b\nc -->"]),
        ("x = 7 // 2\ny = 8 % 3\nz = a - -b", []),
        ('"""A."""  # noqa\nx = 1\n\ndef f():\n    """B."""\n', ['    """B."""']),
        ("", []),
        ("#", ["#"]),
        ("今天召开新闻发布会。", []),
    ],
    ids=["c", "python", "sql", "css", "lua", "html", "operators", "behind documentation", "empty", "mark", "prose"],
)  # fmt: skip
def test_comments_are_what_the_language_of_the_text_makes_them(text, expected):
    assert words(text) == expected


def test_a_licence_is_all_comments_before_the_code_if_one_names_it():
    assert [C[a:b] for a, b in licence(C)] == [C[: C.index("#include") - 1]]
    ((start, end),) = licence(PYTHON)
    assert PYTHON[start:end] == PYTHON[: PYTHON.index("import") - 1]
    assert licence("# A tool.\nimport os  # Copyright\n") == []
    assert licence("") == [] and licence("x = 1\n# Copyright\n") == []


def fate(one, other, **options):
    """The relation of two texts and whether one of them is removed for the other."""
    result = qc.dedup([{"id": "a", "text": one}, {"id": "b", "text": other}], tokens="code", **options)
    return (result.pairs["relation"].to_pylist() or [None])[0], len(result.ledger)


BODY = "".join(f"def step_{i}(value, *, limit={i}):\n    if value > limit:\n        return value - {i} * limit\n    return None\n\n" for i in range(12))  # fmt: skip


def test_code_is_equal_whatever_its_white_space_and_not_if_a_mark_or_the_case_of_a_name_differs():
    assert fate(BODY, BODY.replace("    ", "\t").replace(", *", " , * ")) == ("exact", 1)
    assert fate(BODY, BODY.replace("value > limit", "value < limit")) == ("variant", 0)
    assert fate(BODY, BODY.replace("value - 3", "value + 3", 1)) == ("variant", 0)
    assert fate(BODY, BODY.replace("limit=3", "limit=33", 1)) == ("variant", 0)
    relation, removed = fate(BODY, BODY.replace("step_3", "Step_3"))
    assert relation != "exact" and removed in (0, 1)


def test_comments_and_licences_do_not_count_if_they_are_asked_to_be_left_out():
    commented = "# Copyright 2026 Somebody\n# All rights reserved.\n" + BODY.replace("    return None", "    # nothing left\n    return None  # end")  # fmt: skip
    assert fate(BODY, commented, strip="comments") == ("exact", 1)
    assert fate(BODY, "# Copyright 2026 Somebody\n\n" + BODY, strip="licences") == ("exact", 1)
    assert fate(BODY, commented, strip="licences")[0] != "exact"


def test_the_same_of_prose_is_untouched_by_tokens_of_code():
    text = "今天下午市政府召开新闻发布会，会上介绍了地铁四号线的建设情况。" * 3
    assert fate(text, text.replace("，", "，\n")) == ("exact", 1)


def test_a_form_of_code_is_pickled_for_other_processes():
    assert pickle.loads(pickle.dumps(form(tokens="code"))) == form("plain", "code")

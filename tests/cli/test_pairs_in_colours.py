"""Covers: the pair view of explain and compare on a terminal and off it: colours, marks, width, control characters.

Run: pytest tests/cli/test_pairs_in_colours.py.
"""

import re

import pytest
from rich.cells import cell_len

import quchong as qc
from quchong.cli import colours
from quchong.cli.pairs import WIDE, pair_lines
from quchong.report.terminal_marks import pieces, worth_drawing
from quchong.report.visible import UNSAFE

ONE = "云河地铁4号线3月5日零时转入空载试运行阶段。列车将不载客，按照正式开通后的时刻表每天跑满17个小时，检验信号、供电、通信等各个系统能否长时间稳定配合。贺启明表示赞成。"
TWO = ONE.replace("3月5日", "3月6日").replace("17个小时", "18个小时").replace("表示赞成", "没有表示赞成")
ESCAPE = re.compile("\x1b\\[[0-9;]*m")
EVIL = "\x1b]0;title\x07\u202e反\u200b转\r"


def shown(one, two, columns, language="en"):
    found = qc.compare(one, two)
    return pair_lines(("a", "b"), found.texts, found.passages, worth_drawing(found.differences, found.passages), 1200,
                      language, columns)  # fmt: skip


@pytest.mark.parametrize("columns", [40, 60, 99, 100, 120, 200])
def test_no_line_is_wider_than_the_terminal(columns):
    lines = [ESCAPE.sub("", line) for line in shown(ONE + "Latin words and 中文 mixed " * 5, TWO, columns)]
    assert max(map(cell_len, lines)) <= columns
    beside = any(re.search(r"\ba\b.+\bb\b", line) for line in lines)
    assert beside == (columns >= WIDE)


def test_nothing_of_the_texts_is_lost():
    lines = "".join(ESCAPE.sub("", line).strip() for line in shown(ONE, TWO, 60))
    assert ONE.replace("启明表示", "启明‸表示") in lines and TWO in lines


def test_kinds_have_colours_of_their_own_and_conflicts_are_told_apart():
    text = "\n".join(shown(ONE, TWO, 120))
    assert re.search("\x1b\\[1;7;33m[^\x1b]*5", text)  # a date, in conflict
    assert re.search("\x1b\\[1;7;31m[^\x1b]*17", text)  # a figure
    assert re.search("\x1b\\[1;4;7;95m没有", text) or re.search("\x1b\\[[0-9;]*95m没有", text)  # a negation
    assert "\x1b[32m云河地铁4号线" in text  # shared
    assert all(word in text for word in ("shared", "date", "figure", "negation", "facts in conflict", "missing here"))
    chinese = "\n".join(shown(ONE, TWO, 120, "zh"))
    assert all(word in chinese for word in ("共有", "日期", "数字", "否定", "事实冲突", "此处缺失"))


@pytest.mark.parametrize("columns", [60, 120])
def test_control_characters_are_shown_and_never_sent(columns):
    text = "\n".join(shown(EVIL + ONE + EVIL, TWO + EVIL, columns))
    assert not UNSAFE.search(ESCAPE.sub("", text))
    flat = "".join(line.strip() for line in ESCAPE.sub("", text).split("\n"))
    assert "\\x1b]0;title\\x07" in flat.replace(" ", "") and "⟨U+202E⟩" in flat and "⟨U+200B⟩" in flat


def test_pieces_cover_a_text_once_in_order():
    found = qc.compare(ONE, TWO)
    spans = [(p.start, p.end) for p in found.passages]
    made = pieces(ONE, spans, 1200, found.differences)
    assert "".join(p.text for p in made if p.text != "‸") == ONE
    assert not any(p.shared and p.difference for p in made)
    assert pieces("", [], 100) == []
    (cut,) = [p.text for p in pieces(ONE, [], 20) if p.ours]
    assert "characters more" in cut and sum(len(p.text) for p in pieces(ONE, [], 20) if not p.ours) == 20


def test_a_difference_that_holds_a_whole_passage_is_not_drawn():
    found = qc.compare(ONE, "前面是完全不同的一大段文字，与后文没有关系。" * 3 + ONE)
    assert all(d.conflict or d.left_end - d.left_start < 40 for d in worth_drawing(found.differences, found.passages))


@pytest.mark.parametrize(
    ("terminal", "environment", "expected"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),  # no-color.org: an empty one says nothing
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(monkeypatch, terminal, environment, expected):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(colours.sys, "stdout", type("Out", (), {"isatty": lambda self: terminal})())
    assert colours.coloured() is expected
    assert (colours.paint()("both", "x") != "x") is expected


def test_off_a_terminal_marks_are_brackets(command, tmp_path, jsonl, dedup):
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text(ONE, "utf-8")
    two.write_text(TWO, "utf-8")
    ran = command("compare", one, two)
    assert (
        ran.code == 0
        and "\x1b" not in ran.out
        and "⟦云河地铁4号线⟧" in ran.out
        and "⟪没有⟫" in ran.out
        and "‸" in ran.out
    )
    run = dedup(jsonl("in.jsonl", [{"id": "a", "text": ONE}, {"id": "b", "text": TWO}]), "--facts", "remove")
    told = command("explain", run.folder, *run.removed).out
    assert "shared passages marked, differences in ⟪ ⟫" in told and "⟪" in told.split("(kept)")[1]


def test_on_a_terminal_explain_and_compare_draw_the_pair(command, tmp_path, jsonl, dedup, monkeypatch):
    from quchong.cli import compare, explain  # noqa: F401

    monkeypatch.setattr(colours, "coloured", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text(ONE + EVIL, "utf-8", newline="")
    two.write_text(TWO, "utf-8")
    ran = command("compare", one, two, "--language", "zh")
    assert (
        ran.code == 0 and "共有" in ran.out and "⟦" not in ran.out and "\x1b]0" not in ran.out and "⟨U+202E⟩" in ran.out
    )
    run = dedup(jsonl("in.jsonl", [{"id": "a", "text": ONE}, {"id": "b", "text": TWO}]), "--facts", "remove")
    gone, stays = next(iter(run.removed.items()))
    told = command("explain", run.folder, gone).out
    assert "was removed" in told and "(removed), shared" not in told and "shared" in told
    assert "shared" in command("explain", run.folder, gone, "--with", stays).out
    assert command("explain", run.folder, stays).code == 0

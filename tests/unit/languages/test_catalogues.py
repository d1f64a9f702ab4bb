"""Covers: the catalogues are complete, compiled and up to date; every message of the source can be found for them."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "quchong"
LAB = ROOT / "packages" / "lab" / "src" / "quchong_lab"
TOOL = ROOT / "tools" / "catalogues"
pytest.importorskip("babel", reason="the catalogues are made with Babel, of the group test")
REMEDY = "run python tools/catalogues, and translate in src/quchong/languages/zh/LC_MESSAGES/quchong.po"


def test_the_catalogues_are_complete_compiled_and_up_to_date():
    done = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{REMEDY}\n{done.stdout}{done.stderr}"


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOL))
    import catalogue
    import extraction
    import faults

    yield catalogue, extraction, faults
    for name in ("catalogue", "extraction", "faults"):
        sys.modules.pop(name)


def test_a_catalogue_with_a_gap_a_doubt_or_other_places_is_at_fault(tool):
    from babel.messages.catalog import Catalog

    catalogue, _, faults = tool
    made = Catalog(locale="zh")
    made.add("{} of {:,}", "{1:,} 中的 {0}")
    made.add(("{} row", "{} rows"), ("{} 行",))
    assert faults.faults(made) == []
    made.add("new words")
    made.add("doubtful", "可疑", flags=["fuzzy"])
    made.add("{} and {:,}", "{} 和 {}")
    made.add("{} is lost", "丢了")
    made.add("\nline", "一行")
    said = faults.faults(made)
    assert [line.split(":")[0] for line in said] == [
        "not translated", "fuzzy", "other places for values", "other places for values",
        "line break or indent at the beginning differs",
    ]  # fmt: skip
    assert catalogue.compiled(made)[:4] in (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")


def test_messages_are_found_in_calls_help_and_metadata(tool, tmp_path):
    catalogue, extraction, _ = tool
    (tmp_path / "some.py").write_text(
        'say("a {}", 1 if x else 2)\nraise UsageError("b" if y else "c {}", z)\nseveral("one {}", "more {}", n)\n'
        'with stages.stage("walk", 3, "steps"): ...\nraise ValueError("not ours")\nsay("{}: {}", a, b)\nmade.Alarm("d", m)\n'
    )
    here = extraction._in_code(tmp_path / "some.py")
    assert set(here) == {
        ("", "a {}"), ("", "b"), ("", "c {}"), ("", ("one {}", "more {}")), ("stage", "walk"), ("stage", "steps"), ("", "{}: {}"), ("", "d"),
    }  # fmt: skip
    found = catalogue.found("quchong")
    for known in (
        ("", "Replace an earlier run in the output folder."),  # an option
        ("", "What is kept"),  # a group of options
        ("", "number of tokens in a shingle."),  # a parameter
        ("", "random projections of tf-idf vectors of terms; the share of equal bits is compared"),  # a method
        ("rule", "facts differ"),
        ("relation", "contained_in"),
        ("system", "Permission denied"),
    ):
        assert known in found, known


def test_what_experiments_say_is_in_their_catalogue_alone(tool):
    catalogue, _, _ = tool
    product, lab = catalogue.found("quchong"), catalogue.found("quchong_lab")
    title = ("", "SimHash: unit against IDF weights")
    assert title in lab and title not in product
    assert ("", "unknown experiment {!r}{}") in lab
    assert not product & lab


def calls(tree):
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
        yield call, call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_every_message_is_a_literal_with_a_value_for_each_place():
    """An f-string, or parts put together, no catalogue would know."""
    from quchong import errors

    kinds = {n for n, k in vars(errors).items() if isinstance(k, type) and issubclass(k, errors.QuchongError)}
    seen = 0
    for path in (*SOURCE.rglob("*.py"), *LAB.rglob("*.py")):
        for call, name in calls(ast.parse(path.read_text("utf-8"))):
            if name not in kinds | {"Message", "say", "compose"} or path.parts[-2] == "languages":
                continue
            seen += 1
            first, values = call.args[0], call.args[1:]
            where = f"{path.relative_to(ROOT)}:{call.lineno}"
            assert not isinstance(first, ast.JoinedStr | ast.BinOp), (
                f"{where}: a template with {{}} and values, no f-string"
            )
            if isinstance(first, ast.Constant) and values and not any(isinstance(v, ast.Starred) for v in values):
                places = [name for _, name, _, _ in Formatter().parse(first.value) if name is not None]
                wanted = 1 + max(map(int, places)) if any(places) else len(places)
                assert wanted == len(values), f"{where}: {wanted} places, {len(values)} values"
    assert seen > 600


def test_the_wheel_holds_the_compiled_catalogues():
    """Users have no Babel: the build takes in the package as it lies in the source."""
    for domain, package in (("quchong", SOURCE), ("click", SOURCE), ("quchong_lab", LAB)):
        compiled = package / "languages" / "zh" / "LC_MESSAGES" / f"{domain}.mo"
        assert compiled.stat().st_size > 2000
        tracked = subprocess.run(["git", "check-ignore", compiled], cwd=ROOT, capture_output=True, check=False)
        assert tracked.returncode != 0


SIGNS = {
    "plan/spoken_numbers": "numerals and units as people write them in Chinese",
    "decision/templates": "the Chinese colon",
    "evaluation/label_reader": "usual names of columns of a truth",
    "plan/text_or_path": "signs of sentences, by which a text is told from a path",
    "cli/extra_words": "brackets of sentences of click, words for spans of time",
    "cli/akin_options": "the Chinese full stop",
    "cli/needless_options": "options as people try them in Chinese",
    "cli/doctor_compiled": "sentences by which the compiled code is tried",
    "cli/missing_paths": "multiples as people write them in Chinese",
    "cli/option_words": "options as people try them in Chinese",
    "runs/unknown_ids": "numbers of rows as people write them in Chinese",
    "cli/examples": "names of files and texts in examples",
    "cli/kinds": "the Chinese full stop",
    "cli/main": "the Chinese full stop",
    "cli/speech": "a sign that shows whether a terminal writes Chinese",
    "cli/wrapping": "marks that no line begins with",
    "cli/subcommands": "commands as people try them in Chinese",
    "cli/wrong_options": "options and values as people try them in Chinese",
    "cli/wrong_words": "commands as people try them in Chinese",
    "plan/method_words": "methods as people try them in Chinese",
    "views/inspection/page": "names of languages",
    "report/date_words": "words of dates",
    "report/clauses": "marks at which a clause ends",
    "plan/plan": "words for units of time",
    "plan/mix": "heads of a file of weights",
    "results/chains": "names of a time zone as people write them in Chinese",
    "results/worse": "marks at which a sentence ends",
}
"""Files of words for people with Chinese signs in them that are no words of a catalogue."""


def chinese_literals(path):
    """String constants with Chinese signs, without docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    said = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs)
    return [n.value for n in said if re.search("[\u4e00-\u9fff\u3001\u3002\uff0c\uff1a\uff1b]", n.value)]


def test_words_for_people_have_their_chinese_in_the_catalogue_alone():
    found = set()
    for room in "api chains cli decision desk evaluation plan report results runs views".split():
        assert (SOURCE / room).is_dir(), room
        found |= {
            p.relative_to(SOURCE).with_suffix("").as_posix()
            for p in (SOURCE / room).rglob("*.py")
            if chinese_literals(p)
        }
    assert found == set(SIGNS)


HAN = "[\u3400-\u9fff]"
MIXED = {
    "a half-width mark at a Chinese character": rf"{HAN}\s*[,;:!?](\s|{HAN}|$)|[,;!?]\s*{HAN}",
    "a sentence that ends in a dot": rf"{HAN}\.(\s|$)|{HAN}\.\.\.(?!\))",
    "half-width brackets around Chinese": rf"{HAN}\(|\){HAN}",
    "half-width quotation marks at Chinese": rf"[\"']{HAN}|{HAN}[\"']",
}
LITERAL = (
    "没有 {} {}：请用",
    "算作同一个词的各组词",
    "由 str 组成的列表",
    "有 stage(name",
    "threshold 须大于 0、不超过 1，recall 须在 0 与 1 之间",
    "{} 应为 0.5,0.6",
)
"""Beginnings of translations that quote input word by word: lists that a program reads, intervals, code."""


def test_chinese_messages_have_chinese_marks():
    from babel.messages.pofile import read_po

    with (SOURCE / "languages" / "zh" / "LC_MESSAGES" / "quchong.po").open("rb") as file:
        found = read_po(file, locale="zh")
    said = [one for m in found if m.id for one in (m.string if isinstance(m.string, tuple) else (m.string,))]
    assert len(said) > 1_000
    wrong = [
        (why, text)
        for text in said
        if not any(start in text for start in LITERAL)
        for why, pattern in MIXED.items()
        if re.search(pattern, re.sub(r"`[^`]*`", "`", text))
    ]
    assert wrong == []


@pytest.mark.parametrize("text", ["请重试.", "请重试, 或换一个", "默认: 无", "文件(三个)", '没有"甲"', "等..."])
def test_a_mixed_mark_would_be_found(text):
    assert any(re.search(pattern, text) for pattern in MIXED.values())

"""Covers: the table of relations: its rows agree, a new row is taken up everywhere, and no other file spells the words.

Compared against: a process whose table has one more row than the source.
"""

import ast
import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from quchong.evaluation.labels import LABELS
from quchong.languages import speaking
from quchong.relations import BY_NAME, RELATIONS, TABLE

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "quchong"


def test_rows_agree_with_each_other():
    assert len(BY_NAME) == len(TABLE)
    for one in TABLE:
        mirror, either = BY_NAME[one.mirror], BY_NAME[one.either]
        assert mirror.mirror == one.name and mirror.inside == -one.inside and either.leads
        assert either.name in (one.name, one.mirror)
        for name in ("rank", "copy", "removable", "binding", "label", "equal", "conflicting", "partial", "colours"):
            assert getattr(mirror, name) == getattr(one, name), (one.name, name)
        assert one.label in LABELS and not (one.equal and one.conflicting)
        assert all(re.fullmatch("#[0-9a-f]{6}", getattr(one.colours, side)) for side in ("light", "dark", "notebook"))
    ranks = [one.rank for one in TABLE if one.leads]
    assert sorted(ranks) == list(range(len(ranks)))


@pytest.mark.parametrize("name", RELATIONS)
def test_every_word_is_translated_and_has_its_values(name):
    words = BY_NAME[name].words
    messages = [getattr(words, field.name) for field in fields(words)]
    assert [message.template.count("{}") for message in messages] == [0, 2, 3, 1, 0, 0]
    with speaking("zh"):
        for message in messages:
            assert re.search("[一-鿿]", message.translation()), message


ROW = """Relation(
    "template", mirror="template", either="template", rank=5, label="different", binding=False, copy=False,
    words=Words(
        Message("template", context=LISTED), Message("{} and {} fill one template"),
        Message("{} was removed: it fills the template of {}{}"),
        Message("it fills the template of {}", context=CLAUSE), Message("one template", context=BOTH),
        Message("of one template", context=CHAIN),
    ),
    colours=Colours("#123456", "#abcdef", "#fedcba"),
)"""
"""A relation that nobody has."""

WITH_ONE_MORE = """
import ast, importlib.util, json, sys
spec = importlib.util.find_spec("quchong.relations")
tree = ast.parse(spec.loader.get_source("quchong.relations"))
table = next(node for node in tree.body if isinstance(node, ast.AnnAssign) and node.target.id == "TABLE")
table.value.elts.append(ast.parse(sys.argv[1], mode="eval").body)
module = importlib.util.module_from_spec(spec)
sys.modules["quchong.relations"] = module
exec(compile(ast.fix_missing_locations(tree), "relations", "exec"), vars(module))

import numpy as np, pyarrow as pa
from click.testing import CliRunner
from quchong.languages.spoken import catalogue
catalogue("zh")._catalog.update({"relation listed\\x04template": "模板", "relation chain\\x04of one template": "出自同一模板"})
from quchong import relation_codes as codes
from quchong.chains.links import Links
from quchong.cli.main import cli
from quchong.policy.survivors import arcs
from quchong.desk.page import desk_words
from quchong.evaluation.label_reader import RELATED
from quchong.plan.plan import Plan
from quchong.report import PairComparison, Explanation
from quchong.report.chains import chain_lines
from quchong.report.histogram import histogram, scores
from quchong.relations import relations_for_pages
from quchong.runs.manifest import RELATIONS as known_to_run_json
from quchong.tables import PAIRS
from quchong.views.page import styles
from quchong.views.words import words

new = codes.code_of("template")
loser, winner, pair = arcs(np.array([0]), np.array([1]), np.array([new]), np.array([1, 0]), frozenset({"template"}))
some = np.array([new])
links = Links(np.array([0]), np.array([1]), some, np.ones(1), np.ones(1))
pairs = pa.table({"relation": ["template"], "jaccard": [0.4]})
first = dict(id="a", source_id=None, published=None, publisher=None, title=None, role="first", basis="time", position=1)
copy = first | dict(id="b", source_id="a", relation="template", basis="time", choices=1, shared=0.5, confidence=0.9, certainty="only", runner_up_id=None,
                    position=2, changed="x", changed_zh="x")
explanation = Explanation("b", True, "a", "template", 0.4, 0.5, 0.6, "a rule")
print(json.dumps({
    "arc": [int(loser[0]), int(winner[0])],
    "rank": int(codes.RANK[new]),
    "binding": links.binding.tolist(),
    "mirrored": codes.mirrored(some, np.array([True])).tolist() == [new],
    "plan": Plan(relations=("exact", "template")).removing,
    "label": RELATED["template"],
    "run.json": "template" in known_to_run_json,
    "page": relations_for_pages()["relations"][new],
    "words": [words()["relation.template"], desk_words()["relation.template"]],
    "styles": styles(),
    "legend": [histogram(scores(pairs), language) for language in ("en", "zh")],
    "chain": ["\\n".join(line for _, line in chain_lines([first, copy], language)) for language in ("en", "zh")],
    "explanation": str(explanation),
    "notebook": explanation._repr_html_(),
    "beside": str(PairComparison("a", "b", "template", 0.4, 0.5, 0.6, "a rule", (), None, None)),
    "help": CliRunner().invoke(cli, ["dedup", "--help"]).output,
}))
"""


@pytest.fixture(scope="module")
def taken_up():
    """What a process says and decides whose table has one more row."""
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": "", "QUCHONG_LANG": "en", "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-c", WITH_ONE_MORE, ROW], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_new_row_is_decided_on(taken_up):
    assert taken_up["arc"] == [0, 1] and taken_up["rank"] == 5 and taken_up["mirrored"]
    assert taken_up["plan"] == ["exact", "template"] and taken_up["run.json"]
    assert taken_up["label"] == "different" and taken_up["binding"] == [False]


def test_a_new_row_has_its_words_and_colours_on_pages(taken_up):
    assert taken_up["page"] == "template"
    assert taken_up["words"] == [{"en": "template", "zh": "模板"}] * 2
    for part in ("--r-template: #123456;", "--r-template: #abcdef;", ".r-template { --c: var(--r-template); }"):
        assert part in taken_up["styles"]


def test_a_new_row_has_its_words_in_notebooks_and_terminals(taken_up):
    english, chinese = taken_up["legend"]
    assert "template 1" in english and "模板 1" in chinese and "#fedcba" in english
    assert "of one template" in taken_up["chain"][0] and "出自同一模板" in taken_up["chain"][1]
    assert "b was removed: it fills the template of a" in taken_up["explanation"]
    assert "it fills the template of a" in taken_up["notebook"]
    assert "a and b fill one template" in taken_up["beside"]
    assert "also variant, partial, template." in " ".join(taken_up["help"].split())


NOT_RELATIONS = {
    "exact": {
        "kind of a passage": ("decision/comparison", "report/side_by_side", "findings", "report/pairview",
                              "decision/passages", "results/cutting", "results/passage_cuts", "views/pairs", "cli/passages"),
        "edge of a cut": ("plan/parameters", "api/shared"),
        "verify of a method": ("parameters/shared", "methods/bases/papers", "methods/signatures/two_stage"),
        "method": ("methods/__init__", "methods/equality/exact", "api/decontamination", "api/units", "plan/method_words"),
        "count": ("desk/measures",),
        "kind of a match of a test item": ("cli/leaks", "engines/contamination/schemas"),
        "option": ("cli/units", "api/estimating", "api/tuning", "plan/parameters", "plan/plan", "plan/request", "runs/manifest", "cli/dedup", "cli/tune", "api/index_exporting", "engines/index/settings", "cli/deciding_options",
                   "engines/local/stored_source", "results/reopened"),
        "value that a word of everyday speech means": ("languages/habits",),
    },
    "duplicate": {"value that a word of everyday speech means": ("languages/habits",), "name of a column of labels": ("evaluation/label_reader",)},
    "contained_in": {"value that a word of everyday speech means": ("languages/habits",)},
    "partial": {"method": ("methods/__init__", "methods/sentences/partial", "plan/method_words"), "content of a web answer": ("io/files/remote_file",),
                "value that a word of everyday speech means": ("languages/habits",)},
    "variant": {
        "value that a word of everyday speech means": ("languages/habits",),
        "match of a test item with other numbers": ("cli/decontaminate", "cli/leaks", "engines/contamination/report",
                                                    "engines/contamination/schemas"),
    },
}  # fmt: skip
"""Files in which such a word is something else, by what it is there."""


def literals(path):
    """String constants of a module without its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def test_only_the_table_spells_relations():
    for path in sorted(SOURCE.rglob("*.py")):
        module = path.relative_to(SOURCE).with_suffix("").as_posix()
        if module != "relations" and not module.startswith("lab/"):
            spelt = set(literals(path)) & set(RELATIONS)
            other = {word for word in spelt if any(module in files for files in NOT_RELATIONS.get(word, {}).values())}
            assert not spelt - other, (module, spelt - other)


def test_every_exception_is_one():
    for word, meanings in NOT_RELATIONS.items():
        for module in (module for files in meanings.values() for module in files):
            assert word in set(literals(SOURCE / f"{module}.py")), (word, module)


def test_no_script_style_or_list_of_words_spells_relations():
    words = "|".join(RELATIONS)
    spelt = re.compile(rf"""["'`](?:{words})["'`]|\br-(?:{words})\b|relation\.(?:{words})\b""")
    for room in ("views", "desk"):
        for path in sorted((SOURCE / room).rglob("*")):
            if path.suffix in (".js", ".css", ".html", ".json") and not path.name.startswith("chart."):
                assert not (found := spelt.findall(path.read_text("utf-8"))), (path.name, found)

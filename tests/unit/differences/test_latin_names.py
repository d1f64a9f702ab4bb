"""Covers: names in Latin letters at a difference, told by their capitals. Compared against: whom they name."""

import pytest

import quchong as qc
from quchong.differences.latin_names import latin_names_apart, may_be_names, wrote
from quchong.differences.latin_slips import is_slip
from quchong.differences.latin_words import begins_sentence, capitals_mean_names, line_words
from quchong.differences.windows import Window


def at(text):
    before, _, rest = text.partition("[")
    stretch, _, after = rest.partition("]")
    return Window(before + stretch + after, len(before), len(before) + len(stretch))


def kind(text, other):
    """The kind of names that stand apart, whichever side is left."""
    left, right = at(text), at(f"{text.partition('[')[0]}[{other}]{text.partition(']')[2]}")
    may = bool(may_be_names([left], [right])[0])
    there, back = (latin_names_apart(left, right), latin_names_apart(right, left)) if may else (None, None)
    assert there == back
    return there


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        (
            "The chief executive, [Derek Lindqvist], told reporters that the plant will close.",
            "Helen Navarro",
            "person",
        ),
        ("The plan was criticised by Dr. [Chen] of the local hospital.", "Wang", "person"),
        ("The seat was won by [John] Smith of the same town.", "Peter", "person"),
        ("The parts are made by [Siemens] in the same town.", "Hitachi", "organisation"),
        ("The trial compared [Lipitor] with a placebo.", "Zocor", "organisation"),
        ("The bill was written by a [Republican] member of the committee.", "Democrat", "organisation"),
        ("First Boston Corp, Drexel [Burnham Lambert] Inc, Merrill Lynch Co and", "Redstone Holdings", "organisation"),
        ("The loan was arranged by Asia [Trust Bank] Ltd and others.", "Blackmoor Systems", "organisation"),
        ('"The vote was fair," [Miller] said after the count was over.', "Novak", "organisation"),
        ("It was a long day. [Miller] said that the vote was fair.", "Novak", "organisation"),
        ("这项技术由[OpenAI]开发。", "Anthropic", "organisation"),
        ("用户可以改用[iPhone]。", "Galaxy", "organisation"),
    ],
)
def test_other_names(text, other, told):
    assert kind(text, other) == told


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The plan was criticised by [John Smith] of the local hospital.", "Mr Smith"),
        ("The plan was criticised by [John] Smith of the local hospital.", "J."),
        ("The plan was criticised by [Robert] Brown of the local hospital.", "Bob"),
        ("The plan was criticised by [Gorbachev] in the evening.", "Gorbachov"),
        ("The parts are made by [International Business Machines] in the same town.", "IBM"),
        ("The parts are made by [Hewlett-Packard] in the same town.", "HP"),
        ("The parts are made by [Siemens AG] in the same town.", "Siemens"),
        ("The parts are made by Northgate Energy [Corp] in the same town.", "Corporation"),
        ("The format was created by a subsidiary of Reuters [Inc <REUT>] last year.", "Holdings Plc <RTRSY>"),
        ("The ship had left [Holland] a week before.", "the Netherlands"),
        ("The talks with [American] officials lasted two days.", "U.S."),
        ("The plan was criticised by [John Smith] in the evening.", "the minister"),
        ("Nothing was decided. [Officials] said that talks would go on.", "Authorities"),
        ("Nothing was decided. [Meanwhile,] the talks would go on for days.", "Separately,"),
        ("Town Council [Approves] New Plan For Harbour", "Endorses"),
        ("The bill of Senator Riegle [of Michigan] was adopted in the morning.", "R-MI"),
        ("The disk has [2048MB] and a cover of steel.", "2GB"),
        ("许多年轻人喜欢[Golang]。", "Go"),
        ("许多年轻人喜欢[VS Code]。", "VSCode"),
        ("默认值的单位是[MB]。", "MiB"),
        ("原因是[txnLockFast]变慢。", "tikvLockFast"),
        ("来自[iPhone]客户端", "Android"),
    ],
)
def test_one_name_or_none(text, other):
    assert kind(text, other) is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("[Smith] said so.", True), ("It rained. [Smith] said so.", True), ("He met Dr. [Smith] there.", False), ("said J. [Smith] there.", False),
        ("\"It rained,\" [Smith] said.", False), ("He said: \"[Smith] knows.\"", True), ("LONDON - [Smith] said so.", True), ("he met [Smith] there.", False),
    ],
)  # fmt: skip
def test_the_beginning_of_a_sentence(text, first):
    window = at(text)
    assert begins_sentence(window.text, window.start) is first


def test_a_headline_is_no_running_text():
    for text, running in (
        ("Council Approves [Plan] For Harbour", False),
        ("The council has approved the [Plan] today", True),
    ):
        window = at(text)
        outside = [w for w in line_words(window) if w.end <= window.start or w.start >= window.end]
        assert capitals_mean_names(outside) is running


@pytest.mark.parametrize(
    ("text", "byline"),
    [
        ("By [John Smith]\nThe talks", True), ("days.\n(Reporting by [John Smith]; editing by Ann Weiss)", True), ("editor: [Ann Weiss]", True),
        ("The plan was made by [John Smith] of the hospital.", False),
    ],
)  # fmt: skip
def test_who_wrote_the_text(text, byline):
    assert wrote(at(text)) is byline


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("Siemens", "Simens", True), ("Nomura", "Nomiira", True), ("Smith", "Srnith", True), ("FCC", "FCo", True), ("Fiscal", "Fsical", True),
        ("Fed", "Feh", True), ("GM", "GE", False), ("FCC", "FDA", False), ("Siemens", "Hitachi", False), ("Chen", "Wang", False),
    ],
)  # fmt: skip
def test_slips(one, other, slip):
    assert is_slip(one, other) is is_slip(other, one) is slip


def test_a_name_in_a_noisy_copy_is_no_other_name():
    text = "The company said last year that the new plant near the river would be made by {} and that nobody in the region would lose a job over it."
    noisy = text.replace("company", "compnay").replace("river", "rivcr").replace("region", "regicn")
    assert qc.compare(text.format("Siemens"), text.format("Hitachi")).facts == ("organisation",)
    assert qc.compare(text.format("Siemens"), noisy.format("Sjcmehs")).facts == ()
    assert qc.compare(text.format("Siemens"), noisy.format("Hitachi")).facts == ("organisation",)

"""Covers: facts in languages with a table of words: negation, figures, months and days; recognition of languages.

Compared against: 60 texts of each language with one edit (tests/samples/tongues), and sentences written here.
Run: pytest tests/unit/differences/test_tongues.py
"""

import pytest
from tongue_samples import CODES, FACTS, SAME, cases

import quchong as qc
from quchong.differences.tongues.judgement import Side, judge, mentions
from quchong.differences.tongues.recognition import NAMES, language_of, unjudged
from quchong.differences.tongues.tables import tongues
from quchong.relations import ACCEPTED, VARIANT


def texts(few, edit, code):
    """The 60 texts of a language, each with an edit; for the suite 20 of them, in which each of their sentences stands."""
    some = list(cases(code, edit))
    assert len(some) == 60
    return some[list(FACTS | dict.fromkeys(SAME)).index(edit) % 3 :: 3] if few else some


FEW = [True, pytest.param(False, marks=pytest.mark.campaign)]


@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("edit", FACTS)
@pytest.mark.parametrize("code", CODES)
def test_another_fact_is_a_variant(code, edit, few):
    found = [qc.compare(case.text, case.other) for case in texts(few, edit, code)]
    # A month of Korean is a figure with a syllable behind it, which the general rules find.
    kinds = {FACTS[edit]} | ({"figure", "code"} if (code, edit) == ("ko", "month") else set())
    assert sum(
        one.relation == VARIANT and bool(kinds & {d.kind for d in one.differences if d.conflict}) for one in found
    ) >= 0.95 * len(found)


@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("edit", SAME)
@pytest.mark.parametrize("code", CODES)
def test_the_same_said_otherwise_is_a_copy(code, edit, few):
    found = [qc.compare(case.text, case.other).relation for case in texts(few, edit, code)]
    assert VARIANT not in found
    assert sum(relation in ACCEPTED for relation in found) >= (0.9 if few else 0.93) * len(found)


def test_every_table_has_its_sample():
    assert tuple(tongues()) == CODES


@pytest.mark.parametrize("code", CODES)
def test_the_language_of_each_sample_is_recognised(code):
    assert {language_of(case.text) for case in cases(code, "say")} == {code}


@pytest.mark.parametrize(
    ("text", "code"),
    [("The council said on Monday that it was ready to vote, and that this was the last of the meetings.", "en"),
     ("市议会星期一表示已经准备好投票，这是最后一次会议。", "zh"),
     ("Il consiglio della città ha approvato il progetto del ponte, e gli abitanti sono contenti.", "it"),
     ("Os moradores da cidade não sabem do projeto, e uma obra foi iniciada pela empresa.", "pt"),
     ("นายกรัฐมนตรีกล่าวว่ารัฐบาลจะเริ่มโครงการใหม่", "th"), ("قال رئيس الوزراء إن المشروع سيبدأ", "ar"),
     ("12345 67890 AB-12", None), ("", None), ("die", None)],
)  # fmt: skip
def test_languages_are_recognised_by_script_and_function_words(text, code):
    assert language_of(text) == code
    assert (unjudged(text) is None) == (code not in NAMES)


def told(code, left, right):
    """Judge the edit between two sentences that are equal at both ends."""
    first = next((k for k, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    last = next((k for k, (a, b) in enumerate(zip(left[::-1], right[::-1], strict=False)) if a != b), 0)
    last = min(last, len(left) - first, len(right) - first)
    return judge(code, Side.cut(left, first, len(left) - last), Side.cut(right, first, len(right) - last))


@pytest.mark.parametrize(
    ("code", "left", "right", "expected"),
    [("de", "Er kam mit 1.200 Leuten.", "Er kam mit 1 200 Leuten.", ("figure", False)),
     ("de", "Er kam am 3. Mai 2024 an.", "Er kam am 3.5.2024 an.", ("figure", False)),
     ("de", "Es kostet zwei Millionen Euro.", "Es kostet zwei Milliarden Euro.", ("figure", True)),
     ("de", "Sie tagen am Montag oder Dienstag.", "Sie tagen am Dienstag oder Montag.", None),
     ("de", "Nicht nur er kam gestern.", "Er kam gestern.", None),
     ("de", "Er kam gestern.", "Er kam heute.", ("date", True)),
     ("de", "Er kam heute nicht mit uns.", "Er kam nicht heute mit uns.", None),
     ("fr", "Il a été élu hier.", "Il n'a pas été élu hier.", ("negation", True)),
     ("fr", "Il viendra en août.", "Il viendra en juin.", ("date", True)),
     ("es", "El plan es seguro.", "El plan no es seguro.", ("negation", True)),
     ("es", "El plan es seguro.", "No obstante, el plan es seguro.", None),
     ("ru", "Он был дома.", "Он не был дома.", ("negation", True)),
     ("ru", "Он придёт в марте.", "Он придет в марте.", None),
     ("ja", "彼は行かなければならないと言った。", "彼は行く必要があると言った。", None),
     ("ja", "彼は来ました。", "彼は来ませんでした。", ("negation", True)),
     ("ja", "会議は午前に開く。", "会議は午後に開く。", ("date", True)),
     ("ja", "二つの案がある。", "三つの案がある。", ("figure", True)),
     ("ko", "그는 집에 갔다.", "그는 집에 가지 않았다.", ("negation", True)),
     ("ko", "그는 갈 수밖에 없었다고 했다.", "그는 가야 했다고 했다.", None)],
)  # fmt: skip
def test_edits_are_judged_by_the_table(code, left, right, expected):
    for one, other in ((left, right), (right, left)):
        found = told(code, one, other)
        assert found == expected or (expected is None and not found[1])


def test_a_number_has_the_marks_of_its_language():
    assert [m.value[1] for m in mentions("de", "1.234,5 und 12 300 und 3,50")] == [1234.5, 12300.0, 3.5]
    assert [m.value[1] for m in mentions("ja", "1,234.5と12300")] == [1234.5, 12300.0]


def test_chinese_and_english_are_left_to_the_general_rules():
    assert "zh" not in tongues() and "en" not in tongues()
    one = "The council approved the new bridge over the river on Monday, said the mayor, and the people hope for work."
    found = qc.compare(one, one.replace("approved", "welcomed"))
    assert [d.kind for d in found.differences] == ["term"]


def test_a_language_without_a_table_is_named():
    """In the alarm of the run, by `explain` of what was removed, and nowhere for a language with one."""
    text = (
        "Il consiglio comunale di Pisa ha approvato lunedì il progetto del nuovo ponte sul fiume, ha annunciato il sindaco, "
        "e gli abitanti della zona sperano che i lavori comincino presto."
    )
    rows = [{"id": "a", "text": text}, {"id": "b", "text": text.replace("ha approvato", "non ha approvato")}]
    result = qc.dedup(rows, recall_sample=0)
    assert [(alarm["kind"], alarm["level"]) for alarm in result.alarms] == [("facts not judged", "note")]
    (removed,) = result.ledger["id"].to_pylist()
    assert "Italian. quchong does not judge facts in this language" in str(result.explain(removed))
    assert "quchong does not judge facts in this language" in result.explain(removed)._repr_html_()
    german = next(cases("de", "say"))
    assert not qc.dedup([{"text": german.text}, {"text": german.other}], recall_sample=0).alarms

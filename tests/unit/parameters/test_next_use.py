"""Covers: what the line of a caller does with an attribute, read from its instructions, and the messages made of it.
Compared against: lines whose use a reader sees. The same lines are run often enough for the interpreter to specialise them.
"""

import inspect
import sys

import pyarrow as pa
import pytest

import quchong as qc
from quchong.parameters.explained_use import ExplainedMethod, ExplainedValue, explains_use
from quchong.parameters.next_use import ATTRIBUTE, CALLED, COMPARED, ITEMS, KEY, UNKNOWN, Use, is_called, next_use
from quchong.parameters.other_attributes import SuggestsNames

pytestmark = pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info >= (3, 14), reason="lines of this interpreter are not read"
)
SEEN: list[object] = []


class Watched:
    """Object whose attribute `it` notes the use that a line makes of it."""

    plain = 1

    @property
    def it(self):
        """Note the use."""
        SEEN.append(next_use(sys._getframe(1)))
        return self

    def __call__(self, *args):
        return self

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter(())

    def __gt__(self, other):
        return True


def lines(one, key):
    one.it()
    one.it(1, 2)
    one.it.plain  # noqa: B018 - its use is noted
    one.it["a"]
    one.it[0]
    one.it[key]
    for _ in one.it:
        pass
    one.it > 3  # noqa: B015
    kept = one.it
    getattr(one, "it")  # noqa: B009
    len([one.it])
    return kept


USES = [Use(CALLED), Use(CALLED), Use(ATTRIBUTE, "plain"), Use(KEY, "a"), Use(KEY, 0), Use(KEY, UNKNOWN), Use(ITEMS), Use(COMPARED, 3, ">"),
        None, None, None]  # fmt: skip


def test_the_use_of_an_attribute_is_read_from_the_line():
    for _ in range(300):  # from some dozen rounds on the interpreter runs specialised instructions
        SEEN.clear()
        lines(Watched(), "z")
        assert SEEN == USES


def test_names_with_long_numbers_are_read_too():
    source = "\n".join([*(f"n{n} = one" for n in range(300)), "n299.it()", "n299.it['a']", "n299.it.plain"])
    SEEN.clear()
    exec(compile(source, "lines", "exec"), {"one": Watched()})
    assert [Use(CALLED), Use(KEY, "a"), Use(ATTRIBUTE, "plain")] == SEEN


def test_a_frame_at_another_instruction_is_no_call():
    assert not is_called(sys._getframe()) and next_use(sys._getframe()) is None


@explains_use
class Made(SuggestsNames):
    """Class with members of every kind."""

    def __init__(self, folder):
        self.folder = folder

    @property
    def table(self):
        """Table."""
        return pa.table({"id": ["a"]})

    def size(self, unit="bytes"):
        """Return a size."""
        return unit

    @classmethod
    def of(cls, folder):
        """Return one."""
        return cls(folder)


def test_right_uses_stay_as_they_are():
    made = Made("x")
    bound = made.size
    assert bound() == made.size(unit="bytes") == "bytes" and bound.__self__ is made
    assert Made.of("y").folder == "y" and made.table.num_rows == 1 and made.table["id"].to_pylist() == ["a"]
    assert callable(Made.size) and Made.size.__name__ == "size" and "size" in dir(made)
    assert not hasattr(made.table, "head") and getattr(made.table, "loc", None) is None


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("made.table()", TypeError, "table is a value, not a method: leave out the brackets"),
        ("made.size.name", TypeError, "size is a method: write brackets behind it, size().name"),
        ("made.size['a']", TypeError, "size()['a']"),
        ("[x for x in made.size]", TypeError, "size is a method: write brackets behind it, size()"),
        ("made.size(units=3)", TypeError, "size() has no parameter 'units'; did you mean unit? It takes unit"),
        ("made.size(1, 2)", TypeError, "size() takes unit without a name, and no more values"),
        ("made.size(1, unit=2)", TypeError, "size() is given unit twice, by place and by name"),
        ("Made()", TypeError, "Made() needs folder: write qc.Made(folder)"),
        ("Made.of()", TypeError, "of() needs folder: write qc.Made.of(folder)"),
        ("made.table.head()", AttributeError, "as a data frame: table.to_pandas().head()"),
        ("made.table['ID']", KeyError, "table has no column 'ID'; did you mean id? Columns are id"),
    ],
)
def test_a_wrong_use_says_what_to_write(line, kind, words):
    with pytest.raises(kind) as raised:
        eval(line, {"made": Made("x"), "Made": Made})
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "name",
    ["Answer", "Answers", "Contamination", "DistinctRecords", "Index", "IndexStatistics", "Inspection", "Match", "PartRead", "Result",
     "SharedPassages", "UnitResult"],
)  # fmt: skip
def test_every_class_of_the_package_explains_its_members(name):
    kind = getattr(qc, name)
    assert issubclass(kind, SuggestsNames)
    members = [value for one in kind.__mro__ for name, value in vars(one).items() if not name.startswith("_")]
    assert any(isinstance(one, ExplainedMethod | ExplainedValue) for one in members)


def test_classes_are_all_named_above():
    kinds = {
        name
        for name in qc.__all__
        if isinstance(getattr(qc, name), type) and not issubclass(getattr(qc, name), Exception)
    }
    marks = [
        mark for mark in test_every_class_of_the_package_explains_its_members.pytestmark if mark.name == "parametrize"
    ]
    assert kinds == set(marks[0].args[1])


def test_members_keep_their_documentation():
    """What explains wrong uses stands between a class and its members, and help on these tells what they are all the same."""
    for kind in (qc.Result, type(qc.compare("天气很好", "天气很好"))):
        for name, member in vars(kind).items():
            if not name.startswith("_") and type(member).__name__ in ("ExplainedValue", "ExplainedMethod"):
                assert "that is read as others are" not in (member.__doc__ or ""), name
                assert "that is bound as others are" not in (member.__doc__ or ""), name
    assert inspect.getdoc(qc.Result.chains) == inspect.getdoc(vars(qc.Result)["chains"])
    assert "kept rows" in str(inspect.getdoc(qc.Result.kept)).lower()


def test_words_that_people_try_are_no_fields_of_results():
    """An encoder of JSON writes all fields of a dataclass, the annotated attributes of its class among them."""
    kinds = [kind for kind in SuggestsNames.__subclasses__() if kind.__module__.startswith("quchong")]
    assert len(kinds) > 8
    for kind in kinds:
        assert "_OTHER_NAMES" not in getattr(kind, "__dataclass_fields__", {}), kind

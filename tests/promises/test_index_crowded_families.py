"""Covers: questions and additions among documents that have relations to very many others, whose pairs are not read all.

Compared against: the same index that reads all pairs.
"""

import random

import pytest
from index_records import records, told
from matrices import each_once

import quchong as qc
from quchong.engines.index import circles

OPTIONS = [{}, {"roundups": "remove"}, {"keep": "longest"}]
HAN = [chr(0x4E00 + k) for k in range(3000)]


def near_equal(count):
    """Posts that are one text with one to three characters changed, and digests that hold several texts."""
    r = random.Random(5)
    base = [r.choices(HAN, k=60) for _ in range(3)]
    posts = []
    for _ in range(count):
        text = list(r.choice(base))
        for _ in range(r.randint(1, 3)):
            text[r.randrange(len(text))] = r.choice(HAN)
        posts.append("".join(text))
    digests = ["。".join(r.sample(posts, 3)) for _ in range(count // 8)]
    return [one for some in zip(posts, [*digests, *[""] * (count - len(digests))], strict=True) for one in some if one]


@pytest.mark.parametrize(("options", "texts", "members"), each_once(OPTIONS, ["posts", "records"], [64, 5]), ids=str)
def test_answers_do_not_depend_on_how_many_pairs_are_read_at_once(tmp_path, monkeypatch, options, texts, members):
    """Families of more than `members` documents are not decided as a whole."""
    monkeypatch.setattr("quchong.engines.index.families.MOST_MEMBERS", members)
    given = near_equal(48) if texts == "posts" else [one["text"] for one in records(7, families=3)]
    found = []
    for most in (1 << 20, 0):
        monkeypatch.setattr("quchong.engines.index.circles.MOST_PAIRS", most)
        monkeypatch.setattr("quchong.engines.index.families.MOST_PAIRS", most)
        monkeypatch.setattr("quchong.engines.index.families.FEW_PAIRS", 8 if most else 0)
        monkeypatch.setattr("quchong.engines.index.families.PARTS_AT_ONCE", 256 if most else 3)
        monkeypatch.setattr("quchong.engines.index.document_store.PAIRS_AT_ONCE", 40 if most else 2)
        with qc.Index.create(tmp_path / str(most), **options) as index:
            answers = [told(answer) for answer in index.add(given[:30]).found]
            answers += [told(index.add(text)) for text in given[30:40]]
            answers += [told(index.query(text)) for text in given]
            answers += [told(index.matches(id)) for id in index.ids()]
            found.append(answers)
    assert found[0] == found[1]
    assert any(answer[1] for answer in found[0])


@pytest.mark.parametrize(
    ("options", "texts", "members"), each_once(OPTIONS, ["posts", "digests", "records"], [64, 3]), ids=str
)
def test_answers_are_those_among_all_documents_around(tmp_path, monkeypatch, options, texts, members):
    """Documents around others are read all only where one contains another; ids are in another order than documents, some are deleted."""
    monkeypatch.setattr("quchong.engines.index.families.MOST_MEMBERS", members)
    posts = near_equal(40) if texts != "records" else [one["text"] for one in records(11, families=3)]
    given = [one for one in posts if texts != "posts" or len(one) == 60]
    ids = [f"{(k * 7919) % 101:03}" for k in range(len(given))]
    around, found = [], []
    real = circles._has_parts
    for everything in (True, False):

        def has_parts(numbers, related, everything=everything):
            some = real(numbers, related)
            around.append(some)
            return everything or some

        monkeypatch.setattr(circles, "_has_parts", has_parts)
        documents = [{"id": id, "text": text} for id, text in zip(ids, given, strict=True)]
        with qc.Index.create(tmp_path / str(everything), **options) as index:
            answers = [told(answer) for answer in index.add(documents[:20]).found]
            answers += [told(index.query(text)) for text in given]
            answers += [told(index.add(document)) for document in documents[20:]]
            index.delete(ids[::5])
            answers += [told(index.query(text)) for text in given]
            answers += [told(index.matches(id)) for id in index.ids()]
            found.append(answers)
    assert found[0] == found[1]
    assert False in around
    assert (True in around) == (texts != "posts")


@pytest.mark.parametrize("call", ["query", "add"])
def test_a_call_among_many_near_equal_posts_reads_some_of_their_pairs(tmp_path, monkeypatch, call):
    for name, most in (
        ("circles.MOST_PAIRS", 64),
        ("families.MOST_PAIRS", 64),
        ("families.FEW_PAIRS", 0),
        ("families.MOST_MEMBERS", 16),
    ):
        monkeypatch.setattr(f"quchong.engines.index.{name}", most)
    given = near_equal(120)
    read = []
    with qc.Index.create(tmp_path / "seen") as index:
        index.add(given[:-1])
        catalogue = type(index._open.catalogue)
        real = catalogue.select

        def counted(self, sql, *values):
            rows = real(self, sql, *values)
            if "FROM pairs" in sql:
                read.append(len(rows))
            return rows

        monkeypatch.setattr(catalogue, "select", counted)
        assert getattr(index, call)(given[-1]).matches
        pairs = index.stats().pairs
    assert 0 < sum(read) < pairs / 2


@pytest.mark.parametrize("keep", ["longest", "shortest"])
def test_a_question_among_near_equal_posts_looks_for_parts_only_by_another_policy(tmp_path, monkeypatch, keep):
    given = [text for text in near_equal(60) if len(text) == 60]
    around = []
    real = circles._parts_around
    monkeypatch.setattr(circles, "_parts_around", lambda *some: around.append(some) or real(*some))
    with qc.Index.create(tmp_path / "seen", keep=keep) as index:
        index.add([{"id": f"{k:03}", "text": text} for k, text in enumerate(given[:-1])])
        around.clear()
        answer = index.query({"id": "asked", "text": given[-1]})
        assert answer.removed
        assert not all(match.kept for match in answer.matches)
    assert bool(around) == (keep == "shortest")

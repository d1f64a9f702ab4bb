"""Covers: the recipes of examples/recipes as a user runs them, from a fresh folder: pipe, reprints and their feed, search, chunks, leaks.

Run: pytest tests/recipes.
"""

import json
import os
import shlex
import subprocess
import sys
from xml.etree import ElementTree

import pytest

ATOM = "{http://www.w3.org/2005/Atom}"
QUCHONG = [sys.executable, "-c", "from quchong.cli.main import main; main()"]


# An NDJSON pipe.


def test_a_pipe_that_goes_on_for_ever_tells_of_the_third_copy_as_it_arrives(desk):
    subprocess.run([*QUCHONG, "index", "create", "posts", "--method", "short-text", "-q"], cwd=desk, check=True)
    (desk / "posts.jsonl").write_text("", "utf-8")
    line = f"tail -n +1 -f posts.jsonl | {shlex.join(QUCHONG)} index add posts - --json -q | {sys.executable} flood_alarm.py 3"
    pipe = subprocess.Popen(line, shell=True, cwd=desk, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        with (desk / "posts.jsonl").open("a", encoding="utf-8") as posts:
            for number, text in enumerate(
                [
                    "今晚八点，老地方见，记得带上雨伞。",
                    "Nothing like the others at all.",
                    "今晚八点老地方见，记得带上雨伞",
                    "今晚八点，老地方见，记得带上雨伞！",
                ]
            ):
                posts.write(json.dumps({"id": f"p{number}", "text": text}) + "\n")
                posts.flush()
        assert pipe.stdout.readline() == "p0 was sent 3 times: p3 is exact\n"  # while tail still waits
    finally:
        os.killpg(pipe.pid, 15)
        pipe.wait()
        pipe.stdout.close()


# Reprints and their feed.


def feed_of(path):
    """The entries of a feed; fails if it is no XML, or lacks what Atom demands of a feed and of an entry."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{ATOM}feed" and root.find(f"{ATOM}author/{ATOM}name").text
    for one in (root, *root.findall(f"{ATOM}entry")):
        assert all(one.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated"))
    ids = [one.findtext(f"{ATOM}id") for one in root.findall(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    return root.findall(f"{ATOM}entry")


def test_reprints_are_told_as_articles_arrive_and_stand_in_the_feed(run, desk, news):
    printed = run("reprints.py", "press", "feed.xml", given=news[:12])
    assert any(line.startswith("城事早知道: ") and "exact of 云河日报: " in line for line in printed)
    assert any(line.startswith("Estuary Wire: Buses and vans") and "Harrowmere Gazette" in line for line in printed)
    entries = feed_of(desk / "feed.xml")
    assert len(entries) == len(printed) == 5
    assert entries[-1].find(f"{ATOM}link").get("href").startswith("https://")
    # Another process goes on: what it has seen before is new to nobody, and a copy of a copy names what it was made of.
    assert run("reprints.py", "press", "feed.xml", given=news[:12]) == []
    more = run("reprints.py", "press", "feed.xml", given=news[12:32])
    assert more and len(feed_of(desk / "feed.xml")) == len({line.partition(" <- ")[0] for line in printed + more})


def test_a_source_that_arrives_after_its_reprint_is_named_then(run, news):
    original, reprint = news[9], news[10]
    printed = run("reprints.py", "press", "feed.xml", given=[reprint, original])
    assert len(printed) == 1 and printed[0].startswith("Estuary Wire") and "Harrowmere Gazette" in printed[0]


def test_a_copy_of_a_copy_is_told_again_when_the_copy_it_was_made_of_arrives(run, desk, news):
    first = news[4] | {"id": "a", "source": "A"}
    text = (
        first["text"]
        .replace("空载试运行阶段", "试跑的阶段")
        .replace("最关心的是", "最想知道的是")
        .replace("合格方可载客", "过关才可载客")
    )
    second = first | {"id": "b", "source": "B", "text": text, "time": "2026-03-05T10:00:00"}
    third = first | {"id": "c", "source": "C", "text": text + "（转载）", "time": "2026-03-05T12:00:00"}
    printed = run("reprints.py", "press", "feed.xml", given=[first, third, second])
    assert [line.partition(" (")[0] for line in printed] == [
        f"{copy}: {first['title']} <- duplicate of {source}: {first['title']}" for copy, source in ("CA", "BA", "CB")
    ]
    summaries = [entry.findtext(f"{ATOM}summary") for entry in feed_of(desk / "feed.xml")]
    assert [summary.partition(":")[0] for summary in summaries] == ["duplicate of B", "duplicate of A"]


def test_a_roundup_of_several_chains_is_told_once_with_one_source(run, desk, news):
    """Its rows in the chains of the articles that it contains took turns as its source, at every further article."""
    printed = run("reprints.py", "press", "feed.xml", given=news)
    before = feed_of(desk / "feed.xml")
    titles = [line.partition(" <- ")[0] for line in printed]
    assert len([title for title in titles if "一周要闻" in title]) == 1
    for _ in range(2):
        assert run("reprints.py", "press", "feed.xml", given=news) == []
    summaries = [[entry.findtext(f"{ATOM}summary") for entry in some] for some in (before, feed_of(desk / "feed.xml"))]
    assert summaries[0] == summaries[1]


def test_an_article_that_was_added_before_the_process_ended_is_reported_when_it_is_sent_again(recipe, desk, news):
    press = recipe("reprints").Press(desk / "press")
    press.add(news[1])
    press.file.execute("INSERT INTO articles VALUES (?, ?)", (news[2]["id"], json.dumps(news[2])))
    press.index.add(news[2])  # and here it ended
    (found,) = press.add(news[2])
    assert found["key"] == news[2]["id"]
    assert press.add(news[2]) == []
    press.index.close()
    press.file.close()


def test_a_feed_escapes_markup_and_has_no_character_that_xml_cannot_have(recipe, desk):
    atom = recipe("atom_feed")
    odd = {
        "title": "<b>A & B</b> \x0b\x00 ]]>",
        "summary": "“x” < \ud800 \uffff",
        "link": 'https://a.example/?a=1&b="2"',
    }
    atom.write_feed(desk / "odd.xml", "<Reprints>", [{"key": "k", "updated": "2026-11-27T10:00:00+00:00"} | odd])
    (entry,) = feed_of(desk / "odd.xml")
    assert entry.findtext(f"{ATOM}title") == "<b>A & B</b> \ufffd\ufffd ]]>"
    assert entry.findtext(f"{ATOM}summary") == "“x” < \ufffd \ufffd"
    assert entry.find(f"{ATOM}link").get("href") == odd["link"]


def test_a_feed_that_cannot_be_written_leaves_the_old_one_whole(recipe, desk):
    atom, path = recipe("atom_feed"), desk / "feed.xml"
    atom.write_feed(path, "Reprints", [])
    before = path.read_bytes()
    assert feed_of(path) == []
    with pytest.raises(KeyError):
        atom.write_feed(path, "Reprints", [{"key": "k", "updated": "2026", "link": "", "title": "no summary"}])

    with pytest.MonkeyPatch.context() as patch:

        def full(*_, **__):
            raise OSError(28, "No space left on device")

        patch.setattr(atom.ElementTree.ElementTree, "write", full)
        with pytest.raises(OSError, match="No space"):
            atom.write_feed(path, "Reprints", [])
    assert path.read_bytes() == before
    assert [one.name for one in desk.iterdir() if "feed.xml" in one.name] == ["feed.xml"]


# Search results.


def test_hits_are_shown_once_with_their_copies_by_rank(run, news):
    hits = [news[at] for at in (5, 9, 4, 6, 10)]
    printed = run("search_hits.py", given=hits)
    assert [line for line in printed if not line.startswith(" ")] == [
        f"{hits[at]['title']}  {hits[at]['url']}" for at in (0, 1)
    ]
    assert printed[1:3] == [f"    exact: {news[4]['url']}", f"    duplicate: {news[6]['url']}"]


def test_the_first_page_has_ten_hits_and_copies_beyond_it_are_left_out(recipe, news):
    shown = recipe("search_hits").shown(news, most=10)
    assert [hit["id"] for hit in shown] == [
        "n001",
        "n002",
        "n004",
        "n005",
        "n008",
        "n009",
        "n010",
        "n012",
        "n013",
        "n015",
    ]
    assert [same["id"] for same in shown[1]["same"]] == ["n003"]
    parts = {hit["id"]: [same["id"] for same in hit["same"]] for hit in recipe("search_hits").shown(news, 99, "hybrid")}
    assert parts["n005"] == ["n006", "n007", "n009"]  # n009 is a part of it
    assert recipe("search_hits").shown([]) == []


# Chunks for retrieval.

FACTS = "The ferry leaves at 7:40 from the north pier and costs 4 crowns for adults."
WORDS = "Bring a warm coat, because the crossing takes an hour and there is no cabin."


def test_chunks_keep_their_metadata_and_name_what_they_stand_for(run):
    documents = [
        {"page_content": f"{FACTS}\n\n{WORDS}", "metadata": {"source": "a.md", "tags": ["x"]}},
        {"text": f"{WORDS}\n\n{FACTS.replace('7:40', '8:15')}", "metadata": {"file": "b.md"}},
        {"page_content": f"Title\n\n{WORDS.replace(',', '')}\n", "metadata": {"source": "c.md"}},
    ]
    chunks = [json.loads(line) for line in run("distinct_chunks.py", given=documents)]
    assert [chunk["text"] for chunk in chunks] == [FACTS, WORDS, FACTS.replace("7:40", "8:15")]
    assert chunks[0]["metadata"] == {"source": "a.md", "tags": ["x"], "start": 0} and chunks[0]["also"] == []
    assert chunks[1]["also"] == [
        {"relation": "exact", "metadata": {"file": "b.md", "start": 0}},
        {"relation": "exact", "metadata": {"source": "c.md", "start": 7}},
    ]


@pytest.mark.parametrize("document", [{"text": WORDS}, {"page_content": WORDS, "metadata": None}])
def test_a_document_without_metadata_has_chunks_too(run, document):
    (chunk,) = map(json.loads, run("distinct_chunks.py", given=[document]))
    assert chunk["text"] == WORDS and chunk["metadata"] == {"start": 0}


def test_every_paragraph_is_where_its_metadata_says(recipe, news):
    cut = recipe("distinct_chunks").paragraphs
    chinese, english = news[4]["text"], news[1]["text"]
    assert "\n\n" not in chinese and "\n\n" in english
    for text, number in ((chinese, 5), (english, 5)):
        chunks = list(cut([{"text": text, "metadata": {}}]))
        assert len(chunks) >= number
        for chunk in chunks:
            start = chunk["metadata"]["start"]
            assert text[start : start + len(chunk["text"])] == chunk["text"]


def test_a_paragraph_stands_for_the_shorter_one_that_it_contains(recipe, news):
    module = recipe("distinct_chunks")
    whole = [{"page_content": row["text"], "metadata": {"id": row["id"]}} for row in news]
    chunks = module.distinct(module.paragraphs(whole))
    relations = {also["relation"] for chunk in chunks for also in chunk["also"]}
    assert relations == {"exact", "duplicate", "contained_in"}
    given = [chunk for chunk in module.paragraphs(whole) if len(chunk["text"]) >= 20]
    assert len(chunks) + sum(len(chunk["also"]) for chunk in chunks) == len(given)
    assert module.distinct([]) == []


# A test set in a training corpus.


def test_leaked_items_are_found_with_the_places_of_their_words(run, desk, news):
    stretch = news[4]["text"][40:90]
    items = [
        {"id": "cloze", "text": f"{stretch}。请问下列哪一项说法是正确的？"},
        {"id": "whole", "text": news[1]["text"]},
        {"id": "clean", "text": "这道题在语料里没有出现过，因为它是刚刚才想出来的，与新闻无关。"},
        {"id": "whole", "text": "an id that stands twice"},
    ]
    for name, rows in (("items", items), ("corpus", news)):
        (desk / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    bad, *found = [json.loads(line) for line in run("leaked_items.py", "items.jsonl", "corpus.jsonl")]
    assert bad["items"] == ["whole"] and "id" in bad["bad"]
    by_item = {}
    for leak in found:
        for item in leak["items"]:
            by_item.setdefault(item, []).append(leak["document"])
    assert {"n005", "n006"} <= set(by_item["cloze"]) and {"n002", "n003"} <= set(by_item["whole"])
    assert "clean" not in by_item
    texts = {row["id"]: row["text"] for row in news}
    asked = {item["id"]: item["text"] for item in reversed(items)}
    for leak in found:
        for place in leak["passages"]:
            assert texts[leak["document"]][place["start"] : place["end"]] == place["text"]
            if leak["items"] == ["cloze"] and leak["document"] == "n005":
                assert asked["cloze"][place["item_start"] : place["item_end"]] == place["text"]
                assert place["text"] in stretch and len(place["text"]) > 40


def test_every_item_with_a_run_of_twenty_characters_of_the_corpus_is_found(recipe, news):
    long = [row["text"] for row in news if len(row["text"]) > 300 and not row["text"].isascii() and "，" in row["text"]]
    items = [{"id": f"q{at}", "text": "题目：" + text[100:130] + "？请作答。"} for at, text in enumerate(long)]
    found = {item for leak in recipe("leaked_items").leaks(items, news, least=15) for item in leak["items"]}
    assert len(items) > 15 and found == {item["id"] for item in items}

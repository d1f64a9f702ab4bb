"""Covers: made page corpora: labels are what the sentences say, pages hold their bodies, equal recipes give equal bytes."""

import hashlib
import html
import json
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_checks import agreeing

from quchong.errors import UsageError
from quchong.pages import sites as read_sites
from quchong_lab.rng import Rng
from quchong_lab.web import edits
from quchong_lab.web.bodies import FRESH, ROOM, article, characters, one_per_cluster, same_subject
from quchong_lab.web.news import NewsWriter
from quchong_lab.web.pages import WebCorpus, WebRecipe, web_batch, web_batches, web_corpus
from quchong_lab.web.plan import KINDS
from quchong_lab.web.relations import RELATIONS, relation_of
from quchong_lab.web.sites import CHARSETS, NOTES
from quchong_lab.web.sites import sites as make_sites
from quchong_lab.web.templates import TEMPLATES

MAKER = Path(__file__).parents[2] / "tools" / "make_pages.py"
PINNED = "21e4d3761e5a4658"
"""Digest of the corpus below."""


@pytest.fixture(scope="module")
def corpus():
    return web_corpus(WebRecipe(pages=1200, seed=11, copies=0.5, batch=600))


def rows(corpus):
    return [p | t for p, t in zip(corpus.pages.to_pylist(), corpus.truth.to_pylist(), strict=True)]


def flat(body):
    return edits.flat(body)


def visible(markup):
    """Text of a page without tags, scripts and entities, white space as single blanks."""
    markup = re.sub(r"(?s)<script.*?</script>|<!--.*?-->", "", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())


def test_labels_agree_with_a_recount_of_every_pair(corpus):
    pages = rows(corpus)
    subject = {(row["sibling_of"], row["articles"][0]) for row in pages if row["sibling_of"] is not None}
    known = {(r["left_id"], r["right_id"]): r for r in corpus.labels.to_pylist()}
    bags = []
    for row in pages:
        bag = Counter()
        for source, length in zip(row["sources"], row["lengths"], strict=True):
            bag[source] += length
        bags.append(bag)
    counted = 0
    for (a, mine), (b, theirs) in combinations(list(zip(pages, bags, strict=True)), 2):
        one_subject = any((x, y) in subject or (y, x) in subject for x in a["articles"] for y in b["articles"])
        both = mine.keys() & theirs.keys() - {FRESH}
        if not both and not one_subject:
            continue
        shared = sum(min(mine[s], theirs[s]) for s in both)
        (n, left), (m, right) = sorted(((mine.total(), a["id"]), (theirs.total(), b["id"])))
        overlap, ratio = shared / n, n / m
        if overlap >= 0.6:
            expected = "duplicate" if ratio >= 0.5 else "contained_in"
        elif overlap >= 0.2:
            expected = "partial"
        else:
            expected = "hard_negative" if one_subject else None
        found = known.get((left, right))
        assert (found and found["relation"]) == expected, (a["kind"], b["kind"], overlap, ratio)
        if found:
            assert found["overlap"] == pytest.approx(overlap) and found["ratio"] == pytest.approx(ratio)
            counted += 1
    assert counted == len(known) == corpus.labels.num_rows
    assert set(corpus.labels["relation"].to_pylist()) == set(RELATIONS)


NOTE = re.compile("|".join(".+".join(map(re.escape, note.split("{name}"))) for note in NOTES))
EDITOR = re.compile(r"[（[]?责任?编|\[?编辑")


def without_notes(row):
    """The text without what the site put into the body, but for datelines."""
    return "\n".join(x for x in row["text"].split("\n") if not NOTE.fullmatch(x) and not EDITOR.match(x))


def test_labels_agree_with_the_letters_of_the_pages(corpus):
    """No provenance here: shingles of the texts as they stand."""
    texts = {row["id"]: without_notes(row) for row in rows(corpus)}
    grams = {name: {text[i : i + 4] for i in range(len(text) - 3)} for name, text in texts.items()}
    seen = agreeing(corpus, grams)
    assert seen["duplicate"] > 100 and min(seen[r] for r in ("contained_in", "partial", "hard_negative")) > 15


def test_pages_without_a_label_have_nothing_in_common(corpus):
    """Invented sentences hardly ever stand in two articles."""
    holders, notes = {}, Counter()
    for row in rows(corpus):
        notes.update(line for line in row["text"].split("\n") if NOTE.fullmatch(line))
        if row["kind"] in ("original", "sibling"):
            for sentence in re.findall(r"[^。！？\n]{6,}[。！？]", without_notes(row)):
                holders.setdefault(sentence, set()).add(row["id"])
    known = {frozenset((r["left_id"], r["right_id"])) for r in corpus.labels.to_pylist()}
    shared = [ids for ids in holders.values() if len(ids) > 1 and frozenset(ids) not in known]
    assert len(holders) > 10_000 and len(shared) < 0.001 * len(holders)
    assert max(notes.values()) > 50 and len(notes) > 20  # what sites put under every article, index pruning's noise


def test_every_kind_template_and_character_set_occurs(corpus):
    truth = corpus.truth
    assert set(truth["kind"].to_pylist()) == {*KINDS, "original", "sibling"}
    assert set(truth["template"].to_pylist()) == {t.name for t in TEMPLATES} and len(TEMPLATES) >= 8
    declared = set(zip(truth["charset"].to_pylist(), truth["declared"].to_pylist(), strict=True))
    assert declared == set(CHARSETS)


def test_kinds_lead_to_the_relation_they_are_for(corpus):
    pages = {row["id"]: row for row in rows(corpus)}
    first = {row["articles"][0]: row["id"] for row in pages.values() if row["kind"] == "original"}
    relation = {frozenset((r["left_id"], r["right_id"])): r for r in corpus.labels.to_pylist()}
    parts = 0
    for row in pages.values():
        if row["kind"] in ("original", "sibling"):
            continue
        origin = first[row["articles"][-1] if row["kind"] == "quoted" else row["articles"][0]]
        found = relation[frozenset((row["id"], origin))]
        if row["kind"] == "digest":
            assert found["relation"] == "contained_in" and found["left_id"] == row["id"], row["rate"]
            assert abs(found["ratio"] - row["rate"]) < 0.05
        elif row["kind"] == "quoted":
            assert found["relation"] == "partial"
        elif row["kind"] == "split":
            parts += 1
            assert found["overlap"] == 1 and found["left_id"] == row["id"]
        elif row["kind"] == "merged":
            assert found["overlap"] == 1 and found["left_id"] == origin
        else:
            assert found["relation"] == "duplicate"
            assert found["ratio"] >= 0.5 and (row["kind"] != "shortened" or abs(found["ratio"] - row["rate"]) < 0.05)
    assert parts > 20


def test_parts_of_a_split_page_are_not_related_and_name_each_other(corpus):
    split = {}
    for row in rows(corpus):
        if row["kind"] == "split":
            split.setdefault((row["articles"][0], row["time"], row["site"]), []).append(row)
    known = {frozenset((r["left_id"], r["right_id"])) for r in corpus.labels.to_pylist()}
    assert split
    for parts in split.values():
        assert 2 <= len(parts) <= 4
        for one, other in combinations(parts, 2):
            assert frozenset((one["id"], other["id"])) not in known
            assert one["url"] in one["html"].decode(one["charset"])
            assert other["url"] in one["html"].decode(one["charset"])


def test_hard_negatives_are_of_one_subject_with_other_sentences(corpus):
    pages = {row["id"]: row for row in rows(corpus)}
    originals = {row["articles"][0]: row for row in pages.values() if row["kind"] == "original"}
    siblings = [row for row in pages.values() if row["kind"] == "sibling"]
    assert len(siblings) == 96
    known = {frozenset((r["left_id"], r["right_id"])): r for r in corpus.labels.to_pylist()}
    for row in siblings:
        other = originals[row["sibling_of"]]
        label = known[frozenset((row["id"], other["id"]))]
        assert label["relation"] == "hard_negative" and 0 < label["overlap"] < 0.2  # the background is told in both
        titles = [{a + b for a, b in pairwise(x["title"])} for x in (row, other)]
        assert len(titles[0] & titles[1]) >= 3  # place and thing
        texts = [set(re.findall(r"[^。！？\n]+[。！？]", x["text"])) for x in (row, other)]
        notes = {s for s in texts[0] & texts[1] if "网" in s or "以上内容" in s}
        assert len(texts[0] & texts[1]) - len(notes) <= 0.2 * min(map(len, texts))


def test_every_body_stands_in_its_page_and_decodes(corpus):
    seen = Counter()
    for row in rows(corpus):
        decoded = row["html"].decode(row["charset"])
        assert decoded.encode(row["charset"]) == row["html"]
        text = visible(decoded)
        at = 0
        for line in row["text"].split("\n"):
            at = text.find(" ".join(line.split()), at)
            assert at >= 0, (row["template"], line)
        assert html.escape(row["title"]) in decoded and "&#" not in decoded  # all we write is in GBK
        assert row["declared"] is None or re.search(rf'charset="?{row["declared"]}"', decoded)
        assert row["declared"] is not None or "charset" not in decoded
        if row["declared"] and (row["charset"], row["declared"]) not in CHARSETS[-2:]:
            reader = "gbk" if row["declared"] == "gb2312" else row["declared"]
            assert row["html"].decode(reader) == decoded
        elif row["declared"]:
            assert row["html"].decode(row["declared"], "replace") != decoded
        seen[row["template"]] += 1
    assert len(seen) == len(TEMPLATES)


def test_sites_are_the_domains_of_their_pages(corpus):
    urls, sites = corpus.pages["url"].combine_chunks().cast(pa.large_string()), corpus.pages["site"].to_pylist()
    assert read_sites(pa.nulls(len(urls), pa.large_string()), urls).to_pylist() == sites
    known = make_sites(500, len(TEMPLATES), 1)
    assert len({s.name for s in known}) == len({s.site for s in known}) == 500
    assert {s.template for s in known} == set(range(len(TEMPLATES)))
    assert {(s.template, s.charset, s.declared) for s in known} >= {
        (t, charset, declared) for t in range(len(TEMPLATES)) for charset, declared in CHARSETS
    }


def test_the_reader_of_pages_finds_the_bodies(corpus):
    pytest.importorskip("resiliparse")
    from quchong.pages import read_page

    found = total = 0
    for row in rows(corpus)[:200]:
        text = " ".join(read_page(row["html"], "all").text.split())
        for line in row["text"].split("\n"):
            found += " ".join(line.split()) in text
            total += 1
    assert found > 0.98 * total


def digest_of(corpus):
    out = hashlib.blake2b(digest_size=8)
    for table in (corpus.pages, corpus.labels, corpus.truth):
        out.update(json.dumps(table.to_pylist(), default=bytes.hex).encode())
    return out.hexdigest()


def test_equal_recipes_give_equal_bytes_everywhere():
    recipe = WebRecipe(pages=90, seed=5, batch=40)
    made = digest_of(web_corpus(recipe))
    assert made == digest_of(web_corpus(recipe)) != digest_of(web_corpus(WebRecipe(pages=90, seed=6, batch=40)))
    assert made == PINNED  # changes with words, templates and recipes, never with the machine


def test_batches_can_be_made_alone():
    recipe = WebRecipe(pages=130, seed=5, batch=40, html=False)
    alone = WebCorpus.concat([web_batch(recipe, number) for number in reversed(range(recipe.batches))][::-1])
    assert digest_of(alone) == digest_of(web_corpus(recipe)) and recipe.batches == 4
    numbers = [n for row in alone.truth["articles"].to_pylist() for n in row[:1]]
    assert len(set(numbers)) >= 78  # no article of one batch has the number of another's


def test_without_html_all_else_is_the_same():
    with_html, without = (web_corpus(WebRecipe(pages=60, seed=2, html=h)) for h in (True, False))
    assert without.pages["html"].null_count == 60
    assert without.pages.drop_columns(["html"]).equals(with_html.pages.drop_columns(["html"]))
    assert without.labels.equals(with_html.labels)


@pytest.mark.parametrize("pages", [0, 1, 2, 3, 7, 49, 50, 51, 123])
def test_sizes(pages):
    recipe = WebRecipe(pages=pages, seed=4, batch=50, html=False)
    batches = list(web_batches(recipe))
    assert [b.pages.num_rows for b in batches] == [min(50, pages - at) for at in range(0, pages, 50)]
    corpus = web_corpus(recipe)
    ids, urls = corpus.pages["id"].to_pylist(), corpus.pages["url"].to_pylist()
    assert len(set(ids)) == len(set(urls)) == pages == corpus.truth.num_rows
    assert corpus.truth["id"].to_pylist() == ids
    assert {*corpus.labels["left_id"].to_pylist(), *corpus.labels["right_id"].to_pylist()} <= set(ids)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:00", t) for t in corpus.pages["time"].to_pylist())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.02, 0.98), st.integers(2, 5))
def test_edits_keep_sources_and_shares(seed, share, parts):
    writer, rng = NewsWriter(seed, 300, 700), Rng(seed)
    body = writer.fresh().body
    sources, total = [s.source for s in flat(body)], characters(body)
    assert sources == list(range(len(sources)))
    cut = edits.truncate(body, share)
    assert -0.5 <= characters(cut) - share * total <= 2.5
    assert [s.source for s in flat(cut)] == sources[: len(flat(cut))]
    kept = edits.digest(body, share, rng)
    assert [s.source for s in flat(kept)] == sorted(s.source for s in flat(kept))
    assert {s.text for s in flat(kept)} <= {s.text for s in flat(body)}
    assert abs(characters(kept) - share * total) <= max(len(s.text) for s in flat(body))
    pages = edits.split(body, parts)
    assert [s for page in pages for s in flat(page)] == flat(body) and 2 <= len(pages) <= parts
    assert max(map(characters, pages)) <= total / parts + 2 * max(len(s.text) for b in body for s in flat([b])) + 400
    for edited in (edits.edit_characters(body, 0.1, rng), edits.edit_words(body, 0.1, rng)):
        assert [s.source for s in flat(edited)] == sources
        assert 0.85 * total < characters(edited) < 1.15 * total
        changed = sum(a.text != b.text for a, b in zip(flat(body), flat(edited), strict=True))
        assert changed > 0.3 * len(sources)
    moved = edits.move_sentences(body, 0.2, rng)
    assert sorted(flat(moved)) == sorted(flat(body))
    fewer = [s.source for s in flat(edits.drop_sentences(body, 0.2, rng))]
    assert len(fewer) == len(sources) - max(1, round(0.2 * len(sources))) and fewer == sorted(set(fewer) & set(sources))
    more = flat(edits.insert_sentences(body, 0.2, writer.addition, rng))
    assert [s.source for s in more if s.source != FRESH] == sources
    assert len(more) == len(sources) + max(1, round(0.2 * len(sources)))
    host = NewsWriter(seed + 1, 600, 800).fresh().body
    quoting = flat(edits.quote(tuple(b._replace(sentences=tuple(s._replace(source=s.source + ROOM) for s in b.sentences))
                                     for b in host), body, share, rng))  # fmt: skip
    quoted = [s for s in quoting if s.source < ROOM]
    assert {s.text for s in quoted} <= {s.text for s in flat(body)} and quoted


def test_moving_moves():
    writer, rng = NewsWriter(8), Rng(8)
    bodies = [writer.fresh().body for _ in range(50)]
    far = [sum(a != b for a, b in zip(flat(x), flat(edits.move_sentences(x, 0.2, rng)), strict=True)) for x in bodies]
    assert min(far) >= 2
    assert edits.move_sentences(article(1, "", ["一句。"]).body, 0.2, rng) == article(1, "", ["一句。"]).body


def test_edit_rates_are_met():
    body, rng = NewsWriter(3, 40_000, 40_000).fresh().body, Rng(1)
    before = flat(body)
    edited = flat(edits.edit_characters(body, 0.03, rng))
    lengths = sum(abs(len(a.text) - len(b.text)) for a, b in zip(before, edited, strict=True))
    assert 0.01 < lengths / characters(body) < 0.03  # two of three edits change the length, some cancel out
    assert edits.edit_characters(body, 0.0, rng) == body == edits.edit_words(body, 0.0, rng)


def test_relations_at_their_thresholds():
    assert [relation_of(0.6, 0.5), relation_of(0.6, 0.49), relation_of(0.59, 1), relation_of(0.2, 0.1)] == [
        "duplicate", "contained_in", "partial", "partial",
    ]  # fmt: skip
    assert relation_of(0.19, 1) is None and relation_of(0.19, 1, True) == "hard_negative"
    assert relation_of(0.2, 1, True) == "partial"


def test_labels_are_named_by_their_figures(corpus):
    labels = corpus.labels.to_pylist()
    named = [row for row in labels if row["relation"] != "hard_negative"]
    assert len(named) > 100 and all(relation_of(row["overlap"], row["ratio"]) == row["relation"] for row in named)


BODIES = [
    (f"第{i}号通知：{'甲乙丙丁戊己庚辛壬癸'[i % 10]}区停水{i}小时 & 公告<{i}>", [f"第{i}区将停水。请居民{i}人储水😀！", f"抢修队{i}名队员到场。费用{i}元<全免>。"])
    for i in range(60)
]  # fmt: skip


def test_bodies_of_the_caller_stand_in_the_pages():
    corpus = web_corpus(WebRecipe(pages=70, seed=9, copies=0.4, siblings=0.1, sites=20), BODIES)
    for row in rows(corpus):
        text = visible(row["html"].decode(row["charset"]))
        assert all(" ".join(line.split()) in text for line in row["text"].split("\n"))
    originals = [row for row in rows(corpus) if row["kind"] == "original"]
    assert len({row["articles"][0] for row in originals}) == 35
    assert any("😀" in row["text"] and row["charset"] == "gbk" for row in originals)
    siblings = [row for row in rows(corpus) if row["kind"] == "sibling"]
    assert len(siblings) == 7 and all(row["sibling_of"] is not None for row in siblings)
    table = pa.table({"title": [t for t, _ in BODIES], "text": ["\n".join(p) for _, p in BODIES]})
    again = web_corpus(WebRecipe(pages=70, seed=9, copies=0.4, siblings=0.1, sites=20), table)
    assert again.pages.equals(corpus.pages) and again.labels.equals(corpus.labels)


def test_articles_of_one_subject_are_found_by_title_unless_they_are_copies():
    articles = [
        article(0, "青溪县大桥通车", ["大桥今日通车。共用三年。"]),
        article(1, "完全不同的题目", ["别的事情。"]),
        article(2, "青溪县大桥通车仪式", ["大桥今日通车。共用三年。"]),  # a copy of the first
        article(3, "青溪县大桥通车一年", ["一年之后的回访。车流翻番。"]),
    ]
    assert same_subject(articles) == [(0, 3)]  # the most similar title, the earliest of equal ones
    assert same_subject(articles[:3]) == []


def test_one_of_each_known_cluster_is_left():
    assert one_per_cluster(list("abcdef"), [("c", "b"), ("b", "e"), ("f", "x")]) == ["a", "b", "d", "f"]
    assert one_per_cluster([], []) == []


def test_too_few_bodies_and_bad_recipes_are_refused():
    with pytest.raises(UsageError, match="60 bodies given are used up: ask for fewer pages"):
        web_corpus(WebRecipe(pages=400), BODIES)
    with pytest.raises(UsageError, match=r"body 0 .* has no sentence"):
        web_corpus(WebRecipe(pages=1), [("空", ["", "  "])])
    for wrong in (
        {"pages": -1}, {"sites": 1}, {"copies": 0.9, "siblings": 0.1}, {"kinds": (("copied", 1.0),)}, {"kinds": ()},
        {"shortest": 900, "longest": 800}, {"favour": 0}, {"batch": 0},
    ):  # fmt: skip
        with pytest.raises(UsageError):
            WebRecipe(**wrong)


def test_chosen_kinds_only():
    corpus = web_corpus(WebRecipe(pages=200, seed=3, kinds=(("split", 1.0), ("digest", 3.0)), html=False))
    kinds = Counter(corpus.truth["kind"].to_pylist())
    assert kinds["digest"] == 60 and kinds["split"] + kinds["template"] == 20 and kinds["split"] >= 18
    assert kinds["original"] == 104 and kinds["sibling"] == 16


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_the_maker_writes_what_the_module_makes(suffix, tmp_path):
    out = tmp_path / f"pages.{suffix}"
    done = subprocess.run(
        [sys.executable, str(MAKER), "120", str(out), "--seed", "8", "--workers", "2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    made = web_corpus(WebRecipe(pages=120, seed=8))
    read = [
        pq.read_table(path).to_pylist()
        if suffix == "parquet"
        else [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
        for path in (out, out.with_suffix(f".labels.{suffix}"))
    ]
    pages = made.pages.drop_columns(["text"]).to_pylist()
    if suffix == "jsonl":
        charsets = made.truth["charset"].to_pylist()
        pages = [p | {"html": p["html"].decode(c)} for p, c in zip(pages, charsets, strict=True)]
    assert read == [pages, made.labels.to_pylist()]


def test_the_maker_takes_bodies_one_of_each_cluster(tmp_path):
    docs, pairs, out = (tmp_path / name for name in ("docs.jsonl", "pairs.jsonl", "out.parquet"))
    longer = [
        (t, [f"【本台】{p}" + f"第{i}段说明，长度够一百个字符。" * 4 for p in ps]) for i, (t, ps) in enumerate(BODIES)
    ]
    docs.write_text(
        "".join(json.dumps({"id": f"d{i}", "title": t, "text": "\n".join(p)}) + "\n" for i, (t, p) in enumerate(longer))
    )
    pairs.write_text("".join(json.dumps({"a": f"d{i}", "b": f"d{i + 1}"}) + "\n" for i in range(0, 60, 2)))
    command = [
        sys.executable,
        str(MAKER),
        "30",
        str(out),
        "--text",
        "--bodies",
        str(docs),
        "--pairs",
        str(pairs),
        "--drop",
        "【本台】",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    texts = pq.read_table(out)["text"].to_pylist()
    assert len(texts) == 30 and not any("【本台】" in t for t in texts)
    odd = [t for t in texts if re.search(r"第\d*[13579]区将停水", t)]
    assert not odd
    command[2] = "500"
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "bodies given are used up" in done.stderr and "Traceback" not in done.stderr

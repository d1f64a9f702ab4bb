"""Ablation of the structure tree: methods of Ya 2013 on long pages with chapters, with and without their tree.

Source: Ya 2013, chapter 3, whose claim is that layers of a page (正文结构树) identify it better than its sentences alone. The ablation
removes the tree: the same texts, every line a paragraph. Pages have a title, chapters, and sections in them. In half of all corpora
copies have lost their headings, as copies pasted into an editor do. Pages with the same outline (equal headings, other text) are
hard negatives.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa

from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.rng import Rng
from quchong_lab.web import edits
from quchong_lab.web.bodies import FRESH, Body, Sentence
from quchong_lab.web.labelled import SWEEP, Labelled, labelled_documents, sweep
from quchong_lab.web.pages import WRITERS
from quchong_lab.web.relations import related
from quchong_lab.web.truths import READING, bests
from quchong_lab.web.words import LEXICONS, Language
from quchong_lab.web.writer import Writer

ORIGINALS: dict[Scale, int] = {"quick": 60, "paper": 600, "full": 1_500}
LENGTHS: dict[Language, tuple[int, int]] = {"zh": (150, 320), "en": (400, 850)}
"""Least and most characters of a section."""
EDITED: dict[Language, float] = {"zh": 0.05, "en": 0.01}
"""Share of the characters edited: about one token in twenty is changed, as English words have five letters."""
CHAPTERS, SECTIONS = 3, 2
SYSTEMS = (
    ("long sentences", "tree-long-sentence"),
    ("key sentences", "tree-key-sentence"),
    ("feature strings", "tree-feature-string"),
)
CCDET: dict[Language, dict[str, Any]] = {"zh": {}, "en": {"stops": "all", "tail": 30}}
KINDS = ("characters", "left out", "moved", "shortened")
"""Kinds of copies: a token in twenty edited; a fifth of the sentences left out; chapters in another order; the last chapter left out."""


class PagePart(NamedTuple):
    """Part of a page: a heading of a level (1 the highest), or for level 0 a body without headings."""

    level: int
    body: Body


def corpus(originals: int, layers: int, keep_headings: bool, seed: int, language: Language = "zh") -> Labelled:
    """Generate pages with a number of layers, a copy of each, and for every second one a page with the same outline.

    Three layers are title, chapters and paragraphs; four have sections too.

    The truth is that of `relations`, by sentences of common origin; a heading counts as a sentence.
    """
    lexicon, rng = LEXICONS[language], Rng(seed, 0x6C6179, layers)
    writer = WRITERS[language](seed, *LENGTHS[language])
    ids, lines, blocks, titles, sources, numbers = [], [], [], [], [], []
    for i in range(originals):
        chapters = [_chapter(writer, layers) for _ in range(CHAPTERS)]
        kind = KINDS[i % len(KINDS)]
        pages = [("a", chapters, True), ("b", _copied(chapters, kind, rng, language), keep_headings)]
        if i % 2:
            pages.append(("c", [_refilled(chapter, writer) for chapter in chapters], True))
        for name, made, headed in pages:
            parts = [part for chapter in made for part in chapter if headed or not part.level]
            rows = [(str(p.level) if p.level else "p", b) for p in parts for b in p.body]
            ids.append(f"l{i:06}{name}")
            lines.append("\n".join(lexicon.gap.join(s.text for s in b.sentences) for _, b in rows))
            blocks.append("".join(level for level, _ in rows))
            titles.append(edits.flat(chapters[0][0].body)[0].text)
            flat = [s for _, b in rows for s in b.sentences]
            sources.append([(s.source, len(s.text)) for s in flat])
            numbers.append([i])
    table = pa.table(
        {"id": pa.array(ids, pa.large_string()), "text": pa.array(lines, pa.large_string()),
         "blocks": pa.array(blocks, pa.large_string()), "title": pa.array(titles, pa.large_string())}
    )  # fmt: skip
    return labelled_documents(table, related(ids, sources, numbers, {}))


def _chapter(writer: Writer, layers: int) -> list[PagePart]:
    """Generate a chapter: its heading, and sections with headings of their own, or bodies without."""
    parts: list[PagePart] = []
    for section in range(SECTIONS):
        article = writer.fresh()
        body = tuple(block for block in article.body if not block.heading)
        heading = (
            body[0]._replace(sentences=(Sentence(article.title, body[0].sentences[0].source + 2048),), heading=True),
        )
        if section == 0:
            parts.append(PagePart(2, heading))
        if layers > 3:
            under = tuple(
                b._replace(sentences=(Sentence(f"{section + 1} {article.title}", b.sentences[0].source + 1),))
                for b in heading
            )
            parts.append(PagePart(3, under))
        parts.append(PagePart(0, body))
    return parts


def _copied(chapters: list[list[PagePart]], kind: str, rng: Rng, language: Language) -> list[list[PagePart]]:
    if kind == "moved":
        return [*chapters[1:], chapters[0]]
    if kind == "shortened":
        return chapters[:-1]

    def change(body: Body) -> Body:
        if kind == "characters":
            return edits.edit_characters(body, EDITED[language], rng, LEXICONS[language])
        return edits.drop_sentences(body, 0.2, rng)

    return [[part if part.level else PagePart(0, change(part.body)) for part in chapter] for chapter in chapters]


def _refilled(chapter: list[PagePart], writer: Writer) -> list[PagePart]:
    """Return a chapter with the same headings and new text; the headings have no source, because a common outline is no copy."""
    out = []
    for part in chapter:
        if part.level:
            out.append(
                PagePart(
                    part.level, tuple(b._replace(sentences=(Sentence(b.sentences[0].text, FRESH),)) for b in part.body)
                )
            )
        else:
            out.append(PagePart(0, tuple(b for b in writer.fresh().body if not b.heading)))
    return out


def flat(data: Labelled) -> Labelled:
    """Return the pages with every line as a paragraph, that is without headings."""
    plain = pa.array(["p" * len(b) for b in data.table["blocks"].to_pylist()], pa.large_string())
    table = data.table.set_column(data.table.column_names.index("blocks"), "blocks", plain)
    return Labelled(table, data.relation, data.undecided, data.near, data.jaccard)


def _ablation(scale: Scale, seed: int, language: Language = "zh") -> Findings:
    rows: list[dict[str, Any]] = []
    for layers in (3, 4):
        for headings in ("kept", "lost"):
            data = corpus(ORIGINALS[scale], layers, headings == "kept", seed, language)
            for sees, pages in (("tree", data), ("flat", flat(data))):
                for name, method in SYSTEMS:
                    case = {"layers": layers, "headings": headings, "system": name, "sees": sees}
                    rows += [case | row for row in cell(f"{case}", sweep, pages, method, SWEEP)]
            case = {"layers": layers, "headings": headings, "system": "CCDet", "sees": "flat"}
            rows += [case | row for row in cell(f"{case}", sweep, data, "ccdet", SWEEP, **CCDET[language])]
    tops = bests(rows, "layers", "headings", "system", "sees")
    remarks = [READING]
    if language == "en":
        remarks.append(
            "Feature strings are of Han characters, of which English sentences have none. CCDet takes all full stops, L 30."
        )
    for (name, _), headings in ((s, h) for s in SYSTEMS for h in ("kept", "lost")):
        said = []
        for layers in (3, 4):
            found = {
                t["sees"]: t for t in tops if (t["layers"], t["headings"], t["system"]) == (layers, headings, name)
            }
            said.append(f"{layers} layers {found['tree']['f1'] or 0:.3f} against {found['flat']['f1'] or 0:.3f}")
        remarks.append(f"{name}, headings {headings}, best F1 as made, tree against flat: {'; '.join(said)}.")
    return Findings(pa.Table.from_pylist(rows), tuple(remarks), {"truths": pa.Table.from_pylist(tops)})


def _experiment(name: str, title: str, language: Language) -> Experiment:
    claim = Claim(
        "ch. 3", "layers of headings and paragraphs against sentences alone", "the structure raises precision and recall",
        "not measured there: no figure without the tree" + ("" if language == "zh" else "; the paper's pages are Chinese"),
    )  # fmt: skip
    plot = Plot("threshold", "f1", ("layers", "headings", "system", "sees"))
    return Experiment(name, title, "Ya 2013, chapter 3", (claim,), (plot,), partial(_ablation, language=language))


LAYERS = _experiment(
    "web/tree-ablation", "Structure trees: what the tree gives, against the same pages seen flat", "zh"
)
ENGLISH_LAYERS = _experiment(
    "web/english-trees", "Structure trees of English pages: what the tree gives, against the same pages seen flat", "en"
)

"""Arguments of the kernels of structure trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from dice import Dice, ragged_of
from twins import tree as ref_tree

from kernel_arguments.call import Call, each_pair, forms, idf, kernel, marks
from quchong import kernels
from quchong.kernels.tree import Layer


def _outline(d: Dice) -> tuple[Any, dict[str, Any]]:
    texts = d.texts()
    n = len(texts)
    blocks = d.choice(
        [None, pa.array(["".join(d.choices("123b p", k=d.some(4))) for _ in range(n)], pa.large_string())]
    )
    titles = d.choice([None, pa.array([d.choice(["网页去重", None, "may"]) for _ in range(n)], pa.large_string())])
    how = {
        "form": d.choice([f for f in forms() if not f.characters]), "texts": texts, "blocks": blocks, "titles": titles,
        "cuts": d.randint(0, 127), "heading_characters": d.choice([0, 5, 40]), "workers": 1,
    }  # fmt: skip
    return kernels.tree.outline, how


@kernel
def outline(d: Dice) -> Call:
    function, how = _outline(d)

    def used(**arguments: Any) -> Any:
        made = function(**arguments)
        return made.depth, made.parent, made.documents, made.mark_counts, *made.sentence_tokens()

    return Call(used, how)


def _of_outline(name: str, d: Dice, **more: Any) -> Call:
    function, how = _outline(d)
    made = function(**how)
    if "which" in more:
        nodes = len(made.depth)
        more["which"] = np.array([d.randrange(nodes) for _ in range(d.some(5))] if nodes else [], np.int64)
    if "keywords" in more:
        more["keywords"] = made.keywords(idf(), d.randint(1, 4))
    if "wanted" in more:
        more["wanted"] = marks(d, len(made))
    return Call(getattr(made, name), more)


@kernel
def outline_long_sentences(d: Dice) -> Call:
    return _of_outline(
        "long_sentences", d, which=None, count=d.randint(1, 3), more_from=d.randint(0, 9), least=d.randint(0, 4)
    )


@kernel
def outline_keywords(d: Dice) -> Call:
    return _of_outline("keywords", d, idf=idf(), count=d.randint(1, 5), wanted=None)


@kernel
def outline_key_sentences(d: Dice) -> Call:
    return _of_outline("key_sentences", d, which=None, keywords=None, rate=d.randint(1, 9))


@kernel
def outline_head_tails(d: Dice) -> Call:
    return _of_outline("head_tails", d, which=None, marks=d.randint(0, 127))


@kernel
def outline_terms(d: Dice) -> Call:
    return _of_outline("terms", d, title=d.random() < 0.5)


@kernel
def outline_title_pairs(d: Dice) -> Call:
    return _of_outline("title_pairs", d)


def _layer(d: Dice) -> tuple[Layer, list[list[list[int]]]]:
    documents = [
        [sorted({d.choice([1, 2, 5, 2**40, 2**40 + 7, 2**63]) for _ in range(d.some(5))}) for _ in range(d.some(4))]
        for _ in range(d.some(3))
    ]
    values, nodes = ragged_of([node for one in documents for node in one], np.uint64)
    return Layer(values, nodes, np.cumsum([0, *map(len, documents)]).astype(np.int64)), documents


@kernel
def match_layers(d: Dice) -> Call:
    (a, mine), (b, theirs) = _layer(d), _layer(d)
    left, right = d.pairs(min(len(mine), len(theirs)))
    how, least, bits = d.choice(["share", "filters", "whole"]), d.choice([0.0, 0.3, 0.5, 1.0]), d.choice([64, 1024])

    def right_one(out: Any) -> bool:
        wanted = [ref_tree.match_layers(mine[x], theirs[y], how, least, bits) for x, y in each_pair(left, right)]
        return np.allclose(np.array([c.tolist() for c in out]).T.reshape(-1, 4), np.array(wanted).reshape(-1, 4))

    return Call(
        kernels.tree.match_layers,
        {"left_layer": a, "right_layer": b, "left": left, "right": right, "how": how, "least": least, "bits": bits, "workers": 1},
        right_one, 2**20,
    )  # fmt: skip

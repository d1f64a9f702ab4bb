"""Arguments of the kernels of texts: tables, normal forms, fingerprints, tokens and where they stand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from dice import Dice
from twins import posts as ref_posts
from twins import text as ref_text

from kernel_arguments.call import Call, docs_of, forms, kernel
from quchong import kernels
from quchong.kernels.text import Form
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases
from quchong.text.social import BESIDE_CONTENT, BESIDE_MARKS, EMOJI_CODES, MARK_WORDS


@kernel
def text_tables(d: Dice) -> Call:
    folds = np.array([d.randrange(0x110000) for _ in range(2 * d.some(4))], np.uint32)

    def step() -> np.ndarray:
        out: list[int] = []
        for _ in range(d.some(3)):
            a, b = d.randint(1, 3), d.randint(0, 3)
            out += [a, b, *(19968 + d.randrange(9) for _ in range(a + b))]
        return np.array(out, np.uint32)

    def used(folds: Any, step1: Any, step2: Any, number_words: Any, hash_bits: Any, texts: Any) -> Any:
        tables = kernels.text.text_tables(folds, step1, step2, number_words, hash_bits)
        return kernels.text.tokenise(Form(tables), texts, workers=1).docs.tokens

    lengths = [d.randint(1, 4) for _ in range(d.some(3))]
    words = np.array([c for n in lengths for c in (n, *(97 + d.randrange(3) for _ in range(n)))], np.uint32)
    steps = {"step1": step(), "step2": step()}
    arguments = {"folds": folds, **steps, "number_words": words, "hash_bits": d.randint(1, 30), "texts": d.texts()}
    return Call(used, arguments, variants=2)  # the tables are large


@kernel
def word_hash(d: Dice) -> Call:
    return Call(kernels.text.word_hash, {"tables": forms()[0].tables, "word": d.choice(["may", "网", "", "a" * 40])})


@kernel
def word_name(d: Dice) -> Call:
    return Call(kernels.text.word_name, {"word": d.choice(["may", "网", "", "a" * 40])})


@kernel
def composing_ranges(d: Dice) -> Call:
    return Call(kernels.text.composing_ranges, {}, variants=1)


@kernel
def loops(d: Dice) -> Call:
    return Call(kernels.machine.loops, {}, variants=1)


@kernel
def composes(d: Dice) -> Call:
    return Call(kernels.text.composes, {"tables": forms()[0].tables, "texts": d.texts(), "workers": 1})


@cache
def marks_of_posts() -> Any:
    """The tables of the marks of posts."""
    return kernels.posts.post_tables({**MARK_WORDS, "codes": EMOJI_CODES})


@kernel
def post_tables(d: Dice) -> Call:
    lists = {name: [d.choice(EMOJI_CODES) for _ in range(d.randint(0, 4))] for name in kernels.posts.LISTS}
    return Call(kernels.posts.post_tables, {"lists": lists})


@kernel
def fold_posts(d: Dice) -> Call:
    texts, steps = d.texts(valid=True), d.sample(kernels.posts.STEPS, d.randint(1, 7))
    pattern = ref_posts.folding(tuple(steps))

    def right(out: Any) -> bool:
        found = list(zip(out.start.tolist(), out.end.tolist(), map(chr, out.put.tolist()), strict=True))
        wanted = {i: some for i, t in enumerate(texts.to_pylist()) if (some := ref_posts.fold_posts(t, pattern))}
        return out.which.tolist() == [*wanted] and found == [change for some in wanted.values() for change in some]

    return Call(kernels.posts.fold_posts, {
        "tables": marks_of_posts(), "texts": texts, "steps": steps, "beside_content": BESIDE_CONTENT, "beside_marks": BESIDE_MARKS,
        "workers": 1,
    }, right)  # fmt: skip


@kernel
def fingerprints(d: Dice) -> Call:
    return Call(kernels.text.fingerprints, {
        "form": d.choice(forms()), "texts": d.texts(), "ngram": d.randint(1, 8), "short_window": d.randint(1, 5),
        "long_window": d.randint(1, 20), "long_tokens": d.randint(0, 30), "anchors": d.random() < 0.8,
        "keep": d.random() < 0.5, "workers": 1,
    })  # fmt: skip


@kernel
def take_tokens(d: Dice) -> Call:
    docs = d.ragged()
    n = len(docs.offsets) - 1
    index = np.array([d.randrange(n) for _ in range(d.some(5))] if n else [], np.int64)
    return Call(kernels.text.take_tokens, {"docs": docs, "index": index, "workers": 1})


@kernel
def tokenise(d: Dice) -> Call:
    return Call(
        kernels.text.tokenise, {"form": d.choice(forms()), "texts": d.texts(), "places": d.random() < 0.5, "workers": 1}
    )


@kernel
def tokenise_placed(d: Dice) -> Call:
    valid = d.random() < 0.7
    how, texts = d.choice(forms()), d.texts(valid=valid)

    def right(out: Any) -> bool:
        tokens = [ref_text.tokenise(t, tables(), full=how.full, characters=how.characters) for t in texts.to_pylist()]
        steps, lengths, far = ref_text.narrow_places(tokens)
        places = out[1]
        return (places.steps.tolist(), places.lengths.tolist(), places.far.tolist()) == (steps, lengths, far)

    return Call(kernels.text.tokenise_placed, {"form": how, "texts": texts, "workers": 1}, right if valid else None)


@kernel
def names(d: Dice) -> Call:
    how, valid = d.choice(forms()), d.random() < 0.7
    texts = d.texts(valid=valid)

    def right(out: Any) -> bool:
        twins = [ref_text.tokenise(t, tables(), full=how.full, characters=how.characters) for t in texts.to_pylist()]
        return docs_of(out.docs) == [[ref_text.name(t) for t in twin] for twin in twins]

    arguments = {"form": how, "texts": texts, "places": d.random() < 0.5, "workers": 1}
    return Call(kernels.text.names, arguments, right if valid else None)


@kernel
def hashes(d: Dice) -> Call:
    return Call(kernels.text.hashes, {"form": d.choice(forms()), "texts": d.texts(), "workers": 1})


@cache
def tables() -> ref_text.Tables:
    """Those of the forms."""
    return ref_text.Tables(folds(), *phrases(), NUMBER_WORDS)


def _stretches(d: Dice, how: Form, texts: Any) -> tuple[dict[str, Any], Callable[[Any], bool]]:
    """Draw stretches of texts: the arguments, and whether an answer is the twin's."""
    n = d.some(12)
    asked = [
        (d.randrange(len(texts)), d.some(30), d.some(30), d.choice([0, 1, 3, 10, 255]))
        for _ in range(n if len(texts) else 0)
    ]
    if d.random() < 0.7:
        asked.sort()
    columns = [np.array([one[k] for one in asked], dtype) for k, dtype in enumerate((np.uint32,) * 3 + (np.uint8,))]

    def right(out: Any) -> bool:
        found = [
            (tuple(places), window) for places, window in zip(out.places.tolist(), out.windows.to_pylist(), strict=True)
        ]
        return found == ref_text.stretches(texts.to_pylist(), asked, tables(), full=how.full, characters=how.characters)

    return dict(zip(("text", "first", "last", "margin"), columns, strict=True)), right


@kernel
def stretches(d: Dice) -> Call:
    valid = d.random() < 0.7
    texts, how = d.texts(valid=valid), d.choice(forms())
    asked, right = _stretches(d, how, texts)
    return Call(kernels.text.stretches, {"form": how, "texts": texts, **asked, "workers": 1}, right if valid else None)


@kernel
def placed_stretches(d: Dice) -> Call:
    texts, how = d.texts(valid=True), d.choice(forms())
    asked, right = _stretches(d, how, texts)
    places = kernels.text.tokenise_placed(how, texts)[1]
    return Call(kernels.text.placed_stretches, {"places": places, "texts": texts, **asked, "workers": 1}, right)


@kernel
def equal_forms(d: Dice) -> Call:
    texts = d.texts()
    left, right = d.pairs(len(texts))
    return Call(
        kernels.text.equal_forms, {"form": d.choice(forms()), "texts": texts, "left": left, "right": right, "workers": 1},
        lambda out: all(same or a != b for a, b, same in zip(left, right, out, strict=True)),
    )  # fmt: skip

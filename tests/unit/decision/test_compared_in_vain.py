"""Covers: quchong.decision.templates.compared_in_vain, and copies with so much noise that no scored pair has them."""

from __future__ import annotations

import random

import numpy as np

import quchong as qc
from quchong.decision.expansion import ClassPairs
from quchong.decision.templates import compared_in_vain


def beside(scored, compared, classes):
    left, right = np.array(scored, np.int64).reshape(-1, 2).T
    alone, partner = compared_in_vain(
        ClassPairs(left, right, {}), *np.array(compared, np.int64).reshape(-1, 2).T, np.arange(classes)
    )
    return dict(zip(alone.tolist(), partner.tolist(), strict=True))


def test_a_class_in_no_scored_pair_has_the_least_partner_that_is_in_one():
    assert beside([(1, 2)], [(1, 2), (2, 4), (1, 4), (0, 2), (3, 4)], 5) == {0: 2, 4: 1}


def test_without_scored_pairs_or_compared_ones_there_is_nobody():
    assert beside([], [(0, 1)], 2) == {}
    assert beside([(0, 1)], [], 3) == {}


FORM = (
    "| what | details |\n| type of home | {} |\n| town | {} |\n| rooms | {} |\n| living area, square metres | {} |\n| heating | {} |\n| asking price | {} |\n"
    "| viewing | by appointment only |\n| remarks | quiet street, close to shops and to the station |"
)


def test_copies_with_much_noise_meet_their_record_in_a_large_family():
    """1,060 forms: each is compared with 16 others, and a copy with noise in every fifth word is like none of these."""
    dice = random.Random(3)
    towns = ["".join(dice.choice("bdfgklmnprst") + dice.choice("aeiou") for _ in range(3)) for _ in range(40)]
    rows, filled = [], set()
    while len(rows) < 1060:
        said = (dice.choice(("loft", "studio", "cottage", "bungalow")), dice.choice(towns), dice.randint(1, 7), dice.randint(28, 310),
                dice.choice(("gas", "oil", "wood", "solar")), f"{dice.randint(60, 990)},000")  # fmt: skip
        if said not in filled:
            filled.add(said)
            rows.append((f"m{len(rows):04}", FORM.format(*said)))
    noise = {"details": "detailq", "living": "lving", "square": "sqvare", "heating": "heatixg", "asking": "askimg", "viewing": "viewimg",
             "only": "onlv", "street": "strewt", "shops": "shpos", "station": "statiom", "appointment": "appomntment"}  # fmt: skip
    copies = []
    for k in range(0, 1000, 50):
        text = rows[k][1]
        for word in dice.sample(sorted(noise), 5):
            text = text.replace(word, noise[word])
        copies.append((f"n{k:04}", text))
    found = qc.dedup([{"id": name, "text": text} for name, text in [*rows, *copies]], recall_sample=0)
    gone = {frozenset((row["id"], row["survivor_id"])) for row in found.ledger.to_pylist()}
    pairs = [frozenset((f"m{k:04}", f"n{k:04}")) for k in range(0, 1000, 50)]
    assert sum(pair in gone for pair in pairs) >= 18
    assert gone <= set(pairs)

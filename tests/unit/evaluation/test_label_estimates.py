"""Covers: quchong.evaluation.strata, .estimates, .asking, .intervals: what labels tell of all listed pairs, and which pair to ask about.

Compared against: counting the whole, on made populations. Run: pytest tests/unit/review/test_estimates.py.
"""

import numpy as np
import pytest

from quchong.decision.intervals import wilson
from quchong.evaluation.label_estimates import f1, precision, recall, weighted
from quchong.evaluation.next_question import next_pair, ranks
from quchong.evaluation.strata import strata
from quchong.relation_codes import EQUALS
from quchong.relations import RELATIONS

CALLED = np.array([name in ("exact", "duplicate", "contains", "contained_in") for name in RELATIONS])
EXACT, DUPLICATE, PARTIAL = (RELATIONS.index(name) for name in ("exact", "duplicate", "partial"))


def population(seed, n=3000):
    """Pairs with scores, a line at 0.6, and the truth: copies are likelier the higher the score."""
    rng = np.random.default_rng(seed)
    score = rng.uniform(0.3, 1.0, n)
    relation = np.where(score >= 0.6, DUPLICATE, PARTIAL)
    relation[:50] = EXACT
    truth = rng.uniform(size=n) < 1 / (1 + np.exp(-25 * (score - 0.58)))
    made = strata(relation, RELATIONS, CALLED, score, np.abs(score - 0.6), EQUALS)
    return made, relation, truth


def asked(made, truth, count, seed=0):
    """Labels of as many pairs as the desk draws, one after the other."""
    labels = []
    for _ in range(count):
        row = next_pair(made, labels, seed)
        labels.append((row, "same" if truth[row] else "different", True))
    return labels


def test_strata_hold_every_pair_but_exact_copies_once():
    made, relation, _ = population(1)
    assert (made.of[:50] == -1).all() and (made.of[50:] >= 0).all()
    assert [kind.size for kind in made.kinds] == np.bincount(made.of[50:]).tolist()
    assert made.called.tolist() == [False] * 50 + (relation[50:] == DUPLICATE).tolist()
    by_place = {(kind.relation, kind.place): kind for kind in made.kinds}
    assert by_place["partial", 0].low > by_place["partial", 1].low > by_place["partial", 3].low
    assert by_place["duplicate", 0].high < by_place["duplicate", 3].high


@pytest.mark.parametrize(("n", "of"), [(1, 1), (20, 1), (21, 2), (60, 2), (61, 4)])
def test_few_pairs_make_few_strata(n, of):
    made = strata(np.full(n, DUPLICATE), RELATIONS, CALLED, np.linspace(0.6, 1, n), np.linspace(0, 0.4, n), EQUALS)
    assert len(made.kinds) == of and sum(kind.size for kind in made.kinds) == n


def test_a_run_without_pairs_has_nothing_to_estimate_or_ask():
    made = strata(np.zeros(0, np.int64), RELATIONS, CALLED, np.zeros(0), np.zeros(0), EQUALS)
    sample = weighted(made, [])
    assert made.kinds == () and sample.whole == sample.open == 0
    assert precision(sample, np.zeros(0, bool)).value is None and f1(sample, np.zeros(0, bool)) is None
    assert next_pair(made, []) is None


def test_all_pairs_labelled_give_the_figures_themselves():
    made, relation, truth = population(2, 400)
    labels = [(row, "contained" if truth[row] else "different", True) for row in range(50, 400)]
    sample, called = weighted(made, labels), relation[50:] == DUPLICATE
    assert (sample.weight == 1).all() and sample.open == 0 and sample.whole == 350
    assert precision(sample, called).value == pytest.approx(truth[50:][called].mean())
    assert recall(sample, called).value == pytest.approx(called[truth[50:]].mean())


def test_a_drawn_pair_stands_for_its_stratum_and_a_picked_one_for_itself():
    made, _, _ = population(3)
    stratum = int(made.of[100])
    rows = np.flatnonzero(made.of == stratum)
    size = len(rows)
    sample = weighted(
        made, [(int(rows[0]), "same", True), (int(rows[1]), "different", True), (int(rows[2]), "same", False)]
    )
    assert dict(zip(sample.rows.tolist(), sample.weight.tolist(), strict=True)) == {
        int(rows[0]): (size - 1) / 2, int(rows[1]): (size - 1) / 2, int(rows[2]): 1.0,
    }  # fmt: skip
    assert sample.drawn == 2 and sample.weight.sum() == size and sample.open == sample.whole - size


def test_picked_pairs_alone_say_nothing_of_the_whole():
    made, _, truth = population(3)
    sample = weighted(made, [(row, "same", False) for row in np.flatnonzero(truth & (made.of >= 0)).tolist()[:30]])
    assert len(sample.rows) == 0 and sample.picked == 30 and sample.open == sample.whole
    assert precision(sample, np.zeros(0, bool)).value is None and f1(sample, np.zeros(0, bool)) is None


def test_picked_pairs_do_not_bend_the_estimate():
    """Who labels a hundred sure copies from the list learns nothing of the others."""
    made, relation, truth = population(4)
    labels = asked(made, truth, 120)
    taken = {row for row, _, _ in labels}
    sure = [row for row in np.flatnonzero(truth & (made.of >= 0)).tolist() if row not in taken][:100]
    plain = weighted(made, labels)
    more = weighted(made, labels + [(row, "same", False) for row in sure])
    before, after = (recall(one, relation[one.rows] == DUPLICATE).value for one in (plain, more))
    naive = np.mean(
        [relation[row] == DUPLICATE for row, label, _ in labels + [(r, "same", False) for r in sure] if label == "same"]
    )
    whole = (relation[made.of >= 0] == DUPLICATE)[truth[made.of >= 0]].mean()
    assert abs(after - before) < 0.05 and abs(after - whole) < abs(naive - whole) + 0.05


def test_hard_to_tell_and_exact_copies_are_left_out():
    made, _, _ = population(5)
    sample = weighted(made, [(0, "same", False), (60, "unsure", True), (61, "same", True)])
    assert sample.rows.tolist() == [61] and sample.unsure == 1


def test_estimates_are_right_and_their_intervals_hold():
    """Over 60 populations: no bias beyond chance, and nine of ten intervals or more hold the truth."""
    held, off = {"precision": 0, "recall": 0}, {"precision": [], "recall": []}
    for seed in range(60):
        made, relation, truth = population(seed, 1500)
        labels = asked(made, truth, 80, seed)
        sample = weighted(made, labels)
        called = relation[sample.rows] == DUPLICATE
        real, mine = truth[50:], relation[50:] == DUPLICATE
        for name, share, value in (
            ("precision", precision(sample, called), real[mine].mean()),
            ("recall", recall(sample, called), mine[real].mean()),
        ):
            held[name] += share.low <= value <= share.high
            off[name].append(share.value - value)
    assert min(held.values()) >= 54, held
    assert all(abs(np.mean(values)) < 0.007 for values in off.values()), {k: np.mean(v) for k, v in off.items()}


def test_what_the_labels_say_does_not_change_what_is_asked():
    made, _, truth = population(7)
    as_it_is, other_way = asked(made, truth, 60), asked(made, ~truth, 60)
    assert [row for row, _, _ in as_it_is] == [row for row, _, _ in other_way]


def test_labels_narrow_the_interval():
    made, relation, truth = population(6)
    widths = []
    for count in (20, 80, 240):
        sample = weighted(made, asked(made, truth, count))
        share = precision(sample, relation[sample.rows] == DUPLICATE)
        widths.append(share.high - share.low)
    assert widths[0] > widths[1] > widths[2]


def test_what_is_asked_lies_near_the_line_more_often_than_pairs_do():
    made, _, truth = population(7)
    near = [made.kinds[made.of[row]].place <= 1 for row, _, _ in asked(made, truth, 100)]
    assert np.mean(near) > 0.45  # two of ten pairs do


def test_every_stratum_is_asked_about_soon():
    made, _, truth = population(8)
    assert {int(made.of[row]) for row, _, _ in asked(made, truth, 30)} == set(range(len(made.kinds)))


def test_asking_is_the_same_for_equal_labels_and_seed_and_never_asks_twice():
    made, _, truth = population(9, 200)
    one, two, other = asked(made, truth, 150), asked(made, truth, 150), asked(made, truth, 150, seed=1)
    assert one == two and one != other
    assert len({row for row, _, _ in one}) == 150
    assert next_pair(made, one, skipped=range(200)) is None
    first = next_pair(made, [])
    assert next_pair(made, [], skipped=[first]) != first
    assert next_pair(made, [(first, "unsure", True)]) != first


def test_ranks_are_an_order_at_random():
    rows = np.arange(10_000)
    drawn = ranks(rows, 3)
    assert len(np.unique(drawn)) == len(rows)
    assert abs(np.corrcoef(rows, drawn.astype(float))[0, 1]) < 0.05
    assert ranks(np.array([0, 1, 2]), 0).tolist() == [0, 8841707400507832957, 5974825227474435752]  # on every machine


def test_the_interval_takes_trials_that_are_not_whole():
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(4.5, 9.0)
    assert low == pytest.approx(1 - high) and wilson(45, 90)[0] > low

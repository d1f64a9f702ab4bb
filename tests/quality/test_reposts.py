"""Covers: exact repeats in the shared Weibo reposts, by every filter. Run: pytest tests/quality/test_reposts.py."""

import pytest
from twins.elements import strict_form

from quchong.filters import Bloom, Confirmed, DigestSet, DigitTrie, PrintedBloom
from quchong.text import element


@pytest.fixture(scope="module")
def reposts(shared):
    return [row["text"] for row in shared.read("zh_weibo_ced/reposts_sample.jsonl")]


@pytest.mark.shared
def test_exact_repeats_of_the_reposts(reposts):
    """775 in the strict form and none invented; 884 in the loose one: 883 by letters alone, one by traditional script."""
    known, repeats = set(), []
    for text in reposts:
        form = strict_form(text)
        repeats.append(form in known)
        known.add(form)
    assert sum(repeats) == 775
    exact = [DigestSet(), Bloom(30_000, 1e-6), Confirmed(Bloom(3000, 0.1)), DigitTrie(), DigitTrie(hash="bkdr")]
    for filter in exact:
        assert filter.seen_before(reposts).tolist() == repeats, filter
    assert DigestSet(element("loose")).seen_before(reposts).sum() == 884
    printed = PrintedBloom(bits=500_000).seen_before(reposts)
    assert all(printed[i] for i, there in enumerate(repeats) if there), "a Bloom filter misses no repeat"

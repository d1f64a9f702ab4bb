"""Covers: quchong.serve.lanes: what is asked together, in one call or in halves, and that each caller gets its own outcome."""

import asyncio
import threading

import pytest

from quchong.serve.lanes import BATCH, SPLIT, Lane, Room
from quchong.serve.limits import Limits


def asked_together(callers, *, beside, records=1):
    """Sizes of the calls in which this many callers are answered, who all ask at once; each gets its own records back."""
    sizes = []

    def answer(questions):
        sizes.append(len(questions))
        return [one.record for one in questions]

    async def ask_all():
        lane = Lane([answer], Room(Limits()), "test", beside=beside)
        given = [[{"id": f"{caller}-{k}"} for k in range(records)] for caller in range(callers)]
        found = await asyncio.gather(*(lane.ask(one) for one in given))
        await lane.close()
        assert found == given

    asyncio.run(ask_all())
    return sizes


@pytest.mark.parametrize("callers", [1, 2, SPLIT - 1])
def test_few_are_answered_in_one_call(callers):
    assert asked_together(callers, beside=True) == asked_together(callers, beside=False) == [callers]


@pytest.mark.parametrize("callers", [SPLIT, SPLIT + 1, 64, 201])
def test_half_of_many_are_asked_of_a_process_beside_while_the_others_are_answered(callers):
    sizes = asked_together(callers, beside=True)
    assert sizes[0] == (callers + 1) // 2 and sum(sizes) == callers
    assert asked_together(callers, beside=False) == [callers]


@pytest.mark.parametrize(
    ("waiting", "sizes"), [(SPLIT - 2, [1, SPLIT - 2]), (SPLIT, [1, SPLIT // 2 + 1, SPLIT // 2 - 1])]
)
def test_a_process_is_given_a_full_share_ahead_and_nothing_less(waiting, sizes):
    """One call is held up while others arrive: a call of fewer than a share waits for it, so that more can join; a share does not."""
    begun, held = [], threading.Event()
    second = threading.Event()

    def answer(questions):
        begun.append(len(questions))
        if len(begun) == 1:
            held.wait(60)
        else:
            second.set()
        return [one.record for one in questions]

    async def ask_all():
        lane = Lane([answer], Room(Limits()), "test", beside=True, ahead=1)
        first = asyncio.create_task(lane.ask([{"id": "first"}]))
        while not begun:
            await asyncio.sleep(0)
        others = [asyncio.create_task(lane.ask([{"id": str(k)}])) for k in range(waiting)]
        for _ in range(20):
            await asyncio.sleep(0)
        if len(sizes) > 2:
            await asyncio.to_thread(second.wait, 60)
        ahead = len(begun) - 1
        held.set()
        found = await asyncio.gather(first, *others)
        await lane.close()
        assert found == [[{"id": "first"}], *([{"id": str(k)}] for k in range(waiting))]
        return ahead

    assert asyncio.run(ask_all()) == len(sizes) - 2
    assert begun == sizes


def test_no_call_is_larger_than_the_most_but_one_request_alone():
    assert max(asked_together(3 * BATCH, beside=True)) == max(asked_together(3 * BATCH, beside=False)) == BATCH
    assert asked_together(1, beside=True, records=2 * BATCH) == [2 * BATCH]

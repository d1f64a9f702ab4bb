"""The garbage collector while many documents are added."""

import gc

import pytest

from quchong.engines.index.collector import OBJECTS, rare_collections


def test_garbage_is_collected_more_rarely_and_then_as_before():
    before = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)  # whatever the run of tests has set
        with rare_collections():
            assert gc.get_threshold()[0] == OBJECTS
            with rare_collections():
                assert gc.get_threshold()[0] == OBJECTS
            assert gc.get_threshold()[0] == OBJECTS
        assert gc.get_threshold() == (700, 10, 10)
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize("own", [0, 2 * OBJECTS])
def test_a_collector_that_somebody_set_stays_as_it_is(own):
    before = gc.get_threshold()
    try:
        gc.set_threshold(own, *before[1:])
        with rare_collections():
            assert gc.get_threshold()[0] == own
        assert gc.get_threshold()[0] == own
    finally:
        gc.set_threshold(*before)

"""The corpora of the promise tests."""

import pytest
from promise_corpus import make_corpus


@pytest.fixture(params=[1, 2, 3])
def corpus(request):
    return make_corpus(request.param)

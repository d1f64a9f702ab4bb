"""Covers: why a request to a store failed, in words (`quchong.io.files.stores.reason_in`): no raw numbers, ours for what is frequent.

Run: pytest tests/unit/io/test_words_of_stores.py.
"""

import socket

import pytest

from quchong.io.files.stores import reason_in


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (socket.gaierror(-2, "Name or service not known"), "the host is unknown"),
        (socket.gaierror(8, "nodename nor servname provided, or not known"), "the host is unknown"),
        (RuntimeError("Unable to locate credentials"), "no credentials were found"),
        (OSError(104, "Connection reset by peer"), "ConnectionResetError: Connection reset by peer"),
        (ValueError(""), "ValueError"),
    ],
)
def test_reasons_have_no_raw_numbers(error, said):
    assert str(reason_in(error)) == said

"""Limits of a service: what one request, one caller and all together may take."""

from __future__ import annotations

from dataclasses import dataclass

from quchong.errors import Param, UsageError


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a service.

    Attributes:
        body: bytes of the body of a request, after decompression; of a stream of JSON lines, of one line.
        waiting: documents that wait for their answer, of all requests together; a request beyond that is answered 429.
        waiting_bytes: bytes of bodies that are held in memory, of all requests together.
        connections: connections at a time; beyond them, those that have been idle the longest are closed.
        header: bytes of the head of a request.
        head_seconds: seconds for the head of a request, from the opening of the connection or the end of the last answer.
        body_seconds: seconds without a further part of a body after which a request is given up.
        send_seconds: seconds in which a caller takes no part of its answer, after which it is cut off.
        answer_seconds: seconds that a request may wait for its answer.
        rate: requests per second of one caller, averaged over some seconds; None for any number.
        processes: processes that answer questions beside the one that takes requests; 0 to answer them in that one.
        workers: threads of each of these processes; None for all processors.
    """

    body: int = 16 << 20
    waiting: int = 2048
    waiting_bytes: int = 256 << 20
    connections: int = 1024
    header: int = 32 << 10
    head_seconds: float = 20.0
    body_seconds: float = 20.0
    send_seconds: float = 20.0
    answer_seconds: float = 60.0
    rate: float | None = None
    processes: int = 0
    workers: int | None = None

    def __post_init__(self) -> None:
        """Check that every limit is positive.

        Raises:
            UsageError: one is not.
        """
        for name in self.__slots__:
            value = getattr(self, name)
            if name != "processes" and value is not None and not value > 0:
                raise UsageError("{}: give a number above 0", Param(name, value))

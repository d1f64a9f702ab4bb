"""Lanes of a service: requests that wait for the index, answered together in one call.

An index answers a batch far faster than as many single calls. While one batch is answered, the requests that arrive wait, and are the
next one: under load batches grow by themselves, and a request alone waits for nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from quchong.languages import Message
from quchong.serve.limits import Limits
from quchong.serve.outcomes import Outcome, Question, Record
from quchong.serve.problems import Problem

BATCH = 256
"""Most documents that are answered in one call."""
SPLIT = 32
"""Documents at or above which a call takes a share of those that wait for an answer, if the answerers of a lane work beside the service.

While they answer their shares, the service writes the answers to another one and reads what follows. All in one call would have each wait
for the other.
"""
RETRY_SECONDS = 1
"""Seconds after which a caller who was sent away may come again."""
Answerer = Callable[[Sequence[Question]], list[Outcome]]
"""Call of an index: it answers all that is asked, in order, or raises for all."""


class Room:
    """Limits on what waits in memory: numbers of documents and bytes of bodies.

    Args:
        limits: how much there may be.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.documents = self.bytes = 0
        self._freed = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """True if no further document may wait."""
        return self.documents >= self.limits.waiting or self.bytes >= self.limits.waiting_bytes

    def take_bytes(self, count: int) -> None:
        """Count bytes of a body as waiting; raise Problem if there is no room.

        Raises:
            Problem: there is none.
        """
        if self.bytes + count > self.limits.waiting_bytes:
            raise overloaded()
        self.bytes += count

    def free_bytes(self, count: int) -> None:
        """Free the room that `count` waiting bytes took."""
        self.bytes -= count
        self._freed.set()

    def take_documents(self, count: int) -> None:
        """Count documents as waiting; raise Problem if there is no room.

        Raises:
            Problem: there is none.
        """
        if self.documents + count > max(self.limits.waiting, count):
            raise overloaded()
        self.documents += count

    def free_documents(self, count: int) -> None:
        """Free the room that `count` waiting documents took."""
        self.documents -= count
        self._freed.set()

    async def wait(self, count: int = 1) -> None:
        """Wait until there is room for `count` documents; a stream waits, and sends its caller nothing meanwhile."""
        while self.documents + count > max(self.limits.waiting, count):
            self._freed.clear()
            await self._freed.wait()


def overloaded() -> Problem:
    """Return the problem that the service has too much to do."""
    detail = Message("too many requests are waiting: send this one again after {} s", RETRY_SECONDS)
    return Problem("too-many-requests", detail, headers={"retry-after": str(RETRY_SECONDS)})


def stopping() -> Problem:
    """Return the problem that the service is stopping and takes no requests."""
    return Problem(
        "stopping", Message("the service is stopping: send the request again later"), headers={"retry-after": "5"}
    )


@dataclass(slots=True)
class _Waiting:
    """Waiting request: its documents, and the future that receives their outcomes."""

    asked: Sequence[Question]
    outcomes: asyncio.Future[list[Outcome]]


class Lane:
    """Queue of calls of an index, worked on by one thread for each answerer.

    Args:
        answerers: calls that may go on at the same time.
        room: of all lanes together.
        name: of the threads.
        beside: True if the calls are answered by processes beside this one.
        ahead: calls that an answerer may be given besides the one that it answers, so that it need not wait for the next; such a call is
            only made for a full share of what waits, as further requests may join a smaller one until it is answered.
    """

    def __init__(
        self, answerers: Sequence[Answerer], room: Room, name: str, *, beside: bool = False, ahead: int = 0
    ) -> None:
        self._room, self._beside, self._unanswered = room, beside, 0
        self._waiting: deque[_Waiting] = deque()
        self._answerers, self._ahead = list(answerers), ahead
        self._going = [0] * len(answerers)
        self._threads = ThreadPoolExecutor(len(answerers) * (1 + ahead), f"quchong-{name}")
        self._working: set[asyncio.Task[None]] = set()
        self._closed = False

    async def ask(self, records: Sequence[Record], *, passages: bool = False, first: int = 0) -> list[Outcome]:
        """Return the outcome of each record, in order; `first` is the position of the first record in its stream.

        Raises:
            Problem: too much is waiting, or the service stops.
            QuchongError: the call failed for these records.
        """
        if self._closed:
            raise stopping()
        self._room.take_documents(len(records))
        self._unanswered += len(records)
        try:
            asked = [Question(record, first + place, passages) for place, record in enumerate(records)]
            entry = _Waiting(asked, asyncio.get_running_loop().create_future())
            self._waiting.append(entry)
            if self._may_begin():
                place = self._going.index(min(self._going))
                self._going[place] += 1
                task = asyncio.create_task(self._work(place))
                self._working.add(task)
                task.add_done_callback(self._working.discard)
            return await entry.outcomes
        finally:
            self._unanswered -= len(records)
            self._room.free_documents(len(records))

    def _may_begin(self) -> bool:
        """Return True if a call may begin: an answerer is idle, or a full share of documents is waiting and may be queued."""
        least = min(self._going)
        return not least or (least <= self._ahead and len(self._waiting) >= self._share())

    def _share(self) -> int:
        """Return the maximum number of documents in the next call."""
        if not self._beside or self._unanswered < SPLIT:
            return BATCH
        return min(BATCH, -(-self._unanswered // (len(self._answerers) + 1)))

    async def _work(self, place: int) -> None:
        """Answer waiting requests in batches by the answerer `place`, until none are left for it."""
        loop, answer = asyncio.get_running_loop(), self._answerers[place]
        try:
            while self._going[place] == 1 or len(self._waiting) >= self._share():
                if not (batch := self._next_batch()):
                    return
                try:
                    told = await loop.run_in_executor(self._threads, _answered, answer, batch)
                except BaseException as error:  # the thread is gone, or this task was ended: nobody waits for ever
                    for entry in batch:
                        _fail(entry, stopping() if self._closed else error)
                    raise
                for entry, outcome in zip(batch, told, strict=True):
                    if isinstance(outcome, BaseException):
                        _fail(entry, outcome)
                    elif not entry.outcomes.done():
                        entry.outcomes.set_result(outcome)
        finally:
            self._going[place] -= 1

    def _next_batch(self) -> list[_Waiting]:
        """Return the requests to answer next: at most `BATCH` documents together, or one larger request; empty if none wait."""
        most = self._share()
        batch: list[_Waiting] = []
        count = 0
        while self._waiting:
            entry = self._waiting[0]
            if batch and count + len(entry.asked) > most:
                break
            self._waiting.popleft()
            if entry.outcomes.done():  # its caller has gone
                continue
            batch.append(entry)
            count += len(entry.asked)
        return batch

    async def run(self, call: Callable[[], Any]) -> Any:
        """Return the result of a function that is called in a thread of the lane.

        Raises:
            Problem: the service stops.
        """
        if self._closed:
            raise stopping()
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def close(self) -> None:
        """Answer what waits, then end the threads."""
        self._closed = True
        while self._working:
            with contextlib.suppress(Exception):
                await asyncio.gather(*self._working, return_exceptions=True)
        self._threads.shutdown(wait=True)


def _answered(answer: Answerer, batch: Sequence[_Waiting]) -> list[list[Outcome] | BaseException]:
    """Return for each request of a batch its outcomes, or its error, which does not affect the other requests."""
    try:
        together = answer([one for entry in batch for one in entry.asked])
    except Exception as error:
        if len(batch) == 1:
            return [error]
        return [_answered(answer, [entry])[0] for entry in batch]
    out: list[list[Outcome] | BaseException] = []
    start = 0
    for entry in batch:
        out.append(together[start : start + len(entry.asked)])
        start += len(entry.asked)
    return out


def _fail(entry: _Waiting, error: BaseException) -> None:
    if not entry.outcomes.done():
        entry.outcomes.set_exception(error if isinstance(error, Exception) else RuntimeError(str(error)))

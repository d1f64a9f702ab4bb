"""Lanes of a service: requests that wait for the index, answered together in one call.

An index answers a batch far faster than as many single calls. While one batch is answered, the requests that arrive wait, and are the
next one: under load batches grow by themselves, and a request alone waits for nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from quchong.engines.index.answers import Answer, Answers, BadDocument
from quchong.languages import Message
from quchong.serve.limits import Limits
from quchong.serve.problems import Problem

BATCH = 256
"""Most documents that are answered in one call."""
RETRY_SECONDS = 1
"""Seconds after which a caller who was sent away may come again."""
Record = Mapping[str, Any]
Outcome = Answer | BadDocument
"""What became of one record."""


class Room:
    """Room for what waits in memory: documents, and bytes of bodies.

    Args:
        limits: how much there may be.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.documents = self.bytes = 0
        self._freed = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """True if no document can be taken."""
        return self.documents >= self.limits.waiting or self.bytes >= self.limits.waiting_bytes

    def take_bytes(self, count: int) -> None:
        """Take room for bytes of a body.

        Raises:
            Problem: there is none.
        """
        if self.bytes + count > self.limits.waiting_bytes:
            raise overloaded()
        self.bytes += count

    def free_bytes(self, count: int) -> None:
        """Give back room for bytes."""
        self.bytes -= count
        self._freed.set()

    def take_documents(self, count: int) -> None:
        """Take room for documents.

        Raises:
            Problem: there is none.
        """
        if self.documents + count > max(self.limits.waiting, count):
            raise overloaded()
        self.documents += count

    def free_documents(self, count: int) -> None:
        """Give back room for documents."""
        self.documents -= count
        self._freed.set()

    async def wait(self) -> None:
        """Wait until there is room; a stream waits, and sends its caller nothing meanwhile."""
        while self.is_full:
            self._freed.clear()
            await self._freed.wait()


def overloaded() -> Problem:
    """Return the problem of a service that has too much to do."""
    detail = Message("too much is waiting here: send it again after {} s", RETRY_SECONDS)
    return Problem("too-many-requests", detail, headers={"retry-after": str(RETRY_SECONDS)})


@dataclass(slots=True)
class _Waiting:
    """Records of one request, and where their outcomes go."""

    records: Sequence[Record]
    passages: bool
    outcomes: asyncio.Future[list[Outcome]]


class Lane:
    """Queue in front of one kind of calls of an index, with a thread of its own.

    Args:
        answer: the call: records, and whether passages are wanted; it answers all or raises for all.
        room: of all lanes together.
        name: of the thread.
    """

    def __init__(self, answer: Callable[[Sequence[Record], bool], Answers], room: Room, name: str) -> None:
        self._answer, self._room = answer, room
        self._waiting: deque[_Waiting] = deque()
        self._thread = ThreadPoolExecutor(1, f"quchong-{name}")
        self._working: asyncio.Task[None] | None = None

    async def ask(self, records: Sequence[Record], *, passages: bool = False) -> list[Outcome]:
        """Return the outcome of each record, in their order.

        Raises:
            Problem: too much is waiting.
            QuchongError: the call failed for these records.
        """
        self._room.take_documents(len(records))
        try:
            entry = _Waiting(records, passages, asyncio.get_running_loop().create_future())
            self._waiting.append(entry)
            if self._working is None or self._working.done():
                self._working = asyncio.create_task(self._work())
            return await entry.outcomes
        finally:
            self._room.free_documents(len(records))

    async def _work(self) -> None:
        """Answer what waits, batch by batch, until nothing waits."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch = self._next_batch()
            if not batch:
                continue
            try:
                told = await loop.run_in_executor(self._thread, self._answered, batch)
            except (
                BaseException
            ) as error:  # the thread is gone, or this task was ended: nobody is left without an outcome
                for entry in batch:
                    _fail(entry, error)
                raise
            for entry, outcome in zip(batch, told, strict=True):
                if isinstance(outcome, BaseException):
                    _fail(entry, outcome)
                elif not entry.outcomes.done():
                    entry.outcomes.set_result(outcome)

    def _next_batch(self) -> list[_Waiting]:
        """Take the requests that are answered next: equal ones in `passages`, of together at most `BATCH` documents, or one alone."""
        batch: list[_Waiting] = []
        count = 0
        while self._waiting:
            entry = self._waiting[0]
            if batch and (count + len(entry.records) > BATCH or entry.passages != batch[0].passages):
                break
            self._waiting.popleft()
            if entry.outcomes.done():  # its caller has gone
                continue
            batch.append(entry)
            count += len(entry.records)
        return batch

    def _answered(self, batch: Sequence[_Waiting]) -> list[list[Outcome] | BaseException]:
        """Return the outcomes of each request of a batch, or its error; one request that fails does not fail the others."""
        passages = batch[0].passages
        try:
            together = _outcomes(
                self._answer([one for entry in batch for one in entry.records], passages),
                sum(len(entry.records) for entry in batch),
            )
        except Exception as error:
            if len(batch) == 1:
                return [error]
            return [self._answered([entry])[0] for entry in batch]
        out: list[list[Outcome] | BaseException] = []
        start = 0
        for entry in batch:
            out.append(together[start : start + len(entry.records)])
            start += len(entry.records)
        return out

    async def run(self, call: Callable[[], Any]) -> Any:
        """Call a function in the thread of the lane, after what waits before it, and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    async def close(self) -> None:
        """Answer what waits, then end the thread."""
        while self._working is not None and not self._working.done():
            with contextlib.suppress(Exception):
                await asyncio.shield(self._working)
        self._thread.shutdown(wait=True)


def _fail(entry: _Waiting, error: BaseException) -> None:
    if not entry.outcomes.done():
        entry.outcomes.set_exception(error if isinstance(error, Exception) else RuntimeError(str(error)))


def _outcomes(answers: Answers, count: int) -> list[Outcome]:
    """Return the outcome of each of `count` records: bad ones have their place, and the answers are those of the others in order."""
    bad = {one.place: one for one in answers.bad}
    found = iter(answers.found)
    return [bad[place] if place in bad else next(found) for place in range(count)]

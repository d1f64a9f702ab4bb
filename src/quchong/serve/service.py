"""Service in front of an index: its calls for many callers at a time, with limits and counts."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
from starlette.concurrency import run_in_threadpool

from quchong.api.index import Index
from quchong.api.index_comparison import compare_indexed
from quchong.api.index_explanation import explain_indexed
from quchong.api.index_texts import tables_of, text_as_read
from quchong.decision.comparison import Comparison
from quchong.engines.index.answers import Answer, BadDocument, Id, IndexStatistics
from quchong.errors import UsageError
from quchong.languages import Message
from quchong.report import Explanation
from quchong.serve.asking import Asker
from quchong.serve.bodies import Columns
from quchong.serve.lanes import Answerer, Lane, Room
from quchong.serve.limits import Limits
from quchong.serve.metrics import Metrics
from quchong.serve.outcomes import Outcome, Record, added_to, asked_of, written
from quchong.serve.problems import Problem

FRESH_SECONDS = 5.0
"""Seconds for which the figures of the index are told again without counting anew."""
STREAMED = 128
"""Most documents of one stream that are answered at once."""


class OutcomeList(NamedTuple):
    """Outcomes of records, in their order.

    Attributes:
        outcomes: an answer, or why there is none, for each record.
        again: places of the documents that were sent again, and were in the index already.
    """

    outcomes: list[Outcome]
    again: frozenset[int] = frozenset()


class Service:
    """Open index behind two lanes, one for queries and one for changes.

    Args:
        index: the index, open for writing or for reading only; it is not closed by the service.
        limits: what may wait.
    """

    def __init__(self, index: Index, limits: Limits) -> None:
        self.index, self.limits, self.metrics = index, limits, Metrics()
        self.room = Room(limits)
        self._figures: tuple[float, IndexStatistics] | None = None
        settings = index.stats().settings
        self.keeps_texts = settings["store"] == "text"
        self.stopping = False
        self._askers = [Asker(index, limits.workers) for _ in range(limits.processes)]
        here: Answerer = functools.partial(asked_of, index)
        beside = bool(self._askers)
        self._queries = Lane(self._askers or [here], self.room, "query", beside=beside, ahead=int(beside))
        self._changes = Lane([functools.partial(added_to, index)], self.room, "add")

    def columns(self, names: Iterable[str] = ()) -> Columns:
        """Return the columns that the index reads from records with these columns; usual names count while it is empty.

        Raises:
            InputError: two columns may be the text.
        """
        plan = self.index.plan_for(names)
        return Columns((*plan.text, *([plan.html] if plan.html else [])), plan.id or "id", plan.html)

    @property
    def is_ready(self) -> bool:
        """True if requests are answered."""
        return not self.stopping and not self.room.is_full

    async def query(self, records: Sequence[Record], *, passages: bool = False, first: int = 0) -> OutcomeList:
        """Return the answers of the index about documents, in their order; nothing is added.

        Args:
            records: the documents; those without an id are called by their place, "#0" and so on.
            passages: find shared passages too.
            first: place of the first record.

        Raises:
            Problem: too much is waiting, or the answer takes too long.
        """
        found = await self._in_time(self._queries.ask(records, passages=passages, first=first))
        self.metrics.count_outcomes("query", found)
        return OutcomeList(found)

    async def add(self, records: Sequence[Record], *, passages: bool = False, first: int = 0) -> OutcomeList:
        """Add documents and return the answer of the index about each; one sent again gets its present answer.

        The answer comes when the documents are stored as durably as the index was made for. A caller who does not wait for it, or is
        told that it takes too long, sends them again: a document with an id is added once.

        Raises:
            Problem: too much is waiting, or the answer takes too long.
            OutputError: there is no room on the disk; none of these documents was added.
        """
        self._check_writable()
        found = await self._in_time(self._changes.ask(records, passages=passages, first=first))
        self.metrics.count_outcomes("add", found)
        again = [place for place, one in enumerate(found) if isinstance(one, BadDocument) and one.again]
        for place in again:
            found[place] = await self._answer_again(records[place], found[place], passages)
        return OutcomeList(found, frozenset(again))

    async def _answer_again(self, record: Record, outcome: Outcome, passages: bool) -> Outcome:
        """Return the present answer about a document that the index has; `outcome` if it was deleted meanwhile."""
        try:
            id = record[self.columns(record).id]
            told = written(await run_in_threadpool(self.index.matches, id, passages=passages))
            return told._replace(body=b'{"again":true,' + told.body[1:])
        except UsageError:
            return outcome

    def _check_writable(self) -> None:
        if self.index._open.writable is False:
            raise Problem(
                "read-only", Message("this service only answers questions, because its index is open for reading only")
            )

    async def delete(self, id: Id) -> bool:
        """Delete a document; return False if no document has the id."""
        self._check_writable()
        count = await self._changes.run(lambda: self.index.delete([id]))
        self._figures = None
        return bool(count)

    async def expire(self, older_than: str) -> int:
        """Delete the documents that are older than a span such as "30d"; return how many there were."""
        self._check_writable()
        count = int(await self._changes.run(lambda: self.index.expire(older_than)))
        self._figures = None
        return count

    async def compact(self) -> IndexStatistics:
        """Free the space of deleted documents and return the figures afterwards; changes wait meanwhile, queries do not."""
        self._check_writable()
        self._figures = None
        found: IndexStatistics = await self._changes.run(self.index.compact)
        return found

    async def answer(self, id: Id, *, passages: bool = False) -> Answer:
        """Return the relations of a document of the index, as they are now.

        Raises:
            Problem: no document has the id.
        """
        await self._check_known(id)
        return await run_in_threadpool(self.index.matches, id, passages=passages)

    async def text(self, id: Id) -> str | None:
        """Return the text of a document of the index; None if the index keeps no texts.

        Raises:
            Problem: no document has the id.
        """
        await self._check_known(id)
        return await run_in_threadpool(self.index.text, id)

    async def text_as_read(self, record: Record) -> str | None:
        """Return the text of a record as the index reads it (text columns joined, web pages extracted); None if it has none."""
        return await run_in_threadpool(text_as_read, self.index, record)

    async def explanation(self, id: Id) -> Explanation:
        """Return why a document of the index is removed or kept.

        Raises:
            Problem: no document has the id.
        """
        await self._check_known(id)
        return await run_in_threadpool(explain_indexed, self.index, id)

    async def _check_known(self, id: Id) -> None:
        if not await run_in_threadpool(self.index.__contains__, id):
            raise Problem("not-found", Message("no document of the index has the id {!r}", id))

    async def compare(self, left: Any, right: Any) -> Comparison:
        """Compare two texts or records by the method of the index.

        Raises:
            InputError, UsageError: one of them has no text.
        """
        found: Comparison = await self._in_time(run_in_threadpool(compare_indexed, self.index, left, right))
        return found

    async def stats(self) -> IndexStatistics:
        """Return the figures of the index, at most `FRESH_SECONDS` old."""
        now = time.monotonic()
        if self._figures is None or now - self._figures[0] > FRESH_SECONDS:
            self._figures = now, await run_in_threadpool(self.index.stats)
        return self._figures[1]

    async def tables(self) -> AsyncIterator[pa.Table]:
        """Yield the documents of the index as tables, in the order of their arrival.

        Raises:
            UsageError: the index keeps no texts.
        """
        tables = tables_of(self.index)
        following = functools.partial(next, tables, None)
        while (table := await run_in_threadpool(following)) is not None:
            yield table

    async def _in_time(self, work: Any) -> Any:
        """Return the result of an awaitable; raise Problem if it takes longer than an answer may.

        Raises:
            Problem: it takes longer. What was asked for may be done all the same.
        """
        try:
            async with asyncio.timeout(self.limits.answer_seconds):
                return await work
        except TimeoutError:
            detail = Message("no answer within {:g} s: send the request again", self.limits.answer_seconds)
            raise Problem("too-late", detail, headers={"retry-after": "5"}) from None

    async def close(self) -> None:
        """Finish waiting requests and accept no more."""
        self.stopping = True
        await self._changes.close()
        await self._queries.close()
        for one in self._askers:
            await run_in_threadpool(one.close)

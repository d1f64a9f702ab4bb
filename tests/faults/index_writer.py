"""Writer of an index that is killed: forks a child for each line it reads, which adds, deletes, expires, seals and merges until it is killed.

A child says each call before it makes it (`do`) and when it has returned (`done`), one JSON line each. The forking process says the
child's number first, and `end` when it has ended. Started by tests/faults/test_index_kills.py alone.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys

from index_records import records

import quchong as qc
from quchong.engines.index import stored as stored_module

MOST = 45
"""Documents above which none are added: lists of keys stay below the limits of a join, beyond which pairs depend on the order."""


def say(**told):
    os.write(1, json.dumps(told).encode() + b"\n")


def text_of(draw, pool):
    """A text of the pool, edited half of the time."""
    text = draw.choice(pool)
    if draw.random() < 0.5 and len(text) > 20:
        at = draw.randrange(len(text) - 8)
        text = text[:at] + text[at + draw.randint(1, 6) :]
    return text


def write(folder, seed, ids, create):
    """Work on an index until the process is killed."""
    os.fsync = os.fstat  # what a killed process wrote is there without waiting for the disk
    stored_module.SEAL_DOCUMENTS = 8
    draw = random.Random(seed)
    pool = [one["text"] for one in records(seed % 7)]
    index = qc.Index.create(folder, **create) if create else qc.Index(folder)
    there, serial = dict(ids), 0
    say(do="open"), say(done="open")
    while True:
        what = draw.choices(["add", "delete", "expire", "tidy", "compact"], [60, 15, 6, 8, 4])[0]
        if len(there) > MOST:
            what = draw.choice(["delete", "expire"])
        if what == "add":
            count = draw.choice([1, 1, 1, 3, 12])
            some = []
            for _ in range(count):
                serial += 1
                one = {
                    "id": f"{seed}-{serial}",
                    "text": text_of(draw, pool) or "x",
                    "time": f"2026-03-{draw.randint(1, 28):02}T08:00:00",
                }
                some.append(one)
                there[one["id"]] = one
            say(do="add", some=some)
            index.add(some[0] if count == 1 else some)
        elif what == "delete" and there:
            gone = draw.sample(sorted(there), min(len(there), draw.choice([1, 1, 4, 12])))
            say(do="delete", some=gone)
            index.delete(gone)
            for id in gone:
                del there[id]
        elif what == "expire" and len(there) > 20:
            day = min(one["time"] for one in there.values())
            gone = [id for id, one in there.items() if one["time"] == day]
            say(do="delete", some=gone)
            index._open.expire(seconds_after(day))
            for id in gone:
                del there[id]
        elif what in ("tidy", "compact"):
            say(do=what)
            index._open.tidy() if what == "tidy" else index.compact()
        else:
            continue
        say(done=what)


def seconds_after(day):
    """The moment after a time of a record, in seconds."""
    from datetime import UTC, datetime

    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() + 1


def main():
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            try:
                write(**asked)
            except BaseException as error:
                say(error=f"{type(error).__name__}: {error}")
                signal.pause()
        say(pid=child)
        os.waitpid(child, 0)
        say(end=child)


if __name__ == "__main__":
    main()

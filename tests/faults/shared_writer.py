"""Processes that write to an index in PostgreSQL at once, forked off one that has imported everything.

The forking process reads one JSON line each: `socket` forks a writer, which connects there; `wait` says how the process of a number ended.
A writer adds its records one by one, asks about each before, and says each answer once it has it. Started by
tests/faults/test_shared_index_processes.py alone.
"""

from __future__ import annotations

import json
import os
import socket
import sys

import forked

import quchong as qc
from quchong.engines.index.shared import binary, shared_postings


def write(place):
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(place)
        heard = line.makefile("r")

        def say(**told):
            line.sendall(json.dumps(told).encode() + b"\n")

        say(pid=os.getpid())
        asked = json.loads(heard.readline())
        with qc.Index(asked["address"]) as index:
            say(ready=True)
            heard.readline()
            for record in asked["records"]:
                known = index.query(record)
                answer = index.add(record)
                say(id=record["id"], asked=known.as_dict(), answer=answer.as_dict())
            for id in asked["deleted"]:
                say(deleted=id, count=index.delete(id))


def main():
    assert binary and shared_postings
    qc.compare(*forked.WARM)
    for told in sys.stdin:
        asked = json.loads(told)
        if "wait" in asked:
            print(os.waitstatus_to_exitcode(os.waitpid(asked["wait"], 0)[1]), flush=True)
        elif not os.fork():
            try:
                write(asked["socket"])
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
                os._exit(1)
            os._exit(0)


if __name__ == "__main__":
    main()

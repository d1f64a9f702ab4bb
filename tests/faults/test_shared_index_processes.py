"""Covers: an index in PostgreSQL under four processes that add, ask and delete at once: the answers of one process that adds in the order of
arrival; the same with one of them killed in the middle, and with the server restarted in the middle.
Compared against: an index in a folder to which one process adds the same.
Run: pytest tests/faults/test_shared_index_processes.py (a PostgreSQL server is started; skipped where none is installed).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import forked
import pytest
from index_records import pairs_of_index, records

import quchong as qc
from quchong.engines.index.shared import shared_documents

WRITER = Path(__file__).with_name("shared_writer.py")
PROCESSES = 4


@pytest.fixture(scope="module")
def writers(tmp_path_factory):
    known = os.environ | forked.ALONE | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with (
        subprocess.Popen([sys.executable, WRITER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=known, text=True) as process,
        socket.socket(socket.AF_UNIX) as listening,
    ):  # fmt: skip
        place = str(tmp_path_factory.mktemp("line") / "socket")
        listening.bind(place)
        listening.listen()
        yield Writers(process, listening, place)
        process.stdin.close()


class Writers:
    """The process that forks."""

    def __init__(self, process, listening, place):
        self._process, self._listening, self._place = process, listening, place

    def tell(self, **line):
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()

    def code(self, pid):
        self.tell(wait=pid)
        return int(self._process.stdout.readline())

    def started(self, address, some, deleted=()):
        """Four writers that have opened the index and wait, each with every fourth record; then they begin."""
        processes = []
        for k in range(PROCESSES):
            self.tell(socket=self._place)
            line, _ = self._listening.accept()
            processes.append(Process(self, line))
            processes[-1].tell(
                {"address": address, "records": some[k::PROCESSES], "deleted": list(deleted[k::PROCESSES])}
            )
        for one in processes:
            assert one.read() == {"ready": True}
        for one in processes:
            one.tell({})
        return processes


class Process:
    """One writer; `said` are its lines so far."""

    def __init__(self, writers, line):
        self._writers, self._line, self._heard = writers, line, line.makefile("r")
        self.said = []
        self._pid = self.read()["pid"]

    def tell(self, line):
        self._line.sendall(json.dumps(line).encode() + b"\n")

    def read(self):
        """The next line; None at the end."""
        line = self._heard.readline()
        return json.loads(line) if line else None

    def hear(self, lines):
        """Wait for further lines; fewer at its end."""
        for _ in range(lines):
            if (told := self.read()) is None:
                return
            self.said.append(told)

    def kill(self):
        os.kill(self._pid, signal.SIGKILL)

    def end(self):
        """Hear the rest, and return its exit code."""
        self.hear(1 << 30)
        self._heard.close()
        self._line.close()
        return self._writers.code(self._pid)


def replayed(folder, ids, some):
    """An index in a folder to which one process adds records in the order of their ids; and its answers, by id."""
    by_id = {one["id"]: one for one in some}
    index = qc.Index.create(folder)
    return index, {id: index.add(by_id[id]).as_dict() for id in ids}


def answers_of(processes):
    return {told["id"]: told["answer"] for one in processes for told in one.said if "answer" in told}


def plain(answer):
    return json.loads(json.dumps(answer))


def check_as_one(address, folder, some, answers, ids):
    """The index has what one process makes of its documents in the order of their arrival, and every answer was its answer."""
    one, wanted = replayed(folder, ids, some)
    with one, qc.Index(address) as shared:
        assert {id: plain(wanted[id]) for id in answers} == answers
        assert pairs_of_index(shared) == pairs_of_index(one)
        assert [plain(shared.matches(id).as_dict()) for id in ids] == [plain(one.matches(id).as_dict()) for id in ids]


def ids_of(address):
    with qc.Index(address, read_only=True) as index:
        return index.ids()


def test_four_processes_give_the_answers_of_one(tmp_path, postgres, writers):
    some, address = records(5, families=2), postgres.address("four")
    qc.Index.create(address).close()
    processes = writers.started(address, some)
    assert [one.end() for one in processes] == [0] * PROCESSES
    ids, answers = ids_of(address), answers_of(processes)
    assert sorted(ids) == sorted(answers) == sorted(one["id"] for one in some)
    check_as_one(address, tmp_path / "one", some, answers, ids)
    # What a process was told of a document that it had asked about was known before it added it: its own earlier ones among it.
    for one in processes:
        told = [line for line in one.said if "answer" in line]
        for line in told:
            before = ids[: ids.index(line["id"])]
            assert {match["id"] for match in line["asked"]["matches"]} <= set(before)


def test_a_process_that_is_killed_takes_nothing_that_it_has_reported_and_stops_nobody(tmp_path, postgres, writers):
    some, address = records(6, families=2), postgres.address("killed")
    qc.Index.create(address).close()
    processes = writers.started(address, some)
    processes[1].hear(4)
    processes[1].kill()
    assert [one.end() for one in processes] == [0, -signal.SIGKILL, 0, 0]
    ids, answers = ids_of(address), answers_of(processes)
    assert set(answers) <= set(ids)
    assert len(set(ids) - set(answers)) <= 1  # committed, and killed before it could say so
    check_as_one(address, tmp_path / "one", some, answers, ids)
    with qc.Index(address) as again:  # what the killed one had left is added by another
        there = set(ids)
        assert not again.add([one for one in some[1::PROCESSES] if one["id"] not in there]).bad


@pytest.mark.parametrize("how", ["immediate", "fast"])
def test_a_server_that_is_restarted_loses_and_doubles_nothing(tmp_path, postgres, writers, how):
    some, address = records(7, families=2), postgres.address(f"restarted_{how}")
    qc.Index.create(address).close()
    processes = writers.started(address, some)
    processes[0].hear(3)
    postgres.control("-m", how, "restart")
    assert [one.end() for one in processes] == [0] * PROCESSES
    ids, answers = ids_of(address), answers_of(processes)
    assert sorted(ids) == sorted(answers) == sorted(one["id"] for one in some)
    check_as_one(address, tmp_path / "one", some, answers, ids)


def test_processes_that_delete_leave_what_one_process_leaves(tmp_path, postgres, writers):
    some, address = records(8), postgres.address("deleted")
    gone = [one["id"] for one in some[::3]]
    with qc.Index.create(address) as index:
        index.add(some)
    processes = writers.started(address, [], gone)
    assert [one.end() for one in processes] == [0] * PROCESSES
    assert sum(line["count"] for one in processes for line in one.said) == len(gone)
    with qc.Index.create(tmp_path / "one") as one, qc.Index(address) as shared:
        one.add(some)
        one.delete(gone)
        assert shared.ids() == one.ids()
        assert pairs_of_index(shared) == pairs_of_index(one)
        assert [shared.matches(id) for id in one.ids()] == [one.matches(id) for id in one.ids()]


class Cut:
    """Connection that goes at its first COMMIT: before the server has it, or after."""

    def __init__(self, connection, *, committed):
        self._connection, self._committed, self.cut = connection, committed, False

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, statement, *values, **options):
        import psycopg

        if statement == "COMMIT":
            if self._committed:
                self._connection.execute(statement)
            self._connection.close()
            raise psycopg.OperationalError("the line was cut")
        return self._connection.execute(statement, *values, **options)


@pytest.mark.parametrize("committed", [True, False])
def test_a_commit_whose_answer_is_lost_is_asked_for_and_not_done_twice(postgres, monkeypatch, committed):
    some = records(9)
    with qc.Index.create(postgres.address(f"cut_{committed}".lower())) as index:
        index.add(some[:10])
        taken, calls = index._open.catalogue.sessions.take, []

        def take():
            calls.append(None)
            return Cut(taken(), committed=committed) if len(calls) == 1 else taken()

        monkeypatch.setattr(index._open.catalogue.sessions, "take", take)
        answers = index.add(some[10:20])
        assert not answers.bad and len(answers) == 10
        assert index.ids() == [one["id"] for one in some[:20]]
        assert index.query(some[3]).matches
        assert index.add(some[20:]).bad == ()


def test_a_server_that_stays_away_is_an_error_and_nothing_is_added(postgres, monkeypatch):
    monkeypatch.setattr("quchong.engines.index.shared.sessions.PATIENCE", 0.0)
    some = records(10)
    with qc.Index.create(postgres.address("away")) as index:
        index.add(some[:5])
        postgres.control("-m", "immediate", "stop")
        try:
            with pytest.raises(qc.QuchongError, match="cannot be reached") as told:
                index.add(some[5:])
            assert "tester" in str(told.value)
            with pytest.raises(qc.QuchongError, match="cannot be reached"):
                index.query(some[0])
        finally:
            postgres.control("start")
        assert len(index) == 5
        assert len(index.add(some[5:])) == len(some) - 5


def test_readers_see_one_moment(postgres):
    some = records(12)
    with qc.Index.create(postgres.address("moment")) as writer, qc.Index(writer.folder.text) as reader:
        writer.add(some[:20])
        catalogue = reader._open.catalogue
        with catalogue.snapshot():
            before = reader.ids()
            assert len(writer.add(some[20:])) == len(some) - 20
            writer.delete(some[0]["id"])
            assert reader.ids() == before
            assert reader.query(some[20]) == qc_answer(before, reader, some[20])
        assert len(reader) == len(some) - 1
        assert isinstance(catalogue, shared_documents.SharedDocuments)


def qc_answer(before, reader, record):
    """The answer of the moment: no document in it came later."""
    answer = reader.query(record)
    assert {match.id for match in answer.matches} <= set(before)
    return answer

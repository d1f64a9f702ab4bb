"""A run that is stopped when it has written so many values of its work."""

from quchong.work import Work


class Stopped(BaseException):
    """The process ended here."""


def stop_at(monkeypatch, number):
    """The `number`th value that is written, from 0, is the last thing that happens; returns the count of those written."""
    count = [0]
    put = Work.store

    def counted(self, name, value):
        kept = put(self, name, value)
        count[0] += 1
        if count[0] > number:
            raise Stopped
        return kept

    monkeypatch.setattr(Work, "store", counted)
    return count

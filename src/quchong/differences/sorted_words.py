"""Word lists too large to load for a few questions: sorted lines, looked up in the mapped file."""

from __future__ import annotations

import mmap
from importlib.resources import files


class SortedWords:
    """Words of a file of lines, each a word and, behind a space, its value if it has one; sorted by their UTF-8 bytes.

    The first MOST words are looked up by binary search in the mapped file, 8 us each; then all lines are loaded, 60 ms, because a run that
    asks for so many will ask for many more.

    Args:
        folder: folder of `quchong.differences`. name: name of the file.
    """

    MOST = 2000

    def __init__(self, folder: str, name: str) -> None:
        path = files("quchong.differences").joinpath(folder, name)
        with path.open("rb") as file:
            try:
                self._lines: mmap.mmap | bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except (OSError, ValueError):  # a package in an archive, or a system without mapped files
                self._lines = file.read()
        self._known: dict[str, str | None] = {}
        self._all: dict[str, str] | None = None

    def value(self, word: str) -> str | None:
        """Return the value of a word, "" if it has none, None for a word that is not listed."""
        if self._all is not None:
            return self._all.get(word)
        if word in self._known:
            return self._known[word]
        if len(self._known) >= self.MOST:
            return self.load().get(word)
        found = self._known[word] = self._searched(word)
        return found

    def __contains__(self, word: str) -> bool:
        return self.value(word) is not None

    def text(self) -> str:
        """Return all lines of the file as one text."""
        return self._lines[:].decode("utf-8")

    def load(self) -> dict[str, str]:
        """Load all lines now, and return the values by their words."""
        if self._all is None:
            self._all = {word: value for word, _, value in (line.partition(" ") for line in self.text().split("\n"))}
        return self._all

    def _searched(self, word: str) -> str | None:
        """Return the value of a word by binary search; None if it is not listed."""
        lines, wanted = self._lines, word.encode("utf-8", "surrogatepass")
        # The line of the word, if there is one, begins in [low, high), where a line begins at `low`, and behind `high` one begins or none.
        low, high = 0, len(lines)
        while low < high:
            begin = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = lines.find(b"\n", begin)
            end = len(lines) if end < 0 else end
            here, _, value = lines[begin:end].partition(b" ")
            if here == wanted:
                return value.decode("utf-8")
            if here < wanted:
                low = end + 1
            else:
                high = begin
        return None

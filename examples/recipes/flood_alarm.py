"""Pipe: report texts that are sent again and again, as they arrive.

    tail -f posts.jsonl | quchong index add posts/ - --json -q | python flood_alarm.py 3

Reads answers of an index as JSON lines. Needs nothing but Python.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator


def floods(answers: Iterable[str], least: int) -> Iterator[str]:
    """Yield a line for each copy from the one on that makes its text appear `least` times."""
    copies: Counter[str] = Counter()
    for line in answers:
        answer = json.loads(line)
        if not answer["removed"]:
            continue
        first = str(answer["survivor_id"])
        copies[first] += 1
        if (times := copies[first] + 1) >= least:
            yield f"{first} was sent {times} times: {answer['id']} is {answer['relation']}"


if __name__ == "__main__":
    for alarm in floods(sys.stdin, int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        print(alarm, flush=True)

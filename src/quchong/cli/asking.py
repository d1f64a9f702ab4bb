"""Questions to a person about pairs near a threshold; every answer is stored at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.printing import columns, highlight, prompt, say
from quchong.cli.wrapping import width
from quchong.languages import Message, several, translated
from quchong.report.terminal_marks import marked
from quchong.report.visible import Shown, compose

if TYPE_CHECKING:
    from quchong.api.tuning import Bench
    from quchong.evaluation.asked_labels import Answers
    from quchong.evaluation.labels import Truth
    from quchong.evaluation.sweep import Sweep
    from quchong.evaluation.tuning import Goal
    from quchong.report import PairComparison

KEYS = {"s": "same", "c": "contained", "d": "different", "u": "unsure"}
EVERY = 5
"""Number of answers after which the threshold is estimated again."""
CHARACTERS = 700
"""Characters shown of each text."""


def ask_about(
    bench: Bench, swept: Sweep, answers: Answers, number: int, counted: Sequence[str], goal: Goal, complete: bool
) -> Truth | None:
    """Ask a person about up to `number` pairs of the corpus of `bench`, those nearest to the best threshold by `goal` first, and store each
    answer at once. Return all labels stored so far, marked as `complete` or not; None if there are none.

    The threshold is estimated again after every EVERY answers. All is printed on standard error.

    Args:
        bench: the corpus, and the texts to show.
        swept: claims of the method at each value of the threshold.
        answers: the file of labels to which answers are added.
        counted: the labels that a run should find.
        goal: what makes a threshold the best one.
        complete: True if the labels name all copies among the documents.
    """
    from quchong.evaluation.questions import nearest
    from quchong.evaluation.recommendation import shown

    result, value, truth = bench.shown(swept), swept.tunable.own, _read(answers, complete)
    known = set() if truth is None else set(zip(truth.left, truth.right, strict=True))
    asked = 0
    try:
        while asked < number:
            if truth is not None and asked % EVERY == 0:
                value = bench.recommend(swept, truth, counted, goal).value
                say("the answers so far suggest {} {}", swept.tunable.name, shown(value), err=True)
            pairs = nearest(swept, value, known)
            if not pairs:
                say("no further pair has a decision that depends on the threshold", err=True)
                break
            left, right = pairs[0]
            beside = result.compare(left, right)
            say("", err=True)
            say("{} of {}  ({})", asked + 1, number, _threshold_message(swept.tunable.name, value), bold=True, err=True)
            _show(beside)
            if not _answered(answers, left, right):
                break
            asked += 1
            known.add((left, right))
            truth = _read(answers, complete)
    finally:  # after Ctrl-C too: the person should know that the answers are stored
        added = several("{} answer added to {}", "{} answers added to {}", len(answers.added), answers.path)
        say("", err=True)
        say("{}", added, err=True)
    return truth


def _answered(answers: Answers, left: str, right: str) -> bool:
    """Ask about the pair of documents with these two ids and store the answer, even if Ctrl-C follows it at once. Return False if the
    person stops.
    """
    label = None
    try:
        label = _answer()
        if label is not None:
            answers.add(left, right, label)
    except KeyboardInterrupt:
        if label is not None and (left, right) not in answers.added:
            answers.add(left, right, label)
        raise
    return label is not None


def _threshold_message(parameter: str, value: float | None) -> Message:
    """Return the message that names the threshold to which the next pair is near; `value` None is the method's own choice."""
    from quchong.evaluation.recommendation import shown

    if value is None:
        return Message("the measure of this pair is close to the {} that the method chooses by default", parameter)
    return Message("the measure of this pair is close to {} {}", parameter, shown(value))


def _read(answers: Answers, complete: bool) -> Truth | None:
    truth = answers.read()
    return None if truth is None else truth.mark_complete(complete)


def _answer() -> str | None:
    """Read a label from the person; return None for quit, or at the end of the input."""
    while True:
        prompt(translated("[s]ame  [c]ontained  [d]ifferent  [u]nsure  [q]uit: "))
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            say("", err=True)
        word = line.strip().lower()
        if not line or word in ("q", "quit"):
            return None
        for key, label in KEYS.items():
            if word in (key, label):
                return label


def _show(pair: PairComparison) -> None:
    """Print two documents in two columns, with their shared passages marked."""
    from quchong.report.explanation import UNREADABLE, figures_line

    if pair.relation is not None:
        say(
            "{}",
            Shown(figures_line(pair.id, pair.other_id, pair.jaccard, pair.containment, pair.other_containment).strip()),
            err=True,
        )
    if pair.text is None or pair.other_text is None:
        say("{}", UNREADABLE, err=True)
        return
    mark = highlight()
    mine = marked(pair.text, [(p.start, p.end) for p in pair.passages], mark, CHARACTERS)
    others = marked(pair.other_text, [(p.survivor_start, p.survivor_end) for p in pair.passages], mark, CHARACTERS)
    print_columns(compose("{}", pair.id), mine, compose("{}", pair.other_id), others)


def print_columns(title: Shown, text: Shown, other_title: Shown, other: Shown) -> None:
    """Print two titled texts in two columns."""
    wide = (columns() - 3) // 2
    rows: list[tuple[str, str]] = [(title, other_title), ("-" * wide, "-" * wide)]
    left, right = _lines(text, wide), _lines(other, wide)
    for k in range(max(len(left), len(right))):
        rows.append((left[k] if k < len(left) else "", right[k] if k < len(right) else ""))
    for one, two in rows:
        plain = click.unstyle(one)
        say("{}", Shown(f"{one}{' ' * max(0, wide - width(plain))} | {two}"), err=True)


def _lines(text: str, wide: int) -> list[Any]:
    """Wrap a coloured text into lines of at most `wide` columns; empty lines are dropped."""
    from rich.console import Console
    from rich.text import Text

    console = Console(width=wide, color_system="standard", force_terminal=True)
    lines = []
    for line in Text.from_ansi(text).wrap(console, wide):
        with console.capture() as caught:
            console.print(line, end="", soft_wrap=True)
        lines.append(caught.get())
    return [line for line in lines if click.unstyle(line).strip()]

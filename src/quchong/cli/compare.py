"""Command `quchong compare`: how two files are related."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.options import body_option, language_option
from quchong.cli.parameters import USUAL, MethodCommand, method_options
from quchong.cli.texts import called, two_documents
from quchong.errors import UsageError
from quchong.languages import Message, language

if TYPE_CHECKING:
    from quchong.plan.request import Body

GROUPS = {
    "What is compared": ("method", *USUAL, "facts", "settings", "social", "body", "as_text"),
    "Output": ("lang", "as_json"),
}


@click.command(cls=MethodCommand, groups=GROUPS, short_help="Compare two texts or web pages.")
@click.argument("left")
@click.argument("right")
@click.option("--text", "as_text", is_flag=True, help="LEFT and RIGHT are texts, not files.")
@click.option(
    "--method",
    metavar="NAME",
    default="hybrid",
    show_default=True,
    help="How the texts are compared; `quchong methods` lists all methods.",
)
@click.option(
    "--social",
    metavar="NAMES",
    help="Parts of posts to ignore; see `quchong dedup --help`.  [default: all for short-text, else none]",
)
@body_option
@language_option
@click.option("--json", "as_json", is_flag=True, help="JSON.")
@method_options(*USUAL, "facts")
def command(
    left: str, right: str, as_text: bool, method: str, social: str | None, body: Body, as_json: bool,
    parameters: dict[str, Any],
) -> None:  # fmt: skip
    """Shows how the texts or web pages (.html) LEFT and RIGHT are related: relation, exact figures, shared passages.

    The command prints the relation that `quchong dedup` finds for these two texts. If a run would not find the pair,
    the command says so, and prints the relation that the pair would have. Pages are read as in dedup, so methods can
    use title, headings and address. A method with statistics takes the statistics from --statistics; without that
    option it counts only these two texts.

    LEFT and RIGHT are files; if neither is a file, they are texts. A string that cannot be a file name (too long,
    or with a line break) is a text.
    """
    from quchong.api import compare
    from quchong.cli.colours import coloured
    from quchong.cli.printing import say, say_json, say_pair
    from quchong.kernels.arrow_start import without_pandas
    from quchong.plan.catalogue import build
    from quchong.relations import relation_told
    from quchong.report.display_names import rule_told
    from quchong.report.explanation import differing_lines
    from quchong.report.terminal_marks import bracketed, marked, worth_drawing

    without_pandas()
    given = (left, right) if as_text else _two_named_documents(left, right)
    texts = [{"text": one} if isinstance(one, str) else one for one in given]  # a text may be the name of a file
    found = compare(*texts, method=build(method, parameters), social=social, body=body)
    a, b = found.texts
    if as_json:
        say_json(found.as_dict())
        return
    one, two = (called(path, number) for number, path in enumerate(given))
    sides = one if isinstance(one, Message) else Path(one).name, two if isinstance(two, Message) else Path(two).name
    rule = rule_told(found.rule)
    if found.relation_if_found is None:
        say("relation of {} to {}: {} ({})", one, two, relation_told(found.relation), rule)
    else:
        wanted = relation_told(found.relation_if_found)
        say(
            "relation of {} to {}: a run does not find this pair ({}). If a run found it, the relation would be: {}",
            one,
            two,
            rule,
            wanted,
        )
    say(
        "  Jaccard {:.3f}; {:.1f}% of {} is in {}, {:.1f}% of {} is in {}",
        found.jaccard, 100 * found.containment_left, *sides, 100 * found.containment_right, *sides[::-1],
    )  # fmt: skip
    for line in differing_lines("  ", found.differences, found.facts, None, found.relation, language(), sides):
        say("{}", line)
    differing = worth_drawing(found.differences, found.passages)
    if coloured():
        say("")
        say_pair((one, two), found.texts, found.passages, differing, 1200, language())
        return
    mine = [(p.start, p.end) for p in found.passages]
    other = [(p.survivor_start, p.survivor_end) for p in found.passages]
    say("\n--- {}\n{}", one, marked(a, mine, bracketed, 1200, differing))
    say("\n--- {}\n{}", two, marked(b, other, bracketed, 1200, [d.turned for d in differing]))


def _two_named_documents(left: str, right: str) -> tuple[Path | str, Path | str]:
    """Return the two documents that are named (see `two_documents`); an error about files of records tells how to give texts themselves."""
    try:
        return two_documents(left, right)
    except UsageError as error:
        raise UsageError("{}; if the two words are texts themselves, add --text", error.message) from None

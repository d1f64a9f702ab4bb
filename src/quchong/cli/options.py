"""Options of the methods, as the command line shows them.

Written out, so that `--help` needs no method; a test holds them to the fields of the methods' dataclasses. What only one
paper's method knows has no option of its own: `--set name=value`, and `quchong methods NAME` says what there is.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import click

from quchong.errors import UsageError


def _whole(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    return None if value is None else int(value)


METHOD_OPTIONS: dict[str, dict[str, Any]] = {
    "preset": {"type": click.Choice(["strict", "balanced", "lenient"]),
               "help": "Thresholds: strict for training data, balanced, lenient for press clipping.  [hybrid]"},
    "threshold": {"type": float, "help": "Jaccard from which on two texts are duplicates, for all lengths; of a paper's method its own."},
    "containment": {"type": float, "help": "Share of a text found in another from which on it is contained.  [hybrid]"},
    "ngram_size": {"type": int, "help": "Tokens a shingle has; default 5 for long Chinese texts, else 3; two-stage 2."},
    "normalise": {"type": click.Choice(["standard", "plain"]), "help": "Form texts are compared in; plain is NFKC and lower case."},
    "tokens": {"flags": ["--tokens", "--tokenizer"], "type": click.Choice(["auto", "char", "word"]),
               "help": "auto: a Chinese character or a word; char: every letter and digit; word: Chinese words too "
               "[methods on sentences]."},
    "guards": {"flags": ["--guards/--no-guards"], "default": None,
               "help": "Keep template siblings apart: numbers or names that differ make a variant.  [hybrid]"},
    "duplicates_only": {"flags": ["--duplicates-only"], "is_flag": True, "default": None,
                        "help": "Cheaper candidates from MinHash bands; most contained texts are not found.  [hybrid]"},
    "cap": {"type": int, "help": "Documents met per key or feature, the first in id order."},
    "share": {"type": float, "help": "Share of the expected anchors a candidate has in common.  [hybrid]"},
    "recall": {"type": float, "help": "Recall at the threshold the bands are chosen for.  [minhash]"},
    "num_perm": {"type": int, "help": "Values a MinHash signature has.  [minhash]"},
    "sketch": {"type": click.Choice(["one-permutation", "k-mins"]), "help": "Kind of MinHash signature.  [minhash]"},
    "bands": {"type": int, "help": "Bands (elsewhere called buckets), with --rows.  [minhash]"},
    "rows": {"type": int, "help": "Rows of a band (hashes per bucket).  [minhash]"},
    "seed": {"type": int, "help": "Seed of the signatures.  [minhash]"},
    "bits": {"type": click.Choice(["64", "128"]), "callback": _whole, "help": "Bits of a SimHash signature.  [two-stage]"},
    "distance": {"type": int, "help": "Bits of two signatures that may differ; default 4.  [two-stage]"},
    "weights": {"type": click.Choice(["unit", "idf"]), "help": "Weights of shingles in a signature.  [two-stage]"},
    "statistics": {"type": click.Path(),
                   "help": "Document frequencies for --weights idf, made by `quchong statistics`; "
                           "default: counted on this run's distinct texts.  [two-stage]"},
    "all_pairs": {"flags": ["--all-pairs"], "is_flag": True, "default": None,
                  "help": "Compare all signatures with all, as the paper does: quadratic.  [two-stage]"},
    "stage1": {"type": click.Choice(["digest", "bloom", "trie"]),
               "help": "What takes out exact repeats: digest, or paper 003's Bloom filter or digit trie, in the order of the "
                       "input; these remove a few texts wrongly, without a survivor, and count them.  [two-stage]"},
    "capacity": {"type": int, "help": "Texts the Bloom filter of stage 1 is made for; it grows; default 1000000.  [two-stage]"},
    "error_rate": {"type": float, "help": "Chance at most that it removes a new text; default 1e-06.  [two-stage]"},
    "filter_bits": {"type": int, "help": "Paper 003's Bloom filter of this size as stage 1; never grows.  [two-stage]"},
    "rule": {"type": click.Choice(["all", "any", "end-mark", "literal"]),
             "help": "Of that filter: all or any of its bits; of the trie: with end marks, or literally.  [two-stage]"},
    "hash": {"type": click.Choice(["h64", "bkdr"]), "help": "Hash of the trie of stage 1; default h64.  [two-stage]"},
    "confirm": {"flags": ["--confirm"], "is_flag": True, "default": None,
                "help": "Confirm every hit of the filter by digests: no text is wrongly removed.  [two-stage]"},
    "verify": {"type": click.Choice(["rule", "exact"]),
               "help": "rule: the paper's decision; exact: the default method's test as well.  [methods of papers]"},
}  # fmt: skip


def _value(text: str) -> Any:
    """What stands behind a name: a number, true, false, a list as in JSON, else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _settings(given: tuple[str, ...], others: dict[str, Any]) -> dict[str, Any]:
    """Parameters given by --set.

    Raises:
        UsageError: no name and value, or one that is given twice.
    """
    out: dict[str, Any] = {}
    for item in given:
        name, sign, value = item.partition("=")
        name = name.strip().replace("-", "_")
        if not sign or not name:
            raise UsageError(
                f"--set {item!r}: give a name and a value, such as --set tail=12; see `quchong methods NAME`"
            )
        if name in out or (name in METHOD_OPTIONS and others.get(name) is not None):
            raise UsageError(f"{name} is given twice: once is enough")
        out[name] = _value(value)
    return out


def method_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds every method's parameters; those not given keep the method's own default."""

    @functools.wraps(command)
    def with_settings(*args: Any, settings: tuple[str, ...], **options: Any) -> Any:
        return command(*args, **options | _settings(settings, options))

    out = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
                           help="Any parameter, see `quchong methods NAME`. May be given again.")(with_settings)  # fmt: skip
    for name, spec in reversed(METHOD_OPTIONS.items()):
        spec = dict(spec)
        flags = spec.pop("flags", [f"--{name.replace('_', '-')}"])
        out = click.option(*flags, name, **spec)(out)
    return out


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def html_option(what: str) -> Decorator:
    """Where web pages are; `what` they are of: a column or a key."""
    return click.option(
        "--html-key", "html", default="html", show_default=True, help=f"{what} of web pages, read where there is no text."
    )  # fmt: skip


body_option: Decorator = click.option(
    "--body", type=click.Choice(["main", "accurate", "all"]), default="main", show_default=True,
    help="Text of a page: its main body, the same by a slower and better reading, or all that is visible.",
)  # fmt: skip
"""What of a page is its text."""


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where text, id and other columns are."""
    options: list[Decorator] = [
        click.option("--text-key", "--column", "--text-field", "text", default="text", show_default=True,
                     help="Column of the text; several with commas are joined."),
        html_option("Column"),
        body_option,
        click.option("--id-key", "--id-field", "id", help="Column of the id.  [default: id, where there is one]"),
        click.option("--time-key", "time", default="time", show_default=True, help="Column of the time."),
        click.option("--source-key", "source", default="source", show_default=True, help="Column of the source."),
        click.option("--format", "format", type=click.Choice(["jsonl", "csv", "tsv", "parquet", "arrow", "txt", "html", "warc"]),
                     help="Format, where the file name does not tell (stdin: jsonl)."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command

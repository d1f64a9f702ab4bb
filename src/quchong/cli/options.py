"""Command-line options for the parameters of methods.

Written out, so that `--help` needs no method; a test holds them to the fields of the methods' dataclasses. What only one
paper's method knows has no option of its own: `--set name=value`, and `quchong methods NAME` says what there is.

An option belongs to every method that has a parameter of its name; `of` names them where they are few, held to the methods
by a test. Each method checks its own values: only where all owners take the same words are these the option's choices.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import click

from quchong.errors import Param, UsageError

METHOD_OPTIONS: dict[str, dict[str, Any]] = {
    "preset": {"of": ("hybrid",), "type": click.Choice(["strict", "balanced", "lenient"]),
               "help": "Thresholds: strict for training data, balanced, lenient for press clipping; `quchong methods hybrid` "
                       "lists them (balanced: Jaccard 0.45 to 0.70 by length, containment 0.80 to 0.85)."},
    "threshold": {"type": float,
                  "help": "Minimum similarity of duplicates: the Jaccard, or a method's own measure (`quchong methods NAME`)."},
    "containment": {"type": float,
                    "help": "Minimum share of a text that must stand in another to count as contained."},
    "ngram_size": {"type": int, "help": "Tokens per shingle; default 5 for long Chinese texts, else 3; two-stage 2."},
    "normalise": {"type": click.Choice(["standard", "plain"]),
                  "help": "Normal form of texts in comparisons. plain: NFKC and lower case only."},
    "tokens": {"flags": ["--tokens", "--tokenizer"], "type": str,
               "help": "What is compared. auto: Chinese characters and words of other scripts. char: every letter and digit. "
               "word: Chinese words too (methods on sentences)."},
    "guards": {"of": ("hybrid", "short-text"), "flags": ["--guards/--no-guards"], "default": None,
               "help": "Keep near-copies with other numbers or names, and report them as variants."},
    "duplicates_only": {"of": ("hybrid",), "flags": ["--duplicates-only"], "is_flag": True, "default": None,
                        "help": "Search faster, by MinHash bands. Most contained texts are missed."},
    "cap": {"type": int, "help": "Documents that are compared under one key or feature, at most."},
    "share": {"of": ("hybrid", "tree-key-sentence"), "type": float,
              "help": "hybrid: share of the expected anchors that a candidate pair must have in common. Other methods: "
                      "`quchong methods NAME`."},
    "recall": {"of": ("minhash",), "type": float, "help": "Share of pairs at the threshold that must be found; sets the bands."},
    "num_perm": {"of": ("minhash",), "type": int, "help": "Values per MinHash signature."},
    "sketch": {"of": ("minhash", "shingling"), "type": str,
               "help": "minhash: one-permutation or k-mins. shingling: full, mod-m, bottom-s or super."},
    "bands": {"of": ("minhash", "lsh", "lsh-s", "lsh-p"), "type": int, "help": "Number of bands; needs --rows."},
    "rows": {"type": int, "help": "Values in each band."},
    "seed": {"type": int, "help": "Seed of the signatures."},
    "bits": {"of": ("two-stage", "tree-feature-string", "sif"), "type": int,
             "help": "two-stage: bits of a SimHash signature, 64 or 128. Other methods: `quchong methods NAME`."},
    "distance": {"of": ("two-stage", "spotsigs", "imatch-s", "lsh-s"), "type": int,
                 "help": "two-stage: bits of two signatures that may differ; default 4. Texts of fewer than 4 tokens are compared for "
                         "equality only. Other methods: `quchong methods NAME`."},
    "weights": {"of": ("two-stage", "codet"), "type": click.Choice(["unit", "idf"]), "help": "Weights of shingles in a signature."},
    "statistics": {"type": click.Path(),
                   "help": "File of document frequencies, made by `quchong statistics`.  [default: counted on this run's distinct texts]"},
    "all_pairs": {"of": ("two-stage",), "flags": ["--all-pairs"], "is_flag": True, "default": None,
                  "help": "Compare all signatures with each other, without --cap, as Gao 2014 does. Takes quadratic time."},
    "stage1": {"of": ("two-stage",), "type": click.Choice(["digest", "bloom", "trie"]),
               "help": "How exact repeats are removed. digest: exactly. bloom, trie: by the filters of Gao 2014, in the order of "
                       "the input; they remove a few texts by mistake, and count them."},
    "capacity": {"of": ("two-stage",), "type": int,
                 "help": "Texts that the Bloom filter of --stage1 is made for; it grows beyond.  [default: 1000000]"},
    "error_rate": {"of": ("two-stage",), "type": float, "help": "Maximum chance that it removes a new text.  [default: 1e-06]"},
    "filter_bits": {"of": ("two-stage",), "type": int,
                    "help": "Use the Bloom filter of Gao 2014 with this many bits in --stage1; it never grows."},
    "rule": {"of": ("two-stage",), "type": click.Choice(["all", "any", "end-mark", "literal"]),
             "help": "How that filter answers (all or any of its bits), or the trie (end-mark, or literal as printed)."},
    "hash": {"of": ("two-stage",), "type": click.Choice(["h64", "bkdr"]), "help": "Hash of the trie of --stage1.  [default: h64]"},
    "confirm": {"of": ("two-stage",), "flags": ["--confirm"], "is_flag": True, "default": None,
                "help": "Check every hit of the filter by digest, so that no text is removed by mistake."},
    "verify": {"type": click.Choice(["rule", "exact"]),
               "help": "rule: the paper's rule decides. exact: the test of the default method must pass too."},
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
                           help="Any parameter of the method (repeatable); `quchong methods NAME` lists them.")(with_settings)  # fmt: skip
    for name, spec in reversed(METHOD_OPTIONS.items()):
        spec = dict(spec)
        if of := spec.pop("of", None):
            spec["help"] += f"  [{', '.join(of)}]"
        flags = spec.pop("flags", [f"--{name.replace('_', '-')}"])
        out = click.option(*flags, name, **spec)(out)
    return out


def option_names(command: click.Command) -> Callable[[Param], str]:
    """How a command calls the parameters that a message names: its option, `--set` for a method's other ones."""
    given = [p for p in command.params if isinstance(p, click.Option)]
    options = {flag.lstrip("-").replace("-", "_"): p for p in given for flag in p.opts} | {p.name: p for p in given}

    def shown(param: Param) -> str:
        option = options.get(param.name)
        if option is not None and option.is_flag and param.said:
            return (option.opts if param.value or not option.secondary_opts else option.secondary_opts)[0]
        if option is not None:
            return f"{option.opts[0]} {_plain(param.value)}" if param.said else option.opts[0]
        if "settings" in options and _of_a_method(param.name):
            return f"--set {param.name}={_plain(param.value)}" if param.said else f"--set {param.name}"
        return f"{param.name} {_plain(param.value)}" if param.said else param.name

    return shown


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _of_a_method(name: str) -> bool:
    from quchong.parameters import parameters_of
    from quchong.plan.catalogue import METHODS

    return any(name in parameters_of(kind) for kind in METHODS.values())


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def html_option(what: str) -> Decorator:
    """Where web pages are; `what` they are of: a column or a key."""
    return click.option(
        "--html-key", "html", default="html", show_default=True, help=f"{what} of web pages, read if there is no text."
    )  # fmt: skip


body_option: Decorator = click.option(
    "--body", type=click.Choice(["main", "accurate", "all"]), default="main", show_default=True,
    help="Text of a page: main: its article; accurate: the same by trafilatura (slower); all: everything visible.",
)  # fmt: skip
"""What of a page is its text."""


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where text, id and other columns are."""
    options: list[Decorator] = [
        click.option("--text-key", "--column", "--text-field", "text", default="text", show_default=True,
                     help="Column of the text; several, separated by commas, are joined."),
        html_option("Column"),
        body_option,
        click.option("--id-key", "--id-field", "id", help="Column of the id.  [default: id, where there is one]"),
        click.option("--time-key", "time", default="time", show_default=True, help="Column of the time."),
        click.option("--source-key", "source", default="source", show_default=True, help="Column of the source."),
        click.option("--format", "format", type=click.Choice(["jsonl", "csv", "tsv", "parquet", "arrow", "txt", "html", "warc"]),
                     help="Format, if the file name does not say (stdin: jsonl)."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command

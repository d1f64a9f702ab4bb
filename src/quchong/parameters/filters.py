"""Parameters of the filters of exact repeats, used by `quchong filter` and by methods that begin with a filter."""

from __future__ import annotations

from quchong.parameters.parameter import Parameter

FILTER = Parameter(
    "the filter. bloom: small, makes mistakes at its error rate. trie: the digit trie of Gao 2014. digest: exact.",
    choices=("bloom", "trie", "digest"),
    unset="bloom",
)
CAPACITY = Parameter(
    "number of texts that the Bloom filter is made for; it grows if there are more.",
    least=1,
    most=2**40,
    unset="1,000,000",
)
ERROR_RATE = Parameter("maximum chance that the Bloom filter removes a new text.", least=1e-12, most=0.5, unset="1e-06")
CONFIRM = Parameter("every hit is checked by digest, so that no text is removed by mistake.")
FORM = Parameter(
    "what counts as equal. strict: ignore only width, case and white space. loose: the same letters and "
    "digits. raw: the same bytes.",
    choices=("strict", "loose", "raw"),
    unset="strict",
)
FILTER_BITS = Parameter(
    "bits of the Bloom filter as Gao 2014 prints it (50000 there); it never grows.", least=1, most=2**40
)
FILTER_MODE = Parameter(
    "how the filters of Gao 2014 answer. Bloom: by all or any of its bits. Trie: end-mark, or literal as "
    "printed in the paper.",
    choices=("all", "any", "end-mark", "literal"),
)
HASH = Parameter("hash of the trie.", choices=("h64", "bkdr"), unset="h64")
UNIT = Parameter("input of the hashes of Gao 2014.", choices=("utf8", "utf16"), unset="utf8")

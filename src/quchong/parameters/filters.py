"""Parameters of the filters of exact repeats, used by `quchong filter` and by methods that begin with a filter."""

from __future__ import annotations

from quchong.parameters.parameter import Parameter

FILTER = Parameter(
    "kind of filter. bloom: small, with wrong hits at its error rate. trie: the digit trie of Gao 2014. digest: exact.",
    choices=("bloom", "trie", "digest"),
    unset="bloom",
)
CAPACITY = Parameter(
    "number of texts that the Bloom filter is planned for; with more texts it grows.",
    least=1,
    most=2**40,
    unset="1,000,000",
)
ERROR_RATE = Parameter("maximum chance that the Bloom filter removes a new text.", least=1e-12, most=0.5, unset="1e-06")
CONFIRM = Parameter("True to check every hit of the filter by digest, so that no text is removed by mistake.")
FORM = Parameter(
    "texts that count as equal. strict: equal except for character width, case and white space. loose: equal "
    "letters and digits. raw: equal bytes.",
    choices=("strict", "loose", "raw"),
    unset="strict",
)
FILTER_BITS = Parameter(
    "number of bits of a Bloom filter as in Gao 2014, where it is 50000; this filter never grows.", least=1, most=2**40
)
FILTER_MODE = Parameter(
    "when a filter of Gao 2014 reports a text as seen. Bloom filter: all bits of the text are set (all), or at "
    "least one (any). Trie: the end mark is set (end-mark), or as printed in the paper (literal).",
    choices=("all", "any", "end-mark", "literal"),
)
HASH = Parameter("hash function of the trie.", choices=("h64", "bkdr"), unset="h64")
UNIT = Parameter(
    "what the hash functions of Gao 2014 read: UTF-8 bytes or UTF-16 code units.",
    choices=("utf8", "utf16"),
    unset="utf8",
)

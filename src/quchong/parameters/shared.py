"""Parameters that several methods share, with the same meaning and the same values in each.

A method may say in its own words what it measures or counts (`THRESHOLD(0.6, "Jaccard of ...")`).
"""

from __future__ import annotations

from quchong.parameters.parameter import Parameter

LONGEST_NGRAM = 63
"""Equal to `quchong.kernels.checked.MAX_NGRAM`, as a test checks, because this room does not import kernels."""
_COUNT = 2**31 - 1

PRESET = Parameter(
    "thresholds: strict, balanced, lenient (press clipping), or training (strict; also removes variants, and "
    "digests whose articles are kept).",
    choices=("strict", "balanced", "lenient", "training"),
)
THRESHOLD = Parameter(
    "similarity at or above which a pair is a duplicate, by the method's own measure.", above=0, most=1
)
CONTAINMENT = Parameter(
    "share of a document found in another, at or above which it is contained in it.", above=0, most=1
)
LEAST = Parameter(
    "share of a document covered, at or above which a pair is listed as partial; never removed.", above=0, most=1
)
VERIFY = Parameter(
    '"rule" decides as the paper does; "exact" also requires the default method\'s test.', choices=("rule", "exact")
)
NGRAM_SIZE = Parameter("number of tokens in a shingle.", least=1, most=LONGEST_NGRAM)
NORMALISE = Parameter(
    'normal form of texts: "standard", or "plain": only NFKC and lower case.', choices=("standard", "plain")
)
TOKENS = Parameter(
    '"auto": a Chinese character or a word is a token; "char": every letter and digit; "code": an identifier or mark of source code.',
    choices=("auto", "char", "code"),
)
CAP = Parameter(
    "maximum number of documents of one key or feature that are compared, the best by policy first; longer lists "
    "are reported.",
    least=1,
    most=_COUNT,
)
MOST = Parameter(
    "maximum number of earlier documents, the best by policy first, with which a document is compared: half of "
    "them the first, half those that share the most features. 0 for all. An alarm counts the documents that had "
    "more.",
    least=0,
    most=_COUNT,
)
SEED = Parameter("seed of the hash functions: the same seed gives the same candidates.", least=0, most=2**64 - 1)
STATISTICS = Parameter(
    "document frequencies: a file of `quchong statistics` (in Python also FeatureStatistics); else counted on this run."
)
GUARDS = Parameter("numbers or names that differ in the same context make a pair a variant, not a copy.")
FACTS = Parameter(
    "copies that differ in a fact: keep (default), remove, any (every kind counts), or the kinds that count: "
    "figure, date, person, place, organisation, code, negation, opposite, modality, symbol, field; term only "
    "if named.",
    several=(
        "keep",
        "remove",
        "any",
        "figure",
        "date",
        "person",
        "place",
        "organisation",
        "code",
        "negation",
        "opposite",
        "modality",
        "field",
        "symbol",
        "term",
    ),
)
MIN_FEATURES = Parameter("a document with fewer features is not compared.", least=1, most=_COUNT)
MIN_SHARED = Parameter("features two documents must have in common.", least=1, most=_COUNT)
BANDS = Parameter("bands of a signature.", least=1, most=4096)
ROWS = Parameter("MinHash values in the key of a band.", least=1, most=4096)
STOP_WORDS = Parameter(
    'words left out: "standard", "none", names of other lists joined by +, or your own words separated by commas (see '
    "`quchong.features.stopwords`)."
)
N_TERMS = Parameter("terms a sentence is known by.", least=1, most=1000)
TAIL = Parameter("characters before a full stop 。 that make a feature.", least=1, most=1000)
CHARACTERS = Parameter(
    '"text" takes characters unchanged; "normal" the letters and digits of the normal form: then script, width, case, '
    "numerals and marks make no difference.",
    choices=("text", "normal"),
)
IDF_LOW = Parameter("lower end of the band of normalised idf of the features kept.", least=0, most=1)
IDF_HIGH = Parameter("upper end of the band of normalised idf of the features kept.", least=0, most=1)
ANTECEDENTS = Parameter(
    "words at which a signature begins: names of lists joined by +, or your own words separated by commas."
)
CHAIN = Parameter("words of a signature after its antecedent.", least=1, most=30)
DISTANCE = Parameter("step between the words that follow the antecedent.", least=1, most=100)
WITH_ANTECEDENT = Parameter("the antecedent is part of the signature.")

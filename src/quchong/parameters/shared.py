"""Parameters that several methods share, with the same meaning and the same values in each.

A method may say in its own words what it measures or counts (`THRESHOLD(0.6, "Jaccard of ...")`).
"""

from __future__ import annotations

from quchong.parameters.parameter import Parameter

LONGEST_NGRAM = 63
"""Equal to `quchong.kernels.checked.MAX_NGRAM`, as a test checks, because this room does not import kernels."""
_COUNT = 2**31 - 1

PRESET = Parameter(
    "set of thresholds: strict, balanced, lenient (press clipping), or training (thresholds of strict; also "
    "removes variants, and roundups whose articles are kept).",
    choices=("strict", "balanced", "lenient", "training"),
)
THRESHOLD = Parameter(
    "lowest similarity, by the measure of the method, at which a pair counts as a duplicate.", above=0, most=1
)
CONTAINMENT = Parameter("minimum share of a document that is in another, for “contained in”.", above=0, most=1)
LEAST = Parameter(
    "share of a document covered, at or above which a pair is listed as partial; never removed.", above=0, most=1
)
VERIFY = Parameter(
    '"rule": a pair must pass the rule of the paper; "exact": it must also pass the test of the default method.',
    choices=("rule", "exact"),
)
NGRAM_SIZE = Parameter("number of tokens in a shingle.", least=1, most=LONGEST_NGRAM)
NORMALISE = Parameter(
    'normal form of texts: "standard", or "plain" (NFKC and lower case only).', choices=("standard", "plain")
)
TOKENS = Parameter(
    'tokens of a text. "auto": a Chinese character or a word; "char": every letter and digit; "code": an '
    "identifier or sign of source code.",
    choices=("auto", "char", "code"),
)
CAP = Parameter(
    "maximum number of documents with the same key or feature that are compared with others; the policy "
    "chooses which. A note states how many keys have more documents.",
    least=1,
    most=_COUNT,
)
MOST = Parameter(
    "maximum number of earlier documents with which a document is compared: the policy chooses one half, the "
    "other half are the most similar ones. 0 means all. An alarm states how many documents had more.",
    least=0,
    most=_COUNT,
)
SEED = Parameter("seed of the hash functions: the same seed gives the same candidates.", least=0, most=2**64 - 1)
STATISTICS = Parameter(
    "document frequencies: a file of `quchong statistics` (in Python also FeatureStatistics). Without this "
    "option, the run counts the frequencies."
)
GUARDS = Parameter("True if other numbers or names in the same context make a pair a variant instead of a copy.")
FACTS = Parameter(
    "what happens to copies that differ in a fact: keep (default; all kinds but term count), remove, any "
    "(all kinds count), or the kinds that count: figure, date, person, place, organisation, code, "
    "negation, opposite, modality, symbol, field, term.",
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
MIN_FEATURES = Parameter("documents with fewer features than this are not compared.", least=1, most=_COUNT)
MIN_SHARED = Parameter("features two documents must have in common.", least=1, most=_COUNT)
BANDS = Parameter("bands of a signature.", least=1, most=4096)
ROWS = Parameter("number of MinHash values in the key of a band.", least=1, most=4096)
STOP_WORDS = Parameter(
    'words that are left out: "standard", "none", names of lists joined by +, or your own words separated by '
    "commas (see `quchong.features.stopwords`)."
)
N_TERMS = Parameter("terms a sentence is known by.", least=1, most=1000)
TAIL = Parameter("number of characters before a full stop 。 that form a feature.", least=1, most=1000)
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
CHAIN = Parameter("number of words that follow the antecedent in a signature.", least=1, most=30)
DISTANCE = Parameter(
    "distance between the words of a signature, not counting stop words: 1 takes every word, 2 takes every "
    "second word.",
    least=1,
    most=100,
)
WITH_ANTECEDENT = Parameter("True if the antecedent is part of the signature.")

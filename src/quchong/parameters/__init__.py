"""Parameters of methods: metadata of each in addition to its name, type and default.

    @dataclass(frozen=True, slots=True)
    class Mine(MethodDefaults):
        cap: int = CAP(64)
        width: int = parameter(3, "sentences of a window.", least=1, most=63)

The help of `quchong methods`, the options of the command line, the pages of docs/methods, the types of the Python API and the
checks of `check_values` are all made of this metadata. This room imports no NumPy, so that its import takes only a
millisecond or two.
"""

from __future__ import annotations

from quchong.parameters.kinds import Kind, either, finite_number, integer_between, whether, whole_number, word
from quchong.parameters.parameter import (
    MethodParameter,
    Parameter,
    check_values,
    documented,
    fixed_of,
    parameter,
    parameters_of,
)
from quchong.parameters.shared import (
    ANTECEDENTS,
    BANDS,
    CAP,
    CHAIN,
    CHARACTERS,
    CONTAINMENT,
    DISTANCE,
    FACTS,
    GUARDS,
    IDF_HIGH,
    IDF_LOW,
    LEAST,
    MIN_FEATURES,
    MIN_SHARED,
    MOST,
    N_TERMS,
    NGRAM_SIZE,
    NORMALISE,
    PRESET,
    ROWS,
    SEED,
    STATISTICS,
    STOP_WORDS,
    TAIL,
    THRESHOLD,
    TOKENS,
    VERIFY,
    WITH_ANTECEDENT,
)

__all__ = [
    "ANTECEDENTS",
    "BANDS",
    "CAP",
    "CHAIN",
    "CHARACTERS",
    "CONTAINMENT",
    "DISTANCE",
    "FACTS",
    "GUARDS",
    "IDF_HIGH",
    "IDF_LOW",
    "LEAST",
    "MIN_FEATURES",
    "MIN_SHARED",
    "MOST",
    "NGRAM_SIZE",
    "NORMALISE",
    "N_TERMS",
    "PRESET",
    "ROWS",
    "SEED",
    "STATISTICS",
    "STOP_WORDS",
    "TAIL",
    "THRESHOLD",
    "TOKENS",
    "VERIFY",
    "WITH_ANTECEDENT",
    "Kind",
    "MethodParameter",
    "Parameter",
    "check_values",
    "documented",
    "either",
    "finite_number",
    "fixed_of",
    "integer_between",
    "parameter",
    "parameters_of",
    "whether",
    "whole_number",
    "word",
]

"""The parameters of all methods as keywords with types. Made by tools/method_types.py from the fields of the methods."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from quchong.sketches import FeatureStatistics


class AlignParameters(TypedDict, total=False):
    """What `align` takes for the method named: all but `min_chars`, which it has itself."""

    agree: int | None
    all_pairs: bool | None
    alpha: int | None
    anchors: str | None
    antecedents: str | None
    bands: int | None
    bits: int | None
    cap: int | None
    capacity: int | None
    chain: int | None
    characters: str | None
    chunk: int | None
    chunks: str | None
    coarse: int | None
    confirm: bool | None
    containment: float | None
    count: str | None
    coverage: float | None
    density: float | None
    depth: int | None
    directed: bool | None
    distance: int | None
    drift: int | None
    dropped: float | None
    duplicates_only: bool | None
    epsilon: float | None
    error_rate: float | None
    facts: str | None
    filter_bits: int | None
    filter_mode: str | None
    filters: str | None
    gap: int | None
    groups: int | None
    guards: bool | None
    hash: str | None
    idf_high: float | None
    idf_low: float | None
    inner: float | None
    k: int | None
    keep_gap: bool | None
    keyword: float | None
    keywords: int | None
    layer: float | None
    least: float | None
    length: int | None
    lexicons: int | None
    longest: int | None
    marks: str | None
    max_len: int | None
    measure: str | None
    min_block: int | None
    min_features: int | None
    min_length: int | None
    min_matched: int | None
    min_paths: int | None
    min_ratio: float | None
    min_sentences: int | None
    min_shared: int | None
    min_signatures: int | None
    min_site_docs: int | None
    min_site_ratio: float | None
    min_terms: int | None
    min_words: int | None
    mml: int | None
    mode: str | None
    modulus: int | None
    more_from: int | None
    most: int | None
    n_terms: int | None
    nearest: int | None
    ngram_size: int | None
    nodes: float | None
    normalise: str | None
    num_perm: int | None
    of: str | None
    partition_range: int | None
    prefix: int | None
    preset: str | None
    prune: str | None
    pruning: str | None
    rate: int | None
    ratio: float | None
    recall: float | None
    recount: bool | None
    repeats: int | None
    road: str | None
    root: float | None
    route: str | None
    rows: int | None
    same_text: float | None
    sample: int | None
    sampled: int | None
    scope: str | None
    searched: int | None
    seed: int | None
    select: str | None
    sentences: int | None
    share: float | None
    shortest: int | None
    signature: str | None
    sketch: str | None
    skip_root: bool | None
    stage1: str | None
    starts: str | None
    statistics: str | Path | FeatureStatistics | None
    stop_words: str | None
    stops: str | None
    stored: int | None
    structure: str | None
    subtree: bool | None
    synonyms: str | None
    tail: int | None
    threshold: float | None
    title: float | None
    tokens: str | None
    trees: int | None
    unit: str | None
    verify: str | None
    weights: str | None
    width: int | None
    window: int | None
    with_antecedent: bool | None
    word_prefix: int | None


class MethodParameters(AlignParameters, total=False):
    """What `dedup`, `compare` and others take for the method named; None is the method's own default.

    Which of them a method has says `quchong methods NAME`; another is refused.
    """

    min_chars: int | None


class DecisionParameters(TypedDict, total=False):
    """What `Result.rethreshold` takes beside the thresholds: parameters by which methods decide; None leaves one as it is."""

    agree: int | None
    distance: int | None
    facts: str | None
    least: float | None
    ratio: float | None
    verify: str | None

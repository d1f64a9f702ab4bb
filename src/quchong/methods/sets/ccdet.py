"""CCDet: features of full stops, containment, pruning by site (句号特征, 包含关系, 倒排索引剪切).

Source: Wei 2013 (CCDet).

Links, menus and slogans hardly ever end with 。, so the characters before one are body text, on the whole page as on an extracted
body. Text that recurs on several pages of one site (disclaimer, editor's line) is removed first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from quchong.features.feature_sets import concatenate_sets, places
from quchong.features.located_features import periods_placed
from quchong.features.periods import Noise, Pruning, TakenOut, period_sets, site_keys
from quchong.kernels.arrays import AnyTexts, FeatureSets, Texts, texts_of
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.methods.bases.rules import PaperRule
from quchong.parameters import CHARACTERS, IDF_HIGH, IDF_LOW, MIN_SHARED, TAIL, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT
from quchong.seam import Documents, Gate, Join, JoinLimits, Measures, SetJoin, Sight, Statistics, Traits
from quchong.similarity import Thresholds, measure
from quchong.similarity.paper_rules import set_evidence, size_ratio, smaller_inside
from quchong.text.folding import FOLDS, folded, stopped


@dataclass(frozen=True, slots=True)
class ContainmentRule(PaperRule):
    """Rule of CCDet: accepted pages are duplicates if their sizes are similar (CLR), else the smaller one is contained.

    Attributes:
        ratio: T_CLR, least ratio of both sizes of duplicates.
    """

    ratio: float = 0.5

    def relations(self, measures: Measures) -> np.ndarray:
        """Return the relation of each pair: duplicate if the sizes are similar (CLR), else the smaller one is contained."""
        return np.where(size_ratio(measures) >= self.ratio, DUPLICATE, smaller_inside(measures)).astype(object)


@dataclass(frozen=True, slots=True)
class CCDet(BySets, PaperMethod):
    """Method on features of full stops: their common containment similarity (CCS)."""

    threshold: float | None = THRESHOLD(
        None,
        (
            "T_CCS: shared features / features of the page that has fewer. At this value or above, two pages "
            "are related."
        ),
    )

    ratio: float = parameter(
        0.5,
        "T_CLR: the smaller number of features / the larger number. At this value or above, related pages are "
        "duplicates; below it, the page with fewer features is contained in the other.",
        above=0,
        most=1,
    )
    tail: int = TAIL(10, "L, the number of characters before a full stop that form a feature.")
    characters: str = CHARACTERS(
        "text",
        'form of the characters before a full stop. "text": unchanged, as in the paper. "simplified": '
        'traditional characters become simplified ones. "width": full-width letters and digits become '
        'half-width ones. "folded": both changes. "normal": letters and digits of the normal form.',
        choices=("text", "simplified", "width", "folded", "normal"),
    )
    stops: str = parameter(
        "zh",
        'marks that form a feature. "zh": only the full stop 。, as in the paper. "all": also the . at the end of '
        "an English sentence; `tail` then counts letters, and 30 letters correspond to 10 Chinese characters.",
        choices=("zh", "all"),
    )
    min_shared: int = MIN_SHARED(
        1,
        "number of features that two pages must have in common; with 2, one shared quotation does not make two "
        "short pages copies.",
    )
    prune: str = parameter(
        "site",
        'features that are left out. "site": features that recur on pages of one site. "idf" (ablation): '
        'very frequent or very rare features. "none": no feature.',
        choices=("site", "idf", "none"),
    )
    scope: str = parameter(
        "site",
        'where a feature of a site is ignored: "site" on that site only, "list" on all sites.',
        choices=("site", "list"),
    )
    min_site_docs: int = parameter(
        3,
        "a feature counts as the site's own text if at least this number of distinct texts of the site have it; "
        'with the parameter `count` set to "pages", at least this number of pages.',
        least=2,
    )
    min_site_ratio: float = parameter(
        0.0,
        "a feature counts as the site's own text only if at least this share of the site's pages have it.",
        least=0,
        most=1,
    )
    count: str = parameter(
        "texts",
        'what min_site_docs counts. "texts": pages of one site with nearly the same text (see same_text) count '
        'as one. "pages": every page counts; an article that a site publishes at three addresses may then be '
        "mistaken for a template.",
        choices=("texts", "pages"),
    )
    same_text: float = parameter(
        0.8,
        "lowest Jaccard of features at which two pages of one site are counted as one text in min_site_docs.",
        above=0,
        most=1,
    )
    recount: bool = parameter(
        True,
        "True to count the size of a page after pruning; False to count it before, as in the first step of the paper.",
    )
    idf_low: float = IDF_LOW(0.5, 'lower end of the range of normalised idf in which `prune` "idf" keeps features.')
    idf_high: float = IDF_HIGH(
        1.0, ('upper end of the range of normalised idf; `prune` "idf" keeps the features in this range.')
    )
    noise: Noise | TakenOut | None = field(default=None, metadata={"fitted": True})

    name: ClassVar[str] = "ccdet"
    rule_name: ClassVar[str] = "ccs"
    usual: ClassVar[float] = 0.6
    traits: ClassVar[Traits] = Traits(
        title="features of full stops; finds duplicates and containment; ignores features that recur on one site",
        paper="Wei 2013 (CCDet)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "ratio", "verify"),
        needs=("site",),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        self.pruning  # noqa: B018 - raises

    @property
    def pruning(self) -> Pruning:
        """Rules by which noise is removed: features that recur on pages of one site, or that too many or too few pages have."""
        return Pruning(
            self.prune, self.scope, self.min_site_docs, self.min_site_ratio, self.idf_low, self.idf_high, self.same_text,
            self.count == "pages",
        )  # fmt: skip

    @property
    def candidates(self) -> Join:
        """Join in which documents that share enough features, noise removed, are candidates."""
        return SetJoin(self.sets_of, self.join_limits(), noise=self, statistics=self.statistics_used)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: at least `min_shared` common features, and the threshold's share of the page with fewer."""
        return JoinLimits(self.cap, self.min_shared, self.limit, self.most)

    def _sets(self, documents: Documents, workers: int | None) -> tuple[FeatureSets, np.ndarray]:
        """Return the features of each document without noise, and the size (float64) by which its common features are divided."""
        whole = self.sets_of(documents, workers)
        kept = whole if self.noise is None else self.noise.without(whole, documents.column("site"))
        return kept, self.weight(whole.lengths, kept.lengths)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the features of each text, noise included; a feature is the characters before a full stop."""
        normal = self.form if self.characters == "normal" else None
        if self.characters in FOLDS or self.stops == "all":
            parts = [
                period_sets(self._read(documents.texts.take(index)), self.tail, workers, normal=normal)
                for index in places(documents.texts)
            ]
            return concatenate_sets(parts)
        return period_sets(documents.texts, self.tail, workers, normal=normal)

    def _read(self, texts: Texts) -> AnyTexts:
        """Return the texts with characters that the method treats as equal replaced by one of them."""
        if self.stops == "all":
            texts = texts_of([stopped(texts)])
        return folded(texts, self.characters) if self.characters in FOLDS else texts

    def weight(self, whole: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """Return the size by which each set's common features are divided, float64: after noise is removed, or before (`recount` off)."""
        return (kept if self.recount else whole).astype(np.float64)

    @property
    def counted_by(self) -> str:
        """Counts by which noise is found: "site" (pages of each site), "frequency" (pages with a feature), or "" if nothing is counted."""
        if self.noise is not None:
            return ""
        return {"site": "site", "idf": "frequency", "none": ""}[self.prune]

    def site_keys(self, sets: FeatureSets, documents: Documents) -> np.ndarray:
        """Return for each feature of each page a key (uint64) of the feature together with the page's site."""
        return site_keys(sets, documents.column("site"))

    def noise_of(
        self, sets: FeatureSets, documents: Documents, workers: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the noise features found in all pages of some sites: values that are noise everywhere, and site keys, uint64."""
        found = self.pruning.noise(sets, documents.column("site"), workers)
        return found.everywhere, found.of_site

    def noise_by_frequency(self, frequency: np.ndarray, documents: int) -> np.ndarray:
        """Return a mask of the features whose normalised idf is outside the band; `frequency` is their document frequency."""
        return self.pruning.outside_band(frequency, documents)

    def pruned(self, digest: str) -> CCDet:
        """Return the method for sets from which the noise with this digest has been removed already."""
        return replace(self, noise=TakenOut(digest))

    def score_sets(
        self, documents: Documents, sets: FeatureSets, size: np.ndarray, left: np.ndarray, right: np.ndarray,
        workers: int | None = None,
    ) -> dict[str, np.ndarray]:  # fmt: skip
        """Return the measures of pairs as `score` does, from sets and sizes that the engine has computed."""
        out = measure(self.form, documents, left, right, Thresholds(), workers=workers)
        return out | self._figures(sets, size, left, right, workers)

    @property
    def statistics_used(self) -> Statistics:
        """Noise features, known or to be found in the corpus; an engine can find them by the rule of the join."""
        found = self.noise is not None or self.prune == "none"
        return Statistics(count=None if found else self.with_counts, frozen=self.noise)

    def with_counts(self, documents: Documents, workers: int | None = None) -> CCDet:
        """Return the method with the noise features found in these documents."""
        sets = self.sets_of(documents, workers)
        return replace(self, noise=self.pruning.noise(sets, documents.column("site"), workers))

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: CCS (common features / those of the page with fewer), both sizes, and CLR (ratio of the sizes)."""
        sets, size = self._sets(documents, workers)
        return self._figures(sets, size, left, right, workers)

    def _figures(
        self, sets: FeatureSets, size: np.ndarray, left: np.ndarray, right: np.ndarray, workers: int | None
    ) -> dict[str, np.ndarray]:
        out = set_evidence(sets, left, right, min_shared=self.min_shared, size=size, workers=workers)
        return out | {"size_ratio": size_ratio(out)}

    @property
    def rule(self) -> ContainmentRule:
        """Rule of CCS, then of CLR."""
        return self.rule_of(ContainmentRule, ratio=self.ratio)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the text before full stops as marks, and which of them are noise."""
        normal = self.form if self.characters == "normal" else None
        read = Documents.from_texts(self._read(documents.texts))
        marks = periods_placed(read, self.tail, normal=normal, workers=workers)
        return (marks.kept_by(self._sets(documents, workers)[0], "noise"),)

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of CCS, then of CLR, which only separates duplicates from containments."""
        clr = float(measures["size_ratio"][0])
        return (
            *PaperMethod.rule_gates(self, documents, measures, workers),
            Gate("clr", clr, self.ratio, clr >= self.ratio, "size_ratio"),
        )

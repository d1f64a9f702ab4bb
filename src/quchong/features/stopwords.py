"""Lists of antecedents and stop words (停用词), by name.

Chinese words of several characters are found as runs of one-character tokens: no segmenter is needed. The lists were
written for this program; "en-reference" is the list of the configuration of SpotSigs' authors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.errors import UsageError
from quchong.features.feature_sets import among
from quchong.kernels.arrays import Names
from quchong.kernels.hashing import COEFFICIENTS
from quchong.kernels.text import Form
from quchong.languages import join_names

ANTECEDENTS: dict[str, str] = {
    "zh-ten": "的 了 是 在 和 有 也 就 都 而",
    "zh-de": "的",
    "zh-particles": "的 了 着 过 地 得 所 之",
    "zh-wide": "的 了 是 在 和 有 也 就 都 而 与 及 或 但 被 把 将 对 从 向 于 以 为 由 到 让 给 并 还 又 已 很 更 最 不 这 那 其",
    "en-paper": "is the do have",
    "en-articles": "a an the is",
    "en-reference": (
        "the be is are was will would shall should can could has have had do did does done un une le la el al"
    ),
}
"""Words after which a spot begins. "en-paper": the best of SpotSigs' paper; "en-articles": those of its example."""

STOP_WORDS: dict[str, str] = {
    "zh": (
        "的 了 着 过 地 得 所 之 是 在 和 与 及 或 有 也 就 都 而 但 却 被 把 将 对 从 向 于 以 为 "
        "由 到 让 给 并 还 又 再 已 曾 很 更 最 太 不 没 未 无 这 那 其 此 该 各 每 某 何 谁 哪 什么 "
        "怎么 怎样 如何 为何 我 你 您 他 她 它 们 我们 你们 他们 她们 它们 自己 咱们 大家 这个 那个 这些 "
        "那些 这样 那样 这里 那里 因为 所以 由于 因此 但是 可是 不过 然而 而且 并且 或者 以及 如果 虽然 尽管 "
        "即使 只要 只有 无论 不但 不仅 同时 另外 此外 其中 其他 其它 就是 还是 也是 都是 不是 而是 已经 正在 "
        "曾经 将要 可以 可能 能够 应该 需要 必须 没有 为了 关于 对于 根据 按照 通过 随着 作为 以后 以前 之后 "
        "之前 之间 之中 目前 现在 当时 一个 一些 一种 一样 一直 一般 非常 比较 十分 更加 啊 呢 吗 吧 呀 嘛 "
        "哦 嗯"
    ),
    "zh-marks": "的 了 着 过 地 得 所 之 和 与 及 或 啊 呢 吗 吧 呀 嘛",
    "en": (
        "a an the and or but nor if then else than so as at by for from in into of off on onto out over to up with without "
        "about above after again against all also am any are be because been before being below between both can could did "
        "do does doing done down during each few further had has have having he her here hers him his how i in is it its "
        "just me more most my no not now only other our ours own same she should some such that their theirs them there "
        "these they this those through too under until very was we were what when where which while who whom why will "
        "would you your yours shall may might must"
    ),
}
"""Words that no chain contains; antecedents are stop words too."""

_CHARACTERS = 0x30000
"""Tokens below this number are characters of the planes in common use."""

STANDARD = {"antecedents": "zh-ten+en-reference", "stop_words": "zh+en"}
"""Lists that "standard" stands for."""


def words_of(given: str, what: str) -> tuple[str, ...]:
    """Return the words of named lists ("zh-ten+en-paper", "standard", for stop words "none"), or words separated by commas.

    Args:
        what: "antecedents" or "stop_words".

    Raises:
        UsageError: an unknown name.
    """
    lists = ANTECEDENTS if what == "antecedents" else STOP_WORDS
    if "," in given or not given.isascii():  # names are plain ASCII
        return tuple(dict.fromkeys(w.strip() for w in given.replace("，", ",").split(",") if w.strip()))
    if given == "none" and what == "stop_words":
        return ()
    names = (STANDARD[what] if given == "standard" else given).split("+")
    unknown = [n for n in names if n not in lists]
    if unknown:
        raise UsageError(
            "unknown {} {}: use {}, or several of these joined by +, or your own words separated by commas "
            "(的,了; a,the)",
            what,
            join_names(unknown),
            join_names(["standard", *lists]),
        )
    return tuple(dict.fromkeys(w for n in names for w in lists[n].split()))


@dataclass(frozen=True, slots=True)
class Words:
    """Antecedents and stop words by the names of their tokens.

    `antecedents` and `single` are uint64, ascending; `begin` holds the first tokens of stop words of several tokens; `runs` maps each
    length above one to the sums (uint64, ascending) of the stop words of that length.
    """

    antecedents: np.ndarray
    single: np.ndarray
    begin: np.ndarray
    runs: dict[int, np.ndarray]

    @staticmethod
    def from_tokens(antecedents: list[list[int]], stop_words: list[list[int]]) -> Words:
        """Build the word lists from token sequences."""
        ahead = sorted({w[0] for w in antecedents})
        single = sorted({w[0] for w in stop_words if len(w) == 1} | set(ahead))
        runs: dict[int, set[int]] = {}
        for w in stop_words:
            if len(w) > 1:
                total = sum(t * int(COEFFICIENTS[k]) for k, t in enumerate(w)) & (2**64 - 1)
                runs.setdefault(len(w), set()).add(total)
        return Words(
            np.array(ahead, np.uint64), np.array(single, np.uint64),
            np.array(sorted({w[0] for w in stop_words if len(w) > 1}), np.uint64),
            {n: np.array(sorted(sums), np.uint64) for n, sums in sorted(runs.items())},
        )  # fmt: skip

    def stop_word_masks(self, docs: Names) -> tuple[np.ndarray, np.ndarray]:
        """Return two masks of tokens: those in any stop word, and those in a stop word of several tokens."""
        tokens = docs.tokens
        edge = np.zeros(len(tokens) + 1, np.int32)
        begin = np.flatnonzero(token_mask(tokens, self.begin))
        ends = np.repeat(docs.offsets[1:], docs.lengths)[begin] if len(begin) else begin
        for n, sums in self.runs.items():
            at = begin[begin + n <= ends]
            with np.errstate(over="ignore"):
                total = np.zeros(len(at), np.uint64)
                for k in range(n):
                    total = total + tokens[at + k].astype(np.uint64) * COEFFICIENTS[k]
            at = at[among(total, sums)]
            edge[at] += 1
            edge[at + n] -= 1  # one start a place, so no place is counted twice
        inside = np.cumsum(edge[:-1]) > 0
        return token_mask(tokens, self.single) | inside, inside


def tokens_of(form: Form, words: tuple[str, ...]) -> list[list[int]]:
    """Return the token names of each word; words without a letter or digit are left out."""
    docs = kernels.text.names(form, pa.array(words, pa.large_string())).docs
    cut = np.split(docs.tokens, docs.offsets[1:-1])
    return [c.tolist() for c in cut if len(c)]


def token_mask(tokens: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return a mask of the tokens that `known` (uint64, ascending) contains, by name: characters by a table, words by a search."""
    table = np.zeros(_CHARACTERS + 1, bool)
    table[known[known < _CHARACTERS]] = True
    mask: np.ndarray = table[np.minimum(tokens, _CHARACTERS)]
    words = known[known >= _CHARACTERS]
    if len(words):
        at = np.flatnonzero(tokens >= _CHARACTERS)
        mask[at] = among(tokens[at], words)
    return mask

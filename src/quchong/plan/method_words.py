"""Methods by the words that people and other tools have for them, for errors about a name that no method has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from quchong.errors import meant, parts_of_list
from quchong.languages import Message
from quchong.languages.habits import entry_with
from quchong.parameters.other_names import MEASURES

WORDS = {
    "hybrid": "default auto standard best 默认 混合 自动",
    "exact": "md5 sha1 sha256 sha hash identical equal 精确 完全 完全重复 哈希",
    "minhash": "jaccard min-hash datasketch rensa fuzzy fuzzy-dedup 最小哈希 模糊",
    "simhash": "sim-hash hamming fingerprint 汉明 指纹",
    "lsh": "banding locality-sensitive-hashing 局部敏感哈希",
    "short-text": "short tweets tweet posts post titles title sms messages weibo 短文 短文本 帖子 标题 微博 短信 评论",
    "ccdet": "web webpage webpages html boilerplate 网页 中文网页",
    "url": "urls link address 网址 链接 地址",
    "ppjoin": "all-pairs allpairs set-join exact-join similarity-join 集合连接",
    "winnowing": "moss plagiarism 抄袭 查抄",
    "lcs": "diff levenshtein edit edit-distance 编辑距离 longest-common-subsequence 最长公共子序列",
    "two-stage": "twostage two-step 两步 两阶段",
    "partial": "passages 片段 段落",
    "cluster": "clustering dbscan kmeans cosine cos tfidf tf-idf 余弦 聚类",
}
"""Methods by the words that people try for them."""
OF_MEANING = frozenset(
    "semantic semhash embedding embeddings bert sbert vectors vector llm semdedup 语义 向量 嵌入".split()
)
"""Words for methods that compare meanings, of which there is none here."""
_COMMANDS = {
    "quchong passages": "suffix-array suffix suffixarray substring exact-substring exactsubstr 后缀数组",
    "quchong filter --filter bloom": "bloom bloom-filter bloomfilter bff 布隆 布隆过滤器",
    "quchong dedup --unit line": "line lines line-dedup ccnet 按行",
    "quchong dedup --unit paragraph": "paragraph paragraphs 按段",
}
"""Commands that do what other tools call a method, by the words for it."""
_FROM = 3
"""Characters of a method's name from which on it counts where it stands within another word."""


def other_command(name: str) -> Message | None:
    """Return a hint at the command that does what other tools call a method of this name; None for other names.

    >>> print(other_command("suffix_array"))
    to do this, use quchong passages
    """
    command = entry_with(_COMMANDS, name.strip().replace("_", "-"))
    return None if command is None else Message("to do this, use {}", command)


def _squeezed_name(name: str) -> str:
    """Return a name in lower case without signs and blanks between its words."""
    return re.sub(r"[\s_.-]+", "", name).casefold()


def _misspelt(given: str, names: list[str]) -> Message:
    """Return `; did you mean ...?` with the method spelt most like a name, or that of the measure spelt most like it."""
    near = meant(given, names)
    (measure, *_) = [*get_close_matches(given.strip().lower(), MEASURES, n=1, cutoff=_OF_MEASURE), ""]
    if (
        measure
        and abs(len(measure) - len(given)) < _FROM
        and MEASURES[measure] in names
        and not (near and get_close_matches(given, names, n=1, cutoff=_OF_MEASURE))
    ):
        return Message("; did you mean {}?", MEASURES[measure])
    return near


_OF_MEASURE = 0.8
"""Likeness from which on a word is the name of a measure."""


def method_meant(given: str, known: Iterable[str]) -> Message:
    """Return `; did you mean ...?` for a name that no method has; an empty message if nobody knows.

    A name may be written otherwise (PPJoin, two_stage), have those of methods in it (MinHashLSH), or be another word for one.

    >>> print(method_meant("MinHashLSH", ["hybrid", "minhash", "lsh"]))
    ; did you mean minhash or lsh?
    >>> print(method_meant("短文本", ["short-text"]))
    ; did you mean short-text?
    """
    names = list(known)
    if first := parts_of_list(given):
        return Message(": a run has only one method, such as {}", first[0])
    found = entry_with({name: words for name, words in WORDS.items() if name in names}, given.strip())
    plain = {name: _squeezed_name(name) for name in names}
    word = _squeezed_name(given)
    if found is None:
        found = next((name for name in names if plain[name] == word), None)
    if found is not None:
        return Message("; did you mean {}?", found)
    if near := _misspelt(given, names):
        return near
    within = [name for name in names if len(plain[name]) >= _FROM and plain[name] in word]
    longest = [name for name in within if not any(plain[name] in plain[other] != plain[name] for other in within)]
    first = sorted(longest, key=lambda name: word.index(plain[name]))[:2]
    if not first:
        return Message("")
    return Message("; did you mean {} or {}?", *first) if len(first) > 1 else Message("; did you mean {}?", first[0])

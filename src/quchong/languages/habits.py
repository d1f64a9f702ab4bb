"""Words that people type from habit, in English and Chinese, for the values of options."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from quchong.languages.spoken import word_of_chinese

_HABITS = {
    "jsonl": "ndjson jsonlines json-lines ldjson",
    "xlsx": "excel xls workbook 表格 工作簿",
    "txt": "text plain 文本 纯文本",
    "zh": "cn chinese zh-cn zh_cn 中文 汉语 简体 简体中文",
    "en": "english en-us en_us 英文 英语",
    "dateline": "电头",
    "source": "sources 来源 出处",
    "editor": "editors 编辑 责编 责任编辑",
    "comments": "comment 评论",
    "remove": "rm del delete drop discard ignore 不看 忽略 不管 删除 删 删掉 去掉 移除 去除",
    "annotate": "mark flag tag label 标记 标注 打标",
    "keep": "保留 留下 留",
    "all": "every everything 全部 所有 都",
    "none": "no off nothing 无 不 没有 关闭",
    "exact": "same identical equal 相同 一样 完全相同 完全重复",
    "duplicate": "duplicates dup dups near-duplicate near-dup near near_duplicate fuzzy similar 转载 重复 相似 近似 近似重复",
    "contained_in": "contained contains containment subset included 包含 被包含 节选",
    "variant": "variants version versions 变体 版本",
    "partial": "overlap 部分 部分重合",
    "main": "article body fast 正文 主体",
    "accurate": "precise exact slow 精确 准确",
    "admin": "root owner administrator 管理员 管理",
    "write": "writer rw readwrite 写 读写 写入 可写",
    "read": "reader ro readonly read-only 读 只读 读取",
    "forwards": "forward retweet retweets rt 转发",
    "links": "link url urls 链接 网址",
    "hashtags": "hashtag topic topics 话题",
    "tags": "tag 标签",
    "emoji": "emojis emoticon emoticons smiley 表情 表情符号",
    "names": "mention mentions at user users 用户名 提及 艾特",
    "punctuation": "punct 标点 标点符号",
    "figure": "number numbers figures digits amount 数字 数 数值 金额",
    "date": "time dates 日期 时间",
    "person": "name names people persons 人名 人 姓名",
    "place": "location places gpe 地点 地名 地方",
    "organisation": "organization org company 机构 公司 单位 机构名",
    "code": "id codes 编号 号码 代码",
    "negation": "not 否定",
    "paragraph": "para paragraphs p 段落 段",
    "line": "lines row rows 行 按行",
    "document": "doc docs documents text 文档 整篇 篇",
    "cut": "trim strip 剪 裁剪 截短 剪裁",
    "strict": "exacting 严格 严",
    "lenient": "loose relaxed 宽松 松",
    "balanced": "default normal medium 均衡 默认 平衡",
    "loose": "lenient relaxed letters 宽松 松 字母",
    "raw": "bytes verbatim 原样 原文 字节",
    "bloom": "布隆 布隆过滤器 bloom-filter",
    "trie": "字典树 前缀树",
    "digest": "hash md5 sha1 sha256 set 摘要 哈希 散列",
    "spark": "ray dask yarn cluster distributed 集群 分布式",
    "local": "single pandas polars threads 单机 本地 本机",
    "ngram13": "gpt3 13gram 13-gram 13grams 十三元 13元",
    "ngram8": "gpt2 8gram 8-gram 8grams 八元 8元",
    "copies": "repeats repeated duplicates 重复 副本 拷贝",
    "boilerplate": "template templates header headers 样板 模板 套话",
    "same": "dup duplicate equal 相同 重复 一样",
    "different": "other distinct 不同 不重复 不一样",
    "unsure": "unknown maybe 不确定 存疑",
    "sentence": "sentences 句子 句 整句",
    "training": "train llm pretraining 训练 训练语料",
}
"""Values by the words that people try for them."""


_SHORT = 2
"""Characters up to which a word is like most words that have them."""
_LONG, _MISSPELT = 3, 0.8
"""Letters beyond which a habitual word may be misspelt, and the likeness from which on it is."""
_LEAST = 2
"""Least number of characters of a Chinese word that stands for a longer one."""
_NOT = ("不", "别", "勿", "不要")
"""Words before one that is not wanted."""


def entry_with(table: Mapping[str, str], word: str) -> str | None:
    """Return the name in a table that a word is listed under; None if it is listed nowhere."""
    return next((name for name, words in table.items() if word.lower() in words.split()), None)


def compound_entry(table: Mapping[str, str], word: str) -> str | None:
    """Return the name in a table whose listed Chinese word ends a given word; None if no listed word does.

    >>> compound_entry({"--source-key": "来源 媒体", "--per": "分组"}, "按来源分组")
    '--per'
    >>> compound_entry({"remove": "删", "annotate": "标记"}, "只标记不删")
    'annotate'
    """
    found = [
        (word.rindex(tried) + len(tried), len(tried), name)  # in Chinese what is named comes last
        for name, words in table.items()
        for tried in words.split()
        if not tried.isascii() and tried in word and not word[: word.rindex(tried)].endswith(_NOT)
    ]
    return max(found)[2] if found else _entry_containing(table, word)


def _entry_containing(table: Mapping[str, str], word: str) -> str | None:
    """Return the one table entry with a listed word that begins with the given Chinese word; None if none or several have one.

    >>> _entry_containing({"--threshold": "阈值 相似度"}, "相似"), _entry_containing({"--threshold": "相似度"}, "相")
    ('--threshold', None)
    """
    if len(word) < _LEAST or word.isascii():
        return None
    names = {name for name, words in table.items() if any(tried.startswith(word) for tried in words.split())}
    return names.pop() if len(names) == 1 else None


def value_meant(word: str, values: Iterable[str]) -> str | None:
    """Return the value that is meant by a word of another tool, of everyday speech, or of the Chinese help; None if nobody knows.

    >>> value_meant("删除", ["keep", "remove"]), value_meant("rm", ["keep"]), value_meant("数字", ["figure"]), value_meant("ALL", ["all"])
    ('remove', None, 'figure', 'all')
    """
    known, said = set(values), word.strip()
    if (plain := next((value for value in known if value.lower() == said.lower()), None)) is not None:
        return plain
    table = {value: words for value, words in _HABITS.items() if value in known}
    same = entry_with(table, said)
    if same is not None or said.isascii():
        return same
    return word_of_chinese(word, sorted(known)) or compound_entry(table, said)


def similar_values(word: str, values: Iterable[str]) -> list[str]:
    """Return up to two values that a misspelt word is like: by their own spelling, or by that of a word that people try for them.

    >>> similar_values("ndjosn", ["json", "jsonl"]), similar_values("strct", ["strict", "lenient"]), similar_values("x", ["y"])
    (['jsonl'], ['strict'], [])
    """
    known = list(values)
    tried = {one: value for value in known for one in _HABITS.get(value, "").split() if len(one) > _LONG}
    by_habit = difflib.get_close_matches(word.lower(), tried, n=1, cutoff=_MISSPELT)
    by_name = difflib.get_close_matches(word, known, n=2, cutoff=0.6 if len(word) > _SHORT else 0.75)
    if by_habit and not (by_name and _likeness(word, by_name[0]) >= _likeness(word.lower(), by_habit[0])):
        return [tried[by_habit[0]]]
    return by_name


def _likeness(left: str, right: str) -> float:
    return difflib.SequenceMatcher(None, right, left).ratio()

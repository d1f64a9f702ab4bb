"""Words that people type from habit, in English and Chinese, for the values of options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quchong.languages.spoken import word_of_chinese

_HABITS = {
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
    "duplicate": "duplicates dup dups near-duplicate near-dup similar 重复 相似 近似 近似重复",
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
    "line": "lines 行 按行",
    "document": "doc docs documents text 文档 整篇 篇",
    "cut": "trim strip 剪 裁剪 截短 剪裁",
    "strict": "exacting 严格 严",
    "lenient": "loose relaxed 宽松 松",
    "balanced": "default normal medium 均衡 默认 平衡",
    "training": "train llm pretraining 训练 训练语料",
}
"""Values by the words that people try for them."""


def entry_with(table: Mapping[str, str], word: str) -> str | None:
    """Return the name in a table that a word is listed under; None if it is listed nowhere."""
    return next((name for name, words in table.items() if word.lower() in words.split()), None)


def compound_entry(table: Mapping[str, str], word: str) -> str | None:
    """Return the name in a table of which a listed Chinese word stands last within a word; None if none does.

    >>> compound_entry({"--source-key": "来源 媒体", "--per": "分组"}, "按来源分组")
    '--per'
    """
    found = [
        (word.rindex(tried) + len(tried), len(tried), name)  # in Chinese what is named comes last
        for name, words in table.items()
        for tried in words.split()
        if not tried.isascii() and tried in word
    ]
    return max(found)[2] if found else None


def value_meant(word: str, values: Iterable[str]) -> str | None:
    """Return the value that is meant by a word of another tool, of everyday speech, or of the Chinese help; None if nobody knows.

    >>> value_meant("删除", ["keep", "remove"]), value_meant("rm", ["keep"]), value_meant("数字", ["figure"])
    ('remove', None, 'figure')
    """
    known, said = set(values), word.strip()
    table = {value: words for value, words in _HABITS.items() if value in known}
    same = entry_with(table, said)
    if same is not None or said.isascii():
        return same
    return word_of_chinese(word, sorted(known)) or compound_entry(table, said)

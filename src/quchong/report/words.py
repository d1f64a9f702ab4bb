"""Words of the notebook views in English and Chinese; English keeps the tables' names of relations, kinds and rules."""

from __future__ import annotations

from typing import Any

from quchong.languages import Language, Message, speaking, translated
from quchong.relations import BY_NAME
from quchong.report.markup import Html, markup

_WORDS = {
    "lead": ("{:,} documents read, {:,} kept, {:,} removed", "读入 {:,} 篇文档，保留 {:,} 篇，删除 {:,} 篇"),
    "read": ("read", "读入"),
    "reference": ("compared against", "对照语料"),
    "kept": ("kept", "保留"),
    "removed": ("removed", "删除"),
    "variants": ("pairs of variants kept", "保留的变体对"),
    "counted": ("{}, {}", "{}（{}）"),
    "skipped": ("skipped (bad records)", "跳过的记录"),
    "without_text": ("without text", "没有文本"),
    "unscored": ("too short to compare", "过短未比较"),
    "clusters": ("biggest clusters", "最大的重复簇"),
    "documents": ("{:,} documents", "{:,} 篇"),
    "alarm": ("Alarm", "警报"),
    "note": ("Note", "提示"),
    "scores": ("Jaccard of the listed pairs", "列出的文档对的杰卡德相似度"),
    "pairs": ("pairs", "对数"),
    "bar": ("{0} to {1}: {2} {3:,}", "{0} 至 {1}：{2} {3:,} 对"),
    "copies": ("{:,} pairs of exact copies are not drawn", "另有 {:,} 对完全重复，未画出"),
    "no pairs": ("No pair to draw.", "没有可画的文档对。"),
    "went": ("{} was removed: ", "{} 已删除："),
    "stays": ("{} was kept", "{} 已保留"),
    "pair": ("{} and {}: ", "{} 与 {}："),
    "unlisted": ("not listed as a pair, they share less than the floor of the run", "相同之处低于本次运行的下限，未列为一对"),
    "of a roundup": (", a roundup of {} articles", "（收有 {} 篇的综述）"),
    "roundup": ("It is a roundup of {} articles.", "它是综述，收有 {} 篇。"),
    "overruled": ("The policy prefers it, but a contained document is removed whatever the policy.",
                  "按保留策略本应优先保留它，但被包含的文档不论策略一律删除。"),
    "why.protected": ("it is protected, so it is never removed", "它受保护，不会删除"),
    "why.reference": ("it belongs to the corpus compared against, which is never changed", "它属于对照语料，对照语料不作改动"),
    "why.first": ("it is contained in a later document, but was published first", "它包含于一篇后发的文档，因首发而保留"),
    "why.restored": ("the run removed it, and it was put back since", "运行时曾删除，事后已恢复"),
    "why.overturned": ("a person overturned its removal", "人工复核撤销了对它的删除"),
    "why.empty": ("it has no text, and is compared with nothing", "它没有文本，不参与比较"),
    "why.unscored": ("it is too short to be compared, so only an exact copy of it would be removed",
                     "它太短，不参与比较，只有完全重复才会删"),
    "why": (": {}", "：{}"),
    "members": ("{:,} removed for its sake: {}", "因它而删的有 {:,} 篇：{}"),
    "more": ("and {:,} more", "另有 {:,} 个"),
    "unread": ("{} was skipped: it could not be read", "{} 已跳过：读不了"),
    "line": ("{}, line {} (record {:,}): {}", "{} 第 {} 行（第 {:,} 条记录）：{}"),
    "record": ("{} (record {:,}): {}", "{}（第 {:,} 条记录）：{}"),
    "unconfirmed": ("{} was removed without a survivor: {}", "{} 已删除，没有保留者：{}"),
    "unconfirmed.why": ("The filter of exact repeats reported its text as seen, but no equal text came before it. Such filters make "
                        "this mistake at a stated rate. quchong restore puts it back.",
                        "首现过滤报告这段文本出现过，但前面并没有相同的文本。"
                        "这类过滤器会以给定的概率出这种错。用 quchong restore 可以恢复。"),
    "jaccard": ("Jaccard {:.3f}", "杰卡德相似度 {:.3f}"),
    "inside": ("{:.1f}% of {} is in {}", "{1} 的 {0:.1f}% 在 {2} 里"),
    "rule": ("rule: {}", "判定规则：{}"),
    "threshold": ("rule: {} (threshold {:.6g})", "判定规则：{}（阈值 {:.6g}）"),
    "ratio": ("fewer features / more (CLR): {:.3g}", "特征数之比（少 / 多，CLR）：{:.3g}"),
    "evidence": ("rule: {} ({:.6g}, threshold {:.6g})", "判定规则：{}（依据 {:.6g}，阈值 {:.6g}）"),
    "newer": ("It is newer than the other.", "它比另一篇新。"),
    "older": ("It is not newer than the other.", "它不比另一篇新。"),
    "facts": ("facts in conflict: {}", "有冲突的事实：{}"),
    "differences": ("Differences", "差异"),
    "difference": ("{}: {} → {}", "{}：{} → {}"),
    "conflict": ("conflict", "冲突"),
    "nothing": ("nothing", "无"),
    "passages": ("shared passages: {:,}", "公共片段：{:,} 处"),
    "shared": ("shared", "共有"),
    "near": ("shared, reworked", "共有，有改写"),
    "unreadable": ("The texts cannot be read: they were moved or changed, or are not in the run folder.",
                   "读不到文本：文件已移走或改动，或者不在运行目录中。"),
    "before": ("({:,} characters before) … ", "（前面 {:,} 个字符）… "),
    "after": (" … ({:,} characters more)", " …（后面还有 {:,} 个字符）"),
    "empty": ("(empty)", "（空）"),
    "other": ("Other listed pairs of this document", "这篇文档的其他文档对"),
    "listed": ("Listed pairs of this document", "这篇文档的文档对"),
    "column.relation": ("relation", "关系"),
    "column.jaccard": ("Jaccard", "相似度"),
    "column.rule": ("rule", "判定规则"),
    "column.document": ("document", "文档"),
    "column.inside": ("of this document in it", "本篇在其中的比例"),
    "column.differs": ("differs in", "差异"),
}  # fmt: skip
_RULES = {
    "equal normal form": "规范形式相同", "containment": "包含度达标", "both containments": "双向包含度达标", "jaccard": "相似度达标",
    "aligned": "对齐达标", "short, only added": "短文本，仅有增删", "below the thresholds": "未达阈值", "other words": "用词不同",
    "short, other words": "短文本，用词不同", "facts differ": "事实有冲突", "numbers differ": "数字不同", "name swapped": "名称被替换",
    "beyond the distance": "超出距离", "bloom filter, unconfirmed": "布隆过滤器，未经核实",
    "digit trie, unconfirmed": "数字树过滤器，未经核实", "hamming": "海明距离达标",
}  # fmt: skip


def told(language: Language, key: str, *values: Any) -> Html:
    """Format a catalogue message for HTML; values are escaped.

    >>> told("zh", "stays", "a<b")
    'a&lt;b 已保留'
    """
    return markup(_WORDS[key][language == "zh"], *values)


def message_told(language: Language, message: Message, *values: Any) -> Html:
    """Format a message that was made without values for HTML, in a language; values are escaped."""
    with speaking(language):
        return markup(translated(message.template, message.context), *values)


def relation_told(language: Language, relation: str) -> Html:
    """Return the word for a relation; an unknown relation is returned escaped, otherwise unchanged."""
    known = BY_NAME.get(relation)
    return message_told(language, known.words.listed) if known else markup("{}", relation)


def rule_told(language: Language, rule: str | None) -> Html:
    """Return the word for a rule; English keeps the tables' name, and a method's own rule is returned unchanged."""
    if not rule:
        return Html("")
    return markup("{}", _RULES.get(rule, rule) if language == "zh" else rule)

"""Words of the inspection views in English and Chinese."""

from __future__ import annotations

import html
from typing import Any

from quchong.languages import Language
from quchong.report.differing import facts_in_words
from quchong.report.visible import Shown, compose, named
from quchong.report.words import relation_told, rule_told

WORDS = {
    "one": ("What {} sees in {}", "{} 方法眼中的 {}"),
    "two": ("What {} sees in {} and {}", "{} 方法眼中的 {} 与 {}"),
    "counted.run": ("frequencies and noise are those of the run", "词频和噪声取自本次运行的全部文档"),
    "counted.shown": (
        "counted on what is shown alone, not on a corpus: frequencies, noise and scores of a run can differ",
        "统计量只取自这里的文档，没有语料：词频、噪声和分值可能与实际运行不同",
    ),
    "characters": ("{}: {:,} characters", "{}：{:,} 个字符"),
    "name": ("{}: ", "{}："),
    "seen": ("{:,}", "{:,} 个"),
    "seen.some": ("{:,} of {:,} count", "{1:,} 个中计入 {0:,} 个"),
    "common": (", {:,} in both", "，两篇共有 {:,} 个"),
    "none": ("none", "无"),
    "no signature": ("no signature: too little to make one", "没有签名：内容太少"),
    "more": ("... and {:,} more", "……另有 {:,} 个"),
    "legend": ("= in both", "= 两篇共有"),
    "legend.left": ("- left out: {}", "- 不计：{}"),
    "between": ("; ", "；"),
    "list": (", ", "，"),
    "left": ("left out: {}", "不计：{}"),
    "both": ("in both", "共有"),
    "string": ("string: {}", "串：{}"),
    "agree.bits": ("{:,} of {:,} bits agree; ^ differs", "{1:,} 位中 {0:,} 位相同；^ 处不同"),
    "agree.values": ("{:,} of {:,} values agree ({:.3f})", "{1:,} 个值中 {0:,} 个相同（{2:.3f}）"),
    "agree.bands": ("; {:,} of {:,} bands of {:,} agree: {}", "；{1:,} 段（每段 {2:,} 个值）中 {0:,} 段相同：{3}"),
    "agree.yes": ("equal", "相同"),
    "agree.no": ("different", "不同"),
    "bits": ("{:,} bits", "{:,} 位"),
    "values": ("{:,} values, beginning {}", "{:,} 个值，开头是 {}"),
    "steps": ("On the way to the decision", "判定过程"),
    "step": ("test", "检查"),
    "value": ("measured", "实测"),
    "needed": ("needed", "要求"),
    "outcome": ("passed", "通过"),
    "passed": ("yes", "是"),
    "failed": ("no", "否"),
    "told": ("", ""),
    "at_least": ("at least {}", "至少 {}"),
    "at_most": ("at most {}", "至多 {}"),
    "decision": ("decision: {} is to {}: {} ({})", "结论：{0} 对 {1}：{2}（{3}）"),
    "undecided": ("decision: none ({2})", "结论：无关系（{2}）"),
    "differs": ("differs in: {}", "差异：{}"),
    "passages": ("passages its rule counts, or that both share: {:,}", "判定规则计入的（或两篇共有的）公共片段：{:,} 处"),
    "parameters": ("Parameters", "参数"),
    "parameter": ("parameter", "参数"),
    "number": ("no.", "序号"),
    "said": ("feature", "特征"),
    "title.page": ("What {} sees", "{} 看到的内容"),
    "language": ("Language", "语言"),
    # What is seen.
    "sight.shingles": ("shingles", "词元片段"),
    "sight.anchors": ("anchors (shingles that winnowing selects)", "锚点（筛选出的词元片段）"),
    "sight.other keys": ("other keys: sets of rare bigrams of short documents", "其他键：短文档的稀有二元组"),
    "sight.keys": ("keys", "键"),
    "sight.tokens": ("tokens", "词元"),
    "sight.digest": ("digest of the normal form", "规范形式的摘要值"),
    "sight.minhash": ("MinHash signature", "MinHash 签名"),
    "sight.bits": ("signature of bits", "位签名"),
    "sight.super": ("super-shingles", "超片段"),
    "sight.labels": ("labels of the prefix trees", "前缀树标签"),
    "sight.coordinates": ("signature, one value a lexicon", "签名（每个词典一个值）"),
    "sight.stops": ("features of full stops", "句号特征"),
    "sight.spots": ("spot signatures (antecedent and chain)", "先行词特征（先行词与词链）"),
    "sight.lengths": ("sentence lengths in terms", "句长（词数）"),
    "sight.windows": ("windows of sentence lengths", "句长窗口"),
    "sight.chunks": ("chunks of sentences", "句子分块"),
    "sight.signed": ("sentences with a signature", "带签名的句子"),
    "sight.fingerprints": ("fingerprints", "指纹"),
    "sight.runs": ("runs of the least length of a tile", "最短匹配长度的词元串"),
    "sight.substrings": ("substrings", "子串"),
    "sight.prefix": ("prefix: the rarest shingles", "前缀：最稀有的词元片段"),
    "sight.address": ("address in its one form", "规范网址"),
    "sight.words": ("words of the paths", "路径用词"),
    "sight.paths": ("nodes of the tree of paths", "语料树节点"),
    "sight.terms": ("terms", "词项"),
    "sight.title": ("title", "标题"),
    "sight.keywords": ("keywords", "关键词"),
    "sight.tree": ("structure tree: a node a line", "正文结构树（每行一个节点）"),
    "sight.blocks": ("blocks", "文本块"),
    "sight.sentences.tree-long-sentence": ("sentences; the longest of each node count", "句子（每个节点取长句）"),
    "sight.sentences.tree-key-sentence": ("sentences; key sentences count", "句子（计入关键句）"),
    "sight.sentences.tree-feature-string": (
        "sentences; first and last character of those with a frequent mark count", "句子（含高频标点的句子取首尾汉字）"),
    # Why something seen is left out.
    "why.unselected": ("not selected", "未选中"),
    "why.noise": ("noise: the site's own text", "噪声：网站自身文字"),
    "why.band": ("outside the band of rarity, or too few in the document", "频率不在取值带内，或全篇太少"),
    "why.lexicon": ("not in the lexicon, or too few in the document", "不在词典内，或全篇太少"),
    "why.few": ("too few in the document", "全篇太少"),
    "why.too long": ("too long, or alone between such", "过长，或夹在过长句之间"),
    "why.few sentences": ("the document has too few sentences", "全篇句子太少"),
    "why.stop words": ("stop words", "停用词"),
    "why.nothing": ("known by nothing", "没有特征"),
    # Figures of features.
    "figure.tokens": ("tokens", "词元数"),
    "figure.terms": ("terms", "词数"),
    "figure.depth": ("depth", "深度"),
    "figure.node": ("node", "节点"),
    "figure.block": ("block", "块"),
    "figure.sentences": ("sentences", "句数"),
    # Tests and figures of a pair.
    "gate.equal": ("equal in normal form", "规范形式相同"),
    "gate.compared": ("long enough to be compared", "长度够比较"),
    "gate.met": ("become candidates in a run of these two", "只有这两篇时成为候选对"),
    "gate.met.keys": ("keys in common; become candidates in a run of these two", "相同的键；只有这两篇时成为候选对"),
    "gate.floor.jaccard": ("floor of listing: Jaccard", "列出下限：相似度"),
    "gate.floor.containment": ("or the larger containment", "或较大的包含度"),
    "gate.floor.covered": ("floor of listing: the larger coverage", "列出下限：较大的覆盖率"),
    "gate.tokens": ("tokens of the shorter", "较短一篇的词元数"),
    "gate.width": ("tokens of a shingle", "片段的词元数"),
    "gate.containment.left": ("containment of the first in the second", "前者在后者中的包含度"),
    "gate.containment.right": ("containment of the second in the first", "后者在前者中的包含度"),
    "gate.jaccard": ("Jaccard", "杰卡德相似度"),
    "gate.aligned": ("aligned share of both", "两篇的对齐比例"),
    "gate.unexplained": ("other words, no noise", "不同的词（噪声除外）"),
    "gate.numbers": ("guard: no numbers in conflict", "防误删检查：没有冲突的数字"),
    "gate.names": ("guard: no name swapped", "防误删检查：名称没有被替换"),
    "gate.facts": ("no facts in conflict", "没有冲突的事实"),
    "gate.distance": ("bits that differ", "不同的位数"),
    "gate.size.left": ("size of the first", "前者的特征数"),
    "gate.size.right": ("size of the second", "后者的特征数"),
    "gate.inside": ("containment of the smaller set", "较小集合的包含度"),
    "gate.clr": ("CLR: fewer features / more; duplicate from here on, else contained", "CLR：特征数之比；达到为近似重复，否则为包含"),
    "gate.super": ("super-shingles in common", "相同的超片段"),
    "gate.covered.left": ("coverage of the first", "前者的覆盖率"),
    "gate.covered.right": ("coverage of the second", "后者的覆盖率"),
    "gate.title": ("titles alike", "标题相似度"),
    "gate.keywords": ("keywords alike", "关键词重合度"),
    "gate.layer": ("score of layer {}", "第 {} 层得分"),
    "gate.evidence": ("what its rule looks at", "判定依据"),
    "gate.evidence.ccdet": ("CCS: features in common / those of the smaller", "CCS：共有特征 / 较少一篇的特征"),
    "gate.evidence.shingling": ("resemblance of the shingle sets", "片段集合的相似度"),
    "gate.evidence.spotsigs": ("multiset Jaccard of spot signatures", "先行词特征的多重集相似度"),
    "gate.evidence.codet": ("larger containment by weight", "较大的加权包含度"),
    "gate.evidence.imatch": ("coordinates that agree", "相同的签名数"),
    "gate.evidence.imatch-random": ("coordinates that agree", "相同的签名数"),
    "gate.evidence.imatch-s": ("coordinates that agree", "相同的签名数"),
    "gate.evidence.imatch-p": ("coordinates that agree", "相同的签名数"),
    "gate.evidence.lsh": ("Jaccard of the shingles", "片段的杰卡德相似度"),
    "gate.evidence.lsh-s": ("Jaccard of the spot signatures", "先行词特征的杰卡德相似度"),
    "gate.evidence.lsh-p": ("Jaccard of the features of full stops", "句号特征的杰卡德相似度"),
    "gate.evidence.lsh-forest": ("Jaccard of the shingles", "片段的杰卡德相似度"),
    "gate.evidence.hamming-lsh": ("Jaccard of the shingles", "片段的杰卡德相似度"),
    "gate.evidence.simhash": ("share of equal bits", "相同位的比例"),
    "gate.evidence.random-projection": ("share of equal bits", "相同位的比例"),
    "gate.evidence.henzinger": ("share of equal bits", "相同位的比例"),
    "gate.evidence.tree-long-sentence": ("score of all layers", "各层总得分"),
    "gate.evidence.tree-key-sentence": ("score of all layers", "各层总得分"),
    "gate.evidence.tree-feature-string": ("score of all layers", "各层总得分"),
    "gate.evidence.url": ("equal address", "网址相同"),
    "gate.evidence.feature-code": ("share of equal codes", "相同特征码的比例"),
    "gate.evidence.cluster": ("cosine of both", "两篇的余弦相似度"),
    "gate.evidence.sl-st": ("sentences in blocks, as a share of both", "块内句子占两篇的比例"),
    "gate.evidence.sl": ("Jaccard of the windows", "窗口的杰卡德相似度"),
    "gate.evidence.cops": ("Jaccard of the chunks", "分块的杰卡德相似度"),
    "gate.evidence.partial": ("lesser share of sentences in runs", "成串句子的较小比例"),
    "gate.evidence.mdr": ("lesser share in common runs", "公共串的较小覆盖率"),
    "gate.evidence.yap3": ("tokens in tiles, as a share of both", "匹配块词元占两篇的比例"),
    "gate.evidence.winnowing": ("Jaccard of the fingerprints", "指纹的杰卡德相似度"),
    "gate.evidence.sif": ("lesser share of fingerprints", "指纹的较小比例"),
    "gate.evidence.koala": ("lesser share of stored substrings", "存入子串的较小比例"),
    "gate.evidence.dscam": ("lesser share of words used equally often", "同频词的较小比例"),
    "gate.evidence.kmatch": ("overlap of the keywords", "关键词的重合比例"),
    "gate.evidence.graph": ("likeness of words and their neighbours", "词与邻词的相似度"),
    "gate.evidence.check": ("lesser share of words in common sentences", "共有句子所含词的较小比例"),
    "gate.evidence.block-digest": ("lesser share of tokens in common blocks", "共有文本块所含词元的较小比例"),
    "gate.evidence.scam": ("lesser share of words used equally often", "同频词的较小比例"),
    "gate.evidence.lcs": ("share of the longer document", "占较长一篇的比例"),
    "gate.evidence.ppjoin": ("Jaccard of the shingles", "片段的杰卡德相似度"),
    "gate.evidence.ppjoin+": ("Jaccard of the shingles", "片段的杰卡德相似度"),
}  # fmt: skip


def said(language: Language, key: str, *values: Any) -> Shown:
    """Fill a message with values, which are escaped for a terminal."""
    return compose(WORDS[key][language == "zh"], *values)


def called(language: Language, kind: str, key: str) -> Shown:
    """Return the name of a sight, figure, reason or test; the key itself for one of another package's method."""
    if kind == "gate" and key.startswith("layer "):
        return said(language, "gate.layer", int(key.removeprefix("layer ")))
    for known in (f"{kind}.{key}", f"{kind}.{key.split('.')[0]}"):
        if known in WORDS:
            return said(language, known)
    return named(key)


def relation_said(language: Language, relation: str) -> Shown:
    """Return the word for a relation; English keeps the tables' name."""
    return named(html.unescape(relation_told(language, relation)) if language == "zh" else relation)


RULES = {
    "below the floor": "低于列出下限", "too short to be compared beyond equality": "过短，只看是否完全相同", "not equal": "不相同",
    "below the threshold": "未达阈值", "below the rule": "未达判定要求", "ccs": "CCS 达标", "blocks of sentences": "句块达标",
    "sentence lengths": "句长达标", "chunks": "分块达标", "runs of sentences": "成串句子达标", "layers of long sentences": "长句分层达标",
    "layers of key sentences": "关键句分层达标", "layers of feature strings": "特征串分层达标", "equal address": "网址相同",
    "equal codes": "特征码达标", "cosine in a cluster": "簇内余弦达标", "contain": "包含度达标",
}  # fmt: skip
"""Rules of single methods in Chinese; other rules are in `quchong.report.words`."""


def rule_said(language: Language, rule: str) -> Shown:
    """Return the word for a rule; an unknown rule is returned under its own name."""
    if language == "zh" and rule in RULES:
        return named(RULES[rule])
    return named(html.unescape(rule_told(language, rule)))


def value_said(language: Language, what: str, value: float | str | None) -> Shown:
    """Format a measured value: a count, a share with three digits, or kinds of facts; empty for None."""
    if value is None:
        return Shown("")
    if isinstance(value, str):
        kinds = [kind for kind in value.split(", ") if kind]
        return facts_in_words(kinds, language) if kinds else said(language, "none")
    if float(value).is_integer() and (abs(value) > 1 or what in COUNTS):
        return compose("{:,}", int(value))
    return compose("{:.3f}", value)


COUNTS = frozenset(
    ("met.keys", "tokens", "width", "numbers", "names", "unexplained", "distance", "size.left", "size.right", "super",
     "evidence.imatch", "evidence.imatch-s", "evidence.imatch-p", "evidence.imatch-random", "evidence.url")
)  # fmt: skip
"""Tests whose values are counts instead of shares."""

"""Who acts and on whom: an active and a passive sentence about the same two, such as sued and was sued by, 起诉了甲 and 被甲起诉."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.edit_tokens import PASSIVE, EditTokens
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.negation import stems_of
from quchong.differences.stretches import Stretches
from quchong.kernels.text import TextTables, word_hash
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

LONGEST = 12
"""Most tokens of an edit that turns a sentence: 被 and who acts."""
VERB = 4
"""Most tokens of the verb between two edits, and most characters of it that are read behind one."""
_BE = "(?:is|are|was|were|be|been|being|got|gets|get)"
_PUT_IN = lazy_pattern(rf"(?:(?:has|have|had|will|would|to) )?{_BE}")
_BY = lazy_pattern(rf"(?:(?:has|have|had|will|would|to) )?{_BE} (?P<verb>[a-z]+) by")
_AGENT = lazy_pattern("(?:被|遭到|遭|受到)(?P<who>[\u3400-\u9fffA-Za-z0-9·]+)")
_OBJECT = lazy_pattern("[了过着]?(?P<who>[\u3400-\u9fffA-Za-z0-9·]+)")
_ROLE = lazy_pattern(
    "(?:收购|并购|担保|保险|保证|告|申请|执行|害|上诉|监护|选举|代理|投资|教唆|抚养|赡养|继承|委托|授权|处罚|举报|投诉|监督|管理|采访|调查|审计|检查|检测|评估|考核"
    "|服务|许可|抵押|追偿|救助|起诉|控告|侵权|侵害|剥削|统治|压迫|征收|拆迁|雇佣|推荐|提名|控制|援助|审查|监管)(?:[方人者国]|单位|公司|企业|对象)"
)
"""Word for one of two parties, of which 被 makes the other one."""
_ROLES = 5
"""Characters behind 被 in which a word for somebody ends."""


@cache
def passive_tokens(tables: TextTables) -> np.ndarray:
    """Return the sorted tokens of passive markers (by, 被, 遭, 受); an edit without any of them cannot turn a sentence."""
    return np.array(sorted((*map(ord, "被遭受"), word_hash(tables, "by") | WORD_TOKEN)), np.uint32)


def turned_passive(
    documents: Documents,
    left: np.ndarray,
    right: np.ndarray,
    edits: Edits,
    stretches: Stretches,
    listed: EditTokens,
) -> np.ndarray:
    """Return a mask of the edits that exchange who acts and who is acted on: 甲打了乙, 甲被乙打了.

    English: a form of "to be" and "by" are put in around a verb, or stand beside it in the place of the verb alone. Chinese: 被 with
    somebody is put in before a verb, behind which the same one is taken away; or 被 alone before a word such as 收购方.

    Args:
        left, right: int64, documents of each pair.
        listed: listed tokens of the edits.

    Cost: the texts of pairs that have such a token in a short edit are read.
    """
    out = np.zeros(len(edits.pair), bool)
    if not listed.every & PASSIVE:
        return out
    for side, one, text_of in ((left, 0, stretches.left), (right, 2, stretches.right)):
        sizes, others = (edits.a, edits.b) if one == 0 else (edits.b, edits.a)
        lists = listed.left if one == 0 else listed.right
        some = ((lists & PASSIVE) != 0) & (sizes <= LONGEST) & (others <= LONGEST)
        for k in some.nonzero()[0].tolist():
            other_text = stretches.right if one == 0 else stretches.left
            mine, theirs = text_of[k].as_py(), other_text[k].as_py()
            text = documents.texts.text(int(side[edits.pair[k]]))
            end = int(stretches.places[k, one + 1])
            beside = [j for j in (k - 1, k + 1) if 0 <= j < len(out) and edits.pair[j] == edits.pair[k]]
            if others[k] and mine == "被":
                # 起诉了甲 and 被甲起诉, where 甲 is what both have alike.
                verb = theirs.rstrip("了过着")
                moved = [j for j in beside if verb and text_of[j].as_py() == verb and not other_text[j].as_py()]
                out[[k, *moved]] = bool(moved) or theirs in ("把", "将")
            elif others[k] and mine.startswith("被"):
                out[k] = _turned_at_once(mine, theirs)
            elif others[k]:
                found = _BY.fullmatch(mine.lower())
                out[k] = found is not None and stems_of([found["verb"]]) == stems_of([theirs.lower()])
            elif mine == "被":
                role = _ROLE.match(text[end : end + _ROLES])
                out[k] = role is not None
            else:
                for j in beside:
                    gap = edits.places[max(j, k), one] - edits.places[min(j, k), one + 1]
                    if 0 < gap <= VERB and _turned(mine, text_of[j].as_py(), other_text[j].as_py(), before=j < k):
                        out[[j, k]] = True
    return out


_BRIEF = 4
"""Most characters of a verb."""


def _turned_at_once(passive: str, active: str) -> bool:
    """Return True if one stretch has somebody and a verb in the passive, the other the same in the active: 被甲殴打, 殴打了甲."""
    rest = passive[1:].rstrip("了过着")
    for size in range(1, min(_BRIEF, len(rest) - 1) + 1):
        who, verb = rest[:-size], rest[-size:]
        if active.startswith(verb) and active[size:].lstrip("了过着") == who:
            return True
    return False


def _turned(put_in: str, mine: str, theirs: str, *, before: bool) -> bool:
    """Return True if an inserted text and the edit next to it, across a verb, exchange who acts and who is acted on.

    Args:
        put_in: what one side has and the other lacks: by, 被甲.
        mine, theirs: the edit beside it, on the same side and on the other one.
    """
    if put_in.lower() == "by":
        return before and not theirs and _PUT_IN.fullmatch(mine.lower()) is not None
    agent, thing = _AGENT.fullmatch(put_in), _OBJECT.fullmatch(theirs)
    return not before and not mine and agent is not None and thing is not None and agent["who"] == thing["who"]

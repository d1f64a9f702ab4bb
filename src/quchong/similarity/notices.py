"""Notices recognised by their words: licences, disclaimers, and footers of letters and web pages.

A block at the head or foot of documents of like size may be a licence above short modules, or an article below different headlines.
Counting cannot tell them apart. The words of a notice can: of these at least LEAST are in it, and they are DENSE (docs/decisions/0316).
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from quchong.kernels.arrays import Texts
from quchong.patterns import lazy_pattern

LEAST, DENSE = 3, 1 / 80
"""Least number of different words of notices in a notice, and least number for each of its tokens."""
_WORDS = (
    # Licences of programs.
    r"copyrights?\b|\(c\)|©",
    r"all rights (?:are )?reserved",
    r"licen[cs](?:e|es|ed|ing|or|ors|ee)\b|spdx",
    r"permissions?\b|permitted\b",
    r"warrant(?:y|ies|s)\b|as is\b",
    r"liab(?:le|ility|ilities)\b",
    r"damages\b|any loss|losses",
    r"redistribut\w+|distribut(?:e|ed|ion) (?:in|of|this|the|under)|sublicense",
    r"merchantability|fitness for a particular",
    r"(?:this|the above) (?:copyright )?notice|above notice|notices?\b (?:must|shall|stays|and this)",
    r"provided that|subject to the following|in compliance with",
    r"infring\w+|trademarks?\b",
    r"endorse or promote|to advertise\b|without (?:specific )?prior (?:written )?(?:permission|consent)",
    # Letters.
    r"confidential\w*|privileged\b",
    r"intended (?:only |solely )?(?:for|recipient)|recipients?\b|addressee",
    r"unauthori[sz]ed|strictly prohibited",
    r"(?:e-?mail|message) and any attachments?|any attachments?",
    r"notify the sender|immediately notify|received this (?:e-?mail|message) in error",
    r"disclaimers?\b|views? (?:or opinions )?expressed|do(?:es)? not (?:necessarily )?(?:represent|reflect|constitute)",
    r"unsubscribe|privacy policy|terms of (?:use|service)",
    # Chinese: letters, web pages, licences.
    "本邮件|本信件|本电子邮件",
    "收件人|收信人|接收人",
    "保密|机密",
    "附件",
    "披露|泄露",
    "发件人|发送人",
    "免责|不承担任?何?(?:法律)?责任|概不负责|不负任何责任",
    "不代表(?:本[站公网]|公司|本台|平台)|仅代表(?:作者|发件人|个人)|不代表.{0,6}(?:立场|观点)",
    "不构成.{0,8}(?:要约|承诺|建议|依据)",
    "版权|著作权|知识产权",
    "未经.{0,8}(?:授权|许可|同意)|书面(?:授权|许可|同意)",
    "侵权|侵犯",
    "转载|注明出处|注明来源",
    "保留.{0,6}权利|最终解释权",
    "仅供参考|风险自[担负]|投资有风险",
    "指定的收件|误收|立即通知|彻底删除|请联系(?:我们|删除)",
    "许可(?:证|协议)|开源协议|按原样",
    "损失",
    # German, French, Spanish.
    r"vertraulich\w*|empfänger\b|haftung\b|urheberrecht\w*|alle rechte vorbehalten",
    r"confidentiel\w*|destinataire\w*|responsabilité|droits réservés|droits d.auteur",
    r"confidencial\w*|destinatario\w*|responsabilidad\b|derechos reservados|derechos de autor",
)  # fmt: skip
_FREQUENT = (
    "copyright|licence|license|liab|warrant|confident|recipient|disclaim|unsubscribe|reserved|permission"
    "|邮件|收件人|免责|责任|版权|侵权|转载|授权|许可|保密|vertraulich|haftung|urheberrecht|confidencial|destinata|responsab"
)
"""Words of which every notice has at least one; texts without them are not looked at further."""
_FREQUENT_WORDS, _FREQUENT_PATTERN = _FREQUENT.split("|"), lazy_pattern(_FREQUENT, re.I)
_OTHER_CASES = lazy_pattern("[\u0130\u0131\u017f\u212a]")
"""Letters that are some of these in another case for a pattern, and not in small letters: İ and ı, ſ, the sign of Kelvin."""


def _has_frequent(text: str) -> bool:
    """Return True if a text has a word of _FREQUENT, ignoring case; a quick test before the patterns."""
    if _has_other_cases(text):
        return _FREQUENT_PATTERN.search(text) is not None
    small = text.lower()
    return any(word in small for word in _FREQUENT_WORDS)


def _has_other_cases(text: str) -> bool:
    return not text.isascii() and _OTHER_CASES.search(text) is not None


@cache
def _patterns(flags: int) -> tuple[re.Pattern[str], ...]:
    """Return the compiled patterns of all words of notices, with these flags of `re`."""
    return tuple(re.compile(one, flags) for one in _WORDS)


def words_of_notices(text: str) -> int:
    """Return the number of distinct words of notices in a text.

    Example:
        >>> words_of_notices("Copyright (c) Ann. Provided as is, without warranty; no liability for damages.")
        4
    """
    if not _has_frequent(text):
        return 0
    flat = " ".join(text.replace("#", " ").replace("//", " ").replace("*", " ").split())
    # Patterns that ignore case take twice as long or more.
    if _has_other_cases(text):
        return sum(one.search(flat) is not None for one in _patterns(re.I))
    small = flat.lower()
    return sum(one.search(small) is not None for one in _patterns(0))


def are_notices(texts: Texts, tokens: np.ndarray) -> np.ndarray:
    """Return a mask of the texts that are mostly a notice, given the number of tokens of each.

    Cost: reads each text once, and those with a frequent word of notices once for each kind of words.
    """
    found = np.fromiter((words_of_notices(texts.text(k)) for k in range(len(texts))), np.int64, len(texts))
    mask: np.ndarray = (found >= LEAST) & (found >= DENSE * tokens)
    return mask

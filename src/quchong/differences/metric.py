"""Metric units with prefixes, in Chinese, in English and as symbols: 毫克, milligram and mg are a thousandth of 克."""

from __future__ import annotations

_PREFIXES = {
    "n": (1e-9, "纳", "nano"), "u": (1e-6, "微", "micro"), "m": (1e-3, "毫", "milli"), "c": (1e-2, "厘", "centi"), "d": (0.1, "分", "deci"),
    "h": (100.0, "百", "hecto"), "k": (1e3, "千", "kilo"), "M": (1e6, "兆", "mega"), "G": (1e9, "吉", "giga"), "T": (1e12, "太", "tera"),
    "P": (1e15, "拍", "peta"),
}  # fmt: skip
"""Factor of each prefix, and its Chinese and English form, by its symbol."""
_MEASURES = """
米 1 米 metre=meter m numcdk
公斤 0.001 克 gram=gramme g numk
升 1 升 litre=liter l umcdh
瓦 1 瓦=瓦特 watt w kMGT
瓦时 1 瓦时=瓦小时 watt_hour wh kMGT
伏 1 伏=伏特 volt v k
安 1 安培 amp=ampere a m
安时 1 安时 - ah m
赫 1 赫兹 - hz kMG
焦 1 焦耳 joule j kM
帕 1 帕斯卡 pascal pa hkM
卡 1 - calorie cal k
摩尔 1 摩尔 - mol num
分钟 0.016666666666666666 秒 second s num
字节 1 字节 byte b kMGTP
比特 1 比特 bit - kMGT
比特每秒 1 - - bps kMG
"""
"""One measure a line: base unit, factor to it, the unit in Chinese, in English and as a symbol (- for none), and the prefixes it takes.
Texts are in lower case, so that a measure takes either m or M.
"""
_BINARY = ("字节", "比特", "比特每秒")
"""Measures whose prefixes are powers of 1024."""
_SHORT = {"安": "毫微千", "赫": "千兆吉", "焦": "千兆", "帕": "百千兆", "卡": "千大"}
"""Units of one character that are another word unless one of these prefixes precedes."""
_OTHER = frozenset(("us", "pa", "ah", "cal"))
"""Symbols that are more often other words."""


def metric_units() -> dict[str, tuple[str, float]]:
    """Return the base unit and factor of each metric unit as texts write it, in lower case; symbols of one letter are omitted."""
    out: dict[str, tuple[str, float]] = {"mcg": ("公斤", 1e-9), "大卡": ("卡", 1e3), "千瓦·时": ("瓦时", 1e3)}
    for line in filter(None, _MEASURES.split("\n")):
        base, own, han, english, sign, prefixes = line.split()
        out |= dict.fromkeys(_written("", "", "", han, english, sign), (base, float(own)))
        for prefix in prefixes:
            factor, chinese, latin = _PREFIXES[prefix]
            if base in _BINARY:
                factor = 1024.0 ** (1 + "kMGTP".index(prefix))
            # Short forms such as 毫安 are allowed only with listed prefixes, because 安 alone begins other words.
            short = [chinese + base] if chinese in _SHORT.get(base, "") else []
            out |= dict.fromkeys(
                (*short, *_written(prefix.lower(), chinese, latin, han, english, sign)), (base, float(own) * factor)
            )
    micro = {"μ" + unit[1:]: value for unit, value in out.items() if unit in ("um", "ug", "ul", "umol")}
    return {unit: value for unit, value in (out | micro | {"μs": ("分钟", 1e-6 / 60)}).items() if unit not in _OTHER}


def _written(letter: str, chinese: str, latin: str, han: str, english: str, sign: str) -> list[str]:
    """Return the spellings of a unit with one prefix."""
    words = [chinese + unit for unit in han.split("=") if unit != "-"]
    words += [latin + unit + plural for unit in english.split("=") if unit != "-" for plural in ("", "s")]
    return words + [letter + sign] * (sign != "-" and len(letter + sign) > 1)


LETTERS = {
    "g": ("公斤", 0.001), "l": ("升", 1.0), "w": ("瓦", 1.0), "v": ("伏", 1.0), "t": ("公斤", 1000.0), "h": ("分钟", 60.0),
    "s": ("分钟", 1 / 60), "a": ("安", 1.0), "m": ("米", 1.0),
}  # fmt: skip
"""Symbols of one letter. After a digit they are as often part of a code (5g), so that they count only next to another unit."""

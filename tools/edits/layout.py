"""Edits that move, add, cut or spell otherwise and change no word: one of the texts can go."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from anatomy import sentences
from draw import Both, Draw, Edit

ADS = (
    "【限时特惠】本店周年庆典，全场家电低至五折起，购物满额即送精美厨具一套，更有机会赢取海岛双人游，详情请垂询各大门店，先到先得。",
    "想学好英语却没有时间？名师在线一对一辅导，随时随地轻松开口说，现在扫描二维码即可免费领取价值百元的体验课程，名额有限，欲报从速。",
    "关注本站微信公众号，第一时间获取最新资讯，每日推送热点新闻与生活贴士，转发本文到朋友圈并截图，即可参加抽奖活动，好礼天天送不停。",
    "下载手机客户端，随时随地看新闻，离线阅读更省流量，注册新用户即送积分，积分可在商城兑换话费和电影票，快来加入我们的大家庭吧。",
    "春季装修节火热进行中，知名品牌瓷砖地板橱柜一站购齐，免费上门量房设计，签约即享豪华大礼包，地铁口旁，停车方便，欢迎莅临选购。",
    "健康体检套餐特价，三甲医院专家坐诊，先进设备，无需排队，家庭组团更优惠，凭本页面截图到前台登记即可享受贵宾通道，详询客服。",
    "理财有道，安心增值，老牌平台稳健运营，新手专享高收益产品限量发售，随存随取，扫码注册即领红包，市场有风险，投资需谨慎。",
    "正宗山泉水酿造，传统工艺，入口绵柔，回味悠长，厂家直销，假一罚十，整箱包邮到家，中秋团圆佳节送礼首选，订购热线全天恭候您的来电。",
)
NARROW = {c: c - 0xFEE0 for c in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
WIDE = {v: k for k, v in NARROW.items()}


def _split(text: str) -> list[str]:
    """Paragraphs where there are three of them, else sentences."""
    paragraphs = [p for p in re.split(r"(?<=\n)", text) if p.strip()]
    return paragraphs if len(paragraphs) > 2 else sentences(text)


def _together(parts: list[str], like: str) -> str:
    end = "\n" if "\n" in like else ""
    return end.join(p.strip("\n") for p in parts) if end and any(p.endswith("\n") for p in parts) else "".join(parts)


def moved(text: str, draw: Draw) -> Both | None:
    """Paragraphs, or where there are less than three sentences, stand at other places: two blocks change places."""
    parts = _split(text)
    if len(parts) < 2:
        return None
    at = draw.rng.randint(1, len(parts) - 1)
    return text, _together(parts[at:] + parts[:at], text)


def reversed_sentences(text: str, draw: Draw) -> Both | None:
    """The last sentence comes first: three or more of them, two in a text of 30 characters."""
    parts = sentences(text)
    return (text, _together(parts[::-1], text)) if len(parts) > (1 if draw.length < 80 else 2) else None


def advertisement(text: str, draw: Draw) -> Both | None:
    """An advertisement of about 60 characters behind one of the sentences."""
    parts = sentences(text)
    at = draw.rng.randint(1, len(parts))
    return text, "".join([*parts[:at], draw.rng.choice(ADS), *parts[at:]])


def script(config: str) -> Edit:
    """In traditional characters, by OpenCC."""

    def edit(text: str, draw: Draw) -> Both | None:
        done = _converter(config).convert(text)
        return (text, done) if done != text else None

    return edit


@cache
def _converter(config: str) -> Any:
    return importlib.import_module("opencc").OpenCC(config)


def has_opencc() -> bool:
    """Is the converter installed?"""
    return importlib.util.find_spec("opencc") is not None


def width(text: str, draw: Draw) -> Both | None:
    """Full width for half and half for full, and blanks between some sentences, after commas and around digits."""
    rng = draw.rng
    wide = rng.random() < 0.5
    done = text.translate(WIDE if wide else NARROW)
    done = re.sub(r"(?<=[。！？；，,!?])", lambda m: rng.choice(["", "", " ", "\u3000", "\n"]), done).strip()
    if not wide:
        done = re.sub(r"(?<=[一-鿿])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%])(?=[一-鿿])", " ", done)
    return (text, done) if done != text else None


def cut(share: float) -> Edit:
    """Only that share of the characters, from the start."""

    def edit(text: str, draw: Draw) -> Both | None:
        return text, text[: round(share * len(text))]

    return edit


def joined(text: str, draw: Draw) -> Both | None:
    """Behind the text, or before it, a second one."""
    parts = [text, draw.other()]
    draw.rng.shuffle(parts)
    return text, "\n".join(parts)


LAYOUTS: dict[str, Callable[[str, Draw], Both | None]] = {
    "paragraphs moved": moved,
    "sentences reversed": reversed_sentences,
    "advertisement inserted": advertisement,
    "traditional script": script("s2t"),
    "Taiwan wording": script("s2twp"),
    "width and blanks": width,
    "cut to 85%": cut(0.85),
    "cut to 80%": cut(0.8),
    "cut to 60%": cut(0.6),
    "two texts joined": joined,
}

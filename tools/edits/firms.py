"""Edits of names in Chinese texts that no list has (both must stay), and of one name into another form of it (one can go)."""

from __future__ import annotations

import random

from anatomy import with_both
from draw import Both, Draw
from names import BODY_SENTENCES, PERSON_SENTENCES, groups

SURNAMES, GIVEN, FOREIGN, FIRMS, TRADES = groups("chinese_names.txt")
TITLES = (
    "外交部长", "市长", "董事长", "局长", "总经理", "教授", "副省长", "村支书", "主教练", "发言人", "所长", "总工程师", "队长",
    "联合创始人", "导演", "作家", "首席执行官", "医生", "律师",
)  # fmt: skip
TITLED = (
    "{}{}随后到场。",
    "{}{}表示，相关工作已经展开。",
    "据{}{}介绍，项目进展顺利。",
    "仪式由{}{}主持。",
    "会上，{}{}回答了提问。",
    "报道援引{}{}的话称，结果尚未公布。",
)
FIRM_SENTENCES = (
    *BODY_SENTENCES,
    "该项目由{}承建。",
    "原告为{}。",
    "{}当日发布公告。",
    "设备从{}采购。",
    "双方同意由{}收购剩余股权。",
)
LATIN = (
    "OpenAI Anthropic DeepMind Mistral Cohere", "iPhone Galaxy Pixel Mate", "Spotify Netflix Hulu Disney", "Uber Lyft Grab Bolt",
    "Siemens Hitachi Bosch Alstom", "Python Java Rust Kotlin", "Instagram Snapchat Pinterest Telegram", "IBM SAP Oracle AMD",
    "ChatGPT Claude Gemini Llama", "NBA CBA UFC NFL",
)  # fmt: skip
LATIN_SENTENCES = (
    "这项技术由{}开发。",
    "当天，{}宣布了新的计划。",
    "他此前曾在{}工作。",
    "用户可以改用{}。",
    "这与{}的做法相似。",
    "许多年轻人喜欢{}。",
)
_SAYING = (
    "桥梁是安全的",
    "资金还有缺口",
    "工程应当立即停下来",
    "事先没有人通知镇里",
    "投票过程公正",
    "今年收成不好",
    "价格偏高",
    "合同必须履行",
)
_ALIASES = groups("same_places.txt")
_PERSONS = groups("same_persons.txt")


def _person(rng: random.Random) -> str:
    return rng.choice(SURNAMES) + rng.choice(GIVEN)


def _two(make: list[str], rng: random.Random) -> tuple[str, str]:
    one, other = rng.sample(make, 2)
    return one, other


def _people(rng: random.Random) -> tuple[str, str]:
    """Two persons with Chinese names of rarer surnames, or two with foreign names."""
    if rng.random() < 0.3:
        return _two(FOREIGN, rng)
    (one, other), (given, another) = _two(SURNAMES, rng), _two(GIVEN, rng)
    return one + given, other + another


def unknown_person(text: str, draw: Draw) -> Both | None:
    """Another person in a sentence that goes into both, with names that no list has."""
    sentence = draw.rng.choice(PERSON_SENTENCES)
    left, right = _people(draw.rng)
    return with_both(text, sentence.format(left), sentence.format(right), draw.rng)


def titled_person(text: str, draw: Draw) -> Both | None:
    """Another person behind one title."""
    sentence, title = draw.rng.choice(TITLED), draw.rng.choice(TITLES)
    left, right = _people(draw.rng)
    return with_both(text, sentence.format(title, left), sentence.format(title, right), draw.rng)


def _firms(rng: random.Random, forms: tuple[str, ...]) -> tuple[str, str]:
    (one, other), (trade, another), form = _two(FIRMS, rng), _two(TRADES, rng), rng.choice(forms)
    if rng.random() < 0.5:
        another = trade
    return f"{one}{trade}{form}", f"{other}{another}{form}"


def full_firm(text: str, draw: Draw) -> Both | None:
    """Another firm by its full form."""
    sentence = draw.rng.choice(FIRM_SENTENCES)
    left, right = _firms(draw.rng, ("股份有限公司", "有限公司", "有限责任公司", "集团有限公司", "（集团）股份有限公司"))
    return with_both(text, sentence.format(left), sentence.format(right), draw.rng)


def short_firm(text: str, draw: Draw) -> Both | None:
    """Another firm by its short name: 华鑫科技."""
    sentence = draw.rng.choice(FIRM_SENTENCES)
    left, right = _firms(draw.rng, ("",))
    return with_both(text, sentence.format(left), sentence.format(right), draw.rng)


def latin(text: str, draw: Draw) -> Both | None:
    """Another name in Latin letters."""
    sentence = draw.rng.choice(LATIN_SENTENCES)
    left, right = _two(draw.rng.choice(LATIN).split(), draw.rng)
    return with_both(text, sentence.format(left), sentence.format(right), draw.rng)


def speakers(text: str, draw: Draw) -> Both | None:
    """Two persons whose statements change places."""
    rng = draw.rng
    one, other = _people(rng)
    first, second = rng.sample(_SAYING, 2)
    form = rng.choice(("{a}说：“{x}。”{b}则说：“{y}。”", "{a}认为{x}，{b}认为{y}。", "“{x}。”{a}说。“{y}。”{b}说。"))
    left, right = (form.format(a=a, b=b, x=first, y=second) for a, b in ((one, other), (other, one)))
    return with_both(text, left, right, rng)


def alias(text: str, draw: Draw) -> Both | None:
    """One place or person by another name or transliteration."""
    rng = draw.rng
    if rng.random() < 0.5:
        (left, right), sentence = (
            rng.choice(_ALIASES),
            rng.choice(("代表团随后前往{}访问。", "这批货物运往{}。", "今年对{}出口略有增加。")),
        )
    else:
        (left, right), sentence = (
            rng.choice(_PERSONS),
            rng.choice(("总统{}发表了讲话。", "会上播放了{}的录像。", "报道提到了{}的言论。")),
        )
    return with_both(text, sentence.format(left), sentence.format(right), rng)


def short_form(text: str, draw: Draw) -> Both | None:
    """One firm by its full form and by its short name; one person by full name and by surname with a polite word."""
    rng = draw.rng
    if rng.random() < 0.6:
        firm, trade, sentence = rng.choice(FIRMS), rng.choice(TRADES), rng.choice(FIRM_SENTENCES)
        left, right = (
            f"{firm}{trade}股份有限公司",
            rng.choice((f"{firm}{trade}", f"{firm}{trade}公司", f"{firm}{trade}集团")),
        )
    else:
        left, sentence = _person(rng), rng.choice(PERSON_SENTENCES)
        right = left[0] + rng.choice(("某", "某某", "先生", "女士"))
    return with_both(text, sentence.format(left), sentence.format(right), rng)


def other_word(text: str, draw: Draw) -> Both | None:
    """One common Latin word by another way to write it, or by a Chinese word for it."""
    left, right = draw.rng.choice(
        (("WIFI", "Wi-Fi"), ("APP", "App"), ("iphone", "iPhone"), ("COVID-19", "Covid19"), ("PPT", "ppt"), ("Facebook", "FaceBook"),
         ("Youtube", "YouTube"), ("OpenAI", "Open AI"), ("VS Code", "VSCode"), ("Siemens", "Simens"), ("Microsoft", "Microsft"))
    )  # fmt: skip
    sentence = draw.rng.choice(LATIN_SENTENCES)
    return with_both(text, sentence.format(left), sentence.format(right), draw.rng)


APART = {
    "person no list has": unknown_person,
    "person behind a title": titled_person,
    "firm by its full form": full_firm,
    "firm by a short name": short_firm,
    "Latin name": latin,
    "speakers exchanged": speakers,
}
GOES = {
    "alias": alias,
    "short name": short_form,
    "Latin word written otherwise": other_word,
}

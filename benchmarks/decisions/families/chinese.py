"""Families in Chinese: adverts, notices, prompts, contracts, receipts, minutes, entries, table rows and orders."""

from __future__ import annotations

import random

import families.fillers as words
from families.frame import Family

TEXT = ("mark", "source", "headline", "noise", "advert")
SHORT = ("mark", "source", "noise")


def _adverts(r: random.Random) -> dict[str, str]:
    return {"goods": words.chinese_goods(r), "city": r.choice(words.ZH_CITIES)}


def _recruit(r: random.Random) -> dict[str, str]:
    return {
        "firm": words.chinese_firm(r), "role": r.choice(words.ROLES), "count": str(r.randint(1, 20)),
        "city": r.choice(words.ZH_CITIES), "pay": f"{r.randint(30, 120) * 100}",
    }  # fmt: skip


def _contract(r: random.Random) -> dict[str, str]:
    return {
        "buyer": words.chinese_firm(r), "seller": words.chinese_firm(r), "goods": r.choice(words.MATERIALS) + r.choice(words.GOODS),
        "count": str(r.randint(20, 5000)), "price": words.amount(r, 8, 900), "city": r.choice(words.ZH_CITIES),
        "days": str(r.choice([7, 10, 15, 20, 30, 45, 60])),
    }  # fmt: skip


def _bulletin(r: random.Random) -> dict[str, str]:
    return {
        "city": r.choice(words.ZH_CITIES), "sky": r.choice(words.SKIES), "wind": r.choice(words.WINDS), "force": str(r.randint(1, 6)),
        "high": str(r.randint(16, 38)), "low": str(r.randint(-9, 15)),
    }  # fmt: skip


def _receipt(r: random.Random) -> dict[str, str]:
    values = {
        "number": str(r.randint(10**7, 10**8 - 1)),
        "till": str(r.randint(1, 12)),
        "cashier": words.chinese_person(r),
    }
    total = 0
    for i, goods in enumerate(r.sample(words.GOODS, 3)):
        price = r.randint(500, 29900)
        total += price
        values |= {f"goods{i}": goods, f"price{i}": f"{price / 100:.2f}"}
    return values | {
        "total": f"{total / 100:.2f}",
        "points": str(total // 100),
        "way": r.choice("现金 微信 支付宝 银行卡".split()),
    }


def _minutes(r: random.Random) -> dict[str, str]:
    first, second = words.pair_of(r, words.DEPARTMENTS)
    return {"agenda": r.choice(words.AGENDAS), "chair": words.chinese_person(r), "first": first, "second": second}


def _service(r: random.Random) -> dict[str, str]:
    return {
        "service": r.choice(words.SERVICES), "action": r.choice(words.listed("actions")), "menu": r.choice(words.listed("menus")),
        "line": f"400{r.randint(1000000, 9999999)}",
    }  # fmt: skip


def _maintenance(r: random.Random) -> dict[str, str]:
    service = r.choice(words.SERVICES)
    return {"service": service if r.random() < 0.4 else r.choice(words.ZH_CITIES) + r.choice(words.BRANDS) + service}


def _entry(r: random.Random) -> dict[str, str]:
    return {
        "plant": r.choice(["", "川", "滇", "毛", "小", "大叶", "细叶", "紫花", "白花", "山"]) + r.choice(words.PLANTS),
        "tribe": r.choice(words.TRIBES), "size": str(r.randint(10, 180)), "colour": r.choice("白 黄 紫 粉红 淡蓝 橙 绿白".split()),
        "place": r.choice("林下 山坡草地 沟边湿地 石缝 灌丛 田埂 高山草甸".split()),
        "month": r.choice(["四至五", "五至六", "六至七", "七至八", "八至九"]),
    }  # fmt: skip


def _row(r: random.Random) -> dict[str, str]:
    return {"goods": words.chinese_goods(r), "price": words.amount(r, 9, 999), "stock": str(r.randint(0, 800))}


def _order(r: random.Random) -> dict[str, str]:
    return {
        "number": str(r.randint(10**9, 10**10 - 1)), "goods": r.choice(words.GOODS), "city": r.choice(words.ZH_CITIES),
        "count": str(r.randint(1, 9)), "receiver": words.chinese_person(r),
    }  # fmt: skip


def _term(r: random.Random) -> dict[str, str]:
    plain = r.random() < 0.5
    first, second = words.pair_of(r, words.TOPICS)
    if plain:
        return {"term": first}
    link, view = r.choice(["与", "和", "里的", "中的", "对于"]), r.choice(words.listed("views"))
    return {"term": f"{first}{link}{second}的{view}"}


def _goods(r: random.Random) -> dict[str, str]:
    return {"goods": words.chinese_goods(r)}


FAMILIES = (
    Family("zh_adverts", "tune", "advert", _adverts, TEXT),
    Family("zh_arrivals", "report", "advert", _goods, SHORT),
    Family("zh_terms", "tune", "prompt", _term, SHORT),
    Family("zh_recruit", "report", "job advert", _recruit, (*TEXT, "layout")),
    Family("zh_contract", "tune", "contract", _contract, ("source", "noise", "layout", "headline")),
    Family("zh_bulletin", "report", "bulletin", _bulletin, TEXT),
    Family("zh_receipt", "tune", "receipt", _receipt, ("source", "layout", "noise", "lines")),
    Family("zh_minutes", "report", "minutes", _minutes, (*TEXT, "layout")),
    Family("zh_support", "report", "dialogue", _service, (*SHORT, "layout")),
    Family("zh_upkeep", "tune", "notice", _maintenance, TEXT),
    Family("zh_plants", "tune", "entry", _entry, TEXT),
    Family("zh_shelf_rows", "report", "HTML row", _row, ("layout", "noise", "attribute")),
    Family("zh_orders", "report", "JSON", _order, ("keys", "indent", "field", "noise")),
    Family("zh_subscriptions", "tune", "message", _goods, SHORT),
)

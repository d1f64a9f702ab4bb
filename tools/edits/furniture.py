"""Edits of page furniture: counters, times of publication, years of copyright, numbers, telephones and headlines beside the text. One can go.

Their opposites are lines of content: a price, a row of a table, the telephone of an advertisement. Both must stay. Forms of the half `tune`
were seen on pages of ../shared/data (zh_html_gne, html_aeb); forms of the half `held` are others, which no rule was made with.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from anatomy import sentences
from draw import Both, Draw, Edit
from names import person_name

Values = Callable[[random.Random, Draw], str]
CHINESE = {
    "tune": (
        "阅读 {count}", "浏览次数：{count}", "点击数：{count}", "{count}条评论", "{count}人参与", "跟贴 {count}", "赞 {count} 踩 {small} 收藏",
        "推荐{small}", "发布时间：{time}", "{time}", "{time} 来源：新华网", "Copyright © {year} 新闻网 版权所有", "© 2009-{year} 某某网",
        "文章编号：{count}", "京ICP备{number}号", "新闻热线：{phone}", "违法和不良信息举报电话：{phone}", "相关阅读：{headline}", "下一篇：{headline}",
        "责任编辑：{name}", "{small}小时前",
    ),
    "held": (
        "访问量：{count}", "人气：{count}", "点赞（{count}）", "转发 {small} 评论 {small}", "已有{count}人阅读", "共{count}次阅读", "更新于 {time}",
        "更新日期：{day}", "最后修改时间：{time}", "版权所有 © {year} 时报网", "稿件编号：{count}", "沪公网安备 {number}号", "报料电话：{phone}",
        "广告热线：{phone}", "推荐阅读：{headline}", "上一篇：{headline}", "延伸阅读：{headline}", "编辑：{name}", "审核：{name}", "本文字数：{count}",
        "{small}分钟前",
    ),
}  # fmt: skip
ENGLISH = {
    "tune": (
        "{count} views", "Views: {count}", "{small} comments", "{count} shares", "Published {english_time}", "Updated: {time}",
        "© {year} The Daily Post. All rights reserved.", "Copyright {year} Morning News", "Article ID: {number}", "Newsroom: {phone}",
        "Read more: {headline}", "Related: {headline}", "{small} hours ago",
    ),
    "held": (
        "Read {count} times", "{count} likes", "Posted on {english_time}", "Last modified: {time}", "{english_time}", "Copyright (c) {year} City Times",
        "Story no. {number}", "Customer service: {phone}", "See also: {headline}", "Next article: {headline}",
        "This story has been shared {count} times.", "{small} min read", "Comments ({small})",
    ),
}  # fmt: skip
INLINE = "count small time year number phone name english_time day".split()
"""Values of the forms that are unmistakable without a line break."""
CHINESE_CONTENT = {
    "tune": (
        "价格：{count}元", "联系电话：{phone}", "报名时间：{time}", "苹果 | {small}元 | {count}斤", "今日成交 {count}吨", "面积：{count}平方米", "会议时间：{time}",
        "收盘 {count}点",
    ),
    "held": (
        "售价 {count}元", "咨询电话：{phone}", "开庭时间：{time}", "大米  {small}元  {count}公斤", "入库流量：{count}立方米每秒", "招聘人数：{small}人",
        "订单编号：{number}", "考试日期：{day}",
    ),
}  # fmt: skip
ENGLISH_CONTENT = {
    "tune": ("Price: ${count}", "Call {phone} to book.", "Open positions: {small}", "Apples | {small} | {count}", "Net profit {count} mln dlrs"),
    "held": ("Rent: {count} dollars", "Tel. for tickets: {phone}", "Seats: {count}", "Wheat  {small}  {count}", "Order number: {number}"),
}  # fmt: skip


def _values(draw: Draw, headline: str) -> dict[str, str]:
    """Values of one copy; two copies have all of them different but by chance."""
    rng = draw.rng
    day = f"20{rng.randint(10, 25)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    clock = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    months = "January February March April May June July August September October November December".split()
    return {
        "count": str(rng.randint(100, 99999)), "small": str(rng.randint(2, 59)), "year": str(rng.randint(2005, 2025)), "day": day,
        "time": f"{day} {clock}" + (f":{rng.randint(0, 59):02}" if rng.random() < 0.5 else ""),
        "english_time": f"{rng.choice(months)} {rng.randint(1, 28)}, 20{rng.randint(10, 25)} at {rng.randint(1, 12)}:{rng.randint(0, 59):02} pm",
        "number": str(rng.randint(1000000, 99999999)), "phone": f"0{rng.randint(10, 899)}-{rng.randint(20000000, 89999999)}",
        "name": person_name(rng), "headline": headline,
    }  # fmt: skip


def _headline(text: str) -> str:
    if text.isascii():
        return " ".join(text.split()[:7])
    return re.split(r"[，。！？；：\n]", text)[0][:20]


def _different(form: str, draw: Draw) -> tuple[str, str]:
    while True:
        headlines = (draw.other(), draw.other()) if "{headline}" in form else ("", "")
        one, other = (form.format(**_values(draw, _headline(text))) for text in headlines)
        if one != other:
            return one, other


def _lines(forms: dict[str, tuple[str, ...]], places: tuple[str, ...], few: int, blank: str = "") -> Edit:
    """Lines of some forms at the head, at the foot or between blocks, with other values in the copy."""

    def edit(text: str, draw: Draw) -> Both | None:
        rng, own = draw.rng, sorted(forms[draw.half])
        texts = [text, text]
        place = rng.choice(places)
        chosen = rng.sample(own, rng.randint(1, few) if draw.length >= 200 else 1)
        values = [_different(form, draw) for form in chosen]
        for side in (0, 1):
            lines = "\n".join(both[side] for both in values)
            if place == "head":
                texts[side] = f"{lines}\n{text}"
            elif place == "foot":
                texts[side] = f"{text}\n{lines}"
            else:
                parts = re.split(r"(?<=[.!?]) (?=[A-Z])", text) if blank else sentences(text)
                if len(parts) < 2:
                    return None
                at = len(parts) // 2
                texts[side] = f"{blank.join(parts[:at])}\n{lines}\n{blank.join(parts[at:])}"
        return texts[0], texts[1]

    return edit


def _inline(forms: dict[str, tuple[str, ...]], blank: str) -> Edit:
    """One form at the end, or at the beginning, without a line break."""

    def edit(text: str, draw: Draw) -> Both | None:
        own = [
            f
            for f in sorted(forms[draw.half])
            if "headline" not in f and not f.startswith(("{small}", "推荐", "{time}", "{english_time}"))
        ]
        one, other = _different(draw.rng.choice(own), draw)
        if draw.rng.random() < 0.3:
            return f"{one}{blank or ' '}{text}", f"{other}{blank or ' '}{text}"
        return f"{text}{blank}{one}", f"{text}{blank}{other}"

    return edit


everywhere = ("head", "foot", "foot", "between")
furniture = _lines(CHINESE, everywhere, 3)
inline_furniture = _inline(CHINESE, "")
content = _lines(CHINESE_CONTENT, everywhere, 1)
english_furniture = _lines(ENGLISH, everywhere, 3, " ")
english_inline_furniture = _inline(ENGLISH, " ")
english_content = _lines(ENGLISH_CONTENT, everywhere, 1, " ")

"""Invented sites: name, address, character set and its declaration, editor's lines, disclaimers.

`Customs` are common to the sites of a language; those of Chinese are defined here, those of English in `english_sites`. Each
sentence of a disclaimer ends in a full stop.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from quchong_lab.rng import Rng
from quchong_lab.web.words import ZH, Lexicon

_SYLLABLES = "ba bei cai dao feng gao hai hua jin kang lan lin mei ning ping qing rong shan tai wan xin yang".split()

CHARSETS: tuple[tuple[str, str | None], ...] = (
    ("utf-8", "utf-8"), ("gbk", "gb2312"), ("utf-8", "UTF-8"), ("gbk", "gbk"), ("utf-8", None),
    ("gb18030", "gb18030"), ("utf-8", "utf-8"), ("gbk", None), ("utf-8", "gb2312"), ("gbk", "utf-8"),
)  # fmt: skip
"""Character set of a site and the one its pages declare: correctly (gbk as gb2312, as is the custom), not at all, or wrongly (the
last two). Sites use them in turn."""

NOTES = (
    "凡本网注明“来源：{name}”的所有作品，版权均属于{name}，未经本网授权不得转载、摘编或利用其它方式使用上述作品。",
    "本网转载其他媒体稿件，目的在于传递更多信息，并不代表{name}赞同其观点和对其真实性负责。",
    "如因作品内容、版权和其它问题需要同{name}联系的，请在三十日内进行。",
    "以上内容仅供读者参考，不构成任何投资建议，据此操作风险自担。",
    "{name}郑重提醒网友：文明上网，理性发言，请勿轻信来历不明的电话和短信。",
    "欢迎关注{name}官方账号，更多精彩内容每天推送。",
    "新闻线索请拨打{name}值班电话，一经采用，即付稿酬。",
    "部分图片来自网络，如涉及版权请作者与{name}编辑部联系，我们将及时删除。",
    "网友评论仅供表达个人看法，并不表明{name}同意其观点或证实其描述。",
    "未经{name}书面许可，任何单位和个人不得以任何形式复制本页面。",
    "{name}客户端全新改版，扫一扫二维码即可下载体验。",
    "举报不良信息请点击页面下方的链接，{name}将在一个工作日内处理。",
)
"""Sentences of a site below every article, which index pruning of Wei 2013 is meant to remove."""
EDITORS = (
    "责任编辑：{editor}", "（责任编辑：{editor}）", "[编辑：{editor}]", "编辑 {editor}  校对 {second}", "责编：{editor}、{second}", "",
)  # fmt: skip
SOURCES = ("来源：{source}", "稿源：{source}", "文章来源： {source}  作者：{editor}", "{source}", "")
DATELINES = ("", "", "{name}讯（记者 {editor}）", "本报讯 ", "{name}{month}月{day}日电 （记者{editor}）", "核心提示：")
DATES = (
    "{t:%Y-%m-%d %H:%M}", "{t.year}年{t.month:02}月{t.day:02}日 {t:%H:%M}", "{t:%Y/%m/%d %H:%M:%S}", "{t:%Y-%m-%d}", "{t:%m-%d %H:%M}",
)  # fmt: skip
PATHS = (
    "/{date:%Y}/{date:%m%d}/c{number}{part}.html", "/a/{date:%Y%m%d}/{number}{part}.htm", "/article.php?id={number}{page}",
    "/{date:%Y-%m}/{date:%d}/content_{number}{part}.shtml", "/thread-{number}-{plain}-1.html", "/n/{number}{part}/",
)  # fmt: skip
TITLES = ("{title}_{channel}_{name}", "{title}-{name}", "{title} - {channel} - {name}", "{name}：{title}", "{title}")
COMMENTS = (
    "支持，早该这样了", "{what}什么时候轮到我们{where}", "沙发", "看了半天没明白{what}是怎么回事", "路过，顶一下",
    "我家就在{where}，{what}根本没有文章里说的那么好", "希望{what}能坚持下去，别又是一阵风", "楼上说得对",
    "{what}的事去年就有人反映过，一直没有下文", "转给家里人看看", "标题和内容是一回事吗", "谁知道{where}怎么坐车",
)  # fmt: skip


class Customs(NamedTuple):
    """Customs of the sites of a language.

    `kinds` are endings of names; `charsets` are pairs of the character set of a site and the declared one; `notes` are sentences below
    every article; `comments` end in one of `ends`; `turns` are the links to the previous and the next part of a page. Dates are
    formats of `t` (a datetime) and `month` (its name); `months` has these names.
    """

    lexicon: Lexicon
    kinds: tuple[str, ...]
    charsets: tuple[tuple[str, str | None], ...]
    notes: tuple[str, ...]
    editors: tuple[str, ...]
    sources: tuple[str, ...]
    datelines: tuple[str, ...]
    dates: tuple[str, ...]
    titles: tuple[str, ...]
    comments: tuple[str, ...]
    ends: tuple[str, ...]
    turns: tuple[str, str]
    months: tuple[str, ...] = tuple(map(str, range(1, 13)))


CHINESE = Customs(
    ZH, ("网", "在线", "日报网", "新闻网", "热线", "晚报网", "门户", "之声", "资讯", "论坛"), CHARSETS, NOTES, EDITORS, SOURCES, DATELINES,
    DATES, TITLES, COMMENTS, ("。", "。", "！", "", "……"), ("上一页", "下一页"),
)  # fmt: skip


class Site(NamedTuple):
    """Invented site: its names, template, character set and texts that all its pages have.

    `template` is an index; `declared` is None if pages name no character set; format strings are as in `Customs`. If `inside`, the
    editor's line and notes (0 to 4) are in the element of the body, where no reader of pages can distinguish them.
    """

    name: str
    host: str
    site: str
    template: int
    charset: str
    declared: str | None
    notes: tuple[str, ...]
    inside: bool
    editor: str
    source: str
    dateline: str
    date: str
    path: str
    title: str
    channels: tuple[str, ...]

    def url(self, number: int, date: datetime, part: int = 1) -> str:
        """Return the address of a page, or of a part of a split page."""
        path = self.path.format(
            number=number, date=date, plain=part, part=f"_{part}" if part > 1 else "", page=f"&page={part}" if part > 1 else ""
        )  # fmt: skip
        return f"http://{self.host}{path}"


def sites(count: int, templates: int, seed: int, customs: Customs | None = None) -> list[Site]:
    """Generate `count` sites, different in name and domain; templates and character sets are used in turn.

    Domains end in .example, which is reserved (RFC 2606). There are about 35,000 names.
    """
    c = customs or CHINESE
    rng, out, channels = Rng(seed, 0x73697465), list[Site](), [f.channel for f in c.lexicon.fields]
    names = set[str]()
    for i in range(count):
        name = ""
        while not name or name in names:
            name = rng.pick(c.lexicon.place_first) + rng.pick(c.lexicon.place_second) + rng.pick(c.kinds)
        names.add(name)
        label = "".join(rng.pick(_SYLLABLES) for _ in range(3))
        if label[-1] == "g":
            label += "news"
        domain = f"{label}{i}.example"
        charset, declared = c.charsets[(3 * i + i // len(c.charsets)) % len(c.charsets)]
        menu = tuple(channels[k] for k in rng.order(len(channels))[:8])
        notes = tuple(c.notes[k].format(name=name) for k in rng.sample(rng.between(0, 4), len(c.notes)))
        out.append(Site(
            name, rng.pick(("www.", "news.", "m.", "")) + domain, domain, i % templates, charset, declared, notes,
            rng.chance(0.6), rng.pick(c.editors), rng.pick(c.sources), rng.pick(c.datelines), rng.pick(c.dates),
            rng.pick(PATHS), rng.pick(c.titles), menu,
        ))  # fmt: skip
    return out


def comments(rng: Rng, most: int, customs: Customs | None = None) -> list[tuple[str, str]]:
    """Generate 0 to `most` pairs of user and comment; half of the comments end in a full stop like sentences."""
    c, out = customs or CHINESE, []
    for _ in range(rng.below(most + 1)):
        user = f"{rng.pick(c.lexicon.place_first)}{rng.pick(c.lexicon.given)}{rng.below(1000)}"
        what = c.lexicon.gap.join((rng.pick(c.lexicon.modifiers), rng.pick(c.lexicon.heads)))
        said = rng.pick(c.comments).format(
            what=what, where=rng.pick(c.lexicon.place_first) + rng.pick(c.lexicon.place_second)
        )
        out.append((user, said + rng.pick(c.ends)))
    return out

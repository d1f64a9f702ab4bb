"""Small corpora of records for every method: copies of every kind, with title, headings, address and site."""

import random

from promise_corpus import sentence

TRADITIONAL = str.maketrans("云图书医园桥粮仓护师开动换号编过评兴轨载运", "雲圖書醫園橋糧倉護師開動換號編過評興軌載運")
KINDS = (
    "exact",
    "edited",
    "reworded",
    "first half",
    "second half",
    "whole",
    "figures",
    "names",
    "script",
    "same address",
    "new",
)


def _blocks(rng, paragraphs):
    """Headings among paragraphs: lines of text, and one character a line."""
    lines, kinds = [], []
    for i, paragraph in enumerate(paragraphs):
        if i % 3 == 1:
            lines.append(sentence(rng)[:14])
            kinds.append(rng.choice("123b"))
        lines.append(paragraph)
        kinds.append("p")
    return lines, kinds


def _figures(rng):
    return (
        f"本站消息：截至{rng.randint(2, 9)}月{rng.randint(1, 28)}日，全市共登记{rng.randint(100, 999)}户，其中新增{rng.randint(10, 99)}户，"
        f"比上月增长{rng.randint(1, 9)}.{rng.randint(1, 9)}%。咨询电话{rng.randint(500000, 599999)}，办理时间每天{rng.randint(7, 9)}时至{rng.randint(16, 19)}时。"
    )


def _article(rng, paragraphs):
    made = ["".join(sentence(rng) for _ in range(rng.randint(1, 4))) for _ in range(paragraphs)]
    if rng.random() < 0.5:
        made.append(_figures(rng))
    return _blocks(rng, made)


def _edited(rng, lines):
    at = rng.randrange(len(lines))
    cut = rng.randrange(len(lines[at]))
    return [*lines[:at], lines[at][:cut] + rng.choice(["另外", "据悉", "，"]) + lines[at][cut:], *lines[at + 1 :]]


def _reworded(rng, lines):
    words = (
        ("很高兴", "十分欢喜"),
        ("有些担心", "略感忧虑"),
        ("早有准备", "胸有成竹"),
        ("将在", "要到"),
        ("那边", "一带"),
    )
    out = list(lines)
    for old, new in words:
        if rng.random() < 0.7:
            out = [line.replace(old, new) for line in out]
    return out


def _other_figures(rng, lines):
    return ["".join(rng.choice("23456789") if c.isdigit() else c for c in line) for line in [*lines, _figures(rng)]]


def _changed(rng, kind, lines, kinds):
    half = max(1, len(lines) // 2)
    if kind in ("whole", "new", "same address"):
        more, more_kinds = _article(rng, rng.randint(1, 5))
        return ([*more, *lines], [*more_kinds, *kinds]) if kind == "whole" else (more, more_kinds)
    if kind in ("first half", "second half"):
        part = slice(half) if kind == "first half" or len(lines) == 1 else slice(half, None)
        return lines[part], kinds[part]
    if kind == "figures":
        return _other_figures(rng, lines), [*kinds, "p"]
    words = {
        "exact": lambda line: line.replace("，", ","),
        "names": lambda line: line.replace("云河", "白塔").replace("甲", "魏"),
        "script": lambda line: line.translate(TRADITIONAL).replace("，", ","),
    }
    if kind in words:
        return [words[kind](line) for line in lines], kinds
    return (_edited if kind == "edited" else _reworded)(rng, lines), kinds


def small_corpus(seed, families=5, each=3):
    """Records of a few families, each an original and some of `KINDS`, and short ones; ids in no order of making."""
    rng = random.Random(seed)
    rows = []

    def add(lines, kinds, title, url):
        rows.append(
            {
                "text": "\n".join(lines),
                "blocks": "".join(kinds),
                "title": title,
                "url": url,
                "site": rng.choice(["a.example", "b.example", None]),
            }
        )

    kinds_left = list(KINDS)
    rng.shuffle(kinds_left)
    for f in range(families):
        lines, kinds = _article(rng, rng.choice([1, 2, 4, 9]))
        title, url = sentence(rng)[:12], f"http://www.s{f}.example.com/{f}"
        add(lines, kinds, title, url)
        for _ in range(each):
            kind = kinds_left.pop() if kinds_left else rng.choice(KINDS)
            changed, changed_kinds = _changed(rng, kind, lines, kinds)
            address = (
                f"HTTP://WWW.S{f}.example.com/{f}#top"
                if kind == "same address"
                else f"http://www.t.example.org/{len(rows)}"
            )
            add(changed, changed_kinds, rng.choice([title, title, None]), rng.choice([address, address, None]))
    for text in ("今天停电", "今天停电。", "哈哈哈", "哈哈哈哈", "好", ""):
        add([text], ["p"], None, None)
    names = rng.sample(range(100, 999), len(rows))
    return [{"id": f"d{name}", **row} for name, row in zip(names, rows, strict=True)]

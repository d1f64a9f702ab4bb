"""A small corpus with every kind of copy, made of invented sentences."""

import random

PLACES = ["云河", "青岚", "北屿", "江屏", "石梁", "南渡", "白鹭洲", "松口"]
THINGS = ["地铁", "水库", "图书馆", "菜市场", "码头", "医院", "小学", "公园", "桥梁", "粮仓"]
DOINGS = ["开工", "验收", "停用检修", "扩建", "搬迁", "试运行", "免费开放", "换了新灯", "重新编号", "通过评审"]
PEOPLE = ["居民", "工程师", "店主", "教师", "船工", "护士", "司机", "值班员"]


def sentence(rng):
    return (
        f"{rng.choice(PLACES)}的{rng.choice(PEOPLE)}{rng.choice('甲乙丙丁戊己庚辛')}说，{rng.choice(PLACES)}{rng.choice(THINGS)}"
        f"将在{rng.choice(['春天', '夏天', '秋天', '冬天'])}{rng.choice(DOINGS)}，比{rng.choice(PLACES)}那边{rng.choice(['早', '晚'])}"
        f"{rng.choice(['一些', '很多', '半年', '几天'])}，{rng.choice(PEOPLE)}们{rng.choice(['很高兴', '有些担心', '早有准备', '还不知道'])}。"
    )


def article(rng, n):
    return "".join(sentence(rng) for _ in range(n))


def make_corpus(seed, originals=30):
    """Documents with ids: originals, exact copies, edited copies, excerpts, wholes, template siblings, short ones."""
    rng = random.Random(seed)
    rows = []

    def add(kind, text):
        rows.append(
            {
                "id": f"{kind}{len(rows):03d}",
                "text": text,
                "time": f"2026-03-{rng.randint(1, 28):02d}",
                "site": rng.choice("ab"),
            }
        )

    for _ in range(originals):
        text = article(rng, rng.randint(2, 14))
        add("orig", text)
        for _ in range(rng.choice([0, 0, 1, 2])):
            kind = rng.choice(["exact", "edit", "part", "whole", "chain"])
            if kind == "exact":
                add(kind, text.replace("，", ","))
            elif kind == "edit":
                at = rng.randrange(len(text))
                add(kind, text[:at] + "另外" + text[at:])
            elif kind == "part":
                add(kind, text[: max(40, len(text) // 3)])
            elif kind == "whole":
                add(kind, article(rng, 6) + text + article(rng, 5))
            else:
                cut = len(text) // 6
                add(kind, text[cut:] + sentence(rng))
                add(kind, text[2 * cut :] + sentence(rng) * 2)
    for i in range(4):
        add("form", f"{PLACES[i]}自来水公司通知：因管网检修，3月{5 + i}日{8 + i}时至{17 + i}时，文化路{10 * i + 1}号至{10 * i + 9}号停水，"
                    f"请{200 + 30 * i}户居民提前储水，咨询电话{52100 + i}。")  # fmt: skip
    for text in ("", "好", "好！", "😀", "😀 ", "今天停电", "今天停电。"):
        add("short", text)
    rng.shuffle(rows)
    return rows

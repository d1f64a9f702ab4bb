"""Made-up prose with edited copies, shared by the tests of the papers' methods."""

import random

import pytest

from quchong.features.short import COMMON

OPENERS = "记者 市民 专家 公司 学校 医院 政府 球队 农民 工人".split()
VERBS = "发布 讨论 参观 修建 研究 出售 购买 检查 记录 等待".split()
THINGS = "桥梁 图书 机器 蔬菜 衣服 道路 电影 音乐 数据 药品 煤炭 船只 茶叶 玉米 玻璃".split()
ADJECTIVES = "新型 古老 昂贵 便宜 巨大 细小 明亮 沉重 干净 柔软".split()
PLACES = "山谷 码头 车站 广场 河岸 仓库 花园 工厂 剧院 森林".split()
NAMES = [c for c in COMMON if c not in "的了是在和有也就都而一二三四五六七八九十两零"]


def sentence(rng):
    return (
        f"{rng.choice(OPENERS)}{rng.choice(NAMES)}{rng.choice(NAMES)}在{rng.choice(ADJECTIVES)}的{rng.choice(PLACES)}{rng.choice(VERBS)}了{rng.choice(ADJECTIVES)}的"
        f"{rng.choice(THINGS)}和{rng.choice(THINGS)}，{rng.choice(OPENERS)}也{rng.choice(VERBS)}{rng.choice(THINGS)}。"
    )


def article(rng, sentences=24):
    return "".join(sentence(rng) for _ in range(sentences))


@pytest.fixture(scope="session")
def edited():
    """40 articles, 20 of them with a lightly edited copy, 5 with their first third, 5 exact copies, 4 without a feature."""
    rng = random.Random(7)
    texts = [article(rng) for _ in range(40)]
    rows = [{"id": f"a{i:02}", "text": t} for i, t in enumerate(texts)]
    for i in range(20):
        parts = texts[i].split("。")
        parts[rng.randrange(3, 20)] = sentence(rng)[:-1]
        rows.append({"id": f"b{i:02}", "text": "。".join(parts)})
    for i in range(20, 25):
        parts = texts[i].split("。")
        rows.append({"id": f"c{i:02}", "text": "。".join(parts[:8]) + "。"})
    rows += [{"id": f"e{i:02}", "text": texts[i] + "！"} for i in range(25, 30)]
    return [*rows, *({"id": f"z{i}", "text": t} for i, t in enumerate(["", "。", "！？", "好"]))]

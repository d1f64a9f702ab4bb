"""Edits of figures in words and in other notations: counts before any measure word, scores, parts of the day, numerals of other scripts.

Every list has two halves: words of the first serve the half `tune`, words of the second the half `held`. No rule of quchong was made with
the second in view.
"""

from __future__ import annotations

from pathlib import Path

from anatomy import with_both
from draw import Both, Draw

MEASURED = tuple(
    line.split() for line in (Path(__file__).parent / "words/measures.txt").read_text("utf-8").splitlines()
)
"""Measure words, with the thing they count, a line for each half."""
COUNTED = (
    "现场一共清点出{}。",
    "老乡们送来了{}。",
    "仓库里还剩{}。",
    "他们前后用去{}。",
    "当天共登记{}。",
    "只见门前有{}。",
)
_DIGIT = "一两三四五六七八九"
SCORES = (
    ("主队以{}取胜。", "决赛比分为{}。", "上半场打成{}。"),
    ("客队最终{}告负。", "双方战成{}。", "首回合比分是{}。"),
)
ROUGH = (
    (
        ("车上坐着{}个人。", "几 十几 二十几 几十"),
        ("工程拖了{}年。", "半 两 十几"),
        ("花了{}块钱。", "几 几十 几百"),
        ("参赛的有{}所学校。", "数十 数百 十几"),
    ),
    (
        ("村里住着{}户人家。", "几 十几 三十几 几百"),
        ("走了{}天。", "半 三 十几"),
        ("捐了{}本书。", "数百 数千 几十"),
        ("等了{}个小时。", "半 两 十几"),
    ),
)
"""Sentences, and rough counts of which one stands in the place of another."""
REWORDED = (
    (
        (
            "您的话费余额为{}元，登录网上营业厅充值更优惠。",
            "截至昨夜话费还剩{}元，其中{}元只能用来抵扣通话费以外的各项消费。",
        ),
        ("全市已有{}家企业复工。", "据统计，复工的企业全市累计达到{}家，另有{}家正在核验。"),
    ),
    (
        ("本期电费共计{}元，请按时缴纳。", "经核算本期应缴纳的电费是{}元，里面有{}元是上期结转的。"),
        ("这条公路全长{}公里。", "记者了解到，公路的总里程有{}公里左右，当中{}公里是桥梁。"),
    ),
)
"""A statement with a figure, and the same in other words with a figure of its own besides."""
CODED = (
    (
        ("配备{}GB内存，硬盘为128GB。", "8 16"),
        ("采用A{}轴承，另备AA5轴承。", "5 9"),
        ("屏幕用{}K面板，支持18K录像。", "4 8"),
    ),
    (
        ("提供{}TB云盘，整机柜容量为192TB。", "2 12"),
        ("选用M{}螺栓，垫圈为DM6型。", "6 4"),
        ("乘坐{}路车，也可换124路车。", "4 24"),
    ),
)
"""A sentence with two codes, of which the second ends like the first one; and the first one in two forms."""
CALENDAR = (
    (
        ("{}恢复供水。", "春分 秋分 清明 谷雨 大暑 小寒 冬至"),
        ("比赛将于{}开始。", "上午 晚间 中午"),
        ("车队{}出发。", "清晨 傍晚"),
        ("{}寅初开工。", "前天 明天 后天"),
        ("验收安排在{}。", "下礼拜 这礼拜 上礼拜"),
        ("此碑立于民国{}年。", "元 二 三十八 十五"),
        ("{}末刻启程。", "子时 午时 酉时"),
        ("{}季度完工。", "一 三 二 四"),
        ("涉及{}五千户居民。", "近 逾"),
    ),
    (
        ("{}前后开工。", "立夏 立冬 白露 霜降 芒种 雨水 惊蛰"),
        ("班车改为{}发车。", "早晨 夜间 下午 中午"),
        ("{}已经通知到户。", "前天 今天 后天"),
        ("评审会定在{}。", "下个礼拜 这个礼拜"),
        ("账册记于民国{}年。", "元 九 二十六 三十一"),
        ("{}闭城门。", "卯时 戌时 亥时 巳时"),
        ("{}季度投产。", "二 四 三"),
        ("损失{}三百万元。", "超 近"),
    ),
)
"""Sentences, and words of the calendar or bounds of a count of which one stands in the place of another."""
NOTATIONS = (
    (
        ("货款共计人民币{}元整。", "壹拾贰万 壹拾叁万 贰拾贰万"),
        ("距今已有{}年。", "卅 廿"),
        ("启动{}响应。", "Ⅲ级 Ⅱ级 Ⅳ级"),
        ("这是{}级景区。", "A B C"),
        ("编号为{}。", "๑๒๓ ๑๒๔ ๑๓๓"),
        ("共收到{}封信。", "१२ १३ २२"),
        ("合计{}件。", "١٢ ١٣ ٤٢"),
    ),
    (
        ("保证金为人民币{}元整。", "叁仟伍佰 叁仟陆佰 肆仟伍佰"),
        ("家传{}余代。", "廿 卅"),
        ("诊断为{}度损伤。", "Ⅰ Ⅱ Ⅲ"),
        ("评定为{}档。", "A C D"),
        ("总数为{}。", "໑໒ ໑໓ ໒໒"),
        ("登记{}户。", "១២ ១៣ ២២"),
        ("记录{}次。", "၁၂ ၁၃ ၂၂"),
        ("保存{}卷。", "༡༢ ༡༣ ༢༢"),
        ("进入{}期试验。", "II III"),
    ),
)
"""Sentences, and numerals in other notations of which one stands in the place of another."""
EQUAL = (
    (
        ("货款为人民币{}元。", "壹拾贰万 12万 十二万"),
        ("距今已有{}年。", "卅 三十 30"),
        ("启动{}级响应。", "Ⅲ III 三"),
        ("主队以{}取胜。", "3比1 3:1 3-1 三比一"),
        ("此碑立于{}年。", "民国三十八 1949 民国38"),
        ("编号为{}。", "๑๒๓ 123"),
        ("验收安排在{}。", "下礼拜 下周 下星期"),
        ("番茄售价为{}。", "每公斤5元 5元/公斤"),
        ("车上坐着{}人。", "十几 十多 十余"),
        ("指数报{}点。", "2930.8 <b>2930.8</b> <em>2930.8</em>"),
        ("每次服用{}片。", "两 2"),
        ("请添加微信 {} 咨询。", "abc123 xyz789 hello2020"),
    ),
    (
        ("押金是人民币{}元。", "叁仟伍佰 3500 三千五百"),
        ("家传{}代。", "廿 二十 20"),
        ("进入{}期试验。", "II Ⅱ 二 2"),
        ("双方战成{}。", "2比2 2:2 2-2 二比二"),
        ("账册记于{}年。", "民国二十六 1937 民国26"),
        ("登记{}户。", "១២ 12"),
        ("评审会定在{}。", "这个礼拜 本周 这周"),
        ("运费是{}。", "每吨80元 80元/吨"),
        ("村里住着{}户人家。", "几十 数十"),
        ("均价为{}元。", "418.5 <span>418.5</span> <strong>418.5</strong>"),
        ("每天熬{}帖膏药。", "三 3"),
        ("关注公众号：{}。", "world99 city2021 news365"),
    ),
)
"""Sentences, and figures that say the same."""
WORDS = (
    (
        ("大家{}高兴。", "十分 非常 万分"),
        ("他{}住在城南。", "一直 始终"),
        ("两家{}出资。", "一起 共同 一同"),
        ("{}都有回应。", "百姓 群众"),
        ("看法{}。", "一致 相同"),
        ("路上{}小心。", "千万 务必"),
        ("{}下雨就改期。", "万一 如果"),
        ("还有{}问题。", "一些 若干"),
    ),
    (
        ("事情{}复杂。", "万分 十分 相当"),
        ("他们{}做到底。", "一定 必定"),
        ("众人{}离开。", "一齐 一道 同时"),
        ("{}离不开水。", "万物 生灵"),
        ("样子{}。", "一样 相同 一般"),
        ("他{}推辞。", "再三 一再 反复"),
        ("{}变卦怎么办。", "一旦 如果"),
        ("共有{}意见。", "三点 三条"),
    ),
)
"""Sentences, and words that hold a numeral and count nothing."""


Lists = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
"""Sentences with their words, of the halves tune and held."""


def pick(lists: Lists, draw: Draw) -> list[str]:
    """Two fillings of one sentence of the half."""
    sentence, words = draw.rng.choice(lists[draw.half == "held"])
    return [sentence.format(word.replace("_", " ")) for word in draw.rng.sample(words.split(), 2)]


def _one_of(lists: Lists, text: str, draw: Draw) -> Both:
    return with_both(text, *pick(lists, draw), draw.rng)


def counted(text: str, draw: Draw) -> Both | None:
    """Another number of things, before a measure word."""
    rng = draw.rng
    thing, sentence = rng.choice(MEASURED[draw.half == "held"]), rng.choice(COUNTED)
    if rng.random() < 0.3:
        thing = thing[0]
    one, other = rng.sample(_DIGIT, 2)
    ten = rng.choice(["", "", "十", "二十"])
    both = [ten + ("二" if ten and n == "两" else n) for n in (one, other)]
    return with_both(text, *(sentence.format(n + thing) for n in both), rng)


def score(text: str, draw: Draw) -> Both | None:
    """A score turned round."""
    rng = draw.rng
    a, b = rng.sample(range(10), 2) if rng.random() < 0.6 else rng.sample(range(60, 120), 2)
    sentence, between = rng.choice(SCORES[draw.half == "held"]), rng.choice(["-", ":", "比", "—"])
    return with_both(text, *(sentence.format(f"{x}{between}{y}") for x, y in ((a, b), (b, a))), rng)


def rough(text: str, draw: Draw) -> Both | None:
    """Another rough count."""
    return _one_of(ROUGH, text, draw)


def _reworded(text: str, draw: Draw, *, another: bool) -> Both:
    rng = draw.rng
    one, other = rng.choice(REWORDED[draw.half == "held"])
    mine, theirs, inner = (f"{rng.randint(20, 90)}.{rng.randint(1, 9)}{rng.randint(1, 9)}" for _ in range(3))
    both = with_both(text, one.format(mine), other.format(theirs if another else mine, inner), rng)
    return both if rng.random() < 0.5 else both[::-1]


def figure_reworded(text: str, draw: Draw) -> Both | None:
    """Another figure in a clause that says the rest in other words, and more."""
    return _reworded(text, draw, another=True)


def clause_reworded(text: str, draw: Draw) -> Both | None:
    """The same figure in a clause that says the rest in other words, and more."""
    return _reworded(text, draw, another=False)


def code_ending(text: str, draw: Draw) -> Both | None:
    """Another code, of which one ends another code near by."""
    return _one_of(CODED, text, draw)


def calendar(text: str, draw: Draw) -> Both | None:
    """Another season, part of the day, relative day or quarter, or the other bound of a count."""
    return _one_of(CALENDAR, text, draw)


def notation(text: str, draw: Draw) -> Both | None:
    """Another figure, in a notation other than plain digits."""
    return _one_of(NOTATIONS, text, draw)


def same_figure(text: str, draw: Draw) -> Both | None:
    """The same figure in another notation."""
    return _one_of(EQUAL, text, draw)


def numeral_word(text: str, draw: Draw) -> Both | None:
    """A word that holds a numeral and counts nothing, for another one that says the same."""
    return _one_of(WORDS, text, draw)

"""Covers: facts of every kind within a text, from the words of the sentence to the conflict. Compared against: what the sentences mean."""

import numpy as np
import pyarrow as pa
import pytest

from quchong.differences import find_differences
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text import form

CHINESE = "{}。请各位居民提前安排好出行，注意安全，听从现场工作人员的引导，共同维护好公共秩序，欢迎前来参与。"
ENGLISH = "{} Residents are asked to plan their trips ahead and to follow the directions of the staff on the spot, so that order is kept."


def facts(left, right):
    """The kinds in conflict, which are the same the other way round."""
    frame = ENGLISH if left.isascii() else CHINESE
    texts = pa.array([frame.format(left), frame.format(right)], pa.large_string())
    mask = np.ones(2, bool)
    found = find_differences(form(), Documents.from_texts(texts), np.array([0, 1]), np.array([1, 0]), mask, mask, 1)
    there, back = (
        {DIFFERENCES[k] for k in found.kind[a:b][found.conflict[a:b]].tolist()}
        for a, b in zip(found.offsets, found.offsets[1:], strict=False)
    )
    assert there == back
    return there


STATED = {
    "figure": """
        奖金1亿元|奖金6000万元
        参加者1万人|参加者14999人
        奖金2万元|奖金15000元
        余额1万元|余额9500元
        死者1千人|死者1400人
        参加者1.2万人|参加者12500人
        It costs $1 million.|It costs $1,400,000.
        It costs $2 billion.|It costs $1,600 million.
        总投资1亿2千万元|总投资1亿3千万元
        奖金100元|奖金100美元
        奖金100元|奖金100欧元
        总投资1.2亿元|总投资1.2亿美元
        路程10公里|路程10英里
        30天内完成|30个工作日内完成
        单价5元/斤|单价5元/公斤
        占地300亩|占地300平方米
        新建1200套|新建1200户
        The fee is 5 dollars.|The fee is 5 euros.
        The walk is 5 km long.|The walk is 5 miles long.
        It takes 5 hours.|It takes 5 days.
        It yields 12-3/4 pct.|It yields 12-3/4 percentage points.
        It yields 12-3/4 pct.|It yields 12-1/4 pct.
        They sold 5 mln dlrs of it.|They sold 5 mln yen of it.
        They sold 5 mln dlrs of it.|They sold 5 bln dlrs of it.
        It costs EUR 50.|It costs USD 50.
        It costs 50 EUR.|It costs 50 USD.
        It rose by 0.25 percent.|It rose by 0.25 percentage points.
        最低气温零下5度|最低气温零上5度
        最低气温零下5度|最低气温5度
        利润为负5.3亿元|利润为5.3亿元
        The low is minus 5 degrees.|The low is 5 degrees.
        费用为门票的三分之一|费用为门票的三分之二
        参加者占一半|参加者占三成
        参加者逾千人|参加者逾万人
        获一等奖|获二等奖
        市一院开展义诊|市二院开展义诊
        初一学生|初三学生
        It is the third race.|It is the fourth race.
        It is the 3rd race.|It is the 4th race.
        Half of them came.|A third of them came.
        Dozens of people came.|Hundreds of people came.
        Two dozen people came.|Three dozen people came.
        Sales doubled there.|Sales tripled there.
        About twenty-five came.|About twenty-six came.
        版面有5个|版面有6个
    """,
    "date": """
        今晚8点开始|明晚8点开始
        定于今早开始|定于昨晚开始
        前年的数据|去年的数据
        上季度的数据|本季度的数据
        比上年增长|比上月增长
        月底前完成|年底前完成
        农历正月十五举行|农历八月十五举行
        定于春节举行|定于中秋节举行
        凌晨2点开始|下午2点开始
        每日三次|每周三次
        It starts next week.|It starts next month.
        It was last year.|It was this year.
        Open on weekdays only.|Open on weekends only.
        It costs more a month.|It costs more a year.
        It was in the 1980s.|It was in the 1990s.
        定于3/5开始|定于3/6开始
        It starts on 5/3/2026.|It starts on 5/4/2026.
        定于3月5-8日举行|定于3月5-9日举行
        营业8:00-10:00|营业8:00-11:00
        定于3月5日上午10时开始|定于3月6日上午10时开始
    """,
    "code": """
        请升级到v1.2.3版|请升级到v1.2.4版
        电话400-888-1234|电话400-888-1235
        Call 212-555-0187.|Call 212-555-0178.
        Your code is 483920.|Your code is 483921.
        您的验证码是483920|您的验证码是483921
        A区停电|B区停电
        苏A牌照|苏B牌照
    """,
    "negation": """
        The board does not plan cuts.|The board plans cuts.
        The board did not approve it.|The board approved it.
        The board didn't agree to it.|The board agreed to it.
        The board has not approved it.|The board approved it.
        The police did not find him.|The police found him.
        The police failed to find him.|The police found him.
        The plan is approved.|The plan is not yet approved.
        The ban is lifted.|The ban is no longer lifted.
        They were here.|They weren't here.
        He could go.|He couldn't go.
        He would go.|He wouldn't go.
        He should go.|He shouldn't go.
        He has plenty.|He has nothing.
        Nobody was hurt.|Somebody was hurt.
    """,
    "opposite": """
        They all agreed.|None of them agreed.
        无人伤亡|多人伤亡
        道路封闭|道路开放
        演出取消|演出延期
        他进入大楼|他走出大楼
        项目停工|项目竣工
        判处死刑|判处死缓
        首次举办|再次举办
        店铺继续营业|店铺暂停营业
        本店支持退货|本店概不退货
        超过100人|不到100人
        暴雨蓝色预警|暴雨黄色预警
        夜间有小雨|夜间有暴雨
        单价5元|总价5元
        接种甲肝疫苗|接种乙肝疫苗
        The road is closed.|The road is open.
        The bill was passed.|The bill was rejected.
        The win is confirmed.|The loss is confirmed.
        It is cheap here.|It is expensive here.
        He often goes.|He seldom goes.
        It has run since March.|It has run until March.
        腾讯收购京东|京东收购腾讯
        由北京飞往上海|由上海飞往北京
        李明打伤王强|王强打伤李明
        甲队胜乙队|乙队胜甲队
        Germany beat France.|France beat Germany.
    """,
    "person": """
        市长张伟被查|副市长张伟被查
        他是会长|他是副会长
        He is the chairman.|He is the vice chairman.
    """,
}


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [(kind, *line.strip().split("|")) for kind, lines in STATED.items() for line in lines.strip().split("\n")],
)
def test_what_states_another_fact(kind, left, right):
    assert facts(left, right) == {kind}


SAME = """
    总投资1.2亿元|总投资1亿2000万元
    参加者3.5万人|参加者3万5千人
    参加者1.2万人|参加者12034人
    全程10km|全程10公里
    重5kg|重5公斤
    高18cm|高18厘米
    面积100㎡|面积100平方米
    时速80km/h|时速80公里
    占比0.53%|占比5.3‰
    每瓶3000毫升|每瓶3升
    占地300亩|占地20万平方米
    持续24小时|持续一天
    增长1倍|增长100%
    约占三分之一|约占33%
    参加者占一半|参加者占50%
    定于3月5日至8日|定于3月5日到8日
    罚100元。5号起执行|罚100。5号起执行
    The walk is 5 km long.|The walk is 5000 m long.
    The fee is $5 million.|The fee is $5m.
    Twenty-five came.|25 came.
    It is the 3rd race.|It is the third race.
    It starts at 3 pm.|It starts at 15:00.
    He isn't there.|He is not there.
    It took 4lyears to build.|It took 4 years to build.
    It was said thn again.|It was said then again.
    She cannot come.|She can't come.
    He is not only here.|He is here.
    The U.S. sponsors it.|The United States sponsors it.
    北京大学主办|北大主办
    世界卫生组织主办|世卫组织主办
    中国建设银行主办|建行主办
    中国人民银行主办|央行主办
    由王建国主持|由老王主持
    特朗普出席|川普出席
    张三和李四参加|李四和张三参加
    扫码下载客户端，新用户立减50元|点击关注本报微信，抽奖赢取100元红包
"""


@pytest.mark.parametrize(("left", "right"), [line.strip().split("|") for line in SAME.strip().split("\n")])
def test_what_says_the_same(left, right):
    assert facts(left, right) == set()


def test_an_apostrophe_of_print_negates_too():
    for word, other in (("is", "isn\u2019t"), ("can", "can\u2019t"), ("will", "won\u2019t"), ("do", "don\u2019t")):
        assert facts(f"They {word} go.", f"They {other} go.") == {"negation"}


@pytest.mark.parametrize(
    ("old", "new"), [("BEIJING", "SHANGHAI"), ("Jan 3", "Jan 4"), ("BEIJING, Jan 3 (Xinhua)", "SHANGHAI, Jan 4 (AP)")]
)
def test_an_english_dateline_is_no_fact(old, new):
    text = "BEIJING, Jan 3 (Xinhua) -- The bank said that it will raise its rate."
    assert facts(text, text.replace(old, new)) == set()

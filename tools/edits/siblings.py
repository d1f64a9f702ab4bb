"""Notices of 60 to 80 characters that differ in two slots: other days, other places, other sums. Both texts must stay."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from draw import Both, Draw
from names import BANKS, CITIES, SCHOOLS, person_name

DISTRICTS = "东湖区 西山区 青云区 高新区 滨江区 临江区 新城区 开发区 北塔区 南明区 云岩区 天宁区".split()
ROADS = "人民路 解放路 中山路 建设路 和平路 文化路 长江路 黄河路 胜利路 新华路".split()
POSTS = "会计 司机 护士 厨师 保安 文员 销售代表 仓库管理员 电工 幼儿教师".split()
SLOTS: dict[str, Callable[[random.Random], str]] = {
    "day": lambda r: f"{r.randint(1, 12)}月{r.randint(1, 28)}日",
    "n": lambda r: str(r.randint(2, 98)),
    "big": lambda r: str(r.randint(103, 4980)),
    "sum": lambda r: f"{r.randint(12, 9800)}.{r.randint(10, 99)}",
    "share": lambda r: f"{r.randint(1, 19)}.{r.randint(1, 9)}",
    "code": lambda r: str(r.randint(100000, 999999)),
    "tail": lambda r: str(r.randint(1000, 9999)),
    "city": lambda r: r.choice(CITIES),
    "district": lambda r: r.choice(DISTRICTS),
    "road": lambda r: r.choice(ROADS),
    "person": person_name,
    "post": lambda r: r.choice(POSTS),
    "school": lambda r: r.choice(SCHOOLS),
    "bank": lambda r: r.choice(BANKS),
    "nth": lambda r: "".join(r.choice("一二三四五六七八九") for _ in range(1)) + "十" + r.choice("一二三四五六七八九"),
    "time": lambda r: f"{r.randint(8, 20)}时{r.choice(['', '30分'])}",
    "plate": lambda r: f"{r.choice('京沪浙苏粤')}{r.choice('ABCDEF')}·{r.randint(10000, 99999)}",
}  # fmt: skip
TEMPLATES = (
    "{day}0时至24时，全市新增确诊病例{n}例，均为集中隔离点筛查发现，均已转运至定点医院隔离治疗，目前病情平稳，密切接触者正在追踪之中。",
    "我市定于{day}上午在新闻发布厅召开第{nth}场新闻发布会，请有关部门负责人介绍近期工作进展，并回答记者提问，欢迎各新闻单位派记者参加。",
    "因城市发展需要，现面向社会公开招聘{post}{n}名，要求身体健康，品行端正，有相关工作经验者优先，待遇面议，有意者请携带本人证件前来报名。",
    "{district}停水通知：因管道检修，{day}夜间至次日清晨辖区内部分小区将暂停供水，请广大居民提前做好储水准备，给您带来不便敬请谅解。",
    "您正在登录网上营业厅，本次操作的验证码为{code}，{n}分钟内有效，请勿将验证码告知他人，工作人员不会向您索要，如非本人操作请忽略本短信。",
    "尊敬的客户，您尾号{tail}的储蓄卡账户刚刚完成一笔交易，当前可用余额为{sum}元，如有疑问请及时致电我行客服热线或到就近营业网点查询。",
    "{city}市气象台今日发布预报，预计未来三天以多云天气为主，最高气温{n}摄氏度，早晚温差较大，请市民注意适时增减衣物，防止感冒。",
    "{school}现公布今年博士研究生复试名单，共有{big}名考生进入复试，请考生按要求准备有关材料，并按时到所报考的学院办理报到手续。",
    "今日收盘，沪指报{big}点，跌{share}%，两市成交额较上一交易日有所缩小，行业板块涨少跌多，市场观望气氛仍然较浓，机构建议投资者谨慎操作。",
    "您的快件已由{person}派送，取件码为{code}，已放置于小区门口的自助柜内，请在二十四小时内取走，超时可能产生保管费用，感谢您的使用。",
    "{road}路段因地铁施工，自{day}起实行全封闭围挡，过往车辆请提前绕行，途经该路段的公交线路同时调整，请市民留意站台公告，合理安排出行。",
    "现将{district}第{n}批拟享受租赁补贴的家庭名单予以公示，公示期为七天，如有异议，请在公示期内以书面形式向住房保障部门如实反映情况。",
    "警方通报：{day}晚，一辆号牌为{plate}的小型轿车与护栏相撞，事故未造成人员死亡，伤者已送医救治，事故原因正在进一步调查之中。",
    "本期福利彩票第{big}期开奖结果揭晓，特等奖中出{n}注，奖池资金滚存至下期，请中奖者在六十日之内持本人有效证件到彩票中心办理兑奖手续。",
    "{bank}公告：因系统升级，本行将于{day}凌晨暂停网上银行和手机银行服务，预计四小时后恢复正常，请您提前安排好有关业务，敬请谅解。",
    "尊敬的旅客，您预订的前往{city}的列车将于{time}发车，请提前到站办理安检和检票手续，开车前五分钟停止检票，祝您旅途愉快，一路平安。",
    "讣告：本单位离休干部{person}同志因病医治无效，于{day}在本市医院逝世，现定于近日在殡仪馆举行遗体告别仪式，谨此讣告，敬请亲友知悉。",
    "经研究决定，任命{person}同志担任{district}教育局副局长，试用期一年，任职时间从通知印发之日起计算，请各有关单位认真遵照执行，特此通知。",
    "您在本店的订单已经发货，运单号末四位为{tail}，实付金额{sum}元，预计三天内送达，请保持电话畅通，收货时请当面验货，如有破损可以拒绝签收。",
    "{city}市教育局公布，今年全市共有{big}名考生报名参加初中学业水平考试，考点均已按要求完成布置和消毒，请考生携带准考证按时参加考试。",
    "今日二十四时起国内成品油价格调整，每吨汽油价格变动{big}元，折合每升约{share}角，这是今年以来的又一次调整，请各加油站按规定执行新价格。",
    "监测显示，{city}昨日空气质量指数为{n}，首要污染物为细颗粒物，环保部门提醒，老人和儿童应当减少户外运动，外出时请佩戴好防护口罩。",
    "小区物业温馨提示：本小区{n}号楼电梯将于{day}进行年度检修，检修期间电梯停止使用，请各位住户走楼梯通行，由此带来的不便敬请谅解。",
    "第{nth}届青少年书法比赛报名工作已经开始，本届比赛设一等奖{n}名，二三等奖若干名，作品须为本人原创，报名者请将作品邮寄至组委会办公室。",
)  # fmt: skip


def filled(template: str, rng: random.Random) -> str:
    """The notice with its slots filled by chance."""
    return re.sub(r"\{(\w+)\}", lambda m: SLOTS[m[1]](rng), template)


def sibling(text: str, draw: Draw) -> Both | None:
    """Two notices of one template whose slots both differ. Each half has its own templates; the base text is not used."""
    mine = TEMPLATES[draw.half == "held" :: 2]
    template = mine[draw.number % len(mine)]
    fixed = re.split(r"\{\w+\}", template)
    while True:
        left, right = filled(template, draw.rng), filled(template, draw.rng)
        pattern = "(.+)".join(map(re.escape, fixed))
        a, b = re.fullmatch(pattern, left), re.fullmatch(pattern, right)
        if a and b and all(x != y for x, y in zip(a.groups(), b.groups(), strict=True)):
            return left, right

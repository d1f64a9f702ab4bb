"""Loading of what the examination of differences reads at its first use: dictionaries, the tagger, and patterns that are compiled."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from quchong.differences.find import find_differences
from quchong.differences.synonyms import load_senses
from quchong.kernels.text import Form
from quchong.seam import Documents

PAIRS = (
    (
        "记者王建国报道，市政府昨天在浦东召开会议，研究道路建设问题",
        "记者张建国报道，市政府昨天在浦西召开会议，研究道路建设问题",
    ),
    (
        "新华社北京3月5日电 今年将投资350万元建设12所学校，预计增长5.2%",
        "新华社北京3月6日电 今年将投资380万元建设15所学校，预计增长5.7%",
    ),
    (
        "已经完成的项目不再收费，居民对此表示欢迎和支持，银行股价上涨",
        "尚未完成的项目可能收费，居民对此表示欢迎和支持，银行股价下跌",
    ),
    (
        "第二天他们坐火车去了南方的一个城市，在市场上买了很多苹果和牛奶",
        "第二天他们坐火车去了南方的一个城市，在市场上买了很多香蕉和牛奶",
    ),
    (
        "编号A区XK-204的设备重约3公斤，价格≥5元，由上海华联公司生产和销售",
        "编号B区XK-204的设备重约3吨，价格≤5元，由上海联华公司生产和销售",
    ),
    (
        "美国总统特朗普访问期间会见了副市长李明，双方讨论了贸易和投资合作",
        "美国总统川普访问期间会见了副市长李敏，双方讨论了贸易和投资合作",
    ),
    (
        "这件事情的经过大家都非常清楚，没有人反对这一决定，会议到此结束",
        "这件事请的经过大家部非常清楚，没有人反对这一决走，会议到此结束",
    ),
    (
        "您的账户于本月余额为4.80元，请及时充值以免影响使用，感谢支持",
        "您的账户于本月余额为47.30元，其中6.0元可用，截至本月底有效，过期之后将自动清零不再退还给您，请及时充值以免影响使用，感谢支持",
    ),
    (
        "The committee said on Monday that John Smith of General Motors will open 12 plants in Ohio by May 2003",
        "The committee said on Tuesday that James Smith of General Electric will close 15 plants in Iowa by May 2004",
    ),
    (
        "WASHINGTON, March 5 (Reuters) - Profits rose 5.2 percent to $350 million and the minister did not approve the plan",
        "WASHINGTON, March 6 (Reuters) - Profits fell 5.2 percent to $380 million and the minister did approve the plan",
    ),
    (
        "The old doctor sold his house in the village to a farmer last year, and his family moved to the city",
        "The old doctor sold his horse in the village to a farmer last year, and his family moved to the city",
    ),
    (
        "Flight AA204 carries CO2 and weighs 3 kg, all South Korean buyers must pay in cash before it leaves",
        "Flight AA240 carries CO₂ and weighs 3 tons, all North Korean buyers may pay in cash before it leaves",
    ),
    (
        "居民必须在周五之前到社区办理登记手续，工作时间为上午和下午，周末照常开放",
        "居民可以在周五之前到社区办理登记手续，工作时间为上午和下午，周末照常开放",
    ),
    (
        "英国首相布莱尔在伦敦发表讲话，呼吁各方保持克制，尽快恢复谈判进程",
        "英国首相希拉克在伦敦发表讲话，呼吁各方保持克制，尽快恢复谈判进程",
    ),
    (
        "Officials said the leader Tony Blair of Northern Ireland had arrived and would stay in the city for some days",
        "Officials said the leader Jack Straw of South Korea had arrived and would stay in the city for some days",
    ),
    (
        "Officials were increasingly confident about the results of the election in the southern provinces",
        "Officials were increasinqly confldent about the resuIts of the election in the southern provinces",
    ),
    (
        "Der Minister sagte am Montag, dass die Regierung im März 2003 nicht mehr als 350 Euro für die Schulen zahlen werde",
        "Der Minister sagte am Dienstag, dass die Regierung im April 2003 mehr als 380 Euro für die Schulen zahlen werde",
    ),
)
"""Pairs of texts that differ in each kind of fact, in slips, and in words."""


def load_tables(form: Form) -> None:
    """Load dictionaries, tagger and patterns now, so that the first comparison need not wait for them.

    A service that answers within milliseconds calls it before its first question. It examines built-in pairs of texts.

    Args:
        form: how texts become tokens: word lists are hashed with its tables.

    Cost: 0.4 s in a new process, afterwards 10 ms.
    """
    load_senses()
    texts = [text for pair in PAIRS for text in pair]
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    left = np.arange(0, len(texts), 2)
    every = np.ones(len(left), bool)
    find_differences(form, documents, left, left + 1, every, every, 1)

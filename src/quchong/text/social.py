"""Normalisation of posts: folds forwarding marks, names, emoji, topics and tags.

微博等短文的折叠：转发标记、@用户、链接、表情、话题、重复标点、（图）一类附注。For comparison only: the text written out is the
original, and `Preparer` keeps the way back to it. What a step folds is replaced by a space, a run of marks by one of them.

A text is never folded to nothing. Names, topics and links can be what a post is about: they are folded only if `BESIDE_CONTENT` letters and
digits remain outside the folded parts. Marks, tags and emoji are folded if `BESIDE_MARKS` remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import Param, UsageError, meant
from quchong.kernels.posts import STEPS, FoldedPosts, PostTables, fold_posts, post_tables
from quchong.kernels.sorting import distinct
from quchong.languages import join_names

SOCIAL_STEPS = STEPS
"""What can be folded, each on its own:

forwards (转发标记): //@name: and 回复@name: (the mark goes, what was said stays), RT @x:, via @x, 转发微博 standing alone
    or before //, （转发） and 【转】 at either end, 转： at the beginning.
tags (附注): （图）, (组图), 【视频】, [荐] and their like in brackets, 组图： at the beginning.
links (链接): http://..., https://..., www..., t.cn/...
hashtags (话题): #话题# of 4 characters and more at the beginning or end (shorter ones are places and names more often);
    inside a sentence its words stay. Of #word only the mark is dropped, as ever.
emoji (表情): [哈哈], [good] and the other codes of `EMOJI_CODES`, one cut off at the end, and Unicode emoji. Other words in
    brackets ([停课], [北京]) say something and stay.
names (@用户): @ and a name of up to 30 letters, digits, - and _, at the beginning or end; inside a sentence it is part of it.
punctuation (重复标点): a run of the same mark becomes one. (Marks are never compared beside letters; this concerns texts of
    marks alone and strict forms.)
"""
BESIDE_CONTENT = 10
BESIDE_MARKS = 4
_FORWARDED = "转发微博 轉發微博 转发 轉發".split()
MARK_WORDS: dict[str, Sequence[str]] = {
    "forwards": (*_FORWARDED, *"转载 转贴 扩散 求转 速转 转 轉 RT Fwd Fw".split()),
    "alone": (*_FORWARDED, "Repost"),
    "replies": ("回复", "回復"),
    "sources": ("RT", "转自", "轉自", "via", "来自", "分享自"),
    "tags": (
        "组图 組圖 多图 附图 有图 配图 图文 图片 高清图 高清组图 动图 长图 GIF 视频 視頻 音频 图集 荐 推荐 原创 独家".split()
    ),
    "heads": "组图 組圖 多图 图文 图片 高清图 高清组图 视频 图集".split(),
}
"""Words of marks, by what they do: in brackets or with a colon at the beginning (forwards), alone before // or at the end, before the name
of who is answered, before the name of who said it, in brackets (tags: also with a number of pictures), at the beginning with a colon."""
EMOJI_CODES = (
    "微笑 嘻嘻 哈哈 可爱 可怜 挖鼻 挖鼻屎 吃惊 害羞 挤眼 闭嘴 鄙视 爱你 泪 偷笑 亲亲 生病 "
    "太开心 白眼 右哼哼 左哼哼 嘘 衰 委屈 吐 哈欠 抱抱 怒 疑问 馋嘴 拜拜 思考 汗 困 睡 睡觉 "
    "钱 失望 酷 色 花心 哼 鼓掌 晕 悲伤 抓狂 黑线 阴险 怒骂 互粉 心 伤心 猪头 熊猫 兔子 ok OK "
    "耶 good 不要 NO no 赞 来 弱 草泥马 神马 囧 浮云 给力 围观 威武 奥特曼 礼物 钟 话筒 蜡烛 "
    "蛋糕 咖啡 干杯 足球 太阳 月亮 星星 闪电 雪 下雨 浪 冬天 飞机 汽车 自行车 音乐 照相机 "
    "手机 电影 电视机 最差 最右 顶 转发 推荐 推撞 跳舞花 求关注 狂笑 笑cry 允悲 doge 喵喵 "
    "二哈 费解 摊手 吃瓜 作揖 憧憬 加油 握手 拳头 崩溃 打脸 坏笑 舔屏 跪了 并不简单 悲催 哇 "
    "嗯 感冒 织 喜 帅 萌 实习 噢耶 玫瑰 鲜花 凋谢 礼花 爱心 心碎 热吻 呵呵 鬼脸 偷乐 巨汗 "
    "甩甩手 拍手 拍照 得意 得瑟 愤怒 难过 流泪 大哭 大笑 发怒 发呆 无语 尴尬 惊恐 惊讶 奋斗 "
    "胜利 强 强壮 抱拳 勾引 差劲 撇嘴 调皮 呲牙 冷汗 流汗 憨笑 咒骂 折磨 骷髅 敲打 再见 擦汗 "
    "抠鼻 糗大了 快哭了 吓 咖喱 菜刀 西瓜 放假啦 开心 傻眼 泪流满面 羞嗒嗒 好爱哦 好棒 好喜欢 "
    "求包养 江南style 带感 纠结 压力 yeah YEAH love hold住 赞啊 霹雳 lt切克闹 bobo纠结 "
    "din推撞 lxhx喵喵 xkl转圈 moc转发 ali转圈哭 bm可爱 cai委屈 j祝福 群体围观 偷看 震惊 裂开 "
    "苦涩 叹气 让我看看 666 翻白眼 旺柴 机智 皱眉 奸笑 嘿哈 捂脸 红包 發 福 庆祝 合十 爆竹 "
    "口罩"
).split()
"""Codes of emoji in brackets as Weibo and WeChat write them; only those that express nothing but a mood."""


def social_steps(given: str | Iterable[str]) -> tuple[str, ...]:
    """Parse step names: "all", "none", or names of `SOCIAL_STEPS` (with commas, or several), returned in their order.

    Raises:
        UsageError: an unknown name.
    """
    names = {n.strip() for n in (given.split(",") if isinstance(given, str) else given)} - {""}
    if names == {"all"}:
        return SOCIAL_STEPS
    names -= {"none"} if len(names) == 1 else set()
    unknown = sorted(names - set(SOCIAL_STEPS))
    if unknown:
        raise UsageError(
            "{} cannot ignore {}: use all, none, or one or more of {}{}",
            Param("social"),
            join_names([*unknown]),
            join_names([*SOCIAL_STEPS]),
            meant(",".join(unknown), ("all", "none", *SOCIAL_STEPS)),
        )
    return tuple(step for step in SOCIAL_STEPS if step in names)


_NAME = r"[0-9A-Za-z_\-\x{c0}-\x{1fff}\x{2e80}-\x{2fff}\x{3005}-\x{9fff}\x{ac00}-\x{d7af}]"
"""A character of a name, as ranges: classes of Unicode take 20 ms to compile."""
_FORWARD_MARK = rf"(?:^|[^0-9A-Za-z._%+\-])@{_NAME}{{1,30}}\s?[:：]"
"""A name before what its owner said: //@name: or @name:, as a forward with a comment has them; no address of mail."""


def has_forward_mark(texts: pa.Array) -> npt.NDArray[np.bool_]:
    """Return a mask of the texts that quote somebody with a mark of forwarding, such as `//@name:`; False for null.

    Cost: a search for "@", and a regular expression in the texts that have one.

    >>> has_forward_mark(pa.array(["说得好//@某人:原文", "a@b.com: no", "@某人 你好"])).tolist()
    [True, False, False]
    """
    mask = np.zeros(len(texts), np.bool_)
    _, offsets, letters = (texts if texts.type == pa.large_string() else texts.cast(pa.large_string())).buffers()
    if letters is None or not len(texts):
        return mask
    # Rows with an "@", found in the bytes of all texts at once.
    ends = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    signs = ends[0] + np.flatnonzero(np.frombuffer(letters, np.uint8)[ends[0] : ends[-1]] == ord("@"))
    if not len(signs):
        return mask
    some = distinct(np.searchsorted(ends, signs, side="right") - 1)
    found = pc.fill_null(pc.match_substring_regex(texts.take(pa.array(some)), _FORWARD_MARK), False)
    mask[some] = found.to_numpy(zero_copy_only=False)
    return mask


@cache
def _tables() -> PostTables:
    return post_tables({**MARK_WORDS, "codes": EMOJI_CODES})


def fold_marks(texts: pa.Array, steps: tuple[str, ...], workers: int | None = None) -> FoldedPosts:
    """Return the posts that change when marks are folded by these steps, with their changes.

    Args:
        texts: large_string without nulls; an empty text has nothing to fold.
        steps: from `social_steps`.
    """
    return fold_posts(
        _tables(), texts, steps, beside_content=BESIDE_CONTENT, beside_marks=BESIDE_MARKS, workers=workers
    )

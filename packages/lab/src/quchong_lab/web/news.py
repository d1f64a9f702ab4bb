"""Generated Chinese news: the grammar of `quchong_lab.web.writer` in Chinese.

Sentences are made of clauses, clauses of the words of `quchong_lab.web.words`. Each article has its own places, people and
institutions. Nobody would print this Chinese; sentences end in 。！？ and inside quotation marks.
"""

from __future__ import annotations

from quchong_lab.web.words import MONEYS, PLACE_KINDS, ZH
from quchong_lab.web.writer import Cast, Subject, Writer

NUMERALS = "一二三四五六七八九"


class NewsWriter(Writer):
    """Writer of Chinese articles; see `Writer`."""

    lexicon = ZH

    def _title_subject(self, subject: Subject) -> str:
        return subject.place + subject.thing

    def _title(self, about: str, act: str, cast: Cast) -> str:
        return self._dice.pick((
            f"{about}{act} {self._figure()}", f"{about}{self._act()}", f"{cast.people[0][0]}：{about}{act}",
            f"{about}{act} {cast.agencies[0]}回应", f"{about}{act} {self._item()}{self._dice.pick(ZH.trends)}{self._percent()}",
        ))  # fmt: skip

    def _lead(self, about: str, act: str, cast: Cast) -> str:
        d = self._dice
        return (
            f"{cast.month}月{cast.day}日，{about}{act}，{cast.agencies[0]}{d.pick(ZH.adverbs)}{self._act()}，"
            f"{self._item()}{d.pick(ZH.trends)}{self._percent()}。"
        )

    def _heading(self) -> str:
        return f"{self._act()}{self._dice.pick(self._words.verbs)}{self._item()}"

    def _mark(self, part: int) -> str:
        return f"{NUMERALS[part]}、"

    def _background(self, about: str, cast: Cast) -> list[str]:
        d = self._dice
        return [f"公开资料显示，{about}始于{d.between(1950, 2010)}年，{self._clause(cast)}。"]

    def _agency(self, place: str) -> str:
        return place + self._dice.pick(ZH.modifiers) + self._dice.pick(ZH.agencies)

    def _sentence(self, cast: Cast) -> str:
        d = self._dice
        kind = d.below(20)
        if kind < 4:
            name, role = d.pick(cast.people)
            who = name if kind else f"{d.pick(cast.places)}{role}{name}"
            body = "，".join(self._spoken(cast) for _ in range(d.between(1, 3)))
            return f"{who}{d.pick(ZH.said)}：“{body}{d.pick('。。。！')}”"
        if kind == 4:
            name, role = d.pick(cast.people)
            return (
                f"“{self._spoken(cast)}，{self._spoken(cast)}。”{role}{name}{d.pick(ZH.said)}，{self._clause(cast)}。"
            )
        if kind == 5:
            return f"{self._act()}之后，{d.pick(self._words.heads)}怎么{d.pick(self._words.verbs)}？"
        if kind == 6:
            return f"{self._clause(cast)}{d.pick('。！')}"
        if kind < 10:
            return f"{self._clause(cast)}，{d.pick(ZH.links)}{self._clause(cast)}。"
        opening = d.pick(ZH.openings if kind < 17 else ZH.reasons)
        return f"{opening}，{'，'.join(self._clause(cast) for _ in range(d.between(1, 3)))}。"

    def _clause(self, cast: Cast) -> str:
        d, own = self._dice, self._words
        kind = d.below(12)
        if kind < 4:
            who = (d.pick(cast.agencies), f"{d.pick(cast.places)}的{self._item()}", d.pick(ZH.links), "")[kind]
            out = f"{who}{d.pick(ZH.adverbs) if kind != 2 else ''}{self._act()}"
        elif kind == 4:
            out = f"{self._item()}{d.pick(ZH.trends)}{self._percent()}"
        elif kind == 5:
            out = f"{d.pick(cast.places)}{self._act()}{self._figure()}"
        elif kind == 6:
            out = f"{self._item()}由{d.pick(own.heads)}{d.pick(own.verbs)}，{self._act()}"
        elif kind == 7:
            out = f"{cast.month}月{d.between(1, 28)}日前{d.pick(ZH.adverbs)}{self._act()}"
        elif kind == 8:
            out = f"{self._act()}的{d.pick(own.heads)}{d.pick(ZH.adverbs)}{d.pick(own.verbs)}到{self._figure()}"
        elif kind == 9:
            out = f"把{self._item()}{d.pick(own.verbs)}给{self._item()}"
        elif kind == 10:
            name, role = d.pick(cast.people)
            out = f"{role}{name}{d.pick(ZH.adverbs)}{self._act()}"
        else:
            out = f"{self._act()}、{self._act()}"
        return out

    def _spoken(self, cast: Cast) -> str:
        d = self._dice
        kind = d.below(4)
        if kind == 0:
            return f"{d.pick(self._words.heads)}{d.pick(self._words.verbs)}了{self._figure()}，{d.pick(ZH.earnest)}"
        if kind == 1:
            return f"我们{d.pick(ZH.adverbs)}{self._act()}"
        return (
            self._clause(cast)
            if kind == 2
            else f"{self._item()}要{d.pick(self._words.verbs)}{d.pick(self._words.heads)}"
        )

    def _act(self) -> str:
        return self._dice.pick(self._words.verbs) + self._item()

    def _item(self) -> str:
        return self._dice.pick(self._words.modifiers) + self._dice.pick(self._words.heads)

    def _place(self) -> str:
        d = self._dice
        return d.pick(ZH.place_first) + d.pick(ZH.place_second) + d.pick(PLACE_KINDS)

    def _name(self) -> str:
        d = self._dice
        return d.pick(ZH.surnames) + d.pick(ZH.given) + (d.pick(ZH.given) if d.below(4) else "")

    def _percent(self) -> str:
        return f"{self._dice.between(1, 98)}.{self._dice.below(10)}%"

    def _figure(self) -> str:
        d = self._dice
        if d.below(4):
            return f"{d.between(2, 10 ** d.between(1, 4))}{d.pick(ZH.units)}"
        return f"{d.between(1, 999)}.{d.below(100)}{d.pick(MONEYS)}"

"""Reverse clusters: one article or post many times, reworded, with noise, other headlines, sources or comments. All but one can go."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import families.fillers as words
from families.copies import noisy

ARTICLES = "zh_library zh_orchard en_ferry en_clock".split()
POSTS = "zh_lost_dog zh_kitchen en_bakery".split()
TEXTS = Path(__file__).parent / "articles"
PLACE = re.compile(r"\{([^{}]*)\}")
REWORDED = 0.35
"""Share of the marked places that are worded otherwise."""
Rework = Callable[[str, random.Random, str], str]


def worded(article: str, rng: random.Random, share: float) -> str:
    """Return the article with that share of its marked places worded otherwise than in the original."""

    def one(found: re.Match[str]) -> str:
        first, *others = found[1].split("|")
        return rng.choice(others) if others and rng.random() < share else first

    return PLACE.sub(one, article)


def _date(rng: random.Random, language: str) -> str:
    year, month, day = rng.randint(2019, 2025), rng.randint(1, 12), rng.randint(1, 28)
    return f"{year}年{month}月{day}日" if language == "zh" else f"{day}/{month}/{year}"


def _site(rng: random.Random, language: str) -> str:
    site = rng.choice(words.listed(f"sites_{language}"))
    return rng.choice(words.ZH_CITIES) + site if language == "zh" else f"{rng.choice(words.CITIES)} {site}"


def _reworded(article: str, rng: random.Random, language: str) -> str:
    return worded(article, rng, REWORDED)


def _noise(article: str, rng: random.Random, language: str) -> str:
    return noisy([(worded(article, rng, 0), False)], rng, rng.uniform(0.005, 0.02))


def _headline(article: str, rng: random.Random, language: str) -> str:
    body = worded(article, rng, 0).split("\n", 1)[1]
    first, second, third = (rng.choice(words.listed(f"headline_{language}_{i}")) for i in range(3))
    return f"{first}：{second}{third}\n{body}" if language == "zh" else f"{first}: {second}{third}\n{body}"


def _source(article: str, rng: random.Random, language: str) -> str:
    body = worded(article, rng, 0)
    line = (
        f"来源：{_site(rng, language)} {_date(rng, language)}"
        if language == "zh"
        else f"{_site(rng, language)}, {_date(rng, language)}"
    )
    return f"{line}\n{body}" if rng.random() < 0.5 else f"{body}\n{line}"


def _everything(article: str, rng: random.Random, language: str) -> str:
    text = worded(article, rng, REWORDED * rng.random())
    for rework in rng.sample([_headline, _source, _noise], rng.randint(1, 2)):
        text = rework(text, rng, language)
    return text


def _repost(post: str, rng: random.Random, language: str) -> str:
    """Return the post with comments of up to two readers before it, and up to two sentences after it."""
    said = [rng.choice(words.listed(f"before_{language}")) for _ in range(rng.randint(0, 2))]
    after = rng.sample(words.listed(f"after_{language}"), rng.randint(0, 2))
    if language == "zh":
        people = [f"{comment}//@{words.chinese_person(rng)}：" for comment in said]
        return "".join(people) + post + "".join(after)
    return " ".join(
        [*(f"{comment} RT @{rng.choice(words.FIRST).lower()}{rng.randint(1, 99)}:" for comment in said), post, *after]
    )


REWORKS: dict[str, Rework] = {
    "reworded": _reworded, "noise": _noise, "headline": _headline, "source": _source, "everything": _everything,
}  # fmt: skip


def _text(name: str) -> str:
    """Return the article or post of that name. `{a|b}` marks a place that may be worded otherwise; the first wording is the original's."""
    return (TEXTS / f"{name}.txt").read_text("utf-8").removesuffix("\n")


REVERSE: dict[str, tuple[str, Rework]] = {
    **{f"{name}_{way}": (_text(name), rework) for name in ARTICLES for way, rework in REWORKS.items()},
    **{f"{name}_reposts": (_text(name), _repost) for name in POSTS},
}
"""Every reverse cluster: its text, and how a copy of it is made."""


def half_of(name: str) -> str:
    """Return the half of a reverse cluster: by its text, so that both languages are in both."""
    return "tune" if name.startswith(("zh_library", "en_clock", "zh_kitchen")) else "report"

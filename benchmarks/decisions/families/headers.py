"""Documents that share a header or a footer and have little of their own: a licence above small modules, a disclaimer below short e-mails.

Some have nothing but the shared part, and some are long. Only documents whose own parts are equal are copies.
"""

from __future__ import annotations

import random

import families.fillers as words
from families.frame import Family


def _module(r: random.Random) -> dict[str, str]:
    """Return one or two assignments; in one of twelve a module of some length; in one of fifteen nothing."""
    if r.random() < 1 / 15:
        return {"own": ""}
    count = r.randint(14, 30) if r.random() < 1 / 12 else r.randint(1, 2)
    lines = [
        f"{r.choice(words.FIELDS)}_of_{r.choice(words.NOUNS)} = {r.choice(words.VERBS)}_{r.choice(words.THINGS)}({r.randint(2, 999)})"
        for _ in range(count)
    ]
    return {
        "own": f"\nfrom .{r.choice(words.UNITS)} import {r.choice(words.VERBS)}_{r.choice(words.NOUNS)}\n\n"
        + "\n".join(lines)
        + "\n"
    }


def _mail(r: random.Random) -> dict[str, str]:
    """Return a sentence of an e-mail; in one of twelve several; in one of fifteen nothing."""
    if r.random() < 1 / 15:
        return {"own": ""}
    said = []
    for _ in range(r.randint(6, 10) if r.random() < 1 / 12 else 1):
        first, second = words.pair_of(r, words.DEPARTMENTS)
        said.append(r.choice([
            f"{words.chinese_person(r)}您好，{first}要的{r.choice(words.AGENDAS)}材料已放在共享目录，请查收。",
            f"{first}请于本周内把{r.choice(words.AGENDAS)}的意见发给{second}{words.chinese_person(r)}。",
            f"{r.choice(words.SERVICES)}的试用账号已经开通，{first}的{words.chinese_person(r)}可以先看一下。",
            f"明天上午和{second}讨论{r.choice(words.AGENDAS)}，请{words.chinese_person(r)}准备。",
        ]))  # fmt: skip
    return {"own": "".join(said)}


FAMILIES = (
    Family("en_licensed", "tune", "licence", _module, ("blank", "comment")),
    Family("zh_disclaimed", "report", "disclaimer", _mail, ("mark", "noise")),
)

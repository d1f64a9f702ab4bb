"""Small corpora in which many documents share a header, and others in which quoted text only looks like one; all invented."""

WORDS = [
    a + b + c
    for a in ("ba", "de", "fi", "go", "ku", "la")
    for b in ("r", "n", "st", "m")
    for c in ("a", "ed", "ing", "o", "er")
]
LICENCE = (
    "Licensed to the Example Foundation under one or more contributor agreements. The Foundation licenses this file to you under the "
    "Example License, Version 2.0; you may not use this file except in compliance with the License. Unless required by applicable law "
    "or agreed to in writing, software distributed under the License is distributed on an as-is basis, without warranties or "
    "conditions of any kind, either express or implied."
)
DISCLAIMER = (
    "免责声明：本文仅代表作者个人观点，与本网站无关。其原创性以及文中陈述文字和内容未经本站证实，对本文以及其中全部或者部分内容的真实性、"
    "完整性、及时性本站不作任何保证或承诺，请读者仅作参考，并请自行核实相关内容。"
)  # fmt: skip


def prose(rng, n):
    """Return `n` invented words."""
    return " ".join(rng.choice(WORDS) + str(rng.randrange(40)) for _ in range(n))


def article(rng, sentences):
    """Return invented Chinese sentences, of which two articles share none."""
    return "".join(
        "".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(rng.randint(12, 30))) + "。" for _ in range(sentences)
    )


def rows(texts):
    """Return documents with the names of the texts as ids."""
    return [{"id": name, "text": text} for name, text in texts.items()]


def licensed(rng, long=24, small=12):
    """Return documents under one licence: long ones, small ones with a few words of their own, and `bare`, which has none."""
    out = {f"long{i:02}": f"{LICENCE}\n\n{prose(rng, 450 + 7 * i)}" for i in range(long)}
    out |= {f"small{i:02}": f"{LICENCE}\n\n{prose(rng, 6 + i % 6)}" for i in range(small)}
    return out | {"bare": LICENCE}


def disclaimed(rng, long=24, small=12):
    """Return Chinese documents with one disclaimer at the foot: long ones, small ones with a sentence of their own, and `bare`."""
    out = {f"long{i:02}": article(rng, 30 + i % 5) + DISCLAIMER for i in range(long)}
    out |= {f"small{i:02}": article(rng, 1)[-8 - i % 6 :] + DISCLAIMER for i in range(small)}
    return out | {"bare": DISCLAIMER}


def in_roundups(rng, roundups=40, articles=4):
    """Return `original`, and roundups of several articles that have it in any place."""
    original = article(rng, 4)
    out = {"original": original}
    for i in range(roundups):
        parts = [article(rng, 4) for _ in range(articles - 1)]
        parts.insert(rng.randrange(articles), original)
        out[f"roundup{i:02}"] = "\n".join(parts)
    return out


def quoted(rng, posts=40):
    """Return `original`, a short post, and longer posts that quote it behind a comment."""
    original = article(rng, 2)
    return {"original": original} | {
        f"post{i:02}": article(rng, 3 + i % 5) + "//@云河新闻：" + original for i in range(posts)
    }


def brief_of_reprints(rng, reprints=20):
    """Return `brief`, and reprints of one long article that begins with it, each with a word or two of its own."""
    brief = article(rng, 3)
    rest = article(rng, 30)
    return {"brief": brief} | {f"reprint{i:02}": f"{brief}{rest}（云河第{i}报）" for i in range(reprints)}

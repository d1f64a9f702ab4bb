"""Covers: quchong.similarity.notices, and headers found by it among documents of like size. Compared against: texts read here.

Run: pytest tests/unit/similarity/test_notices.py
"""

import random

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.kernels.arrays import texts_of
from quchong.seam import Documents
from quchong.similarity.header_counting import count_headers
from quchong.similarity.headers import header_mask
from quchong.similarity.notices import are_notices, words_of_notices
from quchong.text import form

LICENCE = (
    "# Copyright (c) the authors of the Rowan library. All rights reserved.\n#\n"
    "# Permission to use, change and pass on this file is granted to everybody, provided that this notice stays at the top of every\n"
    "# copy. The file is provided as is, without warranty of any kind, and the authors are not liable for any damages from its use,\n"
    "# even if they had been told of the possibility of such damages before they passed it on to others in this or another form.\n"
)
DISCLAIMER = (
    "声明：本邮件及附件仅供收件人使用，可能含有保密内容。如果您误收了本邮件，请立即通知发件人并彻底删除，不得复制、转发或向他人披露。"
    "发件人不对因使用本邮件造成的任何损失承担责任，邮件内容不代表公司立场，除非另有书面说明。"
)
STORY = (
    "The ferry left the island at nine with forty people and two cows on board, and the wind was still light. At noon the captain saw "
    "that the lamp on the pier had gone out, and the keeper rowed out to tell him why nobody had lit it since the storm of last week."
)
OWN = [
    "from .lamps import light_lantern\n\nwidth_of_shelf = measure_oak(814)\n",
    "from .birds import count_herons\n\nname_of_harbour = find_pier(27)\nlength_of_rope = cut_hemp(5)\n",
    "from .bread import knead_dough\n\nheat_of_oven = set_baker(230)\n",
    "from .clocks import wind_spring\n\nhour_of_noon = strike_bell(12)\n",
]
LETTERS = [
    "周三下午请把仓库钥匙交给前台的小顾，晚上要搬书架。",
    "新到的两箱样品放在三楼走廊，质检的同事自己去取。",
    "食堂周五停水，午饭改成盒饭，十一点半开始发。",
]


@pytest.mark.parametrize(("text", "is_one"), [(LICENCE, True), (DISCLAIMER, True), (STORY, False), ("", False)])
def test_a_notice_is_told_by_its_words(text, is_one):
    tokens = np.array([max(len(text.split()), 1)])
    assert are_notices(texts_of([pa.array([text], pa.large_string())]), tokens).tolist() == [is_one]


def test_a_word_counts_once_and_a_long_text_needs_more():
    assert words_of_notices("copyright " * 50) == 1
    texts = texts_of([pa.array([LICENCE], pa.large_string())])
    assert are_notices(texts, np.array([100])).all() and not are_notices(texts, np.array([5000])).any()


def kept_of(texts, **options):
    result = qc.dedup([{"id": str(i), "text": text} for i, text in enumerate(texts)], recall_sample=0, **options)
    return set(range(len(texts))) - {int(i) for i in result.ledger["id"].to_pylist()}


@pytest.mark.parametrize("order", [1, -1])
def test_short_documents_beside_a_notice_are_kept_and_their_copies_removed(order):
    modules = [f"{LICENCE}\n{own}" for own in OWN]
    copy = f"{LICENCE}\n{OWN[1]}\n# see the notes\n"
    kept = kept_of([*modules, copy][::order])
    assert len(kept) == 4
    letters = [f"{own}\n----\n{DISCLAIMER}" for own in LETTERS]
    assert kept_of(letters[::order]) == {0, 1, 2}


def test_headlines_over_one_story_and_licences_of_other_owners_are_copies():
    assert (
        len(kept_of([f"{head}\n{STORY}" for head in ("Ferry waits", "A dark pier", "Lamp out", "News of the island")]))
        == 1
    )
    owners = ["Rowan", "Alder", "Hazel", "Willow", "Aspen"]
    # Templates would tell the owners apart; here headers alone are asked.
    assert len(kept_of([LICENCE.replace("Rowan", owner) for owner in owners], templates="remove")) == 1


@pytest.mark.parametrize("seed", range(5))
def test_what_letters_have_alike_above_a_notice_is_no_part_of_it(seed):
    """Letters of sentences that recur stand above one disclaimer: two of them are alike here and there by chance."""
    dice = random.Random(seed)
    rooms, tasks = ["三楼会议室", "前台", "一号仓库", "食堂", "东门岗亭"], ["盘点", "检修", "搬书架", "换锁", "贴封条"]
    people = ["小顾", "老秦", "阿芳", "小贺", "老邹", "阿强", "小裴", "老苗"]

    def sentence() -> str:
        return dice.choice([
            f"请{dice.choice(people)}周三下午到{dice.choice(rooms)}把钥匙交给{dice.choice(people)}，不要迟到。",
            f"{dice.choice(rooms)}的{dice.choice(tasks)}改到下周一上午，由{dice.choice(people)}和{dice.choice(people)}负责。",
            f"{dice.choice(people)}昨天在{dice.choice(rooms)}领走了{dice.choice(tasks)}用的工具，请登记。",
        ])  # fmt: skip

    letters = [f"{''.join(sentence() for _ in range(9))}\n----\n{DISCLAIMER}" for _ in range(4)]
    documents = Documents.from_texts(pa.array([*letters, DISCLAIMER], pa.large_string()))
    counted = count_headers(form(), documents, np.zeros(3, np.int64), np.arange(1, 4))
    docs = documents.hashed(form())
    covered = np.split(header_mask(docs, counted.known_shingles()), docs.offsets[1:-1])
    notice = int(docs.lengths[4])
    for letter in covered[:4]:
        assert letter[-notice + 3 :].all() and not letter[: -notice - 40].any()

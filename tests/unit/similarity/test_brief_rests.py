"""Covers: what is left of a text beside a header, if it is brief: another phrase is another text, a changed character is noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from quchong.kernels.sorting import distinct
from quchong.seam import Documents
from quchong.similarity.headers import Headed, hashed_shingles, measure_rests
from quchong.text import form as form_of

FOOTER = "本邮件及其附件仅供指定的收件人阅读其中可能含有保密信息如果您不是收件人请立即通知发件人并删除本邮件不得转发"
SAID = "明天上午和科研处讨论合同模板修订，请何雪梅准备。"


def rests(one: str, other: str, width: int = 2, headers: Sequence[str] = (FOOTER,)) -> list[float]:
    """Shares of what is left of two letters above the footer in the other one."""
    form = form_of()
    documents = Documents.from_texts(pa.array([f"{one}\n{FOOTER}", f"{other}\n{FOOTER}"], pa.large_string()))
    hashes, whole = hashed_shingles(Documents.from_texts(pa.array(headers, pa.large_string())).hashed(form, 1))
    sides = np.array([0]), np.array([1])
    measures = {
        "ngram_size": np.array([width], np.uint8), "containment_left": np.ones(1), "containment_right": np.ones(1),
        **{f"tokens_{side}": documents.hashed(form, 1).lengths[[k]] for k, side in enumerate(("left", "right"))},
    }  # fmt: skip
    found = measure_rests(form, documents, Headed(distinct(hashes[whole]), np.ones(2, bool), 0.5), *sides, measures, 1)
    return [float(found["rest_left"][0]), float(found["rest_right"][0])]


@pytest.mark.parametrize(
    "other",
    [
        "明天上午和科研处讨论合同模板修订，请罗卫民准备。",  # another name
        "明天上午和科研处讨论宿舍维修，请何雪梅准备。",  # another matter
        "明天上午和科研处讨论合同模板修订，请何雪梅发言。",  # at the end
        "今晚上午和科研处讨论合同模板修订，请何雪梅准备。",
        "明天上午和科研处讨论合同模板修订，请罗卫民准备。学生处的何雪梅准备周五的茶话会，请大家按时参加。",  # the name is another's
        "请何雪梅准备合同模板修订。科研处明天上午开会，和产品部讨论招聘。",  # in pieces
    ],
)
def test_another_phrase_is_another_text(other):
    assert rests(SAID, other)[0] == rests(SAID, other, 5)[0] == 0


@pytest.mark.parametrize(
    "other",
    [
        "明天上午和科研处讨论合同模板修订，请何雪海准备。",  # a slip
        "明天上午和科研处讨论合同模版修订，请何雪梅准备！",
        SAID + "看到请回复，谢谢大家。",  # something is added
        "各位同事大家早，" + SAID,
        "明天上午和科研处在三楼讨论合同模板修订，请何雪梅准备。",
    ],
)
def test_noise_and_additions_leave_the_same_text(other):
    assert rests(SAID, other)[0] >= 0.83


def test_scraps_of_a_header_are_no_pieces():
    """The header was found in a noisy letter: where it is noisy, the other letters have some words beside it."""
    scraps = ["甲仅供乙丙", "丁含有戊己", "庚通知辛壬"]
    noisy = [scrap[:2] + "某" + scrap[3:] for scrap in scraps]
    header = [FOOTER[k : k + 14] for k in (0, 14, 28)]
    one, other = (
        "\n".join([SAID, *(part for pair in zip(header, said, strict=True) for part in pair)])
        for said in (scraps, noisy)
    )
    assert rests(one, other, headers=[FOOTER])[0] > 0


def test_of_a_longer_rest_a_phrase_is_little():
    much = "".join(f"第{k}条办法由各处室在年底之前自行安排落实" for k in "甲乙丙丁戊己庚辛")
    assert 0.83 < rests(much + "请何雪梅准备", much + "请罗卫民准备")[0] < 1

"""Covers: statistics and noise of a method frozen as one value, its file, and what damaged files do.

Compared against: the method that counted on the same documents.
"""

import numpy as np
import pyarrow as pa
import pytest

from quchong.decision.frozen import STATISTICS_KINDS_ALONE, FrozenStatistics
from quchong.features.periods import Noise
from quchong.features.statistics import FeatureStatistics
from quchong.outputs import OwnFolder
from quchong.plan.catalogue import METHODS, build
from quchong.seam import Documents, with_statistics
from quchong.work import Damaged
from quchong.work.values import write_value

TEXTS = [
    "今天下午市政府召开新闻发布会。会上介绍了地铁四号线的建设情况。工程预计明年三月通车。",
    "今天下午市政府召开新闻发布会。会上介绍了地铁五号线的建设情况。工程预计明年三月通车。",
    "The council met on Monday to discuss the new tram line. The works began in early spring. Shops will be closed.",
    "今天下午市政府召开新闻发布会。记者了解到车站共有二十座。施工期间道路仍然开放。",
]
DOCUMENTS = Documents.from_texts(
    pa.array(TEXTS, pa.large_string()), site=pa.array(["a.com"] * 4, pa.large_string()),
    title=pa.array(["t"] * 4, pa.large_string()), url=pa.array([f"http://a.com/{i}" for i in range(4)], pa.large_string()),
    blocks=pa.array(["p"] * 4, pa.large_string()),
)  # fmt: skip
GIVEN = {"simhash": {"weights": "idf"}, "two-stage": {"weights": "idf"}, "partial": {"signature": "idf"}}


def counts(name):
    statistics = build(name, GIVEN.get(name, {})).candidates.statistics
    return statistics is not None and statistics.count is not None


COUNTING = sorted(name for name in METHODS if counts(name))


def test_methods_that_count_and_methods_that_do_not(tmp_path):
    assert {"ccdet", "ppjoin", "ppjoin+", "imatch", "kmatch", "scam", "simhash", "two-stage", "partial"} <= set(
        COUNTING
    )
    folder = OwnFolder.made(tmp_path / "own")
    nothing = FrozenStatistics.count(build("hybrid", {}), DOCUMENTS, 1)
    nothing.save(folder, "none")
    assert dict(nothing.counted) == {} == dict(FrozenStatistics.load(folder, "none").counted)


@pytest.mark.parametrize("name", COUNTING)
def test_frozen_statistics_make_the_method_that_counted(name, tmp_path):
    method = build(name, GIVEN.get(name, {}))
    folder = OwnFolder.made(tmp_path / "own")
    frozen = FrozenStatistics.count(method, DOCUMENTS, 1)
    assert frozen.counted
    frozen.save(folder, "statistics")
    counted = with_statistics(method, DOCUMENTS, 1)
    again = FrozenStatistics.load(folder, "statistics").applied(build(name, GIVEN.get(name, {})))
    assert {f: getattr(v, "digest", v) for f, v in FrozenStatistics.load(folder, "statistics").counted.items()} == {
        f: getattr(v, "digest", v) for f, v in frozen.counted.items()
    }
    assert with_statistics(again, DOCUMENTS, 1) is again  # nothing is left to count
    left, right = np.array([0, 0], np.uint32), np.array([1, 3], np.uint32)
    measures = [m.score(DOCUMENTS, left, right, 1) for m in (counted, again)]
    assert {k: v.tolist() for k, v in measures[0].items()} == {k: v.tolist() for k, v in measures[1].items()}


def test_statistics_of_another_method_are_refused():
    frozen = FrozenStatistics.count(build("imatch", {}), DOCUMENTS, 1)
    with pytest.raises(Damaged, match="imatch"):
        frozen.applied(build("kmatch", {}))
    with pytest.raises(Damaged, match="fields"):
        FrozenStatistics("kmatch", {"nothing": 1}).applied(build("kmatch", {}))


NONE = np.zeros(0, np.uint64)
WRONG = {
    "no list": {"imatch": 1},
    "too short": ["imatch", {}],
    "no name": [1, {}, NONE],
    "no fields": ["imatch", [], NONE],
    "features that descend": ["imatch", {"statistics": FeatureStatistics(1, np.array([2, 1], np.uint64), np.ones(2, np.uint32))}, NONE],
    "fewer frequencies": ["imatch", {"statistics": FeatureStatistics(1, np.array([1, 2], np.uint64), np.ones(1, np.uint32))}, NONE],
    "signed features": ["imatch", {"statistics": FeatureStatistics(1, np.array([1, 2]), np.ones(2, np.uint32))}, NONE],
    "fewer than no documents": ["imatch", {"statistics": FeatureStatistics(-1, np.zeros(0, np.uint64), np.zeros(0, np.uint32))}, NONE],
    "noise that descends": ["ccdet", {"noise": Noise(np.array([2, 1], np.uint64), np.zeros(0, np.uint64))}, NONE],
    "headers that descend": ["hybrid", {}, np.array([2, 1], np.uint64)],
    "signed headers": ["hybrid", {}, np.array([1, 2])],
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_files_that_hold_no_statistics_are_refused(wrong, tmp_path):
    folder = OwnFolder.made(tmp_path / "own")
    write_value(folder, "statistics", wrong, STATISTICS_KINDS_ALONE)
    with pytest.raises(Damaged):
        FrozenStatistics.load(folder, "statistics")


@pytest.mark.parametrize("cut", [0, 1, 40, 100, -1])
def test_files_that_are_cut_are_refused(cut, tmp_path):
    folder = OwnFolder.made(tmp_path / "own")
    FrozenStatistics.count(build("imatch", {}), DOCUMENTS, 1).save(folder, "statistics")
    file = tmp_path / "own" / "statistics"
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(Damaged):
        FrozenStatistics.load(folder, "statistics")

"""The shared data sets beside the checkout, the Python twin that recounts pairs, and the pinned floors."""

import hashlib
import json
import os
from pathlib import Path

import pyarrow as pa
import pytest
from twins.pairs import jaccard_and_containments
from twins.text import Tables, tokenise

from quchong.text import Preparer
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases

ROOT = Path(__file__).resolve().parents[2]
BASELINE = Path(__file__).with_name("baseline.json")


class Shared:
    """The data folder: ../shared/data beside the checkout, or data/ below the folder QUCHONG_SHARED names."""

    def __init__(self):
        given = os.environ.get("QUCHONG_SHARED")
        self.folder = (Path(given) if given else ROOT.parent / "shared") / "data"

    def path(self, name):
        return str(self.folder / name)

    def read(self, name):
        with (self.folder / name).open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def digest(self, name):
        return hashlib.blake2b((self.folder / name).read_bytes(), digest_size=16).hexdigest()


class Twin:
    """Recounts pairs in plain Python on the same normal form; every document is tokenised once."""

    def __init__(self, rows):
        self._texts = {r["id"]: r["text"] for r in rows}
        self._tokens = {}
        self._tables = Tables(folds(), *phrases(), NUMBER_WORDS)

    def tokens(self, doc_id):
        if doc_id not in self._tokens:
            text = Preparer().prepare(pa.array([self._texts[doc_id]], pa.large_string()), 1).texts[0].as_py()
            self._tokens[doc_id] = [t.value for t in tokenise(text, self._tables)]
        return self._tokens[doc_id]

    def count(self, left, right, ngram):
        """Jaccard, share of left in right, share of right in left."""
        return jaccard_and_containments(self.tokens(left), self.tokens(right), ngram)


@pytest.fixture(scope="session")
def shared():
    found = Shared()
    if not found.folder.is_dir():
        pytest.skip(
            f"the shared data sets are absent: no {found.folder} (set QUCHONG_SHARED to the folder above data/)"
        )
    return found


@pytest.fixture(scope="session")
def twin():
    return Twin


@pytest.fixture(scope="session")
def baseline():
    return json.loads(BASELINE.read_text("utf-8"))

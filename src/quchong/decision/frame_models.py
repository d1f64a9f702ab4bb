"""Templates of a corpus with texts on them, by which a document that comes later is found to be on one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.decision.frozen import STATISTICS_KINDS_ALONE, FrozenTemplates
from quchong.outputs import OwnFolder
from quchong.work import Damaged
from quchong.work.checks import check_array, check_type
from quchong.work.values import read_value, write_value

MOST_OF_FRAME = 16
"""Most texts that are stored for one component: the models of its frames, and some documents that pairs connect with them."""


@dataclass(frozen=True, slots=True)
class FrameModels:
    """Frozen templates of a corpus, with the texts of some of its documents for each template.

    Attributes:
        templates: frames and known fillers.
        texts: large_string, prepared texts: of each component with frames the models, and further documents, at most `MOST_OF_FRAME`.
        component: int64, component of each text.
    """

    templates: FrozenTemplates
    texts: pa.Array
    component: np.ndarray

    @staticmethod
    def choose_texts(templates: FrozenTemplates, component: np.ndarray) -> np.ndarray:
        """Return the documents of a corpus whose texts are stored, int64: models first, then the first other documents of each component.

        Args:
            templates: frames, whose models are numbers of documents. component: int64, component of each document.
        """
        frames = templates.frames
        others = np.flatnonzero(np.isin(component, frames.component))
        order = np.concatenate([frames.model, others[~np.isin(others, frames.model)]]).astype(np.int64)
        seen: dict[int, int] = {}
        keep = np.zeros(len(order), bool)
        for i, label in enumerate(component[order].tolist()):
            seen[label] = seen.get(label, 0) + 1
            keep[i] = i < len(frames.model) or seen[label] <= MOST_OF_FRAME
        return order[keep]

    def save(self, folder: OwnFolder, name: str) -> int:
        """Write the templates to a file of a folder, atomically; return its size in bytes.

        Raises:
            OSError: there is no room, or no permission.
        """
        return write_value(folder, name, [self.templates, self.texts, self.component], STATISTICS_KINDS_ALONE)

    @staticmethod
    def load(folder: OwnFolder, name: str) -> FrameModels:
        """Read templates that `save` wrote; nothing of the file is executed.

        Raises:
            Damaged: the file is incomplete, or contains what no templates are.
            OSError: the file cannot be read.
        """
        found = read_value(folder, name, STATISTICS_KINDS_ALONE)
        check_type(found, list)
        if len(found) != 3:
            raise Damaged("templates that are none")
        templates, texts, component = found
        check_type(templates, FrozenTemplates)
        check_type(texts, pa.LargeStringArray)
        if texts.null_count:
            raise Damaged("a text that is none")
        check_array(component, np.int64, len(texts))
        return FrameModels(templates, texts, component)

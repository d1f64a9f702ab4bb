"""Folder of an index: made, opened by one process for writing or by any for reading, and closed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from quchong.candidates.arrivals import can_arrive
from quchong.candidates.postings import MemoryPostings
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.catalogue import Catalogue
from quchong.engines.index.comparing import Comparer
from quchong.engines.index.contents import Contents
from quchong.engines.index.finder import Finder
from quchong.engines.index.settings import Settings
from quchong.outputs import OwnFolder

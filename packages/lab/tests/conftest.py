"""Environment of the experiments' tests: messages in English, no state in anybody's home, Hypothesis without chance."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

_STATE = tempfile.TemporaryDirectory(prefix="quchong-lab-tests-")
os.environ["XDG_STATE_HOME"] = _STATE.name
os.environ["QUCHONG_LANG"] = "en"

settings.register_profile("lab", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("lab")

"""Progress of a run, the cost of each stage (seconds, processor seconds, memory), and the log of both under the logger `quchong`."""

from quchong.progress.children import start_interpreter
from quchong.progress.logged import FIGURES, LOGGER, LoggedRun, figures_of, log_alarms, log_event
from quchong.progress.memory import Sampler, anonymous_memory, count_child, peak_memory, uncount_child
from quchong.progress.stages import Progress, Silent, Stages, UnmeasuredStages

__all__ = [
    "FIGURES",
    "LOGGER",
    "LoggedRun",
    "Progress",
    "Sampler",
    "Silent",
    "Stages",
    "UnmeasuredStages",
    "anonymous_memory",
    "count_child",
    "figures_of",
    "log_alarms",
    "log_event",
    "peak_memory",
    "start_interpreter",
    "uncount_child",
]

"""Progress of a run, and the cost of each stage: seconds, processor seconds, memory."""

from quchong.progress.memory import Sampler, anonymous_memory, count_child, peak_memory, uncount_child
from quchong.progress.stages import Progress, Silent, Stages

__all__ = ["Progress", "Sampler", "Silent", "Stages", "anonymous_memory", "count_child", "peak_memory", "uncount_child"]

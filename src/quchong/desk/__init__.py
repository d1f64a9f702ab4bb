"""Review desk: a web application on this machine in which people decide about a run and label its pairs."""

from quchong.desk.server import OpenDesk

__all__ = ["OpenDesk"]

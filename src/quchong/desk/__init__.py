"""A run in a browser, for people to decide and label: a web application on this machine alone."""

from quchong.desk.server import OpenDesk

__all__ = ["OpenDesk"]

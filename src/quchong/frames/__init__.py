"""Frames: what many documents on one template share, and the slots that each of them fills otherwise."""

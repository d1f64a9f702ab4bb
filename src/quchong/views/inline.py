"""The page of a run inside a notebook."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 3_000_000
"""Bytes of a page in a notebook, which is saved with it."""
_SIGNS = str.maketrans({"&": "&amp;", "'": "&#39;"})


@dataclass(frozen=True)
class InlineReport:
    """The page of a run, as a notebook shows it: in a frame of its own, which may run the page's own scripts and nothing else.

    Attributes:
        html: the page.
        height: of the frame, in pixels.
    """

    html: str
    height: int = 800

    def _repr_html_(self) -> str:
        """The frame. It holds the whole page with its content security policy; it asks for nothing, and cannot reach the notebook."""
        page = self.html.translate(_SIGNS)
        return (
            f"<iframe sandbox='allow-scripts allow-modals' title='quchong report' width='100%' height='{self.height}' "
            f"style='border:0' srcdoc='{page}'></iframe>"
        )

    def __repr__(self) -> str:
        return f"<quchong report: a page of {len(self.html.encode()):,} bytes, which a notebook shows>"

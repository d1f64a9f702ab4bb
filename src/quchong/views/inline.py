"""Page of a run inside a notebook."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 3_000_000
"""Maximum size of a page in a notebook in bytes; it is saved with the notebook."""
_SIGNS = str.maketrans({"&": "&amp;", "'": "&#39;"})


@dataclass(frozen=True)
class InlineReport:
    """Page of a run for a notebook, in a frame of its own that may run only the page's own scripts.

    Attributes:
        html: the page.
        height: height of the frame, in pixels.
    """

    html: str
    height: int = 800

    def _repr_html_(self) -> str:
        """Return the frame with the whole page and its content security policy; it loads nothing, and cannot access the notebook."""
        page = self.html.translate(_SIGNS)
        return (
            f"<iframe sandbox='allow-scripts allow-modals' title='quchong report' width='100%' height='{self.height}' "
            f"style='border:0' srcdoc='{page}'></iframe>"
        )

    def __repr__(self) -> str:
        return f"<quchong report: a page of {len(self.html.encode()):,} bytes, which a notebook shows>"

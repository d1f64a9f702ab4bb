"""Width of texts in terminal columns, counted by rich: wide characters take two, combining marks none."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def cells(text: str) -> int:
    """Return the number of terminal columns of a text of one line."""
    return cell_len(text)


def padded(text: str, columns: int) -> str:
    """Pad a text with spaces to a width in columns; a wider text is returned unchanged."""
    return text + " " * max(0, columns - cell_len(text))


def shortened(text: str, columns: int) -> str:
    """Cut a text to a width in columns and end it with an ellipsis; a text that fits is returned unchanged.

    Widths below 8 columns are treated as 8.
    """
    columns = max(8, columns)
    return text if cell_len(text) <= columns else set_cell_size(text, columns - 1).rstrip() + "…"

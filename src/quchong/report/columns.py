"""How many columns of a terminal a text takes, by rich: wide characters take two, marks on others none."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def cells(text: str) -> int:
    """Columns a text of one line takes."""
    return cell_len(text)


def padded(text: str, columns: int) -> str:
    """The text with spaces up to so many columns; a longer one as it is."""
    return text + " " * max(0, columns - cell_len(text))


def shortened(text: str, columns: int) -> str:
    """The text, or as much of its beginning as fits so many columns, with an ellipsis. At least 8 columns are used."""
    columns = max(8, columns)
    return text if cell_len(text) <= columns else set_cell_size(text, columns - 1).rstrip() + "…"

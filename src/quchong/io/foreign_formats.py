"""Files of other programs that are not read, and how to make text of them."""

from __future__ import annotations

from quchong.errors import InputError, shell_word
from quchong.languages import Message

_CONVERTERS = {
    ".pdf": "pdftotext {} {}", ".epub": "pandoc {} -t plain -o {}", ".mobi": "ebook-convert {} {}", ".djvu": "djvutxt {} {}",
    ".tex": "pandoc {} -t plain -o {}", ".ps": "ps2ascii {} {}",
}  # fmt: skip
"""Commands that make text of a file: its name, and that of the text."""
_REMEDIES = {
    (".docx", ".doc", ".docm", ".rtf", ".odt", ".wps", ".pages"): Message("save the file in Word or WPS as .txt or .html"),
    (".pptx", ".ppt", ".odp", ".key"): Message("save the text of the file as .txt"),
    (".ods", ".et", ".numbers", ".xlsb", ".xlsm"): Message("save the file as .xlsx or CSV"),
    (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".gif", ".heic"):
        Message("a picture has no text: run text recognition (OCR) first"),
    (".db", ".sqlite", ".sqlite3", ".sql", ".mdb", ".accdb"): Message("export the table as CSV, Parquet or JSON lines first"),
    (".xml", ".rss", ".atom"): Message("write its texts as JSON lines first, one record for each text"),
    (".rar", ".7z"): Message("unpack the archive, and give the files in it"),
    (".pkl", ".pickle", ".npy", ".npz", ".pt"): Message("a file of this kind may contain code: write the texts as "
                                                        "JSON lines or Parquet first"),
}  # fmt: skip
"""What to do with a file, by the ending of its name."""


def check_not_foreign(path: object) -> None:
    """Raise InputError for a file of an unsupported format that is known by its suffix; the message says how to convert the file."""
    if (remedy := foreign_remedy(str(path))) is not None:
        raise InputError("{} is not read: {}", path, remedy)


def foreign_remedy(name: str) -> Message | None:
    """Return how to convert a file of an unsupported format, known by its suffix; None for other suffixes.

    >>> print(foreign_remedy("paper.pdf"))
    turn the file into text first, such as pdftotext paper.pdf paper.txt
    """
    stem, dot, ending = name.rpartition(".")
    ending = f"{dot}{ending}".lower()
    if ending in _CONVERTERS:
        line = _CONVERTERS[ending].format(shell_word(name), shell_word(f"{stem}.txt"))
        return Message("turn the file into text first, such as {}", line)
    return next((remedy for endings, remedy in _REMEDIES.items() if ending in endings), None)

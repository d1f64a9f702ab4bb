"""Puts the code of examples/recipes and deploy into the pages that show it: what stands between `<!-- file: PATH -->` and `<!-- end -->`.

    python tools/recipe_pages.py

tests/docs/test_recipe_pages.py fails where a page shows other code than the file has.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHOWN = re.compile(r"(<!-- file: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
LANGUAGES = {".py": "py", ".yaml": "yaml", ".service": "ini", "": "dockerfile"}
"""Language of a block by the suffix of its file. "py", because tests/test_readme.py runs blocks of "python"."""


def with_files(text: str) -> str:
    """Return a page with the files that it shows as they are."""

    def block(found: re.Match[str]) -> str:
        path = ROOT / found[2]
        return f"{found[1]}```{LANGUAGES[path.suffix]}\n{path.read_text('utf-8')}```\n{found[3]}"

    return SHOWN.sub(block, text)


def main() -> None:
    """Writes the guides anew."""
    for page in sorted((ROOT / "docs" / "guide").glob("*.md")):
        page.write_text(with_files(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()

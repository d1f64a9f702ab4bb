"""The package of docs/guide/methods.md, laid out in a folder as pip does, for tests of methods of other packages."""

import re
import tomllib
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "guide" / "methods.md").read_text("utf-8")
CODE, PROJECT = (re.search(rf"```{language}\n(.*?)```", PAGE, re.S)[1] for language in ("python", "toml"))


def installed(folder, project, modules):
    """Writes modules, and the metadata of a pyproject.toml."""
    about = tomllib.loads(project)["project"]
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code, "utf-8")
    info = folder / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
    groups = about.get("entry-points", {})
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()) for group, entries in groups.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))

"""Opening of the desk in the browser without showing its address to other users.

Every user of a machine can list the arguments of all processes. The browser is therefore given the path of a file
that only this user can read, and the page in it redirects to the address.
"""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from pathlib import Path

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>quchong</title>
<a href="{url}">quchong</a>
"""


class Doorway:
    """Page that redirects to an address: a file of mode 0600 in a folder of mode 0700, until `close` or the end of the process.

    Attributes:
        path: path of the file
    """

    def __init__(self, url: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="quchong-", ignore_cleanup_errors=True)
        self.path = Path(self._folder.name) / "desk.html"
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(url=html.escape(url)))

    def open(self) -> bool:
        """Open the page in the user's browser; return False if no browser can be opened."""
        return webbrowser.open(self.path.as_uri())

    def close(self) -> None:
        """Remove the file and its folder."""
        self._folder.cleanup()

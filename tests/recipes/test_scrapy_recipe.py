"""Covers: the Scrapy recipe with a real spider on a site of loopback: copies dropped, relations kept, nothing fetched twice over runs.

Warnings are errors, but those of Scrapy's own modules. Run: pytest tests/recipes/test_scrapy_recipe.py.
"""

import json
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder, and notes what was asked for."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self):
        self.asked.append(self.path)
        if self.path == "/moved.html":
            self.send_response(302)
            self.send_header("Location", "/yunhe.example/a2.html")
            self.end_headers()
            return
        super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture
def site(tmp_path):
    """The example pages behind one page of links; what the spider asked for is in `asked`."""
    folder = tmp_path / "site"
    folder.mkdir()
    pages = sorted((ROOT / "examples" / "pages").rglob("*.html"))
    names = [path.relative_to(ROOT / "examples" / "pages").as_posix() for path in pages]
    for name, path in zip(names, pages, strict=True):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(path.read_bytes())
    links = [*names, "moved.html", "mailto:nobody@site.example", "https://elsewhere.example/", "missing.html"]
    (folder / "index.html").write_text("".join(f'<a href="{link}">x</a>' for link in links), "utf-8")
    handler = type("Site", (Handler,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        server.asked, server.folder, server.names = handler.asked, folder, names
        yield server
        server.shutdown()
        thread.join()


def crawl(desk, site, out):
    """The items of one crawl, and what it logged."""
    settings = {"SEEN_INDEX": "seen", "TELNETCONSOLE_ENABLED": "False", "LOG_LEVEL": "INFO", "CONCURRENT_REQUESTS": "1"}
    words = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    start = f"http://127.0.0.1:{site.server_port}/"
    command = [
        sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning:scrapy", "-W", "ignore::DeprecationWarning:twisted",
        "-m", "scrapy", "runspider", "scrapy_copies.py", "-a", f"start={start}", *words, "-O", out,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=desk, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return [json.loads(line) for line in (desk / out).read_text("utf-8").splitlines()], done.stderr


def test_copies_are_dropped_and_a_second_crawl_fetches_only_what_is_new(desk, site):
    pytest.importorskip("resiliparse", reason="pages need the extra html")
    items, log = crawl(desk, site, "first.jsonl")
    assert {one.lstrip("/") for one in site.asked} >= {*site.names, "moved.html", "missing.html"}
    kept = {item["url"].split("/", 3)[3]: item["related"] for item in items}
    # Of two articles on two sites each the one that came first is an item; of each other page there is one.
    twins = [{"yunhe.example/a1.html", "qinglan.example/a1.html"}, {"beiyu.example/a1.html", "qinglan.example/a3.html"}]
    for twin in twins:
        assert len(twin & set(kept)) == 1, (twin, sorted(kept))
    assert set(kept) == set(site.names) - ({name for twin in twins for name in twin} - set(kept))
    assert log.count("Dropped: ") >= 2
    # A page that holds an excerpt of another one says so.
    related = [(name, one["relation"]) for name, relations in kept.items() for one in relations]
    assert related, kept

    # The second run asks for the page of links, and for what has no page in the index; a new page is an item.
    (site.folder / "new.html").write_text(
        "<title>新</title><p>" + "这是一篇新的文章，昨天还没有，谁也没有转载过。" * 6, "utf-8"
    )
    index = site.folder / "index.html"
    index.write_text(index.read_text("utf-8") + "<a href=new.html>x</a>", "utf-8")
    site.asked.clear()
    items, _ = crawl(desk, site, "second.jsonl")
    assert sorted(site.asked) == ["/", "/missing.html", "/moved.html", "/new.html"]
    assert [item["url"].rsplit("/", 1)[1] for item in items] == ["new.html"]

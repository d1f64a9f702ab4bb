"""Pages and WARC files written by hand, byte by byte, so that no library of ours or others stands between."""

import gzip
import random
import zlib

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def article(seed, size=200):
    rng = random.Random(seed)
    return "".join(rng.choices(HAN, k=size))


def page(seed, charset="utf-8", title=None, extra=""):
    """A page with one article in a frame that other pages have too."""
    text = article(seed)
    paragraphs = "".join(f"<p>{text[at : at + 50]}。</p>" for at in range(0, len(text), 50))
    html = (
        f'<!DOCTYPE html><html><head><meta charset="{charset}"><title>{title or "题目" + str(seed)}</title>{extra}</head><body>'
        f'<nav><a href="/">首页</a><a href="/n">新闻</a></nav><article><h1>题目{seed}</h1>{paragraphs}</article>'
        f"<footer>版权所有</footer></body></html>"
    )
    return html.encode("gb18030" if charset == "gbk" else charset)


def record(kind, block, url=None, number=0, media="application/http; msgtype=response", more=""):
    head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:032d}>\r\nWARC-Date: 2026-03-01T00:00:{number % 60:02d}Z\r\n"
    if url:
        head += f"WARC-Target-URI: {url}\r\n"
    head += f"{more}Content-Type: {media}\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


def answer(body, url, number=0, status=200, media="text/html; charset=utf-8", headers="", more=""):
    kind = f"Content-Type: {media}\r\n" if media is not None else ""
    return record("response", f"HTTP/1.1 {status} OK\r\n{kind}{headers}\r\n".encode() + body, url, number, more=more)


def request(url, number):
    return record("request", b"GET / HTTP/1.1\r\n\r\n", url, number, "application/http; msgtype=request")


def info():
    return record("warcinfo", b"software: by hand\r\n", media="application/warc-fields")


def packed(records):
    return b"".join(gzip.compress(one, mtime=0) for one in records)


def members(data):
    """The gzip members of a file, each as it stands."""
    out = []
    while data:
        unpack = zlib.decompressobj(31)
        unpack.decompress(data)
        out.append(data[: len(data) - len(unpack.unused_data)])
        data = unpack.unused_data
    return out


def crawl(pages=6):
    """A crawl as records: an info, then request and answer for each page; every third page is a copy of page 1."""
    out = [info()]
    for n in range(pages):
        url = f"http://site{n % 2}.example.com/{n}.html"
        out += [request(url, 100 + n), answer(page(1 if n % 3 == 1 else n), url, n)]
    return out

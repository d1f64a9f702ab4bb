"""A page made slim, in plain Python: what the compiled kernel does, tag by tag."""

from __future__ import annotations

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr".split()
)
FORMAT = frozenset("a b big code em font i nobr s small strike strong tt u".split())
"""Elements a parser opens again in the next block when they are left open."""
BLOCK = frozenset(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer h1 h2 h3 h4"
    " h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table ul".split()
)
"""Elements that end an open paragraph."""
BOUNDARY = frozenset(["applet", "marquee", "object", "table"])
"""No end tag outside reaches an element inside."""
SPECIAL = BLOCK | BOUNDARY | {"button"}
CELL = frozenset("caption colgroup tbody td tfoot th thead tr".split())
RAW = frozenset(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"])
SUBTREE = frozenset(["math", "noscript", "select", "svg", "template"])
"""Both are dropped with what is in them; where the end tag is missing only the tag is, but for a script or a style."""
GONE = frozenset(["body", "frameset", "head", "html", "optgroup", "option", "plaintext"])
KEPT = (
    "class",
    "id",
    "role",
    "style",
    "hidden",
    "aria-hidden",
    "aria-expanded",
    "data-ad",
    "data-advertisement",
    "data-text-ad",
)
LINK, LINK_END, BOLD, BOLD_END, HEADING = 1, 2, 3, 4, 14
"""Marks put into the text: around links, bold text, and at the start of h1 to h6 (14 to 19)."""
LONGEST_NAME, LONGEST_VALUE, FACTS = 32, 256, 64
SPACE = b" \t\n\r\f"


def slim(html: bytes, max_depth: int, max_tags: int) -> tuple[bytes, int, list[tuple[str, int, int]]]:  # noqa: C901 - as plain as the rules
    """See `quchong.kernels.page.slim`."""
    lower = html.lower()
    out, stack = bytearray(b"<!DOCTYPE html>"), list[str]()
    facts = list[tuple[str, int, int]]()
    counted = dict[str, int]()
    missing = set[str]()  # elements of which no end tag is left
    at, tags, heading = 0, 0, -1

    def fact(kind: str, start: int, end: int) -> None:
        counted[kind] = counted.get(kind, 0) + 1
        if counted[kind] <= FACTS:
            facts.append((kind, start, end))

    def end_of(name: str, start: int) -> int:
        while name not in missing:
            start = lower.find(b"</" + name.encode(), start)
            if start < 0:
                missing.add(name)
                break
            after = html[start + 2 + len(name) : start + 3 + len(name)]
            if not after or after in b" \t\n\r\f/>":
                return start
            start += 2
        return -1

    def pop(to: int) -> None:
        """Ends every element from the top of the stack down to this place: what goes out is balanced."""
        while len(stack) > to:
            name = stack.pop()
            mark_end(name)
            out.extend(b"</" + name.encode() + b">")

    def mark_end(name: str) -> None:
        if name == "a":
            out.append(LINK_END)
        elif name in ("b", "strong"):
            out.append(BOLD_END)

    def close(name: str, stops: frozenset[str]) -> bool:
        for i in range(len(stack) - 1, -1, -1):
            if stack[i] == name:
                pop(i)
                return True
            if stack[i] in stops:
                return False
        return False

    while at < len(html):
        tag = html.find(b"<", at)
        text = html[at : tag if tag >= 0 else len(html)]
        out += bytes(c for c in text if c >= 32 or c in b"\t\n\r\f")
        if tag < 0:
            break
        following = html[tag + 1 : tag + 2]
        if following in (b"!", b"?") or (following == b"/" and not html[tag + 2 : tag + 3].isalpha()):
            comment = html[tag : tag + 4] == b"<!--"
            end = html.find(b"-->", tag + 2) if comment else html.find(b">", tag)
            at = len(html) if end < 0 else end + (3 if comment else 1)
            continue
        ends = following == b"/"
        if not ends and not following.isalpha():
            out += b"&lt;"
            at = tag + 1
            continue
        start = tag + 1 + ends
        at = start
        while at < len(html) and html[at] not in b" \t\n\r\f/>":
            at += 1
        name = lower[start:at].decode("latin-1")
        found, attributes = dict[str, bytes](), at
        at = _attributes(html, lower, at, found)
        if at < 0:
            break  # the page ends inside a tag
        tags += 1
        if tags > max_tags:
            break
        if len(name) > LONGEST_NAME or not all(c.isascii() and (c.isalnum() or c in "-:_") for c in name):
            continue
        if name == "form":
            name = "div"
        if ends:
            if name == "h1" and heading >= 0:
                fact("h", heading, tag)
                heading = -1
            if name in VOID or name in GONE or name in RAW or name in SUBTREE:
                continue
            if name in CELL:
                if "table" in stack:
                    pop(len(stack) - stack[::-1].index("table"))
                out += b"</" + name.encode() + b">"
                continue
            stops = SPECIAL - {name}
            if name in BLOCK or name in BOUNDARY or name == "button":
                stops = BOUNDARY - {name}
                if name == "p":
                    stops = BOUNDARY | {"button"}
                elif name == "li":
                    stops = BOUNDARY | {"ol", "ul"}
            if not close(name, stops):
                mark_end(name)
            continue
        if name == "meta":
            fact("m", attributes, at)
        elif name == "link" and b"canonical" in lower[attributes:at]:
            fact("l", attributes, at)
        elif name == "time":
            fact("d", attributes, at)
        elif name == "h1":
            heading = at
        if name in RAW or name in SUBTREE:
            end = end_of(name, at)
            if end < 0:
                if name in ("script", "style"):
                    break
                continue
            if name == "title":
                fact("t", at, end)
            elif name == "script" and b"ld+json" in lower[attributes:at]:
                fact("j", at, end)
            at = end
            continue
        if name in GONE:
            continue
        if name in VOID:
            if name in ("br", "hr"):
                if name == "hr":
                    close("p", BOUNDARY | {"button"})
                out += b"<" + name.encode() + b">"
            continue
        if name in CELL:
            if "table" in stack:
                pop(len(stack) - stack[::-1].index("table"))
            out += b"<" + name.encode() + b">"
            continue
        if name in ("li", "dd", "dt"):
            same = ("li",) if name == "li" else ("dd", "dt")
            for i in range(len(stack) - 1, -1, -1):
                if stack[i] in same:
                    pop(i)
                    break
                if stack[i] in SPECIAL and stack[i] not in ("address", "div", "p"):
                    break
        if name in BLOCK:
            close("p", BOUNDARY | {"button"})
        elif name == "a":
            close("a", SPECIAL)
        if len(stack) >= max_depth:
            out += b"<br>" if name in BLOCK else b""
            continue
        stack.append(name)
        out += b"<" + name.encode()
        if name not in FORMAT or name == "a":
            for key in KEPT:
                if key in found:
                    out += _kept(key, found[key])
        out += b">"
        if name == "a" and "href" in found:
            out.append(LINK)
        elif name in ("b", "strong"):
            out.append(BOLD)
        elif len(name) == 2 and name[0] == "h" and name[1] in "123456":
            out.append(HEADING + int(name[1]) - 1)
    return bytes(out), tags, facts


def _attributes(html: bytes, lower: bytes, at: int, found: dict[str, bytes]) -> int:
    """Reads attributes, the first of each kept name; returns the place after ">", -1 where there is none."""
    n = len(html)
    while True:
        while at < n and html[at] in b" \t\n\r\f/":
            at += 1
        if at >= n:
            return -1
        if html[at] == ord(">"):
            return at + 1
        start = at
        at += 1  # even "=" starts a name
        while at < n and html[at] not in b" \t\n\r\f/>=":
            at += 1
        key, value = lower[start:at].decode("latin-1"), b""
        here = at
        while here < n and html[here] in SPACE:
            here += 1
        if here < n and html[here] == ord("="):
            here += 1
            while here < n and html[here] in SPACE:
                here += 1
            if here < n and html[here] in b"\"'":
                end = html.find(html[here : here + 1], here + 1)
                if end < 0:
                    return -1
                value, at = html[here + 1 : end], end + 1
            else:
                at = here
                while at < n and html[at] not in b" \t\n\r\f>":
                    at += 1
                value = html[here:at]
        if key in KEPT or key == "href":
            found.setdefault(key, value)


def _kept(key: str, value: bytes) -> bytes:
    """An attribute as it is written out. Of styles only display:none counts: much is invisible only until scripts run."""
    if key == "style":
        plain = bytes(c for c in value[:LONGEST_VALUE].lower() if c not in SPACE)
        return b' style="display:none"' if b"display:none" in plain else b""
    if key == "hidden":
        return b' hidden=""'
    clean = bytes(c if 32 <= c < 127 and c not in b'"&<' else 32 for c in value[:LONGEST_VALUE])
    return b" " + key.encode() + b'="' + clean + b'"'

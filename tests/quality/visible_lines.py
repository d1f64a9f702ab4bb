"""All visible text of a page as lines, by the standard library's parser: what the hand-made gold bodies point into."""

from html.parser import HTMLParser

UNSEEN = {"script", "style", "noscript", "template", "textarea", "select", "title", "svg", "iframe"}
INLINE = set("a abbr b bdi bdo big cite code data del dfn em font i img input ins kbd label mark q ruby rt rp s samp small span strike strong sub sup time tt u var wbr".split())  # fmt: skip


class _Lines(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.lines, self._line, self._unseen = [], [], None

    def end_line(self):
        text = " ".join("".join(self._line).split())
        self._line.clear()
        if text:
            self.lines.append(text)

    def handle_starttag(self, tag, attrs):
        if self._unseen is None and tag in UNSEEN:
            self._unseen = tag
        if tag not in INLINE:
            self.end_line()

    def handle_endtag(self, tag):
        if tag == self._unseen:
            self._unseen = None
        if tag not in INLINE:
            self.end_line()

    def handle_data(self, data):
        if self._unseen is None:
            self._line.append(data)


def visible_lines(html):
    """Lines of visible text: broken at every element that is not inline, white space collapsed, none empty."""
    parser = _Lines()
    parser.feed(html)
    parser.close()
    parser.end_line()
    return parser.lines

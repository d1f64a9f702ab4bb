"""Customs of invented English sites; see `quchong_lab.web.sites.Customs`."""

from __future__ import annotations

from quchong_lab.web.english_news import MONTHS
from quchong_lab.web.sites import Customs
from quchong_lab.web.words import EN

ENGLISH = Customs(
    EN,
    (" Herald", " Gazette", " Online", " Daily News", " Post", " Observer", " Evening Echo", " Courier", " Mail", " Forum", " Tribune",
     " Advertiser", " Star", " Journal", " Live", " Today"),
    (
        ("utf-8", "utf-8"), ("cp1252", "iso-8859-1"), ("utf-8", "UTF-8"), ("cp1252", "windows-1252"), ("utf-8", None),
        ("utf-8", "utf-8"), ("cp1252", None), ("utf-8", "iso-8859-1"),
    ),
    (
        "All material on this page marked “By {name}” is the property of {name} and may not be copied or quoted without our consent.",
        "Articles of other publishers are shown by {name} for information, which does not mean that we share their views.",
        "If a question of copyright concerns you, please write to {name} within thirty days.",
        "Nothing on this page is advice on investments, and whoever acts on it does so at his own risk.",
        "{name} reminds its readers to stay polite and not to trust calls from numbers they do not know.",
        "Follow {name} and get the stories of the day every morning.",
        "Call the news desk of {name} if you have seen something, and we pay for what we print.",
        "Some pictures come from the web, and we take them down when their owners tell the editors of {name}.",
        "Comments are the opinions of those who wrote them, and {name} has checked none of them.",
        "No part of this page may be reproduced in any form without the written permission of {name}.",
        "The new application of {name} is out, and a scan of the code below installs it.",
        "Report what should not stand here by the link below, and {name} will look at it within a working day.",
    ),
    ("Editor: {editor}", "(Edited by {editor})", "[Edited by {editor} and {second}]", "Editing {editor}  Proofs {second}", ""),
    ("Courtesy of {source}", "From: {source}", "From {source}  By {editor}", "{source}", ""),
    ("", "", "{name} (by {editor}) – ", "By our own staff. ", "{name}, {month} {day} (by {editor}) – ", "In short: "),
    ("{t:%Y-%m-%d %H:%M}", "{month} {t.day}, {t.year}", "{t:%Y/%m/%d %H:%M:%S}", "{t.day} {month} {t.year}, {t:%H:%M}", "{t:%m-%d %H:%M}"),
    ("{title} | {channel} | {name}", "{title} - {name}", "{title} - {channel} - {name}", "{name}: {title}", "{title}"),
    (
        "Good, this was overdue", "When will {where} get its {what}", "First",
        "I read it twice and still do not know what happened to the {what}",
        "Just passing, thumbs up", "I live in {where} and the {what} are not half as good as they say", "Let us hope the {what} last",
        "The one above is right", "Somebody complained about the {what} last year and nothing came of it", "Sent this to my family",
        "Has the headline anything to do with the text", "Does anyone know how to get to {where}",
    ),
    (".", ".", "!", "", "..."),
    ("Previous", "Next"),
    MONTHS,
)  # fmt: skip
"""Customs of English sites. A quarter of them use Windows-1252, declared as ISO 8859-1, correctly, or not at all; the
last charset is declared wrongly.
"""

"""Words of the page of a service in English, beside those of the report's page; the catalogue has their Chinese."""

from quchong.languages import Message

WORDS = {
    "serve.title": "Have we seen this?",
    "serve.brand": "quchong serve",
    "serve.given": "Text to look for",
    "serve.hint": "Paste a text, or drop a file on this page: a text, a web page, or one JSON record. Press "
    "Ctrl-Enter to ask.",
    "serve.kind": "Read as",
    "serve.kind.text": "text",
    "serve.kind.page": "web page (HTML)",
    "serve.kind.record": "JSON record",
    "serve.ask": "Ask",
    "serve.asking": "Asking …",
    "serve.choose": "Choose a file",
    "serve.clear": Message("Clear", context="text field"),
    "serve.file": "File: {0}, {1} KB",
    "serve.file.remove": "Remove the file",
    "serve.drop": "Drop the file anywhere on this page",
    "serve.documents": "Documents in the index",
    "serve.kept": "Kept",
    "serve.pairs": "Pairs of related documents",
    "serve.counts": "The index now",
    "serve.counts.old": "These figures are from {0}; the service does not answer at the moment.",
    "serve.answer": "Answer",
    "serve.new": "New: the index has no document like this text",
    "serve.copy": "Copy: {0} is kept, and your text would be removed",
    "serve.better": "A similar document exists, but your text would be kept",
    "serve.filtered": "Seen before: the filter of the index has this text, but cannot name the document",
    "serve.matches": "{0} documents of the index are similar",
    "serve.matches.one": "1 document of the index is similar",
    "serve.more": "{0} more documents",
    "serve.survivor": "kept instead of your text",
    "serve.state.kept": "kept in the index",
    "serve.state.removed": "removed in the index",
    "serve.state.given": "your text",
    "serve.in_it": "{0}% of your text is in this document",
    "serve.in_yours": "{0}% of this document is in your text",
    "serve.features": "compared by stored features",
    "serve.facts": "Facts in conflict: {0}",
    "serve.direction": "your text → document:",
    "serve.no_texts": "This index stores no texts, so the page cannot show both side by side.",
    "serve.token": "Access token",
    "serve.token.hint": (
        "This service needs an access token. This tab keeps the token until you close it, and sends it only to "
        "this service."
    ),
    "serve.token.use": "Use this token",
    "serve.token.used": "An access token is in use.",
    "serve.token.forget": "Remove the token from this page",
    "serve.wrong.no-token": (
        "Enter an access token first. The operator of the service makes a token with quchong access add."
    ),
    "serve.wrong.token": "The service does not know this token. Check that it is complete and was not replaced.",
    "serve.wrong.not-allowed": (
        "This access token does not allow this request. Ask the operator of the service for a token with another role."
    ),
    "serve.wrong.gone": "The service does not answer. Check that it is running and that this machine is connected.",
    "serve.wrong.empty": "There is no text to look up: paste a text, or choose a file.",
    "serve.wrong.too-large": "The text is too large: the service accepts at most {0} KB, but the text has {1} KB.",
    "serve.wrong.too-many-requests": "The service is too busy at the moment. Ask again in {0} s.",
    "serve.wrong.unavailable": "The service cannot answer at the moment. Ask again in {0} s.",
    "serve.wrong.file": "{0} is not text in UTF-8, UTF-16 or GB 18030.",
    "serve.wrong.not-found": "This document is no longer in the index.",
    "serve.wrong.other": "The request failed.",
}
"""Words by key; `{0}` is a place for a value."""

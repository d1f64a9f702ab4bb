"""What schemathesis has to know of a service: JSON lines are text, and any bytes are a text or a page."""

import schemathesis

TEXTS = ("text/plain", "text/html")


@schemathesis.serializer("application/x-ndjson")
def lines_out(_ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.deserializer("application/x-ndjson", "text/html")
def text_in(_ctx, response):
    return response.content.decode("utf-8")


@schemathesis.hook
def filter_case(_ctx, case):
    """Leave out bodies that are wrong only by their JSON type where the type is not that of JSON, and parameters of one document before a
    stream of them, which are refused: OpenAPI cannot say that a parameter depends on the type of the body.
    """
    if case.media_type == "application/x-ndjson" and any(name in (case.query or {}) for name in ("id", "text")):
        return False
    return case.media_type not in (*TEXTS, "application/x-ndjson") or isinstance(case.body, str | bytes)

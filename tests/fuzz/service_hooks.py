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
    """Leave out bodies that are wrong only by their JSON type where the type is not that of JSON."""
    return case.media_type not in (*TEXTS, "application/x-ndjson") or isinstance(case.body, str | bytes)


@schemathesis.hook
def before_call(_ctx, case, _kwargs):
    """Send a stream without the parameters of one document, and a record that has an id without another one in the address.

    OpenAPI cannot say that a parameter depends on the body, so that such requests are valid by the description. That they are refused is
    tested in tests/unit/serve.
    """
    names = ()
    if case.media_type == "application/x-ndjson":
        names = ("id", "text")
    elif isinstance(case.body, dict) and case.body.get("id") is not None:
        names = ("id",)
    for name in names if case.query else ():
        case.query.pop(name, None)

"""Table of the addresses of a service: who may call each, what it takes and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from quchong.languages import Message

Role = Literal["read", "write", "admin"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """Parameter in the query of an address.

    Attributes:
        name: as it is written.
        kind: its JSON type: boolean or string.
        words: what it means.
        values: the values that are taken; empty for any.
    """

    name: str
    kind: str
    words: Message
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """Method and path of the service, with its parameters and answers.

    Attributes:
        method: GET, POST or DELETE.
        path: the address; a part in braces is a parameter, percent-encoded as a whole.
        name: name of its handler, and of the operation in the OpenAPI document.
        role: who may call it; None for everybody.
        words: what it does.
        body: types of body by media type: name of its schema.
        answers: name of the schema by media type; empty for an answer without a body.
        status: status of its usual answer. also: further statuses that have the same body.
        problems: types of problems it may answer besides those of every address.
        parameters: parameters of its query.
    """

    method: str
    path: str
    name: str
    role: Role | None
    words: Message
    body: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    also: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()


PASSAGES = Parameter("passages", "boolean", Message("Also find the passages shared with each match."))
TEXT = Parameter(
    "text",
    "boolean",
    Message("Also return the text of one document as the service read it: offsets count its characters."),
)
ONLY_KNOWN = Parameter("only_known", "boolean", Message("For a stream: leave out the lines of new documents."))
ID = Parameter("id", "string", Message("Id of a document that is sent as plain text or as a page."))
FORMAT = Parameter(
    "format",
    "string",
    Message("Format of the explanation; by default, the header Accept decides."),
    ("json", "text", "html"),
)
DOCUMENT = {"application/json": "Record", "application/x-ndjson": "Lines", "text/plain": "Text", "text/html": "Text"}
ANSWERED = {"application/json": "Answer", "application/x-ndjson": "AnswerLines"}
BODY = (
    "broken-body",
    "slow-body",
    "too-large",
    "wrong-media-type",
    "bad-document",
    "wrong-argument",
    "too-many-requests",
    "too-late",
)
"""Types of problems of every address that takes a body."""
CHANGE = ("read-only", "no-room")
"""Types of problems of every address that changes the index."""

ADDRESSES: tuple[Address, ...] = (
    Address(
        "POST", "/documents", "add", "write",
        Message(
            "Adds a document, or a stream of documents, and returns the earlier documents to which each is "
            "related. A document that is sent again is added only once; the HTTP status is then 200 instead of "
            "201."
        ),
        DOCUMENT, ANSWERED, 201, (200,), (*BODY, "known-id", *CHANGE), (PASSAGES, TEXT, ONLY_KNOWN, ID),
    ),
    Address(
        "POST", "/query", "query", "read",
        Message("Returns what the index knows about a document, or about each document of a stream. Nothing is added."),
        DOCUMENT, ANSWERED, 200, (), BODY, (PASSAGES, TEXT, ONLY_KNOWN, ID),
    ),
    Address(
        "GET", "/documents/{id}", "document", "read",
        Message("Returns the current relations of a document of the index, and its text if the index stores texts."),
        answers={"application/json": "Document"}, problems=("not-found", "wrong-argument"), parameters=(PASSAGES,),
    ),
    Address(
        "DELETE", "/documents/{id}", "delete", "write",
        Message("Deletes a document, and decides again which of its removed copies to keep."), status=204,
        problems=("not-found", "wrong-argument", *CHANGE),
    ),
    Address(
        "GET", "/documents/{id}/explain", "explain", "read",
        Message("Explains why a document is removed or kept: rule, differences, shared passages, both texts."),
        answers={"application/json": "Explanation", "text/plain": "Text", "text/html": "Text"},
        problems=("not-found", "wrong-argument"), parameters=(FORMAT,),
    ),
    Address(
        "POST", "/compare", "compare", "read",
        Message("Compares two texts or records by the method of the index."),
        {"application/json": "Pair"}, {"application/json": "Comparison"}, problems=BODY,
    ),
    Address("GET", "/stats", "stats", "read", Message("Returns statistics and settings of the index."),
            answers={"application/json": "IndexStatistics"}),
    Address(
        "GET", "/export", "export", "admin",
        Message("Streams all documents as JSON lines, in the order of their arrival. Another index can add this "
                "stream."),
        answers={"application/x-ndjson": "Lines"}, problems=("wrong-argument",),
    ),
    Address(
        "POST", "/expire", "expire", "admin",
        Message("Deletes documents older than a time span, by the time of the document, or by its arrival if it "
                "has no time."),
        {"application/json": "Span"}, {"application/json": "Count"}, problems=(*BODY, *CHANGE),
    ),
    Address(
        "POST", "/compact", "compact", "admin",
        Message("Frees the disk space of deleted documents; changes to the index wait until this ends."),
        answers={"application/json": "IndexStatistics"}, problems=CHANGE,
    ),
    Address("GET", "/metrics", "metrics", "read", Message("Counts and times in Prometheus format."), answers={"text/plain": "Text"}),
    Address("GET", "/health/live", "live", None, Message("Returns success if the process is running."),
            answers={"application/json": "Health"}),
    Address("GET", "/health/ready", "ready", None, Message(
        "Returns whether the service can answer requests about documents."
    ),
            answers={"application/json": "Health"}, problems=("stopping",)),
    Address("GET", "/openapi.json", "openapi", None, Message("Describes all addresses (OpenAPI 3.1)."),
            answers={"application/json": "Description"}),
    Address("GET", "/", "page", None, Message("A web page that shows whether a text was seen before."),
            answers={"text/html": "Text"}),
)  # fmt: skip

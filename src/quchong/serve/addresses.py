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
    """One method of one address.

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


PASSAGES = Parameter("passages", "boolean", Message("Also find the shared passages of each match."))
TEXT = Parameter(
    "text", "boolean", Message("Also return the text of one document, as it was read: offsets count its characters.")
)
ONLY_KNOWN = Parameter("only_known", "boolean", Message("In a stream: leave out the lines of new documents."))
ID = Parameter("id", "string", Message("Id of a document that is sent as text or page."))
FORMAT = Parameter(
    "format",
    "string",
    Message("Format of the explanation; without it, the header Accept decides."),
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
        Message("Adds a document, or a stream of them, and says which earlier documents each is related to. If a "
            "document is sent again, it is added only once, and the answer is 200 instead of 201."),
        DOCUMENT, ANSWERED, 201, (200,), (*BODY, "known-id", *CHANGE), (PASSAGES, TEXT, ONLY_KNOWN, ID),
    ),
    Address(
        "POST", "/query", "query", "read",
        Message("Returns what the index knows about a document, or about each document of a stream, and adds nothing."),
        DOCUMENT, ANSWERED, 200, (), BODY, (PASSAGES, TEXT, ONLY_KNOWN, ID),
    ),
    Address(
        "GET", "/documents/{id}", "document", "read",
        Message("Returns the current relations of a document of the index, and its text if the index keeps it."),
        answers={"application/json": "Document"}, problems=("not-found", "wrong-argument"), parameters=(PASSAGES,),
    ),
    Address(
        "DELETE", "/documents/{id}", "delete", "write",
        Message("Deletes a document; copies that were removed in favour of it are decided again."), status=204,
        problems=("not-found", "wrong-argument", *CHANGE),
    ),
    Address(
        "GET", "/documents/{id}/explain", "explain", "read",
        Message("Explains why a document is removed or kept: the rule, the differences, the shared passages, both texts."),
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
        Message("Streams all documents as JSON lines, in the order of their arrival; another index can add them."),
        answers={"application/x-ndjson": "Lines"}, problems=("wrong-argument",),
    ),
    Address(
        "POST", "/expire", "expire", "admin",
        Message("Deletes the documents that are older than a span of time, by their own time if they have one, else "
            "by their arrival."),
        {"application/json": "Span"}, {"application/json": "Count"}, problems=(*BODY, *CHANGE),
    ),
    Address(
        "POST", "/compact", "compact", "admin",
        Message("Frees the space of deleted documents; changes wait meanwhile."),
        answers={"application/json": "IndexStatistics"}, problems=CHANGE,
    ),
    Address("GET", "/metrics", "metrics", "read", Message("Counts and times, as Prometheus needs them."), answers={"text/plain": "Text"}),
    Address("GET", "/health/live", "live", None, Message("Says that the process is running."), answers={"application/json": "Health"}),
    Address("GET", "/health/ready", "ready", None, Message("Says whether requests about documents are answered."),
            answers={"application/json": "Health"}, problems=("stopping",)),
    Address("GET", "/openapi.json", "openapi", None, Message("Describes all addresses (OpenAPI 3.1)."),
            answers={"application/json": "Description"}),
    Address("GET", "/", "page", None, Message("A page with a field to paste a text into and ask about it."), answers={"text/html": "Text"}),
)  # fmt: skip

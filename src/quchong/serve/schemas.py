"""Schemas of what a service takes and answers, made from the types of the index, with an example of each."""

from __future__ import annotations

from typing import Any

import msgspec

from quchong.engines.index.answers import Answer, IndexStatistics
from quchong.relations import EXACT
from quchong.report import Explanation
from quchong.serve.problems import TYPES

_TEXT = "今晚八点，老地方，不见不散。"
_MATCH = {
    "id": "n002", "relation": EXACT, "rule": "equal normal form", "jaccard": 1.0, "containment": 1.0, "match_containment": 1.0,
    "kept": True, "facts": [], "differences": [], "passages": [], "by_features": False,
}  # fmt: skip
_ANSWER = {
    "new": False, "id": "n003", "matches": [_MATCH], "removed": True, "survivor_id": "n002", "relation": EXACT,
    "rule": "equal normal form", "replaces": [], "added": True, "shadow": None,
}  # fmt: skip
_STATS = {
    "documents": 104, "kept": 59, "deleted": 0, "pairs": 58, "bytes": {"texts and catalogue": 262144, "postings": 0, "statistics": 512},
    "segments": 0, "unsealed": 104, "drift": 0.0, "since": 104, "settings": {"method": "hybrid", "keep": "longest"},
}  # fmt: skip
EXAMPLES: dict[str, Any] = {
    "Record": {"id": "n003", "text": _TEXT},
    "Lines": '{"id": "n003", "text": "今晚八点，老地方，不见不散。"}\n{"id": "n004", "text": "第二条，说的是交通。"}\n',
    "Text": _TEXT,
    "Answer": _ANSWER,
    "AnswerLines": '{"line": 1, "new": true, "id": "n003", "matches": [], "removed": false, "survivor_id": null, "relation": null, '
    '"rule": null, "replaces": [], "added": true, "shadow": null}\n',
    "Document": {**_ANSWER, "text": _TEXT},
    "Explanation": {
        "id": "n003", "removed": True, "survivor_id": "n002", "relation": EXACT, "rule": "equal normal form", "passages": [],
        "text": _TEXT, "survivor_text": _TEXT, "near": [], "members": [],
    },
    "Pair": {"left": _TEXT, "right": "今晚八点老地方不见不散"},
    "Comparison": {
        "relation": EXACT, "rule": "equal normal form", "jaccard": 1.0, "containment_left": 1.0, "containment_right": 1.0,
        "measures": {}, "passages": [], "facts": [], "differences": [], "relation_if_found": None,
    },
    "IndexStatistics": _STATS,
    "Span": {"older_than": "30d"},
    "Count": {"deleted": 3},
    "Health": {"status": "ok"},
    "Description": {"openapi": "3.1.0"},
}  # fmt: skip
"""An example of each body, by the name of its schema."""


def schemas(text: str, id: str, html: str | None) -> dict[str, Any]:
    """Return all schemas by their names.

    Args:
        text, id, html: columns of the text, the id and the web page in a record of the index; html is None if it reads none.
    """
    _, made = msgspec.json.schema_components(
        (Answer, IndexStatistics, Explanation), ref_template="#/components/schemas/{name}"
    )
    for one in made.values():
        one.pop("description", None)
        if "properties" in one:
            one["required"] = list(one["properties"])
    answer = made["Answer"]
    answer["properties"] = {"new": {"type": "boolean"}, **answer["properties"]}
    answer["required"] = list(answer["properties"])
    answer["properties"]["again"] = {
        "const": True, "description": "Only of a document that was added before, with the same text, and sent again.",
    }  # fmt: skip
    text_read = {
        "type": ["string", "null"],
        "description": "The text as it was read, if the parameter text asked for it.",
    }
    document = {**answer["properties"], "text": {"type": ["string", "null"]}}
    del document["again"]
    answer["properties"] |= {"text": text_read}
    return made | {
        "Document": {"title": "Document", "type": "object", "properties": document, "required": list(document)},
        "Record": _record(text, id, html),
        "Text": {"type": "string"},
        "Lines": {"type": "string", "description": "One JSON object per line, in UTF-8."},
        "AnswerLines": {
            "type": "string",
            "description": "One JSON object per line, in the order of the input: an Answer with the number of its line, or {line, problem} "
            "for a line that cannot be used. A last line with a problem and no number says that the lines after it were not answered.",
        },
        "Pair": _pair(),
        "Comparison": _comparison(),
        "Span": _object({"older_than": {"type": "string", "pattern": "^[1-9][0-9]{0,3}[smhdw]$"}}),
        "Count": _object({"deleted": {"type": "integer", "minimum": 0}}),
        "Health": _object({"status": {"const": "ok"}}),
        "Description": {"type": "object"},
        "Problem": _problem(),
    }


def _object(properties: dict[str, Any], required: tuple[str, ...] | None = None) -> dict[str, Any]:
    wanted = list(properties if required is None else required)
    return {"type": "object", "properties": properties, "required": wanted, "additionalProperties": False}


def _record(text: str, id: str, html: str | None) -> dict[str, Any]:
    """Return the schema of a document: its text or page, an id, and the columns that the index reads or ignores."""
    missing: dict[str, Any] = {"type": ["string", "null"]}
    properties: dict[str, Any] = {
        id: {"type": ["string", "integer", "null"], "minLength": 1, "description": "Id; one is made if there is none."},
        text: missing | {"description": "Text of the document."},
    }
    if html is not None:
        properties[html] = missing | {"description": "A web page, whose text is extracted, instead of a text."}
    one_of = [
        {"required": [name], "properties": {name: {"type": "string"}}} for name in (text, html) if name is not None
    ]
    return {"type": "object", "properties": properties, "additionalProperties": True, "anyOf": one_of}


def _pair() -> dict[str, Any]:
    side = {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Record"}]}
    return _object({"left": side, "right": side})


def _comparison() -> dict[str, Any]:
    share: dict[str, Any] = {"type": ["number", "null"]}
    properties: dict[str, Any] = {
        "relation": {"type": "string"},
        "rule": {"type": "string"},
        "jaccard": share,
        "containment_left": share,
        "containment_right": share,
        "measures": {"type": "object"},
        "passages": {"type": "array", "items": {"type": "object"}},
        "facts": {"type": "array", "items": {"type": "string"}},
        "differences": {"type": "array", "items": {"$ref": "#/components/schemas/Difference"}},
        "relation_if_found": {"type": ["string", "null"]},
    }
    return _object(properties)


def _problem() -> dict[str, Any]:
    names = [f"urn:quchong:problem:{name}" for name in TYPES]
    properties: dict[str, Any] = {
        "type": {"type": "string", "enum": names},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "request": {"type": "string"},
        "limit": {"type": "integer"},
    }
    return _object(properties, ("type", "title", "status", "detail"))

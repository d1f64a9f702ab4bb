"""Description of a service as OpenAPI 3.1: every address with what it takes and answers, an example of each, and its problems."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from quchong.serve.addresses import ADDRESSES, Address
from quchong.serve.problems import PROBLEM, TYPES, Problem
from quchong.serve.schemas import EXAMPLES, schemas

STRING = {"minLength": 1}
"""What holds for every parameter that is a string."""
EVERYWHERE = ("foreign-page", "internal", "broken-request", "head-too-large", "too-many-connections")
"""Types of problems of every address."""


@cache
def description(text: str, id: str, html: str | None) -> dict[str, Any]:
    """Return the OpenAPI document of a service.

    Args:
        text, id, html: columns of the text, the id and the web page in a record of the index; html is None if it reads none.
    """
    paths: dict[str, dict[str, Any]] = {}
    for one in ADDRESSES:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, html)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "quchong",
            "version": _version(),
            "summary": "Have we seen this document? An index of documents, asked over HTTP.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas(text, id, html),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _version() -> str:
    try:
        return version("quchong")
    except PackageNotFoundError:
        return "0"


def _operation(one: Address, html: str | None) -> dict[str, Any]:
    out: dict[str, Any] = {"operationId": one.name, "summary": str.__str__(one.words), "responses": _responses(one)}
    if one.role is not None:
        out["security"] = [{"token": []}, {}]
        out["description"] = f"Role: {one.role}."
    parameters: list[dict[str, Any]] = [
        {
            "name": each.name, "in": "query", "description": str.__str__(each.words),
            "schema": {"type": each.kind} | ({"enum": list(each.values)} if each.values else STRING if each.kind == "string" else {}),
        }
        for each in one.parameters
    ]  # fmt: skip
    if "{id}" in one.path:
        words = "Id of a document, percent-encoded."
        parameters.append({"name": "id", "in": "path", "required": True, "description": words, "schema": {"type": "string", "minLength": 1},
                           "example": "n003"})  # fmt: skip
    if parameters:
        out["parameters"] = parameters
    kinds = {kind: name for kind, name in one.body.items() if kind != "text/html" or html is not None}
    if kinds:
        out["requestBody"] = {"required": True, "content": {kind: _content(name) for kind, name in kinds.items()}}
    return out


def _content(name: str) -> dict[str, Any]:
    return {"schema": {"$ref": f"#/components/schemas/{name}"}, "example": EXAMPLES[name]}


def _responses(one: Address) -> dict[str, Any]:
    """Return the responses of an address by status: its own, then each problem it may answer."""
    usual: dict[str, Any] = {"description": "Done." if one.status == 204 else "The answer."}
    if one.answers:
        usual["content"] = {kind: _content(name) for kind, name in one.answers.items()}
    out: dict[str, Any] = {str(status): usual for status in (one.status, *one.also)}
    names = [*one.problems, *EVERYWHERE, "foreign-host"]
    if one.role is not None:
        names += ["no-token", "not-allowed", "too-many-requests", "wrong-argument", "damaged"]
    for name in dict.fromkeys(names):
        status = str(TYPES[name][0])
        example = Problem(name, "What is wrong, and what to do.").as_dict("5f2b8c0d9e1a7b34")
        known = out.setdefault(
            status,
            {
                "description": "A problem.",
                "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}},
            },
        )
        known["content"][PROBLEM]["examples"][name] = {"value": example}
    return out

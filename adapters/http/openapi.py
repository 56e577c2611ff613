"""The OpenAPI document, the contract between server and client.

``python -m adapters.http`` prints it.
"""

import json
import re
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, cast

from litestar import Litestar, Request, Response, get
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.config.app import AppConfig
from litestar.openapi import OpenAPIConfig

from adapters.documents.lists import LISTS, Form
from adapters.http.examples import EXAMPLES
from adapters.http.lists import JSON, MEDIA_TYPES
from adapters.http.progress_stream import LINES

VERSION = version("consumo")
_CONFIG = OpenAPIConfig(title="Consumo", version=VERSION)
_PAGE_NAME = re.compile(r"Page_application\.views\.(\w+)View_")

# Public operations: they have no 401 or 403.
_PUBLIC = {"signIn", "requestPasswordReset", "choosePassword", "readSettings", "isLive", "isReady"}

_MEANINGS = {
    400: "Not JSON, or a query that cannot be understood",
    401: "No token, or one that is bad, expired or revoked",
    403: "The role or the person may not do this; code profile_required until ward staff have completed their profile",
    404: "There is no such thing, or the caller may not know of it",
    408: "The body took too long to arrive",
    409: "The same Idempotency-Key is being worked on right now",
    412: "Someone else changed it: If-Match does not match",
    413: "The body is too large",
    415: "The body is not of the type that this call takes",
    422: "What a person can put right, with all its messages",
    429: "Too many failed sign-ins; Retry-After says for how many seconds",
    503: "The database is busy or out of reach; Retry-After says after how many seconds to send the same again",
    507: "The server's disk is full",
}


def document(app: Litestar) -> dict[str, Any]:
    """Build the document for client generation.

    It has short schema names, examples, and one schema of all problems.
    """
    # Configured here: configured in the application, the plugin would also serve Litestar's own documentation pages.
    app.plugins.get(OpenAPIPlugin).on_app_init(AppConfig(openapi_config=_CONFIG))
    schema = app.openapi_schema.to_schema()
    schema = json.loads(_PAGE_NAME.sub(r"\1Page", json.dumps(schema)))
    components = schema["components"]
    components["schemas"]["Problem"] = _PROBLEM
    components["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}
    for name, example in EXAMPLES.items():
        if name in components["schemas"]:
            components["schemas"][name]["example"] = example
    for operations in schema["paths"].values():
        for method, operation in operations.items():
            _complete(operation, method)
    return cast("dict[str, Any]", schema)


def _complete(operation: dict[str, Any], method: str) -> None:
    if operation["operationId"] not in _PUBLIC:
        operation["security"] = [{"bearer": []}]
    for parameter in operation.get("parameters", []):
        # A parameter is present or absent, never null, even if the handler's annotation allows None.
        alternatives = parameter["schema"].pop("oneOf", [{}])
        parameter["schema"] |= alternatives[0]
    answers = {status: answer for status, answer in operation["responses"].items() if int(status) < 400}
    _also_as_files(operation, answers)
    if operation["operationId"] == "undoImport":
        answers["200"]["content"][LINES] = {"schema": {"type": "string"}}
    if any(parameter["name"] == "If-None-Match" for parameter in operation.get("parameters", [])):
        answers["304"] = {"description": "The caller has it already: If-None-Match matches"}
    for status in _refusals(operation, method):
        answers[str(status)] = {
            "description": _MEANINGS[status],
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    operation["responses"] = answers
    body = operation.get("requestBody", {"content": {}})["content"].get("application/json")
    if body:
        draft = body["schema"]
        draft["example"] = EXAMPLES[draft["title"]]


def _also_as_files(operation: dict[str, Any], answers: dict[str, Any]) -> None:
    """Add the file formats of a list to its responses."""
    content = answers.get("200", {}).get("content", {})
    if _is_list(operation):
        forms = LISTS["consumption" if operation["operationId"] == "reportConsumption" else "areas"].forms
        for form in forms:
            binary = {} if form is Form.CSV else {"format": "binary"}
            content[MEDIA_TYPES[form]] = {"schema": {"type": "string", **binary}}
        operation["parameters"].append(
            {
                "name": "format",
                "in": "query",
                "required": False,
                "description": "In which form to have it; other than as JSON it is the whole filtered list",
                "schema": {"type": "string", "enum": [*(form.value for form in forms), JSON]},
            }
        )


def _is_list(operation: dict[str, Any]) -> bool:
    content = operation["responses"].get("200", {}).get("content", {})
    return bool(content.get("application/json", {}).get("schema", {}).get("$ref", "").endswith("Page"))


def _refusals(operation: dict[str, Any], method: str) -> Iterator[int]:
    """Yield the error statuses of an operation."""
    where = {parameter["in"] for parameter in operation.get("parameters", [])}
    headers = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "header"}
    if "requestBody" in operation:
        yield from (400, 408, 413, 415, 422)
    elif "query" in where:
        yield 400
    if "security" in operation:
        yield from (401, 403)
    if "path" in where or operation["operationId"] == "signIn":
        yield 404
    if "Idempotency-Key" in headers:
        yield 409
    if "If-Match" in headers:
        yield 412
    if _is_list(operation) or (
        "requestBody" not in operation
        and (method == "delete" or operation["operationId"] in ("undoImport", "lookUpProduct"))
    ):
        yield 422
    if operation["operationId"] == "signIn":
        yield 429
    if "security" in operation or "requestBody" in operation:
        yield from (503, 507)


@get("/schema/openapi.json", include_in_schema=False)
async def openapi_document(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Return the OpenAPI document."""
    return Response(document(request.app))


ROUTES = [openapi_document]

_PROBLEM = {
    "title": "Problem",
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "message", "errors"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "message": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "request_id": {"type": "string", "description": "With 5xx: by which the log has more of it"},
        "errors": {
            "type": "array",
            "items": {
                "title": "FieldMessage",
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {
                    "field": {"oneOf": [{"type": "string"}, {"type": "null"}]},
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                    "acknowledgeable": {
                        "type": "boolean",
                        "description": "There and true if the same call with the code in `acknowledged` is taken",
                    },
                },
            },
        },
    },
    "example": {
        "type": "about:blank",
        "title": "Revise los datos enviados.",
        "status": 422,
        "detail": "Complete el campo «Cantidad».",
        "code": "required",
        "message": ["Complete el campo «Cantidad»."],
        "errors": [{"field": "quantity", "code": "required", "message": "Complete el campo «Cantidad»."}],
    },
}

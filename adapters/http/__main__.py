"""Prints the OpenAPI document, in an order that does not change."""

import json
import sys
from typing import cast

from adapters.http.app import create_app
from adapters.http.openapi import document
from application.use_cases import UseCases

app = create_app(cast("UseCases", None), {"currency": "USD", "time_zone": "UTC"}, lambda: True)
json.dump(document(app), sys.stdout, indent=2, sort_keys=True, ensure_ascii=False)
print()

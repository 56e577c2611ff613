"""Print the OpenAPI document in a stable order."""

import json
import sys

from adapters.http.app import build_router
from adapters.http.openapi import CONFIG, document

json.dump(document(build_router(CONFIG)), sys.stdout, indent=2, sort_keys=True, ensure_ascii=False)
print()

"""Print the OpenAPI document in a stable order."""

import json
import sys
from datetime import UTC
from typing import cast

from adapters.hospital_profile import HospitalProfile
from adapters.http.app import create_app
from adapters.http.openapi import document
from adapters.http.operations import Monitoring
from application.use_cases import UseCases


async def _ready() -> None:
    """Do nothing: no requests are served here."""


monitoring = Monitoring(why_not_ready=_ready, metrics=bytes, on_request=lambda _: None)
hospital = HospitalProfile(letterhead=(), currency="USD", zone=UTC)
app = create_app(
    cast("UseCases", None),
    {"currency": "USD", "time_zone": "UTC", "record_authority": None, "idle_minutes": 15, "offline": True},
    monitoring,
    hospital,
    public_address="",
)
json.dump(document(app), sys.stdout, indent=2, sort_keys=True, ensure_ascii=False)
print()

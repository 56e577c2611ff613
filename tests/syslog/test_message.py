"""Audit entries as syslog messages."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.syslog.message import message_of
from application.audit.views import AuditView
from application.common.entities import FAILURES, AuditAction
from tests.syslog.entries import HOSTILE

# RFC 5424, 6: the header, no structured data and the content.
MESSAGE = re.compile(rb"<(\d{1,3})>1 (\S{20,27}) ([!-~]{1,255}) consumo - ([!-~]{1,32}) - (\{[ -~]*\})")


def an_entry(**values: Any) -> AuditView:
    entry = AuditView(
        id=7,
        at=datetime(2026, 11, 29, 16, 0, 0, 123456, UTC),
        user={"id": 3, "email": "nurse@x.test"},
        action=AuditAction.PATIENT_UPDATED,
        entity="patient",
        entity_id=5,
        sheet_id=None,
        patient_id=5,
        api_key=None,
        changes={},
    )
    return {**entry, **values}  # type: ignore[typeddict-item]


def parts(message: bytes) -> tuple[bytes, ...]:
    found = MESSAGE.fullmatch(message)
    assert found, message
    return found.groups()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_name_stays_in_its_message(hostile: str) -> None:
    changes = {"name": ["Ana", hostile]}
    content = json.loads(parts(message_of(an_entry(changes=changes), host=hostile, hospital=hostile))[-1])
    assert (content["changes"], content["hospital"]) == (changes, hostile)


def test_a_message_says_who_did_what_and_when() -> None:
    priority, at, host, name, content = parts(message_of(an_entry(), host="ward-1", hospital="norte"))
    assert (priority, at, host, name) == (b"110", b"2026-11-29T16:00:00.123456Z", b"ward-1", b"patient.updated")
    assert json.loads(content) == {
        "id": 7,
        "at": "2026-11-29T16:00:00.123456Z",
        "hospital": "norte",
        "action": "patient.updated",
        "outcome": "success",
        "user_id": 3,
        "user": "nurse@x.test",
        "key_id": None,
        "key": None,
        "entity": "patient",
        "entity_id": 5,
        "sheet_id": None,
        "patient_id": 5,
        "changes": {},
    }


def test_failures_are_warnings() -> None:
    for action in AuditAction:
        priority, _, _, name, content = parts(message_of(an_entry(action=action), host="", hospital=""))
        assert (priority == b"108") is (action in FAILURES) is (json.loads(content)["outcome"] == "failure")
        assert name.decode() == action
    refused = {action for action in AuditAction if re.search("fail|refused|exhausted|suspected", action)}
    assert refused == FAILURES

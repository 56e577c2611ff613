"""Where a user works."""

from typing import Any

import pytest

from application.accounts.users.choose_own_ward import OwnWardDraft
from application.audit.views import AuditQuery
from application.catalogue.areas import AreaDraft
from domain.common.errors import Code, Unauthenticated
from tests.assertions import refused
from tests.builders import Ward


def own(ward: Ward) -> Any:
    return ward.use_cases.account.read(ward.nurse)["ward"]


def choose(ward: Ward, area_id: int | None) -> Any:
    return ward.use_cases.account.choose_ward(ward.nurse, OwnWardDraft(area_id=area_id))


def changes(ward: Ward) -> list[Any]:
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(limit=100))["items"]
    return [entry["changes"] for entry in entries if entry["action"] == "user.account_changed"]


def test_a_user_works_in_an_area_or_the_whole_hospital(ward: Ward) -> None:
    assert own(ward) is None
    area = {"id": ward.area_id, "name": "Urgencias"}
    assert choose(ward, ward.area_id) == {"area": area}
    assert own(ward) == {"area": area}
    assert choose(ward, None) == {"area": None}
    assert own(ward) == {"area": None}
    assert ward.use_cases.account.read(ward.supervisor)["ward"] is None


def test_users_are_asked_again_after_their_area_is_deleted(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Cirugía")).id
    choose(ward, area)
    ward.use_cases.areas.delete(ward.admin, area)
    assert own(ward) is None
    choose(ward, None)
    assert own(ward) == {"area": None}


def test_the_choice_is_logged_once(ward: Ward) -> None:
    for _ in range(2):
        choose(ward, ward.area_id)
    assert len(changes(ward)) == 1
    choose(ward, None)
    assert len(changes(ward)) == 2


def test_unknown_areas_and_empty_forms_are_refused(ward: Ward) -> None:
    with refused((Code.REFERENCE_UNKNOWN, "area_id")):
        choose(ward, 999)
    with refused((Code.REQUIRED, "area_id")):
        ward.use_cases.account.choose_ward(ward.nurse, OwnWardDraft(sent_fields=frozenset()))
    assert own(ward) is None


def test_a_deleted_user_chooses_nothing(ward: Ward) -> None:
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    with pytest.raises(Unauthenticated):
        choose(ward, None)

"""Contract of every store: service accounts and their keys."""

from datetime import timedelta

import pytest

from application.audit.views import AuditQuery
from application.catalogue.areas import AreaDraft
from application.ward.read_worklist import KEYS_EXPIRE_WITHIN
from domain.common.errors import NotFound
from tests.builders import Ward
from tests.use_cases.accounts.test_service_accounts import HERE, a_key, an_account, comes_with, works


def test_a_key_works_only_from_its_networks(ward: Ward) -> None:
    secret = a_key(ward, an_account(ward), networks=("10.0.0.0/24", "192.0.2.9", "2001:db8::/32"))["secret"]
    assert works(ward, secret, "10.0.0.200")
    assert works(ward, secret, "192.0.2.9")
    assert works(ward, secret, "2001:db8:1:2::/64")
    for elsewhere in ("10.0.1.1", "192.0.2.8", "2001:db9::/64", "", "no address"):
        assert not works(ward, secret, elsewhere)


def test_deleting_an_account_revokes_its_keys_and_frees_its_name(ward: Ward) -> None:
    account = an_account(ward)
    one, other = a_key(ward, account), a_key(ward, account)
    ward.use_cases.service_accounts.delete(ward.admin, account)
    assert not works(ward, one["secret"])
    assert not works(ward, other["secret"])
    assert ward.use_cases.service_accounts.list(ward.admin)["items"] == []
    with pytest.raises(NotFound):
        a_key(ward, account)
    assert an_account(ward) != account


def test_audit_entries_of_a_program_name_its_key(ward: Ward) -> None:
    made = a_key(ward, an_account(ward), "catalogue.manage")
    program = comes_with(ward, made["secret"])
    ward.use_cases.areas.create(program, AreaDraft(name="Hemodiálisis"))
    entry = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="area"))["items"][0]
    assert entry["user"] == {"id": program.user_id, "email": "HIS"}
    assert entry["api_key"] == {"id": made["key"]["id"], "name": "Clave"}


def test_the_last_use_of_a_key_is_stored_at_intervals(ward: Ward) -> None:
    made = a_key(ward, an_account(ward))
    first = ward.use_cases.session.identify(made["secret"], HERE)
    assert not first.use_is_noted
    ward.use_cases.session.touch_key(made["key"]["id"])
    assert ward.use_cases.session.identify(made["secret"], HERE).use_is_noted
    (listed,) = ward.use_cases.service_accounts.list(ward.admin)["items"]
    assert listed["keys"][0]["used_at"] == ward.clock.now
    ward.clock.now += timedelta(minutes=6)
    assert not ward.use_cases.session.identify(made["secret"], HERE).use_is_noted


def test_administrators_see_keys_that_expire_soon(ward: Ward) -> None:
    account = an_account(ward)
    within = (ward.clock.now + KEYS_EXPIRE_WITHIN).date() - timedelta(days=2)
    soon = a_key(ward, account, expires_on=within)
    a_key(ward, account, expires_on=within + timedelta(days=30))
    a_key(ward, account)
    revoked = a_key(ward, account, expires_on=within)
    ward.use_cases.service_accounts.revoke_key(ward.admin, revoked["key"]["id"])
    reported = ward.use_cases.reports.read_worklist(ward.admin)["expiring_keys"]
    assert [(key["id"], key["service_account"]) for key in reported] == [(soon["key"]["id"], "HIS")]
    assert ward.use_cases.reports.read_worklist(ward.supervisor)["expiring_keys"] == []

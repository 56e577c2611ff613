"""Service accounts and their keys."""

from datetime import date

import pytest

from application.accounts.sessions.service_accounts import (
    KEY_PREFIX,
    RECEIVER_SCOPES,
    SCOPES,
    ApiKeyDraft,
    ServiceAccountDraft,
)
from application.accounts.sessions.throttle import MAX_WRONG_KEYS_PER_ADDRESS
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.draft import UserDraft
from application.accounts.users.password_links import ResetRequest
from application.accounts.views import MadeKeyView, UserQuery
from application.audit.views import AuditQuery
from application.catalogue.views import RoomQuery
from domain.common.errors import Forbidden, InvalidCredentials, NotFound, Refused, TooManyAttempts, Unauthenticated
from domain.common.policy import Actor, Permission, Role
from tests.builders import PASSWORD, Ward

HERE = "10.0.0.7"


def an_account(ward: Ward, name: str = "HIS") -> int:
    return ward.use_cases.service_accounts.create(ward.admin, ServiceAccountDraft(name=name))["id"]


def a_key(ward: Ward, account: int, *scopes: str, **particulars: object) -> MadeKeyView:
    draft = ApiKeyDraft(name="Clave", scopes=scopes or ("sheets.read",), **particulars)  # type: ignore[arg-type]
    return ward.use_cases.service_accounts.create_key(ward.admin, account, draft)


def comes_with(ward: Ward, secret: str, address: str = HERE) -> Actor:
    return ward.use_cases.session.identify(secret, address).actor


def works(ward: Ward, secret: str, address: str = HERE) -> bool:
    try:
        comes_with(ward, secret, address)
    except Unauthenticated:
        return False
    return True


def refusals(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[str | None, str]]:
    return [(reason.field, reason.code) for reason in refused.value.reasons]


def test_a_key_acts_as_its_account_with_its_scopes(ward: Ward) -> None:
    account = an_account(ward)
    made = a_key(ward, account, "catalogue.read", "catalogue.manage")
    actor = comes_with(ward, made["secret"])
    assert (actor.user_id, actor.role, actor.staff_id) == (account, Role.SERVICE_ACCOUNT, None)
    assert actor.permissions == {Permission.READ_CATALOGUE, Permission.MANAGE_CATALOGUE, Permission.READ_OWN_KEY}
    assert actor.api_key_id == made["key"]["id"]
    with pytest.raises(Forbidden):
        ward.use_cases.session.sign_out(ward.use_cases.session.identify(made["secret"], HERE))


def test_a_secret_is_shown_once_and_stored_as_a_digest(ward: Ward) -> None:
    made = a_key(ward, an_account(ward))
    secret = made["secret"]
    assert secret.startswith(KEY_PREFIX + made["key"]["prefix"])
    assert len(secret) == 50
    reported = repr(ward.use_cases.service_accounts.list(ward.admin)) + repr(
        ward.use_cases.audit.reader.page(ward.admin, AuditQuery())
    )
    assert secret not in reported
    assert secret[len(KEY_PREFIX) + 8 :] not in reported
    assert "digest" not in reported
    with ward.store.begin() as work:
        assert secret not in repr(work.api_keys.get(made["key"]["id"]))


def test_a_revoked_key_stops_working_and_others_go_on(ward: Ward) -> None:
    account = an_account(ward)
    old, new = a_key(ward, account), a_key(ward, account)
    assert works(ward, old["secret"])
    assert works(ward, new["secret"])
    ward.use_cases.service_accounts.revoke_key(ward.admin, old["key"]["id"])
    assert not works(ward, old["secret"])
    assert works(ward, new["secret"])
    ward.use_cases.service_accounts.revoke_key(ward.admin, old["key"]["id"])  # revoking again changes nothing
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="api_key"))["items"]
    assert [entry["action"] for entry in entries] == ["key.revoked", "key.made", "key.made"]


def test_a_key_works_through_its_last_day(ward: Ward) -> None:
    ward.clock.now = ward.clock.now.replace(hour=18)
    today = ward.clock.now.date()
    made = a_key(ward, an_account(ward), expires_on=today)
    assert works(ward, made["secret"])
    ward.clock.now = made["key"]["expires_at"] or ward.clock.now  # the hospital's midnight
    assert not works(ward, made["secret"])


def test_the_last_refusal_by_network_is_shown_with_its_address(ward: Ward) -> None:
    account = an_account(ward)
    made = a_key(ward, account, networks=("10.0.0.0/24",))

    def refused() -> tuple[object, object]:
        [one] = ward.use_cases.service_accounts.list(ward.admin)["items"]
        [key] = one["keys"]
        return key["refused_at"], key["refused_address"]

    assert works(ward, made["secret"])
    assert not works(ward, KEY_PREFIX + "0" * 46)
    assert refused() == (None, None)
    for address in ("10.0.1.1", "10.0.1.2"):
        ward.clock.advance(minutes=20)
        assert not works(ward, made["secret"], address)
        assert refused() == (ward.clock.now, address)
    # Neither a later use nor a change of the key hides it; a revoked key is refused for another reason.
    last = refused()
    ward.clock.advance(minutes=20)
    assert works(ward, made["secret"])
    ward.use_cases.service_accounts.revoke_key(ward.admin, made["key"]["id"])
    assert not works(ward, made["secret"], "10.0.1.3")
    assert refused() == last


def test_a_key_reads_what_it_may_do(ward: Ward) -> None:
    ward.clock.now = ward.clock.now.replace(hour=18)
    today = ward.clock.now.date()
    made = a_key(ward, an_account(ward), "catalogue.manage", networks=("10.0.0.0/24",), expires_on=today)
    assert ward.use_cases.service_accounts.read_own_key(comes_with(ward, made["secret"])) == {
        "name": "Clave",
        "service_account": "HIS",
        "permissions": ["catalogue.manage", "catalogue.read"],
        "networks": ["10.0.0.0/24"],
        "expires_on": today,
    }
    endless = a_key(ward, an_account(ward, "BI"), "sheets.delete_open")
    own = ward.use_cases.service_accounts.read_own_key(comes_with(ward, endless["secret"]))
    assert own["expires_on"] is None
    assert own["permissions"] == ["sheets.delete_empty", "sheets.delete_open", "sheets.read"]
    receiver = ward.use_cases.service_accounts.ensure_receiver()
    with pytest.raises(Forbidden):
        ward.use_cases.service_accounts.read_own_key(receiver)


def test_renaming_an_account_does_not_affect_its_keys(ward: Ward) -> None:
    account = an_account(ward)
    made = a_key(ward, account)
    ward.use_cases.service_accounts.update(ward.admin, account, ServiceAccountDraft(name="HIS nuevo"))
    assert works(ward, made["secret"])
    (listed,) = ward.use_cases.service_accounts.list(ward.admin)["items"]
    assert (listed["name"], [key["id"] for key in listed["keys"]]) == ("HIS nuevo", [made["key"]["id"]])


def test_wrong_keys_are_throttled_and_good_ones_are_not(ward: Ward) -> None:
    account = an_account(ward)
    good, revoked = a_key(ward, account)["secret"], a_key(ward, account)
    ward.use_cases.service_accounts.revoke_key(ward.admin, revoked["key"]["id"])
    for _ in range(MAX_WRONG_KEYS_PER_ADDRESS):
        assert not works(ward, revoked["secret"])
    with pytest.raises(TooManyAttempts):
        comes_with(ward, revoked["secret"])
    assert works(ward, good)
    assert not works(ward, revoked["secret"], "10.9.9.9")
    # A malformed key is rejected without a query.
    for slip in (good[:-1], good[:-1] + "!", good + "0", good.swapcase(), KEY_PREFIX, ""):
        assert not works(ward, slip)


def test_a_service_account_is_no_user_and_cannot_sign_in(ward: Ward) -> None:
    account = an_account(ward)
    assert account not in [user["id"] for user in ward.use_cases.users.reader.page(ward.admin, UserQuery())["items"]]
    with pytest.raises(NotFound):
        ward.use_cases.users.reader.one(ward.admin, account)
    with pytest.raises(NotFound):
        ward.use_cases.users.delete(ward.admin, account)
    with pytest.raises(InvalidCredentials):
        ward.use_cases.session.sign_in(Credentials(email="HIS", password=PASSWORD))
    letter = ward.use_cases.account.request_password_reset(ResetRequest(email="HIS"), HERE)
    ward.use_cases.account.request_password_reset.send(letter, "es")
    assert ward.postbox.letters == []
    for actor in (ward.admin, None):
        draft = UserDraft(email="x@consumo.test", role=Role.SERVICE_ACCOUNT, password=PASSWORD)
        with pytest.raises((Forbidden, Refused)):
            ward.use_cases.users.register(actor, draft)


@pytest.mark.parametrize(
    ("particulars", "refused"),
    [
        ({"name": " "}, [("name", "required")]),
        ({"scopes": ()}, [("scopes", "required")]),
        ({"scopes": ("sheets.read", "users.manage")}, [("scopes", "scope.unknown")]),
        ({"scopes": ("all",)}, [("scopes", "scope.unknown")]),
        ({"networks": ("10.0.0.0/24", "10.0.0.1/24")}, [("networks", "network.invalid")]),
        ({"networks": ("hospital.test",)}, [("networks", "network.invalid")]),
        ({"networks": ("",)}, [("networks", "network.invalid")]),
        ({"networks": ("10.0.0.0/24", " ")}, [("networks", "network.invalid")]),
        ({"networks": tuple(f"10.0.0.{n}" for n in range(21))}, [("networks", "items.too_many")]),
        ({"expires_on": date(2020, 1, 1)}, [("expires_on", "date.in_past")]),
    ],
)
def test_invalid_keys_are_refused_with_their_reasons(
    ward: Ward, particulars: dict[str, object], refused: list[tuple[str, str]]
) -> None:
    account = an_account(ward)
    filled_in: dict[str, object] = {"name": "Clave", "scopes": ("sheets.read",), **particulars}
    with pytest.raises(Refused) as caught:
        ward.use_cases.service_accounts.create_key(ward.admin, account, ApiKeyDraft(**filled_in))  # type: ignore[arg-type]
    assert refusals(caught) == refused


@pytest.mark.parametrize(
    ("name", "refused"),
    [("", "required"), ("bi@consumo.test", "name.like_email"), ("his", "taken"), ("n" * 201, "text.too_long")],
)
def test_invalid_account_names_are_refused(ward: Ward, name: str, refused: str) -> None:
    an_account(ward)
    with pytest.raises(Refused) as caught:
        an_account(ward, name)
    assert refusals(caught) == [("name", refused)]


def test_scopes_never_include_administration(ward: Ward) -> None:
    offered = ward.use_cases.service_accounts.list(ward.admin)["scopes"]
    assert offered == list(SCOPES)
    assert Permission.READ_FHIR in offered
    assert not {Permission.MANAGE_USERS, Permission.MANAGE_SERVICE_ACCOUNTS, Permission.IMPORT} & set(offered)


def test_the_receiver_of_messages_has_one_account(ward: Ward) -> None:
    made = ward.use_cases.service_accounts.ensure_receiver()
    assert made.role is Role.SERVICE_ACCOUNT
    assert made.scopes == RECEIVER_SCOPES
    assert ward.use_cases.service_accounts.ensure_receiver() == made


def test_the_receiver_uses_an_existing_account_of_its_name(ward: Ward) -> None:
    account_id = an_account(ward, "HL7")
    assert ward.use_cases.service_accounts.ensure_receiver().user_id == account_id


def test_rooms_show_patients_only_to_keys_that_may_read_them(ward: Ward) -> None:
    ward.sheet(patient_id=ward.patient("Ana", "Vega").id)

    def lying_there(*scopes: Permission) -> list[int]:
        actor = Actor(ward.nurse.user_id, Role.SERVICE_ACCOUNT, None, scopes=frozenset(scopes))
        listed = ward.use_cases.rooms.reader.page(actor, RoomQuery())["items"]
        [room] = [one for one in listed if one["id"] == ward.room_id]
        assert ward.use_cases.rooms.reader.one(actor, ward.room_id)["sheets"] == room["sheets"]
        return [sheet["patient"]["id"] for sheet in room["sheets"]]

    assert lying_there(Permission.READ_CATALOGUE) == []
    assert lying_there(Permission.READ_CATALOGUE, Permission.MANAGE_CATALOGUE) == []
    assert len(lying_there(Permission.READ_CATALOGUE, Permission.READ_PATIENTS)) == 1

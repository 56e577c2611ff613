"""Importing users: accounts without a password, and their links."""

from pathlib import Path
from typing import Any

import pytest

from application.accounts.users.choose_password import ChosenPassword
from application.accounts.users.draft import UserDraft
from application.accounts.users.imported_links import ImportedLinksDraft, UserLink
from application.accounts.views import UserQuery, UserView
from application.audit.audit_log import AuditEntry
from application.imports.reading.fields import Noun
from application.imports.reading.table import Choices
from domain.accounts.user import User
from domain.common.errors import Code, NotFound, Refused
from domain.common.policy import Role
from domain.common.text import unique_key
from tests.builders import Ward
from tests.imports.importing import ImportOutcome, brought_in, file_of, warnings

HEADER = "Correo electrónico;Rol;Nombre;Apellido paterno;Puesto;Área"
ANA = "ana@hospital.test;Enfermera;Ana;Gil;Enfermería;Urgencias"
BEA = "bea@hospital.test;Supervisora;Bea;Sol;;"


def bring(ward: Ward, folder: Path, *lines: str, **choices: Any) -> ImportOutcome:
    return brought_in(ward, file_of(folder, (HEADER, *lines)), Noun.USERS, **choices)


def users(ward: Ward) -> dict[str, UserView]:
    page = ward.use_cases.users.reader.page(ward.admin, UserQuery(limit=100))
    return {one["email"]: one for one in page["items"]}


def stored(ward: Ward, email: str) -> User:
    with ward.store.begin() as work:
        found = work.users.find("email", unique_key(email))
    assert found is not None
    return found


def links(ward: Ward, number: int | None, **asked: Any) -> list[UserLink]:
    draft = ImportedLinksDraft(import_id=number, **asked)
    return ward.use_cases.users.create_imported_links(ward.supervisor, draft)


def test_accounts_have_profile_and_area_and_no_password(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, ANA, BEA, "jefe@hospital.test;10;Sin;Perfil;;")
    assert (brought.counts, brought.report.also) == ((3, 0, 0, 0), {"staff": 2})
    ana, bea, chief = (users(ward)[f"{name}@hospital.test"] for name in ("ana", "bea", "jefe"))
    assert (ana["role"], bea["role"], chief["role"], chief["profile"]) == ("1", "2", "10", None)
    assert ana["profile"] is not None
    assert (ana["profile"]["first_surname"], ana["profile"]["job_title"]) == ("Gil", "Enfermería")
    account = stored(ward, "ana@hospital.test")
    assert (account.password_hash, account.ward_area_id) == (None, ward.area_id)


@pytest.mark.parametrize(
    "written",
    [
        "mailto:ana@hospital.test", "<ana@hospital.test>", "ana@hospital.test,", "ana@hospital.test.",
        '"Ana Gil <ana@hospital.test>"', "'ana@hospital.test'", "MAILTO:ana@hospital.test?subject=Turno",
    ],
)  # fmt: skip
def test_an_address_loses_what_programs_write_around_it(ward: Ward, tmp_path: Path, written: str) -> None:
    assert bring(ward, tmp_path, f"{written};Enfermera;Ana;Gil;;").counts == (1, 0, 0, 0)
    assert "ana@hospital.test" in users(ward)
    assert bring(ward, tmp_path, ANA).counts == (0, 0, 1, 0)


@pytest.mark.parametrize(
    "written", ["ana@hospital.test (casa)", "ana@hospital.test / bea@hospital.test", "a..b@c.test"]
)
def test_what_is_no_single_address_is_refused(ward: Ward, tmp_path: Path, written: str) -> None:
    assert bring(ward, tmp_path, f"{written};Enfermera;Ana;Gil;;").refusals == {2: [("email", "email.invalid")]}


def test_the_same_file_again_changes_nothing(ward: Ward, tmp_path: Path) -> None:
    bring(ward, tmp_path, ANA, BEA)
    again = bring(ward, tmp_path, ANA.replace("ana@", "ANA@"), BEA)
    assert again.counts == (0, 0, 2, 0)
    changed = bring(ward, tmp_path, ANA.replace("Enfermera", "Supervisora"))
    assert (changed.counts, warnings(changed)) == (
        (0, 0, 1, 0),
        {2: [("role", "user.role_stays", "ana@hospital.test")]},
    )
    assert users(ward)["ana@hospital.test"]["role"] == "1"


def test_an_existing_profile_without_account_is_used(ward: Ward, tmp_path: Path) -> None:
    ana = ward.staff("Ana", "Gil")
    brought = bring(ward, tmp_path, ANA, ANA.replace("ana@", "otra@"))
    assert brought.refusals == {3: [("name", "profile.taken")]}
    assert users(ward)["ana@hospital.test"]["staff_id"] == ana.id


@pytest.mark.parametrize(
    ("row", "refused"),
    [
        ("ana;1;;;;", ("email", "email.invalid")),
        (";1;;;;", ("email", "required")),
        ("ana@hospital.test;;;;;", ("role", "required")),
        ("ana@hospital.test;Jardinero;;;;", ("role", "choice.unknown")),
        ("ana@hospital.test;30;;;;", ("role", "choice.unknown")),
        ("ana@hospital.test;1;Ana;;;", ("first_surname", "required")),
        ("ana@hospital.test;1;Ana;Gil;;Cocina", ("area", "reference.unknown")),
    ],
)
def test_what_is_wrong_is_refused(ward: Ward, tmp_path: Path, row: str, refused: tuple[str, str]) -> None:
    before = users(ward)
    assert bring(ward, tmp_path, row).refusals == {2: [refused]}
    assert users(ward) == before


def test_only_administrators_import_administrators(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, "jefe@hospital.test;Administrador;;;;", BEA, actor=ward.supervisor)
    assert brought.refusals == {2: [("role", "role.for_administration")]}
    assert set(brought.outcomes.values()) == {"refused", "created"}


def test_contradicting_rows_are_refused(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, BEA, BEA, BEA.replace("Supervisora", "Usuario"))
    assert brought.refusals == {4: [(None, "row.contradicts")]}
    assert brought.outcomes[3] == "unchanged"


def test_a_staff_list_with_emails_is_no_list_of_users(ward: Ward, tmp_path: Path) -> None:
    staff = file_of(tmp_path, ("Nombre;Apellido;Correo;Teléfono;Puesto", "Ana;Gil;a@b.test;1;Jefa"), name="staff.csv")
    file = file_of(tmp_path, (HEADER, ANA))
    nouns = ward.use_cases.imports.read_file.nouns
    assert nouns(ward.admin, file, Choices())[0] is Noun.USERS
    assert nouns(ward.admin, staff, Choices())[0] is Noun.STAFF


def test_undoing_removes_the_accounts_and_links(ward: Ward, tmp_path: Path) -> None:
    before = users(ward)
    number = bring(ward, tmp_path, ANA, BEA).report.import_id
    assert number is not None
    links(ward, number)
    ward.use_cases.imports.undo(ward.admin, number)
    assert users(ward) == before
    assert bring(ward, tmp_path, ANA).counts == (1, 0, 0, 0)


def test_each_user_without_password_gets_a_link(ward: Ward, tmp_path: Path) -> None:
    number = bring(ward, tmp_path, ANA, BEA, "jefe@hospital.test;10;;;;").report.import_id
    ward.use_cases.users.invite(ward.admin, UserDraft(email="else@hospital.test", role=1), "es")
    made = links(ward, number)
    # A supervisor creates none for an administrator.
    assert [(one.email, one.name) for one in made] == [
        ("ana@hospital.test", "Ana Gil"),
        ("bea@hospital.test", "Bea Sol"),
    ]
    token = made[0].link.url.partition("token=")[2]
    chosen = ChosenPassword(token=token, password="Un lago tranquilo 7", password_confirmation="Un lago tranquilo 7")
    ward.use_cases.account.choose_password(chosen, "127.0.0.1", "", "es")
    assert [one.email for one in links(ward, number)] == ["bea@hospital.test"]
    assert links(ward, number, after_id=made[-1].user_id) == []
    with pytest.raises(Refused) as refused:
        ward.use_cases.imports.undo(ward.admin, number or 0)
    assert refused.value.reasons[0].code is Code.IMPORT_IN_USE
    with pytest.raises(NotFound):
        links(ward, 9_999)


def test_links_and_accounts_are_in_the_audit_log(ward: Ward, tmp_path: Path) -> None:
    number = bring(ward, tmp_path, ANA).report.import_id or 0
    links(ward, number)
    with ward.store.begin() as work:
        entries: list[AuditEntry] = [one for _, one in work.audit_log.of_import(number, "user", before=None, limit=9)]
    assert [one.action for one in entries] == ["user.invited"]
    assert entries[0].changes["role"] == (None, Role.USER)

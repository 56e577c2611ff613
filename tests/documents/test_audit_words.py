"""Entries of the audit log in words."""

import re
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from adapters.documents.audit_words import AuditWords
from adapters.hospital.profile import HospitalProfile
from adapters.i18n.catalogue import LANGUAGES, catalogue
from application.audit.views import AuditView, NamedEntryView
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from domain.hospital.settings import NumberFormat
from tests.builders import ZONE, a_nurse

HOSPITAL = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)
SHEET: Any = {"sheet_id": 7, "patient": "José Ibáñez", "subject": "Gasa estéril"}


def an_entry(action: str, entity: str, **change: Any) -> NamedEntryView:
    entry: Any = {
        "id": 1,
        "at": datetime(2026, 11, 20, 14, 5, tzinfo=UTC),
        "user": {"id": 3, "email": "rosa@hospital.test"},
        "action": action,
        "entity": entity,
        "entity_id": 41,
        "sheet_id": None,
        "patient_id": None,
        "api_key": None,
        "changes": {},
        "person": "Rosa Núñez",
        "patient": None,
        "subject": None,
        "names": {},
    }
    entry |= change
    return cast("NamedEntryView", entry)


def told(entry: NamedEntryView, language: str, hospital: HospitalProfile = HOSPITAL) -> str:
    worded = AuditWords(language, hospital).history(entry)
    return f"{worded['who']} {worded['did']}"


def changed(field: str, before: Any, after: Any, language: str = "es", **change: Any) -> str:
    entry = an_entry("sheet.updated", "consumption_sheet", changes={field: [before, after]}, **change)
    return "; ".join(each["text"] for each in AuditWords(language, HOSPITAL).history(entry)["in_words"])


@pytest.mark.parametrize(
    ("entry", "spanish", "english"),
    [
        (
            an_entry("detail.added", "consumption_detail", **SHEET, changes={"quantity": [None, "2.500"]}),
            "Rosa Núñez registró 2,5 Gasa estéril en la hoja de José Ibáñez",
            "Rosa Núñez recorded 2.5 Gasa estéril on the sheet of José Ibáñez",
        ),
        (
            an_entry("patient.read", "patient", subject="José {Ibáñez}", person=None),
            "rosa@hospital.test consultó el expediente de José {Ibáñez}",
            "rosa@hospital.test viewed the record of José {Ibáñez}",
        ),
        (
            an_entry("patient.exported", "patient", subject="José Ibáñez"),
            "Rosa Núñez exportó todos los datos de José Ibáñez",
            "Rosa Núñez exported all data of José Ibáñez",
        ),
        (
            an_entry("patient.exported", "patient", entity_id=0),
            "Rosa Núñez exportó la lista de pacientes",
            "Rosa Núñez exported the list of patients",
        ),
        (
            an_entry("product.exported", "product", entity_id=0),
            "Rosa Núñez exportó la lista de productos",
            "Rosa Núñez exported the list of products",
        ),
        (
            an_entry("consumption_sheet.exported", "consumption_sheet", entity_id=7, **SHEET),
            "Rosa Núñez exportó la hoja de José Ibáñez",
            "Rosa Núñez exported the sheet of José Ibáñez",
        ),
        (
            # A deleted record has its name at the time of deletion.
            an_entry("area.deleted", "area", changes={"name": ["Sótano", None]}),
            "Rosa Núñez eliminó el área «Sótano»",
            "Rosa Núñez deleted the area “Sótano”",
        ),
        (
            an_entry(
                *("sheet.deleted", "consumption_sheet"),
                changes={"patient_id": [3, None]},
                names={"patient_id": ["José Ibáñez", None]},
            ),
            "Rosa Núñez eliminó la hoja de José Ibáñez",
            "Rosa Núñez deleted the sheet of José Ibáñez",
        ),
        (
            an_entry("session.sign_in_failed", "user", entity_id=0, user=None, person=None),
            "Alguien no pudo ingresar como una cuenta que no existe",
            "Someone could not sign in as an account that doesn’t exist",
        ),
        (
            an_entry("import.undone", "import", api_key={"id": 1, "name": "ERP"}),
            "Rosa Núñez (clave ERP) deshizo la importación «#41»",
            "Rosa Núñez (key ERP) undid the import “#41”",
        ),
        # Entries of a newer version are described as far as possible.
        (an_entry("pump.primed", "pump"), "Rosa Núñez hizo «pump.primed»", "Rosa Núñez did “pump.primed”"),
        (an_entry("pump.created", "pump"), "Rosa Núñez creó «#41»", "Rosa Núñez created “#41”"),
    ],
)
def test_an_entry_is_a_sentence(entry: NamedEntryView, spanish: str, english: str) -> None:
    assert (told(entry, "es"), told(entry, "en")) == (spanish, english)


@pytest.mark.parametrize(
    ("field", "before", "after", "text"),
    [
        ("quantity", "2.000", "1234.500", "Cantidad: antes 2, ahora 1.234,5"),
        ("total", "0.70", "1432.08", "Total: antes $0,70, ahora $1.432,08"),
        ("role", 1, 2, "Rol: antes Usuario, ahora Supervisor"),
        ("status", 1, 3, "Estado: antes Disponible, ahora En limpieza"),
        ("active", True, False, "Activo: antes sí, ahora no"),
        ("date_of_birth", None, "1960-02-03", "Fecha de nacimiento: antes vacío, ahora 3 feb 1960"),
        ("occurred_at", None, "2026-11-20T14:00:00+00:00", "Momento de uso: antes vacío, ahora 20 nov 2026, 08:00"),
        ("filled", None, "name; gtin; pump", "Datos completados: antes vacío, ahora Nombre, GTIN, pump"),
        ("number_format", "language", "comma", "Formato de números: antes Según el idioma, ahora 1.250,00"),
        ("reason", None, "unused", "Motivo: Sin usar"),
        ("reason", None, "Faltó una", "Motivo: Faltó una"),
        ("failures", None, 40, "Intentos fallidos desde esa dirección en un cuarto de hora, hasta ahí: 40"),
        # What an earlier version stored in another form.
        ("quantity", "dos", None, "Cantidad: antes dos, ahora vacío"),
        ("created_at", "ayer", "9999-12-31T23:59:59-14:00", "Fecha: antes ayer, ahora 9999-12-31T23:59:59-14:00"),
        # Fields for programs.
        ("version", 1, 2, ""),
        ("user_id", None, 3, ""),
    ],
)
def test_a_changed_field_is_in_words(field: str, before: Any, after: Any, text: str) -> None:
    assert changed(field, before, after) == text


def test_changed_ids_are_names() -> None:
    assert changed("staff_id", 9, 8, names={"staff_id": ["Ana Ríos", None]}) == "Personal: antes Ana Ríos, ahora #8"
    text = changed("sheet_id", 1, 7, "en", names={"sheet_id": [None, "José Ibáñez"]})
    assert text == "Sheet: was no. 1, now no. 7 José Ibáñez"


def test_numbers_are_written_as_the_hospital_does() -> None:
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE, number_format=NumberFormat.POINT)
    entry = an_entry("detail.voided", "consumption_detail", **SHEET, changes={"quantity": ["1.5", None]})
    assert told(entry, "es", hospital) == "Rosa Núñez anuló 1.5 Gasa estéril de la hoja de José Ibáñez"


def test_words_have_no_price_for_ward_staff() -> None:
    changes = {"price": ["2.50", "3.10"], "total": [None, "9.99"], "unit": [None, "sobre"]}
    entry = redact_for(a_nurse(), an_entry("product.updated", "product", changes=changes), AuditView)
    assert [each["field"] for each in AuditWords("es", HOSPITAL).history(entry)["in_words"]] == ["unit"]


def test_created_records_have_data_and_notes() -> None:
    entry = an_entry("patient.created", "patient", changes={"name": [None, "José"], "reason": [None, "Urgencia"]})
    worded = AuditWords("es", HOSPITAL).history(entry)["in_words"]
    assert [(each["shown"], each["text"]) for each in worded] == [
        ("data", "Nombre: José"),
        ("note", "Motivo: Urgencia"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_words(language: str) -> None:
    words, without = AuditWords(language, HOSPITAL), told(an_entry("pump.primed", "pump"), language)
    unknown = without.replace("pump.primed", "")
    lists, things = catalogue(language)["audit_lists"], catalogue(language)["audit_things"]
    kinds = [kind["value"] for kind in words.kinds()]
    for action in AuditAction:
        assert told(an_entry(action, action.entity), language).replace(action, "") != unknown
        assert action in [choice["value"] for choice in words.actions_of(action.entity)]
        assert action.entity in kinds
        verb = action.partition(".")[2]
        has_sentence = action in catalogue(language)["audit_sentences"]
        assert verb not in ("listed", "exported") or has_sentence or action.entity in lists
        assert verb not in ("created", "deleted") or has_sentence or action.entity in things
    assert {action.entity for action in AuditAction} == set(kinds)
    assert len({kind["text"] for kind in words.kinds()}) == len(kinds)


def test_spanish_contracts_the_article_of_a_thing() -> None:
    sentences = " ".join(told(an_entry(action, action.entity, **SHEET), "es") for action in AuditAction)
    assert not re.search(r"\b(a|de) el\b|la cuenta la cuenta", sentences)

"""One example of everything that is sent and answered, for the OpenAPI document."""

from typing import Any

_CATEGORY = {"id": 2, "code": "MC", "name": "Material de curación"}
_AREA = {"id": 4, "name": "Medicina Interna"}
_STAFF = {"id": 3, "name": "Rosa", "first_surname": "Núñez", "second_surname": "Peña"}
_LINK = {"url": "https://consumo.example/auth/reset-password?token=…", "expires_at": "2026-11-24T09:00:00Z"}
_STAFF_MEMBER = {
    **_STAFF,
    "telephone_number": "55 5555 0103",
    "job_title": "Enfermera general",
    "date_of_birth": "1990-02-03",
    "user_id": 3,
}
_PATIENT = {
    "id": 12,
    "name": "José",
    "first_surname": "Ibáñez",
    "second_surname": "Soto",
    "date_of_birth": "1958-07-30",
    "active": 1,
    "record_number": "EXP-2026-0012",
    "open_sheets": 1,
    "merged_into": None,
}
_PRODUCT = {
    "id": 8,
    "name": "Gasa estéril 10 × 10 cm",
    "price": 0.35,
    "category_id": 2,
    "category": _CATEGORY,
    "code": "MC-0008",
    "gtin": "9520000000011",
    "unit": "sobre",
    "active": True,
    "decimals": 3,
    "asks_lot": False,
    "asks_serial": False,
    "also_called": [],
}
_PRODUCT_CODE = {
    "id": 31,
    "product_id": 8,
    "system": "gtin",
    "code": "09520000000028",
    "units": 100.000,
    "label": "caja de 100",
}
_RECALL = {
    "id": 2,
    "product_id": 8,
    "product": {"id": 8, "name": "Gasa estéril 10 × 10 cm", "unit": "sobre"},
    "lot": "L-2207",
    "reason": "Empaque dañado",
    "opened_at": "2026-11-20T14:05:00Z",
    "opened_by": 2,
    "closed": False,
    "closed_at": None,
}
_API_KEY = {
    "id": 3,
    "name": "Servidor de integración",
    "prefix": "4nfRnGTC",
    "scopes": ["sheets.read", "patients.read"],
    "networks": ["10.0.0.0/24"],
    "created_at": "2026-11-20T14:05:00Z",
    "created_by": {"id": 1, "email": "admin@consumo.test"},
    "expires_at": "2100-01-01T06:00:00Z",
    "used_at": None,
    "revoked_at": None,
}
_SERVICE_ACCOUNT = {"id": 9, "name": "Sistema de admisiones", "keys": [_API_KEY]}
_PATIENTS_NAME = {"id": 12, "name": "José", "first_surname": "Ibáñez", "second_surname": "Soto"}
_ROOM = {
    "id": 5,
    "name": "Cama 12",
    "code": "MI^12",
    "status": 2,
    "type": 2,
    "area_id": 4,
    "area": _AREA,
    "sheets": [{"id": 7, "patient": _PATIENTS_NAME, "admission_date": "2026-11-19"}],
}
_KIT = {
    "id": 6,
    "name": "Vía periférica",
    "area_id": 4,
    "area": _AREA,
    "own": False,
    "user_id": None,
    "lines": [
        {
            "product_id": 8,
            "product": {name: _PRODUCT[name] for name in ("id", "code", "name", "unit", "active")},
            "quantity": 2.000,
            "optional": False,
        }
    ],
    "version": 1,
}
_USER = {"id": 3, "email": "rosa@hospital.example", "role": "1", "staff_id": 3, "profile": _STAFF_MEMBER}
_SESSION = {
    "id": "fM3kq0Zx8bQ2nP7tVw5sYd1cR9hJ4aLe",
    "address": "192.0.2.17",
    "client": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
    "browser": "Firefox",
    "system": "Windows",
    "began_at": "2026-11-21T07:02:00Z",
    "used_at": "2026-11-21T11:40:00Z",
    "current": True,
}
_SHEET = {
    "id": 7,
    "diagnosis": "Neumonía adquirida en la comunidad",
    "doctor": "Dra. Lucía Quiroga",
    "patient_id": 12,
    "patient": {**_PATIENTS_NAME, "record_number": "EXP-2026-0012", "date_of_birth": "1958-07-30"},
    "room_id": 5,
    "room": {"id": 5, "name": "Cama 12", "area_id": 4},
    "admission_date": "2026-11-19",
    "total": 1.05,
    "closed": False,
    "deleted_at": None,
    "consumptions": [{"created_at": "2026-11-20T14:05:00Z", "details": 1}],
    "stays": [{"room": {"id": 5, "name": "Cama 12"}, "from": "2026-11-19T06:00:00Z", "until": None}],
    "late_entries": 0,
    "unlisted_items": 0,
    "visit_number": "V-2026-0031",
    "discharge_proposed_at": None,
    "admission_cancelled_at": None,
    "version": 2,
}
_UNLISTED = {
    "id": 5,
    "consumption_sheet_id": 7,
    "description": "Bisturí láser",
    "quantity": 1.000,
    "occurred_at": "2026-11-20T14:05:00Z",
    "created_at": "2026-11-20T14:05:00Z",
    "user_id": 3,
    "by": "Rosa Núñez Peña",
    "staff_id": 2,
    "staff": "Rosa Núñez Peña",
    "area_id": 4,
    "area": "Urgencias",
    "room_id": 5,
    "state": "open",
    "decided_at": None,
    "decided_by": None,
    "reason": None,
    "detail_id": None,
}
_MESSAGE = {
    "id": 71,
    "source": "HIS|HOSPITAL",
    "control_id": "20261120-118",
    "kind": "A01",
    "event_at": "2026-11-20T14:05:00Z",
    "received_at": "2026-11-20T14:05:01Z",
    "state": "held",
    "code": "location.unknown",
    "field": None,
    "params": {"location": "UCI^201^B"},
    "why": "Cama UCI^201^B desconocida: diga qué habitación es.",
    "visit_number": "V-2026-0031",
    "record_number": "EXP-2026-0012",
    "location": "UCI^201^B",
    "consumption_sheet_id": None,
    "patient_id": None,
    "tries": 1,
    "decided_by": None,
    "decided_at": None,
    "note": None,
}
_CLOSING = {"turn": 1, "closed_at": "2026-11-20T15:30:00Z", "by": "Rosa Núñez", "total": 1.05, "lines": 2}
_DETAIL = {
    "id": 41,
    "consumption_sheet_id": 7,
    "product_id": 8,
    "product": {
        "id": 8,
        "code": "MC-0008",
        "name": "Gasa estéril 10 × 10 cm",
        "price": 0.35,
        "category": _CATEGORY,
    },
    "staff_id": 3,
    "staff": _STAFF,
    "user_id": 3,
    "area_id": 4,
    "area": _AREA,
    "quantity": 3.000,
    "unit_price": 0.35,
    "total": 1.05,
    "created_at": "2026-11-20T14:05:00Z",
    "occurred_at": None,
    "day": "2026-11-20",
    "room_id": 5,
    "acknowledged": [],
    "gtin": "09520000000011",
    "lot": "L-2207",
    "expiry": "2027-10-31",
    "serial": None,
    "kit_id": None,
    "kit": None,
    "returned": 0.000,
    "corrected_from": None,
    "version": 1,
}
_VOIDED = {"at": "2026-11-20T14:20:00Z", "by": {"id": 3, "name": "Rosa Núñez Peña"}, "reason": "Paciente equivocado"}
_AT_WORK = {
    "id": 7,
    "patient": _PATIENTS_NAME,
    "room": _SHEET["room"],
    "admission_date": "2026-11-19",
    "days_open": 1,
    "details": 24,
    "last_recorded_at": "2026-11-20T14:05:00Z",
}
_FAR_OUT = {
    "kind": "quantity_far_out",
    "sheet": _AT_WORK,
    "days": None,
    "detail_id": 41,
    "product": {"id": 8, "name": "Gasa estéril 10 × 10 cm", "unit": "sobre"},
    "quantity": 300.000,
    "usual_quantity": 6.000,
}
_CONSUMED = {"key": "4", "id": 4, "name": "Medicina Interna", "details": 24, "quantity": 61.500, "total": 198.40}

_LINE = {
    "id": 42,
    "product_id": 8,
    "product_name": "Gasa estéril 10 × 10 cm",
    "quantity": 0,
    "created_at": "2026-11-20T14:07:00Z",
}
_ENTRY = {
    "id": 350,
    "at": "2026-11-20T14:05:00Z",
    "user": {"id": 3, "email": "rosa@hospital.example"},
    "action": "detail.edited",
    "entity": "consumption_detail",
    "entity_id": 41,
    "sheet_id": 7,
    "changes": {"quantity": ["2.000", "3.000"], "total": ["0.70", "1.05"]},
}

_IMPORT = {
    "id": 3,
    "noun": "products",
    "file_name": "precios 2026.csv",
    "at": "2026-11-20T09:30:00Z",
    "user": {"id": 2, "email": "lucia@hospital.example"},
    "created": 120,
    "changed": 14,
    "unchanged": 860,
    "refused": 2,
    "undone_at": None,
    "undone_by": None,
}
_REFUSAL = {"field": "price", "code": "number.expected", "message": "Escriba un número en «Precio»."}
_IMPORT_REPORT = {
    **{name: _IMPORT[name] for name in ("created", "changed", "unchanged", "refused")},
    "also": {"categories": 1},
    "kept": True,
    "import_id": 3,
    "rows": [
        {
            "line": 7,
            "outcome": "changed",
            "label": "MC-0008 · Gasa estéril 10 × 10 cm · 0.38",
            "changes": [{"field": "price", "label": "Precio", "before": "0.35", "after": "0.38"}],
            "reasons": [],
        },
        {"line": 9, "outcome": "refused", "label": "MC-0011", "changes": [], "reasons": [_REFUSAL]},
    ],
}
_READING = {
    "noun": "products",
    "rows": 996,
    "notes": ["Es un archivo de texto."],
    "settings": [
        {
            "about": "decimal",
            "value": None,
            "reason": None,
            "question": "¿Qué separa los decimales? «1.234» se puede leer de dos maneras.",
            "suggestion": None,
            "options": [{"value": "point", "label": "punto"}, {"value": "comma", "label": "coma"}],
        }
    ],
    "columns": ["Clave", "Descripción", "Precio"],
    "fields": [
        {
            "name": "price",
            "label": "Precio",
            "kind": "number",
            "needed": True,
            "column": "Precio",
            "reason": "«Precio» viene de la columna «Precio», que se llama así.",
            "question": None,
            "suggestion": None,
            "options": [],
        }
    ],
    "sample": [
        {
            "line": 2,
            "cells": ["MC-0008", "Gasa estéril 10 × 10 cm", "1.234"],
            "read": {"price": "1.234"},
            "wrong": {},
        }
    ],
    "unanswered": 1,
}

_LATE = {
    "id": 3,
    "consumption_sheet_id": 7,
    "items": [
        {
            "product_id": 8,
            "product": "Gasa estéril 10 × 10 cm",
            "quantity": 3.000,
            "lot": None,
            "expiry": None,
            "serial": None,
        }
    ],
    "kit_id": None,
    "occurred_at": "2026-11-20T09:40:00Z",
    "arrived_at": "2026-11-20T14:05:00Z",
    "user_id": 3,
    "by": "Rosa Núñez Peña",
    "decision": None,
    "decided_at": None,
    "decided_by": None,
    "reason": None,
}

_MESSAGE = {
    "id": 12,
    "control_id": "7.1.1",
    "consumption_sheet_id": 7,
    "charges": 24,
    "state": "dead",
    "tries": 1,
    "problem": "AR: PID-3 unknown",
    "created_at": "2026-11-20T14:05:00Z",
    "next_try_at": None,
    "sent_at": None,
    "decided_by": None,
    "reason": None,
}

# By the name of the schema or of the draft.
EXAMPLES: dict[str, Any] = {
    "AreaView": _AREA,
    "CategoryView": _CATEGORY,
    "ProductView": _PRODUCT,
    "RoomView": _ROOM,
    "PatientView": _PATIENT,
    "MergePreviewView": {
        "sheets": {"open": 1, "closed": 2},
        "fills": ["date_of_birth"],
        "differs": [{"field": "first_surname", "mine": "Ibañes", "theirs": "Ibáñez"}],
    },
    "MergeDraft": {"into_id": 12, "reason": "Mismo documento de identidad"},
    "UnmergedPatientView": {"patient": _PATIENT, "returned": [7, 9], "stayed": []},
    "StaffView": _STAFF_MEMBER,
    "UserView": _USER,
    "SheetView": _SHEET,
    "DetailView": _DETAIL,
    "AccessToken": {"access_token": "eyJhbGciOi…"},
    "Link": _LINK,
    "PasswordStrength": {"score": 4, "weakness": None},
    "InvitedUser": {**_USER, "activation": _LINK, "mailed": True},
    "SessionView": _SESSION,
    "SessionsView": {"items": [_SESSION]},
    "OwnAccountView": {
        **_USER,
        "permissions": ["sheets.open", "sheets.read"],
        "managed_roles": [],
        "profile_required": False,
    },
    "OwnProfile": {"data": _STAFF_MEMBER},
    "SavedProfile": {"user_id": 3, "data": _STAFF_MEMBER},
    "VersionedCatalogueView": {
        "version": 412,
        "products": [[8, "Gasa estéril 10 × 10", "C-7", "sobre", 3, False, False, True]],
        "codes": [[8, "gtin", "09520000000011", 1, None]],
        "kits": [[3, "Vía periférica", 2, [[8, 2, False]]]],
        "areas": [[2, "Urgencias"]],
    },
    "ProductLookupView": {
        "reading": {
            "gtin": "09520000000011",
            "lot": "L-2207",
            "expiry": "2027-10-31",
            "serial": None,
            "count": None,
            "separator_lost": False,
            "expiry_unreadable": False,
        },
        "matches": [{"product": _PRODUCT, "system": "gtin", "units": 1, "label": None}],
        "recall": None,
        "expired": False,
        "serial_used": None,
        "noted": None,
    },
    "UnknownCodesView": {
        "items": [{"system": "gtin", "code": "09520000000097", "times": 3, "last_at": "2026-11-20T14:05:00Z"}]
    },
    "RecallView": _RECALL,
    "ServiceAccountDraft": {"name": "Sistema de admisiones"},
    "ServiceAccountView": _SERVICE_ACCOUNT,
    "ServiceAccountsView": {"items": [_SERVICE_ACCOUNT], "scopes": ["sheets.read", "sheets.open", "patients.read"]},
    "ApiKeyDraft": {
        "name": "Servidor de integración",
        "scopes": ["sheets.read", "patients.read"],
        "networks": ["10.0.0.0/24"],
        "expires_on": "2099-12-31",
    },
    "MadeKeyView": {"key": _API_KEY, "secret": "cns_…"},
    "RecallDraft": {"product_id": 8, "lot": "L-2207", "reason": "Empaque dañado", "closed": False},
    "PriceHistoryView": {
        "items": [
            {
                "at": "2026-11-02T15:30:00Z",
                "by": "Jorge Peña",
                "imported": False,
                "previous_price": 0.32,
                "price": 0.35,
            }
        ]
    },
    "ProductCodeView": _PRODUCT_CODE,
    "ProductCodesView": {"items": [_PRODUCT_CODE]},
    "ProductCodeDraft": {"system": "supplier", "code": "PROV-0031", "units": 100.000, "label": "caja de 100"},
    "UsualProductsView": {"items": [_PRODUCT]},
    "UsualQuantityView": {"usual_quantity": 6.000, "far_out_above": 60.000},
    "ClosingView": _CLOSING,
    "ClosingsView": {"items": [_CLOSING]},
    "SheetSummaryView": {
        "consumption_sheet_id": 7,
        "lines": 2,
        "total": 1.05,
        "days": [{"day": "2026-11-20", "lines": 2, "total": 1.05}],
        "categories": [{"category": _CATEGORY, "lines": 2, "total": 1.05}],
        "without_quantity": [_LINE],
        "without_price": [],
        "unlisted_items": [_UNLISTED],
        "version": 3,
    },
    "HistoryView": {
        **_ENTRY,
        "person": "Rosa Núñez Peña",
        "patient": "José Ibáñez Soto",
        "subject": "Gasa estéril 10 × 10 cm",
        "names": {},
    },
    "SheetAtWorkView": _AT_WORK,
    "UnusualView": _FAR_OUT,
    "OverviewView": {
        "day": "2026-11-20",
        "open_sheets": 9,
        "today": {"details": 61, "patients": 8, "total": 512.35},
        "mine": [_AT_WORK],
        "unusual": [_FAR_OUT],
        "more_unusual": [],
        "late": [
            {
                "consumption_sheet_id": 7,
                "closed": True,
                "patient": _PATIENTS_NAME,
                "entries": 2,
                "since": "2026-11-20T14:05:00Z",
            }
        ],
        "unlisted": [
            {
                "consumption_sheet_id": 7,
                "closed": False,
                "patient": _PATIENTS_NAME,
                "items": 1,
                "since": "2026-11-20T14:05:00Z",
            }
        ],
        "unlisted_total": 1,
        "recalled": [
            {
                "detail_id": 41,
                "consumption_sheet_id": 7,
                "closed": False,
                "patient": _PATIENTS_NAME,
                "room": "Cama 12",
                "product": {"id": 8, "name": "Gasa estéril 10 × 10 cm", "unit": "sobre"},
                "lot": "L-2207",
                "quantity": 2.000,
                "at": "2026-11-20T14:05:00Z",
                "by": "Rosa Núñez Peña",
            }
        ],
        "recalled_total": 1,
        "discharges": [
            {"consumption_sheet_id": 7, "patient": _PATIENTS_NAME, "room": "Cama 12", "at": "2026-11-20T14:05:00Z"}
        ],
        "held_messages": 1,
    },
    "ConsumptionRowView": _CONSUMED,
    "ConsumptionPage": {
        "by": "area",
        "period": {"from": "2026-10-22", "to": "2026-11-20"},
        "sums": {"details": 24, "quantity": 61.500, "total": 198.40},
        "items": [_CONSUMED],
        "meta": {"page": 1, "limit": 25, "total": 1, "pages": 1},
    },
    "ImportView": _IMPORT,
    "LikelyReading": {"nouns": ["products"], "reading": _READING},
    "ImportLine": {"report": _IMPORT_REPORT},
    "PublicSettings": {
        "currency": "USD",
        "time_zone": "America/Mexico_City",
        "record_authority": "HOSP",
        "idle_minutes": 15,
        "offline": True,
    },
    "Health": {"status": "ok"},
    "GivenPassword": {"password": "tres gasas y una venda"},
    "Credentials": {"email": "rosa@hospital.example", "password": "una frase larga y mía"},
    "StaffDraft": {key: value for key, value in _STAFF_MEMBER.items() if key not in ("id", "user_id")},
    "SheetDraft": {
        "diagnosis": "Neumonía adquirida en la comunidad",
        "doctor": "Dra. Lucía Quiroga",
        "patient_id": 12,
        "room_id": 5,
        "admission_date": "2026-11-19",
    },
    "TransferDraft": {"room_id": 6},
    "ReopenDraft": {"reason": "Faltó registrar la última dosis"},
    "KitView": _KIT,
    "KitDraft": {
        "name": "Vía periférica",
        "area_id": 4,
        "own": False,
        "lines": [{"product_id": 8, "quantity": 2, "optional": False}],
    },
    "InboundMessageView": {**_MESSAGE, "fields": [{"place": "PV1-3", "value": "UCI^201^B"}]},
    "InboundMessagesView": {"items": [_MESSAGE], "next": None, "held": 1},
    "DismissMessageDraft": {"reason": "Mensaje de prueba"},
    "RoomAnswerDraft": {"room_id": 5},
    "PatientAnswerDraft": {"patient_id": 12},
    "UnlistedItemView": _UNLISTED,
    "UnlistedItemsView": {"items": [_UNLISTED]},
    "UnlistedItemDraft": {"description": "Bisturí láser", "quantity": 1},
    "ResolveDraft": {"product_id": 8},
    "DiscardDraft": {"reason": "Se anotó dos veces"},
    "LateEntryView": _LATE,
    "LateEntriesView": {"items": [_LATE]},
    "LateEntryDraft": {"items": [{"product_id": 8, "quantity": 3}], "occurred_at": "2026-11-20T09:40:00Z"},
    "DismissDraft": {"reason": "Ya se registró en la hoja nueva"},
    "OutboundMessageView": _MESSAGE,
    "WholeOutboundMessageView": {**_MESSAGE, "body": "MSH|^~\\&|CONSUMO|…\rEVN||…\rPID|1||…\r"},
    "SettleDraft": {"reason": "Se registró a mano en facturación"},
    "RecordLateDraft": {"acknowledged": ["quantity.far_out"]},
    "DetailsDraft": {
        "kit_id": 6,
        "items": [{"product_id": 8, "quantity": 3, "area_id": 4}, {"product_id": 9, "quantity": 1, "area_id": 4}],
    },
    "RepeatableView": {
        "day": "2026-11-20",
        "days": ["2026-11-19", "2026-11-20"],
        "items": [{"product": _PRODUCT, "quantity": 6.000, "times": 2}],
    },
    "VoidedView": _VOIDED,
    "DetailsView": {"items": [{**_DETAIL, "voided": _VOIDED, "version": 2}]},
    "VoidDraft": {"ids": [41, 42], "reason": "Paciente equivocado"},
    "MoveDraft": {"detail_ids": [41], "to_sheet_id": 9, "reason": "Paciente equivocado"},
    "MovedDetailsView": {
        "moved": [{**_DETAIL, "consumption_sheet_id": 9, "version": 2}],
        "from": {"id": 7, "version": 5, "total": 0.00},
        "to": {"id": 9, "version": 3, "total": 1.05},
    },
    "CorrectionDraft": {"quantity": 65, "acknowledged": ["quantity.far_out"]},
    "ReturnDraft": {"quantity": 1, "reason": "unused", "note": "Sin abrir"},
    "RecordedDetailsView": {"items": [_DETAIL]},
    "DetailDraft": {"consumption_sheet_id": 7, "product_id": 8, "quantity": 3, "staff_id": 3, "area_id": 4},
    "AreaDraft": {"name": "Medicina Interna", "code": "MI"},
    "CategoryDraft": {"code": "MC", "name": "Material de curación"},
    "ProductDraft": {"name": "Gasa estéril 10 × 10 cm", "price": 0.35, "category_id": 2, "code": "MC-0008"},
    "RoomDraft": {"name": "Cama 12", "status": 1, "type": 1, "area_id": 4, "code": "MI^12"},
    "PatientDraft": {key: value for key, value in _PATIENT.items() if key not in ("id", "open_sheets", "merged_into")},
    "UserDraft": {"email": "rosa@hospital.example", "role": "1", "staff_id": 0},
    "ResetRequest": {"email": "rosa@hospital.example"},
    "TypedPassword": {"email": "rosa@hospital.example", "password": "una frase larga y mía"},
    "PasswordTypedOnLink": {"token": "…", "password": "una frase larga y mía"},
    "ChosenPassword": {
        "token": "…",
        "password": "una frase larga y mía",
        "password_confirmation": "una frase larga y mía",
    },
}

"""Frozen documents in the database: a stable and readable format."""

import gzip
import json
from decimal import Decimal

from adapters.sql.sheets.frozen import freeze, to_document

# A document as version 1 wrote it. Never change it: the reader must keep supporting this format.
OF_FORMAT_1 = json.dumps(
    {
        "format": 1,
        "sheet": {
            "id": 7, "diagnosis": "Neumonía", "doctor": "Dra. Vega", "patient_id": 1,
            "patient": {
                "id": 1, "name": "Ana", "first_surname": "Ríos", "second_surname": None, "record_number": None
            },
            "room_id": 1, "room": {"id": 1, "name": "101", "area_id": 1}, "admission_date": "2091-05-03",
            "total": "26.67", "closed": True, "deleted_at": "2091-05-03T12:00:00Z",
            "consumptions": [{"created_at": "2091-05-03T12:00:00Z", "details": 1}], "version": 4,
            "something_new": {"of": ["a later version"]},
        },
        "record_number": None, "date_of_birth": None, "area": "Urgencias", "lines": 1, "total": "25.00",
        "days": [
            {
                "day": "2091-05-03", "lines": 1, "total": "25.00",
                "categories": [
                    {
                        "category": {"id": 1, "code": "CUR", "name": "Curación"}, "lines": 1, "total": "25.00",
                        "details": [
                            {
                                "id": 1, "consumption_sheet_id": 7, "product_id": 1,
                                "product": {
                                    "id": 1, "code": None, "name": "Gasa estéril", "price": "12.50",
                                    "category": {"id": 1, "code": "CUR", "name": "Curación"},
                                },
                                "staff_id": None, "staff": None, "user_id": 1, "area_id": None, "area": None,
                                "quantity": "2.000", "unit_price": "12.50", "total": "25.00",
                                "created_at": "2091-05-03T12:00:00Z", "day": "2091-05-03", "lot": "L-1", "version": 1,
                            }
                        ],
                    }
                ],
            }
        ],
        "unknown": 1,
    }
)  # fmt: skip


def test_format_1_is_read_and_unknown_fields_are_ignored() -> None:
    document = to_document(gzip.compress(OF_FORMAT_1.encode()))
    assert (document["format"], document["total"]) == (1, Decimal("25.00"))
    assert document["sheet"]["patient"]["name"] == "Ana"
    assert "unknown" not in document
    assert "something_new" not in document["sheet"]
    [line] = document["days"][0]["categories"][0]["details"]
    assert (line["quantity"], line["lot"]) == (Decimal("2.000"), "L-1")


def test_the_same_document_has_the_same_bytes() -> None:
    document = to_document(gzip.compress(OF_FORMAT_1.encode()))
    kept = freeze(document, "salt")
    assert freeze(to_document(kept[0]), "salt") == kept

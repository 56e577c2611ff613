"""What an import closed is frozen with it."""

from datetime import date
from decimal import Decimal
from typing import Any

from application.imports.batch import Batch
from application.imports.reading.cells import RawRow
from application.imports.reading.columns import Noun
from application.imports.reading.rows import Row
from application.sheets.closings import document_of
from tests.builders import Ward
from tests.spreadsheets.importing import Told


def test_what_an_import_closed_is_frozen_with_it(ward: Ward) -> None:
    values: dict[str, Any] = {
        "patient_name": "Luz", "patient_first_surname": "Soto", "room": "101", "admission_date": date(2091, 4, 1),
        "discharge_date": date(2091, 4, 3), "product_name": "Gasa estéril", "quantity": Decimal(2),
        "created_at": date(2091, 4, 2),
    }  # fmt: skip
    row = Row(2, values, (), RawRow(2, ["x"]))
    batch = Batch(
        noun=Noun.CONSUMPTION,
        file_name="consumo.csv",
        count=1,
        given=frozenset(values),
        columns=tuple(values),
        rows=lambda: iter([row]),
    )
    report = ward.use_cases.import_rows(ward.admin, batch, Told())
    assert report.kept, report
    with ward.store.read() as views:
        document = views.closings.document(1, None)
        assert document == document_of(views, 1)
        assert (document["lines"], document["sheet"]["closed"]) == (1, True)

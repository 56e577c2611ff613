"""Contract of every store: sheets closed by an import are frozen."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from application.common.store_errors import StoreUnavailable, TransactionConflict, UnavailableReason
from application.imports.batch import Batch
from application.imports.reading.cells import RawRow
from application.imports.reading.fields import Noun
from application.imports.reading.row import Row
from application.sheets import closings
from application.sheets.closings import build_document
from tests.builders import Ward
from tests.imports.importing import RowCollector


def a_discharged_patient() -> Batch:
    """Build a batch of one line on a sheet that the import closes."""
    values: dict[str, Any] = {
        "patient_name": "Luz", "patient_first_surname": "Soto", "room": "101", "admission_date": date(2091, 4, 1),
        "discharge_date": date(2091, 4, 3), "product_name": "Gasa estéril", "quantity": Decimal(2),
        "created_at": date(2091, 4, 2),
    }  # fmt: skip
    row = Row(2, values, (), RawRow(2, ["x"]))
    return Batch(
        noun=Noun.CONSUMPTION,
        file_name="consumo.csv",
        count=1,
        given=frozenset(values),
        columns=tuple(values),
        rows=lambda: iter([row]),
    )


def must_be_frozen(ward: Ward) -> None:
    with ward.store.read() as views:
        document = views.closings.document(1, None)
        assert document == build_document(views, 1)
        assert (document["lines"], document["sheet"]["closed"]) == (1, True)


def test_a_sheet_closed_by_an_import_is_frozen_afterwards(ward: Ward) -> None:
    report = ward.use_cases.imports.run(ward.admin, a_discharged_patient(), RowCollector())
    assert report.kept, report
    must_be_frozen(ward)


@pytest.mark.parametrize(
    "trouble", [TransactionConflict(), StoreUnavailable(UnavailableReason.BUSY)], ids=["collision", "no answer"]
)
def test_an_import_stays_committed_if_freezing_fails(
    ward: Ward, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def in_the_way(*_: object) -> None:
        raise trouble

    with monkeypatch.context() as patched:
        patched.setattr(closings, "take_snapshot", in_the_way)
        report = ward.use_cases.imports.run(ward.admin, a_discharged_patient(), RowCollector())
    # The import was not retried: a retry would have found its own line.
    assert (report.kept, report.created, report.unchanged) == (True, 1, 0)
    with ward.store.read() as views:
        assert views.closings.document(1, None) is None
    assert ward.use_cases.sheets.backfill_closings() == [1]
    must_be_frozen(ward)

"""Contract of the SQL stores: a closed month and its changes are today's report, also while it is changed."""

from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

from application.common.paging import ListQuery
from application.common.store_errors import StoreUnavailable
from application.imports.reading.fields import Noun
from application.reports.month_views import MonthView
from application.reports.months import MonthDraft
from domain.common.errors import Code, Refused
from tests.assertions import refused
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.imports.importing import brought_in, file_of
from tests.use_cases.reports.test_months import of_today, with_changes

MARCH = date(2026, 3, 1)
FILE = (
    "nhc;nombre;apellido;habitación;área;fecha de ingreso;fecha de alta;código;producto;cantidad;fecha;precio",
    "E-1;Ana;Gil;7;Cirugía;2026-03-01;2026-03-05;G-1;Gasa;2;2026-03-01;1,50",
    "E-1;Ana;Gil;7;Cirugía;2026-03-01;2026-03-05;G-2;Venda;1,5;2026-03-02;0,50",
    "E-9;Eva;Soto;8;Cirugía;2026-04-01;;G-1;Gasa;4;2026-04-02;1,50",
)


def close(ward: Ward, turn: int = 1) -> MonthView:
    return ward.use_cases.reports.close_month(ward.admin, MonthDraft(month="2026-03", turn=turn))


def adds_up(ward: Ward, document_id: int) -> bool:
    now = ward.use_cases.reports.read_month(ward.admin, document_id)
    return +with_changes(now) == +of_today(ward, MARCH)


def test_lines_of_a_file_change_a_closed_month(ward: Ward, tmp_path: Path) -> None:
    closed = close(ward)
    brought = brought_in(ward, file_of(tmp_path, FILE), Noun.CONSUMPTION)
    now = ward.use_cases.reports.read_month(ward.admin, closed["id"])
    assert [(change["kind"], change["quantity"]) for change in now["changes"]["items"]] == [
        ("imported", Decimal(2)),
        ("imported", Decimal("1.5")),
    ]
    assert adds_up(ward, closed["id"])
    assert brought.report.import_id
    ward.use_cases.imports.undo(ward.admin, brought.report.import_id)
    assert adds_up(ward, closed["id"])
    assert ward.use_cases.reports.read_month(ward.admin, closed["id"])["changes"]["total"] == 0


def test_lines_of_a_file_are_in_a_month_closed_later(ward: Ward, tmp_path: Path) -> None:
    brought = brought_in(ward, file_of(tmp_path, FILE), Noun.CONSUMPTION)
    closed = close(ward)
    assert closed["accounts"]["closed"] == {"sheets": 1, "total": Decimal("3.75")}
    assert closed["changes"]["items"] == []
    assert brought.report.import_id
    ward.use_cases.imports.undo(ward.admin, brought.report.import_id)
    assert adds_up(ward, closed["id"])


def test_an_import_whose_area_has_a_closed_month_is_kept(ward: Ward, tmp_path: Path) -> None:
    brought = brought_in(ward, file_of(tmp_path, FILE), Noun.CONSUMPTION)
    [area] = [one for one in ward.use_cases.areas.reader.page(ward.admin, ListQuery())["items"] if "Cir" in one["name"]]
    ward.use_cases.reports.close_month(ward.admin, MonthDraft(month="2026-03", turn=1, area_id=area["id"]))
    assert brought.report.import_id
    with refused(Code.IMPORT_IN_USE):
        ward.use_cases.imports.undo(ward.admin, brought.report.import_id)


def test_one_of_several_closes_a_month(ward: Ward) -> None:
    made = at_once([partial(close, ward)] * 4)
    assert sum(isinstance(one, dict) for one in made) == 1
    for problem in made:
        assert isinstance(problem, dict | Refused | StoreUnavailable), problem


def test_a_month_is_closed_while_a_file_is_imported(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, FILE)
    [brought, closed] = at_once([partial(brought_in, ward, file, Noun.CONSUMPTION), partial(close, ward)])
    assert not isinstance(brought, Exception), brought
    # If the database was busy, nothing was closed.
    document = close(ward) if isinstance(closed, StoreUnavailable) else closed
    assert adds_up(ward, document["id"])

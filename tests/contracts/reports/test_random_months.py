"""Property of the SQL stores: after any acts a closed month and its changes are what its lines come to.

The figures of today and the changes are added up from the rows here, not by the queries of the application.
"""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adapters.sql.sheets.tables import details, month_changes
from application.catalogue.areas import AreaDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.common.store_errors import StoreUnavailable
from application.imports.reading.fields import Noun
from application.reports.months import MonthDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.offline.late_entries import LateEntryDraft, RecordLateDraft
from domain.common.errors import NotFound, Refused
from domain.common.money import line_total
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.imports.importing import brought_in, file_of
from tests.use_cases.sheets.test_month_changes import ACTS
from tests.use_cases.sheets.test_notices import edit
from tests.use_cases.stored import kept

Sums = Counter[tuple[Any, ...]]
KEY = ("area_id", "product_id", "unbilled", "use_reason")
FIGURES = ("lines", "quantity", "returned", "total", "value")
MARCH = datetime(2091, 3, 20, 18, tzinfo=UTC)


def key_of(row: Any) -> tuple[Any, ...]:
    found = row if isinstance(row, dict) else row._mapping
    return tuple(None if found[name] is None else str(found[name]) for name in KEY)


def lines_of(ward: Ward, month: date, area_id: int | None) -> Sums:
    sums: Sums = Counter()
    for row in kept(ward).rows(details):
        if row.voided_at or row.day.replace(day=1) != month or (area_id and row.area_id != area_id):
            continue
        value = line_total(row.unit_price, row.quantity)
        for name, figure in zip(FIGURES, (1, row.quantity, row.returned, row.total, value), strict=True):
            sums[*key_of(row), name] += figure
    return sums


def frozen_with_changes(ward: Ward, document_id: int) -> tuple[Sums, date, int | None]:
    with ward.store.begin_read_only() as work:
        frozen = work.views.months.one(document_id)
    assert frozen
    document = frozen.document
    sums: Sums = Counter()
    for row in document["rows"]:
        for name in FIGURES:
            sums[*key_of(row), name] += row[name]  # type: ignore[literal-required]
    for change in kept(ward).rows(month_changes):
        is_of_area = not document["area_id"] or change.area_id == document["area_id"]
        if change.day.replace(day=1) == document["month"] and is_of_area and change.id not in document["change_ids"]:
            for name in FIGURES:
                sums[*key_of(change), name] += getattr(change, name)
    return sums, document["month"], document["area_id"]


def must_add_up(ward: Ward, documents: list[int], act: str) -> None:
    for document_id in documents:
        sums, month, area_id = frozen_with_changes(ward, document_id)
        today = lines_of(ward, month, area_id)
        assert {key: figure for key, figure in sums.items() if figure} == {
            key: figure for key, figure in today.items() if figure
        }, act


OTHER_ACTS = (
    *("record", "record_earlier", "arrive_late", "use_in_area", "move_to_patient", "edit_area", "delete_sheet"),
    *("close_sheet", "bring_in", "undo_import", "close_month", "wait"),
)


class History:
    """Acts on a ward over four months, drawn at random."""

    def __init__(self, ward: Ward, draws: Random, folder: Path) -> None:
        self.ward, self.draws, self.folder = ward, draws, folder
        self.other_area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
        self.lines: list[Any] = []
        self.imports: list[int] = []
        self.documents: list[int] = []
        self.number = 0
        self.sheets = [self.a_sheet()]

    def a_sheet(self) -> int:
        self.number += 1
        patient = self.ward.patient(f"Paciente {self.number}", "Gil").id
        return int(self.ward.sheet(patient_id=patient, admission_date=date(2091, 3, 1))["id"])

    def record(self) -> None:
        area_id = self.draws.choice((None, self.ward.area_id, self.other_area))
        quantity = str(self.draws.randint(1, 9))
        self.lines.append(self.ward.detail(self.draws.choice(self.sheets), quantity, area_id=area_id))

    def record_earlier(self) -> None:
        at = self.ward.clock.now - timedelta(days=self.draws.randint(1, 50))
        self.lines.append(self.ward.detail(self.draws.choice(self.sheets), "2", occurred_at=max(at, MARCH)))

    def arrive_late(self) -> None:
        """An entry arrives after the closing of its sheet, and is recorded."""
        ward, sheet_id = self.ward, self.draws.choice(self.sheets)
        ward.use_cases.sheets.close(ward.admin, sheet_id)
        self.number += 1
        draft = LateEntryDraft(items=(ward.detail_draft("3"),), occurred_at=ward.clock.now - timedelta(days=3))
        key = IdempotencyKey(f"k-{self.number}", "x")
        late = ward.use_cases.late_entries.submit(ward.nurse, sheet_id, draft, idempotency_key=key).answer
        ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó"))
        ward.use_cases.late_entries.record(ward.admin, late["id"], RecordLateDraft())

    def use_in_area(self) -> None:
        page = self.ward.use_cases.area_sheets.open(self.ward.admin, self.other_area).view["id"]
        self.lines.append(self.ward.detail(page, "1.5", use_reason="cleaning"))

    def move_to_patient(self) -> None:
        line = self.draws.choice(self.lines)
        draft = MoveDraft(detail_ids=(line["id"],), to_sheet_id=self.draws.choice(self.sheets), reason="De un paciente")
        self.ward.use_cases.details.move(self.ward.admin, line["consumption_sheet_id"], draft)

    def edit_area(self) -> None:
        edit(self.ward, self.draws.choice(self.lines), by=self.ward.admin, area_id=self.other_area)

    def act(self, name: str) -> None:
        ACTS[name][0](self.ward, self.draws.choice(self.lines))

    def delete_sheet(self) -> None:
        sheet_id = self.draws.choice(self.sheets)
        self.ward.use_cases.sheets.delete(self.ward.admin, sheet_id)
        self.sheets.remove(sheet_id)
        self.sheets.append(self.a_sheet())

    def close_sheet(self) -> None:
        self.ward.use_cases.sheets.close(self.ward.admin, self.draws.choice(self.sheets))
        self.sheets.append(self.a_sheet())

    def bring_in(self) -> None:
        self.number += 1
        day = max(self.ward.clock.now - timedelta(days=self.draws.randint(0, 60)), MARCH)
        head = (
            "nhc;nombre;apellido;habitación;área;fecha de ingreso;fecha de alta;código;producto;cantidad;fecha;precio"
        )
        row = f"E-{self.number};Ana;Gil;7;Cirugía;2091-03-01;{day:%Y-%m-%d};G-1;Gasa;2,5;{day:%Y-%m-%d};1,50"
        brought = brought_in(self.ward, file_of(self.folder, [head, row]), Noun.CONSUMPTION)
        if brought.report.import_id:
            self.imports.append(brought.report.import_id)

    def undo_import(self) -> None:
        self.ward.use_cases.imports.undo(self.ward.admin, self.imports.pop())

    def close_month(self) -> None:
        area_id = self.draws.choice((None, self.ward.area_id, self.other_area))
        month = self.draws.choice(("2091-03", "2091-04", "2091-05"))
        with self.ward.store.begin_read_only() as work:
            known = [work.views.months.one(one) for one in self.documents]
        turn = 1 + sum(
            one is not None and (f"{one.document['month']:%Y-%m}", one.document["area_id"]) == (month, area_id)
            for one in known
        )
        draft = MonthDraft(month=month, area_id=area_id, turn=turn)
        self.documents.append(self.ward.use_cases.reports.close_month(self.ward.admin, draft)["id"])

    def wait(self) -> None:
        self.ward.clock.advance(days=9)


@pytest.mark.parametrize("seed", range(4))
def test_closed_months_add_up_after_any_acts(ward: Ward, tmp_path: Path, seed: int) -> None:
    ward.clock.now = MARCH
    history = History(ward, Random(seed), tmp_path)
    acts: dict[str, Callable[[], None]] = {
        **{name: partial(history.act, name) for name in ACTS if name != "deleted"},
        **{name: getattr(history, name) for name in OTHER_ACTS},
    }
    done: Counter[str] = Counter()
    first = [*("record",) * 8, "use_in_area", "bring_in", "wait", "wait", *("close_month",) * 12]
    for name in [*first, *history.draws.choices([*acts], k=90)]:
        try:
            acts[name]()
        except (Refused, NotFound, IndexError):
            continue
        done[name] += 1
        if name != "wait":
            must_add_up(ward, history.documents, name)
    assert len(history.documents) > 2
    assert sum(done.values()) > 30, done
    assert list(ward.use_cases.reports.check_consistency.months()) == []


def test_writers_change_a_month_while_it_is_closed(ward: Ward) -> None:
    """Eight of them record and void lines of its last evening."""
    ward.clock.now = datetime(2091, 3, 31, 20, tzinfo=UTC)
    evening, patients = ward.clock.now, [ward.patient(f"P{number}", "Gil").id for number in range(4)]
    sheets = [ward.sheet(patient_id=patient, admission_date=date(2091, 3, 1))["id"] for patient in patients]
    lines = [ward.detail(sheet_id, "2")["id"] for sheet_id in sheets for _ in range(2)]
    ward.clock.advance(hours=20)

    def write(number: int) -> None:
        ward.detail(sheets[number % 4], str(number + 1), occurred_at=evening)
        ward.use_cases.details.void(ward.admin, lines[number], VoidDraft(reason="Repetida"))

    closings = [
        partial(ward.use_cases.reports.close_month, ward.admin, MonthDraft(month="2091-03", turn=1, area_id=area))
        for area in (None, None, ward.area_id)
    ]
    made = at_once([*(partial(write, number) for number in range(8)), *closings])
    for outcome in made:
        assert outcome is None or isinstance(outcome, dict | Refused | StoreUnavailable), outcome
    with ward.store.begin_read_only() as work:
        documents = [one.id for one in work.views.months.latest_of_months()]
    assert sum(isinstance(one, dict) for one in made) == len(documents)
    must_add_up(ward, documents, "at once")

"""Contract of every store: stays of a patient, after any corrections."""

from functools import partial

import pytest

from application.sheets.transfer_patient import TransferDraft
from application.sheets.views import SheetView
from domain.common.errors import VersionConflict
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.sheets.test_stays import ADMITTED, a_room, reported


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet(admission_date=ADMITTED)["id"]


@pytest.fixture
def other(ward: Ward) -> int:
    return a_room(ward, "Piso 3 · 314")


def test_one_of_several_concurrent_transfers_succeeds(ward: Ward, sheet_id: int, other: int) -> None:
    rooms, seen = (other, a_room(ward, "315")), frozenset({1})

    def move(room: int) -> SheetView:
        return ward.use_cases.sheets.transfer_patient(ward.nurse, sheet_id, TransferDraft(room_id=room), seen)

    outcomes = at_once([partial(move, room) for room in rooms * 4])
    done = [outcome for outcome in outcomes if not isinstance(outcome, Exception)]
    assert [type(one) for one in outcomes if isinstance(one, Exception)] == [VersionConflict] * 7
    [sheet] = done
    assert reported(ward.use_cases.sheets.reader.one(ward.nurse, sheet_id)) == reported(sheet)
    assert len(sheet["stays"]) == 2

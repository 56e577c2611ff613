"""Contract of every store: entries that arrive after the closing.

They are neither lost nor recorded without a decision.
"""

from functools import partial

from application.common.idempotency import IdempotencyKey
from domain.common.errors import Code, Refused
from domain.sheets.late_entry import Decision
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.sheets.offline.test_late_entries import (
    a_closed_sheet,
    codes,
    dismiss,
    keep,
    lines,
    listed,
    record,
    reopen,
    waiting,
)

# --- concurrency -----------------------------------------------------------------------------------------------------


def test_one_of_two_concurrent_decisions_succeeds(ward: Ward) -> None:
    for number in range(4):
        sheet = a_closed_sheet(ward)
        late = keep(ward, sheet, key=f"k-{number}")[0]["id"]
        reopen(ward, sheet)
        outcomes = at_once([partial(record, ward, late), partial(record, ward, late), partial(dismiss, ward, late)])
        refused = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert [codes(_raise, one) for one in refused] == [[Code.LATE_ENTRY_DECIDED]] * 2
        (decided,) = listed(ward, sheet)
        assert len(lines(ward, sheet)) == (2 if decided["decision"] is Decision.RECORDED else 1)


def test_entries_survive_concurrent_closings_and_reopenings(ward: Ward) -> None:
    """A device records a line, and submits a late entry if that is refused.

    If that is refused too, it records the line again.
    """

    def send(sheet: int, key: str) -> None:
        promise = IdempotencyKey(key, "f")
        for _ in range(20):
            try:
                ward.use_cases.details.add(ward.nurse, ward.detail_draft(), sheet_id=sheet, idempotency_key=promise)
            except Refused:
                try:
                    keep(ward, sheet, ward.detail_draft(), key=key)
                except Refused:
                    continue
            return
        raise AssertionError("neither taken nor kept")

    for number in range(4):
        sheet = ward.sheet()["id"]
        calls = [partial(send, sheet, f"{number}-{each}") for each in range(4)]
        outcomes = at_once([*calls, partial(ward.use_cases.sheets.close, ward.admin, sheet)])
        assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert len(lines(ward, sheet)) + waiting(ward, sheet) == 4


def test_the_same_entry_sent_twice_at_once_is_one(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    outcomes = at_once([partial(keep, ward, sheet)] * 4)
    assert sorted(replayed for _, replayed in outcomes) == [False, True, True, True]
    assert waiting(ward, sheet) == 1


def _raise(error: Exception) -> None:
    raise error

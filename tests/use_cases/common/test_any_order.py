"""HL7 messages lead to the same state in any order of arrival."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from inspect import unwrap
from itertools import combinations, permutations, takewhile
from typing import Any

import pytest

from domain.interop.inbound_message import InboundState
from tests.builders import NOON, TODAY, Ward, a_ward
from tests.hl7.messages import NUMBER, a_post, adt, the_sheet, view_of
from tests.use_cases.stored import put_back, snapshot
from tests.walk import WALKS_ALL

OLD = "MRN-OLD"


def _day() -> list[str]:
    """Return the messages of a patient's day.

    The patient is moved twice, discharged and not, renamed, and in the middle merged into another record.
    """

    def at(hours: int) -> dict[str, Any]:
        return {"at": NOON + timedelta(hours=hours)}

    return [
        adt("A01", number=OLD, diagnosis="Neumonía", control_id="1", **at(0)),
        adt("A02", number=OLD, location="Urgencias^102", control_id="2", **at(1)),
        adt(
            "A08", number=OLD, location="Urgencias^102", name="Paz^Ana M.", diagnosis="Sepsis", control_id="3", **at(2)
        ),
        adt("A03", number=OLD, control_id="4", **at(3)),
        adt("A40", visit=None, prior=OLD, name="Paz^Ana María", second_surname="Ríos", control_id="5", **at(4)),
        adt("A13", control_id="6", **at(5)),
        adt("A02", location="Urgencias^103", control_id="7", **at(6)),
    ]


STATES: dict[str, Callable[[Ward], None]] = {
    "neither is known": lambda ward: None,
    "who stays is known": lambda ward: _known(ward, NUMBER),
    "both are known": lambda ward: _known(ward, NUMBER, OLD),
}


def _known(ward: Ward, *numbers: str) -> None:
    for number in numbers:
        ward.patient("Nadie", "Sabe", record_number=number)


def _state(ward: Ward) -> Any:
    """Return all visible state: sheet, stays, patient and record numbers."""
    sheet = the_sheet(ward)
    view = view_of(ward)
    with ward.store.begin_read_only() as work:
        patient = work.patients.get(sheet.patient_id)
        assert patient is not None
        stay = [one for one in work.patients.find_many("id", range(99)) if one.merged_into is None]
        numbers = work.former_record_numbers.of(patient.id)
        sheets = work.sheets.find_many("id", range(99))
        held = [one for one in work.inbound_messages.find_many("id", range(99)) if one.state is InboundState.HELD]
    stays = [(one["room"]["name"], one["from"], one["until"]) for one in view["stays"]]
    sheet_as_it_is = replace(sheet, id=0, patient_id=0, version=0, external_record=None)
    patient_as_it_is = replace(patient, id=0, external_record=None)
    return sheet_as_it_is, stays, patient_as_it_is, len(stay), numbers, len(sheets), held


Order = tuple[int, ...]


def _all_orders(count: int) -> list[Order]:
    return [*permutations(range(count))]


def _telling_orders(count: int) -> list[Order]:
    """Return the right order, and enough others.

    In one of them each four messages come in each of their orders.
    """
    orders, chosen, covered = _all_orders(count), list[Order](), set[Order]()
    for number in range(len(orders)):
        # A stride that visits each order once: neighbours differ in their last places alone.
        order = orders[number * 1277 % len(orders)]
        fours = {*combinations(order, 4)}
        if not fours <= covered:
            covered |= fours
            chosen.append(order)
    return chosen


def _state_in_any_order(ward: Ward, messages: list[str], orders: list[Order]) -> Any:
    """Receive the messages in these orders; return the state of all of them.

    What two orders have in common at their beginning is received once.
    """
    post = a_post(ward)
    # Parse each message once: this test is about their effects.
    read = cache(post.receiver.parse)
    reprocess = replace(unwrap(ward.use_cases.inbound_messages.reprocess_held), parse_message=read)
    # The data after each message of the order.
    steps, before, expected = [snapshot(ward)], Order(), None
    for order in sorted(orders):
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(order, before, strict=False)))
        del steps[shared + 1 :]
        put_back(ward, steps[shared])
        for number in order[shared:]:
            sent = messages[number]
            reprocess(ward.use_cases.inbound_messages.receive(post.receiver.actor, read(sent), sent))
            steps.append(snapshot(ward))
        before, state = order, _state(ward)
        # The first order is the right one.
        expected = expected or state
        assert state == expected, order
    assert expected is not None
    return expected


@pytest.mark.parametrize("known", STATES)
def test_any_order_leads_to_the_same_state(known: str) -> None:
    """Orders of seven messages of a visit lead to the state of the right one.

    One of the messages is a merge (A40). `make walk` runs all 5,040 orders.
    """
    ward, messages = a_ward(), _day()
    STATES[known](ward)
    orders = _all_orders(7) if WALKS_ALL else _telling_orders(7)
    sheet, stays, patient, *_, held = _state_in_any_order(ward, messages, orders)
    assert [room for room, *_ in stays] == ["101", "102", "103"]
    assert (sheet.diagnosis, sheet.discharge_proposed_at, patient.name, held) == ("Sepsis", None, "Ana María", [])


def _at(hours: int, number: int) -> dict[str, Any]:
    return {"at": NOON + timedelta(hours=hours), "control_id": str(number)}


# Messages of a visit, and the rooms and the day of admission at the end.
VISITS: dict[str, tuple[list[str], list[str]]] = {
    "an outpatient is admitted": (
        [
            adt("A04", patient_class="O", doctor="D1^Vega^Luz", **_at(0, 1)),
            adt("A02", patient_class="O", location="Urgencias^102", **_at(1, 2)),
            adt("A06", location="Urgencias^103", diagnosis="Sepsis", **_at(2, 3)),
            adt("A08", location=None, name="Paz^Ana María", **_at(3, 4)),
            adt("A03", **_at(4, 5)),
        ],
        ["101", "102", "103"],
    ),
    "an outpatient is admitted by an update": (
        [
            adt("A04", patient_class="O", **_at(0, 1)),
            adt("A08", location="Urgencias^102", diagnosis="Sepsis", **_at(1, 2)),
            adt("A02", location="Urgencias^103", **_at(2, 3)),
            adt("A03", **_at(3, 4)),
        ],
        ["102", "103"],
    ),
    "an inpatient becomes an outpatient": (
        [
            adt("A01", **_at(0, 1)),
            adt("A07", patient_class="O", location="Urgencias^102", **_at(1, 2)),
            adt("A08", patient_class="O", location=None, diagnosis="Sepsis", **_at(2, 3)),
            adt("A06", location="Urgencias^103", **_at(3, 4)),
            adt("A03", **_at(4, 5)),
        ],
        ["101", "102", "103"],
    ),
    "an admission has no bed": (
        [
            adt("A01", location=None, diagnosis="Sepsis", **_at(0, 1)),
            adt("A02", location="Urgencias^102", **_at(1, 2)),
            adt("A02", location="Urgencias^103", **_at(2, 3)),
            adt("A08", location=None, name="Paz^Ana María", **_at(3, 4)),
            adt("A03", **_at(4, 5)),
        ],
        ["102", "103"],
    ),
    "an update has no visit": (
        [
            adt("A01", diagnosis="Sepsis", **_at(0, 1)),
            adt("A08", visit=None, name="Paz^Ana María", **_at(1, 2)),
            adt("A31", name="Paz^Anabel", **_at(2, 3)),
            adt("A02", location="Urgencias^102", **_at(3, 4)),
        ],
        ["101", "102"],
    ),
}


@pytest.mark.parametrize("case", VISITS)
def test_any_order_of_changing_admissions(case: str) -> None:
    messages, rooms = VISITS[case]
    sheet, stays, *_, held = _state_in_any_order(a_ward(), messages, _all_orders(len(messages)))
    assert ([room for room, *_ in stays], held) == (rooms, [])
    assert (sheet.admission_date, sheet.diagnosis) == (TODAY, "Sepsis")


def test_the_newest_of_two_opposite_merges_decides_the_number() -> None:
    messages = [
        adt("A01", number=OLD, **_at(0, 1)),
        adt("A28", visit=None, **_at(1, 2)),
        adt("A40", visit=None, prior=OLD, **_at(2, 3)),
        adt("A40", visit=None, number=OLD, prior=NUMBER, **_at(3, 4)),
    ]
    _, _, patient, *_, held = _state_in_any_order(a_ward(), messages, _all_orders(len(messages)))
    assert (patient.record_number, held) == (OLD, [])

"""The simulated billing system: what it books, and what it cuts off."""

from decimal import Decimal

import pytest

from adapters.cli.simulate_commands import behavior_every
from adapters.hl7.acknowledgement import read_acknowledgements
from adapters.simulator.billing_system import Behavior, BillingSystem, Received
from adapters.simulator.charges import balance_of


def a_message(*charges: str, control_id: str = "7.1.1", charset: str = "UNICODE UTF-8") -> bytes:
    lines = [
        f"MSH|^~\\&|CONSUMO||||20910503060000-0600||DFT^P03^DFT_P03|{control_id}|P|2.5.1||||||{charset}",
        "PID|1||HC-1^^^HOSPITAL^MR||Paz^Ana",
        "PV1|1|I|UCI^201||||||||||||||||V-1",
        *charges,
    ]
    return "".join(f"{line}\r" for line in lines).encode()


def a_charge(transaction_id: str, *, kind: str = "CG", total: str = "12.50&USD", quantity: str = "2") -> str:
    return f"FT1|1|{transaction_id}|7.1|20910503|20910503|{kind}|G-1^Gasa^L|||{quantity}|{total}|6.25&USD"


def codes(system: BillingSystem, *messages: bytes) -> list[str]:
    return [read_acknowledgements(system.handle(message) or b"MSA|none|")[0].code for message in messages]


def test_each_charge_is_booked_once_by_its_transaction_id() -> None:
    system = BillingSystem()
    message = a_message(a_charge("1"), a_charge("2R", kind="CD", total="2.50&USD"))
    assert codes(system, message, message) == ["AA", "AA"]
    charges = system.balances()["V-1"]
    assert [(one.transaction_id, one.code, one.record) for one in charges] == [
        ("1", "G-1", "HC-1"),
        ("2R", "G-1", "HC-1"),
    ]
    assert balance_of(charges) == Decimal("10.00")


def test_another_charge_with_a_known_id_is_reported() -> None:
    reports: list[Received] = []
    system = BillingSystem(report=reports.append)
    codes(system, a_message(a_charge("1")), a_message(a_charge("1", total="99.00&USD")))
    assert [one.total for one in reports[1].contradicting] == [Decimal("99.00")]
    assert balance_of(system.booked.values()) == Decimal("12.50")


def test_every_nth_message_is_refused_or_not_answered() -> None:
    behave = behavior_every(2, 3)
    assert [behave(earlier) for earlier in range(6)] == [
        Behavior.ACCEPTS,
        Behavior.REFUSES,
        Behavior.BOOKS_SILENTLY,
        Behavior.REFUSES,
        Behavior.ACCEPTS,
        Behavior.REFUSES,
    ]
    assert {behavior_every(None, None)(earlier) for earlier in range(6)} == {Behavior.ACCEPTS}


def test_a_message_is_booked_without_answer_but_not_if_refused() -> None:
    system = BillingSystem(behavior_every(2, 3))
    messages = [a_message(a_charge(str(number))) for number in range(3)]
    assert codes(system, *messages) == ["AA", "AR", "none"]
    assert list(system.booked) == ["0", "2"]


def test_fields_are_cut_at_their_standard_lengths() -> None:
    reports: list[Received] = []
    system = BillingSystem(cuts_fields=True, report=reports.append)
    codes(system, a_message(a_charge("1234567-123456-1"), a_charge("1234567-123459-1", total="1234567890.50&USD")))
    assert [(one.place, one.length, one.kept) for one in reports[0].cut] == [
        ("FT1-2", 12, "1234567-1234"),
        ("FT1-2", 12, "1234567-1234"),
        ("FT1-11", 12, "1234567890.5"),
    ]
    # Two charges became one id: the second one is not booked.
    assert [one.total for one in reports[0].contradicting] == [Decimal("1234567890.5")]


def test_fields_within_their_lengths_are_not_cut() -> None:
    reports: list[Received] = []
    BillingSystem(cuts_fields=True, report=reports.append).handle(a_message(a_charge("1")))
    assert reports[0].cut == ()


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (b"GET / HTTP/1.1\r\n", "MSH: "),
        (a_message(a_charge("")), "FT1-2: "),
        (a_message(a_charge("1", kind="PY")), "FT1-6: “PY”"),
        (a_message(a_charge("1", quantity="two")), "FT1-10: “two”"),
        (a_message(a_charge("1", total="-1.00&USD")), "FT1-11: “-1.00”"),
        (a_message(a_charge("1", total="NaN")), "FT1-11: “NaN”"),
        (a_message().replace(b"Ana", b"\xed"), "MSH-18: "),
    ],
)
def test_a_message_that_cannot_be_booked_is_refused(message: bytes, problem: str) -> None:
    system = BillingSystem()
    [refused] = read_acknowledgements(system.handle(message) or b"")
    assert refused.code == "AR"
    assert refused.problem.startswith(problem)
    assert system.booked == {}

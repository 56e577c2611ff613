"""Quick runs of the scenarios of `make faults`; longer with `make walk`."""

from collections.abc import Callable

import pytest

from tools.faults.charges import kill_the_sender
from tools.faults.concurrent_edits import edit_one_line
from tools.faults.cut_connections import cut_the_connection
from tools.faults.kills import kill_the_server
from tools.faults.outbox import lose_the_network
from tools.faults.scenario import POSTGRESQL, SQLITE, Outcome, ScenarioRun
from tools.faults.several_hospitals import kill_and_migrate

KINDS = [SQLITE, pytest.param(POSTGRESQL, marks=[pytest.mark.postgresql, pytest.mark.walk])]


def run(scenario: Callable[[ScenarioRun], Outcome], kind: str, rounds: int, mutant: str | None = None) -> Outcome:
    return scenario(ScenarioRun(kind=kind, rounds=rounds, seed=1, seconds=60, mutant=mutant))


@pytest.mark.walk
@pytest.mark.parametrize("kind", KINDS)
def test_a_server_killed_during_writes_loses_nothing(kind: str) -> None:
    outcome = run(kill_the_server, kind, rounds=3)
    assert outcome.findings == []
    assert outcome.injected == 3
    assert outcome.acknowledged > 0


def test_a_request_repeated_after_a_disconnect_is_done_once() -> None:
    outcome = run(cut_the_connection, SQLITE, rounds=1)
    assert outcome.findings == []
    assert outcome.injected >= 100


@pytest.mark.walk
@pytest.mark.postgresql
def test_four_hospitals_keep_their_lines_apart() -> None:
    outcome = run(kill_and_migrate, POSTGRESQL, rounds=2)
    assert outcome.findings == []
    assert outcome.injected == 3
    assert outcome.acknowledged > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_sender_neither_loses_nor_duplicates_messages(kind: str) -> None:
    outcome = run(kill_the_sender, kind, rounds=5)
    assert outcome.findings == []
    assert outcome.injected == 5
    assert outcome.acknowledged == 20


@pytest.mark.walk
def test_a_planted_defect_is_found() -> None:
    assert run(edit_one_line, SQLITE, rounds=5).findings == []
    assert run(edit_one_line, SQLITE, rounds=5, mutant="no-look-at-the-version").findings


@pytest.mark.walk
@pytest.mark.browser
def test_unsent_lines_arrive_once_in_order_despite_lost_answers() -> None:
    outcome = run(lose_the_network, SQLITE, rounds=10)
    assert outcome.findings == []
    assert outcome.acknowledged == 500
    assert outcome.injected > 100

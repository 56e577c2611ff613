"""Metrics of several processes, collected by any of them."""

import os
import socket
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from adapters.observability.logs import AnsweredRequest
from adapters.observability.metrics import MessageMetrics, Metrics, ProcessMetrics, Workers, text_of_all
from domain.interop.outbound_message import OutboundState

ANSWERED = AnsweredRequest("GET", "/api/areas", 200, 0.02, 7, "abcdefgh")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Folder of the sockets, with a short path: socket names are limited."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def requests_by_worker(text: bytes) -> dict[str, float]:
    families = list(text_string_to_metric_families(text.decode()))
    names = [family.name for family in families]
    # Prometheus requires all samples of a metric to be in one group.
    assert len(set(names)) == len(names)
    return {
        sample.labels["worker"]: sample.value
        for family in families
        for sample in family.samples
        if sample.name == "consumo_requests_total"
    }


def test_one_process_reports_its_own_metrics() -> None:
    metrics = Metrics()
    for _ in range(3):
        metrics.count_request(ANSWERED)
    assert requests_by_worker(Workers(metrics.text, None).text()) == {str(os.getpid()): 3}


def test_each_process_reports_the_metrics_of_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = []
    for pid, requests in ((101, 1), (102, 2), (103, 5)):
        metrics = Metrics()
        for _ in range(requests):
            metrics.count_request(ANSWERED)
        monkeypatch.setattr(os, "getpid", lambda pid=pid: pid)
        workers.append(Workers(metrics.text, folder))
        workers[-1].join()
    for worker in workers:
        assert requests_by_worker(worker.text()) == {"101": 1, "102": 2, "103": 5}


def test_each_hospital_of_a_process_has_its_own_metrics() -> None:
    hospitals = {name: Metrics() for name in ("norte", "sur")}
    hospitals["norte"].count_request(ANSWERED)
    hospitals["sur"].count_event("detail.added")
    text = Workers(partial(text_of_all, ProcessMetrics(), hospitals), None).text().decode()
    families = list(text_string_to_metric_families(text))
    assert len({family.name for family in families}) == len(families)
    found = [sample.labels for family in families for sample in family.samples]
    named = {labels.get("hospital") for labels in found}
    assert named == {None, "norte", "sur"}
    requests = [labels for labels in found if "status" in labels]
    assert {labels["hospital"] for labels in requests} == {"norte"}
    assert {labels["worker"] for labels in found} == {str(os.getpid())}


def test_dead_and_silent_processes_delay_no_metrics(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(folder / "104"))
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(folder / "105"))
        silent.listen()
        metrics = Metrics()
        metrics.count_request(ANSWERED)
        own = Workers(metrics.text, folder)
        own.join()
        assert requests_by_worker(own.text()) == {str(os.getpid()): 1}
    assert not (folder / "104").exists()


def test_connections_in_use_are_measured_when_collected() -> None:
    in_use = 0
    metrics = Metrics()
    metrics.watch_pool("reading", 8, lambda: in_use)
    assert b'consumo_database_connections_in_use{pool="reading"} 0.0' in metrics.text()
    in_use = 3
    assert b'consumo_database_connections_in_use{pool="reading"} 3.0' in metrics.text()
    assert b'consumo_database_connections_most{pool="reading"} 8.0' in metrics.text()


def test_outbound_messages_are_counted_when_collected() -> None:
    unfinished: dict[OutboundState, tuple[int, datetime]] | None = {}
    metrics = Metrics()
    metrics.watch_messages(lambda: unfinished)
    assert b'consumo_outbound_messages{state="dead"} 0.0' in metrics.text()
    unfinished = {OutboundState.WAITING: (3, datetime.now(UTC) - timedelta(hours=1))}
    assert b'consumo_outbound_messages{state="waiting"} 3.0' in metrics.text()
    assert b'consumo_outbound_messages_oldest_seconds{state="waiting"} 36' in metrics.text()
    assert b'consumo_outbound_messages_oldest_seconds{state="dead"} 0.0' in metrics.text()
    # A value that is unavailable is omitted, without affecting the others.
    unfinished = None
    assert b"consumo_outbound_messages{" not in metrics.text()
    assert b"consumo_requests" in metrics.text()


def test_held_messages_are_counted_when_collected() -> None:
    held: int | None = 2
    metrics = Metrics()
    metrics.watch_held_messages(lambda: held)
    assert b"consumo_inbound_messages_held 2.0" in metrics.text()
    held = None
    assert b"consumo_inbound_messages_held " not in metrics.text()


@pytest.mark.parametrize(("hospital", "labels"), [("", {}), ("norte", {"hospital": "norte"})])
def test_received_messages_have_the_hospital_s_label(hospital: str, labels: dict[str, str]) -> None:
    metrics = MessageMetrics(hospital)
    metrics.count_message("A01", "applied")
    metrics.count_refused("version")
    samples = {
        sample.name: sample.labels
        for family in text_string_to_metric_families(generate_latest(metrics.registry).decode())
        for sample in family.samples
    }
    assert samples["consumo_hl7_messages_total"] == labels | {"kind": "A01", "state": "applied"}
    assert samples["consumo_hl7_refused_messages_total"] == labels | {"reason": "version"}

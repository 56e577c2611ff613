"""The alert rules and the dashboard, against the metrics that exist."""

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.observability.logs import AnsweredRequest
from adapters.observability.metrics import Metrics, ProcessMetrics, text_of_all
from domain.interop.outbound_message import OutboundState
from tools.faults.__main__ import SCENARIOS
from tools.faults.alerts import can_judge, fired_on
from tools.monitoring.alerts import ALERTS
from tools.monitoring.files import RULES, dashboard, generated_files, rule_tests

# Of Prometheus itself, and of the process.
OTHERS = {"up", "process_resident_memory_bytes"}


def expressions() -> list[str]:
    panels = [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]
    return [alert.expression for alert in ALERTS] + panels


@pytest.fixture
def exported() -> set[str]:
    """Return the names of all exported samples."""
    process, metrics = ProcessMetrics(), Metrics()
    metrics.watch_pool("main", 8, lambda: 1)
    process.watch_connections(100, lambda: 1)
    metrics.watch_held_messages(lambda: 1)
    metrics.watch_messages(lambda: {OutboundState.WAITING: (1, datetime.now(UTC))})
    metrics.count_event("detail.added")
    metrics.count_request(AnsweredRequest("GET", "/", 200, 0.1, None, "1"))
    return set(re.findall(r"^([a-z_]+)[{ ]", text_of_all(process, {"": metrics}).decode(), re.MULTILINE))


def test_the_generated_files_are_current() -> None:
    assert {path.name: path.read_text() == text for path, text in generated_files().items()} == {
        path.name: True for path in generated_files()
    }, "run make monitoring"


def test_every_metric_of_the_rules_and_the_dashboard_exists(exported: set[str]) -> None:
    named = {name for one in expressions() for name in re.findall(r"\b(?:consumo|process)_[a-z_]+|\bup\b", one)}
    assert len(named) > 8
    assert named <= exported | OTHERS


def test_each_alert_fires_alone_on_its_series(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool, which is in Debian's package prometheus, is not installed")
    subprocess.run([promtool, "check", "rules", RULES], check=True, capture_output=True)
    (tmp_path / "tests.yml").write_text(json.dumps(rule_tests(RULES)))
    checked = subprocess.run([promtool, "test", "rules", tmp_path / "tests.yml"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


needs_promtool = pytest.mark.skipif(not can_judge(), reason="promtool, of Debian's package prometheus, is missing")


def test_every_fault_has_its_alerts_or_a_reason_for_none() -> None:
    known = {alert.name for alert in ALERTS}
    for name, scenario in SCENARIOS.items():
        assert bool(scenario.alerts) is not bool(scenario.quiet), name
        assert set(scenario.alerts) <= known, name


@needs_promtool
@pytest.mark.parametrize(
    ("name", "values", "fired"),
    [
        ('up{job="consumo",instance="a"}', "1" * 20 + "0" * 8 + "1" * 9, {"ConsumoDown"}),
        ('up{job="consumo",instance="a"}', "1" * 20 + "0" * 2 + "1" * 9, set()),
        ('consumo_requests_total{status="507",instance="a"}', " " * 30 + "1" * 9, {"ConsumoDiskFull"}),
        ('consumo_requests_total{status="409",instance="a"}', "123456789", set()),
    ],
)
def test_recorded_samples_fire_what_prometheus_would(name: str, values: str, fired: set[str]) -> None:
    samples = {number: value for number, value in enumerate(values) if value != " "}
    assert fired_on({name: samples}) == fired

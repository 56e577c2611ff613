"""The generated files: alert rules, their test, the dashboard and a table."""

import json
import re
from pathlib import Path
from typing import Any

from tools.monitoring.alerts import ALERTS, Alert

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "docs" / "operations" / "prometheus-rules.yml"
DASHBOARD = ROOT / "docs" / "operations" / "grafana-dashboard.json"
PAGE = ROOT / "docs" / "operations.md"
BEGIN, END = "<!-- alerts: written by make monitoring -->\n", "<!-- end of alerts -->\n"


def generated_files() -> dict[Path, str]:
    """Return the text of each generated file."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    return {
        RULES: _as_yaml(rules()),
        DASHBOARD: json.dumps(dashboard(), indent=2) + "\n",
        PAGE: f"{before}{BEGIN}\n{table()}\n{END}{after}",
    }


def rules() -> dict[str, Any]:
    """Return the alert rules for Prometheus."""
    return {"groups": [{"name": "consumo", "rules": [_rule(alert) for alert in ALERTS]}]}


def rule_tests(rules_file: Path) -> dict[str, Any]:
    """Return one test for each alert, for ``promtool test rules``."""
    return {"rule_files": [str(rules_file)], "evaluation_interval": "1m", "tests": [_test(alert) for alert in ALERTS]}


def table() -> str:
    """Return the table of alerts for the page."""
    rows = [
        f"| {alert.what} | `{alert.expression}`{f' for {alert.lasting}' if alert.lasting else ''} | {alert.advice} |"
        for alert in ALERTS
    ]
    return "\n".join(["| what | alert | what to do |", "|---|---|---|", *rows, ""])


def dashboard() -> dict[str, Any]:
    """Return the dashboard for Grafana, which asks for the data source."""
    panels = [_panel(place, title, unit, targets) for place, (title, unit, targets) in enumerate(_PANELS)]
    return {
        "title": "Consumo",
        "uid": "consumo",
        "schemaVersion": 39,
        "refresh": "1m",
        "time": {"from": "now-24h", "to": "now"},
        "templating": {
            "list": [
                {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
                {
                    "name": "hospital",
                    "label": "Hospital",
                    "type": "query",
                    "datasource": _SOURCE,
                    "query": "label_values(consumo_requests_total, hospital)",
                    "refresh": 2,
                    "includeAll": True,
                    # Also matches a server of one hospital, which has no such label.
                    "allValue": ".*",
                    "current": {"text": "All", "value": "$__all"},
                },
            ]
        },
        "panels": panels,
    }


_SOURCE = {"type": "prometheus", "uid": "${source}"}
# Names of what is counted for each hospital, with their labels.
_BY_HOSPITAL = re.compile(r"(consumo_(?!connections)[a-z_]+)(?:\{(.*?)\})?")
_PANELS = (
    ("Lines recorded in an hour", "short", {"lines": 'sum(increase(consumo_events_total{event="detail.added"}[1h]))'}),
    ("Requests by status", "reqps", {"{{status}}": "sum by (status) (rate(consumo_requests_total[5m]))"}),
    (
        "Duration of requests",
        "s",
        {
            "half": "histogram_quantile(0.5, sum by (le) (rate(consumo_request_seconds_bucket[5m])))",
            "95 of 100": "histogram_quantile(0.95, sum by (le) (rate(consumo_request_seconds_bucket[5m])))",
        },
    ),
    (
        "Slowest routes",
        "s",
        {
            "{{method}} {{route}}": (
                "topk(8, histogram_quantile(0.95, sum by (le, method, route) "
                "(rate(consumo_request_seconds_bucket[15m]))))"
            )
        },
    ),
    (
        "Database connections in use",
        "percentunit",
        {"{{instance}} {{pool}}": "consumo_database_connections_in_use / consumo_database_connections_most"},
    ),
    ("Open connections", "percentunit", {"{{instance}}": "consumo_connections / consumo_connections_most"}),
    ("Held messages of the hospital's system", "short", {"held": "max(consumo_inbound_messages_held)"}),
    (
        "Messages to billing that are not delivered",
        "short",
        {"{{state}}": "max by (state) (consumo_outbound_messages)"},
    ),
    (
        "Failed sign-ins",
        "short",
        {"failed": 'sum(increase(consumo_events_total{event="session.sign_in_failed"}[5m]))'},
    ),
    ("Memory", "bytes", {"{{instance}} {{worker}}": 'process_resident_memory_bytes{job="consumo"}'}),
)
_COLUMNS, _WIDTH, _HEIGHT = 2, 12, 8


def _panel(place: int, title: str, unit: str, targets: dict[str, str]) -> dict[str, Any]:
    row, column = divmod(place, _COLUMNS)
    return {
        "id": place + 1,
        "type": "timeseries",
        "title": title,
        "datasource": _SOURCE,
        "gridPos": {"x": column * _WIDTH, "y": row * _HEIGHT, "w": _WIDTH, "h": _HEIGHT},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "targets": [
            {
                "refId": chr(ord("A") + number),
                "datasource": _SOURCE,
                "expr": _select_hospital(expression),
                "legendFormat": legend,
            }
            for number, (legend, expression) in enumerate(targets.items())
        ],
    }


def _select_hospital(expression: str) -> str:
    """Limit an expression to the hospitals that are selected."""

    def select(found: re.Match[str]) -> str:
        labels = ",".join(filter(None, ['hospital=~"$hospital"', found[2]]))
        return f"{found[1]}{{{labels}}}"

    return _BY_HOSPITAL.sub(select, expression)


def _rule(alert: Alert) -> dict[str, Any]:
    return {
        "alert": alert.name,
        "expr": alert.expression,
        **({"for": alert.lasting} if alert.lasting else {}),
        "labels": {"severity": alert.severity},
        "annotations": {"summary": f"Consumo: {alert.what}", "description": alert.advice},
    }


def _test(alert: Alert) -> dict[str, Any]:
    firing = 'ALERTS{alertstate="firing"}'
    return {
        "name": alert.name,
        "interval": "1m",
        "input_series": [{"series": series, "values": values} for series, values in alert.fires_on.items()],
        "promql_expr_test": [
            {
                "expr": f"count by (alertname) ({firing})",
                "eval_time": "10h" if "hour()" in alert.expression else "18m",
                "exp_samples": [{"labels": f'{{alertname="{alert.name}"}}', "value": 1}],
            }
        ],
    }


def _as_yaml(rules: dict[str, Any]) -> str:
    """Write the rules as YAML, whose strings are JSON strings."""
    lines = ["# Written by make monitoring. docs/operations.md says what to do at each alert.", "groups:"]
    for group in rules["groups"]:
        lines += [f"  - name: {group['name']}", "    rules:"]
        for rule in group["rules"]:
            lines.append("")
            for place, (name, value) in enumerate(rule.items()):
                lead = "      - " if place == 0 else "        "
                if isinstance(value, dict):
                    lines.append(f"{lead}{name}:")
                    lines += [f"          {key}: {json.dumps(text)}" for key, text in value.items()]
                else:
                    lines.append(f"{lead}{name}: {json.dumps(value)}")
    return "\n".join(lines) + "\n"

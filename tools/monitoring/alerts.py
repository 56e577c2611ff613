"""The alerts, in one table: rules for Prometheus, and a table in the docs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An alert rule, and what to do when it fires.

    ``lasting`` is how long the expression must hold; empty for at once. It fires on the series ``fires_on``, with one
    value a minute in the notation of ``promtool test rules``.
    """

    name: str
    what: str
    expression: str
    lasting: str = ""
    severity: str = "warning"
    advice: str
    fires_on: dict[str, str]


def _new_errors(status: int) -> str:
    """Return an expression for errors in the last five minutes.

    The first error creates its series, of which ``increase`` sees nothing.
    """
    errors = f'consumo_requests_total{{status="{status}"}}'
    return (
        f"sum by (hospital) (increase({errors}[5m])) > 0 or sum by (hospital) ({errors} unless {errors} offset 5m) > 0"
    )


ALERTS = (
    Alert(
        name="ConsumoDown",
        what="a host is down",
        expression='up{job="consumo"} == 0',
        lasting="1m",
        severity="critical",
        advice="Look at the service's log on that host. The balancer sends requests to the others.",
        fires_on={'up{job="consumo",instance="10.0.0.11:8000"}': "0+0x30"},
    ),
    Alert(
        name="ConsumoServerError",
        what="the server fails",
        expression=_new_errors(500),
        severity="critical",
        advice="This is a defect. The log has the request's id and the error: report it.",
        fires_on={'consumo_requests_total{status="500",instance="a"}': "_x15 1+0x20"},
    ),
    Alert(
        name="ConsumoDatabaseUnavailable",
        what="the database is slow, busy or down",
        expression='sum by (hospital) (rate(consumo_requests_total{status="503"}[1m])) > 0',
        lasting="2m",
        severity="critical",
        advice="Look at the database. Devices keep their lines and send them later.",
        fires_on={'consumo_requests_total{status="503",instance="a"}': "0+60x30"},
    ),
    Alert(
        name="ConsumoDiskFull",
        what="the database's disk is full",
        expression=_new_errors(507),
        severity="critical",
        advice="Free space on the database's disk now. Nothing can be recorded meanwhile.",
        fires_on={'consumo_requests_total{status="507",instance="a"}': "_x15 1+0x20"},
    ),
    Alert(
        name="ConsumoSlow",
        what="it gets slow",
        expression="histogram_quantile(0.95, sum by (hospital, le) (rate(consumo_request_seconds_bucket[5m]))) > 1",
        lasting="10m",
        advice="Compare the dashboard's request rate and database connections with yesterday's.",
        fires_on={
            'consumo_request_seconds_bucket{le="1",instance="a"}': "0+1x30",
            'consumo_request_seconds_bucket{le="5",instance="a"}': "0+10x30",
            'consumo_request_seconds_bucket{le="+Inf",instance="a"}': "0+10x30",
        },
    ),
    Alert(
        name="ConsumoConnections",
        what="connections run out (Linux only)",
        expression="consumo_connections / consumo_connections_most > 0.8",
        lasting="5m",
        advice="Raise the limit of open files of the service, or look for a program that keeps connections.",
        fires_on={
            'consumo_connections{instance="a"}': "90+0x30",
            'consumo_connections_most{instance="a"}': "100+0x30",
        },
    ),
    Alert(
        name="ConsumoDatabaseConnections",
        what="database connections run out",
        expression="consumo_database_connections_in_use / consumo_database_connections_most > 0.9",
        lasting="5m",
        advice="Look for slow statements in the database, then raise CONSUMO_POOL_SIZE or CONSUMO_WORKERS.",
        fires_on={
            'consumo_database_connections_in_use{instance="a",pool="main"}': "8+0x30",
            'consumo_database_connections_most{instance="a",pool="main"}': "8+0x30",
        },
    ),
    Alert(
        name="ConsumoMessagesHeld",
        what="messages of the hospital's system are held",
        expression="max by (hospital) (consumo_inbound_messages_held) > 0",
        lasting="10m",
        advice="Decide them in *Mensajes*.",
        fires_on={'consumo_inbound_messages_held{instance="a"}': "3+0x30"},
    ),
    Alert(
        name="ConsumoBillingRefused",
        what="billing refused a message",
        expression='max by (hospital) (consumo_outbound_messages{state="dead"}) > 0',
        advice="An administrator looks at *Mensajes a facturación*.",
        fires_on={'consumo_outbound_messages{state="dead",instance="a"}': "1+0x30"},
    ),
    Alert(
        name="ConsumoBillingUnreachable",
        what="billing cannot be reached",
        expression='max by (hospital) (consumo_outbound_messages_oldest_seconds{state="waiting"}) > 900',
        advice="Look at the log of `consumo send` and at the billing system. The messages wait and are sent in order.",
        fires_on={'consumo_outbound_messages_oldest_seconds{state="waiting",instance="a"}': "0+60x30"},
    ),
    Alert(
        name="ConsumoPasswordGuessing",
        what="passwords are guessed",
        expression=(
            'sum by (hospital) (rate(consumo_events_total{event="session.sign_in_failed"}[5m])) > 1'
            ' or sum by (hospital) (rate(consumo_requests_total{route="/api/auth/login",status="429"}[5m])) > 1'
        ),
        advice="The audit log has the addresses. Attempts are limited by account and by address.",
        fires_on={'consumo_events_total{event="session.sign_in_failed",instance="a"}': "0+120x30"},
    ),
    Alert(
        name="ConsumoNothingRecorded",
        what="nothing was recorded for two hours of the day",
        expression=(
            'sum by (hospital) (increase(consumo_events_total{event="detail.added"}[2h])) == 0'
            " and on() (hour() >= 9) and on() (hour() < 20)"
        ),
        lasting="5m",
        advice="Ask a ward whether recording works. The hours are UTC: change them to the hospital's.",
        fires_on={'consumo_events_total{event="detail.added",instance="a"}': "100+0x800"},
    ),
)

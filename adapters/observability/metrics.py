"""Metrics in Prometheus' text format.

Each process counts in its own memory. The process that is scraped collects the metrics of the others through sockets in
a shared folder, and adds a ``worker`` label: a sum over ``worker`` is the value of the host. A server of several
hospitals adds a ``hospital`` label to what is counted for each, and so does a process that receives messages for one.
"""

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from adapters.observability.logs import AnsweredRequest
from domain.interop.outbound_message import OutboundState

log = logging.getLogger("consumo.figures")

Unfinished = Callable[[], Mapping[OutboundState, tuple[int, datetime]] | None]

# No creation timestamps: the start time of the process says the same.
disable_created_metrics()  # type: ignore[no-untyped-call]

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

# A process that does not answer within this time is left out.
_TIMEOUT_SECONDS = 1


class ProcessMetrics:
    """The metrics of this process, independent of its hospitals."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)

    def watch_connections(self, most: int, count: Callable[[], int]) -> None:
        """Export the open client connections, read at each scrape."""
        in_use = Gauge("consumo_connections", "Open connections of people and programs", registry=self._registry)
        in_use.set_function(count)
        Gauge("consumo_connections_most", "Connections that may be open", registry=self._registry).set(most)

    def text(self) -> bytes:
        """Return the metrics."""
        return generate_latest(self._registry)


class Metrics:
    """The metrics of a hospital in this process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "consumo_requests", "Requests answered", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "consumo_request_seconds",
            "How long requests took, the last byte included",
            ["method", "route"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._events = Counter(
            "consumo_events",
            "What was done and kept, by its name in the audit log",
            ["event"],
            registry=self._registry,
        )
        self._connections = Gauge(
            "consumo_database_connections_in_use", "Connections in use", ["pool"], registry=self._registry
        )
        self._most_connections = Gauge(
            "consumo_database_connections_most", "Connections that may be in use", ["pool"], registry=self._registry
        )
        self._request_families: dict[tuple[str, str, int], Callable[[float], None]] = {}

    def count_request(self, answered: AnsweredRequest) -> None:
        asked = (answered.method, answered.route, answered.status)
        count = self._request_families.get(asked) or self._new(*asked)
        count(answered.seconds)

    def count_event(self, event: str) -> None:
        self._events.labels(event).inc()

    def watch_pool(self, name: str, size: int, in_use: Callable[[], int]) -> None:
        """Export the connections in use of a pool, read at each scrape."""
        self._most_connections.labels(name).set(size)
        self._connections.labels(name).set_function(in_use)

    def watch_messages(self, unfinished: Unfinished) -> None:
        """Export the waiting and dead messages to billing, read at each scrape."""
        self._registry.register(_Messages(unfinished))

    def watch_held_messages(self, held: Callable[[], int | None]) -> None:
        """Export the held inbound messages, read at each scrape."""
        self._registry.register(_HeldMessages(held))

    def text(self) -> bytes:
        """Return the metrics."""
        return generate_latest(self._registry)

    def _new(self, method: str, route: str, status: int) -> Callable[[float], None]:
        requests = self._requests.labels(method, route, str(status))
        observe = self._seconds.labels(method, route).observe

        def count(seconds: float) -> None:
            requests.inc()
            observe(seconds)

        self._request_families[method, route, status] = count
        return count


class _Messages(Collector):
    """Messages in the database. All processes export the same: don't sum up."""

    def __init__(self, unfinished: Unfinished) -> None:
        self._unfinished = unfinished

    def describe(self) -> list[Metric]:
        """Return the metric families without querying at registration."""
        return self._families({})

    def collect(self) -> list[Metric]:
        """Return the current values; none if the database is unavailable."""
        found = self._unfinished()
        return [] if found is None else self._families(found)

    def _families(self, found: Mapping[OutboundState, tuple[int, datetime]]) -> list[Metric]:
        many = GaugeMetricFamily(
            "consumo_outbound_messages", "Messages to billing that are not delivered", labels=["state"]
        )
        oldest = GaugeMetricFamily(
            "consumo_outbound_messages_oldest_seconds", "How long ago the oldest of them was written", labels=["state"]
        )
        for state in (OutboundState.WAITING, OutboundState.DEAD):
            count, since = found.get(state, (0, None))
            many.add_metric([state], count)
            oldest.add_metric([state], (datetime.now(UTC) - since).total_seconds() if since else 0)
        return [many, oldest]


class _HeldMessages(Collector):
    """Held messages in the database. All processes export the same value."""

    def __init__(self, held: Callable[[], int | None]) -> None:
        self._held = held

    def describe(self) -> list[Metric]:
        """Return the metric family without querying at registration."""
        return [self._family()]

    def collect(self) -> list[Metric]:
        """Return the current value; none if the database is unavailable."""
        found = self._held()
        if found is None:
            return []
        family = self._family()
        family.add_metric([], found)
        return [family]

    def _family(self) -> GaugeMetricFamily:
        return GaugeMetricFamily("consumo_inbound_messages_held", "Received messages that wait for a decision")


class MessageMetrics:
    """The metrics of a process that receives messages.

    With a ``hospital``, what is counted has a label with its name.
    """

    def __init__(self, hospital: str = "") -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._own_labels = {"hospital": hospital} if hospital else {}
        self._messages = Counter(
            "consumo_hl7_messages",
            "Messages that were kept, by their event and what became of them",
            [*self._own_labels, "kind", "state"],
            registry=self.registry,
        )
        self._refused = Counter(
            "consumo_hl7_refused_messages",
            "Messages that were not kept, by reason",
            [*self._own_labels, "reason"],
            registry=self.registry,
        )

    def count_refused(self, reason: str) -> None:
        """Count a message that was not stored."""
        self._refused.labels(**self._own_labels, reason=reason).inc()

    def count_message(self, kind: str, state: str) -> None:
        """Count a stored message."""
        self._messages.labels(**self._own_labels, kind=kind, state=state).inc()


def text_of_all(process: ProcessMetrics, hospitals: Mapping[str, Metrics]) -> bytes:
    """Return the metrics of a process and of its hospitals by name.

    A hospital without a name is the only one, and has no label.
    """
    texts = {name: metrics.text() for name, metrics in hospitals.items()}
    return process.text() + (texts[""] if "" in texts else _merge("hospital", texts))


class Workers:
    """The worker processes. Any of them can export the metrics of all."""

    def __init__(self, own: Callable[[], bytes], folder: Path | None) -> None:
        self._own = own
        self._folder = folder
        self._name = str(os.getpid())

    def join(self) -> None:
        """Serve this process's metrics to the other workers while it lives."""
        if self._folder is None:
            return
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self._folder / self._name))
        listening.listen()
        threading.Thread(target=self._serve_forever, args=[listening], name="metrics", daemon=True).start()

    def text(self) -> bytes:
        """Return the metrics of all processes with their ``worker`` label."""
        return _merge("worker", {self._name: self._own(), **dict(self._others())})

    def _others(self) -> Iterator[tuple[str, bytes]]:
        for path in sorted(self._folder.iterdir()) if self._folder else ():
            if path.name == self._name:
                continue
            try:
                yield path.name, _ask(path)
            except ConnectionRefusedError:
                # The process has ended.
                path.unlink(missing_ok=True)
            except OSError as error:
                log.warning("Process %s does not tell its figures: %s", path.name, type(error).__name__)

    def _serve_forever(self, listening: socket.socket) -> None:
        while True:
            asking, _ = listening.accept()
            with asking, suppress(OSError):
                asking.settimeout(_TIMEOUT_SECONDS)
                asking.sendall(self._own())


def _ask(path: Path) -> bytes:
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_TIMEOUT_SECONDS)
        asking.connect(str(path))
        said = []
        while piece := asking.recv(65_536):
            said.append(piece)
        return b"".join(said)


def _merge(label: str, texts: dict[str, bytes]) -> bytes:
    """Merge the metrics of several sources, grouped by metric name.

    Each gets a label with its source.
    """
    families: dict[str, list[str]] = {}
    for source, text in texts.items():
        mark = f'{label}="{source}"'
        family, new = families.setdefault("", []), False
        for line in text.decode().split("\n"):
            if line.startswith("# HELP "):
                new, family = line not in families, families.setdefault(line, [])
            elif line.startswith("#"):
                if new:
                    family.append(line)
            elif line:
                name, brace, rest = line.partition("{")
                family.append(f"{name}{{{mark},{rest}" if brace else line.replace(" ", f"{{{mark}}} ", 1))
    return "".join("\n".join([head, *lines, ""]) for head, lines in families.items()).encode()

"""The metrics of servers during a fault, against the rules of Prometheus."""

import json
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import httpx

from tools.monitoring.alerts import ALERTS
from tools.monitoring.files import RULES

SAMPLE_SECONDS = 0.25
# A second of a run counts as a minute, because alerts wait for minutes; or as a second.
AS_MINUTES, AS_SECONDS = 60, 1
_RECORDED = {name for alert in ALERTS for name in re.findall(r"consumo_[a-z_]+", alert.expression)}
_SAMPLE = re.compile(r"^(?P<name>[a-z_]+)(?:{(?P<labels>.*)})? (?P<value>\S+)$", re.MULTILINE)

Series = dict[str, dict[int, str]]


class Recording:
    """Samples of the metrics of all servers of a run."""

    def __init__(self) -> None:
        self._series: Series = defaultdict(dict)
        self._begun = time.monotonic()

    @contextmanager
    def of(self, addresses: Sequence[str]) -> Iterator[None]:
        """Record these servers until the block ends."""
        over = threading.Event()
        watching = [threading.Thread(target=self._watch, args=(address, over)) for address in addresses]
        for thread in watching:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in watching:
                thread.join()

    def _watch(self, address: str, over: threading.Event) -> None:
        instance = f'instance="{address.removeprefix("http://")}",job="consumo"'
        with httpx.Client(base_url=address, timeout=2, trust_env=False) as client:
            while not over.wait(SAMPLE_SECONDS):
                now = int((time.monotonic() - self._begun) / SAMPLE_SECONDS)
                try:
                    text = client.get("/metrics").raise_for_status().text
                except httpx.HTTPError:
                    text = ""
                self._series[f"up{{{instance}}}"][now] = str(int(bool(text)))
                for sample in _SAMPLE.finditer(text):
                    if sample["name"] in _RECORDED:
                        labels = ",".join(filter(None, (sample["labels"], instance)))
                        self._series[f"{sample['name']}{{{labels}}}"][now] = sample["value"]

    def fired(self, pace: int) -> set[str]:
        """Return the alerts that fired at any time.

        A second of the run counts as ``pace`` seconds.
        """
        return fired_on(self._series, pace)


RECORDING: ContextVar[Recording | None] = ContextVar("recording", default=None)


@contextmanager
def recorded(recording: Recording | None) -> Iterator[None]:
    """Record all servers that start within the block."""
    token = RECORDING.set(recording)
    try:
        yield
    finally:
        RECORDING.reset(token)


def can_judge() -> bool:
    """Return whether promtool is installed."""
    return shutil.which("promtool") is not None


def fired_on(series: Series, pace: int = AS_MINUTES) -> set[str]:
    """Return the alerts that fire on these samples, which are numbered."""
    interval = int(SAMPLE_SECONDS * pace * 1000)
    end = max((number for samples in series.values() for number in samples), default=0) + 1
    firing = 'group by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1d]))'
    tests = {
        "rule_files": [str(RULES)],
        "evaluation_interval": f"{interval}ms",
        "tests": [
            {
                "interval": f"{interval}ms",
                "input_series": [
                    {"series": name, "values": _notation(samples, end)} for name, samples in series.items()
                ],
                # promtool reports what differs from no alert.
                "promql_expr_test": [{"expr": firing, "eval_time": f"{end * interval}ms"}],
            }
        ],
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tests.yml"
        file.write_text(json.dumps(tests))
        judged = subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True)
    output = judged.stdout + judged.stderr
    fired = set(re.findall(r'alertname="(\w+)"', output))
    if judged.returncode and not fired:
        raise RuntimeError(output)
    return fired


def _notation(samples: dict[int, str], end: int) -> str:
    """Write samples as promtool reads them; a series ends where none follows."""
    values = []
    for number in range(end):
        if number in samples:
            values.append(samples[number])
        else:
            values.append("stale" if number - 1 in samples else "_")
    return " ".join(values)

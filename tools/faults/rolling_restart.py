"""Rolling restart of two hosts behind docs/operations' load balancer."""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tests.servers import ROOT, dying_with_us, stop
from tools.faults.databases import a_database
from tools.faults.kills import reported
from tools.faults.load import wait_for, writers
from tools.faults.patroni import free_port
from tools.faults.scenario import CannotRun, Outcome, ScenarioRun
from tools.faults.servers import Server, furnish, servers

CONFIGURATION = ROOT / "docs" / "operations" / "haproxy.cfg"
# The load balancer checks every second and reacts to the second failure.
DRAIN_SECONDS = 5
KILLED = "killed-instead-of-told-to-end"


def rolling_restart(run: ScenarioRun) -> Outcome:
    """Restart both hosts in turn while writers work; no request may fail."""
    outcome = Outcome()
    settings = {"CONSUMO_DRAIN_SECONDS": str(DRAIN_SECONDS)}
    with ExitStack() as stack:
        url = stack.enter_context(a_database(run))
        ward, token = furnish(url)
        running = stack.enter_context(servers(url, many=2, settings=settings))
        address = stack.enter_context(_load_balancer(running))
        with writers(ward, token, [address], run.chance("writers")) as ledger:
            for _ in run.each_round():
                for server in running:
                    if run.mutant == KILLED:
                        server.kill()
                    else:
                        server.stop()
                    server.start()
                    server.wait()
                    outcome.injected += 1
                    # By now the load balancer has noticed that the server is ready.
                    time.sleep(3)
                    done = ledger.acknowledged
                    if not wait_for(lambda: ledger.acknowledged > done + 20, 60):  # noqa: B023
                        ledger.find("nothing is written though both are there")
        reported(outcome, url, ledger)
        noticed = ledger.cut + ledger.refused + sum(ledger.put_off.values())
        if noticed:
            outcome.findings.append(f"{noticed} requests were not served")
    return outcome


@contextmanager
def _load_balancer(running: Sequence[Server]) -> Iterator[str]:
    """Yield the address of a load balancer for these servers.

    Its settings are those of the operations manual.
    """
    if shutil.which("haproxy") is None:
        raise CannotRun("haproxy is not on this machine (`.ci/need faults` installs it)")
    port = free_port()
    text = CONFIGURATION.read_text().replace(
        "bind :443 ssl crt /etc/ssl/consumo/both.pem alpn h2,http/1.1", f"bind 127.0.0.1:{port}"
    )
    # Only root can change the user.
    for line in ("user haproxy", "group haproxy", "chroot /var/lib/haproxy"):
        text = text.replace(f"    {line}\n", "")
    for number, server in enumerate(running, 11):
        text = text.replace(f"10.0.0.{number}:8000", f"127.0.0.1:{server.port}")
    with tempfile.TemporaryDirectory(prefix="consumo-faults-") as folder:
        configuration = Path(folder) / "haproxy.cfg"
        configuration.write_text(text)
        with (Path(folder) / "log").open("wb") as log:
            balancer = subprocess.Popen(
                [*dying_with_us("TERM"), "haproxy", "-db", "-f", str(configuration)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        address = f"http://127.0.0.1:{port}"
        try:
            if not wait_for(lambda: _is_reachable(address), 30, between=0.1):
                raise RuntimeError((Path(folder) / "log").read_text())
            yield address
        finally:
            stop(balancer, signal.SIGTERM)


def _is_reachable(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health/ready", trust_env=False, timeout=5).is_success
    except httpx.HTTPError:
        return False

"""A fork server: loads Consumo once and starts servers by forking.

A killed server is therefore restarted almost immediately. The process reads one command per line and answers each with
one line:

- ``start LOG {"CONSUMO_…": …}``: start `consumo serve` in its own process group; answers its process id.
- ``send LOG {"CONSUMO_…": …}``: the same for `consumo send`, with shorter intervals and timeouts.
- ``kill PID``: SIGKILL to that server and all its workers; answers "gone".
- ``stop PID``: SIGTERM to it; answers "gone".

With the name of a mutant as argument, all servers have that defect (`tools/faults/mutants.py`).
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from adapters.cli import send_command
from adapters.server.serving import run_server
from adapters.settings.read_settings import read_all_settings
from domain.interop import outbound_message
from tools.faults.mutants import MUTANTS


def main(mutant: str = "") -> None:
    if mutant:
        MUTANTS[mutant]()
    running: set[int] = set()
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command in ("start", "send"):
            log, _, settings = rest.partition(" ")
            pid = os.fork()
            if pid == 0:
                _run(_serve if command == "start" else _send, Path(log), json.loads(settings))
            running.add(pid)
            print(pid, flush=True)
        else:
            pid = int(rest)
            if command == "kill":
                os.killpg(pid, signal.SIGKILL)
            else:
                os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
            running.remove(pid)
            print("gone", flush=True)
    for pid in running:
        os.killpg(pid, signal.SIGKILL)


def _run(work: Callable[[], None], log: Path, settings: dict[str, str]) -> None:
    os.setsid()
    with log.open("ab") as output, Path(os.devnull).open("rb") as nothing:
        for stream, place in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(stream.fileno(), place)
    os.environ.update(settings)
    try:
        work()
    finally:
        os._exit(0)


def _serve() -> None:
    run_server(read_all_settings()[0])


def _send() -> None:
    outbound_message.LEASE = timedelta(seconds=0.3)
    outbound_message.RETRY_DELAYS = (timedelta(seconds=0.05),)
    send_command.POLL_SECONDS = 0.02
    send_command.send_command.main([], standalone_mode=False)


if __name__ == "__main__":
    main(*sys.argv[1:])

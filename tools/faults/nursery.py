"""A process that has loaded Consumo once and starts servers by forking: one that was killed is back in no time.

It reads one command a line, and answers each with one line:

- ``start LOG {"CONSUMO_…": …}``: the server that `consumo serve` runs, in a process group of its own; its process id;
- ``kill PID``: SIGKILL to that server and all of its workers; "gone";
- ``stop PID``: SIGTERM to it; "gone".

Given the name of a plant, all servers have that defect (`tools/faults/plants.py`).
"""

import json
import os
import signal
import sys
from pathlib import Path

from adapters.server.serving import run_server
from adapters.settings import read_settings
from tools.faults.plants import PLANTS


def main(plant: str = "") -> None:
    if plant:
        PLANTS[plant]()
    running: set[int] = set()
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "start":
            log, _, settings = rest.partition(" ")
            pid = os.fork()
            if pid == 0:
                _serve(Path(log), json.loads(settings))
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


def _serve(log: Path, settings: dict[str, str]) -> None:
    os.setsid()
    with log.open("ab") as output, Path(os.devnull).open("rb") as nothing:
        for stream, place in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(stream.fileno(), place)
    os.environ.update(settings)
    try:
        run_server(read_settings())
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""How long a test waits before it gives up, and how fast this machine is.

A test waits for what it wants to see. These limits only end a test that would wait for ever: each is far more than a
machine ten times slower than usual needs. Work that must be little is compared with ``unit``.
"""

import os
import resource
import time

# For processes, connections and threads, in seconds.
PATIENCE = 600
# For a change on a screen, in milliseconds.
PATIENCE_ON_SCREEN = 120_000


def unit() -> float:
    """Return the processor time of five million additions, now, in seconds.

    About 0.15 on a machine of 2025; more if it is slow or busy.
    """
    begun = time.process_time()
    total = 0
    for number in range(5_000_000):
        total += number
    return time.process_time() - begun


def used_by_children() -> float:
    """Return the processor time of all ended child processes, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# Time of the whole of `make test` on one core, in units: on two cores with a unit of 0.145 s it takes 20 to 23 minutes,
# of which four are the client's.
_UNITS_OF_ALL = 17_500


def main() -> None:
    """Print how long `make test` will take here."""
    cores, seconds = len(os.sched_getaffinity(0)), unit()
    minutes = _UNITS_OF_ALL * seconds / cores / 60
    print(f"The tests will take about {minutes:.0f} minutes here ({cores} cores, a unit of {seconds:.2f} s).")
    print("Those of one topic: make test ONLY=restock")


if __name__ == "__main__":
    main()

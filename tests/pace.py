"""How long a test waits before it gives up, and how fast this machine is.

A test waits for what it wants to see. These limits only end a test that would wait for ever: each is far more than a
machine ten times slower than usual needs. Work that must be little is compared with ``unit``.
"""

import resource
import time

# For processes, connections and threads, in seconds.
PATIENCE = 600
# For a change on a screen, in milliseconds.
PATIENCE_ON_SCREEN = 120_000


def unit() -> float:
    """Return the processor time of five million additions, now, in seconds.

    About 0.3 on a machine of 2025; more if it is slow or busy.
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

"""What the processes of one server tell one another by (inter-process communication): a folder of sockets, a signal."""

import signal

# The folder in which the processes of one `consumo serve` meet; it hands its name down to them.
WORKER_SOCKET_DIR = "_CONSUMO_WORKERS_MEET_IN"

# At this signal a process says that it is about to end, and goes on.
DRAIN = signal.SIGUSR1

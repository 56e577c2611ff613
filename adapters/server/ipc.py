"""Inter-process communication of a server: a socket folder and a signal."""

import signal

# Environment variable with the folder where the processes of one `consumo serve` have their sockets; workers inherit
# it.
WORKER_SOCKET_DIR = "_CONSUMO_WORKERS_MEET_IN"

# On this signal a process reports that it is about to end, and continues to serve.
DRAIN = signal.SIGUSR1

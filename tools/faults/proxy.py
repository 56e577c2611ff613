"""A TCP proxy that cuts connections at random, or pauses all traffic."""

import random
import selectors
import socket
import threading
import time
from contextlib import suppress

_METHODS = (b"GET ", b"POST ", b"PUT ", b"DELETE ")


class FaultyProxy:
    """Proxy to a local port that cuts requests or answers halfway at random.

    With ``only``, it cuts only requests that begin with it, and their answers.
    """

    def __init__(
        self,
        port: int,
        chance: random.Random,
        *,
        cut_requests: float = 0,
        cut_answers: float = 0,
        only: bytes = b"",
    ) -> None:
        self._to, self._chance, self._only = port, chance, only
        self._cut_requests, self._cut_answers = cut_requests, cut_answers
        self._lock = threading.Lock()
        self.requests_cut = self.answers_cut = 0
        self._held = threading.Event()
        self._broken = 0
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listening.getsockname()[1])

    def hold(self) -> None:
        """Let nothing through, as a network that is about to fail."""
        self._held.set()

    def break_off(self) -> None:
        """Cut all connections, drop held data, and let new traffic through."""
        self._broken += 1
        self._held.clear()

    def close(self) -> None:
        """Accept no more connections."""
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with (
            client,
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self._to)) as server,
            selectors.DefaultSelector() as waiting,
        ):
            waiting.register(client, selectors.EVENT_READ, server)
            waiting.register(server, selectors.EVENT_READ, client)
            broken, request = self._broken, b""
            while True:
                if self._held.is_set() and broken == self._broken:
                    time.sleep(0.01)
                    continue
                for key, _ in waiting.select(0.1):
                    if self._held.is_set():
                        break
                    said = key.fileobj.recv(65536)  # type: ignore[union-attr]
                    if said.startswith(_METHODS):
                        request = said
                    if not said or (request.startswith(self._only) and self._cuts(said, key.data)):
                        return
                    key.data.sendall(said)
                if broken != self._broken:
                    return

    def _cuts(self, said: bytes, to: socket.socket) -> bool:
        with self._lock:
            answer = said.startswith(b"HTTP/1.1 ")
            if self._chance.random() > (self._cut_answers if answer else self._cut_requests):
                return False
            if answer:
                self.answers_cut += 1
            else:
                self.requests_cut += 1
        if not answer:
            to.sendall(said[: len(said) // 2])
        return True

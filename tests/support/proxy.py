"""A network that fails when it is told to: between a program and its database, on this machine."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class Proxy:
    """Passes on what comes, until it is told to swallow it, to hold it or to cut the line."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.open = True
        """Whether new lines are let through."""
        self.swallows = False
        """Whether what comes is taken and goes nowhere."""
        self.before_request: Callable[[bytes], bool] = lambda data: False
        """Asked of what goes to the database: whether the line is cut before it gets there."""
        self.before_answer: Callable[[bytes], bool] = lambda data: False
        """Asked of what comes back: whether the line is cut before it gets here."""
        self.held: list[Callable[[], None]] = []
        """What was cut off on its way to the database, to be delivered late."""
        self._lines: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                if not self.open:
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self._target))
                self._lines += [here, there]
                threading.Thread(target=self._pass, args=(here, there, True), daemon=True).start()
                threading.Thread(target=self._pass, args=(there, here, False), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, asks: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if self.swallows:
                    continue
                if asks and self.before_request(data):
                    # The database's end stays open: it has not heard yet that anything is wrong.
                    self.held.append(lambda data=data: target.sendall(data))  # type: ignore[misc]
                    source.shutdown(socket.SHUT_RDWR)
                    return
                if not asks and self.before_answer(data):
                    target.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(data)
        if asks:
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """Cut every line there is."""
        for each in self._lines:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listening.close()
        self.cut()
        for each in self._lines:
            each.close()

"""A chat server that does what a test tells it to: answers well, or in every wrong way."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Payload = Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the server sends back."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False
    """Say nothing until the test is over."""
    cuts: bool = False
    """Promise more than is sent, and close."""
    drips: bool = False
    """Send a byte now and then, for ever."""


Answer = Callable[[Payload], Reply]


def says(*texts: str | None, usage: bool = True, **choice: Any) -> Reply:
    """A good completion with these answers."""
    choices = [
        {"index": n, "message": {"role": "assistant", "content": text}, **choice}
        for n, text in enumerate(texts)
    ]
    values: dict[str, Any] = {"object": "chat.completion", "choices": choices}
    if usage:
        values["usage"] = {"prompt_tokens": 20, "completion_tokens": 5 * len(texts)}
    return Reply(json.dumps(values).encode())


def text_of(payload: Payload) -> str:
    """The sentence that is asked for, in the prompt of the template for any model."""
    return str(payload["messages"][1]["content"]).rsplit("\n", 1)[-1]


def most_of(payload: Payload) -> int | None:
    """The characters that the newest turn allows."""
    found = re.search(r"at most (\d+) characters", payload["messages"][-1]["content"])
    return int(found[1]) if found else None


class _QuietServer(ThreadingHTTPServer):
    """A server that says nothing on standard error when a client hangs up first."""

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class FakeServer:
    """Listens on this machine; keeps what it was asked."""

    def __init__(self) -> None:
        self.answer: Answer = lambda _: Reply(status=500)
        self.payloads: list[Payload] = []
        self.headers: list[Mapping[str, str]] = []
        self.over = threading.Event()
        self.most_at_once = self._at_once = 0
        self._lock = threading.Lock()
        self._http = _QuietServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self.model = f"{self.url}#toy"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def texts(self) -> list[str]:
        """The sentences that were asked for, in order."""
        return [text_of(payload) for payload in self.payloads]

    def close(self) -> None:
        """Stop, and let go of whoever hangs."""
        self.over.set()
        self._http.shutdown()
        self._http.server_close()

    def _handler(fake) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - self is the handler's
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                payload = json.loads(data)
                with fake._lock:
                    fake.payloads.append(payload)
                    fake.headers.append({"path": self.path, **dict(self.headers.items())})
                    fake._at_once += 1
                    fake.most_at_once = max(fake.most_at_once, fake._at_once)
                try:
                    self._send(fake.answer(payload))
                except OSError:
                    self.close_connection = True
                finally:
                    with fake._lock:
                        fake._at_once -= 1

            def _send(self, reply: Reply) -> None:
                if reply.hangs:
                    fake.over.wait(30)
                    self.close_connection = True
                    return
                length = len(reply.body) + (100 if reply.cuts or reply.drips else 0)
                self.send_response(reply.status)
                self.send_header("Content-Length", str(length))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)
                while reply.drips and not fake.over.wait(0.05):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                if reply.cuts:
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler


@contextmanager
def fake_server() -> Iterator[FakeServer]:
    """Run a server for a test."""
    server = FakeServer()
    try:
        yield server
    finally:
        server.close()


async def at_once(_: float) -> None:
    """Wait for nothing."""

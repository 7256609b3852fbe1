"""A hub on this machine, which answers as that of Hugging Face does."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import CompletedProcess
from threading import Thread
from typing import Any
from urllib.parse import unquote

import pytest
import torch
from safetensors.torch import load_file

from subfit.hub import convert_weights, download

NAME = "Helsinki-NLP/opus-mt-en-de"
REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class FakeHub:
    """What the hub has, and what was asked of it."""

    address: str = ""
    models: dict[str, dict[str, bytes]] = field(default_factory=dict)
    gated: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    """Files of which the hub gives only a half."""
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)
    """Method, path and range of every request."""

    def add(self, name: str, folder: Path, *, without: tuple[str, ...] = ()) -> None:
        """Put the files of a folder on the hub."""
        self.models[name] = {
            path.name: path.read_bytes()
            for path in folder.iterdir()
            if path.is_file() and path.name not in without
        }


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    """A hub that is empty, and an empty folder to keep models in."""
    fake = FakeHub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    fake.address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    assets = "huggingface_hub.utils._cache_assets.HF_ASSETS_CACHE"
    monkeypatch.setattr(assets, str(tmp_path / "assets"))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", fake.address)
    template = fake.address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", template)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield fake
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def pickled_folder(tiny_marian_folder: Path, tmp_path: Path) -> Path:
    """A Marian model as most of OPUS-MT are published: weights pickled, tied ones repeated."""
    folder = tmp_path / "pickled"
    folder.mkdir()
    for path in tiny_marian_folder.iterdir():
        if path.suffix != ".safetensors":
            (folder / path.name).write_bytes(path.read_bytes())
    weights = load_file(tiny_marian_folder / "model.safetensors")
    shared = weights["model.shared.weight"]
    weights |= {f"model.{side}.embed_tokens.weight": shared for side in ("encoder", "decoder")}
    torch.save(weights, folder / "pytorch_model.bin")
    return folder


@pytest.fixture
def converted_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Convert weights in this process, which has PyTorch already: starting one takes seconds."""

    def run(command: Sequence[str], **_: object) -> CompletedProcess[str]:
        code, told = 0, io.StringIO()
        try:
            with redirect_stderr(told):
                convert_weights.main(*command[-2:])
        except SystemExit as end:
            code = int(end.code or 0)
        return CompletedProcess(command, code, "", told.getvalue())

    monkeypatch.setattr(download.subprocess, "run", run)
    monkeypatch.setattr(convert_weights, "confine", lambda: None)  # it would hold from now on


def _handler(fake: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, *, body: bool) -> None:
            path = unquote(self.path.partition("?")[0])
            fake.asked.append((self.command, path, self.headers.get("Range")))
            if path.startswith("/api/models/"):
                self.tell(path.removeprefix("/api/models/"))
                return
            name, _, rest = path.strip("/").partition("/resolve/")
            data = fake.models.get(name, {}).get(rest.partition("/")[2])
            if data is None:
                self.refuse(404, "EntryNotFound")
                return
            self.give(data, body=body)

        def tell(self, rest: str) -> None:
            name = "/".join(rest.split("/")[:2])
            if name in fake.gated:
                self.refuse(403, "GatedRepo")
            elif name not in fake.models:
                self.refuse(401, "RepoNotFound")
            elif "/tree/" in rest:
                files = fake.models[name].items()
                self.json(
                    [
                        {
                            "type": "file",
                            "path": path,
                            "size": len(data),
                            "oid": hashlib.sha1(data).hexdigest(),
                        }
                        for path, data in files
                    ]
                )
            else:
                siblings = [
                    {"rfilename": path, "size": len(data)}
                    for path, data in fake.models[name].items()
                ]
                self.json(
                    {
                        "id": name,
                        "modelId": name,
                        "sha": REVISION,
                        "siblings": siblings,
                        "cardData": {"license": "cc-by-4.0"},
                        "tags": [],
                        "private": False,
                    }
                )

        def give(self, data: bytes, *, body: bool) -> None:
            first = 0
            if given := self.headers.get("Range"):
                first = int(given.removeprefix("bytes=").partition("-")[0])
            self.send_response(206 if first else 200)
            self.send_header("Content-Length", str(len(data) - first))
            if first:
                self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
            self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
            self.send_header("X-Repo-Commit", REVISION)
            self.send_header("Accept-Ranges", "bytes")
            self.end_headers()
            if body and Path(self.path).name in fake.broken:
                self.wfile.write(data[first : (first + len(data)) // 2])
                self.close_connection = True
            elif body:
                self.wfile.write(data[first:])

        def json(self, document: Any) -> None:
            text = json.dumps(document).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def refuse(self, status: int, code: str) -> None:
            self.send_response(status)
            self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()

    return Handler

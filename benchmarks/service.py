"""A service under load: many clients at once, every answer held against the command's.

    python -m benchmarks.service --model tests/data/tiny FILM... --target de --requests 1000

Starts `subfit serve` on this machine. Each request sends some cues of a film; prints how many
answers are the bytes that `subfit translate` writes for the same cues, how many others and errors
there were, requests a second, and the service's resident memory after each tenth of the requests.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = (sys.executable, "-m", "subfit")


def _form(data: bytes, target: str) -> bytes:
    fields = {"source": "en", "target": target}
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
    parts.append(b'name="file"; filename="film.en.srt"\r\n\r\n' + data)
    head = b"--f\r\nContent-Disposition: form-data; "
    return b"".join(head + part + b"\r\n" for part in parts) + b"--f--\r\n"


def _pieces(films: list[Path], cues: int) -> list[bytes]:
    pieces = []
    for film in films:
        blocks = film.read_text(encoding="utf-8-sig").strip().split("\n\n")
        parts = (blocks[at : at + cues] for at in range(0, len(blocks), cues))
        pieces += [("\n\n".join(part) + "\n").encode() for part in parts]
    return pieces


def _by_command(pieces: list[bytes], target: str, model: tuple[str, ...]) -> list[bytes]:
    """What `subfit translate` makes of each piece."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, piece in enumerate(pieces):
            (folder / f"{number}.en.srt").write_bytes(piece)
        files = [str(folder / f"{number}.en.srt") for number in range(len(pieces))]
        command = [*PROGRAM, "translate", *files, "-t", target, "-q", *model]
        done = subprocess.run(command, check=False)
        assert done.returncode in (0, 3)
        return [(folder / f"{number}.{target}.srt").read_bytes() for number in range(len(pieces))]


def _memory(pid: int) -> int:
    """Resident memory in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("films", type=Path, nargs="+")
    parser.add_argument("--model", help="[default: the one for the languages]")
    parser.add_argument("--target", default="de")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--cues", type=int, default=3, help="cues of a film in a request")
    given = parser.parse_args()
    model = ("--model", given.model) if given.model else ()
    pieces = _pieces(given.films, given.cues)
    expected = _by_command(pieces, given.target, model)
    counts: Counter[str] = Counter()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    service = subprocess.Popen([*PROGRAM, "serve", "--port", str(port), *model])

    def ask(number: int) -> None:
        which = number % len(pieces)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/translate_file?answer=file",
            _form(pieces[which], given.target),
            {"Content-Type": "multipart/form-data; boundary=f"},
        )
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                counts["as the command" if answer.read() == expected[which] else "another"] += 1
        except OSError as error:
            counts[f"error {error}"] += 1

    def is_up() -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=600).close()
        except OSError:
            return False
        return True

    try:
        while not is_up():
            time.sleep(0.2)
        for number in range(8):
            ask(number)
        counts.clear()
        memory, start, tenth = [_memory(service.pid)], time.monotonic(), given.requests // 10
        with ThreadPoolExecutor(given.clients) as clients:
            for number, _ in enumerate(clients.map(ask, range(given.requests)), 1):
                if number % tenth == 0:
                    memory.append(_memory(service.pid))
                    print(number, dict(counts), f"{memory[-1]} MB", flush=True)
        seconds = time.monotonic() - start
    finally:
        service.terminate()
        service.wait()
    print(f"{len(pieces)} different files, {given.cues} cues each, {os.cpu_count()} cores")
    print(f"{dict(counts)}; {given.requests / seconds:.1f} requests a second")
    print(f"memory of the service, MB: {memory[0]} before, then {memory[1:]}")


if __name__ == "__main__":
    main()

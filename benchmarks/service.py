"""A service under load: many clients at once, every answer held against the command's.

    python -m benchmarks.service http://127.0.0.1:5000 FILM... --target de --requests 1000

Each request sends a film, or some of its cues. Prints how many answers differ from the first answer
for the same file, errors, requests a second, and the service's memory before and after, where it
runs on this machine (``--pid``).
"""

from __future__ import annotations

import argparse
import time
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def _form(data: bytes, target: str) -> bytes:
    fields = f'name="source"\r\n\r\nen|name="target"\r\n\r\n{target}|'.split("|")[:2]
    parts = [f"Content-Disposition: form-data; {field}".encode() for field in fields]
    head = b'Content-Disposition: form-data; name="file"; filename="film.en.srt"\r\n\r\n'
    return b"".join(b"--f\r\n" + part + b"\r\n" for part in (*parts, head + data)) + b"--f--\r\n"


def _memory(pid: int | None) -> int:
    """Resident memory in MB."""
    if pid is None:
        return 0
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address")
    parser.add_argument("films", type=Path, nargs="+")
    parser.add_argument("--target", default="de")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--cues", type=int, default=3, help="cues of a film in a request")
    parser.add_argument("--pid", type=int)
    given = parser.parse_args()
    pieces = []
    for film in given.films:
        cues = film.read_text(encoding="utf-8-sig").strip().split("\n\n")
        pieces += [
            "\n\n".join(cues[at : at + given.cues]).encode() + b"\n"
            for at in range(0, len(cues), given.cues)
        ]
    first: dict[int, bytes] = {}
    counts: Counter[str] = Counter()

    def ask(number: int) -> None:
        which = number % len(pieces)
        request = urllib.request.Request(
            f"{given.address}/translate_file?answer=file",
            _form(pieces[which], given.target),
            {"Content-Type": "multipart/form-data; boundary=f"},
        )
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                data = answer.read()
        except OSError as error:
            counts[f"error {error}"] += 1
            return
        counts["same" if first.setdefault(which, data) == data else "different"] += 1

    for number in range(len(pieces)):
        ask(number)
    before, start = _memory(given.pid), time.monotonic()
    middle = 0
    with ThreadPoolExecutor(given.clients) as clients:
        for number, _ in enumerate(clients.map(ask, range(given.requests))):
            if number == given.requests // 2:
                middle = _memory(given.pid)
    seconds = time.monotonic() - start
    print(f"{len(pieces)} different files; {dict(counts)}")
    print(f"{given.requests / seconds:.1f} requests a second by {given.clients} clients")
    print(f"memory, MB: {before} before, {middle} in the middle, {_memory(given.pid)} after")


if __name__ == "__main__":
    main()

"""``subfit serve`` and ``subfit watch``, called over HTTP as their clients call them."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from subfit.batch.job import Job
from subfit.errors import UsageError
from subfit.service import ServiceSettings, work
from subfit.service.app import create_app
from subfit.service.jobs import Jobs
from subfit.service.watching import SETTLED
from subfit.service.work import RequestOptions, Upload, Worker
from tests.cli.conftest import Cli
from tests.places import ROOT
from tests.tiny import PAIRS

FILM = """\
1
00:00:01,000 --> 00:00:03,000
The keeper left his lamp.

2
00:00:04,000 --> 00:00:06,000
Nobody came back.
"""
KEEPER = "The keeper left his lamp."
FORM = "multipart/form-data; boundary=fence"


class Service:
    """A service on this machine, with a client."""

    def __init__(self, settings: ServiceSettings, job: Job) -> None:
        self.app = create_app(settings, job)
        config = uvicorn.Config(self.app, port=0, log_level="error", lifespan="on")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()

    def call(
        self, path: str, body: bytes | None = None, method: str | None = None, **headers: str
    ) -> tuple[int, bytes]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            body,
            {name.replace("_", "-"): value for name, value in headers.items()},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def post(self, path: str, **values: Any) -> tuple[int, Any]:
        status, body = self.call(path, json.dumps(values).encode(), content_type="application/json")
        return status, json.loads(body)

    def send(self, path: str, data: bytes, name: str = "film.en.srt", **fields: str) -> Any:
        status, body = self.call(path, form_of(data, name, **fields), content_type=FORM)
        return status, body if "answer=file" in path and status == 200 else json.loads(body)


def form_of(data: bytes, name: str, **fields: str) -> bytes:
    """A form with a file, as browsers send it."""
    parts = [
        f'Content-Disposition: form-data; name="{key}"\r\n\r\n{value}'.encode()
        for key, value in ({"source": "en", "target": "de"} | fields).items()
    ]
    parts.append(
        f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode() + data
    )
    return b"".join(b"--fence\r\n" + part + b"\r\n" for part in parts) + b"--fence--\r\n"


@pytest.fixture
def job(tiny_model_folder: Path) -> Job:
    """What all requests have in common: a tiny model."""
    return Job(models=(str(tiny_model_folder),))


Serve = Callable[..., Service]


@pytest.fixture
def serve(job: Job, tmp_path: Path) -> Iterator[Serve]:
    """Start services, and end them after the test."""
    with contextlib.ExitStack() as stack:

        def start(job: Job = job, **settings: Any) -> Service:
            service = Service(ServiceSettings(jobs=tmp_path / "jobs", **settings), job)
            stack.callback(service.close)
            return service

        yield start


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Nothing is translated before this is set."""
    gate, translate_group = threading.Event(), work.translate_group

    def when_open(*arguments: Any) -> Any:
        assert gate.wait(60)
        return translate_group(*arguments)

    monkeypatch.setattr(work, "translate_group", when_open)
    yield gate
    gate.set()


def film(number: int) -> bytes:
    """One of many films, of sentences that the tiny model knows."""
    first, second = (PAIRS[place % len(PAIRS)].source for place in (number, number + 7))
    return FILM.replace(KEEPER, first).replace("Nobody came back.", second).encode()


def test_a_file_is_answered_with_the_bytes_of_the_command(serve, cli, tiny_model_folder):
    Path("film.en.srt").write_bytes(film(7))
    done = cli("translate", "film.en.srt", "-t", "de", "--model", tiny_model_folder)
    assert done.code in (0, 3), done.err
    expected = Path("film.de.srt").read_bytes()
    service = serve()
    assert service.send("/translate_file?answer=file", film(7)) == (200, expected)
    status, told = service.send("/translate_file", film(7))
    assert status == 200
    assert told["translatedFileUrl"].endswith("/film.de.srt")
    path = told["translatedFileUrl"].partition(str(service.port))[2]
    assert service.call(path) == (200, expected)


def test_a_translation_that_is_there_is_made_to_fit_and_checked(serve: Serve) -> None:
    service = serve()
    long = FILM.replace(
        "Nobody came back.", "Na ja, niemand ist jemals wieder hierher gekommen, oder?"
    )
    original = form_of(film(1), "film.en.srt").partition(b"filename")[2].partition(b"\r\n\r\n")[2]
    status, found = service.send("/check", long.encode(), "film.de.srt")
    assert status == 200
    assert {each["cue"] for each in found["findings"]} >= {2}
    parts = form_of(long.encode(), "film.de.srt").removesuffix(b"--fence--\r\n")
    parts += b'--fence\r\nContent-Disposition: form-data; name="source_file"; filename="f.en.srt"'
    parts += b"\r\n\r\n" + original
    guessed = parts.replace(b'name="source"\r\n\r\nen', b'name="source"\r\n\r\nauto')
    for body in (form_of(long.encode(), "film.de.srt"), parts, guessed):
        status, data = service.call("/fit", body, content_type=FORM)
        assert status == 200, data
        assert f"{KEEPER}\n".encode() in data  # fits, and stays as it is


def test_a_translation_is_held_to_the_limits_that_the_service_has(serve: Serve, job: Job) -> None:
    service = serve(replace(job, limits=replace(job.limits, cpl=12)))
    status, found = service.send("/check", FILM.encode(), "film.de.srt")
    assert status == 200
    assert {each["cue"] for each in found["findings"]} == {1, 2}


def test_many_clients_get_each_their_own_answer(serve: Serve) -> None:
    service = serve()

    def ask(number: int) -> bytes:
        status, data = service.send("/translate_file?answer=file", film(number))
        assert status == 200
        return bytes(data)

    one_by_one = [ask(number) for number in range(3)]
    with ThreadPoolExecutor(8) as clients:
        together = list(clients.map(ask, list(range(3)) * 3))
    assert together == one_by_one * 3
    assert json.loads(service.call("/health")[1])["translated"] == 12


def test_a_format_that_is_only_read_comes_back_as_subrip(serve: Serve) -> None:
    service = serve()
    captions = b"0:00:01.000,0:00:03.000\nNobody came back.\n"
    status, told = service.send("/translate_file", captions, "film.en.sbv")
    assert (status, told["translatedFileUrl"].rpartition("/")[2]) == (200, "film.de.srt")
    data = service.call(told["translatedFileUrl"].partition(str(service.port))[2])[1]
    assert data.startswith(b"1\n00:00:01,000 --> 00:00:03,000\n")
    status, data = service.call("/fit", form_of(captions, "film.de.sbv"), content_type=FORM)
    assert status == 200 and data.startswith(b"1\n00:00:01,000 -->")


def test_texts_are_translated_as_libretranslate_does(serve: Serve) -> None:
    service = serve()
    status, one = service.post("/translate", q="Who is there?", source="en", target="de")
    assert status == 200
    assert isinstance(one["translatedText"], str)
    status, many = service.post(
        "/translate",
        q=["Who is there?", "", "I hear music.\nNo, never!"],
        source="auto",
        target="de",
    )
    assert status == 200
    assert many["translatedText"][:2] == [one["translatedText"], ""]
    assert many["translatedText"][2].count("\n") == 1
    assert many["detectedLanguage"]["language"] == "en"
    form = b"q=Who+is+there%3F&source=en&target=de"
    kind = "application/x-www-form-urlencoded"
    assert json.loads(service.call("/translate", form, content_type=kind)[1]) == one
    both = json.loads(service.call("/translate", b"q=Yes.&" + form, content_type=kind)[1])
    assert both["translatedText"][1] == one["translatedText"]
    assert service.post("/translate", q="", source="en", target="de")[1] == {"translatedText": ""}
    assert service.post("/translate", q=["Yes.", None], source="en", target="de")[0] == 400
    assert service.post("/translate", q="a \ud83d b", source="en", target="de")[0] == 200


def test_the_address_of_a_file_is_one_whatever_it_is_called(serve: Serve) -> None:
    service = serve()
    told = service.send("/translate_file", film(1), "#1 film?.en.srt")[1]
    path = told["translatedFileUrl"].partition(str(service.port))[2]
    assert path.endswith("/%231%20film%3F.de.srt")
    assert service.call(path)[0] == 200


def test_a_port_that_is_taken_is_told_in_one_line(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        outcome = cli("serve", "--port", str(taken.getsockname()[1]))
    assert outcome.code == 1 and outcome.err.count("\n") == 1 and "in use" in outcome.err


def test_languages_are_told_as_libretranslate_does(serve: Serve) -> None:
    languages = json.loads(serve().call("/languages")[1])
    english = next(each for each in languages if each["code"] == "en")
    assert english["name"] == "English"
    assert {"de", "es", "fr", "it"} <= {*english["targets"]}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"target": "xx"}, "xx"),
        ({"guideline": "../../etc/passwd"}, "guideline"),
        ({"guideline": "nobody"}, "nobody"),
        ({"formality": "rude"}, "formality"),
        ({"source": "fr"}, "fr"),
    ],
)
def test_a_wrong_request_is_told_in_one_line(fields, told, serve):
    status, answer = serve().send("/translate_file", film(1), **fields)
    assert status == 400
    assert told in answer["error"]
    assert "\n" not in answer["error"]


def test_a_file_that_is_none_is_told_in_one_line(serve: Serve) -> None:
    status, answer = serve().send("/translate_file", b"no subtitles", "film.srt")
    assert status == 400
    assert "no cue found" in answer["error"]


def test_nobody_is_let_in_without_the_token(serve: Serve) -> None:
    service = serve(token="secret")
    values = {"q": "Who is there?", "source": "en", "target": "de"}
    assert service.post("/translate", **values)[0] == 403
    assert service.post("/translate", **values, api_key="wrong")[0] == 403
    assert service.post("/translate", **values, api_key="secret")[0] == 200
    assert service.send("/jobs", film(1))[0] == 403
    assert service.call("/jobs/" + "0" * 24)[0] == 403
    assert service.call("/jobs/" + "0" * 24, authorization="Bearer secret")[0] == 404
    assert service.call("/health")[0] == 200


def test_what_is_too_long_is_not_read(serve: Serve) -> None:
    status, answer = serve(max_bytes=200).send("/translate_file", film(1))
    assert status == 413
    assert "200" in answer["error"]


def test_a_page_of_the_web_cannot_call_a_local_service(serve: Serve) -> None:
    service = serve(hosts=("127.0.0.1",))
    assert service.call("/health")[0] == 200
    assert service.call("/health", host="evil.example")[0] == 400


def until(happened: Callable[[], object], seconds: float = 60) -> None:
    """Wait for something."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_one_too_many_is_told_to_come_again(serve: Serve, gate: threading.Event) -> None:
    service = serve(max_waiting=2)
    answers = [service.send("/jobs", film(number))[0] for number in range(5)]
    assert answers[:2] == [202, 202]
    assert answers[-1] == 429


def test_a_client_that_leaves_frees_its_place(serve: Serve, gate: threading.Event) -> None:
    service = serve()

    def waiting() -> int:
        return int(json.loads(service.call("/health")[1])["waiting"])

    service.send("/jobs", film(0))
    client = http.client.HTTPConnection("127.0.0.1", service.port)
    client.request("POST", "/translate_file", form_of(film(1), "a.srt"), {"Content-Type": FORM})
    until(lambda: waiting() == 2)
    client.close()
    until(lambda: waiting() == 1)
    gate.set()
    until(lambda: waiting() == 0)
    assert json.loads(service.call("/health")[1])["translated"] == 1


def test_a_job_tells_its_progress_and_keeps_its_file(serve: Serve) -> None:
    service = serve()
    status, told = service.send("/jobs", film(1))
    assert status == 202
    events = service.call(f"/jobs/{told['id']}/events")[1].decode().strip().split("\n\n")
    assert events[-1].startswith("event: done")
    assert json.loads(events[-1].partition("data: ")[2])["totals"]["cues"] == 2
    expected = service.send("/translate_file?answer=file", film(1))
    assert service.call(f"/jobs/{told['id']}/file") == expected
    assert service.call(f"/jobs/{told['id']}", method="DELETE")[0] == 204
    assert service.call(f"/jobs/{told['id']}")[0] == 404


def test_a_job_that_fails_says_why(serve: Serve) -> None:
    service = serve()
    _, told = service.send("/jobs", b"no subtitles")
    service.call(f"/jobs/{told['id']}/events")
    state = json.loads(service.call(f"/jobs/{told['id']}")[1])
    assert state["state"] == "failed"
    assert "no cue found" in state["error"]


def test_jobs_that_ended_long_ago_are_gone_with_the_next(job, tmp_path):
    jobs, options = Jobs(tmp_path / "jobs", Worker(job)), RequestOptions("en", "de")
    old = jobs.add(Upload("film.en.srt", film(1), options))
    until(lambda: jobs.state(old)["state"] == "done")
    long_ago = time.time() - 8 * 86400
    os.utime(tmp_path / "jobs" / old, (long_ago, long_ago))
    jobs.add(Upload("film.en.srt", film(2), options))
    with pytest.raises(KeyError):
        jobs.state(old)


def test_jobs_that_were_accepted_are_done_after_a_crash(job, tmp_path, gate):
    options = RequestOptions("en", "de")
    crashed, folder = Jobs(tmp_path / "before", Worker(job)), tmp_path / "after"
    names = [crashed.add(Upload("film.en.srt", film(n), options)) for n in range(3)]
    shutil.copytree(tmp_path / "before", folder)  # what a killed program leaves
    (folder / ("f" * 24)).mkdir()  # a job that it never answered for
    gate.set()
    again = Jobs(folder, Worker(job))
    until(lambda: all(again.state(name)["state"] == "done" for name in names))
    assert b"-->" in again.result(names[2])[1]
    assert {path.name for path in folder.iterdir()} == {*names}


@pytest.mark.slow
def test_a_service_that_is_killed_loses_no_job_that_it_answered(cli, tiny_model_folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = [sys.executable, "-m", "subfit", "serve", "--port", str(port), "--jobs", "jobs"]

    def start() -> subprocess.Popen[bytes]:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        started = subprocess.Popen([*command, "--model", tiny_model_folder], env=environment)
        until(lambda: client("/health"), seconds=300)
        return started

    def client(path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{path}", body, {"Content-Type": FORM}
        )
        with contextlib.suppress(OSError), urllib.request.urlopen(request) as answer:
            return bytes(answer.read())
        return b""

    first, answered = start(), dict[str, int]()
    for number in range(3):
        told = json.loads(client("/jobs", form_of(film(number), "film.en.srt")))
        answered[told["id"]] = number
    first.send_signal(signal.SIGKILL)
    first.wait()
    second = start()
    until(lambda: all(client(f"/jobs/{name}/file") for name in answered), seconds=300)
    made = {number: client(f"/jobs/{name}/file") for name, number in answered.items()}
    second.terminate()
    second.wait()
    for number in made:
        Path("film.en.srt").write_bytes(film(number))
        cli("translate", "film.en.srt", "-t", "de", "--model", tiny_model_folder, "--overwrite")
        assert made[number] == Path("film.de.srt").read_bytes()


def quoted(name: str) -> str:
    """As Bazarr put values into a command up to 2025."""
    return f'"{name}"'


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("quote", [quoted, shlex.quote])
def test_bazarr_gets_a_translation_by_its_postprocessing(quote, serve, tmp_path):
    folder = tmp_path / "The keeper (1921)"
    folder.mkdir()
    subtitles = folder / "The keeper's lamp & boat.en.srt"
    subtitles.write_bytes(film(1))
    service = serve()
    text = (ROOT / "docs/serve.md").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("curl"))
    values = {
        "directory": str(folder),
        "episode_name": "The keeper's lamp & boat",
        "subtitles": str(subtitles),
    }
    for name, value in values.items():  # it takes the quotes that somebody wrote
        pattern = re.compile(rf"['\"]?{{{{{name}}}}}['\"]?")
        line = pattern.sub(lambda _, value=value: quote(value), line)
    line = line.replace(":5000", f":{service.port}")
    subprocess.run(["sh", "-c", line], check=True)
    made = (folder / "The keeper's lamp & boat.de.srt").read_bytes()
    assert service.send("/translate_file?answer=file", film(1)) == (200, made)


def test_lingarr_gets_every_line_and_waits_where_it_is_told_to(serve, gate):
    service = serve(max_waiting=1)
    service.send("/jobs", film(0))
    until(lambda: service.send("/jobs", film(1))[0] == 202)  # once the first is no longer waiting
    texts = ["The door is open.", "- Who is there?\n- I do not know."]
    values = {"source": "en", "target": "de", "format": "text", "api_key": None}

    def ask(text: str) -> tuple[int, Any]:
        return service.post("/translate", q=text, **values)

    assert ask(texts[0])[0] == 429  # it comes again after a while
    gate.set()
    until(lambda: ask(texts[0])[0] == 200)
    answers = [ask(text) for text in texts]
    assert [status for status, _ in answers] == [200, 200]
    assert answers[1][1]["translatedText"].count("\n") == 1


def test_subtitle_edit_gets_a_sentence_over_two_lines_as_one(serve: Serve) -> None:
    """Its engine for LibreTranslate writes the JSON itself, with ``<br />`` for line ends."""
    service = serve()

    def ask(text: str) -> str:
        body = f'{{"q": "{text}", "source": "en", "target": "de"}}'.encode()
        status, answer = service.call(
            "/translate", body, content_type="application/json", accept="application/json"
        )
        assert status == 200
        return str(json.loads(answer)["translatedText"])

    assert ask("The door<br />is open.") == ask("The door is open.")
    assert ask("- Who is there?<br />- No, never!") == ask("- Who is there?\\n- No, never!")


def test_a_body_in_chunks_is_taken_up_to_its_limit(serve: Serve) -> None:
    service = serve(max_bytes=200)

    def ask(text: str) -> int:
        client = http.client.HTTPConnection("127.0.0.1", service.port)
        body = json.dumps({"q": text, "source": "en", "target": "de"}).encode()
        with contextlib.closing(client):
            client.request("POST", "/translate", iter([body]), {"Content-Type": "application/json"})
            with client.getresponse() as answer:
                return answer.status

    assert ask("Who is there?") == 200
    assert ask("Who is there? " * 20) == 413


def test_jellyfin_finds_a_translation_for_every_film(cli: Cli, tiny_model_folder: Path) -> None:
    """It takes what begins with a film's name, and the language from what follows."""
    before = time.time() - 2 * SETTLED
    names = ("Films/The keeper (1921)", "Shows/Boats/S01E01 - A lamp")
    for name in names:
        path = Path("media", f"{name}.en.srt")
        path.parent.mkdir(parents=True)
        path.with_name(f"{path.name.removesuffix('.en.srt')}.mkv").touch()
        path.write_bytes(film(1))
        os.utime(path, (before, before))
    assert cli("watch", "media", "-t", "de", "--once", "--model", tiny_model_folder).code == 0
    for video in Path("media").rglob("*.mkv"):
        beside = {path.name for path in video.parent.iterdir() if path.suffix == ".srt"}
        languages = {name.removeprefix(video.stem).split(".")[1] for name in beside}
        assert all(name.startswith(video.stem) for name in beside)
        assert languages == {"en", "de"}


def test_serving_others_needs_a_token(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SUBFIT_TOKEN", raising=False)
    done = cli("serve", "--host", "0.0.0.0")
    assert done.code == UsageError.exit_code
    assert "SUBFIT_TOKEN" in done.err


def test_a_watched_folder_gets_translations_beside_its_files(cli, tiny_model_folder):
    before = time.time() - 2 * SETTLED
    for name in ("show/s01e01.en.srt", "show/s01e02.srt", "show/s01e03.de.srt", "broken.en.srt"):
        path = Path("media", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"nothing" if "broken" in name else film(1))
        os.utime(path, (before, before))
    Path("media/new.en.srt").write_bytes(film(1))  # may still be being written
    watch = ("watch", "media", "-t", "de", "--once", "--model", tiny_model_folder)
    done = cli(*watch)
    assert done.code == 1
    assert done.err.count("broken.en.srt") == 1
    made = {path.name for path in Path("media").rglob("*.de.srt")}
    assert made == {"s01e01.de.srt", "s01e02.de.srt", "s01e03.de.srt"}
    Path("media/broken.en.srt").unlink()
    Path("media/show/s01e01.de.srt").write_bytes(b"edited")
    assert cli(*watch).code == 0
    assert Path("media/show/s01e01.de.srt").read_bytes() == b"edited"

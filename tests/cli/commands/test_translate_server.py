"""``subfit translate --model http://…``: a film through a server, whatever that does."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from subfit.decoding import server_translator
from subfit.servers.client import ChatClient
from tests.cli.conftest import Cli, Outcome
from tests.servers.fake import (
    FakeServer,
    Payload,
    Reply,
    at_once,
    most_of,
    says,
    text_of,
)

FILM = """\
1
00:00:01,000 --> 00:00:03,000
Nobody has lived in the lighthouse since the storm.

2
00:00:04,000 --> 00:00:06,000
The keeper left his lamp, sir.

3
00:00:07,000 --> 00:00:09,000
♪
"""
FULL = {
    "Nobody has lived in the lighthouse since the storm.": (
        "Seit dem großen Sturm hat niemand mehr in dem Leuchtturm gewohnt.",
        "Seit dem Sturm ist er leer.",
    ),
    "The keeper left his lamp, sir.": ("Der Wärter ließ die Lampe hier.", "Er ließ sie da."),
}
KEY = "sk-live-0f1e2d3c4b5a69788796"


def translated(payload: Payload) -> Reply:
    """Translate as the toy model does: in full, or in short where there is no room."""
    full, short = FULL[text_of({"messages": payload["messages"][:2]})]
    most = most_of(payload)
    return says(short if most is not None and most < len(full) else full)


@pytest.fixture
def server(server: FakeServer, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    """A server, a film beside it, and a client that does not wait between tries."""
    monkeypatch.setattr(server_translator, "ChatClient", partial(ChatClient, sleep=at_once))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("SUBFIT_API_KEY", raising=False)
    Path("film.en.srt").write_text(FILM, encoding="utf-8")
    server.answer = translated
    return server


@pytest.fixture
def into_german(cli: Cli, server: FakeServer) -> Cli:
    """Translate the film with that server, cue by cue."""
    film = ("film.en.srt", "-t", "de", "--model", server.model, "--scene", "1")
    return lambda *options: cli("translate", *film, *options)


def report_of(done: Outcome) -> dict[str, Any]:
    """The report on the only file."""
    (file,) = done.json["files"]
    return dict(file)


def all_written(folder: Path) -> bytes:
    """Everything in all files of a folder."""
    return b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_film_keeps_its_budget(into_german: Cli, server: FakeServer) -> None:
    done = into_german("--json")
    assert done.code == 0, done.err
    film = Path("film.de.srt").read_text(encoding="utf-8")
    assert "Seit dem Sturm ist er leer." in film
    assert "Der Wärter ließ die Lampe hier." in film
    assert "♪" in film
    assert report_of(done)["settings"]["model"] == server.model
    assert report_of(done)["settings"]["precision"] == "server"


def test_tokens_and_cost_are_told_and_reported(into_german: Cli, server: FakeServer) -> None:
    done = into_german("--server", "price=2:8", "--report", "film.json")
    assert done.code == 0, done.err
    written = json.loads(Path("film.json").read_text(encoding="utf-8"))
    usage = written["files"][0]["totals"]["usage"]
    requests = len(server.payloads)
    assert usage["requests"] == requests
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (20 * requests, 5 * requests)
    assert usage["cost"] == pytest.approx((40 + 40) * requests / 1e6)
    assert f"{requests} requests, {20 * requests} tokens sent" in done.err + done.out


def test_a_server_that_fails_now_and_then_loses_nothing(
    into_german: Cli, server: FakeServer
) -> None:
    wrong = iter(
        [
            Reply(status=500),
            Reply(b"<html>busy</html>"),
            Reply(b'{"choices', cuts=True),
            Reply(status=429, headers={"Retry-After": "3"}),
            says("Sure, here is the translation:\n\n"),
        ]
    )

    def answer(payload: Payload) -> Reply:
        return next(wrong, None) or translated(payload)

    server.answer = answer
    done = into_german()
    assert done.code == 0, done.err
    assert "Seit dem Sturm ist er leer." in Path("film.de.srt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(b"no JSON at all"), "no chat completion"),
        (Reply(status=401), "set SUBFIT_API_KEY"),
        (Reply(status=302, headers={"Location": "http://198.51.100.1/v1"}), "was not named"),
        (Reply(b'{"error": {"message": "model toy\\nnot found"}}', 404), "model toy not found"),
    ],
)
def test_a_server_that_is_no_good_is_one_line_and_nothing_is_written(
    reply, told, into_german, server
):
    server.answer = lambda _: reply
    done = into_german()
    assert done.code == 1
    (line,) = done.err.strip().splitlines()
    assert line.startswith(f"subfit: error: {server.model}: the server ")
    assert told in line
    assert not Path("film.de.srt").exists()


def test_a_sentence_that_is_never_answered_is_told_and_the_others_kept(into_german, server):
    def answer(payload: Payload) -> Reply:
        return Reply(status=500) if "keeper" in text_of(payload) else translated(payload)

    server.answer = answer
    done = into_german("--json")
    assert done.code == 3
    assert [cue["status"] for cue in report_of(done)["cues"]] == ["fits", "untranslated", "passed"]
    assert report_of(done)["totals"]["usage"]["unanswered"] == 1


def test_films_that_were_done_before_a_server_broke_are_kept(cli: Cli, server: FakeServer) -> None:
    for name in ("a", "b", "c"):
        Path(f"{name}.en.srt").write_text(FILM.replace("left", f"{name}, left"), encoding="utf-8")

    def answer(payload: Payload) -> Reply:
        text = text_of({"messages": payload["messages"][:2]})
        if "b, left" in text:
            return Reply(status=401)
        known = text.replace("a, ", "").replace("c, ", "")
        return says(FULL[known][1])

    server.answer = answer
    options = ("-t", "de", "-o", "out/", "--model", server.model, "--scene", "0")
    films = ("a.en.srt", "b.en.srt", "c.en.srt")
    done = cli("translate", *films, *options)
    assert done.code == 1
    assert sorted(path.name for path in Path("out").glob("*.srt")) == ["a.de.srt", "c.de.srt"]
    server.answer = lambda p: says("Er ließ sie da.")
    asked = len(server.payloads)
    again = cli("translate", *films, *options)
    assert again.code == 0, again.err
    assert {text for text in server.texts[asked:] if "keeper" in text} == {
        "The keeper b, left his lamp, sir."
    }


def test_the_key_stands_in_no_file_and_no_message(cli, server, monkeypatch):
    monkeypatch.setenv("SUBFIT_API_KEY", KEY)

    def answer(payload: Payload) -> Reply:
        if len(server.payloads) % 3 == 0:
            return Reply(json.dumps({"error": {"message": f"key {KEY} is busy"}}).encode(), 429)
        return translated(payload)

    server.answer = answer
    reports = ("--report", "all.json", "--cue-reports", "cues")
    options = ("-t", "de,fr", "-o", "out/", "--model", server.model, "--scene", "1")
    done = cli("--debug", "translate", "film.en.srt", *options, *reports)
    assert done.code in (0, 3), done.err
    told = done.err
    server.answer = lambda _: Reply(json.dumps({"error": f"{KEY} is wrong"}).encode(), 401)
    for error in (401, 400, 500, 302):
        server.answer = lambda _, error=error: Reply(
            json.dumps({"error": f"{KEY} is wrong"}).encode(),
            error,
            {"Location": "http://198.51.100.1/"} if error == 302 else {},
        )
        failed = cli("--debug", "translate", "film.en.srt", "-t", "it", *options[4:])
        told += failed.err + failed.out
        assert failed.code == 1
    assert all(each["Authorization"] == f"Bearer {KEY}" for each in server.headers)
    assert KEY not in told
    assert server.url in told
    assert KEY.encode() not in all_written(Path())


def test_another_server_is_another_translation(cli: Cli, server: FakeServer) -> None:
    options = ("-t", "de", "-o", "out/", "--model")
    films = ("film.en.srt", "scene.en.srt")
    server.answer = lambda _: says("Ja.")
    assert cli("translate", *films, *options, server.model).code == 0
    asked = len(server.payloads)
    assert cli("translate", *films, *options, server.model).code == 0
    assert len(server.payloads) == asked, "the manifest knows of it"
    assert cli("translate", *films, *options, f"{server.url}#other").code == 0
    assert len(server.payloads) == 2 * asked

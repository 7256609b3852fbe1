"""A model behind a server as a translator: told budgets, asked again, chosen from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from subfit.decoding.hypotheses import Request, Setting, TermConstraint
from subfit.decoding.prompts import find_template
from subfit.decoding.server_translator import TURNS, ServerTranslator
from subfit.errors import ModelError
from subfit.hub.names import ServerAddress
from subfit.servers.client import ChatClient
from subfit.servers.settings import ServerSettings
from subfit.text.counting import EVERYTHING
from tests.servers.fake import (
    FakeServer,
    Payload,
    Reply,
    at_once,
    most_of,
    says,
    text_of,
)

LINE = "I have never seen a ship as large as this one."
LONG = "Ich habe noch nie ein Schiff gesehen, das so groß war wie dieses hier."
SHORT = "Nie sah ich ein so großes Schiff."
SHORTER = "So groß war keines."


def translator(server: FakeServer, **settings: int) -> ServerTranslator:
    known = replace(ServerSettings(timeout=5.0), **settings)  # type: ignore[arg-type]
    client = ChatClient(ServerAddress.parse(server.model), known, None, at_once)
    return ServerTranslator(client, find_template(None, "", "toy"), "en", "de", EVERYTHING, 3)


def by_room(answers: Sequence[str]) -> Callable[[Payload], Reply]:
    """Answer with the longest text that the newest turn allows, or the shortest there is."""

    def answer(payload: Payload) -> Reply:
        most = most_of(payload) or 10_000
        fitting = [text for text in answers if len(text) <= most]
        return says(max(fitting, key=len) if fitting else min(answers, key=len))

    return answer


def test_without_a_ceiling_one_likeliest_answer_is_asked_for(server: FakeServer) -> None:
    server.answer = lambda _: says(LONG)
    ((found,),) = translator(server).translate([Request(LINE)])
    assert (found.text, found.characters) == (LONG, len(LONG))
    (payload,) = server.payloads
    assert (payload["model"], payload["temperature"], payload.get("n")) == ("toy", 0.0, None)
    assert "characters" not in str(payload["messages"])


def test_under_a_ceiling_several_answers_are_asked_for_and_those_within_taken(server):
    server.answer = lambda _: says(LONG, SHORTER, SHORT, SHORT)
    ((*found,),) = translator(server).translate([Request(LINE, 40.0, 38)])
    assert [each.text for each in found] == [SHORT, SHORTER], "the fuller one first"
    (payload,) = server.payloads
    assert payload["n"] == 3
    assert most_of(payload) == 38


def test_an_answer_that_is_too_long_is_asked_to_be_made_shorter(server: FakeServer) -> None:
    def answer(payload: Payload) -> Reply:
        return says(SHORT if len(payload["messages"]) > 2 else LONG)

    server.answer = answer
    ((found, *_),) = translator(server).translate([Request(LINE, 40.0, 40)])
    assert found.text == SHORT
    roles = [message["role"] for message in server.payloads[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert server.payloads[1]["messages"][2]["content"] == LONG
    last = server.payloads[1]["messages"][3]["content"]
    assert f"has {len(LONG)} characters" in last
    assert "at most 40 characters" in last


def test_what_never_fits_is_given_with_its_excess(server: FakeServer) -> None:
    """The fitting marks it as overflow; it is better than the natural length."""
    server.answer = by_room([LONG, SHORT])
    ((found,),) = translator(server).translate([Request(LINE, 10.0, 10)])
    assert found.text == SHORT
    assert len(server.payloads) == 1 + TURNS


def test_a_limit_without_spaces_is_kept_as_well(server: FakeServer) -> None:
    server.answer = lambda _: says(SHORT, SHORTER)
    ((found,),) = translator(server).translate([Request(LINE, 40.0, 38, dense=18.0)])
    assert found.text == SHORTER


def test_probabilities_count_where_a_server_tells_them(server: FakeServer) -> None:
    def choice(text: str, each: float) -> Mapping[str, object]:
        tokens = [{"logprob": each}, {"logprob": each}]
        return {"message": {"content": text}, "logprobs": {"content": tokens}}

    import json

    choices = [choice(SHORT, -2.0), choice(SHORTER, -0.25)]
    server.answer = lambda _: Reply(json.dumps({"choices": choices}).encode())
    ((best, other),) = translator(server).translate([Request(LINE, 40.0, 40)])
    assert (best.text, best.score, best.log_probability) == (SHORTER, -0.25, -0.5)
    assert other.score == -2.0


def test_the_prompt_has_context_terms_and_form_of_address(server: FakeServer) -> None:
    server.answer = lambda _: says("Wo ist Ihr Schiff?")
    terms = (TermConstraint("ship", ("Schiff", "Schiffe*"), "de"),)
    request = Request(
        "Where is your ship?",
        terms=terms,
        formality="formal",
        setting=Setting(before=("He is here.",)),
    )
    asked = translator(server)
    asked.translate([Request("He is here.")])
    asked.translate([request])
    said = str(server.payloads[1]["messages"]).replace("\\n", "\n")
    for part in ("He is here.", "ship = Schiff / Schiffe\n", "politely", "Where is your ship?"):
        assert part in said


@pytest.mark.parametrize("useless", ["", None, "```\n```", "word " * 300])
def test_an_answer_of_no_use_is_asked_for_once_more(useless, server):
    server.answer = lambda payload: says(SHORT if len(server.payloads) > 1 else useless)
    asked = translator(server)
    ((found,),) = asked.translate([Request(LINE)])
    assert found.text == SHORT
    assert asked.usage.unanswered == 0
    server.answer = lambda _: says(useless)
    assert asked.translate([Request("And you?")]) == [[]]
    assert asked.usage.unanswered == 1


def test_an_answer_that_ended_in_thoughts_gets_more_room(server: FakeServer) -> None:
    def answer(payload: Payload) -> Reply:
        if payload["max_tokens"] < 4000:
            return says("<think>The ship, well,", finish_reason="length")
        return says(f"<think>The ship.</think>{SHORT}")

    server.answer = answer
    ((found,),) = translator(server).translate([Request(LINE)])
    assert found.text == SHORT


def test_the_same_is_asked_once_and_all_get_the_answer(server: FakeServer) -> None:
    server.answer = lambda payload: says(f"{text_of(payload)} (de)")
    done: list[int] = []
    asked = translator(server)
    requests = [Request("Yes."), Request("No."), Request("Yes.")]
    found = asked.translate(requests, done.append)
    assert [nbest[0].text for nbest in found] == ["Yes. (de)", "No. (de)", "Yes. (de)"]
    assert sorted(server.texts) == ["No.", "Yes."]
    assert sum(done) == 3
    assert asked.translate(requests) == found
    assert len(server.payloads) == 2


def test_no_more_is_asked_at_once_than_wished(server: FakeServer) -> None:
    import time

    def answer(payload: Payload) -> Reply:
        time.sleep(0.02)
        return says("Ja.")

    server.answer = answer
    requests = [Request(f"Line {number}.") for number in range(12)]
    translator(server, concurrency=3).translate(requests)
    assert 2 <= server.most_at_once <= 3


def test_one_sentence_without_an_answer_does_not_stop_the_others(server: FakeServer) -> None:
    server.answer = lambda p: Reply(status=500) if text_of(p) == "No." else says("Ja.")
    asked = translator(server)
    found = asked.translate([Request("Yes."), Request("No."), Request("Oh yes.")])
    assert [len(nbest) for nbest in found] == [1, 0, 1]
    assert asked.usage.unanswered == 1


def test_a_server_that_answers_nobody_is_an_error(server: FakeServer) -> None:
    with pytest.raises(ModelError, match="status 500"):
        translator(server).translate([Request("Yes.")])


def test_what_was_answered_before_a_server_broke_is_not_asked_again(server: FakeServer) -> None:
    server.answer = lambda p: says("Ja.") if len(server.payloads) <= 4 else Reply(status=401)
    asked = translator(server, concurrency=1)
    requests = [Request(f"Line {number}.") for number in range(8)]
    with pytest.raises(ModelError, match="4 requests were answered before"):
        asked.translate(requests)
    server.answer = lambda _: says("Ja.")
    assert all(asked.translate(requests))
    assert server.texts.count("Line 0.") == 1


def test_it_works_where_a_loop_runs_already(server: FakeServer) -> None:
    import asyncio

    server.answer = lambda _: says("Ja.")

    async def notebook() -> str:
        ((found,),) = translator(server).translate([Request("Yes.")])
        return found.text

    assert asyncio.run(notebook()) == "Ja."

"""Scenes asked of a server at once: whatever it answers, no sentence gets another's translation."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from subfit.decoding.hypotheses import Request, Setting
from subfit.decoding.server_translator import UNREADABLE, ServerTranslator
from tests.decoding.test_server_translator import translator
from tests.servers.fake import FakeServer, Payload, Reply, says, text_of

SOURCES = ("Where is the captain?", "He left an hour ago.", "Then we sail alone.", "Are you mad?")
GERMAN = dict(
    zip(
        SOURCES,
        (
            "Wo ist denn der Kapitän hin?",
            "Er ist vor einer Stunde los.",
            "Dann segeln wir eben allein.",
            "Bist du denn wahnsinnig?",
        ),
        strict=True,
    )
)
SHORT = dict(zip(SOURCES, ("Wo ist er?", "Er ging.", "Segeln wir.", "Was?!"), strict=True))
Entries = dict[str, Any]


def asked_in(payload: Payload) -> dict[str, str]:
    """The sentences of the newest turn by number; none where one is asked for by itself."""
    said = payload["messages"][-1]["content"]
    try:
        return dict(json.loads(said[said.index("{") :]))
    except ValueError:
        return {}


def scene(ceiling: float = float("inf")) -> list[Request]:
    return [Request(source, ceiling, setting=Setting(1)) for source in SOURCES]


def answering(
    spoil: Callable[[Entries], object], *, compiles: bool = False
) -> Callable[[Payload], Reply]:
    """A server that translates, and spoils its answers to scenes."""

    def answer(payload: Payload) -> Reply:
        schema = payload.get("response_format", {}).get("json_schema", {}).get("schema")
        if "response_format" in payload and not compiles:
            return Reply(b'{"error": {"message": "response_format: unknown"}}', 400)
        texts = asked_in(payload)
        if not texts and schema:  # the probe
            return says('{"1": "one two"}')
        if not texts:
            return says(GERMAN[text_of(payload)])
        known = (payload["messages"][-1]["content"].count("Most characters") and SHORT) or GERMAN
        entries = {key: known[text] for key, text in texts.items()}
        if schema:
            for key, value in schema["properties"].items():
                entries[key] = entries[key][: value["maxLength"]]
        said = spoil(entries)
        return says(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))

    return answer


def as_they_are(entries: Entries) -> Entries:
    return entries


def texts_of(asked: ServerTranslator, requests: list[Request]) -> list[str]:
    return [nbest[0].text if nbest else "" for nbest in asked.translate(requests)]


@pytest.mark.parametrize(
    ("spoil", "alone"),
    [
        (as_they_are, 0),
        (lambda e: {key: one for key, one in e.items() if key != "2"}, 0),
        (lambda e: {key: one for key, one in e.items() if key != "1"}, 1),
        (lambda e: dict(reversed(e.items())), 0),
        (lambda e: {**e, "3": {"text": e["3"]}} if "3" in e else e, 0),
        (lambda e: {**e, "1": ""}, 1),
        (lambda e: {**e, "9": "mehr"}, 0),
        (lambda e: {"translations": e}, 4),
        (lambda e: list(e.values()), 4),
        (lambda e: f"Gern!\n```json\n{json.dumps(e)}\n```\nNoch etwas?", 0),
        (lambda e: f"Hier ist die Übersetzung:\n{json.dumps(e)}\nSoll ich mehr übersetzen?", 0),
        (lambda e: {key: f"Übersetzung: {one}" for key, one in e.items()}, 0),
        (lambda e: {key: f"Voici la traduction :\n{one}" for key, one in e.items()}, 0),
        (lambda e: json.dumps(e)[:-1] + f', "2": "{e["1"]}"}}', 0),
        (lambda e: json.dumps(e)[:70], 2),
        (lambda e: "Ich kann das nicht.", 4),
        (lambda e: {**e, "2": "wieder und wieder " * 90} if "2" in e else e, 0),
    ],
)
def test_no_entry_shifts_and_what_is_broken_twice_is_asked_for_alone(spoil, alone, server):
    server.answer = answering(spoil)
    assert texts_of(translator(server), scene()) == list(GERMAN.values())
    singly = [one for one in server.payloads if not asked_in(one)]
    assert len(singly) - sum("numbers" in str(one["messages"]) for one in singly) == alone


def test_a_server_that_compiles_schemas_is_given_each_budget_as_a_ceiling(server):
    server.answer = answering(as_they_are, compiles=True)
    asked = translator(server)
    assert texts_of(asked, scene(12.0)) == list(SHORT.values())
    schema = server.payloads[1]["response_format"]["json_schema"]["schema"]
    assert [one["maxLength"] for one in schema["properties"].values()] == [12] * 4
    assert len(server.payloads) == 2, "a probe, and all at once"
    assert asked.usage.ceilings >= 4 and asked.capabilities.holds


def test_an_entry_that_ends_at_its_ceiling_is_asked_for_once_more_with_less(server):
    server.answer = answering(as_they_are, compiles=True)
    asked = translator(server)
    found = asked.translate(scene(10.0))
    (more,) = [one for one in server.payloads[2:] if asked_in(one)]
    assert asked_in(more) == {"1": "Then we sail alone."}, "'Segeln wir.' has eleven characters"
    schema = more["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["1"]["maxLength"] == 8
    assert all(one.text != "Segeln wir" for one in found[2]), "a clipped text is no translation"


def test_what_goes_on_in_the_next_entry_moves_no_other(server: FakeServer) -> None:
    spilt = [GERMAN[SOURCES[0]][:20], "Kapitän hin?", *list(GERMAN.values())[1:-1]]
    times = iter((spilt,))
    server.answer = answering(
        lambda entries: dict(zip(entries, next(times, entries.values()), strict=True)),
        compiles=True,
    )
    assert texts_of(translator(server), scene(20.0)) == list(SHORT.values())


def test_a_noun_for_a_small_word_is_nothing_that_went_on(server: FakeServer) -> None:
    texts = {"1": "Where is the captain?", "2": "boats everywhere."}
    said = iter(({"1": "Wo ist denn der Kapi", "2": "Boote überall."}, {"1": "Wo ist er?"}))
    server.answer = lambda payload: says(
        json.dumps(next(said)) if asked_in(payload) else '{"1": "one two"}'
    )
    requests = [Request(text, 20.0, setting=Setting(1)) for text in texts.values()]
    assert texts_of(translator(server), requests) == ["Wo ist er?", "Boote überall."]
    assert [asked_in(one) for one in server.payloads[1:]] == [texts, {"1": texts["1"]}]


def test_what_was_said_before_is_an_earlier_turn(server: FakeServer) -> None:
    server.answer = answering(as_they_are)
    asked = translator(server, concurrency=1)
    later = [Request(one, setting=Setting(2, SOURCES[:2])) for one in SOURCES[2:]]
    asked.translate([*scene()[:2], *later])
    turns = server.payloads[-1]["messages"]
    assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "user"]
    assert json.loads(turns[2]["content"]) == {"1": GERMAN[SOURCES[0]], "2": GERMAN[SOURCES[1]]}
    assert asked_in(server.payloads[-1]) == {"1": SOURCES[2], "2": SOURCES[3]}


def test_who_speaks_how_and_how_long_stands_with_each_sentence(server: FakeServer) -> None:
    server.answer = answering(as_they_are)
    setting = Setting(1, speaker="ANNA", notes="A film about a harbour.")
    requests = [
        Request(SOURCES[0], 20.0, formality="formal", setting=setting),
        Request(SOURCES[1], 30.0, setting=setting),
    ]
    translator(server).translate(requests)
    turns = next(one for one in server.payloads if asked_in(one))["messages"]
    said = turns[-1]["content"]
    assert "Most characters of each: 1: 20, 2: 30." in said
    assert "Who speaks: 1: ANNA, 2: ANNA." in said
    assert "How people are addressed: 1: formal." in said
    assert "A film about a harbour." in turns[0]["content"]


def test_a_model_that_never_answers_in_entries_is_asked_for_each_sentence_soon(server):
    server.answer = answering(lambda _: "Wie bitte?")
    requests = [
        Request(source, setting=Setting(number)) for number in range(1, 9) for source in SOURCES
    ]
    asked = translator(server, concurrency=1)
    assert texts_of(asked, requests) == 8 * list(GERMAN.values())
    assert sum(bool(asked_in(one)) for one in server.payloads) == UNREADABLE


def test_what_comes_back_in_the_source_s_language_is_asked_for_once_more(server):
    replies = iter([SOURCES[1]])

    def spoil(entries: Entries) -> Entries:
        return {**entries, "2": next(replies)} if len(entries) == 4 else entries

    server.answer = answering(spoil)
    assert texts_of(translator(server), scene()) == list(GERMAN.values())
    assert asked_in(server.payloads[-1]) == {"1": SOURCES[1]}


@pytest.mark.parametrize("limits", [{"most_requests": 3}, {"most_tokens": 70}])
def test_at_a_limit_nothing_more_is_asked(limits: dict[str, int], server: FakeServer) -> None:
    server.answer = answering(as_they_are)
    requests = [Request(source) for source in SOURCES]
    asked = translator(server, concurrency=1, **limits)
    assert texts_of(asked, requests) == [*list(GERMAN.values())[:3], ""]
    assert len(server.payloads) == 3 and asked.usage.held_back == 1


def test_a_scene_that_is_too_long_for_the_model_is_asked_for_alone(server: FakeServer) -> None:
    well = answering(as_they_are, compiles=True)

    def answer(payload: Payload) -> Reply:
        if len(asked_in(payload)) > 1:
            return Reply(b'{"error": {"message": "maximum context length is 512"}}', 400)
        return well(payload)

    server.answer = answer
    asked = translator(server)
    assert texts_of(asked, scene()) == list(GERMAN.values())
    assert asked.capabilities.holds, "other scenes may be shorter"

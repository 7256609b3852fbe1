"""What servers answer."""

from __future__ import annotations

import json

import pytest

from subfit.servers.answers import error_in, parse_completion

CHOICE = {
    "message": {"content": "Halt."},
    "finish_reason": "length",
    "logprobs": {"content": [{"logprob": -0.5}, {"logprob": 1e-9}, {"logprob": "?"}, None]},
}


def test_a_completion_is_read_with_what_the_server_tells() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": -1}
    done = parse_completion(json.dumps({"choices": [CHOICE], "usage": usage}).encode())
    (choice,) = done.choices
    assert (choice.text, choice.cut, choice.log_probabilities) == ("Halt.", True, (-0.5, 0.0))
    assert (done.prompt_tokens, done.completion_tokens) == (7, None)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": {"content": 5}}]}']
)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="completion"):
        parse_completion(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"error": {"message": "bad key  s3cret"}}', ": bad key ***"),
        (b'{"detail": "no such model"}', ": no such model"),
        (b'{"error": "busy"}', ": busy"),
        (b"<html>", ""),
        (b'{"error": {"message": 5}}', ""),
    ],
)
def test_an_error_is_told_without_the_key(data: bytes, said: str) -> None:
    assert error_in(data, "s3cret") == said

"""What was asked of a server, and what it cost."""

from __future__ import annotations

import json

import pytest

from subfit.servers.settings import Price
from tests.servers.fake import FakeServer, Reply, says
from tests.servers.test_client import Talk, in_turn


def test_tokens_and_their_cost_are_added_up(server: FakeServer) -> None:
    server.answer = in_turn(says("Eins.", "Zwei."), says("Drei.", usage=False), says("Vier."))
    talk = Talk(server, price=Price(1.0, 10.0))
    for _ in range(3):
        talk.ask()
    usage = talk.client.usage.to_dict()
    assert (usage["requests"], usage["uncounted"]) == (3, 1)
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (40, 15)
    assert usage["cost"] == pytest.approx((40 * 1.0 + 15 * 10.0) / 1e6)


def test_odd_counts_and_log_probabilities_do_no_harm(server: FakeServer) -> None:
    odd = {"content": [{"logprob": -0.5}, {"logprob": None}, {"logprob": 1e9}, 3]}
    values = json.loads(says("Ja.", logprobs=odd).body)
    for usage in ({"prompt_tokens": -4, "completion_tokens": "many"}, "none", [1]):
        server.answer = lambda _, usage=usage: Reply(
            json.dumps({**values, "usage": usage}).encode()
        )
        completion = Talk(server).ask()
        assert completion.prompt_tokens is None
        assert completion.choices[0].log_probabilities == (-0.5,)

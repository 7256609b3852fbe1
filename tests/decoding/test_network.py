"""A model as a search sees it, and several that vote."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding import network as networks
from subfit.decoding.network import Network
from subfit.errors import ModelError
from tests.tiny import tiny_marian

SIZE, END, PAD = 40, 0, 39
SOURCES = [(5, 9, 3, END), (7, END), (*range(1, 20), END)]
TARGETS = [(4, 8, END), (6, 6, 11, 30, END), (END,)]


def test_what_follows_the_start_sums_to_one_and_is_as_rated():
    network = Network([tiny_marian(SIZE)])
    memories = network.encode(SOURCES)
    cache = network.open(len(SOURCES), 1)
    cache.admit(torch.arange(len(SOURCES)), memories)
    none = torch.zeros(len(SOURCES), dtype=torch.int64)
    origins = torch.zeros(len(SOURCES), 1, 16, dtype=torch.int64)
    start = torch.full((len(SOURCES), 1), PAD)
    with torch.inference_mode():
        found = cache.next(start, none, origins, none, none.unsqueeze(1))
    assert found.exp().sum(-1).flatten().tolist() == pytest.approx([1.0] * 3, abs=1e-4)
    rated = network.rate(TARGETS, memories)
    for row, target, own in zip(found, TARGETS, rated, strict=True):
        assert float(row[0, target[0]]) == pytest.approx(own[0], abs=1e-4)


def test_models_that_vote_are_averaged_in_logarithms():
    models = [tiny_marian(SIZE, seed=seed) for seed in (2, 3)]
    apart = [Network([model]).rate(TARGETS, Network([model]).encode(SOURCES)) for model in models]
    both = Network(models)
    for ours, *each in zip(both.rate(TARGETS, both.encode(SOURCES)), *apart, strict=True):
        assert ours == pytest.approx([sum(pair) / 2 for pair in zip(*each, strict=True)], abs=1e-4)


def test_among_fewer_pieces_the_others_share_their_probability():
    model, pieces = tiny_marian(SIZE), sorted({END, 4, 6, 8, 11, 30})
    everything, some = Network([model]), Network([model], pieces=torch.tensor(pieces))
    memories = everything.encode(SOURCES)
    one_token = [(token,) for token in pieces]
    whole = everything.rate(one_token, memories[:1] * len(pieces))
    ours = some.rate(one_token, some.encode(SOURCES[:1]) * len(pieces))
    total = torch.tensor([own[0] for own in whole]).logsumexp(0).item()
    assert [own[0] for own in ours] == pytest.approx([own[0] - total for own in whole], abs=1e-4)


def test_what_was_encoded_is_kept_while_there_is_room(monkeypatch):
    network = Network([tiny_marian(SIZE)])
    first = network.encode(SOURCES)
    assert all(a is b for a, b in zip(network.encode(SOURCES), first, strict=True))
    monkeypatch.setattr(networks, "REMEMBERED_BYTES", 1)
    again = network.encode(SOURCES)
    assert all(torch.equal(a[0], b[0]) for a, b in zip(network.encode(SOURCES), again, strict=True))
    assert not network._encoded and network._encoded_bytes == 0


def test_a_model_that_computes_no_numbers_is_told():
    model = tiny_marian(SIZE)
    with torch.no_grad():
        model.model.decoder.layers[0].fc2.weight[0, 0] = float("nan")
    network = Network([model])
    with pytest.raises(ModelError, match=r"no numbers .*are its weights damaged"):
        network.rate(TARGETS, network.encode(SOURCES))

"""Models of Hugging Face's with what is added to them."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import embedding

from subfit.model.families import (
    ConfigWithLengths,
    ModelWithLengths,
    embed_with,
    new_body,
    settle,
    stored_body,
)
from tests.tiny_families import FAMILIES, tiny_family

SIZE = 30
CLASSES = [["short", SIZE, 0.95], ["long", SIZE + 1, None]]


def added_to(family: str, **lengths) -> ModelWithLengths:
    torch.manual_seed(1)
    body = tiny_family(family, SIZE)
    settle(body)
    config = ConfigWithLengths.of(body.config, body.generation_config, lengths)
    return ModelWithLengths(body, config).eval()


def test_a_table_goes_on_in_another_one():
    torch.manual_seed(1)
    table, more = torch.randn(5, 3), torch.randn(2, 3)
    tokens = torch.tensor([[0, 4, 5], [6, 1, 6]])
    assert torch.equal(embed_with(tokens, table, more), embedding(tokens, torch.cat([table, more])))
    assert torch.equal(embed_with(tokens[:1, :2], table, None), table[tokens[:1, :2]])


@pytest.mark.parametrize("family", FAMILIES)
@torch.inference_mode()
def test_asked_for_nothing_it_is_the_model_that_it_was(family):
    model = added_to(family, length_classes=CLASSES, length_encodings=["abs", "rel"])
    source, fed = torch.tensor([[5, 6, 7, 2], [8, 9, 10, 2]]), torch.tensor([[2, 11, 12]] * 2)
    mask, none = torch.ones_like(source), torch.zeros(2, dtype=torch.int64)
    states, _ = model.states(source, mask, fed, none)
    weight, bias = model.output_layer
    theirs = model.body(input_ids=source, attention_mask=mask, decoder_input_ids=fed).logits
    torch.testing.assert_close(states @ weight.T + bias, theirs, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_stored_is_all_that_a_new_body_needs(family):
    model = added_to(family, length_classes=CLASSES)
    stored = stored_body(model.body, torch.float32)
    assert len({(one.data_ptr(), one.shape) for one in stored.values()}) == len(stored)
    body = new_body(model.config).eval()
    body.load_state_dict(stored, strict=False)
    settle(body)
    source, fed = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[2, 11, 12]])
    with torch.inference_mode():
        ours = body(input_ids=source, decoder_input_ids=fed).logits
        theirs = model.body(input_ids=source, decoder_input_ids=fed).logits
    torch.testing.assert_close(ours, theirs)


def test_only_what_was_added_is_kept_beside():
    model = added_to("nllb", length_classes=CLASSES, length_encodings=["abs"])
    assert model.source_rows is not None and model.source_rows.shape[0] == len(CLASSES)
    assert "source_rows" in model.added
    assert not any(name.startswith("body.") for name in model.added)
    assert added_to("nllb").source_rows is None

"""Lists of pieces that a Marian model cannot have."""

import json

import pytest

from subfit.errors import ModelError
from subfit.model.tokenizer import check_vocabulary


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (["</s>"], "not an object"),
        ({"</s>": 0, "a": "1"}, "not an object"),
        ({"</s>": 0, "a": -1}, "piece 'a' has the number -1"),
        ({"</s>": 0, "a": 2}, "piece 'a' has the number 2"),
        ({"</s>": 0, "a": 0}, "the same number"),
    ],
)
def test_a_list_that_cannot_be_is_refused_by_its_name(tmp_path, pieces, said):
    (tmp_path / "vocab.json").write_text(json.dumps(pieces), encoding="utf-8")
    with pytest.raises(ModelError, match=said) as caught:
        check_vocabulary(tmp_path, 2)
    assert str(caught.value).startswith(f"{tmp_path / 'vocab.json'}: ")


def test_deep_nesting_and_nothing_at_all_are_refused(tmp_path):
    with pytest.raises(ModelError, match=r"vocab\.json is missing"):
        check_vocabulary(tmp_path, 2)
    (tmp_path / "vocab.json").write_text("[" * 9999, encoding="utf-8")
    with pytest.raises(ModelError, match="too deeply nested"):
        check_vocabulary(tmp_path, 2)


def test_numbers_below_the_size_will_do(tmp_path):
    (tmp_path / "vocab.json").write_text('{"</s>": 0, "a": 1}', encoding="utf-8")
    check_vocabulary(tmp_path, 2)
    check_vocabulary(tmp_path, None)

"""Characters counted piece by piece are those of the text, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import ModelError
from subfit.model.tokenizer import Tokenizer, normalize
from subfit.text.counting import Counting, count_characters
from tests.properties import examples
from tests.tiny import PAIRS


def byte_ids(tokenizer: Tokenizer) -> set[int]:
    return {tokenizer.token_id(f"<0x{byte:02X}>") for byte in range(256)}


def counted(tokenizer: Tokenizer, tokens: list[int]) -> int:
    """Characters by the table, as a budget counts them."""
    printed = sum(tokenizer.piece_characters[each] for each in tokens)
    leading = 0
    for each in tokens:
        if not tokenizer.piece_leads[each]:
            break
        leading += 1
        if tokenizer.piece_characters[each] > 1:
            break
    return printed - leading


SCRIPTS = (
    "aäßéÉ œŁçşğ żů αβ Жщ אָב عرب ไทย हिन्दी 漢字かな 한글 😀👩\u200d👧🇩🇪 ♪…–„“’"
    "\u00a0\u2028\u200b\u00ad\t\n\r\u0301▁<>"
)
TEXT = st.one_of(
    st.text(max_size=40),
    st.text(alphabet=SCRIPTS, max_size=60),
    st.text(alphabet=sorted({char for pair in PAIRS for char in pair.target}), max_size=80),
)


@examples(250)
@given(TEXT)
def test_odd_text_survives_and_is_counted_right(tokenizer, text):
    tokens = tokenizer.encode(text)
    assert tokenizer.decode(tokens) == normalize(text)
    assert counted(tokenizer, tokens) == len(normalize(text))


@examples(250)
@given(TEXT, st.sampled_from([Counting(), Counting(spaces=False), Counting(half_width=True)]))
def test_no_way_of_counting_gives_pieces_less_than_their_text(tokenizer, text, counting):
    tokens = tokenizer.encode(text)
    pieces = sum(count_characters(tokenizer.piece_texts[each], counting) for each in tokens)
    assert pieces >= count_characters(tokenizer.decode(tokens), counting)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("  two\t words\n", "two words"),
        ("a\u00a0b\u3000c\u2028d", "a b c d"),
        ("e\u0301", "é"),
        ("soft\u00adhyphen and\u200b space", "softhyphen and space"),
        ("lower ▁ block", "lower block"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_text_is_normalized_as_in_training(tokenizer, text, normal):
    assert normalize(text) == normal
    assert tokenizer.decode(tokenizer.encode(text)) == normal
    assert tokenizer.encode(text) == tokenizer.encode(normal) == tokenizer.encode_all([text])[0]


def test_characters_without_a_piece_are_spelt_in_bytes_and_count_once(tokenizer):
    tokens = tokenizer.encode("😀")
    bytes_of_it = [each for each in tokens if each in byte_ids(tokenizer)]
    assert len(bytes_of_it) == 4
    assert [tokenizer.piece_characters[each] for each in bytes_of_it] == [1, 0, 0, 0]


def test_text_cannot_smuggle_in_a_length_token(tokenizer):
    tokens = tokenizer.encode("<short> </s> <pad> <0x41>")
    assert tokenizer.token_id("<short>") not in tokens
    assert tokenizer.eos_id not in tokens
    assert tokenizer.decode(tokens) == "<short> </s> <pad> <0x41>"


@pytest.mark.parametrize("content", [None, b"", b"not a model", b"\x00" * 100])
def test_files_that_are_no_tokenizer_are_refused(tmp_path, content):
    path = tmp_path / "tokenizer.model"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=r"tokenizer\.model"):
        Tokenizer(path)

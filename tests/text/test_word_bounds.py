"""Where words may begin and end, in all kinds of scripts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.text.word_bounds import goes_on, split_unspaced, word_bounds

EUROPE = """
Das| |Boot|’|s| |ist| |weg|,| |U|-|Boot| |ß
„|Halt|!|“
E|-|Mail|-|Adresse
Lehrer|*|innen
z|.|B|.| |so
12|-|jährig
€|5|,|50
Häng|’|s| |auf|:| |los
¿|Qué| |niño|?| |¡|Sí|!| |pingüino
1|.|250|,|50| |€
ex|-|mujer
EE|.|UU|.
3|.|er| |piso
@|ana| |#|faro
L|'|été| |d|’|Anna
aujourd|'|hui
œuvre| |là|-|bas
«| |Non| |»
t|-|il
C|'|è| |l|’|amico
po|'| |città
E|'| |tardi
sig|.|ra| |Rossi
""".strip().splitlines()


@pytest.mark.parametrize(
    "words",
    [
        "The| |ship|'|s| |co|-|op| |get_text",
        *EUROPE,
        "e\u0301te\u0301| |x\u0323y",
        "किताबें| |क्षत्रिय",
        "שָׁלוֹם| |עֲלֵיכֶם",
        "می\u200cخواهم",
        "서울에서| |만나요",
        "灯|台|の|光|。",
        "使|用|Linux|系|统",
        "キャ|ッ|ト|と|ファ|ン",
        # Vowels that stand before their consonant, above it, and behind it.
        "โร|ง|เรี|ย|น|น้ำ",
        "ខ្មែ|រ",
    ],
)
def test_bounds(words: str) -> None:
    text, bounds = words.replace("|", ""), word_bounds(words.replace("|", ""))
    found = [text[a:b] for a, b in pairwise(sorted(bounds))]
    assert found == words.split("|")


@pytest.mark.parametrize(
    ("piece", "same_word"),
    [
        ("s", True),
        ("5", True),
        ("\u0301", True),
        ("ि", True),
        ("ั", True),
        ("塔", False),
        (" a", False),
        (",", False),
        ("", False),
    ],
)
def test_what_goes_on_with_a_word(piece: str, same_word: bool) -> None:
    assert goes_on(piece) is same_word


@given(st.text(alphabet="aé\u0301 -क\u093f\u094d灯ャโน\u0e31\u200d_1", max_size=12))
def test_a_text_is_its_words(text: str) -> None:
    assert {0, len(text)} <= word_bounds(text)
    assert "".join(split_unspaced(text)) == text

"""Pairs as subtitles would have them: both sides alike, nothing invented, nothing lost."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.model.tokenizer import normalize
from subfit.training.variations import VARIATIONS, vary

CASES = """\
unpunctuated|The door is open.|Die Tür ist offen.|The door is open|Die Tür ist offen
unpunctuated|It is 20 %.|Es sind 20 %.|It is 20 %|Es sind 20 %
fragment|If it rains, I stay.|Wenn es regnet, bleibe ich.|If it rains|Wenn es regnet
fragment|If it rains, I stay.|Wenn es regnet, bleibe ich.|If it rains,|Wenn es regnet,
fragment|If it rains, I stay.|Wenn es regnet, bleibe ich.|I stay.|bleibe ich.
fragment|I said: come in!|J'ai dit : entrez !|I said:|J'ai dit :
fragment|I said: come in!|J'ai dit : entrez !|I said|J'ai dit
fragment|I said: come in!|J'ai dit : entrez !|come in!|entrez !
fragment|And if he comes, what then?|¿Y si viene él, qué hago?|what then?|¿qué hago?
fragment|And if he comes, what then?|¿Y si viene él, qué hago?|And if he comes|Y si viene él
fragment|It is true, is it not?|Es verdad, ¿no es así?|is it not?|¿no es así?
ellipsis|I thought so.|Lo pensaba.|I thought so...|Lo pensaba...
ellipsis|I thought so.|Lo pensaba.|I thought so…|Lo pensaba…
ellipsis|If it rains, I stay.|S'il pleut, je reste.|If it rains...|S'il pleut...
ellipsis|If it rains, I stay.|S'il pleut, je reste.|...I stay.|...je reste.
emphasis|Help!|¡Socorro!|HELP!|¡SOCORRO!
emphasis|I am looking for Anna.|Ich suche Anna.|I am looking for ANNA.|Ich suche ANNA.
emphasis|Help!|À l'aide !|HELP!|À L'AIDE !
emphasis|I did not say so.|Das habe ich nicht gesagt.|I did NOT say so.|Das habe ich nicht gesagt.
fragment|If it rains, I stay.|Wenn es regnet, bleibe ich.|I stay|bleibe ich
stutter|Wait!|¡Espera!|W-wait!|¡E-Espera!
stutter|Wait!|¡Espera!|W-Wait!|¡E-Espera!
stutter|I'm cold.|J'ai froid.|I-I'm cold.|J-J'ai froid.
stutter|Tom is here.|Tom ist da.|T-Tom is here.|T-Tom ist da.
shouted|Does Tom know I'm here?|Weiß Tom das?|Does tom know I'm here?|Weiß Tom das?
"""


@pytest.mark.parametrize("case", CASES.splitlines())
def test_a_pair_can_be_shown_so(case):
    name, source, target, *expected = case.split("|")
    found = {VARIATIONS[name](source, target, random.Random(seed)) for seed in range(60)}
    assert tuple(expected) in found


NONE = [
    ("unpunctuated", "Who is there?", "Wer ist da?"),
    ("unpunctuated", "It is late.", "Es ist spät!"),
    ("unpunctuated", "At 5 p.m.", "Um 17 Uhr."),
    ("unpunctuated", "And then...", "Und dann..."),
    ("fragment", "At 10:30 or so.", "So um 10:30 Uhr."),
    ("fragment", "It is 3,5 now.", "Es ist jetzt 3,5."),
    ("fragment", "I know, Tom.", "Ich weiß das, und zwar schon seit gestern, Tom."),
    ("fragment", "I know that, he said.", "Er sagte: das weiß ich."),
    ("fragment", "Yes, I think he is right.", "Ich denke jedoch, er hat recht."),
    ("fragment", "He said, “come in”.", "Er sagte, „komm herein“."),
    ("fragment", "If Tom wins, we lose.", "Wir verlieren, falls Tom gewinnt."),
    ("ellipsis", "Who is there?", "Wer ist da?"),
    ("emphasis", "Wait, Tom!", "Tom, warte!"),
    ("emphasis", "OK.", "Gut."),
    ("emphasis", "It is so.", "So ist es."),
    ("stutter", "late again", "schon wieder spät"),
    ("stutter", "NO way!", "Nie im Leben!"),
    ("shouted", "The door is open.", "Die Tür ist offen."),
    ("shouted", "Anna", "Anna"),
    ("renamed", "It is late.", "Es ist spät."),
    ("renamed", "It is 5 now.", "Es ist jetzt 5."),
    ("renamed", "I met Anna.", "J'ai parlé d'Anna."),
    ("renamed", "Tom's mother came.", "Toms Mutter kam."),
]


@pytest.mark.parametrize(("name", "source", "target"), NONE)
def test_what_cannot_be_shown_so_is_left_alone(name, source, target):
    chosen = [VARIATIONS[name](source, target, random.Random(seed)) for seed in range(20)]
    if name == "emphasis" and "Tom" in source:  # the name may be, the verb may not
        assert set(chosen) == {("Wait, TOM!", "TOM, warte!"), ("WAIT, Tom!", "Tom, warte!")}
    else:
        assert chosen == [None] * 20


WORDS = st.one_of(
    st.sampled_from(["Tom", "Anna", "will", "NO", "12", "l'été", "it's", "straße", "«", "…", "ß"]),
    st.sampled_from(["¿no", "sí?", "¡ay!", "1984", "%", "12-14", "12–14", "Tom-3", "'Go'", "I'll"]),
)
TEXTS = st.lists(
    st.tuples(WORDS, st.sampled_from(["", ",", ".", " ;", " :", "?", " !", "..."])), min_size=1
).map(lambda words: normalize(" ".join(word + mark for word, mark in words)))
SEEDS = st.integers(0, 2**31)


@given(st.sampled_from(sorted(VARIATIONS)), TEXTS, TEXTS, SEEDS)
def test_varied_texts_are_normalised_differ_and_depend_on_the_seed_alone(name, one, other, seed):
    found = VARIATIONS[name](one, other, random.Random(seed))
    assert VARIATIONS[name](one, other, random.Random(seed)) == found
    if found is not None:
        assert found != (one, other)
        assert all(text and text == normalize(text) for text in found)


@given(SEEDS)
def test_another_name_stands_wherever_the_name_stood(seed):
    texts = ("Anna, does Anna live here?", "Anna, vive aquí Anna?")
    source, target = VARIATIONS["renamed"](*texts, random.Random(seed))
    name = source.split(",")[0]
    assert (source, target) == tuple(text.replace("Anna", name) for text in texts)
    assert re.fullmatch("[B-DF-HJ-NP-TV-Z][a-z]{3,}", name)


def test_shares_are_of_the_texts_that_a_variation_applies_to():
    chooser = random.Random(1)
    shares = {"unpunctuated": 0.2, "ellipsis": 0.1}
    shown = [vary("It is late.", "Es ist spät.", shares, chooser) for _ in range(2000)]
    assert sum(each == ("It is late", "Es ist spät") for each in shown) == pytest.approx(
        400, abs=60
    )
    trailing = sum(
        bool(each) and "late.." in each[0] + each[0].replace("…", "..") for each in shown
    )
    assert trailing == pytest.approx(200, abs=50)
    assert sum(each is None for each in shown) == pytest.approx(1400, abs=80)

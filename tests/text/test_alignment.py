import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.text.alignment import align, words_of


class Dictionary:
    """Knows a few words, each of one translation."""

    def __init__(self, **known):
        self.known = known

    def scores(self, source, source_words, target, target_words):
        return [
            [
                float(self.known.get(one.text.lower()) == other.text.lower())
                for other in target_words
            ]
            for one in source_words
        ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't go, Anna's here.", ["Don't", "go", "Anna", "'s", "here"]),
        ("C'est l’amour, n'est-ce pas ?", ["C'", "est", "l’", "amour", "n'", "est-ce", "pas"]),
        ("Quelqu'un, aujourd'hui", ["Quelqu'un", "aujourd'hui"]),
        ("At 7.15, for 1,000 €…", ["At", "7.15", "for", "1", "000"]),
        ("他在Linux灯塔里。", ["他", "在", "Linux", "灯", "塔", "里"]),
        ("किताबें, שָׁלוֹם", ["किताबें", "שָׁלוֹם"]),
        ("", []),
    ],
)
def test_words(text, words):
    assert [word.text for word in words_of(text)] == words


def best(alignment):
    """Per target word the source word that has most of it."""
    return {
        word.text: alignment.source[max(range(len(row)), key=row.__getitem__)].text
        for word, row in zip(alignment.target, alignment.of_target, strict=True)
    }


def test_words_are_aligned_by_what_is_known_of_them_however_they_are_ordered():
    known = Dictionary(i="ich", saw="sah", yesterday="gestern", him="ihn")
    found = best(align("I saw him yesterday.", "Gestern sah ich ihn.", known))
    assert found == {"Gestern": "yesterday", "sah": "saw", "ich": "I", "ihn": "him"}


def test_names_and_numbers_tell_without_a_table():
    found = best(align("We met Clara on March 12.", "Am 12. März trafen wir Clara."))
    assert found["Clara"] == "Clara" and found["12"] == "12"


def test_places_tell_where_nothing_else_does():
    assert best(align("aa bb cc", "xx yy zz")) == {"xx": "aa", "yy": "bb", "zz": "cc"}


texts = st.lists(st.sampled_from(["aa", "b'c", "Dd", "12", "é", "-", "…"]), max_size=6).map(
    " ".join
)


@given(texts, texts)
def test_shares_are_those_of_the_formula(source, target):
    """(evidence + 0.002) · exp(-2.5 · distance), a share of it for every word of the source."""
    found = align(source, target, Dictionary(aa="dd", é="aa"))
    ours, theirs = words_of(source), words_of(target)
    told = Dictionary(aa="dd", é="aa").scores(source, ours, target, theirs)
    for j, row in enumerate(found.of_target):
        worth = []
        for i, word in enumerate(ours):
            one, other = word.text.casefold(), theirs[j].text.casefold()
            same = 0.8 if word.text[0].isupper() or one.isdigit() else 0.3
            evidence = min(1.0, told[i][j] + (same if one == other else 0.0))
            distance = abs((i + 0.5) / len(ours) - (j + 0.5) / len(theirs))
            worth.append((evidence + 0.002) * math.exp(-2.5 * distance))
        assert row == pytest.approx([each / sum(worth) for each in worth])


def test_words_that_begin_alike_tell_a_little():
    found = align("the telephone", "das Telefon")
    assert found.source_sure[0] == 0.0
    assert found.source_sure[1] == pytest.approx(0.3 * 4 / 9 / (0.3 * 4 / 9 + 0.02))

"""What is not said stays beside the words, and joined the parts are the text again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.text.non_speech import split_non_speech


@pytest.mark.parametrize(
    ("lead", "words", "tail"),
    [
        ("[DOOR SLAMS] ", "Who's there?", ""),
        ("(SIGHS) ", "I'll be late.", ""),
        ("", "That is all.", " (laughs softly)"),
        ("MAN #1: ", "Stop!", ""),
        ("Q: ", "Why?", ""),
        (">> ", "Where is he?", ""),
        (">>> DR. SMITH: [sighs] ", "No.", " [MUSIC PLAYS]"),
        ("[Nora]: ", "I am here.", ""),
        ("\u202b", "The family is here.", "\u202c"),
        ("", "(I think so.) Yes.", ""),
        ("", "He is (as far as I know) away.", ""),
        ("", "WARNING: KEEP OUT", ""),
        (">> [SIREN] ", "REPORTER: THE MAYOR SAID", ""),
        ("", "Note: it is late.", ""),
        # Letters without case are no capitals.
        ("", "(मुझे ऐसा ही लगता है) हाँ।", ""),
        ("(दरवाज़ा बंद) ", "कौन है?", ""),
        ("", "(אני חושב שאולי זה כן) טוב", ""),
        ("(ドアの音) ", "誰だ？", ""),
        ("", "[DOOR SLAMS]", ""),
        ("", "At 10:30 [sic] we left.", ""),
    ],
)
def test_both_ends_are_known(lead: str, words: str, tail: str) -> None:
    assert split_non_speech(lead + words + tail) == (lead, words, tail)


def test_sounds_may_be_words_too() -> None:
    assert split_non_speech(">> [sighs] No.", sounds=False) == (">> ", "[sighs] No.", "")


@given(st.text("aB. :#[]()>", max_size=20))
def test_nothing_is_lost_and_words_stay(text: str) -> None:
    parts = split_non_speech(text)
    assert "".join(parts) == text
    assert parts[1] or not text


@pytest.mark.parametrize(
    "label",
    ["DR. O'NEIL (OVER RADIO): ", "MAN (ON PHONE): ", "McCOY: ", "MAN [whispering]: "],
)
def test_who_speaks_may_have_a_manner(label: str) -> None:
    assert split_non_speech(label + "We need help.") == (label, "We need help.", "")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("John: I know.", "John: "),
        ("Mary Ann (whispering): Go.", "Mary Ann (whispering): "),
        ("Old man: Ah.", "Old man: "),
        ("Mr. Smith: No.", "Mr. Smith: "),
        ("Note: it is late.", ""),
        ("Finally: we won.", ""),
        ("Challenge: write it.", ""),
        ("Attention: stand back.", ""),
        ("He said: no.", ""),
    ],
)
def test_english_names_need_no_capitals_throughout(text: str, label: str) -> None:
    assert split_non_speech(text, english=True)[0] == label
    assert split_non_speech(text)[0] == ""

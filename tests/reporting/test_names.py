"""Names that are kept in one sentence and not in another are told."""

from __future__ import annotations

from subfit.limits.guideline import Guideline
from subfit.localization import localize
from subfit.reporting.names import InconsistentName, inconsistent_names
from subfit.subtitles.cues import Cue, Track
from tests.reporting.conftest import with_outcome
from tests.scripted import ScriptedTranslator


def inconsistent(
    *pairs: tuple[str, str], language: str = "de", **spoken: str
) -> tuple[InconsistentName, ...]:
    """Names of a track of these cues, with translations of what their sentences are read as."""
    cues = tuple(Cue(4000 * n, 4000 * n + 3950, pair[0]) for n, pair in enumerate(pairs))
    translator = ScriptedTranslator(dict(pairs) | spoken)
    done = localize(Track(cues, "srt"), translator, Guideline(language=language))
    assert done.report.names == inconsistent_names(done.report.cues, language)
    return done.report.names


def test_a_name_that_is_lost_here_and_kept_there_is_told():
    assert inconsistent(
        ("I saw Marlowe.", "Ich sah Marlowe."),
        ("Marlowe has the key.", "Die Schulter hat den Schlüssel."),
        ("Ask Marlowe!", "Frag Marlowe!"),
    ) == (InconsistentName("Marlowe", 3, (2,)),)


def test_what_is_always_kept_or_never_is_not():
    assert not inconsistent(
        ("I met Anna in Vienna.", "Ich traf Anna in Wien."),
        ("Anna left Vienna.", "Anna verließ Wien."),
    )


def test_a_word_that_is_also_written_small_or_only_begins_sentences_is_no_name():
    assert not inconsistent(
        ("Has he seen Will?", "Hat er Will gesehen?"),
        ("Will you go? He will.", "Gehst du? Er wird."),
        ("Radio is on.", "Radio ist an."),
        ("Radio again.", "Noch einmal Rundfunk."),
    )


def test_a_genitive_is_a_name():
    pairs = ("This is Anna's hat.", "Das ist Annas Hut."), ("It was Anna.", "Es war Hanna.")
    assert inconsistent(*pairs) == (InconsistentName("Anna", 2, (2,)),)


def test_cues_in_capitals_tell_nothing():
    pairs = ("THE DOOR, ANNA!", ""), ("Is it Anna?", "Ist es Anna?")
    assert not inconsistent(*pairs, **{"The door, Anna!": "Die Tür!"})


def test_a_sentence_over_two_cues_may_have_a_name_in_either():
    pairs = ("I told you that", ""), ("Anna is here.", ""), ("It was Anna.", "Das war sie.")
    whole = {"I told you that Anna is here.": "Dass Anna hier ist, habe ich dir schon gesagt."}
    assert inconsistent(*pairs, **whole) == (InconsistentName("Anna", 2, (3,)),)


def test_a_name_that_was_left_out_with_its_words_is_not_told_again():
    pairs = ("Look, Anna!", "Schau!"), ("It was Anna.", "Anna."), ("Is it Anna?", "Ist sie es?")
    cues = tuple(Cue(4000 * n, 4000 * n + 3950, pair[0]) for n, pair in enumerate(pairs))
    done = localize(Track(cues, "srt"), ScriptedTranslator(dict(pairs)), Guideline(language="de"))
    first, *others = done.report.cues
    condensed = with_outcome(first, omitted=("Anna",))
    assert done.report.names == (InconsistentName("Anna", 3, (1, 3)),)
    assert inconsistent_names([condensed, *others], "de") == (InconsistentName("Anna", 2, (3,)),)


def test_the_most_frequent_comes_first():
    names = inconsistent(
        ("So Zoe met Anna.", "Zoe traf Anna."),
        ("So Anna met Zoe.", "Sie trafen sich."),
        ("So Anna left.", "Anna ging."),
    )
    assert [name.name for name in names] == ["Anna", "Zoe"]

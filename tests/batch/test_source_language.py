"""The language of input that nobody names."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.batch.source_language import FEWEST_CUES, Guess, guess_source, misnamed
from subfit.errors import UsageError
from subfit.subtitles.formats import parse_track

CUE = "1\n00:00:01,000 --> 00:00:03,000\n{}\n"
GERMAN = "Ich weiß nicht, wo der Hund ist, aber er war hier."
ENGLISH = "I do not know where the dog is, but he was here."
FRENCH = "Je ne sais pas où est le chien, mais il était ici."


@pytest.fixture
def films(tmp_path: Path):
    def made(**texts: str) -> list[str]:
        """Files by their names, with ``_`` for the full stops before the suffix."""
        for name, text in texts.items():
            path = tmp_path / f"{name.replace('_', '.')}.srt"
            path.write_text(CUE.format(text), encoding="utf-8")
        return sorted(map(str, tmp_path.glob("*.srt")))

    return made


@pytest.mark.parametrize(
    ("texts", "targets", "language", "why"),
    [
        ({"film_de": GERMAN}, ["fr"], "de", "the name of film.de.srt"),
        ({"film_de": ENGLISH}, ["fr"], "de", "the name of film.de.srt"),  # the name goes first
        ({"film_en": GERMAN}, ["de"], "en", ""),
        ({"film_pt-BR": "Oi."}, ["de"], "pt-BR", "the name of film.pt-BR.srt"),
        ({"film": GERMAN}, ["fr"], "de", "the text of film.srt"),
        ({"film": ENGLISH}, ["fr"], "en", ""),
        ({"film": "Anna!"}, ["fr"], "en", ""),
        ({"film_de": GERMAN, "film_en": ENGLISH}, ["fr"], "en", ""),
        ({"a_it": "Sì.", "b_it": "No."}, ["fr"], "it", "the name of b.it.srt"),
        ({"film_de": ENGLISH}, ["de"], "en", ""),  # named ahead
        ({"film": GERMAN}, ["de"], "en", ""),  # as it was before; the same language is refused
    ],
)
def test_names_go_before_texts(films, texts, targets, language, why):
    guess = guess_source(films(**texts), targets)
    assert (guess.language, guess.why) == (language, why)


TEXTS = {
    "de": GERMAN,
    "fr": FRENCH,
    "es": "No sé dónde está el perro, pero estuvo aquí con nosotros.",
    "it": "Non so dove sia il cane, ma era qui con noi e con lui.",
}


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("target", ["en", "en-GB", "en-US"])
def test_every_language_is_told_by_name_and_by_text(films, language, target):
    (named,) = films(**{f"film_{language}": "Anna!"})
    assert guess_source([named], [target]).why == f"the name of film.{language}.srt"
    (text,) = (each for each in films(other=TEXTS[language]) if "other" in each)
    guess = guess_source([text], [target])
    assert (guess.language, guess.why) == (language, "the text of other.srt")


@pytest.mark.parametrize("tag", ["de-AT", "es-MX", "fr-CA", "it-CH", "deu", "spa", "fra", "ita"])
def test_regions_and_longer_tags_are_told_by_the_name(films, tag):
    (named,) = films(**{f"film_{tag}": "Anna!"})
    guess = guess_source([named], ["en"])
    assert guess.why == f"the name of film.{tag}.srt"
    assert guess.language.startswith(tag[:2])


def test_several_languages_are_asked_about(films):
    with pytest.raises(
        UsageError, match=r"a\.it\.srt \(it\), .*b\.fr\.srt|b\.fr\.srt \(fr\), a\.it"
    ):
        guess_source(films(a_it="Sì.", b_fr="Oui."), ["de"])


def test_a_folder_of_one_language_is_of_that(films, tmp_path):
    films(a_it="Sì.", b_it="No.")
    assert guess_source([str(tmp_path)], ["de"]).language == "it"


def test_of_a_folder_english_files_are_taken(films, tmp_path):
    films(a_it="Sì.", a_en="Yes.")
    assert guess_source([str(tmp_path)], ["de"]).language == "en"


@pytest.mark.parametrize("inputs", [["-"], ["absent.srt"], ["*.nothing"], [""]])
def test_what_cannot_be_read_is_left_to_whoever_reads_it(inputs):
    assert guess_source(inputs, ["de"]).language == "en"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("tiny translates from en, not from it", True),
        ("no model comes with subfit for it to ja", True),
        ("--pivot-model is for pairs without English; leave it out for -s it", True),
        ("--sheet is for workbooks; leave it out", False),
        ("nowhere: no model here", False),
    ],
)
def test_what_told_the_language_is_said_where_it_is_spoken_of(message: str, told: bool) -> None:
    explained = Guess("it", "the name of film.it.srt").explaining(message)
    assert explained.startswith(message)
    assert explained.endswith("(the name of film.it.srt says it; -s names another)") == told
    assert Guess("it").explaining(message) == message


def track(text: str, cues: int):
    times = (f"00:00:{second:02}" for second in range(1, 2 * cues, 2))
    blocks = (f"{k}\n{time},000 --> {time},900\n{text}\n" for k, time in enumerate(times, 1))
    return parse_track("\n".join(blocks).encode(), name="film.srt")


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        (ENGLISH, "de", "the text reads like en, and is translated from de; -s names another"),
        (GERMAN, "en-US", "the text reads like de, and is translated from en-US; -s names another"),
        (GERMAN, "de-AT", None),
        (ENGLISH, "sv", None),  # which is not told from others
        ("Sintel! Scales! Ishtar!", "de", None),
    ],
)
def test_a_text_in_another_language_than_it_is_taken_for_is_told(text, language, told):
    repairs = misnamed(track(text, FEWEST_CUES), language)
    assert [(one.line, one.problem) for one in repairs] == ([] if told is None else [(1, told)])
    assert not misnamed(track(text, FEWEST_CUES - 1), language)

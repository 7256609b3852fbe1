"""What speaks against translations, as `localize` finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest

from subfit.decoding.hypotheses import Hypothesis, RatedPiece, Request
from subfit.fitting.options import Options
from subfit.fitting.outcomes import CueOutcome
from subfit.limits.guideline import Guideline
from subfit.localization import localize
from subfit.subtitles.formats import parse_track
from subfit.text.alignment import Word
from tests.scripted import ScoredTranslator as Scored
from tests.scripted import ScriptedTranslator

NO_LIMITS = Guideline("none", "de")
SHORT = Guideline("short", "de", max_characters=16)
SOURCE = "The old lighthouse burns."
WHOLE, CUT = "Der alte Leuchtturm brennt.", "Der Turm brennt."
PAIRS = {("old", "alte"), ("lighthouse", "leuchtturm"), ("burns", "brennt"), ("the", "der")}


class Dictionary:
    """Knows some pairs of words."""

    def scores(
        self, source: str, source_words: Sequence[Word], target: str, target_words: Sequence[Word]
    ) -> list[list[float]]:
        return [
            [float((one.text.lower(), other.text.lower()) in PAIRS) for other in target_words]
            for one in source_words
        ]


class Knowing(Scored):
    """Has a dictionary."""

    word_scores = Dictionary()


def outcomes(
    translator: ScriptedTranslator, source: str, guideline: Guideline = NO_LIMITS
) -> tuple[CueOutcome, ...]:
    track = parse_track(source.encode(), name="a.srt", format="srt")
    return localize(
        track, translator, guideline, Options(condense=False, strict_budget=True)
    ).outcomes


def cue(text: str) -> str:
    return f"1\n00:00:01,000 --> 00:00:09,000\n{text}\n"


def test_words_that_only_the_natural_translation_has_are_dropped() -> None:
    (whole,) = outcomes(Knowing({SOURCE: [WHOLE, CUT]}), cue(SOURCE))
    (cut,) = outcomes(Knowing({SOURCE: [WHOLE, CUT]}), cue(SOURCE), SHORT)
    (before,), (after,) = whole.risk_features, cut.risk_features
    assert (whole.target, cut.target) == (WHOLE, CUT)
    assert before.dropped == before.unsaid == before.shortening == before.loss == 0.0
    assert after.dropped == pytest.approx(2.0, abs=0.2)  # old, lighthouse; "the" is no loss
    assert after.unsaid == pytest.approx(2 / 3)
    assert after.unfounded == pytest.approx(1 / 3)  # Turm
    assert after.shortening > 0 and after.loss == pytest.approx(0.1)
    assert whole.risk is not None and cut.risk is not None and whole.risk < cut.risk


@pytest.mark.parametrize(
    ("source", "target", "lost"),
    [
        ("Then Walter rowed to Port Ellery.", "Dann ruderte Walter nach Port Ellery.", 0),
        ("Then Walter rowed to Port Ellery.", "Dann ruderte Walter in den Hafen.", 2),
        ("Nobody saw it.", "Keiner sah es.", 0),  # a capital at the start tells nothing
        ("NOBODY SAW WALTER.", "KEINER SAH IHN.", 0),
    ],
)
def test_names_that_a_translation_does_not_have_are_counted(
    source: str, target: str, lost: int
) -> None:
    spoken = source.capitalize() if source.isupper() else source
    (one,) = outcomes(Scored({source: target, spoken: target}), cue(source))
    assert [each.names for each in one.risk_features] == [lost]


NAMES = {
    "es": """
        Luego Walter remó hasta Puerto Elena. | Then Walter rowed to Puerto Elena. | 0
        Luego Walter remó hasta Puerto Elena. | Then Walter rowed to the harbour. | 2
        Nadie lo vio. | Nobody saw it. | 0
        Ayer vino Ana. | Yesterday somebody came. | 1
        Pero Él lo sabe. | But he knows. | 0
        La señora Ruiz duerme. | The lady is asleep. | 1
        ¿Conoces a Óscar? | Do you know him? | 1
        ¿Conoces a Óscar? | Do you know Óscar? | 0
        Vive en Toledo con Eva. | She lives in Toledo. | 1
        Para Ti, nada. | Nothing for you. | 0
        Soy yo, Pablo. | It is me. | 1
        NADIE VIO A WALTER. | NOBODY SAW HIM. | 0
    """,
    "fr": """
        Puis Walter rama vers Port-Louis. | Then Walter rowed to Port-Louis. | 0
        Puis Walter rama vers Port Louis. | Then Walter rowed to the harbour. | 2
        Personne ne l'a vu. | Nobody saw it. | 0
        Hier, j'ai vu Anna. | Yesterday I saw somebody. | 1
        C'est le bateau d'Anna. | It is her boat. | 1
        C'est le bateau d'Anna. | It is Anna's boat. | 0
        Mais Lui le sait. | But he knows. | 0
        Mme Leroy dort. | The lady is asleep. | 1
        Tu connais l’Italie ? | Do you know it? | 1
        C'est moi, Paul. | It is me. | 1
        Elle vit à Brest avec Ève. | She lives in Brest. | 1
        PERSONNE N'A VU WALTER. | NOBODY SAW HIM. | 0
    """,
    "it": """
        Poi Walter remò fino a Porto Elba. | Then Walter rowed to Porto Elba. | 0
        Poi Walter remò fino a Porto Elba. | Then Walter rowed to the harbour. | 2
        Nessuno l'ha visto. | Nobody saw it. | 0
        Ieri è venuta Anna. | Yesterday somebody came. | 1
        È la barca d'Anna. | It is her boat. | 1
        È la barca d'Anna. | It is Anna's boat. | 0
        Ma Lui lo sa. | But he knows. | 0
        La signora Rossi dorme. | The lady is asleep. | 1
        Conosci l’Elba? | Do you know it? | 1
        Sono io, Paolo. | It is me. | 1
        Abita a Torino con Eva. | She lives in Torino. | 1
        NESSUNO HA VISTO WALTER. | NOBODY SAW HIM. | 0
    """,
    # Of all its capitals nobody can tell which are names.
    "de": """
        Dann ruderte Walter nach Borkum. | Then Walter rowed away. | None
        Niemand hat es gesehen. | Nobody saw it. | None
        Das Boot ist weg. | It is gone. | None
    """,
}


@pytest.mark.parametrize(
    ("language", "source", "target", "lost"),
    [
        (language, *(cell.strip() for cell in row.split(" | ")))
        for language, rows in NAMES.items()
        for row in rows.strip().splitlines()
    ],
)
def test_names_of_other_sources_are_counted(
    language: str, source: str, target: str, lost: str
) -> None:
    spoken = source.capitalize() if source.isupper() else source
    track = parse_track(cue(source).encode(), name="a.srt", format="srt")
    options = Options(condense=False, strict_budget=True, source_language=language)
    translator = Scored({source: target, spoken: target})
    (one,) = localize(track, translator, Guideline("none", "en"), options).outcomes
    assert [str(each.names) for each in one.risk_features] == [
        "None" if lost == "None" else f"{lost}.0"
    ]


def test_without_a_table_nobody_can_tell_what_was_dropped() -> None:
    (cut,) = outcomes(Scored({SOURCE: [WHOLE, CUT]}), cue(SOURCE), SHORT)
    (features,) = cut.risk_features
    assert (features.dropped, features.unsaid, features.unfounded) == (None, None, None)
    assert cut.risk is not None


def test_cues_of_a_sentence_have_their_parts_and_sounds_and_songs_have_no_risk() -> None:
    class Sure(Knowing):
        """Is unsure of the end of what it says."""

        def rate_pieces(
            self,
            texts: Sequence[str],
            hypotheses: Sequence[Hypothesis],
            formalities: Sequence[str | None] = (),
        ) -> list[list[RatedPiece]]:
            return [[RatedPiece(0.2, 0.1), RatedPiece(0.4, 0.3), RatedPiece(1.0, 5.0)]]

    script = {"The old lighthouse burns tonight.": "Der alte Leuchtturm verschwindet heute."}
    texts = ["The old lighthouse", "burns tonight.", "[DOOR SLAMS]", "♪ La la ♪"]
    lines = [
        f"{n}\n00:00:0{2 * n},000 --> 00:00:0{2 * n + 1},900\n{text}\n"
        for n, text in enumerate(texts, 1)
    ]
    first, second, sound, song = outcomes(Sure(script), "\n".join(lines))
    assert first.joined == (0, 1)
    (one,), (other,) = first.risk_features, second.risk_features
    assert (one.improbability, other.improbability) == (pytest.approx(0.2), 5.0)
    assert (one.unsaid, other.unsaid) == (0.0, 1.0)  # nothing stands for what is in the second
    assert first.risk is not None and second.risk is not None and first.risk < second.risk
    assert (sound.risk, song.risk) == (None, None)


def test_a_cue_of_two_speakers_has_the_risk_of_both() -> None:
    script = {"Who is there?": "Wer ist da?", "Nobody.": "Niemand."}
    (both,) = outcomes(Scored(script), cue("- Who is there?\n- Nobody."))
    apart = [outcomes(Scored(script), cue(text))[0].risk for text in script]
    assert len(both.risk_features) == 2
    for risk, other in product([both.risk], apart):
        assert risk is not None and other is not None and risk > other


def test_a_poorer_score_is_a_higher_risk() -> None:
    class Unsure(Scored):
        def _answers(self, request: Request) -> list[Hypothesis]:
            answers = super()._answers(request)
            return [replace(one, score=-3.0, log_probability=-15.0) for one in answers]

    (sure,) = outcomes(Scored({SOURCE: WHOLE}), cue(SOURCE))
    (unsure,) = outcomes(Unsure({SOURCE: WHOLE}), cue(SOURCE))
    assert sure.risk is not None and unsure.risk is not None and sure.risk < unsure.risk


def test_scores_that_are_no_probabilities_are_no_risk() -> None:
    (one,) = outcomes(ScriptedTranslator({SOURCE: WHOLE}), cue(SOURCE))
    assert (one.status, one.risk_features, one.risk) == ("fits", (), None)


class GivingBack(Scored):
    """Has a model beside it that gives back words in capitals badly."""

    def given_back(
        self, texts: Sequence[str], translations: Sequence[str]
    ) -> list[list[RatedPiece] | None]:
        self.asked = list(zip(texts, translations, strict=True))
        return [None if "unreadable" in text else _by_capitals(text) for text in texts]


def _by_capitals(text: str) -> list[RatedPiece]:
    words = text.split()
    ends = [len(" ".join(words[: number + 1])) / len(text) for number in range(len(words))]
    pieces = [
        RatedPiece(end, 5.0 if word.isupper() else 1.0)
        for end, word in zip(ends, words, strict=True)
    ]
    return [*pieces, RatedPiece(1.0, 1.0)]


def test_each_cue_has_what_is_given_back_of_its_part_of_the_source() -> None:
    source = "She rows to the harbour and sings OLD songs."
    model = GivingBack({source: "Sie rudert zum Hafen und singt alte Lieder."})
    first, second = outcomes(
        model,
        cue("She rows to the harbour")
        + "\n2\n00:00:09,000 --> 00:00:19,000\nand sings OLD songs.\n",
    )
    assert model.asked == [(source, "Sie rudert zum Hafen und singt alte Lieder.")]
    assert [(one.unreturned, one.unreturned_piece) for one in first.risk_features] == [(1.0, 1.0)]
    (own,) = second.risk_features
    assert own.unreturned == pytest.approx(9 / 5) and own.unreturned_piece == 5.0  # with its end
    assert first.risk is not None and second.risk is not None and first.risk < second.risk


def test_what_cannot_be_given_back_is_not_known() -> None:
    source = "This is unreadable."
    ((one,),) = (o.risk_features for o in outcomes(GivingBack({source: "Das geht."}), cue(source)))
    assert one.unreturned is None and one.unreturned_piece is None
    ((other,),) = (o.risk_features for o in outcomes(Scored({source: "Das geht."}), cue(source)))
    assert one == other


def test_models_of_others_read_turns_of_speech_as_they_stand() -> None:
    script = {"The old lighthouse goes bananas.": "Der alte Leuchtturm dreht durch."}
    (said,) = outcomes(Scored(script), cue("The old lighthouse goes bananas."))
    assert said.status == "fits"

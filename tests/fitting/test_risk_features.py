"""What speaks against translations, as `localize` finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.fitting.options import Options
from subfit.fitting.outcomes import CueOutcome
from subfit.limits.guideline import Guideline
from subfit.localization import localize
from subfit.subtitles.formats import parse_track
from subfit.text.alignment import Word
from subfit.text.known_words import KnownWords, fingerprint
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


class Scored(ScriptedTranslator):
    """Its answers have pieces, as those of a model have whose scores are probabilities."""

    def _answers(self, request: Request) -> list[Hypothesis]:
        return [replace(one, token_ids=(1, 2)) for one in super()._answers(request)]


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


def test_without_a_table_nobody_can_tell_what_was_dropped() -> None:
    (cut,) = outcomes(ScriptedTranslator({SOURCE: [WHOLE, CUT]}), cue(SOURCE), SHORT)
    (features,) = cut.risk_features
    assert (features.dropped, features.unsaid, features.unfounded) == (None, None, None)
    assert features.unfamiliar is None and cut.risk is not None


def test_words_that_the_model_never_saw_are_counted() -> None:
    class Read(ScriptedTranslator):
        known_words = KnownWords(map(fingerprint, ["der", "alte", "brennt"]), "de")

    (cue_with_one,) = outcomes(Read({SOURCE: WHOLE}), cue(SOURCE))
    assert [each.unfamiliar for each in cue_with_one.risk_features] == [1.0]  # Leuchtturm


def test_cues_that_share_a_sentence_share_its_risk_and_sounds_and_songs_have_none() -> None:
    script = {"Who wrote the letter to me?": "Wer schrieb mir den Brief?"}
    texts = ["Who wrote the letter", "to me?", "[DOOR SLAMS]", "♪ La la ♪"]
    lines = [
        f"{n}\n00:00:0{2 * n},000 --> 00:00:0{2 * n + 1},900\n{text}\n"
        for n, text in enumerate(texts, 1)
    ]
    first, second, sound, song = outcomes(ScriptedTranslator(script), "\n".join(lines))
    assert first.joined == (0, 1)
    assert first.risk == second.risk is not None
    assert (sound.risk, song.risk) == (None, None)


def test_a_cue_of_two_speakers_has_the_risk_of_both() -> None:
    script = {"Who is there?": "Wer ist da?", "Nobody.": "Niemand."}
    (both,) = outcomes(ScriptedTranslator(script), cue("- Who is there?\n- Nobody."))
    apart = [outcomes(ScriptedTranslator(script), cue(text))[0].risk for text in script]
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


def test_the_model_disagrees_where_its_best_translations_share_few_words() -> None:
    alike = [WHOLE, "Der alte Leuchtturm brennt!"]
    unlike = [WHOLE, "Ein Feuer ist im Turm."]
    same, near, far = (
        outcomes(Scored({SOURCE: answers}), cue(SOURCE))[0].risk_features[0].disagreement
        for answers in ([WHOLE], alike, unlike)
    )
    assert same == near == 0.0
    assert far is not None and 0.3 < far < 0.5  # no word in common, nearly as probable


def test_scores_that_are_no_probabilities_tell_nothing() -> None:
    (one,) = outcomes(ScriptedTranslator({SOURCE: WHOLE}), cue(SOURCE))
    (features,) = one.risk_features
    assert (features.improbability, features.surprise, features.loss) == (None, None, None)
    assert one.risk is not None

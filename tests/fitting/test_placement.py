"""Fitted sentences put back into cues: what stands in each, and what is told of it."""

from __future__ import annotations

from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.placement import outcomes_of
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.subtitles.formats import parse_track
from subfit.subtitles.sentences import join_cues, parse_cues
from tests.scripted import ScriptedTranslator

STRICT = Options(strict_budget=True)
NETFLIX = Guideline.load("netflix", "de")


def srt(*texts: str):
    """A track of cues of four seconds, a second apart."""
    blocks = [
        f"{n}\n00:00:{5 * n:02},000 --> 00:00:{5 * n + 4:02},000\n{text}\n"
        for n, text in enumerate(texts, 1)
    ]
    return parse_track("\n".join(blocks).encode(), name="scene.srt", format="srt")


def test_what_is_kept_by_rule_and_what_was_not_translated_stand_as_they_are_and_say_why():
    track = srt("♪ La la ♪", "[DOOR SLAMS]", "", "<i>Wait!</i>")
    texts = parse_cues(track.cues, track.format)
    sentences = join_cues(track.cues, texts)
    budgets = [LengthBudget()] * len(texts)
    outcomes = outcomes_of(track, texts, budgets, sentences, [], NETFLIX)
    assert [(each.status, each.note, each.payload) for each in outcomes] == [
        ("passed", "music is kept", "♪ La la ♪"),
        ("passed", "sound descriptions are kept", "[DOOR SLAMS]"),
        ("passed", "nothing to translate", ""),
        ("untranslated", "the model found no translation", "<i>Wait!</i>"),
    ]


def test_a_cue_stays_as_it_is_if_one_of_its_speakers_cannot_be_translated():
    script = {"Who is there?": "Wer ist da?", "Nobody.": "Niemand."}
    track = srt("- Who is there?\n- Nobody.")
    (whole,) = localize(track, ScriptedTranslator(script), NETFLIX).outcomes
    assert (whole.status, whole.payload) == ("fits", "- Wer ist da?\n- Niemand.")
    (half,) = localize(track, ScriptedTranslator({**script, "Nobody.": []}), NETFLIX).outcomes
    assert (half.status, half.payload) == ("untranslated", track.cues[0].text)


def test_a_speaker_who_only_makes_a_sound_keeps_the_line_beside_the_translation():
    track = srt("- Who is there?\n- [DOG BARKS]")
    (cue,) = localize(track, ScriptedTranslator({"Who is there?": "Wer ist da?"}), NETFLIX).outcomes
    assert (cue.status, cue.payload) == ("fits", "- Wer ist da?\n- [DOG BARKS]")


def test_doubt_is_told_of_the_cue_where_the_sentence_ends_and_not_of_natural_ends():
    class Cut(ScriptedTranslator):
        def _answers(self, request: Request) -> list[Hypothesis]:
            natural = "Er sagte damals, dass er nie mehr hierher zurückkommen würde."
            short = "Er sagte damals, dass er nie mehr."
            text = natural if request.asked == FREE else short
            return [Hypothesis(text, float(len(text)), -0.2, -0.2, closing=-9.0)]

    def doubts(seconds: int) -> list[bool]:
        file = (
            "1\n00:00:00,000 --> 00:00:01,500\nHe said that he would\n\n"
            f"2\n00:00:01,600 --> 00:00:0{seconds},000\nnever come back here.\n"
        )
        track = parse_track(file.encode(), name="scene.srt", format="srt")
        done = localize(track, Cut({}), Guideline.load("netflix", "de"), STRICT)
        assert [each.status for each in done.outcomes] == ["fits", "fits"]
        return ["end" in each.losses for each in done.outcomes]

    assert doubts(3) == [False, True]
    assert doubts(9) == [False, False]


def test_a_joined_sentence_is_put_back_with_its_markup():
    track = parse_track(
        b"1\n00:00:01,000 --> 00:00:05,000\nI saw the opera <i>Rigoletto</i>\n\n"
        b"2\n00:00:05,100 --> 00:00:09,000\nand then <b>Aida</b> in Verona.\n",
        name="a.srt",
    )
    source = "I saw the opera Rigoletto and then Aida in Verona."
    target = "Ich sah die Oper Rigoletto und dann Aida in Verona."
    done = localize(track, ScriptedTranslator({source: target}), Guideline.load("netflix", "de"))
    text = " ".join(" ".join(cue.text.split()) for cue in done.track.cues)
    assert text == "Ich sah die Oper <i>Rigoletto</i> und dann <b>Aida</b> in Verona."
    assert done.outcomes[0].joined == (0, 1)

"""Tracks with labels in another language, or without any."""

from __future__ import annotations

import pytest

from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.sdh import with_labels

SRT = """\
1
00:00:01,000 --> 00:00:02,000
[DOOR SLAMS]

2
00:00:03,000 --> 00:00:04,000
MAN: Who is it?

3
00:00:05,000 --> 00:00:06,000
<i>[JOHN LAUGHS]</i>

4
00:00:07,000 --> 00:00:08,000
Nobody. [SIGHS]
"""


def parsed(text: str, format: str):
    return parse_track(text.encode(), name=f"film.{format}", format=format)


def written(track, format: str) -> str:
    return render_track(track, output_format=format, output_encoding=None, name="-").decode()


def test_nothing_changes_where_nothing_is_asked_for():
    track = parsed(SRT, "srt")
    same = with_labels(track, "keep", "de")
    assert same.track is track and same.source is track and same.labels is None


def test_labels_are_translated_and_the_others_are_told():
    done = with_labels(parsed(SRT, "srt"), "translate", "de")
    assert [cue.text for cue in done.track.cues] == [
        "[TÜR KNALLT]",
        "MANN: Who is it?",
        "<i>[JOHN LAUGHS]</i>",
        "Nobody. [SEUFZT]",
    ]
    assert done.labels is not None
    assert done.labels.changed == 3 and done.labels.unknown == (("[JOHN LAUGHS]", 1),)
    assert not done.labels.dropped and done.shown is done.source


def test_cues_that_are_nothing_else_go_and_the_rest_is_numbered_anew():
    done = with_labels(parsed(SRT, "srt"), "remove", "de")
    assert written(done.track, "srt") == (
        "1\n00:00:03,000 --> 00:00:04,000\nWho is it?\n\n"
        "2\n00:00:07,000 --> 00:00:08,000\nNobody.\n"
    )
    assert done.labels is not None and done.labels.changed == 4
    dropped = [(each.number, each.start, each.text) for each in done.labels.dropped]
    assert dropped == [(1, 1000, "[DOOR SLAMS]"), (3, 5000, "<i>[JOHN LAUGHS]</i>")]
    assert [cue.text for cue in done.source.cues] == ["MAN: Who is it?", "Nobody. [SIGHS]"]


def test_a_track_may_lose_all_its_cues():
    text = "1\n00:00:01,000 --> 00:00:02,000\n[SIGHS]\n"
    done = with_labels(parsed(text, "srt"), "remove", "de")
    assert done.track.cues == () and done.labels is not None and len(done.labels.dropped) == 1


def test_plain_text_and_scripts_keep_theirs():
    track = parsed("[SIGHS]\nHello.\n", "txt")
    assert with_labels(track, "remove", "de").track is track


FILMS = {
    "de": ("[TÜR KNALLT]", "MANN: Wer ist da?", "<i>[JAN LACHT]</i>", "Niemand. [SEUFZT]"),
    "es": ("[PORTAZO]", "HOMBRE: ¿Quién es?", "<i>[JUAN RÍE]</i>", "Nadie. [SUSPIRA]"),
    "fr": ("[UNE PORTE CLAQUE]", "HOMME : Qui est là ?", "<i>[JEAN RIT]</i>", "Moi. [SOUPIRE]"),
    "it": ("[PORTA SBATTUTA]", "UOMO: Chi è?", "<i>[GIANNI RIDE]</i>", "Nessuno. [SOSPIRA]"),
}


@pytest.mark.parametrize("language", FILMS)
def test_tracks_of_other_languages_get_english_labels_or_none(language):
    texts = FILMS[language]
    cues = [f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n" for n, text in enumerate(texts, 1)]
    track = parsed("\n".join(cues), "srt")
    done = with_labels(track, "translate", "en", language)
    first, said, unknown, last = (cue.text for cue in done.track.cues)
    assert first == "[DOOR SLAMS]"
    assert said == texts[1].replace(texts[1].split()[0].rstrip(":"), "MAN", 1)
    assert unknown == texts[2] and last.endswith("[SIGHS]")
    assert done.labels is not None
    assert done.labels.changed == 3 and done.labels.unknown == ((texts[2][3:-4], 1),)
    removed = with_labels(track, "remove", "en", language)
    assert [cue.text for cue in removed.track.cues] == [
        texts[1].split(": ")[1],
        texts[3].split(" [")[0],
    ]
    assert removed.labels is not None
    assert [each.number for each in removed.labels.dropped] == [1, 3]

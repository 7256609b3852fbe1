"""Payloads are taken apart: kinds, markup, directions to actors, and who speaks within a cue."""

from __future__ import annotations

import pytest

from subfit.subtitles.markup import Span
from subfit.subtitles.markup.payload import kind_of, parse_cue_text, plain_text
from subfit.subtitles.markup.restore import render_cue_text


def test_spans_stand_in_the_plain_text():
    (turn,) = parse_cue_text("Oh,\n<b>my</b> <i>dear</i>", "srt").turns
    assert turn.text == "Oh, my dear"
    assert turn.spans == (Span(4, 6, "<b>", "</b>", "b"), Span(7, 11, "<i>", "</i>", "i"))


KINDS = [
    ("Hello.", "speech"),
    ("[laughs] Hello", "speech"),
    ("Hey! ♪ La la ♪", "speech"),
    ("Take #5 to the #6 bus", "speech"),
    ("♪", "music"),
    ("♪♪ ♪", "music"),
    ("#", "music"),
    ("♪ La la\nla la ♪", "music"),
    ("♪ La la", "music"),
    ("la la ♪", "music"),
    ("♪ La ♪\n♪ la ♪", "music"),
    ("# La la la #", "music"),
    ("[DOOR SLAMS]", "sound"),
    ("(sighs)", "sound"),
    ("- [LAUGHS]\n- (coughs)", "sound"),
    ("♪ [MUSIC PLAYS] ♪", "music"),
    ("", "empty"),
    (" \n ", "empty"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_kind_of_a_cue(text, kind):
    assert kind_of(text) == kind
    assert parse_cue_text(f"<i>{text}</i>", "srt").kind == kind


PLAIN = [
    ("srt", "{\\an8}<i>A</i>\nB & <3", "A\nB & <3"),
    ("srt", "&quot;I&#39;m&quot; &amp; &lt;3&nbsp;&#xE9;", '"I\'m" & <3\xa0é'),
    ("srt", "AT&T; done, Q&A, R&D; &x; &copy 1", "AT&T; done, Q&A, R&D; &x; &copy 1"),
    ("srt", "&lt;i&gt;no tag&lt;/i&gt; &amp;quot;", "<i>no tag</i> &quot;"),
    ("vtt", "<v Ann>A &amp; <c.x>B</c>\nC&nbsp;D", "A & B\nC\xa0D"),
    ("vtt", "<ruby>左<rt>ひだり</rt></ruby>に", "左に"),
    ("txt", "<i>A</i>", "<i>A</i>"),
]


@pytest.mark.parametrize(("format", "text", "expected"), PLAIN)
def test_plain_text_is_what_a_viewer_sees(format, text, expected):
    assert plain_text(text, format) == expected


def turns(text, format="srt"):
    return [(turn.dash, turn.text) for turn in parse_cue_text(text, format).turns]


TURNS = [
    ("Hello,\n  you.", [("", "Hello, you.")]),
    ("- Hi.\n- Hello.", [("- ", "Hi."), ("- ", "Hello.")]),
    ("‐ Hi.\n— Hello.", [("‐ ", "Hi."), ("— ", "Hello.")]),
    ("<i>- Hi.</i>\n- Hello.", [("- ", "Hi."), ("- ", "Hello.")]),
    ("{\\an8}- Hi\n- Ho", [("- ", "Hi"), ("- ", "Ho")]),
    ("I was just--\n-Stop it!", [("", "I was just--"), ("-", "Stop it!")]),
    ("- One speaker,\ntwo lines.", [("- ", "One speaker, two lines.")]),
    ("- Hi, you.\n- Well... - he said.", [("- ", "Hi, you."), ("- ", "Well... - he said.")]),
    ("It was fun. - Not for me.", [("", "It was fun. - Not for me.")]),
    ("<i>What?</i> - Nothing. - Are you sure?",
     [("", "What?"), ("- ", "Nothing."), ("- ", "Are you sure?")]),
    ("- Come,\nplease. - Never.", [("- ", "Come, please."), ("- ", "Never.")]),
    ('- "No." - ¿Qué?', [("- ", '"No."'), ("- ", "¿Qué?")]),
    ("It was. - no, it - it is. - éh.", [("", "It was. - no, it - it is. - éh.")]),
    ("The well\n-known man. - Me.", [("", "The well -known man. - Me.")]),
    ("Who is it?\n- Me.", [("", "Who is it?"), ("- ", "Me.")]),
    ("-5 degrees\n-7 degrees", [("", "-5 degrees -7 degrees")]),
    ("--Wait", [("", "--Wait")]),
    ("[laughs] Hello", [("", "[laughs] Hello")]),
    ("A\u2028B\x85C", [("", "A B C")]),
    ("One<br/>two", [("", "One two")]),
    ("", []),
    ("MAN: Stop!\nWOMAN: Why?", [("", "MAN: Stop!"), ("", "WOMAN: Why?")]),
    ("MAN #1: Stop! MAN #2: Why?", [("", "MAN #1: Stop!"), ("", "MAN #2: Why?")]),
    (">> Where is he\n>> I don't know.", [("", ">> Where is he"), ("", ">> I don't know.")]),
    ("(JOHN) Where?\n(MARY) I am here.", [("", "(JOHN) Where?"), ("", "(MARY) I am here.")]),
    ("Where?\n(MAN #2): Here.", [("", "Where?"), ("", "(MAN #2): Here.")]),
    ("It was late.\n(I think so.) Or not.", [("", "It was late. (I think so.) Or not.")]),
    ("It was late.\n(1945) Or not.", [("", "It was late. (1945) Or not.")]),
    ("He left.\n[SIGHS]", [("", "He left. [SIGHS]")]),
    ("Cold. -5 now. -7 there.", [("", "Cold. -5 now. -7 there.")]),
    ("What? - Nothing.\n- No?", [("", "What?"), ("- ", "Nothing."), ("- ", "No?")]),
    ("I told\n(MARY) that.", [("", "I told (MARY) that.")]),
    ('<font color="#ffff00">No.</font>\n<font color="#00ffff">Yes.</font>',
     [("", "No."), ("", "Yes.")]),
    ("Ever?\n<font color=yellow>I said no</font>", [("", "Ever?"), ("", "I said no")]),
    ("<font color=yellow>I never</font>\n<font color=yellow>did.\n</font>You",
     [("", "I never did."), ("", "You")]),
    ("I <font color=yellow>never.</font>\nYou did.", [("", "I never. You did.")]),
    ("<font color=yellow>I never,</font>\n<font color=red>ever did.</font>",
     [("", "I never, ever did.")]),
    ("<font size=9>No.</font>\nYes.", [("", "No. Yes.")]),
    ("You know him?\n{\\i1}He will\ncome.{\\i0}", [("", "You know him?"), ("", "He will come.")]),
    ("<i>I know...</i>\nWhat?", [("", "I know..."), ("", "What?")]),
    ("<i>I know...</i>\nwhat you did.", [("", "I know... what you did.")]),
    ("I told you\n<i>That is all.</i>", [("", "I told you That is all.")]),
    ("So it was Mr.\n<i>Smith!</i>", [("", "So it was Mr. Smith!")]),
    ("I know. He <i>has</i>.\n<i>Never.</i>", [("", "I know. He has."), ("", "Never.")]),
    ("- I know.\n<i>Never.</i>", [("- ", "I know. Never.")]),
    ("(ANA) ¿Qué?\n[EVA] ¿Yo?", [("", "(ANA) ¿Qué?"), ("", "[EVA] ¿Yo?")]),
    ('ANA: "No." EVA: "...yes."', [("", 'ANA: "No."'), ("", 'EVA: "...yes."')]),
    ("He said\n[sighs] no.", [("", "He said [sighs] no.")]),
    ("♪ La la la ♪\nTurn that off!", [("", "♪ La la la ♪"), ("", "Turn that off!")]),
    ("♪ La la\nla la ♪", [("", "♪ La la la la ♪")]),
]  # fmt: skip


SPEAKERS = {
    "de": r"""
        MANN: Halt!\nFRAU: Warum? | MANN: Halt! | FRAU: Warum?
        – Kommst du?\n– Nein. | Kommst du? | Nein.
        [Mann] Herein.\n[Frau] Nein. | [Mann] Herein. | [Frau] Nein.
        (JAN) Wo?\n(EVA) Hier. | (JAN) Wo? | (EVA) Hier.
        Das war Hr.\n<i>Keller!</i> | Das war Hr. Keller!
        Ein Ost\n-West-Konflikt. | Ein Ost -West-Konflikt.
        DR. KELLER: Ja. FR. BERG: Nein. | DR. KELLER: Ja. | FR. BERG: Nein.
    """,
    "es": r"""
        HOMBRE: ¡Alto!\nMUJER: ¿Por qué? | HOMBRE: ¡Alto! | MUJER: ¿Por qué?
        -¿Vienes?\n-No. | ¿Vienes? | No.
        —¿Vienes?\n—No. | ¿Vienes? | No.
        - Sí. - ¡No! | Sí. | ¡No!
        [Hombre] Pase.\n[Mujer] No. | [Hombre] Pase. | [Mujer] No.
        SR. RUIZ: Sí. SRA. VEGA: No. | SR. RUIZ: Sí. | SRA. VEGA: No.
    """,
    "fr": r"""
        HOMME : Halte !\nFEMME : Pourquoi ? | HOMME : Halte ! | FEMME : Pourquoi ?
        – Tu viens ?\n– Non. | Tu viens ? | Non.
        (ANNA) Où ça ?\n(ÈVE) Ici. | (ANNA) Où ça ? | (ÈVE) Ici.
        « Qui est là ? »\n- Moi. | « Qui est là ? » | Moi.
        Viens\n-tu ? | Viens -tu ?
        M. ROY : Oui. MME ROY : Non. | M. ROY : Oui. | MME ROY : Non.
    """,
    "it": r"""
        UOMO: Alt!\nDONNA: Perché? | UOMO: Alt! | DONNA: Perché?
        – Vieni?\n– No. | Vieni? | No.
        - Sì. - È tardi! | Sì. | È tardi!
        «Chi è?»\n- Io. | «Chi è?» | Io.
        SIG. ROSSI: Sì. DOTT. VERDI: No. | SIG. ROSSI: Sì. | DOTT. VERDI: No.
        Conosci il sig.\n<i>Rossi!</i> | Conosci il sig. Rossi!
    """,
}


@pytest.mark.parametrize(
    "row", [row.strip() for rows in SPEAKERS.values() for row in rows.strip().splitlines()]
)
def test_speakers_of_other_languages_are_turns(row):
    payload, *expected = row.replace(r"\n", "\n").split(" | ")
    assert [text for _, text in turns(payload)] == expected


@pytest.mark.parametrize(("text", "expected"), TURNS)
def test_speakers_are_turns(text, expected):
    assert turns(text) == expected


def test_voices_are_turns():
    assert turns("<v Ann>Hi,\nyou.\n<v Bob>Hello.", "vtt") == [("", "Hi, you."), ("", "Hello.")]


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("<c.yellow>No.</c>\n<c.cyan>Yes.</c>", ["No.", "Yes."]),
        ("<c.yellow>No.\nI say no.</c>\n<c.cyan>Yes.</c>", ["No. I say no.", "Yes."]),
        ("<c.yellow>No.</c>\n<c.yellow>I say no.</c>\nYes.", ["No. I say no.", "Yes."]),
        ("<c>No.</c>\nYes.", ["No. Yes."]),
        ("No.\n<v Ann>Yes.</v>", ["No.", "Yes."]),
        ("<v Ann>No.</v>\nYes.", ["No.", "Yes."]),
    ],
)
def test_colours_of_lines_are_turns(payload, expected):
    assert [text for _, text in turns(payload, "vtt")] == expected


def test_a_dash_before_a_voice_is_its_dialogue_dash():
    payload = "- <v Ann>Where are you?\n- <v Bob>Here."
    assert turns(payload, "vtt") == [("- ", "Where are you?"), ("- ", "Here.")]
    cue = parse_cue_text(payload, "vtt")
    assert (
        render_cue_text(cue, [("Wo?",), ("Hier.",)], "vtt").text == "- <v Ann>Wo?\n- <v Bob>Hier."
    )


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("• Salt\n• Oil\n• Bread", 3),
        ("Name: Ida\nBorn: Leeds", 2),
        ("1. Row\n2. Rest", 2),
        ("a) Salt\nb) Oil", 2),
        ("Rule 1: Stop.\nRule 2: Go.", 2),
        ("-= Fixed by owl =-\n~ owl.example.org ~", 2),
        ("Translated by: Ida (v2.1)\n© 2021 Harbor Films", 2),
        ("/ Yes.\n/ No.", 2),
        ("-Is it far?-No.", 2),
        ("-The U.S.-Canada border\nis near.", 1),
        ("Ida left in 1990\nand came back.", 1),
        ("Salt and\noil.", 1),
        ("1. Row\nand rest", 1),
    ],
)
def test_lists_and_forms_keep_their_lines(text: str, turns: int) -> None:
    assert len(parse_cue_text(text, "srt").turns) == turns


@pytest.mark.parametrize(
    "text",
    [
        "Act Two\nThe Island",
        "Tea\nCake\nThree scones",
        "Edited by\nNORA BELL",
        "Dad\nAre you up?",
        "Paris\nMay 8, 1945",
        "ROUTE 12\nSOUTH",
        "Tea 2.50\nCake 3.00",
    ],
)
def test_a_card_keeps_its_lines(text: str) -> None:
    assert [turn.text for turn in parse_cue_text(text, "srt").turns] == text.split("\n")


@pytest.mark.parametrize(
    "text",
    [
        "I met Tom\nAnn and Ada.",
        "We went to\nParis in May.",
        "Nora\nis late.",
        "Nobody\nI knew.",
        "Roses are red,\nviolets blue.",
        "Ten in 1984\nand left in 1990.",
    ],
)
def test_a_sentence_over_two_lines_is_no_card(text: str) -> None:
    assert len(parse_cue_text(text, "srt").turns) == 1


def test_lines_of_a_sign_in_letters_of_another_size_are_no_one_sentence() -> None:
    sign = "{\\pos(9,9)\\fs40}CLOSED\n{\\fs20}Come back\ntomorrow"
    assert turns(sign, "ass") == [("", "CLOSED"), ("", "Come back tomorrow")]


@pytest.mark.parametrize(
    ("line", "spoken"),
    [
        ("(OFF) Wait, you there. (laughs)", "Wait, you there."),
        ("Wait, [breath] you there.", "Wait, you there."),
        ("Wait / you there // now.", "Wait you there now."),
        ("Wait. (He turns to the door.) You there.", "Wait. You there."),
        ("He is (as far as I know) away.", "He is (as far as I know) away."),
        ("I am (V.O.) here", "I am here"),
        ("and/or", "and/or"),
        ("Is that Tom(laughs), your son?", "Is that Tom, your son?"),
        ("I know.(laughs)", "I know."),
        ("Which colo(u)r, and which person(s)?", "Which colo(u)r, and which person(s)?"),
    ],
)
def test_directions_are_not_spoken_and_stay(line: str, spoken: str) -> None:
    text = parse_cue_text(line, "csv")
    assert [turn.text for turn in text.turns] == [spoken]
    assert render_cue_text(text, [(spoken,)], "csv").text == line


@pytest.mark.parametrize(
    ("line", "translation", "placed"),
    [
        (
            "I know. (chuckles) They burn very well.",
            "Ich weiß es. Sie brennen sehr gut.",
            "Ich weiß es. (chuckles) Sie brennen sehr gut.",
        ),
        ("Well, [sighs] I do not know.", "Nun, ich weiß nicht.", "Nun, [sighs] ich weiß nicht."),
        ("I know / I was there.", "Ich war ja da.", "Ich / war ja da."),
        ("Come here. (waves)", "Komm.", "Komm. (waves)"),
    ],
)
def test_directions_go_where_a_sentence_goes(line: str, translation: str, placed: str) -> None:
    assert render_cue_text(parse_cue_text(line, "csv"), [(translation,)], "csv").text == placed


@pytest.mark.parametrize(
    ("line", "spoken", "placed"),
    [
        ("I saw Tom(my dad) there.", "I saw Tom there.", "I saw Tom (my dad) there."),
        ("Really?[laughs]Yes.", "Really? Yes.", "Really? [laughs] Yes."),
        ("Go(laughs)[door] now.", "Go now.", "Go (laughs) [door] now."),
    ],
)
def test_words_do_not_run_together_where_a_direction_is_taken_out(line, spoken, placed):
    text = parse_cue_text(line, "csv")
    assert [turn.text for turn in text.turns] == [spoken]
    assert render_cue_text(text, [(spoken,)], "csv").text == placed


def test_a_row_of_directions_only_is_not_translated() -> None:
    assert parse_cue_text("(laughs) [door]", "xlsx").kind == "empty"

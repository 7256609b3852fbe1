"""Who speaks within a cue: dashes, names, voices and colours part turns."""

import pytest

from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.markup.restore import render_cue_text


def turns(text, format="srt"):
    return [(turn.dash, turn.text) for turn in parse_cue_text(text, format).turns]


TURNS = [
    ("Hello,\n  you.", [("", "Hello, you.")]),
    ("- Hi.\n- Hello.", [("- ", "Hi."), ("- ", "Hello.")]),
    ("-Hi.\n-Hello.", [("-", "Hi."), ("-", "Hello.")]),
    ("‐ Hi.\n— Hello.", [("‐ ", "Hi."), ("— ", "Hello.")]),
    ("<i>- Hi.</i>\n- Hello.", [("- ", "Hi."), ("- ", "Hello.")]),
    ("{\\an8}- Hi\n- Ho", [("- ", "Hi"), ("- ", "Ho")]),
    ("- Hi,\nyou.\n- Hello.", [("- ", "Hi, you."), ("- ", "Hello.")]),
    ("- One speaker,\ntwo lines.", [("- ", "One speaker, two lines.")]),
    ("- Hi. - Hello.", [("- ", "Hi."), ("- ", "Hello.")]),
    ("- Hi, you.\n- Well... - he said.", [("- ", "Hi, you."), ("- ", "Well... - he said.")]),
    ("It was fun. - Not for me.", [("", "It was fun. - Not for me.")]),
    (
        "<i>What?</i> - Nothing. - Are you sure?",
        [("", "What?"), ("- ", "Nothing."), ("- ", "Are you sure?")],
    ),
    ("What? - Nothing.\n- No?", [("", "What?"), ("- ", "Nothing."), ("- ", "No?")]),
    ("- Come,\nplease. - Never.", [("- ", "Come, please."), ("- ", "Never.")]),
    ('- "No." - ¿Qué?', [("- ", '"No."'), ("- ", "¿Qué?")]),
    ("It was. - no, it - it is. - éh.", [("", "It was. - no, it - it is. - éh.")]),
    ("Cold. -5 now. -7 there.", [("", "Cold. -5 now. -7 there.")]),
    ("The well\n-known man. - Me.", [("", "The well -known man. - Me.")]),
    ("Who is it?\n- Me.", [("", "Who is it?"), ("- ", "Me.")]),
    ("The well\n-known man.", [("", "The well -known man.")]),
    ("-5 degrees\n-7 degrees", [("", "-5 degrees -7 degrees")]),
    ("--Wait", [("", "--Wait")]),
    ("-", [("", "-")]),
    ("[laughs] Hello", [("", "[laughs] Hello")]),
    ("A\u2028B\x85C", [("", "A B C")]),
    ("Quoi\xa0?", [("", "Quoi\xa0?")]),
    ("One<br/>two", [("", "One two")]),
    ("", []),
    ("<i></i>", []),
    ("MAN: Stop!\nWOMAN: Why?", [("", "MAN: Stop!"), ("", "WOMAN: Why?")]),
    ("MAN #1: Stop! MAN #2: Why?", [("", "MAN #1: Stop!"), ("", "MAN #2: Why?")]),
    (">> Where is he\n>> I don't know.", [("", ">> Where is he"), ("", ">> I don't know.")]),
    ("[man] Come in.\n[woman] No.", [("", "[man] Come in."), ("", "[woman] No.")]),
    ("(JOHN) Where?\n(MARY) I am here.", [("", "(JOHN) Where?"), ("", "(MARY) I am here.")]),
    ("Where?\n(MAN #2): Here.", [("", "Where?"), ("", "(MAN #2): Here.")]),
    ("It was late.\n(I think so.) Or not.", [("", "It was late. (I think so.) Or not.")]),
    ("It was late.\n(1945) Or not.", [("", "It was late. (1945) Or not.")]),
    ("I told\n(MARY) that.", [("", "I told (MARY) that.")]),
    (
        '<font color="#ffff00">No.</font>\n<font color="#00ffff">Yes.</font>',
        [("", "No."), ("", "Yes.")],
    ),
    ("Ever?\n<font color=yellow>I said no</font>", [("", "Ever?"), ("", "I said no")]),
    (
        "<font color=yellow>I never</font>\n<font color=yellow>did.\n</font>You",
        [("", "I never did."), ("", "You")],
    ),
    ("I <font color=yellow>never.</font>\nYou did.", [("", "I never. You did.")]),
    (
        "<font color=yellow>I never,</font>\n<font color=red>ever did.</font>",
        [("", "I never, ever did.")],
    ),
    ("<font size=9>No.</font>\nYes.", [("", "No. Yes.")]),
    ("<i>No.</i>\nYes.", [("", "No."), ("", "Yes.")]),
    ("You know him?\n{\\i1}He will\ncome.{\\i0}", [("", "You know him?"), ("", "He will come.")]),
    ("<i>I know...</i>\nWhat?", [("", "I know..."), ("", "What?")]),
    ("<i>I know...</i>\nwhat you did.", [("", "I know... what you did.")]),
    ("I told you\n<i>That is all.</i>", [("", "I told you That is all.")]),
    ("So it was Mr.\n<i>Smith!</i>", [("", "So it was Mr. Smith!")]),
    ("I know. He <i>has</i>.\n<i>Never.</i>", [("", "I know. He has."), ("", "Never.")]),
    ("- I know.\n<i>Never.</i>", [("- ", "I know. Never.")]),
    ("<b>No.</b>\nYes.", [("", "No. Yes.")]),
    ("(ANA) ¿Qué?\n[EVA] ¿Yo?", [("", "(ANA) ¿Qué?"), ("", "[EVA] ¿Yo?")]),
    ('ANA: "No." EVA: "...yes."', [("", 'ANA: "No."'), ("", 'EVA: "...yes."')]),
    ("He left.\n[SIGHS]", [("", "He left. [SIGHS]")]),
    ("He said\n[sighs] no.", [("", "He said [sighs] no.")]),
    ("♪ La la la ♪\nTurn that off!", [("", "♪ La la la ♪"), ("", "Turn that off!")]),
    ("♪ La la\nla la ♪", [("", "♪ La la la la ♪")]),
]


SPEAKERS = {
    "de": r"""
        MANN: Halt!\nFRAU: Warum? | MANN: Halt! | FRAU: Warum?
        MANN 1: Halt! MANN 2: Warum? | MANN 1: Halt! | MANN 2: Warum?
        - Na und?\n- Nichts. | Na und? | Nichts.
        – Kommst du?\n– Nein. | Kommst du? | Nein.
        - Ja. - Nein. | Ja. | Nein.
        [Mann] Herein.\n[Frau] Nein. | [Mann] Herein. | [Frau] Nein.
        (JAN) Wo?\n(EVA) Hier. | (JAN) Wo? | (EVA) Hier.
        „Wer ist da?“\n- Ich. | „Wer ist da?“ | Ich.
        <i>Nein.</i>\nDoch. | Nein. | Doch.
        Das war Hr.\n<i>Keller!</i> | Das war Hr. Keller!
        Ein Ost\n-West-Konflikt. | Ein Ost -West-Konflikt.
        DR. KELLER: Ja. FR. BERG: Nein. | DR. KELLER: Ja. | FR. BERG: Nein.
        Es war spät.\n(Glaube ich.) Oder nicht. | Es war spät. (Glaube ich.) Oder nicht.
    """,
    "es": r"""
        HOMBRE: ¡Alto!\nMUJER: ¿Por qué? | HOMBRE: ¡Alto! | MUJER: ¿Por qué?
        HOMBRE 1: ¡Alto! HOMBRE 2: ¿Y? | HOMBRE 1: ¡Alto! | HOMBRE 2: ¿Y?
        - ¿Y qué?\n- Nada. | ¿Y qué? | Nada.
        -¿Vienes?\n-No. | ¿Vienes? | No.
        —¿Vienes?\n—No. | ¿Vienes? | No.
        - Sí. - ¡No! | Sí. | ¡No!
        [Hombre] Pase.\n[Mujer] No. | [Hombre] Pase. | [Mujer] No.
        (ANA) ¿Qué?\n[EVA] ¿Yo? | (ANA) ¿Qué? | [EVA] ¿Yo?
        «¿Quién es?»\n- Yo. | «¿Quién es?» | Yo.
        <i>No.</i>\n¡Sí! | No. | ¡Sí!
        SR. RUIZ: Sí. SRA. VEGA: No. | SR. RUIZ: Sí. | SRA. VEGA: No.
        Era tarde.\n(Creo yo.) O no. | Era tarde. (Creo yo.) O no.
    """,
    "fr": r"""
        HOMME : Halte !\nFEMME : Pourquoi ? | HOMME : Halte ! | FEMME : Pourquoi ?
        HOMME 1 : Halte ! HOMME 2 : Et ? | HOMME 1 : Halte ! | HOMME 2 : Et ?
        - Et alors ?\n- Rien. | Et alors ? | Rien.
        – Tu viens ?\n– Non. | Tu viens ? | Non.
        - Oui. - Non ! | Oui. | Non !
        [Homme] Entrez.\n[Femme] Non. | [Homme] Entrez. | [Femme] Non.
        (ANNA) Où ça ?\n(ÈVE) Ici. | (ANNA) Où ça ? | (ÈVE) Ici.
        « Qui est là ? »\n- Moi. | « Qui est là ? » | Moi.
        <i>Non.</i>\nSi ! | Non. | Si !
        Viens\n-tu ? | Viens -tu ?
        M. ROY : Oui. MME ROY : Non. | M. ROY : Oui. | MME ROY : Non.
        Il était tard.\n(Je crois.) Ou pas. | Il était tard. (Je crois.) Ou pas.
    """,
    "it": r"""
        UOMO: Alt!\nDONNA: Perché? | UOMO: Alt! | DONNA: Perché?
        UOMO 1: Alt! UOMO 2: E? | UOMO 1: Alt! | UOMO 2: E?
        - E allora?\n- Niente. | E allora? | Niente.
        – Vieni?\n– No. | Vieni? | No.
        - Sì. - È tardi! | Sì. | È tardi!
        [Uomo] Avanti.\n[Donna] No. | [Uomo] Avanti. | [Donna] No.
        (ANNA) Dove?\n(EVA) Qui. | (ANNA) Dove? | (EVA) Qui.
        «Chi è?»\n- Io. | «Chi è?» | Io.
        <i>No.</i>\nSì! | No. | Sì!
        SIG. ROSSI: Sì. DOTT. VERDI: No. | SIG. ROSSI: Sì. | DOTT. VERDI: No.
        Era tardi.\n(Credo.) O no. | Era tardi. (Credo.) O no.
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

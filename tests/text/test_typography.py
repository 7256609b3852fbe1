import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.text.counting import count_characters
from subfit.text.typography import Style, complete, style_of, typeset

PLAIN = Style()


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("fr", "Quoi ? Non !", "Quoi~? Non~!"),
        ("fr-BE", "Il a dit : « Quoi ?! »", "Il a dit~: «~Quoi~?!~»"),
        ("fr", "À 10:30, il y en a 50 % ; voilà.", "À 10:30, il y en a 50~%~; voilà."),
        ("fr-CA", "Quoi ? Non ! Oui ; il a dit : « Ah ! »", "Quoi? Non! Oui; il a dit~: «~Ah!~»"),
        ("es", "¿ Qué ? ¡ Anda !", "¿Qué? ¡Anda!"),
        ("es-419", "¿ Vienes ?", "¿Vienes?"),
        ("de", "Was ? Nein !", "Was? Nein!"),
        ("it", "Che cosa ?", "Che cosa?"),
        ("nl", "Wat ? « Nee »", "Wat ? « Nee »"),
        ("und", "L’ami ?", "L’ami ?"),
        ("de", "Folge 3 : Im Keller", "Folge 3: Im Keller"),
        ("de", "Er kommt ; ich bleibe.", "Er kommt; ich bleibe."),
        ("de", "Danke :)", "Danke :)"),
        ("es", "Escucha : no vengas.", "Escucha: no vengas."),
        ("it", 'Il "Falco" : rispondi.', 'Il "Falco": rispondi.'),
        ("it", "16 : 9", "16 : 9"),  # a ratio
    ],
)
def test_spaces_before_marks_are_those_of_the_language(language, text, wanted):
    assert typeset(text, language, PLAIN) == wanted.replace("~", "\u00a0")


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("fr", "Quoi? Non!", "Quoi~? Non~!"),
        ("fr", "Quoi...?!", "Quoi...~?!"),
        ("fr", "Quoi~?!", "Quoi~?!"),
        ("fr-CA", "Quoi?", "Quoi?"),
        ("fr-CA", "Il dit: 50%, à 10:30.", "Il dit~: 50~%, à 10:30."),
        ("fr", "Il dit: 50%, à 10:30.", "Il dit~: 50~%, à 10:30."),
        ("fr", "???", "???"),
        ("de", "Was?", "Was?"),
    ],
)
def test_what_is_lacking_is_added_where_it_is_sure(language, text, wanted):
    assert complete(text.replace("~", "\u00a0"), language, PLAIN) == wanted.replace("~", "\u00a0")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Qué?", "¿Qué?"),
        ('¿Has leído "Vive!"?', '¿Has leído "¡Vive!"?'),
        ("Quién (¡Dios mío!) eres?", "¿Quién (¡Dios mío!) eres?"),
        ("Qué? Vete! Ya.", "¿Qué? ¡Vete! Ya."),
        ("Ya. Por qué no?", "Ya. ¿Por qué no?"),
        ("¿Qué? ¡Vete!", "¿Qué? ¡Vete!"),
        ("¿Vienes, Ana? ¡No, Eva!", "¿Vienes, Ana? ¡No, Eva!"),
        ("Ana, vienes?", "Ana, ¿vienes?"),
        ("Pero, dónde estás?", "Pero, ¿dónde estás?"),
        ("Vienes, verdad?", "Vienes, ¿verdad?"),
        ("Hola, Ana! Cómo estás?", "¡Hola, Ana! ¿Cómo estás?"),
        ("Dr. Ruiz, viene?", "¿Dr. Ruiz, viene?"),
        ("Bueno... vienes?", "Bueno... ¿vienes?"),
        ('No sé. "Vienes?" dijo.', 'No sé. "¿Vienes?" dijo.'),
        ("Cuesta 1.250,50 $, no?", "Cuesta 1.250,50 $, ¿no?"),
        ("¿Qué haces.", "¿Qué haces?"),
        ("¡Para...", "Para..."),
        ("¿Puedes verlo en www.example.org/?a=1.", "Puedes verlo en www.example.org/?a=1."),
        ("¿Cómo!", "¡Cómo!"),
        ("Qué?!", "¡¿Qué?!"),
        ("¿Qué!?", "¿¡Qué!?"),
        ("Basta ya!!", "¡¡Basta ya!!"),
        ("que vienes?", "que vienes?"),  # the rest of a question that began in another cue
        ("dónde estás?", "¿dónde estás?"),
        ("¡Abre hasta las diez → ¡entra!", "Abre hasta las diez → ¡entra!"),
        ('Usa print("Hola!") aquí.', 'Usa print("Hola!") aquí.'),
    ],
)
def test_spanish_questions_and_exclamations_are_opened_and_closed(text, wanted):
    assert typeset(text, "es", PLAIN) == wanted
    assert typeset(text, "fr", PLAIN).replace("\u00a0", "") == text.replace(" ?", "?")


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("de", ", und dann ging er.", "und dann ging er."),
        ("es", ", ¿y tú?", "¿y tú?"),
        ("fr", "Non , merci.", "Non, merci."),
        ("it", ",; e poi?", "e poi?"),
        ("nl", ", en toen.", "en toen."),
        ("fr", 'Il a dit "oui",. Puis rien.', 'Il a dit "oui". Puis rien.'),
        ("de", "Wirklich,? Na gut...", "Wirklich? Na gut..."),
        ("de", "Na ja,... vielleicht.", "Na ja,... vielleicht."),
        ("de", "Das kostet 3,50 oder 3,5.", "Das kostet 3,50 oder 3,5."),
    ],
)
def test_no_text_begins_with_a_comma_or_has_one_alone(language, text, wanted):
    assert typeset(text, language, PLAIN) == wanted


@pytest.mark.parametrize(
    ("sources", "style"),
    [
        (["I'm here.", "Don't!"], Style()),
        (["I’m here.", "Don’t!", "It's."], Style(apostrophe="’")),
        (["Hello."], Style()),
        (["Well…", "I… I mean...", "....."], Style(ellipsis="…")),
        (["Well...", "..."], Style(ellipsis="...")),
        (['"No," he said.'], Style(straight_quotes=True)),
        (["“No,” he said.", 'The "other" one.'], Style(curly_quotes=True)),
    ],
)
def test_the_style_of_a_source(sources, style):
    assert style_of(sources) == style


@pytest.mark.parametrize(
    ("style", "language", "text", "wanted"),
    [
        (PLAIN, "fr", 'Tapez {a: 5%}, f("Oui!") ?', 'Tapez {a: 5%}, f("Oui!")\u00a0?'),
        (PLAIN, "fr", "L’ami d’Anna, c'est lui.", "L'ami d'Anna, c'est lui."),
        (Style("’"), "it", "L'amico, un po' tardi", "L’amico, un po’ tardi"),
        (Style("’"), "it", "Un po' di 'calma'", "Un po' di 'calma'"),
        (Style("’"), "it", "Un '50 lire'", "Un '50 lire'"),
        (PLAIN, "de", "Er rief „Halt“ und ging.", "Er rief „Halt“ und ging."),
        (Style(ellipsis="…"), "de", "Na... ja… ....", "Na… ja… ...."),
        (Style(ellipsis="..."), "de", "Na... ja…", "Na... ja…"),  # longer
        (Style(straight_quotes=True), "de", "Er rief „Halt“, »ja«.", 'Er rief "Halt", "ja".'),
        (Style(straight_quotes=True), "fr", "Il dit « halte ».", 'Il dit "halte".'),
        (Style(curly_quotes=True), "de", '"Halt", rief er, »ja«!', "„Halt“, rief er, „ja“!"),
        (Style(curly_quotes=True), "de-CH", '"Halt", rief er.', "«Halt», rief er."),
        (Style(curly_quotes=True), "de", '"Er sagte "ja"."', "„Er sagte ‚ja‘.“"),
        (Style(straight_quotes=True), "it", '"Ha detto "sì"."', "\"Ha detto 'sì'.\""),
        (Style(curly_quotes=True), "es", '"Dijo "sí", y "no"."', "“Dijo ‘sí’, y ‘no’.”"),
        (Style(curly_quotes=True), "es", '¿"Alto"? ("Ya".)', "¿“Alto”? (“Ya”.)"),
        (Style(curly_quotes=True), "it", 'Disse: "Basta', "Disse: “Basta"),
        (Style(curly_quotes=True), "fr", "Il dit « halte ».", "Il dit “halte”."),
    ],
)
def test_quotes_and_apostrophes_follow_the_source(style, language, text, wanted):
    assert typeset(text, language, style) == wanted


def test_an_ellipsis_takes_the_dots_of_the_source_where_there_is_room():
    assert complete("Na… ja…", "de", Style(ellipsis="...")) == "Na... ja..."
    assert complete("Na… ja…", "de", PLAIN) == complete("Na… ja…", "de", Style(ellipsis="…"))


def test_french_quotes_have_their_spaces_where_there_is_room():
    curly = Style(curly_quotes=True)
    assert complete("Il dit “halte”.", "fr-BE", curly) == "Il dit «\u00a0halte\u00a0»."
    assert complete("Il dit “halte”.", "fr", PLAIN) == "Il dit “halte”."


texts = st.text(alphabet="aB é?!:;.,…«»“„\"'’¿¡ %5\u00a0", max_size=25)


@given(
    texts,
    st.sampled_from(["de", "es", "fr", "fr-CA", "it"]),
    st.builds(
        Style,
        st.sampled_from("'’"),
        st.sampled_from([None, "…", "..."]),
        st.booleans(),
        st.booleans(),
    ),
)
def test_typesetting_never_lengthens_and_is_done_at_once(text, language, style):
    text = " ".join(text.split())
    once = typeset(text, language, style)
    if language == "es":  # but for the marks that open and close
        bare = str.maketrans("", "", "¿¡?!")
        assert count_characters(once.translate(bare)) <= count_characters(text.translate(bare))
    else:
        assert count_characters(once) <= count_characters(text)
    assert typeset(once, language, style) == once
    whole = complete(once, language, style)
    assert complete(whole, language, style) == whole
    assert [each for each in whole if each.isalnum()] == [each for each in text if each.isalnum()]


@pytest.mark.parametrize("language", ["en", "en-GB", "en-US"])
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What ? No !", "What? No!"),
        ("What\u00a0?! Really ?!", "What?! Really?!"),
        ("He said : no ; yes.", "He said: no; yes."),
        ("It was 50 % of it.", "It was 50% of it."),
        ("50\u00a0% !", "50%!"),
        ("¿What? ¡Go!", "What? Go!"),
        ("¡¿What?!", "What?!"),
        ("Is it so ? he asked.", "Is it so? he asked."),
        ("At 10:30 :-) we left.", "At 10:30 :-) we left."),
        ("See http://example.org/?a=1 !", "See http://example.org/?a=1!"),
        (", and then", "and then"),
        ("Well , no.", "Well, no."),
        ("It's 20°C at 3:30\u00a0p.m.", "It's 20°C at 3:30\u00a0p.m."),
    ],
)
def test_english_has_a_space_before_no_mark(language, text, wanted):
    assert typeset(text, language, PLAIN) == wanted
    assert complete(wanted, language, PLAIN) == wanted


@pytest.mark.parametrize(
    ("source", "text", "wanted"),
    [
        ("„Ja“, sagte er.", "„Yes“, he said.", "“Yes”, he said."),
        ("„Ja“, sagte er.", '"Yes," he said.', "“Yes,” he said."),
        ("»Ja«, sagte er.", "»Yes«, he said.", "“Yes”, he said."),
        ("« Oui », dit-il.", "« Yes », he said.", "“Yes”, he said."),
        ("«Sí», dijo.", "«Yes», he said.", "“Yes”, he said."),
        ("“Sì”, disse.", "“Yes”, he said.", "“Yes”, he said."),
        ('"Ja", sagte er.', "„Yes“, he said.", '"Yes", he said.'),
        ("Ja, sagte er.", "Yes, he said.", "Yes, he said."),
        ("C’est toi et l’autre.", "It's you, isn't it?", "It’s you, isn’t it?"),
        ("C'est toi et l'autre.", "It’s you, isn’t it?", "It's you, isn't it?"),
        ("Moi… non.", "Me... no.", "Me… no."),
        ("Moi... non.", "Me… no.", "Me... no."),
    ],
)
@pytest.mark.parametrize("language", ["en", "en-GB", "en-US"])
def test_english_quotes_follow_the_kind_of_the_source(language, source, text, wanted):
    style = style_of([source])
    assert complete(typeset(text, language, style), language, style) == wanted

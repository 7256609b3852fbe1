"""Encodings: what files are in is found out, told when it is a guess, and overruled by the user."""

import codecs

import pytest

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.encoding import decode

TIMES = "00:00:01,000 --> 00:00:02,000"
CUES = "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:03,000 --> 00:00:04,000\n{}\n"
LINES = {
    "fr": ("Où étiez-vous ? Ça m'a énervé…", "Être ou ne pas être, « voilà »."),
    "de": ("Schöne Grüße aus München!", "Das heißt: „Übermut tut selten gut.“"),
    "es": ("¿Dónde está el niño?", "¡Mañana será otro día, señor!"),
    "it": ("Perché è così?", "La città è più bella."),
    "pl": ("Zażółć gęślą jaźń.", "Wszystko będzie dobrze, kochanie."),
    "cs": ("Příliš žluťoučký kůň.", "Děkuji, už musím jít."),
    "ru": ("Привет, как дела?", "Я не знаю, что сказать."),
    "uk": ("Привіт, як справи?", "Їжак є тут."),
    "el": ("Καλημέρα, τι κάνεις;", "Δεν ξέρω τίποτα."),
    "tr": ("Günaydın, nasılsın?", "Şimdi gitmeliyim, ağabey."),
    "he": ("שלום, מה שלומך?", "אני לא יודע."),
    "ar": ("مرحبا، كيف حالك؟", "لا أعرف شيئا."),
    "ja": ("おはようございます。元気ですか。", "ええ、とても元気です。"),
    "zh": ("你好，最近怎么样？", "我不知道该说什么。"),
    "ko": ("안녕하세요, 어떻게 지내세요?", "저는 잘 모르겠어요."),
}
WIDE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


def text_in(language):
    return CUES.format(*LINES[language])


@pytest.mark.parametrize("language", LINES)
@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("marked", [True, False])
def test_unicode_is_found_by_its_mark_or_without_one(language, encoding, marked):
    text = text_in(language)
    decoded = decode(MARKS[encoding] * marked + text.encode(encoding), name="x")
    assert decoded.text == text
    assert (decoded.encoding.name, decoded.encoding.bom) == (encoding, marked)
    assert len(decoded.repairs) == (encoding != "utf-8" and not marked)


@pytest.mark.parametrize(
    ("newline", "text"),
    [
        ("\n", "a\nb\n"),
        ("\r\n", "a\r\nb"),
        ("\r", "a\rb\r"),
        ("\n", "a"),
        ("\r\n", "a\r\nb\r\nc\n"),
    ],
)
def test_line_ends_are_remembered(newline, text):
    decoded = decode(text.encode(), name="x")
    assert decoded.encoding.newline == newline
    assert decoded.text == text.replace("\r\n", "\n").replace("\r", "\n")


def test_encoding_given_by_the_user_overrules():
    data = "Привет".encode("cp1251")
    assert decode(data, name="x", encoding="cp1251", source_language="fr").text == "Привет"
    assert decode("é".encode(), name="x", encoding="latin-1").text == "Ã©"
    marked = codecs.BOM_UTF16_BE + "hé".encode("utf-16-be")
    assert decode(marked, name="x", encoding="utf-16").text == "hé"
    assert decode(codecs.BOM_UTF8 + b"hi", name="x", encoding="utf-8").text == "hi"


@pytest.mark.parametrize("name", ["klingon", "", "a\0b", "base64", "idna", "punycode", "é"])
def test_an_unknown_encoding_is_wrong_usage(name):
    with pytest.raises(UsageError, match="encoding"):
        decode(b"x", name="x", encoding=name)


def test_bytes_that_are_not_in_the_given_encoding_are_named_with_their_line():
    with pytest.raises(InputFileError) as caught:
        decode(b"a\nb\xff\n", name="x.srt", encoding="utf-8")
    assert str(caught.value) == "x.srt:2: byte 0xFF is not utf-8; try another --encoding"


def test_a_few_damaged_bytes_do_not_make_utf8_something_else():
    damaged = text_in("ru").encode().replace("Я".encode(), b"\xd0", 1)
    decoded = decode(damaged, name="x", source_language="ru")
    assert "Привет" in decoded.text
    assert [(repair.line, "\ufffd" in repair.problem) for repair in decoded.repairs] == [(7, True)]


@pytest.mark.parametrize("text", ["“Yes.”", "Café.", "It’s me.", "Où étiez-vous ?", "Wait…"])
@pytest.mark.parametrize("damage", [b"\xff", b"\x81", b"\x9d", b"\xc3", b"\xe9", b"\xe2\x80"])
@pytest.mark.parametrize("language", ["en", "fr", "de", None])
def test_one_damaged_byte_does_not_either_where_little_is_not_ascii(text, damage, language):
    data = CUES.format(text, "Yes").encode().rstrip(b"\n") + damage + b"\n"
    decoded = decode(data, name="x", source_language=language)
    assert decoded.text == CUES.format(text, "Yes\ufffd")
    assert [(each.line, "not UTF-8" in each.problem) for each in decoded.repairs] == [(7, True)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Café.", "fr"),
        ("“CAFÉ”", "en"),
        ("Ça va ? “CAFÉ”, hein", "fr"),
        ("Être : « voilà\xa0»", "fr"),
    ],
)
def test_what_is_utf8_by_chance_makes_no_file_utf8(text, language):
    decoded = decode(CUES.format(text, "Yes").encode("cp1252"), name="x", source_language=language)
    assert decoded.text == CUES.format(text, "Yes")


@pytest.mark.parametrize(
    ("data", "text", "line", "told"),
    [
        (CUES.format("Yes", "No").encode() + b"\0" * 40, CUES.format("Yes", "No"), 8, "NUL"),
        *(
            (MARKS[name] + "Hallo ü".encode(name)[:-1], "Hallo ", 1, "left out")
            for name in WIDE[1:]
        ),
        (MARKS["utf-8"] + "Süd, Ü".encode()[:-1], "Süd, \ufffd", 1, "not UTF-8"),
        *(
            (f"1\n{TIMES}".encode(name) + b"\x0a", f"1\n{TIMES}", 2, "left out")
            for name in WIDE[1:4]
        ),
        (b"He wasn\xef\xbf\xbdt there.", "He wasn\ufffdt there.", 1, "lost before"),
    ],
)
def test_what_is_damaged_or_fills_a_file_up_is_told_and_nothing_else_is_lost(
    data, text, line, told
):
    decoded = decode(data, name="film.srt")
    assert decoded.text == text
    assert decoded.repairs[-1].line == line and told in decoded.repairs[-1].problem


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "koi8-r"])
@pytest.mark.parametrize("told", [True, False])
def test_marks_of_utf8_within_files_of_another_encoding_are_no_letters(encoding, told):
    lines = ["1", "00:00:01,000 --> 00:00:02,000", "Где старый маяк? Корабль вернётся.", ""]
    data = "\n".join(lines).encode(encoding)
    joined = data + b"\n\xef\xbb\xbf" + data.replace(b"1\n00", b"\xef\xbb\xbf\xef\xbb\xbf00")
    decoded = decode(
        joined, name="film.srt", encoding=encoding if told else None, source_language="ru"
    )
    assert decoded.text == "\n".join([*lines, *lines[1:]])
    assert decoded.encoding.name == codecs.lookup(encoding).name


LEGACY = [
    *((language, "cp1252") for language in ("fr", "de", "es", "it", None)),
    *((language, "cp1250") for language in ("pl", "cs")),
    *(("ru", name) for name in ("cp1251", "koi8-r", "cp866")),
    ("uk", "cp1251"),
    ("el", "cp1253"),
    ("tr", "cp1254"),
    ("he", "cp1255"),
    ("ar", "cp1256"),
    ("ja", "cp932"),
    ("ja", "euc-jp"),
    ("zh", "gb18030"),
    ("ko", "cp949"),
]


@pytest.mark.parametrize(("language", "encoding"), LEGACY)
def test_source_language_decides_between_legacy_encodings(language, encoding):
    text = text_in(language or "fr")
    decoded = decode(text.encode(encoding), name="x", source_language=language)
    assert decoded.text == text
    (repair,) = decoded.repairs
    assert repair.line == 3
    assert "--encoding" in repair.problem


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE])
def test_a_mark_of_another_encoding_is_told_and_not_believed(mark):
    decoded = decode(mark + text_in("ru").encode(), name="x.srt")
    assert decoded.text == text_in("ru")
    assert "the text is not" in decoded.repairs[0].problem


@pytest.mark.parametrize(
    ("meant", "times"),
    [("I can’t — “never”!", 1), ("♪ Où es-tu, garçon ? ♪", 1), ("Schöne Grüße…", 2)],
)
def test_utf8_that_was_encoded_twice_is_read_as_it_was_meant(meant, times):
    text = meant
    for _ in range(times):
        text = "".join(
            bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in text.encode()
        )
    decoded = decode(CUES.format(text, "Yes").encode(), name="x.srt")
    assert decoded.text == CUES.format(meant, "Yes")
    assert [(each.line, "twice" in each.problem) for each in decoded.repairs] == [(3, True)]


@pytest.mark.parametrize(
    "text",
    [
        "Âme sœur. « Ô Ã »",
        "São João",
        "CAFÉ”",
        "„HÄ…“ «NÅ» SEÑ…! AMANHÃ»",
        "JÄ’S KOM NÅ—",
        "«\xa0VOILÀ\xa0»",
    ],
)
def test_letters_that_only_look_so_stay(text):
    assert decode(text.encode(), name="x.srt").text == text


@pytest.mark.parametrize(("language", "page"), [("pl", "cp1250"), ("ru", "cp1251")])
def test_a_page_that_was_taken_for_another_is_told_and_undone(language, page):
    text = {"pl": "Proszę, chodź. Została też łódź, mówię.", "ru": "Где же старый маяк?"}[language]
    damaged = text.encode(page).decode("cp1252")
    decoded = decode(CUES.format(damaged, "1").encode(), name="x", source_language=language)
    assert decoded.text == CUES.format(text, "1")
    assert [page.upper() in each.problem for each in decoded.repairs] == [True]
    other = decode(CUES.format(damaged, "1").encode(), name="x", source_language="fr")
    assert other.text == CUES.format(damaged, "1")


@pytest.mark.parametrize("encoding", WIDE[1:])
@pytest.mark.parametrize("marked", [True, False])
def test_a_byte_that_is_missing_damages_its_own_line_alone(encoding, marked):
    text = (
        CUES.format("The very first of many lamps.", "Two lamps.")
        + "\n3\n00:00:05,000 --> 00:00:06,000\nThree.\n"
    )
    data = MARKS[encoding] * marked + text.encode(encoding)
    cut = data.index("lamp".encode(encoding))
    decoded = decode(data[:cut] + data[cut + 1 :], name="movie.srt")
    before, after = text.split("\n"), decoded.text.split("\n")
    assert before[:2] == after[:2] and before[3:] == after[3:] and after[2].startswith("The ")
    assert any(repair.line == 3 and "bytes that are not" in repair.problem
               for repair in decoded.repairs)  # fmt: skip

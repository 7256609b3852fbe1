from __future__ import annotations

import pytest

from subfit.limits.cue_budgets import Dubbing, speaking_time
from subfit.speech import RATES, SpeakingTime, count_syllables, estimate_seconds
from subfit.subtitles.cues import Cue
from subfit.text.counting import count_characters

SENTENCES = {
    "de": "Der Leuchtturm steht seit hundert Jahren auf dem Hügel über dem Hafen.",
    "es": "El faro lleva cien años en la colina que está sobre el puerto.",
    "fr": "Le phare se dresse depuis cent ans sur la colline qui domine le port.",
    "it": "Il faro sta da cento anni sulla collina che domina il porto.",
}


# The English sentence, said in languages that are not written in Latin letters.
ELSEWHERE = {
    "ar": "تقف المنارة منذ مئة عام على التل فوق الميناء.",
    "bn": "বাতিঘরটি একশ বছর ধরে বন্দরের উপরে পাহাড়ে দাঁড়িয়ে আছে।",
    "el": "Ο φάρος στέκεται στον λόφο πάνω από το λιμάνι εδώ και εκατό χρόνια.",
    "fa": "فانوس دریایی صد سال است که روی تپه بالای بندر ایستاده است.",
    "he": "המגדלור עומד כבר מאה שנים על הגבעה שמעל הנמל.",
    "hi": "लाइटहाउस सौ साल से बंदरगाह के ऊपर पहाड़ी पर खड़ा है।",
    "hy": "Փարոսը հարյուր տարի կանգնած է նավահանգստի վերևում գտնվող բլրի վրա։",
    "ja": "灯台は百年前から港の上の丘に立っています。",
    "ko": "등대는 백 년 동안 항구 위의 언덕에 서 있습니다.",
    "ru": "Маяк стоит на холме над гаванью уже сто лет.",
    "ta": "கலங்கரை விளக்கம் நூறு ஆண்டுகளாக துறைமுகத்தின் மேல் உள்ள குன்றில் நிற்கிறது.",
    "th": "ประภาคารตั้งอยู่บนเนินเขาเหนือท่าเรือมาร้อยปีแล้ว",
    "zh": "灯塔一百年来一直矗立在港口上方的山上。",
}
ENGLISH = "The lighthouse has stood on the hill above the harbour for a hundred years."


def time_of(milliseconds: int, source: str) -> SpeakingTime:
    time = speaking_time(Cue(0, milliseconds, source), source, Dubbing(), "de")
    assert time is not None
    return time


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_said_at_about_the_rate_of_its_language(language: str) -> None:
    text = SENTENCES[language]
    rate = count_syllables(text, language) / estimate_seconds(text, language)
    assert rate == pytest.approx(RATES[language].syllables, rel=0.15)


@pytest.mark.parametrize("language", ELSEWHERE)
def test_a_sentence_takes_about_as_long_in_every_script(language: str) -> None:
    text, english = ELSEWHERE[language], estimate_seconds(ENGLISH, "en")
    assert estimate_seconds(text, language) == pytest.approx(english, rel=0.4)
    # What the search takes for its ceiling leaves room for such a text, and not for much more.
    time = SpeakingTime(language, english, 0.0, estimate_seconds(text, language))
    assert count_characters(text) <= time.most_characters <= 1.6 * count_characters(text)


@pytest.mark.parametrize(
    ("language", "sentences", "clauses", "plain"),
    [
        ("zh", "他来了。我走！", "他来了，我走", "他来了我走"),
        ("ja", "来た。行こう？", "来た、行こう", "来た行こう"),
        ("ar", "جاء؟ ذهبنا", "جاء، ذهبنا", "جاء ذهبنا"),
        ("hi", "वह आया। चलो।", "वह आया, चलो", "वह आया चलो"),
    ],
)
def test_marks_of_other_scripts_make_pauses(language, sentences, clauses, plain) -> None:
    times = [estimate_seconds(each, language) for each in (sentences, clauses, plain)]
    assert times[0] - times[2] == pytest.approx(0.34)
    assert times[1] - times[2] == pytest.approx(0.22)


def test_more_text_takes_longer_and_marks_make_pauses() -> None:
    short, long = "Komm her.", "Komm her zu mir."
    assert 0 < estimate_seconds(short, "de") < estimate_seconds(long, "de")
    assert estimate_seconds("Komm, her.", "de") > estimate_seconds(short, "de")
    assert estimate_seconds("Komm! Her.", "de") > estimate_seconds("Komm, her.", "de")
    assert estimate_seconds("Komm her!", "de") == estimate_seconds("Komm her", "de")
    assert estimate_seconds("…", "de") == 0.0


def test_a_slot_leaves_room_for_faster_and_for_slower_speech() -> None:
    time = time_of(2000, "The lighthouse has stood on the hill for a hundred years now.")
    assert (time.longest, time.shortest) == (pytest.approx(2.4), pytest.approx(2.0 / 1.2))
    assert [time.sync(seconds) for seconds in (2.41, 2.4, 1.7, 1.6)] == [
        "over",
        "ok",
        "ok",
        "under",
    ]


def test_a_translation_need_not_fill_more_of_a_slot_than_its_source() -> None:
    time, source = time_of(10_000, "Who is there?"), estimate_seconds("Who is there?", "en")
    assert time.sync(source / 1.1) == "ok"
    assert time.sync(source / 1.3) == "under"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Leucht-turm Häu-ser Mu-se-um üb-rig Kaf-fee Ei Au-ge ge-hen A-bend"),
        ("en", "light-house need-ed walked hou-ses ta-ble on-ly you cof-fee knee"),
        ("es", "a-gua ciu-dad muy que gui-ta-rra bue-no rey ciu-da-da-no"),
        ("fr", "é-té table mai-son eau na-tion quand u-sine homme fille pied"),
        ("it", "a-mi-co cia-o giu-sto fa-mi-glia per-ché scia-re buo-no cit-tà"),
        ("pl", "są cię wą-ska bę-dę dzień"),
        ("hu", "ő nő tű hű-tő kér-dés"),
    ],
)
def test_words_have_about_the_syllables_they_are_said_with(language: str, words: str) -> None:
    said = words.split()
    counts = [count_syllables(word.replace("-", ""), language) for word in said]
    right = [count == word.count("-") + 1 for count, word in zip(counts, said, strict=True)]
    assert sum(right) >= len(right) - 1, dict(zip(said, counts, strict=True))


@pytest.mark.parametrize(
    ("text", "language", "syllables"),
    [
        ("1984", "en", 9),
        ("1.000", "it", 2),
        ("USA", "de", 3),
        ("MACH DIE TÜR ZU", "de", 4),
        ("…", "fr", 0),
    ],
)
def test_numbers_and_capitals_count_as_they_are_read(text, language, syllables) -> None:
    assert count_syllables(text, language) == pytest.approx(syllables, abs=1)

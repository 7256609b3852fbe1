from functools import partial
from importlib import resources
from itertools import combinations, pairwise

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import subfit.text.linebreak as rules
from subfit.text.counting import Counting, count_characters
from subfit.text.linebreak import break_lines
from subfit.text.linebreak_lists import NAMES, word_lists
from tests.places import DATA

break_lines_overlong = partial(break_lines, overlong=True)


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "One line is enough."),
        ("en", "She read the old sign\nおはようございます and went inside."),
        ("en", "I told you that the captain\nwould never come back to the old house."),
        ("en", "I waited for an hour and a half.\nThen the train came at last."),
        ("en", "Mr. Smith asked Dr. Jones\nabout the results of the test."),
        ("en", "She went to the market, the bank,\nthe church and then straight home."),
        ("en", "They say that George W. Bush\nhad painted it himself."),
        ("en", "- Where were you?\n- At the office, all night long, as ever."),
        ("en", "He was – as everyone there knew –\nthe best of them all, and the last."),
        ("en", "Whatever you do, never say that name—\nnot in this house, do you hear?"),
        ("en", "and the Great Lakes\nCombat Training Academy"),
        ("en", "WE HAVE TO GET OUT OF THIS PLACE\nBEFORE THE WHOLE THING BLOWS UP."),
        ("de", "Ich habe dir gesagt, dass der Kapitän\nnie in das alte Haus zurückkehren wird."),
        ("de", "Wir fahren morgen nach Berlin,\nweil meine Schwester heiratet."),
        ("de", "Das ist der Bruder von Frau Müller,\nden ich damals kennengelernt habe."),
        ("es", "No sé si podremos llegar a tiempo,\npero vamos a intentarlo de todos modos."),
        ("fr", "C'est la première fois\nque je vois un tel spectacle !"),
        ("es", "¿Sabes que los hombres de la aldea\nno habían visto nunca el mar abierto?"),
        ("fr", "Je ne comprends pas\npourquoi d'autres gens vivraient ici."),
        ("fr", "Personne ne m'a jamais dit\nqu'il habitait dans la vieille maison."),
        ("fr", "Mais qu’est-ce que tu racontes ?\nIl n’y a personne dans la maison !"),
        ("it", "Credo che gli amici di Anna\npossano arrivare soltanto domani sera."),
        ("it", "Il vecchio guardiano dell'isola\nnon ha mai parlato con nessun altro."),
        ("it", "Non so perché la signora Rossi\nsia andata via senza salutare."),
        ("xx", "Unknown tongues are merely balanced\nwith regard to nothing but length."),
    ],
)
def test_lines_break_where_a_reader_would_pause(language, lines):
    text = lines.replace("\n", " ")
    assert break_lines(text, 42, 2, count_characters, language) == tuple(lines.split("\n"))


@pytest.mark.parametrize(
    ("language", "cpl", "lines"),
    [
        ("zh-Hans", 16, "我们昨天在学校里看到了，\n一只非常大的白色的猫。"),
        ("ja", 13, "昨日、学校で大きな\n猫を見ましたが、"),
        ("ko", 16, "어제 학교에서 아주 큰 고양이를\n보았습니다만 도망갔어요."),
        ("th", 35, "เมื่อวานฉันเห็นแมวตัวใหญ่ที่โรงเรียน\nแต่มันวิ่งหนีไปแล้ว"),
    ],
)
def test_scripts_without_spaces(language, cpl, lines):
    counting = Counting(half_width=language in ("ja", "ko"))
    glue = " " if language in ("ko", "th") else ""
    broken = break_lines(
        lines.replace("\n", glue), cpl, 2, lambda line: count_characters(line, counting), language
    )
    assert broken == tuple(lines.split("\n"))


@pytest.mark.parametrize("closing", ["。", "」", "っ", "ー", "！"])
def test_no_line_begins_with_closing_punctuation_or_small_kana(closing):
    assert break_lines("猫猫猫" + closing + "犬犬", 3, 3, len, "ja") == (
        "猫猫",
        "猫" + closing,
        "犬犬",
    )


def test_no_break_spaces_hold():
    assert break_lines("Vraiment\u00a0?", 8, 2, len, "fr") is None
    assert break_lines("Bon, vraiment\u00a0?", 11, 2, len, "fr") == ("Bon,", "vraiment\u00a0?")


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("fr", "Quoi ? Non !", ["Quoi ?", "Non !"]),
        ("fr", "Il dit : « Ah ! », puis", ["Il", "dit :", "« Ah ! »,", "puis"]),
        ("es", "Ya. ¿ Qué ?", ["Ya.", "¿ Qué ?"]),
        ("de", "»Ja« und 50 % »nein«", ["»Ja«", "und", "50 %", "»nein«"]),
        ("en", "- Where? - Here.", ["-", "Where?", "-", "Here."]),
    ],
)
def test_no_line_begins_with_a_mark_or_ends_with_an_opening_one(language, text, words):
    assert [piece.text for piece in rules.split_pieces(text, language)] == words
    assert rules.split_words(text) == words


def test_line_breaks_of_the_text_are_taken_as_spaces():
    assert break_lines(" one\ntwo\u2028 three ", 20, 2, len, "en") == ("one two three",)


@pytest.mark.parametrize(
    ("text", "cpl", "lines"),
    [("Donaudampfschifffahrt", 20, 2), ("one two three", 5, 2), ("one two", 5, 1), ("a", 0.5, 1)],
)
def test_what_cannot_be_broken_is_told(text, cpl, lines):
    assert break_lines(text, cpl, lines, count_characters, "de") is None


def test_without_limits_there_is_one_line():
    text = "word " * 50
    assert break_lines(text, None, None, len, "en") == (text.strip(),)
    assert break_lines("", 42, 2, len, "en") == break_lines(" \n", 42, 2, len, "en") == ()
    assert break_lines_overlong("", 42, 2, len, "en") == ()


def test_a_wished_balance_outweighs_the_end_of_a_sentence():
    text = "Look at this! They have painted the old door red."
    assert break_lines(text, 42, 2, len, "en") == (
        "Look at this!",
        "They have painted the old door red.",
    )
    lines = break_lines(text, 42, 2, len, "en", min_balance=0.5)
    assert lines is not None and min(map(len, lines)) >= max(map(len, lines)) / 2


def test_an_overlong_text_keeps_its_words_and_its_lines():
    text = "Ich habe es dir doch schon gestern Abend in der alten Küche gesagt, oder?"
    assert break_lines(text, 20, 2, len, "de") is None
    lines = break_lines_overlong(text, 20, 2, len, "de")
    assert " ".join(lines) == text and len(lines) == 2


def test_an_overlong_word_spoils_only_its_own_line():
    lines = break_lines_overlong("Die Donaudampfschifffahrt endet hier.", 12, 3, len, "de")
    assert lines == ("Die", "Donaudampfschifffahrt", "endet hier.")


def test_a_page_in_one_cue_is_broken_in_a_moment():
    text = "Nobody reads a whole page, and yet here is one. " * 400
    lines = break_lines(text, 42, None, len, "en")
    assert lines is not None and " ".join(lines) == text.strip()
    assert max(map(len, lines)) <= 42
    assert len(break_lines_overlong(text, 42, 3, len, "en")) <= 3


words = st.sampled_from(
    ["a", "the", "of", "cat,", "dog.", "Mr.", "Tom", "and", "-", "word—word", "猫が。"]
)
texts = st.lists(words, max_size=8).map(" ".join)
widths = st.integers(1, 20)


def all_ways(text: str, cpl: float, lines: int) -> list[tuple[str, ...]]:
    """Every way to break a text at its pieces into so many lines of that width."""
    pieces = rules.split_pieces(text, "en")
    ways = []
    for cuts in combinations(range(1, len(pieces)), lines - 1):
        edges = [0, *cuts, len(pieces)]
        way = tuple(
            "".join(p.text + p.glue for p in pieces[a:b]).rstrip() for a, b in pairwise(edges)
        )
        if all(count_characters(line) <= cpl for line in way):
            ways.append(way)
    return ways


def demerits_of(
    lines: tuple[str, ...], text: str, cpl: float, balance: float | None, bottom_heavy: bool
) -> float:
    """The demerits of the documentation, added up line by line."""
    pieces = iter(rules.split_pieces(text, "en"))
    widths = [count_characters(line) for line in lines]
    total = 100.0 * (len(lines) - 1) ** 3
    total += sum(
        50 * ((width - count_characters(text) / len(lines)) / cpl) ** 2 for width in widths
    )
    total += 1000 * sum(min(pair) < (balance or 0) * max(pair) for pair in pairwise(widths))
    if bottom_heavy:
        total += sum(50 * (max(0, a - b) / cpl) ** 2 for a, b in pairwise(widths))
    for line in lines[:-1]:
        left = line
        while left:
            piece = next(pieces)
            left = left.removeprefix(piece.text).strip()
        total += piece.demerits
    return total


@given(texts, widths, st.integers(1, 4), st.sampled_from([None, 0.5]), st.booleans())
def test_no_other_lines_have_less_demerits(text, cpl, most, balance, bottom_heavy):
    shape = {"min_balance": balance, "bottom_heavy": bottom_heavy}
    lines = break_lines(text, cpl, most, count_characters, "en", **shape)
    ways = [way for n in range(1, most + 1) for way in all_ways(text, cpl, n)]
    if not text:
        assert lines == ()
    elif not ways:
        assert lines is None
    else:
        assert lines in ways
        least = min(demerits_of(way, text, cpl, balance, bottom_heavy) for way in ways)
        found = demerits_of(lines, text, cpl, balance, bottom_heavy)
        assert found == pytest.approx(least)


def golden(language):
    text = (DATA / "linebreaks" / f"{language}.txt").read_text("utf-8")
    return [(language, block) for block in text.strip().split("\n\n")]


@pytest.mark.parametrize(
    ("language", "lines"),
    [case for tag in ("de", "en", "es", "fr", "it") for case in golden(tag)],
)
def test_lines_are_broken_as_a_subtitler_would(language, lines):
    text = lines.replace("\n", " ")
    assert break_lines(text, 42, 2, count_characters, language) == tuple(lines.split("\n"))


def test_the_year_of_a_date_is_no_clause() -> None:
    pieces = rules.split_pieces("on March 3, 1998 and then, 1998 again", "en")
    assert pieces[2].demerits >= 200 > pieces[5].demerits


@pytest.mark.parametrize(
    ("language", "line", "parted", "why"),
    [
        ("en", "room|12", True, "a number may begin a line"),
        ("en", "the|ferry", False, "article"),
        ("en", "Mrs.|Dalby", False, "title"),
        ("en", "300|miles", False, "unit"),
        ("en", "in front|of", False, "phrase"),
        ("de", "im|Haus", False, "preposition with article"),
        ("de", "z.|B.", False, "abbreviation"),
        ("de", "am 3.|Mai", False, "date"),
        ("de", "Nr.|5", False, "number of something"),
        ("de-AT", "Magistra|Huber", False, "a title in Austria"),
        ("de", "Magistra|Huber", True, "no title elsewhere"),
        ("es", "se|llama", False, "reflexive"),
        ("es", "Dra.|Molina", False, "title"),
        ("es-MX", "20|pesos", False, "unit of Latin America"),
        ("es-ES", "20|pesos", True, "none in Spain"),
        ("fr", "d'un|ami", False, "elided preposition and article"),
        ("fr", "qu'il|vient", False, "elided conjunction and pronoun"),
        ("fr", "parce|que", False, "conjunction of two words"),
        ("fr", "je|viens", False, "subject before its verb"),
        ("it", "gli|amici", False, "article"),
        ("it", "mi|piace", False, "clitic"),
        ("it", "dott.|Conti", False, "title"),
        ("ita", "sig.ra|Conti", False, "three-letter code"),
    ],
)
def test_words_that_are_never_parted(language, line, parted, why):
    before, after = line.split("|")
    pieces = rules.split_pieces(f"x {before} {after} y", language)
    number = len(f"x {before}".split()) - 1
    assert (pieces[number].demerits < 1000) == parted, why


@given(st.lists(words, max_size=14).map(" ".join) | st.text(max_size=60), widths, st.integers(1, 4))
def test_overlong_lines_lose_nothing(text, cpl, most):
    lines = break_lines_overlong(text, cpl, most, count_characters, "en")
    assert len(lines) <= most
    assert "".join("".join(lines).split()) == "".join(text.split())
    fitting = break_lines(text, cpl, most, count_characters, "en")
    assert fitting is None or lines == fitting


@given(st.lists(words, min_size=1, max_size=8).map(" ".join), widths, st.integers(1, 3))
def test_no_other_break_has_fewer_characters_too_many(text, cpl, most):
    def excess(lines):
        return sum(max(0, count_characters(line) - cpl) for line in lines)

    ways = [way for n in range(1, most + 1) for way in all_ways(text, 10**6, n)]
    chosen = break_lines_overlong(text, cpl, most, count_characters, "en")
    assert excess(chosen) == min(map(excess, ways))


def costs(text: str, language: str) -> dict[str, float]:
    """The demerits of a break after each piece but the last."""
    return {piece.text: piece.demerits for piece in rules.split_pieces(text, language)[:-1]}


@pytest.mark.parametrize(
    ("text", "language", "better", "worse"),
    [
        ("He left. Then it rained.", "en", "left.", "Then"),
        ("He saw the boat and ran.", "en", "boat", "the"),
        ("Er kam, als ich ging.", "de", "kam,", "als"),
        ("I met Mr. Bell there today.", "en", "there", "Mr."),
        ("Call print(a, b) or `c = 1` now.", "en", "b)", "print(a,"),
    ],
)
def test_lines_break_between_phrases(text: str, language: str, better: str, worse: str) -> None:
    demerits = costs(text, language)
    assert demerits[better] < demerits[worse]


@pytest.mark.parametrize(
    ("language", "text", "lines"),
    [
        ("ja", "今日はとても天気がいいですね", ("今日はとても", "天気がいいですね")),
        ("zh", "我们今天下午去公园散步", ("我们今天下午", "去公园散步")),
        ("th", "วันนี้อากาศดีมาก", ("วันนี้", "อากาศดีมาก")),
    ],
)
def test_phrases_of_scripts_without_spaces_stay_together(language, text, lines) -> None:
    pytest.importorskip("budoux")
    width = max(map(count_characters, lines)) + 1
    assert break_lines(text, width, 2, count_characters, language) == lines


def test_spaces_within_marks_and_characters_before_closing_ones_part_no_lines() -> None:
    assert rules.split_words("« Quoi ? » dit-il") == ["« Quoi ? »", "dit-il"]
    assert rules.split_words("a  b\nc") == ["a", "b", "c"]
    pieces = [piece.text for piece in rules.split_pieces("本です。", "ja")]
    assert len(pieces) > 1 and pieces[-1].endswith("。") and pieces[-1] != "。"


def test_word_lists_are_words():
    folder = resources.files("subfit.text") / "linebreak_words"
    for file in (each for each in folder.iterdir() if each.name.endswith(".yaml")):
        lists = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert set(lists) <= set(NAMES), file.name
        for word in (word for words in lists.values() for word in words):
            assert isinstance(word, str), (file.name, word, "YAML reads it as something else")
            assert word == word.lower().strip()
    assert yaml.safe_load("[no]") == [False]  # why some of them are quoted


def test_regions_add_to_their_language():
    assert word_lists("es-MX").pronouns > word_lists("es-ES").pronouns == word_lists("spa").pronouns
    assert word_lists("de-AT").titles > word_lists("de").titles == word_lists("de-LI").titles
    assert word_lists("xx") == word_lists("und")

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.word_table import WordTable
from subfit.fitting.spans import SpanPlacer, place_over_cues
from subfit.model.checkpoint import load_tokenizer
from subfit.model.lexicon import load_lexicon
from subfit.subtitles.markup import Span, Turn
from subfit.subtitles.markup.payload import parse_cue_text, plain_text
from subfit.subtitles.markup.restore import render_cue_text, weave
from tests.places import DATA, EN_MULTI
from tests.scripted import KnownWords

CASES = DATA / "markup"
MISSED = (
    "I know what you <i>did</i> last summer.\tIch",
    "The meeting is at <b>nine</b> in room <b>12</b>.\tLa réunion",
    "The judge read the letter <i>aloud</i> before the trial began.\tLe",
    "Nobody goes into the <b>old mill</b> after dark.\tPersonne",
)
"""What is not placed right, yet."""


def placed(source, target, placer, format="vtt"):
    """The words of a translation with the markup of its source."""
    text = plain_text(target, format)
    return render_cue_text(parse_cue_text(source, format), [(text,)], format, placer.place)


@pytest.fixture(scope="module")
def words():
    tokenizer = load_tokenizer(EN_MULTI, shared=True)
    return {
        tag: WordTable(each, tokenizer) for tag, each in load_lexicon(EN_MULTI, tokenizer).items()
    }


def cases():
    for file in sorted(CASES.glob("*/*.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield pytest.param(file.stem, line, id=f"{file.parent.name}-{file.stem}-{line[:20]}")


@pytest.mark.parametrize(("language", "line"), list(cases()))
def test_markup_lands_on_the_right_words(language, line, words):
    source, target = line.split("\t")
    found = placed(source, target, SpanPlacer("en", language, words[language]))
    assert (found.text == target) != line.startswith(MISSED)
    assert not found.unplaced


@pytest.mark.parametrize(
    ("source", "target"),
    [
        # Names, numbers and marks need no table.
        ("She saw <i>Rigoletto</i> twice.", "Zweimal sah sie <i>Rigoletto</i>."),
        ("Room <b>12</b> is upstairs.", "Oben ist Zimmer <b>12</b>."),
        ("He said: <i>Go home!</i>", "Er sagte: <i>Geh heim!</i>"),
        ("<b><i>Anna</i></b> was here.", "Hier war <b><i>Anna</i></b>."),
        ("<i>Mr. <b>Anna</b></i> was here.", "Hier war <i>Mr. <b>Anna</b></i>."),
    ],
)
def test_without_a_table(source, target):
    assert placed(source, target, SpanPlacer("en", "de")).text == target


@pytest.mark.parametrize(
    ("source", "target", "known"),
    [
        (
            "The <i>lighthouse</i> is dark.",
            "<i>灯塔</i>很暗。",
            {"lighthouse": {"灯": 1.0, "塔": 1.0}},
        ),
        # The sign at the end of the source's word is no mark that the comma stands for.
        ("<i>किताबें</i> देखो", "<i>Bücher</i>, sieh", {"किताबें": "Bücher", "देखो": "sieh"}),
    ],
)
def test_words_of_other_scripts(source, target, known):
    placer = SpanPlacer("en", "de", KnownWords(known))
    assert placed(source, target, placer).text == target


def test_what_is_not_said_is_told(words):
    placer = SpanPlacer("en", "fr", words["fr"])
    source = "She left on the <i>Aurora</i> last night, with <b>two</b> dogs."
    found = placed(source, "Elle est partie sur l'Aurora la nuit dernière.", placer)
    assert found.text == "Elle est partie sur l'<i>Aurora</i> la nuit dernière."
    assert found.unplaced == ("<b>",)


def test_markup_follows_its_words_into_another_cue():
    sources = ["She says that she saw <i>Rigoletto</i>", "and <b>nobody</b> else on the 12th"]
    turns = [parse_cue_text(each, "srt").turns[0] for each in sources]
    texts = ["Am 12. sah sie sonst <b>nobody</b>", "und <i>Rigoletto</i>, sagt sie."]
    plain = [plain_text(each, "srt") for each in texts]
    parts = place_over_cues(SpanPlacer("en", "de").place, turns, plain)
    assert [
        weave(text, part.spans, "srt") for text, part in zip(plain, parts, strict=True)
    ] == texts
    assert not any(part.unplaced for part in parts)


@pytest.mark.parametrize("source", ["one <00:00:01.000>two", "<ruby>a<rt>b</rt></ruby> c"])
def test_marks_at_one_place_are_left_to_position(source):
    (turn,) = parse_cue_text(source, "vtt").turns
    assert turn.spans and SpanPlacer("en", "de").place(turn, "eins zwei") is None


WORDS = st.sampled_from(["one", "two,", "(three)", "Anna", "“12”", "l'ami", "…", "no!"])


@st.composite
def turns(draw):
    text = " ".join(draw(st.lists(WORDS, min_size=1, max_size=7)))
    cuts = draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6, unique=True))
    cuts = sorted(cuts[: len(cuts) // 2 * 2])
    apart = [
        Span(a, b, f"<c.{n}>", "</c>")
        for n, (a, b) in enumerate(zip(cuts[::2], cuts[1::2], strict=True))
    ]
    inner = [
        Span(span.start, span.end - 1, "<i>", "</i>") for span in apart if span.end > span.start + 1
    ]
    return Turn(text, tuple(sorted([*apart, *inner], key=lambda span: (span.start, -span.end))))


@given(turns(), st.lists(WORDS, min_size=1, max_size=7).map(" ".join))
def test_spans_stay_within_each_other_or_apart_and_none_is_lost_silently(turn, text):
    found = SpanPlacer("en", "fr").place(turn, text)
    if found is None:
        return
    placed_tags = {span.open for span in found.spans}
    assert placed_tags | set(found.unplaced) == {span.open for span in turn.spans}
    for span in found.spans:
        assert 0 <= span.start < span.end <= len(text)
    for at, one in enumerate(found.spans):
        for other in found.spans[at + 1 :]:
            assert one.end <= other.start or other.end <= one.end

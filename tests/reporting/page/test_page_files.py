"""Files of every kind through the page: hostile ones, WebVTT, both languages, plain text."""

import re

import pytest

from subfit.batch.items import Item
from subfit.batch.outcome import cue_page
from subfit.reporting.page import written_file
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.pairing import bilingual_track

from .browser import RERUN
from .conftest import Opener, make_page

pytestmark = [pytest.mark.browser, RERUN]

ATTACKS = (
    "</script><img src=x onerror=\"window.pwned='img'\">",
    "<script>window.pwned = 'script'</script>",
    "<!--<script>window.pwned = 'comment'",
    "{{data}} {{script}} ${window.pwned = 1} \\u003cimg src=x>",
    "<svg/onload=window.pwned=1> <a href=javascript:window.pwned=1>x</a>",
    "\u202etxet desrever\u202c \u2066isolated\u2069 a\u2028b \u0301\u0302",
    "W" * 400,
    "]]> &lt;img src=x onerror=window.pwned=1&gt; &amp;amp;",
)


def srt_of(texts: tuple[str, ...]) -> str:
    return "\n".join(
        f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{text}\n" for n, text in enumerate(texts, 1)
    )


class Echo(dict):
    """Translates every text as it is."""

    def __missing__(self, text: str) -> str:
        return text


def test_no_subtitle_becomes_markup_or_script_and_nothing_is_sent(opened: Opener) -> None:
    names = ("javascript:window.pwned=1//<img src=x onerror=window.pwned=2>.srt", "</title><b>.srt")
    made = make_page(srt_of(ATTACKS), Echo(), names=names)
    page = opened(made.page)
    for number in range(1, len(ATTACKS) + 1):
        page.run("document.querySelector(arguments[0]).click()", f"#cue-{number} .edit")
        page.run("document.querySelector('.more').open = true")
    targets = page.run("return [...document.querySelectorAll('.target')].map(e => e.textContent)")
    assert targets == [cue.target for cue in made.done.outcomes]
    assert (
        page.run(
            "return document.querySelectorAll('img, iframe, object, a[href^=javascript]').length"
        )
        == 0
    )
    assert page.run("return document.querySelectorAll('script').length") == 2
    assert page.run("return document.querySelectorAll('svg').length") == 3  # the charts
    page.edit(1, "<img src=x onerror=window.pwned=3>")
    assert page.run("return typeof window.pwned") == "undefined"
    assert page.errors() == []
    assert [each for each in page.requests() if not each.startswith(("file:", "blob:"))] == []


def test_the_policy_stops_what_might_get_in(opened: Opener) -> None:
    page = opened(make_page(srt_of(("Hi.",)), Echo()).page)
    page.run(
        """window.stopped = [];
        const note = event => stopped.push(event.effectiveDirective);
        document.addEventListener('securitypolicyviolation', note);
        const script = document.createElement('script');
        script.textContent = 'window.pwned = 1';
        const image = document.createElement('img');
        image.src = 'http://127.0.0.1:9/x.png';
        document.body.append(script, image);"""
    )
    page.driver.execute_async_script("setTimeout(arguments[0], 200)")
    assert page.run("return typeof window.pwned") == "undefined"
    assert set(page.run("return stopped")) == {"script-src-elem", "img-src"}
    assert not any(each.startswith("http") for each in page.requests())


def test_the_page_names_no_other_place_and_writes_no_markup_from_data() -> None:
    page = make_page(srt_of(ATTACKS), Echo()).page
    assert set(re.findall(r"https?://[^\s\"'`]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", page)
    assert page.count("</script>") == 2


VTT = """\
WEBVTT - a title

NOTE kept as it is

STYLE
::cue { color: yellow }

intro
00:01.000 --> 00:04.000 line:0 align:start
<v Ann>Tom &amp; Jerry are <i>here</i>.

00:05.000 --> 00:08.000
Salt &amp; pepper.
"""
VTT_SCRIPT = {
    "Tom & Jerry are here.": "Tom & Jerry sind hier.",
    "Salt & pepper.": "Salz & Pfeffer.",
}


def test_webvtt_keeps_header_notes_and_settings_and_escapes_what_is_typed(opened: Opener) -> None:
    made = make_page(VTT, VTT_SCRIPT, format="vtt", names=("a.en.vtt", "a.de.vtt"))
    page = opened(made.page)
    assert page.download("#download", "a.de.vtt") == made.written
    page.edit(2, "Eins < zwei & drei > 0 --> <b>ja</b>")
    assert page.text("#cue-2 .target") == "Eins < zwei & drei > 0 --> ja"
    page.edit(1, "Tom & <i>Jerry</i>")
    page.press("\ue00c")
    downloaded = page.download("#download", "a.de.vtt").decode()
    assert "NOTE kept as it is" in downloaded and "line:0 align:start" in downloaded
    assert "<v Ann>Tom &amp; <i>Jerry</i>" in downloaded
    assert "Eins &lt; zwei &amp; drei &gt; 0 --&gt; <b>ja</b>" in downloaded
    track = parse_track(downloaded.encode(), format="vtt")
    assert [cue.settings for cue in track.cues] == ["line:0 align:start", ""]


def test_subrip_lines_that_read_like_times_do_not_end_the_cue(opened: Opener) -> None:
    page = opened(make_page(srt_of(("Hi.", "Ho.")), Echo()).page)
    page.edit(1, "a\n\n00:00:05,000 --> 00:00:06,000\nb --> c")
    track = parse_track(page.download("#download", "scene.de.srt"), format="srt")
    assert len(track.cues) == 2 and not track.repairs
    assert track.cues[0].text == "a\n00:00:05,000 ➝ 00:00:06,000\nb → c"


def test_line_ends_byte_order_mark_and_another_format_are_those_of_the_output(opened):
    source = "\ufeff" + srt_of(("<i>Hi</i>.", "Ho.")).replace("\n", "\r\n")
    made = make_page(source, Echo(), names=("a.srt", "a.vtt"), output_format="vtt")
    page = opened(made.page)
    downloaded = page.download("#download", "a.vtt")
    assert downloaded == made.written
    assert downloaded.startswith("\ufeffWEBVTT\r\n".encode())


def test_plain_text_has_no_times_and_one_line_a_sentence(opened: Opener) -> None:
    made = make_page("Hi.\n\nHo.\n", Echo(), format="txt", names=("a.txt", "b.txt"))
    page = opened(made.page)
    page.edit(3, "two\nlines")
    assert page.download("#download", "b.txt").decode() == "Hi.\n\ntwo lines\n"


@pytest.mark.parametrize("order", ["source-first", "target-first"])
def test_of_both_languages_only_the_translation_is_edited(order: str, opened: Opener) -> None:
    source = srt_of(("{\\an8}<i>Hello there</i>.", "Go on."))
    made = make_page(source, {"Hello there.": "Hallo da.", "Go on.": "Weiter."})
    both = bilingual_track(parse_track(source.encode(), format="srt"), made.done.track, order)
    written = written_file(both, "srt", made.done.track)
    page = opened(cue_page(Item("a.srt", "b.srt", "de"), made.done.report, written))
    whole = render_track(both)
    assert page.download("#download", "b.srt") == whole
    page.edit(2, "Los.")
    assert page.text("#cue-2 .used") == "4 / 15"
    assert page.download("#download", "b.srt") == whole.replace(b"Weiter.", b"Los.")


def test_a_dubbing_script_hands_out_edits_only(opened: Opener) -> None:
    table = "start,end,source\n00:00:01.000,00:00:02.000,(laughs) Hello.\n"
    track = parse_track(table.encode(), format="csv")
    made = make_page(srt_of(("Hello.",)), Echo())
    report = made.done.report
    written = written_file(track, "csv")
    page = opened(cue_page(Item("a.csv", "b.csv", "de"), report, written))
    assert page.run("return document.querySelector('#download').hidden")
    page.edit(1, "(lacht) Hallo.")
    assert page.text("#cue-1 .target") == "Hallo."


@pytest.mark.slow
def test_two_thousand_cues_open_and_filter(opened: Opener) -> None:
    times = [
        f"00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900" for n in range(2000)
    ]
    text = "\n".join(f"{n}\n{time}\nCue number {n} here.\n" for n, time in enumerate(times, 1))
    page = opened(make_page(text, Echo()).page)
    assert len(page.shown()) == 2000
    page.click("[data-filter=over]")
    assert 0 < len(page.shown()) <= 2000
    page.edit(page.shown()[-1], "Ok.")
    assert page.text("#tiles .tile:last-child strong") == "1"

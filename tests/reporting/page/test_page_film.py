"""A film opened in the page: what one stands on is played, its times moved, all of it undone."""

import json
import time
import wave
from pathlib import Path

import pytest

from subfit.limits.guideline import Guideline
from subfit.subtitles.formats import parse_track

from .browser import RERUN
from .conftest import SCRIPT, Made, Opener, Page, make_page

pytestmark = [pytest.mark.browser, RERUN]

RULES = Guideline(
    name="rules", language="de", cps=17, cpl=42, lines=2, min_duration=800, min_gap_frames=2
)
"""At 25 frames a second, 40 ms each."""
OWN = ("file:", "blob:", "data:image/svg")
"""What is asked for without a network; the last are the browser's own buttons under a film."""
SHOWN = "return [...document.querySelector('video').textTracks[0].activeCues].map(e => e.text)"


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A grey film of 16 seconds, and as much silence."""
    av = pytest.importorskip("av")
    folder = tmp_path_factory.mktemp("media")
    with av.open(str(folder / "film.webm"), "w") as container:
        stream = container.add_stream("libvpx", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 36, "yuv420p"
        for number in range(16 * 10):
            frame = av.VideoFrame(64, 36, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([number % 200]) * plane.buffer_size)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    with wave.open(str(folder / "sound.wav"), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(16 * 16000))
    return {path.suffix: path for path in folder.iterdir()}


def now(page: Page) -> float:
    """Where the film stands, in seconds."""
    return float(page.run("return document.querySelector('video').currentTime"))


def until(page: Page, script: str) -> None:
    """Wait until a script of the page returns something true."""
    deadline = time.monotonic() + 20
    while not page.run(script):
        assert time.monotonic() < deadline, script
        time.sleep(0.05)


def stand_on(page: Page, number: int) -> None:
    page.run(f"document.querySelector('#cue-{number}').focus()")


def open_film(page: Page, path: Path) -> None:
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    until(page, "return document.querySelector('video').readyState >= 2")


@pytest.mark.parametrize("kind", [".webm", ".wav"])
def test_a_film_plays_the_cue_one_stands_on_under_its_translation(kind, media, page):
    assert "Open the film first" not in page.text("#toolbar")
    stand_on(page, 3)
    page.press(" ")
    assert "Open the film first" in page.text("#toolbar")
    open_film(page, media[kind])
    page.press("j")
    until(page, f"{SHOWN}[0] === 'Niemand sieht das kleine Boot.'")
    page.press("k", " ")
    until(page, "return !document.querySelector('video').paused")
    until(page, "return document.querySelector('video').paused")
    assert 7.5 < now(page) <= 8  # to its out-time
    until(page, f"{SHOWN}[0].startsWith('Die T')")
    page.edit(3, "Offen & <i>auf</i>.")
    until(page, f"{SHOWN}[0] === 'Offen &amp; auf.'")
    assert [each for each in page.requests() if not each.startswith(OWN)] == []
    assert page.errors() == []


def test_a_file_that_is_no_film_is_told(page: Page, tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"no film")
    page.driver.find_element("css selector", "input[type=file]").send_keys(
        str(tmp_path / "film.mp4")
    )
    until(page, "return document.querySelector('#toolbar').textContent.includes('cannot play')")


CLOSE = """\
1
00:00:01,000 --> 00:00:02,000
Nobody sees the boat.

2
00:00:02,160 --> 00:00:03,000
The door is <b>open</b>.

3
01:00:05,000 --> 01:00:06,000
Who is there?
"""


@pytest.fixture
def close(opened: Opener) -> tuple[Made, Page]:
    """Two cues that lie four frames apart, and one an hour later; no gap under two frames."""
    made = make_page(CLOSE, SCRIPT, guideline=RULES)
    return made, opened(made.page)


def test_times_move_by_frames_within_the_rules_and_the_file_has_them(close):
    made, page = close
    stand_on(page, 1)
    assert page.text("#cue-1 .used") == "30 / 17"
    page.press("p", "p", "p")
    assert page.text("#cue-1 .when").endswith("ends +0.08 s")  # the third would leave one frame
    assert "80 ms must lie between it and the next cue" in page.text("#status")
    assert page.text("#cue-1 .used") == "30 / 18"  # 17 characters a second, 1.08 seconds
    page.press("U")  # twelve frames earlier
    assert "00:00:00.520" in page.text("#cue-1 .when")
    assert page.text("#cue-1 .used") == "30 / 26"
    stand_on(page, 2)
    page.press("O")  # at most to the shortest time on screen
    assert "the cue" not in page.text("#status") or "0.8" in page.text("#cue-2 .when")
    stand_on(page, 3)
    page.press("i")
    track = parse_track(page.download("#download", "scene.de.srt"), format="srt")
    assert [(cue.start, cue.end) for cue in track.cues] == [
        (520, 2080),
        (2160, 2960),
        (3605040, 3606000),
    ]
    assert [cue.text for cue in track.cues] == [cue.text for cue in made.done.track.cues]
    document = json.loads(page.download("#edits", "scene.de.srt.edits.json"))
    first = document["edits"][0]
    assert (first["start"], first["end"], first["times_before"]) == (520, 2080, [1000, 2000])
    for _ in range(5):
        page.press("\ue009z\ue000")  # Ctrl + Z
    assert page.download("#download", "scene.de.srt") == made.written


def test_a_cue_that_breaks_a_rule_may_only_be_mended(opened: Opener) -> None:
    overlapping = CLOSE.replace("00:00:02,160", "00:00:01,900")
    page = opened(make_page(overlapping, SCRIPT, guideline=RULES).page)
    stand_on(page, 1)
    page.press("p")
    assert "ends" not in page.text("#cue-1 .when")
    page.press("O")
    assert "180 ms amiss" not in page.text("#cue-1 .notes")
    assert "ends −0.2 s" in page.text("#cue-1 .when")  # to the shortest time on screen


def test_everything_is_undone_and_done_again(made: Made, page: Page) -> None:
    def state() -> tuple[str, bool]:
        accepted = "accepted" in page.text("#cue-4 .notes")
        return str(page.run("return subfitReport.file()")), accepted

    states = [state()]
    page.edit(1, "Wo ist er?")
    page.press("\ue00c")
    states.append(state())
    for number, keys in ((3, "2"), (4, "p"), (4, "a"), (5, "I")):
        stand_on(page, number)
        page.press(keys)
        states.append(state())
    assert len({str(each) for each in states}) == len(states)
    for expected in reversed(states[:-1]):
        page.click("#undo")
        assert state() == expected
    assert page.run("return document.querySelector('#undo').disabled")
    for expected in states[1:]:
        page.click("#redo")
        assert state() == expected
    page.driver.refresh()
    assert state() == states[-1]  # kept by the browser


def test_accepting_leads_to_the_next_that_wants_a_look(page: Page) -> None:
    stand_on(page, 3)
    page.press("a")
    assert page.run("return document.activeElement.id") == "cue-4"
    assert "accepted" in page.text("#cue-3 .notes")
    page.run("document.querySelector('#cue-1').focus()")
    page.press("n")
    assert page.run("return document.activeElement.id") == "cue-4"


def test_keys_that_are_letters_can_be_switched_off(page: Page) -> None:
    page.run("document.querySelector('#foot input').click()")
    stand_on(page, 3)
    page.press("a", "j", "2", "p")
    assert page.run("return document.activeElement.id") == "cue-3"
    assert page.text("#cue-3 .notes") == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_keeps_wcag_aa(scheme: str, media: dict[str, Path], page: Page) -> None:
    axe = pytest.importorskip("axe_core_python.base")
    feature = {"name": "prefers-color-scheme", "value": scheme}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    open_film(page, media[".webm"])
    page.edit(3, "Sie ist jetzt sehr weit offen, und niemand weiß, wie lange schon.")
    page.run("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    page.run(Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(
        "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(arguments[0])"
    )
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == []


def test_the_worst_come_first(opened: Opener) -> None:
    lines = ("Nobody sees the boat.", "The door is open.", "Nobody sees the boat.")
    text = "\n".join(
        f"{n}\n00:00:0{n},000 --> 00:00:0{n},{900 - 300 * (n == 3)}\n{line}\n"
        for n, line in enumerate(lines, 1)
    )
    page = opened(make_page(text, SCRIPT).page)
    page.click("[data-order=worst]")
    shown = page.run("return [...document.querySelectorAll('.cue')].map(e => +e.id.slice(4))")
    beyond = {n: page.text(f"#cue-{n} .chip") for n in shown}
    assert shown[0] == 3 or "over" in beyond[shown[0]], beyond

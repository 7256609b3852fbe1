"""Makes films to translate: SubRip files of any number of cues, the same ones every time.

The sentences come from the frames and words below, written for this; lengths, reading speeds and
gaps are spread as films have them. Some sentences run over two cues, some cues hold two speakers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

LINE = 42
"""Most characters of a line."""
SLOWEST, FASTEST = 10.0, 18.0
"""Reading speeds of cues, in characters a second: many translations have to be shortened."""
SHORTEST, LONGEST = 833, 7000
"""Milliseconds that a cue stands, as guidelines have them."""
TWO_FRAMES = 84

WORDS: dict[str, Sequence[str]] = {
    "who": [
        "the captain",
        "my sister",
        "your father",
        "the old doctor",
        "a man from the harbor",
        "Nora",
        "Walter",
        "the woman next door",
        "nobody in this town",
        "the boy with the red scarf",
    ],
    "thing": [
        "the letter",
        "that photograph",
        "your brother's boat",
        "the key to the cellar",
        "a second chance",
        "the last train",
        "an honest answer",
        "the map",
        "all the money",
        "the green suitcase",
    ],
    "place": [
        "at the bridge",
        "behind the church",
        "in the kitchen",
        "on the island",
        "at the station",
        "under the stairs",
        "in the hospital",
        "on the other side of the river",
    ],
    "time": [
        "tonight",
        "before sunrise",
        "tomorrow morning",
        "three years ago",
        "every Sunday",
        "when the storm was over",
        "at half past nine",
        "after the funeral",
    ],
    "number": ["two", "seven", "twelve", "forty", "nineteen", "three hundred"],
}

SHORT = [
    "Who is there?",
    "Not now.",
    "I know.",
    "Wait for me!",
    "What happened?",
    "Are you all right?",
    "Thank you.",
    "Come in.",
    "Leave it.",
    "That's all I know.",
    "Nobody asked you.",
    "Look at me.",
    "Say something.",
    "We're late.",
]
MEDIUM = [
    "Have you seen {thing} {place}?",
    "I was looking for {who} {time}.",
    "We have {number} hours left.",
    "Don't tell me that {who} is still here.",
    "I left {thing} {place}.",
    "Do you remember {time}?",
    "There are {number} people waiting {place}.",
    "If {who} calls, I'm not at home.",
]
LONG = [
    "I never wanted {thing}, but {who} told me to wait {place} until everyone had gone home.",
    "You said there were {number} of them {place}, and now {who} tells me there is nobody left.",
    "Either we give {thing} back {time}, or {who} will come and look for it {place}.",
    "When I was a child, {who} used to sit {place} and tell us stories about {thing}.",
    "It took {number} days to find {thing}, and in the end it was lying {place} all the time.",
]


def film(cues: int, seed: int = 1) -> str:
    """Write a film.

    Args:
        cues: How many cues it has.
        seed: Determines everything.

    Returns:
        The text of a SubRip file; its cues are in order, do not overlap, and have one or two lines
        of at most `LINE` characters. A longer film begins with the shorter one.
    """
    draw = random.Random(seed)
    payloads: list[str] = []
    while len(payloads) < cues:
        payloads += _scene(draw)
    return "\n".join(_timed(payloads[:cues], random.Random(seed)))


def _scene(draw: random.Random) -> list[str]:
    """The cues of one sentence, of two speakers or of a sound."""
    kind = draw.random()
    if kind < 0.05:
        return [draw.choice(("[DOOR SLAMS]", "[WIND HOWLING]", "[PHONE RINGING]"))]
    if kind < 0.13:
        return [f"- {_sentence(draw, SHORT)}\n- {_sentence(draw, SHORT)}"]
    if kind < 0.28:
        lines = list(_lines(_sentence(draw, LONG)))
        return ["\n".join(lines[start : start + 2]) for start in range(0, len(lines), 2)]
    text = _sentence(draw, SHORT if kind < 0.55 else MEDIUM)
    if kind > 0.9:
        text = f"{_sentence(draw, SHORT)} {text}"
    payload = "\n".join(_lines(text))
    return [f"<i>{payload}</i>" if kind > 0.96 else payload]


def _sentence(draw: random.Random, frames: Sequence[str]) -> str:
    words = {name: draw.choice(choices) for name, choices in WORDS.items()}
    text = draw.choice(frames).format(**words)
    return text[0].upper() + text[1:]


def _lines(text: str) -> Iterator[str]:
    """Break a text before the words that would pass the end of the line."""
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > LINE:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def _timed(payloads: Sequence[str], draw: random.Random) -> Iterator[str]:
    start = 1000
    for number, payload in enumerate(payloads, start=1):
        needed = 1000 * len(payload) / draw.uniform(SLOWEST, FASTEST)
        end = start + round(min(max(needed, SHORTEST), LONGEST))
        yield f"{number}\n{clock(start)} --> {clock(end)}\n{payload}\n"
        start = end + TWO_FRAMES + (draw.randrange(3000) if payload[-1] in ".!?]>" else 0)


def clock(milliseconds: int) -> str:
    """Return a time as SubRip writes it."""
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02},{rest:03}"

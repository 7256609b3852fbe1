"""A translator that asks a model behind a server, and takes what fits of its answers.

The sentences of a scene are asked for together, and answered in an object with an entry for each by
its number, so that none can stand for another. Where the server compiles JSON schemas, an entry has
no more characters than its budget; elsewhere the model is told how many there are, and asked again
for less.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx2

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.prompts import (
    Message,
    PromptedTranslator,
    PromptTemplate,
    TalkSettings,
    find_template,
    most_of,
    translation_in,
)
from subfit.hub.names import ServerAddress
from subfit.servers.client import ChatClient, NoAnswerError, Question
from subfit.servers.schemas import compiles_schemas, entries_schema, read_entries
from subfit.servers.settings import key_for
from subfit.servers.usage import Usage
from subfit.text.counting import Counting, count_characters
from subfit.text.doubts import MUCH_LONGER, SPARE

TURNS = 2
"""How often an answer that is too long is asked to be made shorter, in one conversation."""
TEMPERATURE = 0.7
"""Several answers are drawn at this temperature; one is the likeliest."""
MOST_ANSWERS = 5
"""Most answers to one question."""
MOST_TOKENS, THINKING_TOKENS = 1024, 8192
"""Most tokens of an answer; and of one that got no further than thinking aloud."""
UNUSED_ROOM = 0.3
"""Where a server tells no probabilities, an answer loses up to so many nats per token for room
that it leaves unused: the more is said, the less is left out."""
LATER = 0.01
"""Taken off a score for each answer before it, where a server tells no probabilities."""
DOUBTFUL = 2.0
"""Nats per token that an answer loses against which something speaks (`subfit.text.doubts`)."""
LESS = 0.85
"""Share of its ceiling that an entry is given which ended in the middle of a word there."""
UNREADABLE = 3
"""Scenes in a row with no entry that can be read, after which every sentence is asked for alone."""
AGAIN = 1.7
"""So many times what a film takes by itself it takes with what is asked for again."""
CHARACTERS, KEY = 3.5, 8
"""Characters of a token; and of what stands around an entry."""
_CLOSING = tuple('.!?…:;,-–—)]♪。！？"”“»«’')
_END = re.compile(r"\W+$")
_MARKS = {mark: kind[0] for kind in (".。।", "?？", "!！", "…", ",;，、") for mark in kind}

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a scene's answer has for one sentence."""

    hypothesis: Hypothesis
    clipped: bool
    """Whether it ends at its ceiling, and not as its source ends."""
    doubtful: bool
    """Whether something speaks against it."""
    moved: bool = False
    """Whether it may be what another sentence says, as one before it was clipped and went on."""


class ServerTranslator(PromptedTranslator):
    """Translates by asking a server; see `subfit.decoding.any_translator.AnyTranslator`.

    Args:
        client: Asks the server; for what is not named here see `PromptedTranslator`.
        beams: How many answers are asked for where there is a ceiling.
    """

    precision = "server"

    def __init__(
        self,
        client: ChatClient,
        template: PromptTemplate,
        source_language: str,
        target_language: str,
        counting: Counting,
        beams: int,
    ) -> None:
        name = str(client.address)  # the server's, and what it calls the model
        super().__init__(name, template, source_language, target_language, counting)
        self._client, self.beams = client, beams
        self._known: dict[Request, list[Hypothesis]] = {}
        """What was answered already, and need not be asked, and paid, again."""
        self._mute: set[tuple[str, tuple[str, ...]]] = set()
        """Texts, with what stands before them, that got no answer of use; they are left alone."""
        self._unreadable = 0
        """Scenes in a row of which no entry could be read."""

    @property
    def _holds(self) -> bool:  # type: ignore[override]
        return self._client.schemas is not False

    @property
    def usage(self) -> Usage:
        """What asking has come to."""
        return self._client.usage

    def accepts(self, text: str) -> bool:
        """Whether the text is short enough: any is that a cue may hold."""
        return True

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """Return the hypotheses as they are: a server does not rate what others said."""
        return [list(hypotheses) for hypotheses in nbest]

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Translate texts.

        Args:
            requests: What to translate, in the order of the film; what is asked twice is asked
                once, and those of a scene are asked for together.
            on_done: Called with the number of requests that got done since it was last called.

        Returns:
            Per request its hypotheses, best first; those within its ceiling, or else the one that
            is over it by least. None where the server gave no answer of use.

        Raises:
            ModelError: The server is no good; what it answered until then is remembered.
        """
        plain = [replace(request, length_class=None) for request in requests]
        counts = Counter(plain)
        new = [request for request in counts if request not in self._known]
        if on_done is not None and len(new) < len(counts):
            on_done(len(plain) - sum(counts[request] for request in new))
        if new:
            _run(self._ask_all(new, lambda one: on_done and on_done(counts[one])))
        return [self._known.get(request, []) for request in plain]

    def expected_usage(self, requests: Sequence[Request]) -> Usage:
        """Return about what it takes to translate texts, and those that are too long once more."""
        groups = self._groups(requests)
        conversations = [
            self._prompter.scene(group, ())
            if len(group) > 1
            else self._prompter.messages(group[0], self._before(group[0]))
            for group in groups
        ]
        said = sum(len(turn["content"]) for turns in conversations for turn in turns)
        answered = sum(len(request.text) + KEY for request in requests)
        sent, completed = (math.ceil(AGAIN * one / CHARACTERS) for one in (said, answered))
        return Usage(
            requests=math.ceil(AGAIN * len(groups)),
            prompt_tokens=sent,
            completion_tokens=completed,
            cost=price.of(sent, completed) if (price := self._client.settings.price) else 0.0,
        )

    def _groups(self, requests: Sequence[Request]) -> list[list[Request]]:
        """What is asked for together: the sentences of a scene, each once, all with or all without
        a ceiling."""
        groups: dict[tuple[object, ...], list[Request]] = {}
        times: Counter[tuple[object, ...]] = Counter()
        for number, request in enumerate(requests):
            scene = request.setting.scene if self._prompter.takes_scenes else 0
            same = scene, math.isfinite(request.ceiling), request.text
            times[same] += 1
            key = (*same[:2], times[same]) if scene else (number,)
            groups.setdefault(key, []).append(request)
        return list(groups.values())

    async def _ask_all(
        self, requests: Sequence[Request], on_done: Callable[[Request], object]
    ) -> None:
        """Ask for all, several at once, and remember the answers."""
        groups = self._groups(requests)
        each = math.ceil(len(groups) / self._client.settings.concurrency)
        async with self._client.connected() as connection:
            if any(len(group) > 1 for group in groups):
                await compiles_schemas(self._client, connection)

            async def work(own: Sequence[list[Request]]) -> None:
                for group in own:  # in the order of the film, as what was said before is shown
                    await self._answer(connection, group)
                    for request in group:
                        on_done(request)

            workers = [
                asyncio.ensure_future(work(groups[start : start + each]))
                for start in range(0, len(groups), each)
            ]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
        self._client.check()

    async def _answer(self, connection: httpx2.AsyncClient, group: Sequence[Request]) -> None:
        """Ask for a scene, and for what is missing then by itself; remember the answers."""
        asked = [one for one in group if (one.text, one.setting.before) not in self._mute]
        by_scene = len(asked) > 1 and self._unreadable < UNREADABLE
        found = await self._scene(connection, asked) if by_scene else {}
        for request in asked:
            if request in found:
                hypotheses = found[request]
            else:
                hypotheses = await self._hypotheses(connection, request)
            if hypotheses or request in found:
                self._known[request] = hypotheses
                self._remember(request, hypotheses)
            else:
                self._mute.add((request.text, request.setting.before))

    async def _scene(
        self, connection: httpx2.AsyncClient, group: Sequence[Request]
    ) -> dict[Request, list[Hypothesis]]:
        """Ask for a scene, and once more, together, for what of it is missing or no good.

        Of a sentence that is clipped, or moved, both times there is none within its ceiling.
        """
        newest = [(one.text, self._said[one.text]) for one in group if one.text in self._said]
        before = newest or self._before(group[0])  # what is too long, or what was said before
        said = await self._entries(connection, {one: self._most(one) for one in group}, before)
        self._unreadable = 0 if said else self._unreadable + 1
        if not said:
            return {}
        again, too_long = dict[Request, int](), list[tuple[str, str]]()
        for request in group:
            entry, most = said.get(request), self._most(request)
            if entry is None or entry.moved:
                again[request] = most
            elif entry.doubtful:
                if math.isinf(request.ceiling) or request.text in self._said:
                    again[request] = most  # others were doubted twice already
            elif entry.clipped or not self._fits(entry.hypothesis, request):
                again[request] = math.floor(LESS * most) if entry.clipped else most
                too_long.append((request.text, entry.hypothesis.text))
        more = await self._entries(connection, again, too_long or before) if again else {}
        found: dict[Request, list[Hypothesis]] = {}
        for request in group:
            both = [answers[request] for answers in (said, more) if request in answers]
            held = math.isfinite(request.ceiling)
            own = [one for one in both if not one.moved]
            whole = [one.hypothesis for one in own if not (held and one.clipped)]
            if own or (both and held):
                ranked = self._ranked(whole, request)
                found[request] = [one for one in ranked if self._fits(one, request)] or ranked[:1]
        return found

    async def _entries(
        self,
        connection: httpx2.AsyncClient,
        ceilings: Mapping[Request, int],
        before: Sequence[tuple[str, str]],
    ) -> dict[Request, _Entry]:
        """Ask for several sentences at once, each with its most code points; those that come."""
        asked = [
            replace(one, asked=min(told, most)) if (told := most_of(one)) else one
            for one, most in ceilings.items()
        ]
        question = Question(
            self._prompter.scene(asked, before),
            most_tokens=MOST_TOKENS + sum(ceilings.values()),
            schema=entries_schema(list(ceilings.values())),
        )
        try:
            completion = await self._client.ask(connection, question)
        except NoAnswerError:
            return {}
        answers = read_entries(completion.choices[0].text, len(ceilings))
        entries, behind = dict[Request, _Entry](), list[Request]()
        for (request, most), answer in zip(ceilings.items(), answers, strict=True):
            text = translation_in(answer or "", request.text, self._label)
            if any(entry.clipped for entry in entries.values()):
                behind.append(request)
            if text is not None:
                closes = request.text.rstrip().endswith(_CLOSING) <= text.endswith(_CLOSING)
                clipped = len(answer or "") >= most and not closes
                doubtful = bool(self._doubts(text, request))
                entries[request] = _Entry(self._hypothesis(text, (), request, 0), clipped, doubtful)
        moved = {one: entries[one].hypothesis.text for one in behind if one in entries}
        if any(_is_another(text, one.text) for one, text in moved.items()):
            for one in moved:
                entries[one] = replace(entries[one], moved=True)
        return entries

    def _most(self, request: Request) -> int:
        """The code points of a ceiling, of which some scripts need more than one a character; or
        of an answer that is no translation any more."""
        if math.isinf(request.ceiling):
            return math.ceil(MUCH_LONGER * len(request.text) + SPARE)
        said = self._said.get(request.text, "")
        characters = count_characters(said, self.counting)
        return math.floor(request.ceiling * (max(1.0, len(said) / characters) if characters else 1))

    async def _hypotheses(
        self, connection: httpx2.AsyncClient, request: Request
    ) -> list[Hypothesis]:
        """Ask for one text: for less again, as long as nothing is within the ceiling."""
        conversation = self._prompter.messages(request, self._before(request))
        said = await self._say(connection, conversation, request)
        for _ in range(TURNS):
            if not said or not self._template.shorter or self._fits(said[0], request):
                break
            closest = said[0]
            most = math.floor(request.ceiling)
            conversation = [
                *conversation,
                {"role": "assistant", "content": closest.text},
                self._prompter.shorter(closest.characters, most),
            ]
            said += await self._say(connection, conversation, request)
            said = self._ranked(said, request)
        return [one for one in said if self._fits(one, request)] or said[:1]

    async def _say(
        self, connection: httpx2.AsyncClient, conversation: Sequence[Message], request: Request
    ) -> list[Hypothesis]:
        """Return what the model says, without chatter; a second time if that is nothing of use."""
        several = min(self.beams, MOST_ANSWERS) if math.isfinite(request.ceiling) else 1
        temperature, most_tokens = (TEMPERATURE if several > 1 else 0.0), MOST_TOKENS
        said: list[Hypothesis] = []
        for _ in range(2):
            question = Question(conversation, several, temperature, most_tokens)
            try:
                completion = await self._client.ask(connection, question)
            except NoAnswerError:
                break
            said += [
                self._hypothesis(text, one.log_probabilities, request, rank)
                for rank, one in enumerate(completion.choices[:MOST_ANSWERS])
                if (text := translation_in(one.text, request.text, self._label)) is not None
            ]
            if not all(self._doubts(one.text, request) for one in said):
                break
            temperature = TEMPERATURE
            if any(one.cut for one in completion.choices):
                most_tokens = THINKING_TOKENS
        else:
            if not said:
                self._client.count_useless()
        return self._ranked(said, request)

    def _hypothesis(
        self, text: str, log_probabilities: Sequence[float], request: Request, rank: int
    ) -> Hypothesis:
        characters = count_characters(text, self.counting)
        if log_probabilities:
            total = sum(log_probabilities)
            score = total / len(log_probabilities)
        else:
            score = total = -LATER * rank
            if math.isfinite(request.ceiling):
                score -= UNUSED_ROOM * max(0.0, 1 - characters / max(request.ceiling, 1.0))
        if self._doubts(text, request):
            score -= DOUBTFUL
        return Hypothesis(text, characters, score, total)

    def _fits(self, one: Hypothesis, request: Request) -> bool:
        """Whether an answer is within both of the limits of a request."""
        letters = replace(self.counting, spaces=False)
        dense = count_characters(one.text, letters) if math.isfinite(request.dense) else 0.0
        return one.characters <= request.ceiling and dense <= request.dense

    def _ranked(self, said: Sequence[Hypothesis], request: Request) -> list[Hypothesis]:
        """Each text once: those within the limits by score, then others, the shortest first."""

        def rank(one: Hypothesis) -> tuple[bool, float]:
            fits = self._fits(one, request)
            return not fits, -one.score if fits else one.characters

        best: dict[str, Hypothesis] = {}
        for one in sorted(said, key=rank):
            best.setdefault(one.text, one)
        return list(best.values())


def _is_another(text: str, source: str) -> bool:
    """Whether a text begins small where its source has a capital, or ends with other marks."""
    first, given = (next(filter(str.isalpha, own), "") for own in (text, source))
    ends = [_END.search(own.replace("...", "…")) for own in (text, source)]
    marks, own = ({_MARKS.get(mark) for mark in end[0]} - {None} if end else set() for end in ends)
    return (first.islower() and given.isupper()) or bool(marks and own and not marks & own)


def server_translator(
    address: ServerAddress,
    talk: TalkSettings,
    source_language: str,
    target_language: str,
    counting: Counting,
    beams: int,
) -> ServerTranslator:
    """Return a translator that asks a server; nothing is sent yet. As `ServerTranslator`."""
    template = find_template(talk.prompt, "", address.model)
    client = ChatClient(address, talk.server, key_for(address))
    return ServerTranslator(client, template, source_language, target_language, counting, beams)


def _run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, also where a loop runs already, as in notebooks."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()

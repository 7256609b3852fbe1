"""A translator that asks a model behind a server, and takes what fits of its answers.

A server's model cannot be held to a ceiling token by token. It is told how many characters there
are, gives several answers, and is asked again for less where none is within.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

import httpx2

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.prompted import PromptedTranslator
from subfit.decoding.prompts.rendering import Message, translation_in
from subfit.decoding.prompts.template import PromptTemplate
from subfit.servers.client import ChatClient, NoAnswerError, Question
from subfit.servers.usage import Usage
from subfit.text.counting import Counting, count_characters

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


Result = TypeVar("Result")


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
            requests: What to translate; what is asked twice is asked once.
            on_done: Called with the number of requests that got done since it was last called.

        Returns:
            Per request its hypotheses, best first; those within its ceiling, or else the one that
            is over it by least. None where the server gave no answer of use.

        Raises:
            ModelError: The server is no good; what it answered until then is remembered.
        """
        plain = [replace(request, beams=0, length_class=None) for request in requests]
        counts = dict.fromkeys(plain, 0)
        for request in plain:
            counts[request] += 1
        known = [request for request in counts if request in self._known]
        if on_done is not None and known:
            on_done(sum(counts[request] for request in known))
        new = [request for request in counts if request not in self._known]
        if new:
            _run(self._ask_all(new, lambda one: on_done and on_done(counts[one])))
        return [self._known.get(request, []) for request in plain]

    async def _ask_all(
        self, requests: Sequence[Request], on_done: Callable[[Request], object]
    ) -> None:
        """Ask for all, several at once, and remember the answers."""
        waiting = iter(requests)
        async with self._client.connected() as connection:

            async def work() -> None:
                for request in waiting:
                    text = request.text, request.context
                    if text not in self._mute:
                        hypotheses = await self._hypotheses(connection, request)
                        if hypotheses:
                            self._known[request] = hypotheses
                        else:
                            self._mute.add(text)
                    on_done(request)

            workers = [
                asyncio.ensure_future(work())
                for _ in range(min(self._client.settings.concurrency, len(requests)))
            ]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
        self._client.check()

    async def _hypotheses(
        self, connection: httpx2.AsyncClient, request: Request
    ) -> list[Hypothesis]:
        """Ask for one text: for less again, as long as nothing is within the ceiling."""
        conversation = self._prompter.messages(self._asked(request))
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
        """Return what the model says, without chatter; a second time if that is nothing."""
        several = min(self.beams, MOST_ANSWERS) if math.isfinite(request.ceiling) else 1
        temperature, most_tokens = (TEMPERATURE if several > 1 else 0.0), MOST_TOKENS
        for _ in range(2):
            question = Question(conversation, several, temperature, most_tokens)
            try:
                completion = await self._client.ask(connection, question)
            except NoAnswerError:
                return []
            said = [
                self._hypothesis(text, one.log_probabilities, request, rank)
                for rank, one in enumerate(completion.choices[:MOST_ANSWERS])
                if (text := translation_in(one.text, request.text, self._label)) is not None
            ]
            if said:
                return self._ranked(said, request)
            temperature = TEMPERATURE
            if any(one.cut for one in completion.choices):
                most_tokens = THINKING_TOKENS
        self._client.count_useless()
        return []

    def _hypothesis(
        self, text: str, log_probabilities: Sequence[float], request: Request, rank: int
    ) -> Hypothesis:
        characters = count_characters(text, self.counting)
        if log_probabilities:
            total = sum(log_probabilities)
            return Hypothesis(text, characters, total / len(log_probabilities), total)
        score = -LATER * rank
        if math.isfinite(request.ceiling):
            score -= UNUSED_ROOM * max(0.0, 1 - characters / max(request.ceiling, 1.0))
        return Hypothesis(text, characters, score, score)

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


def _run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, also where a loop runs already, as in notebooks."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()

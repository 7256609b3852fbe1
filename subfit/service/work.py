"""Requests in one queue, and the one thread that translates them, those that are alike together."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from subfit.batch.engine import Models, translate_group
from subfit.batch.items import Item, Source
from subfit.batch.job import Job
from subfit.batch.manifest import count_cues
from subfit.batch.setup import RunSetup, make_setup, with_bundled_pivot
from subfit.decoding.loading import LoadedModel
from subfit.fitting.options import Options, Timing
from subfit.subtitles.formats import written_path
from subfit.subtitles.formats.naming import output_path
from subfit.subtitles.sdh import SdhWish
from subfit.text.formality import FormalityWish

GROUP_CUES = 1000
"""Most cues that are translated together, beside those of the first request."""
SETUPS = 16
"""Kinds of requests whose translators are kept; their models are shared."""

_OF_OPTIONS = {field.name for field in fields(Options)}


class QueueFullError(Exception):
    """There is no place for another request now."""


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """How something is to be translated; requests with the same options are translated together."""

    source: str
    target: str
    guideline: str | None = None
    formality: FormalityWish | None = None
    timing: Timing = "keep"
    sdh: SdhWish = "keep"
    strict_budget: bool = False

    @property
    def fitting(self) -> Options:
        """The options of translating and of fitting among them."""
        shared = {name: one for name, one in asdict(self).items() if name in _OF_OPTIONS}
        return Options(source_language=self.source, **shared)

    def target_of(self, file: Path) -> Path:
        """Return the name of a file's translation, beside it."""
        return written_path(output_path(file, self.target, self.source))

    def job(self, settings: Job) -> Job:
        """Return what the command would be told."""
        job = replace(
            settings,
            languages=(self.target,),
            options=self.fitting,
            limits=replace(settings.limits, guideline=self.guideline or settings.limits.guideline),
        )
        return with_bundled_pivot(job.translating_from(self.source))


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is sent with how it is to be translated."""

    name: str
    """Its suffix says what it is."""
    data: bytes
    options: RequestOptions

    @property
    def target_name(self) -> str:
        """What its translation is called."""
        return self.options.target_of(Path(self.name)).name


@dataclass(slots=True, eq=False)
class Ticket:
    """A request's place in the queue."""

    sent: Upload
    cues: int
    call: Callable[[RunSetup, Models], Any] | None = None
    """What is done in place of translating the file, with the models for its options."""
    done: Future[Any] = field(default_factory=Future)
    """Cancelled where nobody waits any more; it costs nothing then, unless it is begun already."""
    progress: tuple[int, int] = (0, 0)
    """Sentences that are done and all of them, of those that are translated together."""


class Worker:
    """Translates what is asked for, in the order it comes in; the models stay in memory.

    Args:
        settings: What holds for all requests: models, computing, limits.
        places: Most requests that may wait; one more is refused.
    """

    def __init__(self, settings: Job, places: int = 64) -> None:
        self._settings, self._places = settings, places
        self._waiting: deque[Ticket] = deque()
        self._change = threading.Condition()
        self._closed = False
        self._running: tuple[Ticket, ...] = ()
        self._loaded: dict[str, LoadedModel] = {}
        self._setups: OrderedDict[RequestOptions, tuple[RunSetup, Models]] = OrderedDict()
        self.translated = 0
        """Requests that are done."""
        self._thread = threading.Thread(target=self._work, name="subfit-worker", daemon=True)
        self._thread.start()

    def admit(self, options: RequestOptions) -> None:
        """Make sure that there is a place for a request, and that it can be met.

        Raises:
            QueueFullError: Too many wait.
            SubfitError: There is no model for it, or no such guideline.
        """
        with self._change:
            self._drop_cancelled()
            if self._closed or len(self._waiting) >= self._places:
                raise QueueFullError
        self._setup(options)

    def ask(self, sent: Upload) -> Ticket:
        """Queue a file, whether it was admitted or not; ``done`` has what becomes of it."""
        return self._queued(Ticket(sent, count_cues(sent.data)))

    def ask_to(self, options: RequestOptions, call: Callable[[RunSetup, Models], Any]) -> Ticket:
        """Queue something else that needs the models: it gets those for the options."""
        return self._queued(
            Ticket(Upload("", b"", options), GROUP_CUES + 1, call)
        )  # nothing goes with it

    def _queued(self, ticket: Ticket) -> Ticket:
        with self._change:
            self._waiting.append(ticket)
            self._change.notify()
        return ticket

    @property
    def waiting(self) -> int:
        """How many requests wait or are being translated."""
        with self._change:
            self._drop_cancelled()
            return len(self._waiting) + len(self._running)

    def close(self) -> None:
        """Take no more requests; what is being translated is finished, the others are cancelled."""
        with self._change:
            self._closed = True
            for ticket in self._waiting:
                ticket.done.cancel()
            self._waiting.clear()
            self._change.notify()
        self._thread.join()

    def _setup(self, options: RequestOptions) -> tuple[RunSetup, Models]:
        with self._change:
            if options in self._setups:
                self._setups.move_to_end(options)
                return self._setups[options]
        setup = make_setup(options.job(self._settings))
        found = setup, Models(setup, alone=False, loaded=self._loaded)
        with self._change:
            self._setups[options] = found
            while len(self._setups) > SETUPS:
                self._setups.popitem(last=False)
        return found

    def _work(self) -> None:
        while (tickets := self._next()) is not None:
            if tickets:
                self._translate(tickets)
            with self._change:
                self._running = ()

    def _next(self) -> list[Ticket] | None:
        """The first that waits, with those that want the same; None to end."""
        with self._change:
            self._change.wait_for(lambda: self._closed or self._waiting)
            if self._closed:
                return None
            options, cues = self._waiting[0].sent.options, 0
            taken: list[Ticket] = []
            for ticket in list(self._waiting):
                if ticket.sent.options == options and (
                    not taken or cues + ticket.cues <= GROUP_CUES
                ):
                    self._waiting.remove(ticket)
                    if ticket.done.set_running_or_notify_cancel():
                        taken.append(ticket)
                        cues += ticket.cues
            self._running = tuple(taken)
            return taken

    def _translate(self, tickets: list[Ticket]) -> None:
        options = tickets[0].sent.options

        def on_progress(done: int, total: int) -> None:
            for ticket in tickets:
                ticket.progress = done, total

        try:
            setup, models = self._setup(options)
            if (call := tickets[0].call) is not None:
                made: Sequence[object] = [call(setup, models)]
            else:
                sources = tuple(
                    Source(
                        index,
                        Item(sent.name, str(options.target_of(Path(sent.name))), options.target),
                        sent.data,
                        ticket.cues,
                    )
                    for index, ticket in enumerate(tickets)
                    if (sent := ticket.sent)
                )
                made = translate_group(sources, setup, models, on_progress)
        except BaseException as error:  # told to whoever waits; the thread goes on
            for ticket in tickets:
                ticket.done.set_exception(error)
            return
        self.translated += len(made)
        for ticket, result in zip(tickets, made, strict=True):
            ticket.done.set_result(result)

    def _drop_cancelled(self) -> None:
        for ticket in [one for one in self._waiting if one.done.cancelled()]:
            self._waiting.remove(ticket)

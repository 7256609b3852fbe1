"""The HTTP interface: LibreTranslate's calls, so that its clients work, and jobs with progress."""

import asyncio
import contextlib
import hmac
import json
import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from babel import Locale
from fastapi import Depends, FastAPI, File, Form, HTTPException, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware

from subfit.batch.engine import Models
from subfit.batch.items import Result
from subfit.batch.job import Job
from subfit.captions import readable
from subfit.errors import SubfitError, UsageError, failure_of
from subfit.existing import fit
from subfit.limits.guideline import Guideline
from subfit.model.bundled import bundled_models
from subfit.quality.inspect import inspect
from subfit.reporting.check import check_track
from subfit.service import ServiceSettings
from subfit.service.jobs import Jobs
from subfit.service.work import QueueFullError, RequestOptions, Ticket, Upload, Worker
from subfit.subtitles.formats import (
    check_suffix,
    parse_track,
    render_track,
    written_format,
    written_path,
)
from subfit.text.formality import FormalityWish
from subfit.text.guessing import guess_language
from subfit.version import __version__

KEPT = 100
"""Translated files that can still be fetched by their address."""
LOOK = 0.5
"""Seconds between looks at whether a client is still there, and at a job's progress."""
TEXT = "text.txt"
"""What texts that come without a file are called."""
_BROKEN_LINE = re.compile(r"\s*<br\s*/?>\s*(?![-–—])")
"""A line end within a sentence, as Subtitle Edit sends it; who breaks lines anew needs none."""


class _SmallBodies:
    """Refuses what is too long: before it is read, where its length is told (ASGI middleware)."""

    def __init__(self, app: Any, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["method"] in ("POST", "PUT"):
            length = dict(scope["headers"]).get(b"content-length", b"0")
            if not length.isdigit() or int(length) > self._most:
                await JSONResponse({"error": self._told}, 413)(scope, receive, send)
                return
        left = self._most

        async def counted() -> Any:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:  # of a body that comes in chunks, as .NET sends JSON
                raise HTTPException(413, self._told)
            return message

        await self._app(scope, counted, send)

    @property
    def _told(self) -> str:
        return f"at most {self._most} bytes are taken"


def create_app(settings: ServiceSettings, job: Job) -> FastAPI:
    """Return the service as an ASGI application.

    Args:
        settings: Who may call it, and its limits.
        job: What all requests have in common: models, computing, limits.

    Raises:
        OutputFileError: The folder for jobs cannot be written.
    """
    service = _Service(settings, job)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(service.worker.close)

    app = FastAPI(title="subfit", version=__version__, lifespan=lifespan, redoc_url=None)
    app.add_middleware(_SmallBodies, most=settings.max_bytes)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts))
    _tell_errors(app)
    _add_libretranslate(app, service)
    _add_fit_and_check(app, service)
    if settings.jobs is not None:
        _add_jobs(app, service, Jobs(settings.jobs, service.worker))
    return app


class _Service:
    """What the calls have in common: who may call, what they send, and how they get an answer."""

    def __init__(self, settings: ServiceSettings, job: Job) -> None:
        self.settings, self.job = settings, job
        self.worker = Worker(job, settings.max_waiting)
        self._files: OrderedDict[str, tuple[str, bytes]] = OrderedDict()

    def allow(self, request: Request, api_key: str = "") -> None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        given = given or request.headers.get("x-api-key", "") or api_key
        if self.settings.token and not hmac.compare_digest(
            given.encode(), self.settings.token.encode()
        ):
            raise HTTPException(403, "wrong or missing token; send it as Authorization: Bearer")

    async def answered(self, request: Request, tickets: list[Ticket]) -> list[Any]:
        """What becomes of requests; they lose their places where the client leaves."""
        waiting = [asyncio.wrap_future(ticket.done) for ticket in tickets]
        if not waiting:
            return []
        try:
            async with asyncio.timeout(self.settings.max_seconds):
                while True:
                    _, pending = await asyncio.wait(waiting, timeout=LOOK)
                    if not pending:
                        return [one.result() for one in waiting]
                    if await request.is_disconnected():
                        raise HTTPException(499, "the client left")
        except TimeoutError:
            raise HTTPException(
                504, f"no answer in {self.settings.max_seconds:g} s; send a job"
            ) from None
        finally:
            for one in waiting:
                one.cancel()

    async def upload(
        self,
        request: Request,
        file: Annotated[UploadFile, File(description="A subtitle file")],
        target: Annotated[str, Form(description="Language to translate into")],
        source: Annotated[str, Form(description="Its language")] = "auto",
        guideline: Annotated[str | None, Form()] = None,
        formality: Annotated[FormalityWish | None, Form()] = None,
        timing: Annotated[Literal["keep", "extend"], Form()] = "keep",
        sdh: Annotated[Literal["keep", "translate", "remove"], Form()] = "keep",
        strict_budget: Annotated[bool, Form()] = False,
        api_key: Annotated[str, Form()] = "",
    ) -> Upload:
        self.allow(request, api_key)
        name, data = Path(file.filename or "film.srt").name, await file.read()
        check_suffix(name, name)
        if guideline is not None and not guideline.replace("-", "").isalnum():
            raise UsageError(f"guideline {guideline}: name one that subfit has")
        if source == "auto":
            source = await asyncio.to_thread(_language_of, data, name)
        options = RequestOptions(source, target, guideline, formality, timing, sdh, strict_budget)
        return Upload(name, data, options)

    async def translated(self, request: Request, sent: Upload) -> Result:
        await asyncio.to_thread(self.worker.admit, sent.options)
        made: Result
        (made,) = await self.answered(request, [self.worker.ask(sent)])
        if made.failure is not None:
            raise HTTPException(400, made.failure.message)
        return made

    def guideline_of(self, sent: Upload) -> Guideline:
        own = self.job.limits
        limits = replace(own, guideline=sent.options.guideline or own.guideline)
        return limits.guideline_for(sent.options.target)

    def keep(self, name: str, data: bytes) -> str:
        """Keep a file for whoever knows the key that is returned."""
        key = secrets.token_urlsafe(16)
        self._files[key] = name, data
        while len(self._files) > KEPT:
            self._files.popitem(last=False)
        return key

    def kept(self, key: str, name: str) -> Response:
        """Return a file that was kept."""
        if key not in self._files:
            raise HTTPException(404, f"{name}: no such file, or not any more")
        return _file(*self._files[key])


def _add_libretranslate(app: FastAPI, service: _Service) -> None:
    @app.get("/health")
    def health() -> dict[str, Any]:
        """Whether the service runs."""
        return {
            "status": "ok",
            "waiting": service.worker.waiting,
            "translated": service.worker.translated,
        }

    @app.get("/languages")
    def languages() -> list[dict[str, Any]]:
        """What is translated into what, as LibreTranslate tells it."""
        return _languages()

    @app.post("/detect")
    async def detect(request: Request) -> list[dict[str, Any]]:
        """The language of a text, as LibreTranslate tells it."""
        sent = await _sent(request)
        service.allow(request, str(sent.get("api_key") or ""))
        language = guess_language(str(sent.get("q", "")))
        return [{"language": language or "en", "confidence": 90 if language else 0}]

    @app.post("/translate")
    async def translate(request: Request) -> dict[str, Any]:
        """Translate texts, as LibreTranslate does: ``q``, ``source``, ``target``; JSON or form."""
        sent = await _sent(request)
        service.allow(request, str(sent.get("api_key") or ""))
        given = sent.get("q")
        several = given if isinstance(given, list) else [given]
        if not (several and all(isinstance(text, str) for text in several) and sent.get("target")):
            raise HTTPException(400, "q (a text, or a list of texts) and target are needed")
        texts = [_BROKEN_LINE.sub(" ", str(text)).replace("<br />", "\n") for text in several]
        source = str(sent.get("source") or "auto")
        found = guess_language(" ".join(texts)) or "en" if source == "auto" else source
        options = RequestOptions(found, str(sent["target"]), "none")
        await asyncio.to_thread(service.worker.admit, options)
        tickets = [
            service.worker.ask(Upload(TEXT, text.encode(errors="replace"), options))
            for text in texts
            if text.strip()
        ]
        made = iter(await service.answered(request, tickets))
        answers = [_text_of(next(made), text) if text.strip() else text for text in texts]
        values: dict[str, Any] = {
            "translatedText": answers if isinstance(given, list) else answers[0]
        }
        if source == "auto":
            values["detectedLanguage"] = {"language": found, "confidence": 90}
        return values

    @app.post("/translate_file", response_model=None)
    async def translate_file(
        request: Request,
        sent: Annotated[Upload, Depends(service.upload)],
        answer: Literal["url", "file"] = "url",
    ) -> Response | dict[str, str]:
        """Translate a file: where it is to be fetched, as LibreTranslate; ``?answer=file`` it."""
        made = await service.translated(request, sent)
        if answer == "file":
            return _file(sent.target_name, made.data)
        key = service.keep(sent.target_name, made.data)
        name = quote(sent.target_name, safe="")
        address = request.url_for("download_file", key=key, name=name)
        return {"translatedFileUrl": str(address)}

    @app.get("/download_file/{key}/{name}")
    def download_file(key: str, name: str) -> Response:
        """A translated file; its address is known to whoever sent it alone."""
        return service.kept(key, name)


def _add_fit_and_check(app: FastAPI, service: _Service) -> None:
    @app.post("/fit")
    async def fit_file(
        request: Request,
        sent: Annotated[Upload, Depends(service.upload)],
        source_file: Annotated[
            UploadFile | None, File(description="What it was translated from")
        ] = None,
    ) -> Response:
        """Make a translation fit that is there already: ``file``, in the language ``target``."""
        name = written_path(Path(sent.name)).name
        original = None if source_file is None else (source_file.filename, await source_file.read())
        options = sent.options
        if original is not None and options.source == options.target:  # guessed of the translation
            found = await asyncio.to_thread(_language_of, original[1], original[0] or sent.name)
            options = replace(options, source=found)

        def fitted(guideline: Guideline, models: Models | None) -> bytes:
            track = readable(parse_track(sent.data, name=sent.name, format=None), guideline)
            source = None
            if original is not None:
                source = parse_track(original[1], name=original[0] or sent.name, format=None)
            target = options.target
            translator = None if models is None else models.translator(target, guideline.counting)
            made = fit(track, guideline, source, translator, options.fitting).track
            return render_track(made, output_format=written_format(track.format))

        if original is None:
            return _file(name, await asyncio.to_thread(fitted, service.guideline_of(sent), None))
        await asyncio.to_thread(service.worker.admit, options)
        ticket = service.worker.ask_to(
            options,
            lambda setup, models: fitted(setup.guidelines[options.target, True], models),
        )
        return _file(name, (await service.answered(request, [ticket]))[0])

    @app.post("/check")
    def check_file(sent: Annotated[Upload, Depends(service.upload)]) -> dict[str, Any]:
        """Hold a file in the language ``target`` to a guideline: findings and figures."""
        guideline = service.guideline_of(sent)
        track = readable(parse_track(sent.data, name=sent.name, format=None), guideline)
        report = check_track(track, guideline)
        found = [asdict(one) | {"cue": one.cue + 1} for one in inspect(track, report)]
        return {"findings": found, **report.to_dict()}


def _add_jobs(app: FastAPI, service: _Service, jobs: Jobs) -> None:
    @app.post("/jobs", status_code=202)
    async def add(sent: Annotated[Upload, Depends(service.upload)]) -> dict[str, Any]:
        """Take a file as a job: what is answered here is done, even after a crash."""
        return jobs.state(await asyncio.to_thread(jobs.add, sent))

    @app.get("/jobs/{name}", dependencies=[Depends(service.allow)])
    def state(name: str) -> dict[str, Any]:
        """How far a job is; the totals of its report when it is done."""
        return jobs.state(name)

    @app.get("/jobs/{name}/events", dependencies=[Depends(service.allow)])
    def events(name: str) -> StreamingResponse:
        """A job's progress until it ends, as server-sent events."""
        jobs.state(name)

        async def all_events() -> AsyncIterator[str]:
            before = None
            while True:
                now = jobs.state(name)
                if now != before:
                    yield f"event: {now['state']}\ndata: {json.dumps(now)}\n\n"
                if now["state"] in ("done", "failed"):
                    return
                before = now
                await asyncio.sleep(LOOK)

        return StreamingResponse(all_events(), media_type="text/event-stream")

    @app.get("/jobs/{name}/file", dependencies=[Depends(service.allow)])
    def result(name: str) -> Response:
        """A job's translation."""
        return _file(*jobs.result(name))

    @app.delete("/jobs/{name}", status_code=204, dependencies=[Depends(service.allow)])
    def delete(name: str) -> None:
        """Take a job back, or delete what came of it."""
        jobs.delete(name)


def _tell_errors(app: FastAPI) -> None:
    """Answer every error as LibreTranslate does: ``{"error": ...}``, one line."""

    async def tell(_: Request, error: Exception) -> JSONResponse:
        headers: Mapping[str, str] | None = None
        match error:
            case AnyHTTPException():
                status, told, headers = error.status_code, str(error.detail), error.headers
            case RequestValidationError():
                first = error.errors()[0]
                status, told = 400, f"{first['loc'][-1]}: {first['msg']}"
            case QueueFullError():
                status, told = 429, "too many requests wait; try again later"
                headers = {"Retry-After": "5"}
            case KeyError():
                status, told = 404, "no such job, or it is not done"
            case _:
                status = 400 if isinstance(error, SubfitError) else 500
                told = failure_of(error).message
        return JSONResponse({"error": told}, status, headers)

    own = (AnyHTTPException, RequestValidationError, QueueFullError, KeyError)
    for kind in (*own, SubfitError, Exception):
        app.add_exception_handler(kind, tell)


async def _sent(request: Request) -> dict[str, Any]:
    """What a client sent, as JSON or as a form."""
    if "json" not in request.headers.get("content-type", ""):
        form = await request.form()
        values = {name: form.getlist(name) for name in form}
        return {
            name.removesuffix("[]"): own if len(own) > 1 or name.endswith("[]") else own[0]
            for name, own in values.items()
        }
    try:
        sent = await request.json()
    except ValueError:
        raise HTTPException(400, "the request is no JSON") from None
    if not isinstance(sent, dict):
        raise HTTPException(400, "the request is no JSON object")
    return sent


def _languages() -> list[dict[str, Any]]:
    """Every language with those it is translated into, straight or through English."""
    directions = [model.directions for model in bundled_models().values()]
    sources = sorted({tag for each in directions for tag in each.sources})
    targets = sorted({tag for each in directions for tag in each.targets})
    return [
        {
            "code": tag,
            "name": Locale.parse(tag, sep="-").get_display_name("en"),
            "targets": [other for other in targets if other != tag],
        }
        for tag in sources
    ]


def _language_of(data: bytes, name: str) -> str:
    text = " ".join(cue.text for cue in parse_track(data, name=name, format=None).cues)
    return guess_language(text) or "en"


def _text_of(made: Result, source: str) -> str:
    if made.failure is not None:
        raise HTTPException(400, made.failure.message)
    text = made.data.decode()
    return text if source.endswith("\n") else text.rstrip("\n")


def _file(name: str, data: bytes) -> Response:
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(data, media_type="application/octet-stream", headers=headers)

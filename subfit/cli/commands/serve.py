"""``subfit serve``: translations over HTTP."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import click

from subfit.batch.job import Job, Limits
from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.parameters import takes
from subfit.errors import UsageError
from subfit.model.config import Computing


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=5000, show_default=True, help="Port."
)
@click.option(
    "--token",
    envvar="SUBFIT_TOKEN",
    metavar="TEXT",
    help="What clients must send as Authorization: Bearer, or as api_key; better in the "
    "environment, as SUBFIT_TOKEN. Needed for all addresses but loopback.",
)
@click.option(
    "--jobs",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Take jobs, and keep them here.  [default: no jobs]",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    default=8_000_000,
    show_default=True,
    help="Of a request.",
)
@click.option(
    "--max-waiting",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    help="Requests in the queue; more are told to come again.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=1),
    default=600,
    show_default=True,
    help="That a request waits for its answer.",
)
@options.limit_options
@options.model_option("--model", "Model to use.  [default: the one for the languages]")
@options.computing_options
@takes(options.FIELDS, limits=Limits, computing=Computing)
def serve(
    limits: Limits,
    computing: Computing,
    host: str,
    port: int,
    token: str | None,
    jobs: Path | None,
    max_bytes: int,
    max_waiting: int,
    max_seconds: float,
    model: str | None,
) -> None:
    """Translate for other programs, over HTTP as LibreTranslate does.

    POST /translate_file, /translate and /detect, GET /languages and /health; with --jobs also
    POST /jobs, GET /jobs/ID, /jobs/ID/events and /jobs/ID/file. /docs describes them.
    """
    import uvicorn

    from subfit.service.app import ServiceSettings, create_app

    local = _is_loopback(host)
    if not local and not token:
        raise UsageError(f"--host {host}: others can reach it; set SUBFIT_TOKEN to what they send")
    hosts = ("localhost", "127.0.0.1", "[::1]", host) if local and not token else ("*",)
    settings = ServiceSettings(token, hosts, max_bytes, max_seconds, max_waiting, jobs)
    job = Job((), (), limits=limits, models=(model,) if model else (), computing=computing)
    app = create_app(settings, job)
    messages = Messages(data_on_stdout=False, quiet=False)
    messages.say(f"subfit serves on http://{host}:{port} (Ctrl-C ends it)")
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

"""``subfit serve``: translations over HTTP."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from dataclasses import replace
from pathlib import Path

import click

from subfit.batch.job import Job
from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.parameters import takes
from subfit.errors import SubfitError, UsageError, reason_of
from subfit.service import ServiceSettings


@click.command()
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=5000, help="Port.")
@click.option("--token", envvar="SUBFIT_TOKEN", metavar="TEXT",
    help="What clients must send as Authorization: Bearer, or as api_key; better in the "
    "environment, as SUBFIT_TOKEN. Needed for all addresses but loopback.")  # fmt: skip
@click.option("--jobs", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Take jobs, and keep them here.  [default: no jobs]")  # fmt: skip
@click.option("--max-bytes", type=click.IntRange(min=1), default=8_000_000, help="Of a request.")
@click.option("--max-waiting", type=click.IntRange(min=1), default=64,
    help="Requests in the queue; more are told to come again.")  # fmt: skip
@click.option("--max-seconds", type=click.FloatRange(min=1), default=600,
    help="That a request waits for its answer.")  # fmt: skip
@options.limit_options
@options.model_option("--model", "Model to use.  [default: the one for the languages]",
    multiple=True)  # fmt: skip
@options.computing_options
@takes(options.FIELDS, settings=ServiceSettings, job=Job)
def serve(settings: ServiceSettings, job: Job, host: str, port: int) -> None:
    """Translate for other programs, over HTTP as LibreTranslate does.

    POST /translate_file, /translate and /detect, GET /languages and /health; with --jobs also
    POST /jobs, GET /jobs/ID, /jobs/ID/events and /jobs/ID/file. /docs describes them.
    """
    import uvicorn

    from subfit.service.app import create_app

    local = _is_loopback(host)
    if not local and not settings.token:
        raise UsageError(f"--host {host}: others can reach it; set SUBFIT_TOKEN to what they send")
    if local and not settings.token:  # it is no web page's business
        settings = replace(settings, hosts=("localhost", "127.0.0.1", "[::1]", host))
    app = create_app(settings, job)
    messages = Messages(data_on_stdout=False, quiet=False)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise SubfitError(f"--host {host} --port {port}: {reason_of(error)}") from error
    shown = f"[{host}]" if ":" in host else host
    at = listening.getsockname()[1]
    messages.say(f"subfit serves on http://{shown}:{at} (Ctrl-C ends it)")
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

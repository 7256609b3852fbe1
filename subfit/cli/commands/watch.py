"""``subfit watch``: translations beside every file of a folder."""

from __future__ import annotations

import time
from pathlib import Path

import click

from subfit.batch.job import Job
from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import FAILED
from subfit.cli.parameters import takes


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@options.target_languages_option
@options.source_language("Language of the files.", "en")
@click.option("--every", type=click.FloatRange(min=1), default=30, metavar="SECONDS",
    help="How often to look for new files.")  # fmt: skip
@click.option("--once", is_flag=True, help="Look once, and end.")
@options.limit_options
@options.model_option("--model", "Model to use.  [default: the one for the languages]",
    multiple=True)  # fmt: skip
@options.computing_options
@takes(options.FIELDS, job=Job)
def watch(job: Job, folder: Path, every: float, once: bool) -> int:
    """Translate every subtitle file in FOLDER that has no translation beside it, and wait for more.

    movie.en.srt gets movie.de.srt, as Plex, Jellyfin and Emby find it. Nothing is overwritten; a
    file that cannot be translated is told once, and tried again when it changes.
    """
    from subfit.service.watching import Watched
    from subfit.service.work import RequestOptions, Worker

    messages, failures = Messages(data_on_stdout=False, quiet=False), 0
    languages = tuple(RequestOptions(job.source_language, target) for target in job.languages)
    worker = Worker(job)
    for one in languages:
        worker.admit(one)  # no model, no watching
    watched = Watched(folder, languages, worker)
    while True:
        for seen in watched.look():
            if seen.failure is not None:
                failures += 1
                messages.error(seen.failure.message)
            elif seen.report is not None:
                told = "" if seen.report.clean else "; some cues are over their budget"
                messages.say(f"{seen.item.source} -> {seen.item.target}{told}")
        if once:
            return FAILED if failures else 0
        time.sleep(every)

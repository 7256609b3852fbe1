"""A job done to all its files, and told of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from subfit.batch.failures import FAILED
from subfit.batch.items import STREAM, Result
from subfit.batch.job import Job
from subfit.batch.outcome import Outcome
from subfit.batch.plan import Plan, is_script, plan_items, says_target
from subfit.batch.run import Run, opened
from subfit.batch.setup import make_setup
from subfit.cli.failures import OVER_LIMITS, print_json
from subfit.cli.views.batch import ManyFiles, OneFile, rehearsed
from subfit.cli.views.console import Messages
from subfit.errors import UsageError
from subfit.reporting.wording import count_of


def messages_for(job: Job, *, json: bool, quiet: bool) -> Messages:
    """Return where a job is told of, beside what goes to stdout.

    Raises:
        UsageError: Two things go there.
    """
    output = job.writing.output
    to_stdout = STREAM in (output, *job.inputs) and output in (None, STREAM)
    if json and to_stdout and not job.dry_run:
        raise UsageError("--json and the translation both go to stdout; name a file with -o")
    return Messages(data_on_stdout=json or to_stdout, quiet=quiet)


def run_job(job: Job, messages: Messages) -> Outcome:
    """Translate every input, telling the user of it."""
    setup = make_setup(job)  # a wrong argument is told before what may be in the way of results
    plan = plan_items(job)
    for warning in _named_as_translations(plan, job.source_language):
        messages.warning(warning)
    with opened(job, plan, setup) as run:
        if job.dry_run:
            return rehearsed(run, messages)
        outcome = Outcome(run, tuple(_completed(run, messages)))
        if job.writing.report is not None:
            outcome.write_report(job.writing.report)
        if job.writing.memory_out is not None:
            outcome.write_memory(job.writing.memory_out)
    return outcome


def exit_code_of(outcome: Outcome, *, json: bool) -> int:
    """Return the exit code of a run, and print its document if that was asked for."""
    exit_code = FAILED if outcome.failed else OVER_LIMITS if outcome.over else 0
    if json:
        print_json({"exit_code": exit_code, **outcome.to_dict()})
    return exit_code


def _named_as_translations(plan: Plan, source_language: str) -> Iterator[str]:
    """Warn of inputs whose names say that they are translations; of a script that is the use."""
    for language in dict.fromkeys(item.language for item in plan.items):
        named = [
            item.source
            for item in plan.items
            if item.language == language
            and says_target(Path(item.source), language, source_language)
            and not is_script(Path(item.source))
        ]
        if named:
            more = f" (and {count_of(len(named) - 1, 'more file')})" if len(named) > 1 else ""
            yield (
                f"{named[0]}{more}: named as in {language} already, translated all the same as "
                f"{source_language}; -s names another language"
            )


def _completed(run: Run, messages: Messages) -> list[Result]:
    """Do what is to do, and tell of it: of one file in detail, of many in a line each."""
    if run.plan.several:
        many = ManyFiles(messages)
        with many.watching(run.plan, run.triage):
            results = run.complete(many)
        many.end(results)
        return results
    one = OneFile(messages, for_screens=run.job.limits.for_screens)
    with one.watching(run.plan):
        return run.complete(one)

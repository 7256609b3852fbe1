"""Options that several commands share: each has one name, type and help everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import click

from subfit.cli.parameters import (
    FILE,
    NAME_OR_PATH,
    REPORT,
    TABLE_REPORT,
    TEXT_FILE,
    Command,
    language_tag,
    language_tags,
    milliseconds,
    names,
)
from subfit.fitting.options import DEFAULT_OPTIONS
from subfit.limits.budget import LengthRatio
from subfit.limits.cue_budgets import DEFAULT_DUBBING, DubBudget
from subfit.model.config import DEFAULT_COMPUTING, DEVICES, MEASURING, PRECISIONS, Computing
from subfit.servers.settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.scripts.columns import parse_columns
from subfit.subtitles.timecodes import parse_fps

SUBTITLE_FORMATS = tuple(name for name, format in FORMATS.items() if not format.spoken)
TIMED_FORMATS = tuple(name for name, format in FORMATS.items() if format.timed)
FIELDS = {"budget": "dub_budget", "languages": "target_language", "models": "model"}
FIELDS |= {"kept_styles": "keep_style"}
"""Options by the fields of dataclasses that are called otherwise."""


def all_of(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return what adds several options to a command, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


# fmt: off
# Each option is a row: its names, what it takes, and what is said of it.

# Languages


def source_language(help: str, default: str | None = None) -> Callable[[Command], Command]:
    """Return ``-s``, with what is said of it."""
    return click.option("-s", "--source-language", help=help, type=language_tag, default=default,
        metavar="TAG")


def target_language(help: str, default: str | None = None) -> Callable[[Command], Command]:
    """Return ``-t``, one language, with what is said of it."""
    return click.option("-t", "--target-language", help=help, type=language_tag, default=default,
        metavar="TAG", show_default=False)


source_language_option = source_language("Language of the input.", "en")
guessed_source_option = source_language(
    "Language of the input.  [default: as the files' names or their text say, else en]"
)
target_languages_option = click.option("-t", "--target-language", multiple=True,
    callback=language_tags, required=True, metavar="TAG,...",
    help="Languages to translate into; 'subfit model ls' lists those of the models that are here.")


# Files


def reading_options(
    formats: Sequence[FormatName] = tuple(FORMATS), *, frames: str | None = None
) -> Callable[[Command], Command]:
    """Return how input is read: the fields of `subfit.batch.job.ReadingOptions`.

    Args:
        formats: That the input may be in; those of dubbing scripts come with options about them.
        frames: What frames are counted for; None where they are not counted.
    """
    options: list[Callable[[Any], Any]] = [
        click.option("--encoding", metavar="NAME",
            help="Encoding of the input.  [default: detected]"),
        click.option("--input-format", type=click.Choice(formats), metavar="NAME",
            help="Format of the input; 'subfit formats' lists them.  [default: by the file's "
            "name, or by how it begins]"),
    ]
    if any(FORMATS[name].spoken for name in formats):
        options += [_columns, _sheet, _keep_style]
    if frames is not None:
        text = f"Frames per second, {frames}: 25, 23.976, 30000/1001."
        options.append(click.option("--fps", type=parse_fps, metavar="N", help=text))
    return all_of(*options)


def output_options(default: str, overwrite: str) -> Callable[[Command], Command]:
    """Return where results go: fields of `subfit.batch.job.Writing`.

    Args:
        default: What is told of where they go if nobody says it.
        overwrite: What ``--overwrite`` does.
    """
    return all_of(
        click.option("-o", "--output", type=click.Path(), metavar="FILE|FOLDER",
            help="File to write, '-' for stdout; its suffix chooses the format. Or a folder, of "
            f"several files always: one that is there, or any that ends in '/'.{default}"),
        click.option("--include", multiple=True, metavar="GLOB",
            help="Files to take of folders, as '*.txt'; repeatable.  [default: all subtitles]"),
        overwrite_option(overwrite),
    )


def overwrite_option(help: str) -> Callable[[Command], Command]:
    """Return ``--overwrite``, with what it replaces."""
    return click.option("--overwrite", is_flag=True, help=help)


_columns = click.option("--columns", type=parse_columns, metavar="ROLE=COLUMN,...",
    help="Of dubbing scripts (.csv, .tsv, .xlsx): start, end (or duration), speaker, source, "
    "target and notes, by heading, letter or number.  [default: by the usual headings]")
_sheet = click.option("--sheet", metavar="NAME",
    help="Sheet of a workbook.  [default: the first fit]")
_keep_style = click.option("--keep-style", multiple=True, metavar="NAME",
    help="Of .ass and .ssa, a style whose events stay as they are (songs, signs), as 'OP*'; "
    "repeatable. Karaoke stays by itself.")
report_option = click.option("--report", type=REPORT, metavar="FILE",
    help="Write a report on every cue: .html (a page to edit in), .xlsx, .csv or .json.")
table_report_option = click.option("--report", type=TABLE_REPORT, metavar="FILE",
    help="Write a report on every cue: .xlsx, .csv or .json.")
cue_reports_option = click.option("--cue-reports", type=FILE, metavar="FOLDER",
    help="Of several files in one folder: write a report on every cue of each, in the form of "
    "--report, or JSON.")
dry_run_option = click.option("--dry-run", is_flag=True,
    help="Check everything and say what would be done; write nothing.")
json_option = click.option("--json", is_flag=True,
    help="Print one JSON document on stdout, for failures too.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
fail_fast_option = click.option("--fail-fast", is_flag=True,
    help="Stop at the first file that fails.")


# Limits

guideline_option = click.option("--guideline", type=NAME_OR_PATH, metavar="NAME|FILE",
    help="A preset ('subfit guidelines' lists them) or a YAML file.  [default: netflix for "
    "subtitles, none for plain text]")
line_options = all_of(
    click.option("--cpl", type=float, metavar="N", help="Most characters per line."),
    click.option("--lines", type=int, metavar="N", help="Most lines per cue."),
)
limit_options = all_of(
    guideline_option,
    click.option("--cps", type=float, metavar="N", help="Most characters per second."),
    line_options,
)
shot_list_option = click.option("--shot-changes", type=FILE, metavar="FILE",
    help="Where shots begin: a time or frame a line.")
line_shape_option = click.option("--bottom-heavy/--no-bottom-heavy", default=None,
    help="Of two lines, like the lower one longer, or both alike.  [default: the guideline's]")
length_ratio_option = click.option("--length-ratio", type=LengthRatio.parse, metavar="MIN:MAX",
    help="Length of a translation as a multiple of its source's; 0.9:1.1 is the isometric rule. "
    "MAX is kept, MIN is reached if possible; either may be left out.")
isometric_option = click.option("--isometric", "length_ratio", flag_value="isometric",
    type=LengthRatio.parse,
    help="The length of the source, ±10 %, by the rule of IWSLT 2022: spaces are not counted, and "
    "sources of at most ten characters are free.")
dubbing_options = all_of(
    click.option("--dub-budget", type=click.Choice(get_args(DubBudget)),
        default=DEFAULT_DUBBING.budget,
        help="What lines of dubbing scripts must keep: the time they take to say, 0.9 to 1.1 "
        "times the characters of their source, or both. Lines without times keep the characters."),
    click.option("--speed-factor", type=float, default=DEFAULT_DUBBING.speed_factor, metavar="X",
        help="How much faster than usual a line of a dubbing script may be spoken to fit its "
        "time, and how much slower."),
)
timing_options = all_of(
    click.option("--timing", type=click.Choice(["keep", "extend"]), default="keep",
        help="Keep all times; or let a cue that its translation does not fit end later, as far "
        "as the guideline allows, before it is shortened. In-times are always kept."),
    click.option("--out-slack", type=click.FloatRange(0, 10), callback=milliseconds,
        metavar="SECONDS",
        help="With --timing extend, how much later a cue may end.  [default: the guideline's]"),
    click.option("--shot-changes", type=FILE, metavar="FILE|FOLDER",
        help="With --timing extend, where shots begin: a time or frame a line. Of several "
        "inputs, a folder with e01.shots.txt for e01.srt."),
)
def strict_budget_option(default: bool) -> Callable[[Command], Command]:
    """Return the option to keep to budgets at any price."""
    return click.option("--strict-budget/--no-strict-budget", default=default,
        help="Keep to budgets also with a translation that loses what a longer one says: its end, "
        "a name, a number, words of meaning. Otherwise it stays whole, over its budget, marked.")


# Words

term_options = all_of(
    click.option("--glossary", type=click.Path(), multiple=True, metavar="FILE",
        help="Terms and how they are translated: CSV or TSV with source, target and, optionally, "
        "case and notes; repeatable. A target may have several forms: Schiff|Schiffe."),
    click.option("--keep", multiple=True, metavar="NAME|@FILE",
        help="A name that is kept as it is, or a file with such names, one a line; repeatable."),
)
memory_option = click.option("--memory", type=click.Path(), multiple=True, metavar="FILE",
    help="What was translated before: a memory ('subfit memory build'), TMX, XLIFF, TSV, or "
    "two subtitle files as film.en.srt:film.de.srt; repeatable. The same text is taken word for "
    "word where it fits, like ones are followed.")


# Models


def model_option(flag: str, help: str, *, multiple: bool = False) -> Callable[[Command], Command]:
    """Return an option that takes what ``--model`` takes: a name, a folder, a server."""
    return click.option(flag, help=help, type=NAME_OR_PATH, multiple=multiple,
        metavar="NAME|FOLDER|URL#NAME")


def _computing_options(default: Computing) -> Callable[[Command], Command]:
    """Return the options for where and how precisely a model computes."""
    return all_of(
        click.option("--device", type=click.Choice(DEVICES), default=default.device,
            help="What to compute on; auto is a GPU where there is one."),
        click.option("--precision", type=click.Choice(PRECISIONS), default=default.precision,
            help="Arithmetic of the model; auto is int8 where that is quick, bf16 on GPUs."),
        threads_option,
    )


beam_option = click.option("--beam", type=click.IntRange(1, 64), metavar="N",
    help="Hypotheses kept while searching.")
threads_option = click.option("--threads", type=click.IntRange(min=1), metavar="N",
    help="CPU cores to use.")
computing_options = _computing_options(DEFAULT_COMPUTING)
measuring_options = _computing_options(MEASURING)
"""Computing options where systems are measured: in float32, unless something else is asked for."""
prompt_option = click.option("--prompt", type=NAME_OR_PATH, metavar="NAME|FILE",
    help="What language models are told: a template (docs/models.md) or a YAML file.  [default: "
    "the one for the model]")
persons_option = click.option("--persons", type=click.Path(), metavar="FILE",
    help="Who is who, CSV or XLSX with name, target, gender and formal (whom they address so): "
    "names are held, the rest is told to language models, and heeded of known speakers.")
scene_options = all_of(
    click.option("--scene", type=click.IntRange(0, 100), default=DEFAULT_OPTIONS.scene, metavar="N",
        help="Ask language models for scenes of up to N sentences at once. 1: for each by itself; "
        "0: without those before it as well."),
    click.option("--synopsis", type=TEXT_FILE, metavar="FILE",
        help="What the film is about: a text that language models are told."),
    persons_option,
)
server_option = click.option("--server", type=ServerSettings.parse, metavar="KEY=VALUE,...",
    help="How servers are asked: concurrency=N requests at once, timeout=SECONDS for each answer, "
    "price=SENT:ANSWERED of a million tokens.  "
    f"[default: {DEFAULT_SERVER_SETTINGS.concurrency}, {DEFAULT_SERVER_SETTINGS.timeout:g} s]")
cost_options = all_of(
    click.option("--max-requests", type=click.IntRange(min=1), metavar="N",
        help="Ask servers no more after N requests; what is left stays untranslated, or too long."),
    click.option("--max-tokens", type=click.IntRange(min=1), metavar="N",
        help="Likewise after N tokens, sent and answered."),
)


# Measuring

penalty_options = all_of(
    click.option("--length-penalty", type=click.FloatRange(0, 10), metavar="X",
        help="Divide scores by tokens to the power of X: below 1, shorter translations win.  "
        "[default: 1]"),
    click.option("--length-normalization", type=click.Choice(["mean", "wu"]),
        help="wu: divide scores by (5 + tokens) / 6 to the power of X, as Wu et al. 2016 do, "
        "which their coverage penalty is made for.  [default: mean]"),
    click.option("--coverage-penalty", type=click.FloatRange(0, 10), metavar="X",
        help="Lower the scores of translations that hardly attend to parts of their source, by X "
        "times what Wu et al. 2016 take.  [default: 0]"),
)
limit_option = click.option("--limit", type=click.IntRange(min=1), metavar="N",
    help="Only the first N lines.")
trials_option = click.option("--trials", type=click.IntRange(min=1), default=15_000, metavar="N",
    help="Random trials of the test for significance.")
metrics_option = click.option("--metrics", type=names, metavar="NAME,NAME...",
    help="Also these metrics: chrF++, TER, REP, DROP (needs subfit[adequacy]), 'break F1', "
    "ROUGE-1, -2 and -L (need subfit[metrics]), ROUGE-1@75 of outputs cut at 75 bytes.")
references_option = click.option("--references", type=FILE, multiple=True, metavar="FILE",
    help="More references, one a line; repeatable.")
turned_option = click.option("--turned", is_flag=True,
    help="FILE.tsv has the references before the sources: measure the other way round.")

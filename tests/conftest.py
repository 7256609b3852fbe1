"""What several test modules need: tiny models, and where things lie."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
import torch
from filelock import FileLock
from hypothesis import settings

from subfit.decoding import loading
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.tokenizer import Tokenizer
from subfit.training import train as training
from tests.places import EN_MULTI
from tests.servers.fake import FakeServer, fake_server

SCORER = training.dev_scorer
Made = Callable[[str, Callable[[Path], object]], Path]
FIGURES = {"bleu": 1.0, "chrf": 2.0, "length_ratio": 3.0}

# The same examples in every run, so that a change fails for what it changed and not by chance, and
# few of them; HYPOTHESIS_PROFILE=explore looks for more new ones, HYPOTHESIS_PROFILE=thorough for
# ten times as many as that.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once for each reason how many tests were skipped."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(each.longrepr[2]).removeprefix("Skipped: ") for each in skipped)
    for reason, count in reasons.items():
        terminalreporter.write_line(f"skipped {count}: {reason}")


@pytest.fixture(scope="session", autouse=True)
def _few_threads() -> None:
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def _no_scores() -> Iterator[None]:
    """Let training runs score no translations: a model of a few steps hardly ever ends one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "dev_scorer", lambda *_: lambda _: dict(FIGURES))
        yield


@pytest.fixture
def scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let training runs translate the dev set, and score it."""
    monkeypatch.setattr(training, "dev_scorer", SCORER)


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared(project_root: Path) -> Path:
    """Data that is not part of the project; without it the test is skipped."""
    folder = project_root.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"needs data that is not part of the project, in {folder}")
    return folder


@pytest.fixture(scope="session")
def tiny_model_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The frozen checkpoint: English to German, trained on thirty sentences; it is loaded once."""
    frozen = Path(__file__).parent / "data" / "tiny"
    folder = Path(shutil.copytree(frozen, tmp_path_factory.mktemp("tiny-model") / "tiny"))
    load = loading.load_checkpoint
    load_once = cache(load)

    def loaded(place: str) -> Checkpoint:
        return load_once(place) if place == str(folder) else load(place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "load_checkpoint", loaded)
        yield folder


@pytest.fixture(scope="session")
def tokenizer(tiny_model_folder: Path) -> Tokenizer:
    """Its tokenizer."""
    return Tokenizer(tiny_model_folder / "tokenizer.model")


@pytest.fixture(scope="session")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    """That model, loaded."""
    return loading.load_checkpoint(str(tiny_model_folder))


load_once = cache(load_checkpoint)


@pytest.fixture(scope="session")
def en_multi() -> Checkpoint:
    """The real model from English that comes with subfit; loading it takes a while."""
    return load_once(str(EN_MULTI))


@pytest.fixture
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all tests that want this load each model once together."""
    monkeypatch.setattr(loading, "load_checkpoint", load_once)


@pytest.fixture(scope="session")
def predicting(tokenizer: Tokenizer) -> Checkpoint:
    """A random model whose length head has an opinion on every text."""
    from tests.tiny import tiny_model

    model = tiny_model(tokenizer, length_predictor=True, mean_length_ratio=1.2)
    torch.manual_seed(3)
    with torch.no_grad():
        model.length_head.output.normal_(std=0.05)
        model.length_head.attention.normal_()
    return Checkpoint("predicting", model, tokenizer)


@pytest.fixture(scope="session")
def tiny_marian_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain Marian model with random weights, as Hugging Face saves it."""
    from tests.tiny import save_tiny_marian

    return save_tiny_marian(tmp_path_factory.mktemp("tiny-marian") / "marian")


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A chat server on this machine that does what the test tells it to."""
    with fake_server() as server:
        yield server


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Gives a folder by its name, made by whichever process of the tests comes first."""
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made-once"
    place.mkdir(exist_ok=True)

    def folder(name: str, make: Callable[[Path], object]) -> Path:
        done = place / f"{name}.done"
        with FileLock(place / f"{name}.lock"):
            if not done.exists():
                shutil.rmtree(place / name, ignore_errors=True)
                make(place / name)
                done.touch()
        return place / name

    return folder


@pytest.fixture(scope="session")
def family_folder(made_once: Made) -> Callable[[str, int], Path]:
    """Gives the folder of a tiny model of a family, trained for so many steps."""
    from tests.tiny_families import save_tiny_family

    def folder(family: str, steps: int = 0) -> Path:
        return made_once(f"{family}-{steps}", partial(save_tiny_family, family, steps=steps))

    return folder


@pytest.fixture(scope="session")
def talking_folder(made_once: Made) -> Path:
    """A tiny language model that has learnt some toy pairs by heart."""
    from tests.tiny_causal import save_trained_causal

    return made_once("toy-llama", save_trained_causal)

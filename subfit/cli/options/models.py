"""Models that commands are given: found and checked without importing what loads them."""

from __future__ import annotations

from pathlib import Path


def model_folder(model: str) -> Path:
    """Find the folder of a model; one of the hub is fetched if it is not here yet.

    Raises:
        ModelError: There is none.
    """
    from subfit.model.bundled import find_model

    return Path(find_model(model, "und", "und"))


def check_model(
    model: str, target_language: str | None, pair: tuple[str, str] = ("und", "und")
) -> None:
    """Find out whether a model is there, and is for a language.

    Args:
        model: A folder, the name of a model that comes with subfit, or one on the hub.
        target_language: To translate into; None where the user named none.
        pair: Source and target language, for a family that has a model for each pair.

    Raises:
        UsageError: There is none, or it is for other languages.
    """
    from subfit.model.bundled import check_target, find_model

    check_target(find_model(model, *pair), target_language)


def use_threads(threads: int | None) -> None:
    """Set how many CPU threads models may use, if the user said so."""
    import torch

    if threads is not None:
        torch.set_num_threads(threads)

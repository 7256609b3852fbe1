"""Several processes that train one model, as ``torchrun`` starts them.

Every function also works where there is one process only; nothing is passed around, since the
group of processes is a fact of the whole program.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist
from torch.distributed.rendezvous import rendezvous

from subfit.errors import SubfitError

T = TypeVar("T")
PATIENCE = timedelta(hours=2)
"""How long processes wait for one another: the first alone writes. A process that
dies is noticed at once, by its closed connection or by ``torchrun``."""


@contextmanager
def process_group() -> Iterator[None]:
    """Join the processes that ``torchrun`` started, for the block.

    The first process that fails says so: its error goes on as it is, all others exit without a
    word, so that the user reads one line.

    Raises:
        SubfitError: Another process has died and could not say why.
    """
    store, rank, size = next(iter(rendezvous("env://")))
    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    dist.init_process_group(backend, store=store, rank=rank, world_size=size, timeout=PATIENCE)
    try:
        if torch.cuda.is_available():
            torch.cuda.set_device(training_device())
        yield
        dist.destroy_process_group()
    except BaseException as error:
        if not _first_to_fail(store.add):
            raise SystemExit(_exit_code(error)) from error
        if _lost_connection(error):
            raise SubfitError(
                "another process of this run was ended (by hand, or for want of memory?);"
                " --resume goes on from the last saved state"
            ) from error
        raise


def _first_to_fail(count: Callable[[str, int], int]) -> bool:
    try:
        return count("failed processes", 1) == 1
    except RuntimeError:  # the store went down with torchrun
        return True


def _exit_code(error: BaseException) -> int:
    if isinstance(error, KeyboardInterrupt):
        return 130
    return error.exit_code if isinstance(error, SubfitError) else 1


def _lost_connection(error: BaseException) -> bool:
    words = ("connection closed", "connection reset", "broken pipe")
    return isinstance(error, dist.DistError) or (
        isinstance(error, RuntimeError) and any(word in str(error).lower() for word in words)
    )


def process_count() -> int:
    """How many processes train together."""
    return dist.get_world_size() if dist.is_initialized() else 1


def process_rank() -> int:
    """The number of this process, from 0."""
    return dist.get_rank() if dist.is_initialized() else 0


def is_first() -> bool:
    """Whether this process is the one that writes, scores and prints."""
    return process_rank() == 0


def training_device() -> torch.device:
    """The accelerator of this process, if there is one, or the CPU."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))


@contextmanager
def first_before_others() -> Iterator[None]:
    """Let the first process run the block alone, and the others after it."""
    if not is_first():
        wait_for_all()
    yield
    if is_first():
        wait_for_all()


def wait_for_all() -> None:
    """Return once all processes have come to this place; at once where there is but one."""
    sum_over_processes([0.0])


def sum_over_processes(values: Sequence[float]) -> list[float]:
    """Add up numbers over all processes, which must all call this; each gets the sums."""
    if not dist.is_initialized():
        return list(values)
    total = torch.tensor(values, dtype=torch.float64)  # on the CPU: no GPU has to be waited for
    dist.all_reduce(total)
    return [float(number) for number in total.tolist()]


def sum_in_place(numbers: torch.Tensor) -> None:
    """Replace numbers by their sums over all processes, which must all call this."""
    if dist.is_initialized():
        dist.all_reduce(numbers)


def sum_gradients(gradients: Sequence[torch.Tensor], dtype: torch.dtype) -> None:
    """Replace gradients by their sums over all processes, sent in a type of half the size maybe."""
    if not dist.is_initialized():
        return
    flat = torch.cat([gradient.flatten() for gradient in gradients]).to(dtype)
    dist.all_reduce(flat)
    parts = torch.split(flat, [gradient.numel() for gradient in gradients])
    for gradient, part in zip(gradients, parts, strict=True):
        gradient.copy_(part.view_as(gradient))


def broadcast(tensors: Sequence[torch.Tensor], rank: int) -> None:
    """Give all processes the values that one of them has of tensors of one type, at once."""
    flat = torch.cat([tensor.flatten() for tensor in tensors])
    dist.broadcast(flat, rank)
    parts = torch.split(flat, [tensor.numel() for tensor in tensors])
    for tensor, part in zip(tensors, parts, strict=True):
        tensor.copy_(part.view_as(tensor))


def share_weights(model: torch.nn.Module) -> None:
    """Give all processes the weights of the first."""
    if dist.is_initialized():
        for value in model.state_dict().values():
            dist.broadcast(value, 0)


def gathered(value: T) -> list[T]:
    """Return what each process has, in the order of the processes."""
    if not dist.is_initialized():
        return [value]
    values: list[T] = [value] * process_count()
    dist.all_gather_object(values, value)
    return values

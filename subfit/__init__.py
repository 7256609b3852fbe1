"""subfit: subtitles that fit."""

from subfit.threads import wait_passively

wait_passively()  # before anything imports PyTorch

__version__ = "0.1.0"

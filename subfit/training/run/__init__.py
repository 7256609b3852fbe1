"""One training run: model, loss, optimiser, loop, and what it leaves in its folder."""

"""What translates: budgeted beam search over a checkpoint's log-probabilities."""

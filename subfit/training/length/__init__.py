"""Training length predictors."""

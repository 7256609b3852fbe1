"""A client's guideline, and the length budgets that follow from it."""

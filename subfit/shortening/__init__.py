"""Cues that are over their budgets, shortened in their own language."""

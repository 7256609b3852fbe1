"""Recipes: everything that makes a checkpoint."""

"""Bringing a text into a form that small models know, and what they make of it back."""

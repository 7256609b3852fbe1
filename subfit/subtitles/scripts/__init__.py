"""Dubbing scripts: tables with a line to be spoken in each row."""

"""Translating many files into many languages: planned first, resumable, one engine or many."""

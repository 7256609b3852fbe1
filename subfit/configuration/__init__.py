"""YAML to checked dataclasses, every problem with its file and line."""

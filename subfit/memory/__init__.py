"""Translation memories: what was translated before, indexed, exact and fuzzy matches found."""

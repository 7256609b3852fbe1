"""How many examples a property is tried on."""

from hypothesis import settings


def examples(count: int) -> settings:
    """Return the settings of a property that takes more or fewer examples than others.

    Args:
        count: For each hundred that others take in the same profile.
    """
    return settings(max_examples=max(count * settings().max_examples // 100, 2))

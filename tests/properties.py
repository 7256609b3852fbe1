"""How many examples a property is tried on."""

from hypothesis import settings


def examples(count: int) -> settings:
    """Return the settings of a property that takes other than the usual hundred examples.

    Args:
        count: Those of the default profile; the profile ``thorough`` takes ten times as many.
    """
    return settings(max_examples=count * settings().max_examples // 100)

"""Settings of all property tests."""

from hypothesis import settings

# How long an example takes depends on what else the machine does; benchmarks measure time.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

"""What holds for every test: no property fails because the machine was busy."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None, derandomize=True)
settings.load_profile("no deadline")

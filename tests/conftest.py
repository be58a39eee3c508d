"""What all tests share: no example fails for being slow on a busy machine; a test that hangs has its own limit."""

from hypothesis import settings

settings.register_profile("dealerless", deadline=None)
settings.load_profile("dealerless")

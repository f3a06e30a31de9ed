"""Time and ids are inputs, so that tests can set them."""

from collections.abc import Callable
from datetime import datetime

type Clock = Callable[[], datetime]
"""Returns the current instant, aware, in UTC."""

type MakeId = Callable[[], str]
"""Returns a fresh unique id (uuid4 as text)."""

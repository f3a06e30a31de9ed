"""The one place that knows every concrete class and owns every lifetime."""

from .assembly import housekeeping
from .ports import Ports
from .running import running

__all__ = ["Ports", "housekeeping", "running"]

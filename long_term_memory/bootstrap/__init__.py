"""The one place that knows every concrete class and owns every lifetime."""

from .assembly import housekeeping
from .ports import Ports
from .running import note_links, running

__all__ = ["Ports", "housekeeping", "note_links", "running"]

"""The one place that knows every concrete class and owns every lifetime."""

from ..manager.components import Ports
from .assembly import housekeeping
from .running import note_links, running

__all__ = ["Ports", "housekeeping", "note_links", "running"]

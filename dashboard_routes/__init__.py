"""The dashboard's API, one module per resource."""

# pyright: reportUnusedImport=false
# In the order in which the host matches their routes.

from . import events, health, items, people, policy, recalls, review, transfer  # noqa: F401
from .answers import ROUTES

__all__ = ["ROUTES"]

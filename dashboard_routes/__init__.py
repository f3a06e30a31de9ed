"""The dashboard's API, one module per resource."""

from .health import ROUTES as HEALTH_ROUTES
from .items import ROUTES as ITEM_ROUTES
from .jobs import ROUTES as JOB_ROUTES

ROUTES = (*HEALTH_ROUTES, *ITEM_ROUTES, *JOB_ROUTES)
"""In the order the host matches them: the first that fits wins."""

"""The dashboard's API, one module per resource."""

from .audit import ROUTES as AUDIT_ROUTES
from .events import ROUTES as EVENT_ROUTES
from .health import ROUTES as HEALTH_ROUTES
from .imports import ROUTES as IMPORT_ROUTES
from .item_lists import ROUTES as ITEM_LIST_ROUTES
from .items import ROUTES as ITEM_ROUTES
from .jobs import ROUTES as JOB_ROUTES
from .people import ROUTES as PEOPLE_ROUTES
from .policy import ROUTES as POLICY_ROUTES
from .recalls import ROUTES as RECALL_ROUTES
from .review import ROUTES as REVIEW_ROUTES
from .sharing import ROUTES as SHARING_ROUTES
from .snapshots import ROUTES as SNAPSHOT_ROUTES
from .stats import ROUTES as STATS_ROUTES
from .switches import ROUTES as SWITCH_ROUTES
from .transfer import ROUTES as TRANSFER_ROUTES

ROUTES = (
    *AUDIT_ROUTES,
    *EVENT_ROUTES,
    *HEALTH_ROUTES,
    *ITEM_LIST_ROUTES,
    *ITEM_ROUTES,
    *SHARING_ROUTES,
    *JOB_ROUTES,
    *PEOPLE_ROUTES,
    *POLICY_ROUTES,
    *RECALL_ROUTES,
    *REVIEW_ROUTES,
    *SNAPSHOT_ROUTES,
    *STATS_ROUTES,
    *SWITCH_ROUTES,
    *TRANSFER_ROUTES,
    *IMPORT_ROUTES,
)
"""In the order the host matches them: the first that fits wins."""

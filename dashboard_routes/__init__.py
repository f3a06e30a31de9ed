"""The dashboard's API, one module per resource."""

from . import events, health, items, people, policy, recalls, review, transfer

ROUTES = (
    *events.ROUTES,
    *health.ROUTES,
    *items.ROUTES,
    *people.ROUTES,
    *policy.ROUTES,
    *recalls.ROUTES,
    *review.ROUTES,
    *transfer.ROUTES,
)
"""In the order the host matches them: the first that fits wins."""

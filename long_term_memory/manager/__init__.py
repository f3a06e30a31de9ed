"""LTMManager: the few things the rest of the world may ask of memory."""

from ..write.stages import Saved
from .accepting import Accepting, NotAccepted, OwnWaiting
from .accounts import Known, KnownAccounts
from .browsing import Browsing, Shown
from .deciding import Decided, Deciding
from .editing import Edit, Editing, Lifetime
from .erasing import Erased, Erasing
from .exporting import Exported
from .governing import Governing, InForce, Preview, Version
from .jobs import Jobs, Progress
from .keeping import NotKeptError
from .keyed import Keyed, NotAtLevelError
from .linking import Linked, Linking, NotLinked, Unlinked
from .own import Explained
from .parts import Parts
from .people import People
from .recalls import ExplainedRecall, Recalls, TriedRecall
from .review import WaitingPage
from .session_levels import SessionLevels
from .sharing import NotShared, Shared, WhyNotShared
from .standing import Counts
from .statistics import Statistics
from .transferring import Transferring, noting_snapshots
from .verbs import LTMManager
from .why_not import WhyNot

__all__ = [
    "Accepting",
    "Browsing",
    "Counts",
    "Decided",
    "Deciding",
    "Edit",
    "Editing",
    "Erased",
    "Erasing",
    "Explained",
    "ExplainedRecall",
    "Exported",
    "Governing",
    "InForce",
    "Jobs",
    "Keyed",
    "Known",
    "KnownAccounts",
    "LTMManager",
    "Lifetime",
    "Linked",
    "Linking",
    "NotAccepted",
    "NotAtLevelError",
    "NotKeptError",
    "NotLinked",
    "NotShared",
    "OwnWaiting",
    "Parts",
    "People",
    "Preview",
    "Progress",
    "Recalls",
    "Saved",
    "SessionLevels",
    "Shared",
    "Shown",
    "Statistics",
    "Transferring",
    "TriedRecall",
    "Unlinked",
    "Version",
    "WaitingPage",
    "WhyNot",
    "WhyNotShared",
    "noting_snapshots",
]

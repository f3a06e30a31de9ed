"""What the routes know of the plugin: the only crossing from this package into the other."""

# pyright: reportUnusedImport=false
# They are imported here for the other modules.

from ..long_term_memory.commands.why import told_of
from ..long_term_memory.domain import transfer
from ..long_term_memory.domain.chat import ScopeRef
from ..long_term_memory.domain.enums import Extraction, Level, MemoryType, Mode, Role, Scope, Status
from ..long_term_memory.domain.errors import InvalidInputError, RefusedError, TooLargeError
from ..long_term_memory.domain.memory import AccountFilter, Event, EventFilter, Item, ItemFilter, Page, Paging
from ..long_term_memory.domain.recalls import ListedRecall, RecallFilter
from ..long_term_memory.domain.review import WaitingFilter, WaitingItems
from ..long_term_memory.domain.statistics import Overview
from ..long_term_memory.domain.writing import AuditFilter, AuditLine
from ..long_term_memory.manager import LTMManager
from ..long_term_memory.manager.browsing import KnownAccount, MemoryDetails
from ..long_term_memory.manager.bulk_review import Decided, Edited, Undoable
from ..long_term_memory.manager.editing import Edit
from ..long_term_memory.manager.erasing import Erased
from ..long_term_memory.manager.policy_changes import InForce, Preview, Version
from ..long_term_memory.manager.recalls import ExplainedRecall, TriedRecall
from ..long_term_memory.messages import Locale, MessagesForOperators
from ..long_term_memory.service import Report, Service
from ..long_term_memory.web import Download, Request, Route, Upload

"""Our namespaces, known to the host as what they are: one of its vector databases."""

from astrbot.core.db.vec_db.base import BaseVecDB

from ..storage.namespaces import Namespace


class NamespaceVecDB(Namespace, BaseVecDB):
    """A FAISS namespace under the host's `BaseVecDB` interface."""

"""The host's knowledge base as a memory: its FAISS database, BM25 and fusion of both.

Each pool is a knowledge base of one document, each text a chunk of it, on the host's defaults. Nothing else
of the host runs.
"""

import logging
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_CORE = "astrbot.core"

type Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


class KnowledgeBases:
    """Several knowledge bases in one folder."""

    def __init__(self, folder: Path, embed: Embed, dimension: int) -> None:
        os.environ["ASTRBOT_ROOT"] = str(folder)  # importing the host writes there
        import_module("astrbot.api")  # first: the host's modules import each other in a circle
        self._folder = folder
        self._embedder = _embedder(embed, dimension)
        retrieval = f"{_CORE}.knowledge_base.retrieval"
        self._vec_db: Any = import_module(f"{_CORE}.db.vec_db.faiss_impl").FaissVecDB
        self._models: Any = import_module(f"{_CORE}.knowledge_base.models")
        self._database: Any = import_module(f"{_CORE}.knowledge_base.kb_db_sqlite").KBSQLiteDatabase(
            str(folder / "kb.db")
        )
        self._retrieval: Any = import_module(f"{retrieval}.manager").RetrievalManager(
            sparse_retriever=import_module(f"{retrieval}.sparse_retriever").SparseRetriever(self._database),
            rank_fusion=import_module(f"{retrieval}.rank_fusion").RankFusion(self._database),
            kb_db=self._database,
        )
        self._bases: dict[str, Any] = {}
        for name in ("astrbot", "alembic"):  # from now on the host writes down everything
            logging.getLogger(name).setLevel(logging.ERROR)

    async def open(self) -> None:
        """Make the tables."""
        await self._database.initialize()
        await self._database.migrate_to_v1()

    async def close(self) -> None:
        """Let every file go."""
        for base in self._bases.values():
            await base.vec_db.close()
        await self._database.engine.dispose()

    async def add(self, name: str, texts: Sequence[str]) -> None:
        """Make a knowledge base of these texts."""
        folder = self._folder / name
        folder.mkdir()
        vec_db = self._vec_db(str(folder / "doc.db"), str(folder / "index.faiss"), self._embedder)
        await vec_db.initialize()
        document = self._models.KBDocument(
            doc_id=f"{name} document", kb_id=name, doc_name=name, file_type="txt", file_size=1, file_path=""
        )
        base = self._models.KnowledgeBase(kb_id=name, kb_name=name)
        async with self._database.get_db() as session, session.begin():
            session.add_all([base, document])
        metadatas = [
            {"kb_id": name, "kb_doc_id": f"{name} document", "chunk_index": position}
            for position in range(len(texts))
        ]
        await vec_db.insert_batch(list(texts), metadatas, [f"{name} {at}" for at in range(len(texts))])
        self._bases[name] = SimpleNamespace(kb=base, vec_db=vec_db)

    async def search(self, name: str, question: str, limit: int) -> list[int]:
        """The positions of the texts found, best first."""
        found = await self._retrieval.retrieve(question, [name], self._bases, top_m_final=limit)
        return [each.metadata["chunk_index"] for each in found]


@asynccontextmanager
async def knowledge_bases(folder: Path, embed: Embed, dimension: int) -> AsyncGenerator[KnowledgeBases]:
    """Knowledge bases that are closed at the end."""
    bases = KnowledgeBases(folder, embed, dimension)
    await bases.open()
    try:
        yield bases
    finally:
        await bases.close()


def _embedder(embed: Embed, dimension: int) -> object:
    """An embedding provider of the host's kind that answers at once."""

    async def one(text: str) -> Sequence[float]:
        return embed([text])[0]

    async def many(texts: Sequence[str], **_: object) -> Sequence[Sequence[float]]:
        return embed(texts)

    return SimpleNamespace(
        get_embedding=one, get_embeddings=many, get_embeddings_batch=many, get_dim=lambda: dimension
    )

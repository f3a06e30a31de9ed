"""Rivals answer the same questions on the same vectors."""

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.datasets import Fact, Pool
from benchmarks.embedders import RememberingEmbedder
from benchmarks.host_kb import knowledge_bases
from benchmarks.measures import CUTS, Asked

type Find = Callable[[Sequence[Pool], RememberingEmbedder, Path], Awaitable[list[Asked]]]
"""What a rival finds in these pools, with these vectors, in a folder that is not there yet."""


def rivals(python: Path | None) -> Mapping[str, Find]:
    """By name, those there are: the host always, the others if there is a Python that has them."""
    others = {name: partial(_elsewhere, python, name) for name in ("mem0", "langgraph")} if python else {}
    return {"host_knowledge_base": _host, **others}


async def _host(pools: Sequence[Pool], model: RememberingEmbedder, folder: Path) -> list[Asked]:
    await asyncio.to_thread(folder.mkdir)

    def vectors(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return model.vectors(texts).tolist()

    found: list[list[list[int]]] = []
    async with knowledge_bases(folder, vectors, len(vectors([""])[0])) as bases:
        for pool in pools:
            await bases.add(pool.name, [fact.text for fact in pool.facts])
            asked = [await bases.search(pool.name, each.text, max(CUTS)) for each in pool.questions]
            found.append(asked)
    return list(_asked(pools, found))


async def _elsewhere(
    python: Path, name: str, pools: Sequence[Pool], model: RememberingEmbedder, folder: Path
) -> list[Asked]:
    await asyncio.to_thread(folder.mkdir)
    asked = [
        {
            "name": pool.name,
            "texts": [fact.text for fact in pool.facts],
            "questions": [question.text for question in pool.questions],
        }
        for pool in pools
    ]
    texts = sorted({text for pool in asked for text in (*pool["texts"], *pool["questions"])})
    np.save(folder / "vectors.npy", model.vectors(texts))
    request = {
        "rival": name,
        "limit": max(CUTS),
        "pools": asked,
        "texts": texts,
        "vectors": str(folder / "vectors.npy"),
    }
    command = [str(python), str(Path(__file__).with_name("rival_search.py"))]
    ran = subprocess.run(  # noqa: S603, ASYNC221  the caller names the program, and nothing else goes on
        command, input=json.dumps(request), capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"{name} gave up:\n{ran.stderr[-2000:]}")
    return list(_asked(pools, json.loads(ran.stdout)["found"]))


def _asked(pools: Sequence[Pool], found: Sequence[Sequence[Sequence[int]]]) -> Iterator[Asked]:
    for pool, of_pool in zip(pools, found, strict=True):
        for question, positions in zip(pool.questions, of_pool, strict=True):
            yield Asked(
                category=question.category,
                answered_by=question.answered_by,
                found=[_covers(pool.facts, at) for at in positions],
                blocks={},
            )


def _covers(facts: Sequence[Fact], position: int) -> frozenset[str]:
    return facts[position].covers

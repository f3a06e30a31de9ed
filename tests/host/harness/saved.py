"""The host's own database, read from outside."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A saved conversation of a session, its messages as the host stored them."""

    id: str
    session: str
    messages: tuple[dict[str, Any], ...]

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Role and text of every message, the host's own marks left out."""
        spoken = [message for message in self.messages if not message["role"].startswith("_")]
        return [(message["role"], _text(message.get("content"))) for message in spoken]


def read_conversations(database: Path, session: str) -> list[Conversation]:
    """Read the conversations of a session (`platform:type:id`), oldest first."""
    query = (
        "select conversation_id, content from conversations where user_id = ? order by inner_conversation_id"
    )
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        rows = connection.execute(query, (session,)).fetchall()
    return [
        Conversation(id=row_id, session=session, messages=tuple(json.loads(content or "[]") or ()))
        for row_id, content in rows
    ]


def _text(content: str | list[dict[str, Any]] | None) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])

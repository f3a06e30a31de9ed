"""The host's configuration, as far as it is not the default."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from .scripted_model import Endpoint

USERNAME = "astrbot"
PASSWORD = "LoopbackOnly1"
_SALT = bytes(16)
_HASH = f"pbkdf2_sha256$1${_SALT.hex()}${hashlib.pbkdf2_hmac('sha256', PASSWORD.encode(), _SALT, 1).hex()}"
"""The password as the host stores it, of one round instead of the 600 000 that take a host half a second."""
CHAT_PROVIDER = "scripted-chat"
EMBEDDING_PROVIDER = "scripted-embedding"
PLATFORM_TYPE = "test_platform"

OFFLINE: Mapping[str, Any] = {
    # Nothing listens there: what leaves loopback fails at once instead of waiting for a name server.
    "http_proxy": "http://127.0.0.1:9",
    "no_proxy": ["localhost", "127.0.0.1", "::1"],
    # One attempt, so that a scripted failure is one request.
    "agent_runner": {"config": {"model": {"request_max_retries": 1}}},
}


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """What a host is booted with; `overrides` are merged into the host's configuration last."""

    chat: Endpoint
    embedding: Endpoint | None = None
    embedding_dimension: int = 64
    platforms: tuple[str, ...] = ()
    admins: tuple[str, ...] = (USERNAME, "admin")
    overrides: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def as_config(self) -> dict[str, Any]:
        """Build the part of `cmd_config.json` that differs from the host's defaults."""
        config: dict[str, Any] = {
            "config_version": 5,
            "provider_sources": [_source(self.chat)],
            "provider": [_chat_provider(self.chat)],
            "agent_runner": {"runner_type": "local", "config": {"model": {"provider_id": CHAT_PROVIDER}}},
            "platform": [{"id": each, "type": PLATFORM_TYPE, "enable": True} for each in self.platforms],
            "platform_settings": {"rate_limit": {"count": 0}},
            "admins_id": list(self.admins),
            "disable_metrics": True,
            "dashboard": {
                "host": "127.0.0.1",
                "auth_rate_limit": {"enable": False},
                "pbkdf2_password": _HASH,
            },
        }
        if self.embedding is not None:
            config["provider"].append(embedding_provider(self.embedding, self.embedding_dimension))
        return merged(config, self.overrides)


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Merge nested mappings; lists of things with an id are merged by id, other values replaced."""
    result = dict(base)
    for key, value in over.items():
        result[key] = _merged_value(result.get(key), value)
    return result


def write_config(path: Path, part: Mapping[str, Any]) -> None:
    """Merge a part into a configuration file of the host, which may not exist yet."""
    stored: dict[str, Any] = json.loads(path.read_text("utf-8-sig")) if path.exists() else {}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(merged(stored, part), ensure_ascii=False, indent=2), "utf-8")


def _merged_value(old: object, new: object) -> object:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return merged(cast("Mapping[str, Any]", old), cast("Mapping[str, Any]", new))
    if isinstance(old, list) and isinstance(new, list):
        old_things, new_things = _by_id(cast("list[Any]", old)), _by_id(cast("list[Any]", new))
        if old_things and new_things:
            return list(merged(old_things, new_things).values())
    return cast("object", new)


def _by_id(items: list[Any]) -> dict[str, Any]:
    return {item["id"]: item for item in items if isinstance(item, Mapping) and "id" in item}


def _source(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "id": "scripted-source",
        "provider": "openai",
        "type": "openai_chat_completion",
        "provider_type": "chat_completion",
        "enable": True,
        "key": [endpoint.api_key],
        "api_base": endpoint.base_url,
        "timeout": 60,
        "proxy": "",
        "custom_headers": {},
    }


def _chat_provider(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "id": CHAT_PROVIDER,
        "provider_source_id": "scripted-source",
        "enable": True,
        "model": endpoint.model,
        "modalities": ["text", "tool_use"],
        "custom_extra_body": {},
        "max_context_tokens": 0,
    }


def embedding_provider(endpoint: Endpoint, dimension: int) -> dict[str, Any]:
    """An embedding model as the host keeps it."""
    return {
        "id": EMBEDDING_PROVIDER,
        "provider": "openai",
        "type": "openai_embedding",
        "provider_type": "embedding",
        "enable": True,
        "embedding_api_key": endpoint.api_key,
        "embedding_api_base": endpoint.base_url,
        "embedding_model": endpoint.model,
        "embedding_dimensions": dimension,
        "embedding_dimensions_mode": "never",
        "timeout": 20,
        "proxy": "",
    }

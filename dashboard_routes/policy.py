"""GET and PUT policy, its preview, versions and the way back, POST mode and readonly: what governs memory."""

from typing import Annotated

from pydantic import Field, JsonValue

from . import core
from .answers import ROUTES
from .core import LTMManager, Page, Paging
from .forms import Form

MAX_VERSION = 1_000_000_000


class Sections(Form):
    """Both sections, each with all its settings; what these may be, the settings know."""

    write: dict[str, JsonValue]
    read: dict[str, JsonValue]


class NewPolicy(Sections):
    """A policy in the place of this version, if that is given."""

    version: Annotated[int, Field(ge=0, le=MAX_VERSION)] | None = None


class Earlier(Form):
    """A version to go back to, from the expected one, if that is given."""

    version: Annotated[int, Field(ge=1, le=MAX_VERSION)]
    expected: Annotated[int, Field(ge=0, le=MAX_VERSION)] | None = None


class ModeForm(Form):
    """What automatic writing may do from now on."""

    mode: core.Mode


class ReadOnlyForm(Form):
    """Whether nothing may be written any more."""

    on: bool


@ROUTES.add("GET", "policy", "The policies in force")
async def get_policy(manager: LTMManager) -> core.InForce:
    """The policies in force."""
    return await manager.policy_changes.in_force()


@ROUTES.add("PUT", "policy", "Change the policies", twin="policy/update")
async def put_policy(manager: LTMManager, body: NewPolicy, actor: str) -> core.InForce:
    """Let these policies govern from the next statement on; all of it, or nothing is changed."""
    policies = body.model_dump(exclude={"version"})
    return await manager.policy_changes.change(policies, version=body.version, actor=actor)


@ROUTES.add("POST", "policy/preview", "What a change of the policies would do")
async def preview_policy(manager: LTMManager, body: Sections) -> core.Preview:
    """What these policies would change and do; nothing is changed."""
    return await manager.policy_changes.preview(body.model_dump())


@ROUTES.add("GET", "policy/versions", "All policies ever in force")
async def list_versions(manager: LTMManager, query: Paging) -> Page[core.Version]:
    """One page of all policies ever in force, the newest first."""
    return await manager.policy_changes.versions(**vars(query))


@ROUTES.add("POST", "policy/rollback", "Go back to an earlier policy")
async def roll_back(manager: LTMManager, body: Earlier, actor: str) -> core.InForce:
    """Let the policies of an earlier version govern again, under a new number."""
    return await manager.policy_changes.roll_back(body.version, expected=body.expected, actor=actor)


@ROUTES.add("POST", "mode", "What automatic writing may do", key="mode")
async def set_mode(manager: LTMManager, body: ModeForm, actor: str) -> core.Mode:
    """Let automatic writing go on in this mode, now and after a restart."""
    await manager.policy_changes.set_mode(body.mode, actor=actor)
    return manager.mode


@ROUTES.add("POST", "readonly", "Write nothing, or go on", key="read_only")
async def set_read_only(manager: LTMManager, body: ReadOnlyForm, actor: str) -> bool:
    """Let nothing be written any more, or let it go on."""
    await manager.switches.set_read_only(on=body.on, actor=actor)
    return manager.switches.read_only

"""GET people, and POST people/pause, people/resume and people/erase: who spoke, and what is kept of them."""

from typing import Annotated, TypedDict

from pydantic import StringConstraints

from .answers import ROUTES
from .core import AccountFilter, Erased, KnownAccount, LTMManager, Page
from .forms import Form, Yes

type AccountName = Annotated[str, StringConstraints(min_length=3, max_length=500)]


class AccountForm(Form):
    """Whose account: `platform:user`."""

    account: AccountName


class PauseForm(AccountForm):
    """Whose account; `as_own`: as if they had paused it, so they may end it."""

    as_own: bool = False


class EraseForm(AccountForm):
    """Whose account, and that it is meant."""

    confirm: Yes


class PausedAnswer(TypedDict):
    """Whether nothing is learnt of them and nothing recalled for them."""

    account: str
    paused: bool
    was_own: bool
    """Whether the person had paused it until then: `as_own` puts that back."""


@ROUTES.add("GET", "people", "Who spoke")
async def list_people(manager: LTMManager, query: AccountFilter) -> Page[KnownAccount]:
    """One page of the accounts: paused ones, the latest, then the imported; `q` is part of a name."""
    return await manager.browsing.accounts(**vars(query))


@ROUTES.add("POST", "people/pause", "Learn nothing of somebody")
async def pause(manager: LTMManager, body: PauseForm, actor: str) -> PausedAnswer:
    """Learn and recall nothing for them, until an operator says otherwise, or they do if it is `as_own`."""
    was_own = await manager.pausing.account(body.account, on=True, actor=actor, as_own=body.as_own)
    return PausedAnswer(account=body.account, paused=True, was_own=was_own)


@ROUTES.add("POST", "people/resume", "Learn of them again")
async def resume(manager: LTMManager, body: AccountForm, actor: str) -> PausedAnswer:
    """Learn and recall for them again, whoever paused it."""
    was_own = await manager.pausing.account(body.account, on=False, actor=actor)
    return PausedAnswer(account=body.account, paused=False, was_own=was_own)


@ROUTES.add("POST", "people/erase", "Erase somebody")
async def erase(manager: LTMManager, body: EraseForm, actor: str) -> Erased:
    """Erase all that is kept of them, under all joined accounts; it cannot be undone."""
    return await manager.erasing.of(body.account, actor=actor)

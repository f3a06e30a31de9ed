"""GET people, and POST people/pause, people/resume and people/erase: who spoke, and what is kept of them."""

from typing import Annotated, TypedDict

from pydantic import StringConstraints

from .answers import ROUTES, shaped
from .core import KnownAccount, Page, Request, Service
from .forms import Form, Paged, Yes, asked, body

type AccountName = Annotated[str, StringConstraints(min_length=3, max_length=500)]


class WantedPeople(Paged):
    """Whom to list: those whose account or name has this in it."""

    q: Annotated[str, StringConstraints(max_length=500)] = ""


class AccountForm(Form):
    """Whose account: `platform:user`."""

    account: AccountName


class EraseForm(AccountForm):
    """Whose account, and that it is meant."""

    confirm: Yes


class PausedAnswer(TypedDict):
    """Whether nothing is learnt of them and nothing recalled for them."""

    account: str
    paused: bool


class ErasedAnswer(TypedDict):
    """What is gone."""

    items: int
    events: int


@ROUTES.add("GET", "people", "Who spoke", query=WantedPeople)
async def list_people(service: Service, request: Request) -> Page[KnownAccount]:
    """One page of the accounts that spoke, who spoke last first; `q` is a part of an account or a name."""
    wanted = asked(request, WantedPeople)
    return await service.manager().browsing.accounts(wanted.q, page=wanted.page, page_size=wanted.page_size)


@ROUTES.add("POST", "people/pause", "Learn nothing of somebody", body=AccountForm)
async def pause(service: Service, request: Request) -> PausedAnswer:
    """Learn and recall nothing for them, until an operator says otherwise."""
    account = body(request, AccountForm).account
    await service.manager().pause_account(account, actor=request.actor)
    return PausedAnswer(account=account, paused=True)


@ROUTES.add("POST", "people/resume", "Learn of them again", body=AccountForm)
async def resume(service: Service, request: Request) -> PausedAnswer:
    """Learn and recall for them again, whoever paused it."""
    account = body(request, AccountForm).account
    await service.manager().resume_account(account, actor=request.actor)
    return PausedAnswer(account=account, paused=False)


@ROUTES.add("POST", "people/erase", "Erase somebody", body=EraseForm)
async def erase(service: Service, request: Request) -> ErasedAnswer:
    """Erase all that is kept of them, under all joined accounts; it cannot be undone."""
    wanted = body(request, EraseForm)
    erased = await service.manager().erasing.of(wanted.account, actor=request.actor)
    return shaped(ErasedAnswer, erased)

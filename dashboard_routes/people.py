"""GET people, and POST people/pause, people/resume and people/erase: who spoke, and what is kept of them."""

from typing import Annotated, TypedDict

from pydantic import StringConstraints

from .core import Known, Request, Route, Service
from .forms import Form, Paged, Yes, asked, body
from .shapes import Instant, PageShape, instant, maybe, page_shape

type AccountName = Annotated[str, StringConstraints(min_length=3, max_length=500)]


class WantedPeople(Paged):
    """Whom to list: those whose account or name has this in it."""

    q: Annotated[str, StringConstraints(max_length=500)] = ""


class AccountForm(Form):
    """Whose account: `platform:user`."""

    account: AccountName


class EraseForm(Form):
    """Whose account, and that it is meant."""

    account: AccountName
    confirm: Yes


class ChatShape(TypedDict):
    """A chat in which somebody spoke."""

    umo: str
    private: bool
    last_seen: Instant


class PersonShape(TypedDict):
    """An account that spoke or is paused, and how many live memories its person has."""

    account: str
    name: str
    scope_id: str
    items: int
    chats: list[ChatShape]
    last_seen: Instant | None
    paused: bool


class PeopleAnswer(PageShape):
    """One page of the accounts that spoke, who spoke last first."""

    people: list[PersonShape]


class PausedAnswer(TypedDict):
    """Whether nothing is learnt of them and nothing recalled for them."""

    account: str
    paused: bool


class ErasedAnswer(TypedDict):
    """What is gone."""

    items: int
    events: int


async def list_people(service: Service, request: Request) -> PeopleAnswer:
    """One page of the accounts that spoke; `q` is a part of an account or a name."""
    wanted = asked(request, WantedPeople)
    found = await service.manager().accounts.page(wanted.q, page=wanted.page, page_size=wanted.page_size)
    return PeopleAnswer(
        people=[_person(known) for known in found.rows],
        **page_shape(found),
    )


async def pause(service: Service, request: Request) -> PausedAnswer:
    """Learn and recall nothing for them, until an operator says otherwise."""
    account = body(request, AccountForm).account
    await service.manager().accounts.pause(account, actor=request.actor)
    return PausedAnswer(account=account, paused=True)


async def resume(service: Service, request: Request) -> PausedAnswer:
    """Learn and recall for them again, whoever paused it."""
    account = body(request, AccountForm).account
    await service.manager().accounts.resume(account, actor=request.actor)
    return PausedAnswer(account=account, paused=False)


async def erase(service: Service, request: Request) -> ErasedAnswer:
    """Erase all that is kept of them, under all joined accounts; it cannot be undone."""
    wanted = body(request, EraseForm)
    erased = await service.manager().erasing.of(wanted.account, actor=request.actor)
    return ErasedAnswer(items=erased.items, events=erased.events)


ROUTES = (
    Route(
        path="people",
        method="GET",
        summary="Who spoke",
        handler=list_people,
        query=WantedPeople,
        answer=PeopleAnswer,
    ),
    Route(
        path="people/pause",
        method="POST",
        summary="Learn nothing of somebody",
        handler=pause,
        body=AccountForm,
        answer=PausedAnswer,
    ),
    Route(
        path="people/resume",
        method="POST",
        summary="Learn of them again",
        handler=resume,
        body=AccountForm,
        answer=PausedAnswer,
    ),
    Route(
        path="people/erase",
        method="POST",
        summary="Erase somebody",
        handler=erase,
        body=EraseForm,
        answer=ErasedAnswer,
    ),
)


def _person(known: Known) -> PersonShape:
    return PersonShape(
        account=known.account,
        name=known.spoke.name,
        scope_id=known.scope_id,
        items=known.items,
        chats=[
            ChatShape(umo=place.umo, private=place.private, last_seen=instant(place.last_seen))
            for place in known.spoke.places
        ],
        last_seen=maybe(known.spoke.last_seen),
        paused=known.paused,
    )

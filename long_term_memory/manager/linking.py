"""Linking accounts by a code from one, entered by the other, confirmed by the first (design 8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..access.accounts import joined_by, linked, unlinked
from ..access.identity import account_of
from ..domain.chat import Chat
from ..domain.writing import AuditEntry
from ..text_analysis.sanitize import plain_name
from .codes import Account, LinkCodes, Offer
from .components import Components
from .operations import Operations


class NotLinked(StrEnum):
    """Why nothing came of it."""

    IN_GROUP = "in_group"
    """In a group everybody reads along: a code that is shown there is void from then on."""
    TOO_MANY_TRIES = "too_many_tries"
    WRONG_CODE = "wrong_code"
    """Never given, over, or entered by somebody already: which of these nobody is told."""
    OWN_CODE = "own_code"
    ALREADY = "already"
    NOBODY_ENTERED = "nobody_entered"
    NOT_JOINED = "not_joined"
    BY_OPERATOR = "by_operator"


@dataclass(frozen=True, kw_only=True)
class Linked:
    """Two accounts are one person from now on."""

    other: Account
    head: str
    """The account that is written to."""


@dataclass(frozen=True, kw_only=True)
class Unlinked:
    """The account stands alone again, with those the operator has joined to it."""

    head: str
    """The account that keeps what was learnt while they were joined."""
    is_head: bool
    """Whether that is the account that leaves."""


class Linking(Operations):
    """What people do about their own accounts."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._codes = LinkCodes(components.ports.clock, components.ports.make_id)

    def begin(self, chat: Chat) -> Offer | NotLinked:
        """A new code; the one that waits to be confirmed where somebody has entered it."""
        if not chat.private:
            return NotLinked.IN_GROUP
        here = self._account(chat)
        waiting = self._codes.get(here.account)
        if waiting is not None and waiting.entered_by is not None:
            return waiting
        return self._codes.offer(here)

    def enter(self, chat: Chat, code: str) -> Offer | NotLinked:
        """Enter the code of another account, for that one to confirm."""
        here = self._account(chat)
        if not self._codes.may_guess(here.account):
            return NotLinked.TOO_MANY_TRIES
        offer = self._codes.find(code, here)
        if offer is None:
            self._codes.guessed_wrong(here.account)
            return NotLinked.WRONG_CODE if chat.private else NotLinked.IN_GROUP
        if not chat.private:
            self._codes.pop(offer.of.account)
            return NotLinked.IN_GROUP
        if offer.of.account == here.account:
            return NotLinked.OWN_CODE
        if here.account in self._person(offer.of.account):
            return NotLinked.ALREADY
        return self._codes.entered(offer, here)

    async def confirm(self, chat: Chat) -> Linked | NotLinked:
        """Join the account that has entered one's code. Raises RefusedError, UnavailableError."""
        if not chat.private:
            return NotLinked.IN_GROUP
        here = self._account(chat)
        offer = self._codes.get(here.account)
        if offer is None or offer.entered_by is None:
            return NotLinked.NOBODY_ENTERED
        other = offer.entered_by
        async with self._store.transaction() as transaction:
            links = await transaction.links()
            joined = joined_by(self._people.rules.aliases, links)
            to, *_ = joined.get(here.account, (here.account,))
            person = joined.get(other.account, (other.account,))
            if to not in person:
                await transaction.put_links(linked(links, person, to))
                await transaction.audit(AuditEntry(actor=here.account, action="link", after=other.account))
        await self._people.load()
        self._codes.pop(here.account)
        return Linked(other=other, head=to)

    def cancel(self, chat: Chat) -> bool:
        """Let one's code be over, entered or not, and the one that one has entered; whether there was any."""
        return self._codes.take_back(self._account(chat).account)

    async def leave(self, chat: Chat) -> Unlinked | NotLinked:
        """Part the speaker's account from those it is linked to. Raises RefusedError, UnavailableError."""
        if not chat.private:
            return NotLinked.IN_GROUP
        here = self._account(chat).account
        own = self._people.rules.joined_by_operator.get(here, (here,))
        head = self._person(here)[0]
        async with self._store.transaction() as transaction:
            before = await transaction.links()
            after = unlinked(before, own)
            if after == before:
                return NotLinked.BY_OPERATOR if len(own) > 1 else NotLinked.NOT_JOINED
            await transaction.put_links(after)
            await transaction.audit(AuditEntry(actor=here, action="unlink", before=head))
        await self._people.load()
        return Unlinked(head=head, is_head=head in own)

    def _person(self, account: str) -> Sequence[str]:
        """All accounts of a person, the one that is written to first."""
        return self._people.rules.joined.get(account, (account,))

    def _account(self, chat: Chat) -> Account:
        return Account(
            account=account_of(chat, self._people.rules),
            platform_id=chat.platform_id,
            sender_id=chat.sender_id,
            name=plain_name(chat.sender_name) or chat.sender_id,
        )

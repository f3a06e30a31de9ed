"""Linking accounts by a code from one, entered by the other, confirmed by the first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from ..access.accounts import join_accounts, with_link, without_links
from ..access.identity import account_of
from ..domain.chat import Chat
from ..domain.errors import RefusedError
from ..domain.writing import AuditEntry
from ..storage.long_work import finish_despite_cancel
from ..text_analysis.sanitize import plain_name
from .components import Components
from .confirmation_codes import MAX_CODES, Expiring, code_of
from .operations import Operations

LIFE = timedelta(minutes=10)
"""How long a code can be used, and an entered one confirmed."""
LENGTH = 8
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that look like another: 0 and O, 1, I and L. Eight of them are 39 bits."""
MAX_TRIES = 5
"""Wrong codes that an account may enter within `LIFE`; the time runs from the first."""
MAX_GUESSERS = 10_000
_BETWEEN = re.compile(r"[\s-]+")


class NotLinkedError(RefusedError):
    """Nothing came of it; `rule` is the key of the text that says why."""

    def __init__(self, why: str) -> None:
        super().__init__(f"not_linked.{why}")


@dataclass(frozen=True, kw_only=True)
class LinkAccount:
    """One of the two accounts, and how it is shown to the owner of the other."""

    account: str
    platform_id: str
    sender_id: str
    name: str


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A code, whose it is, and who has entered it: the only one who can be confirmed."""

    code: str
    of: LinkAccount
    entered_by: LinkAccount | None = None
    is_seen: bool = False
    """Whether its owner was told who has entered it."""


class Linking(Operations):
    """What people do about their own accounts. All of it raises NotLinkedError."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._codes = Expiring[str, Offer](self._clock, LIFE, MAX_CODES)
        """By the account whose code it is: at most one for each."""
        self._guesses = Expiring[str, list[str]](self._clock, LIFE, MAX_GUESSERS)
        """The wrong codes that an account has entered."""

    def begin(self, chat: Chat) -> Offer:
        """A new code; the one that waits to be confirmed where somebody has entered it."""
        here = self._alone(chat)
        waiting = self._codes.get(here.account)
        if waiting is not None and waiting.entered_by is not None:
            if not waiting.is_seen:
                self._codes.put(here.account, replace(waiting, is_seen=True))
            return waiting
        offer = Offer(code=code_of(self._components.ports.make_id(), ALPHABET, LENGTH), of=here)
        self._codes.put(here.account, offer)
        return offer

    def is_unseen(self, chat: Chat) -> bool:
        """Whether somebody has entered one's code and `begin` has not told who."""
        offer = self._codes.get(self._alone(chat).account)
        return offer is not None and offer.entered_by is not None and not offer.is_seen

    def enter(self, chat: Chat, code: str) -> Offer:
        """Enter the code of another account, for that one to confirm within as much time again."""
        here, wanted = self._account(chat), bare(code)
        guesses = self._guesses.get(here.account) or []
        if len(guesses) >= MAX_TRIES:
            raise NotLinkedError("too_many_tries")
        offer = next((each for each in self._codes.values if each.code == wanted), None)
        if offer is None or offer.entered_by not in (None, here):
            if not guesses:
                self._guesses.put(here.account, guesses)
            guesses.append(wanted)
            # Never given, over, or entered by somebody already: which of these nobody is told.
            raise NotLinkedError("wrong_code" if chat.private else "in_group")
        if not chat.private:  # everybody reads along
            self._codes.pop(offer.of.account)
            raise NotLinkedError("in_group")
        if offer.of.account == here.account:
            raise NotLinkedError("own_code")
        if here.account in self._person(offer.of.account):
            raise NotLinkedError("already")
        entered = replace(offer, entered_by=here)
        self._codes.put(offer.of.account, entered)
        return entered

    def written_to(self, offer: Offer) -> str:
        """The account that is written to once its owner has confirmed it."""
        return self._person(offer.of.account)[0]

    async def confirm(self, chat: Chat) -> tuple[LinkAccount, str]:
        """Join the account that has entered one's code; that one, and the account that is written to now.

        Raises RefusedError, UnavailableError.
        """
        here = self._alone(chat)
        offer = self._codes.get(here.account)
        if offer is None or offer.entered_by is None:
            entered = [each.entered_by for each in self._codes.values]
            raise NotLinkedError("other_confirms" if here in entered else "nobody_entered")
        other = offer.entered_by
        to = await finish_despite_cancel(self._join(here.account, other.account))
        self._codes.pop(here.account)
        return other, to

    async def _join(self, here: str, other: str) -> str:
        async with self._store.transaction() as transaction:
            links = await transaction.links()
            joined = join_accounts(self._resolver.rules.aliases, links)
            to, *_ = joined.get(here, (here,))
            person = joined.get(other, (other,))
            if to not in person:
                links = with_link(links, person, to)
                await transaction.put_links(links)
                await transaction.audit(AuditEntry(actor=here, action="link", after=other))
        await self._resolver.links_changed(links)
        return to

    def cancel(self, chat: Chat) -> bool:
        """Let one's code be over, entered or not, and the one that one has entered; whether there was any."""
        here = self._account(chat).account
        codes = [(offer.of.account, offer.entered_by) for offer in self._codes.values]
        over = [account for account, other in codes if here in (account, other and other.account)]
        for account in over:
            self._codes.pop(account)
        return bool(over)

    async def leave(self, chat: Chat) -> str:
        """Part the speaker's account, with those the operator joined to it, from those it is linked to.

        Returns the other account that keeps what was learnt while they were joined; empty where this one
        does. Raises RefusedError, UnavailableError.
        """
        return await finish_despite_cancel(self._part(self._alone(chat).account))

    async def _part(self, here: str) -> str:
        own = self._resolver.rules.joined_by_operator.get(here, (here,))
        head = self._person(here)[0]
        async with self._store.transaction() as transaction:
            before = await transaction.links()
            after = without_links(before, own)
            if after == before:
                raise NotLinkedError("by_operator" if len(own) > 1 else "not_joined")
            await transaction.put_links(after)
            await transaction.audit(AuditEntry(actor=here, action="unlink", before=head))
        await self._resolver.links_changed(after)
        return "" if head in own else head

    def _person(self, account: str) -> Sequence[str]:
        """All accounts of a person, the one that is written to first."""
        return self._resolver.rules.joined.get(account, (account,))

    def _alone(self, chat: Chat) -> LinkAccount:
        """The speaker's account, where nobody else reads along."""
        if not chat.private:
            raise NotLinkedError("in_group")
        return self._account(chat)

    def _account(self, chat: Chat) -> LinkAccount:
        return LinkAccount(
            account=account_of(chat, self._resolver.rules),
            platform_id=chat.platform_id,
            sender_id=chat.sender_id,
            name=plain_name(chat.sender_name) or chat.sender_id,
        )


def bare(code: str) -> str:
    """The code as it was given, without what people put between its letters."""
    return _BETWEEN.sub("", code).upper()

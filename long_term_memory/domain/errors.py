"""The errors this package raises: each tells who has to act, or what may help."""


class LtmError(Exception):
    """The root of the tree."""


class InvalidInputError(LtmError):
    """A value of the caller's is wrong; `field` names it as the caller knows it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class TooLargeError(InvalidInputError):
    """A value has more bytes than are looked at."""


class NotFoundError(LtmError):
    """There is no such thing, or none that this caller may know of: the two are never told apart."""


class AmbiguousError(LtmError):
    """A shortened id fits several things that the caller may see."""


class RefusedError(LtmError):
    """A rule forbids it; `rule` is its name."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class ClosedError(LtmError):
    """The plugin is unloaded or not yet loaded."""


class UnavailableError(LtmError):
    """A provider or the store does not answer now; trying later may help.

    `cost_nothing` is whether it surely did not work on what it was asked.
    """

    def __init__(self, *args: object, cost_nothing: bool = False) -> None:
        super().__init__(*args)
        self.cost_nothing = cost_nothing


class StoreUnavailableError(UnavailableError):
    """The store is locked, or its disk is full or failing."""


class UnusableStoreError(LtmError):
    """The store cannot be used as it is, now or later. Not one byte of it was changed."""


class NewerStoreError(UnusableStoreError):
    """A newer version of the plugin has written it."""


class NoProviderError(UnavailableError):
    """No provider is chosen, so nothing was tried."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args, cost_nothing=True)


class AnswerError(LtmError):
    """A model's answer cannot be read; asking again may help."""

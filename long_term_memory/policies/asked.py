"""Whether somebody asks to remember something, plainly or not (design 5.2).

The rules keep at once what is plainly asked for. What is not so plain is for the model, and must not wait
until the chat has been idle for long. Here a wrong yes costs no more than an early question.
"""

import re

_LENGTH = 2_000
_CUE = re.compile(
    r"(?<!do you )(?<!did you )(?<!\bi )(?<!\bwe )(?<!can't )(?<!cannot )(?<!don't )\bremember\b"
    r"|\b(?:don't|do not|never) forget\b|\bkeep in mind\b|\b(?:make|take) a note\b|\bnote that\b"
    r"|(?:[请帮]|帮我|你要|要|一定|务必|给我|麻烦).{0,3}记[住得下着]|记住|记下|记一下|记好|(?:别|不要)忘",
    re.IGNORECASE,
)
_SAVE = re.compile(
    r"\b(?:save|store|record|memori[sz]e|note)\b(?: down)?[,:]? "
    r"(?:this|that|these|it|my|our|i|i'm|the fact|down)\b"
    r"|\b(?:write|jot)\s(?:\w+\s){0,3}down\b"
    r"|\b(?:to|in|into) (?:your |the )?memory\b|\bfor (?:later|the future|next time)\b"
    r"|^\s*(?:save|note|store|record)\b"
    r"|保存|存一下|存下来?|存起来|存到|记录|备注|备忘|记到",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:don't|do not|never|not|no need to|needn't|stop|without)\s(?:\w+\s){0,2}"
    r"(?:remember|sav(?:e|ing)|stor(?:e|ing)|record(?:ing)?|memori[sz]\w+|not(?:e|ing)|keep(?:ing)?)\b"
    r"|(?:不要|别|不用|不必|无需|不许|不准|不能|甭)(?!忘|不).{0,3}(?:记|保存|存|备注|备忘)",
    re.IGNORECASE,
)

_ASKED_POLITELY = re.compile(
    r"(?P<may>\b(?:can|could|would|will) you\b)(?P<told>[^?.!\n]{0,20}?"
    r"\b(?:remember|memori[sz]e|save|store|record|note|keep|write|make)\b[^?\n]*)(?P<end>\?)"
    r"|(?P<may_zh>(?:你|您)?(?:能不能|能否|可不可以|可否|可以|能))(?P<told_zh>[^？?。！\n]{0,6}?(?:记|存|保存|备注)"
    r"[^？?\n]*?)(?P<end_zh>[吗么]?[？?])",
    re.IGNORECASE,
)


def as_stated(text: str) -> str:
    """The text with each polite request put as a plain one, every character in its place.

    "Can you remember that I am vegan?" asks for something, but not whether somebody is vegan.
    """
    return _ASKED_POLITELY.sub(_stated, text[:_LENGTH]) + text[_LENGTH:]


def _stated(request: re.Match[str]) -> str:
    may, told, end = (request[name] or request[f"{name}_zh"] for name in ("may", "told", "end"))
    return f"{' ' * len(may)}{told}{'.'.ljust(len(end))}"


def asks_to_remember(text: str) -> bool:
    """Whether the words look like a request to keep something in memory."""
    return bool(_CUE.search(text[:_LENGTH]))


def asks_to_save(text: str) -> bool:
    """Whether a person's message is reason enough to keep for good what a model saves of its words.

    Wider than `asks_to_remember`, since the model has understood it so as well; but never against the words.
    """
    text = text[:_LENGTH]
    return bool(_CUE.search(text) or _SAVE.search(text)) and not _NOT.search(text)

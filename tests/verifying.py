"""The answer of a scripted model to the second question: everything was said."""

import json
import re

from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.prompts.verification import SYSTEM


def all_said(prompt: str, *, ruling: str = "said") -> str:
    """One verdict for each fact that the prompt asks about."""
    numbers = re.findall(r"^\[F(\d+)\] ", prompt, re.MULTILINE)
    return json.dumps([{"n": int(number), "verdict": ruling} for number in numbers])


def second_answer(system: str, prompt: str) -> Completion | None:
    """The completion, if this is the second question; None for any other."""
    return Completion(text=all_said(prompt), prompt_tokens=9, answer_tokens=1) if system == SYSTEM else None

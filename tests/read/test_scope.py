from astrbot_plugin_ltm.long_term_memory.domain.reading import Query
from astrbot_plugin_ltm.long_term_memory.read.scope import MAX_QUERY_CHARS, scope

from .fakes import NOW, alices_access


def test_a_request_carries_its_access_its_text_and_the_words_that_matter() -> None:
    access = alices_access()
    request = scope(access, Query(text="  What should I cook?\n", at=NOW))
    assert (request.access, request.at) == (access, NOW)
    assert (request.text, request.words) == ("What should I cook?", "cook")


def test_a_long_message_keeps_its_two_ends() -> None:
    text = "这段日志说明什么？" + "x" * 90_000 + "请问怎么修复数据库"
    request = scope(alices_access(), Query(text=text, at=NOW))
    assert len(request.text) == MAX_QUERY_CHARS
    assert request.text.startswith("这段日志说明什么？")
    assert request.text.endswith("请问怎么修复数据库")


def test_a_message_without_content_looks_for_no_words() -> None:
    assert scope(alices_access(), Query(text="how are you?", at=NOW)).words == ""

from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import NOW, an_access, an_item, keep


async def test_what_was_inserted_comes_back_as_it_was(store: Store) -> None:
    item = an_item()
    await keep(store, item)
    assert await store.item(item.memory_id) == item


async def test_words(store: Store) -> None:
    item = an_item("我喜欢熊猫")
    await keep(store, item)
    assert await store.memories.word_scores(an_access(), "熊猫吃什么", now=NOW, min_confidence=0.5, limit=5)
    assert await store.memories.visible_items(an_access(), now=NOW, min_confidence=0.5) == [item]

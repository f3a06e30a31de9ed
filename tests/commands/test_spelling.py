from tests.running import private
from tests.test_commands import Talk


async def test_what_is_no_subcommand_is_answered_with_where_they_are(talk: Talk) -> None:
    assert await talk.says("ltm lsit") == "There is no command /ltm lsit. For all commands, send /ltm"


async def test_an_id_that_fits_nothing_is_answered_with_where_the_ids_are(talk: Talk) -> None:
    for command in ("why", "forget", "share", "unshare"):
        said = await talk.says(f"ltm {command} ffffffff")
        assert said == "There is no memory ffffffff that you can see. The ids are in /ltm list"


async def test_an_id_may_be_copied_with_what_stands_around_it(talk: Talk) -> None:
    saved = await talk.says("ltm add my bike is blue")
    shown = saved[saved.rindex("(") :]
    assert "my bike is blue" in await talk.says(f"ltm why {shown}")
    assert "my bike is blue" in await talk.says(f"ltm why （{shown[1:-1]}）。")
    assert "There is no memory" in await talk.says(f"ltm why {shown}", private("bob"))

from riverboat.clients.web.play.outbox import Outbox


async def test_messages_come_in_order() -> None:
    outbox = Outbox()
    outbox.put("a")
    outbox.put("b")
    assert [await outbox.get(), await outbox.get()] == ["a", "b"]


async def test_a_browser_that_is_far_behind_gets_the_newest() -> None:
    outbox = Outbox()
    for number in range(61):
        outbox.put(str(number))
    assert await outbox.get() == "60"

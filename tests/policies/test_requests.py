from itertools import product

from astrbot_plugin_ltm.long_term_memory.policies.requests import (
    asks_not_to_keep,
    asks_to_be_left_out,
    asks_to_remember,
    asks_to_save,
    is_about_answers,
    is_urgent,
    remembered,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.cpu_limit import cpu_limit
from tests.policies.answers_list import OF_ANSWERS, OF_OTHERS
from tests.policies.requests_list import KEPT, NOT_REMEMBERED, NOT_TO_KEEP, REMEMBERED

URGENT = """
Please remember the thing about the garage
btw remember: I moved
Could you remember my flight, it is on Friday
Don't forget what I said about cake
keep in mind that I work nights
make a note of it, will you
记住，我搬家了
帮我把这个记住
这件事你要记得
请记一下我的航班
千万别忘了我对花生过敏
""".strip().splitlines()

NOT_URGENT = """
Do you remember my name?
I remember that day
I can't remember where I left it
We remember it well
It was a memorable day
你还记得我吗
我记得你说过
今天天气不错
""".strip().splitlines()

MAY_FORGET = """
forget my shoe size
omg why did i say that. pls dont hold on to that one. like at all
n lose whatever i said abt him
I'd rather you forgot the bit about my ex
please don't hang on to that salary number
that's not for the notes
pretend I never mentioned the rehab
take that bit back
can you erase the address I gave
忘掉我儿子的事
我上回讲的那个事，你给我忘掉，别留底
把前女友那段删了吧
刚才说的体检结果就别存了
Streich bitte das mit dem Kalle und dem Geld
no lo guardes en ningún lado eh
さっきの話は消してください
""".strip().splitlines()

NOT_FORGOTTEN = """
I'm not gonna forget a second of it
don't forget the milk
I always forget to water them
I'll never forget you
It's easy to get lost, so we took a map
not a big deal
别忘了带伞
我忘带钥匙了
""".strip().splitlines()

LEFT_OUT = """
don't remember me
Please don't remember anything about me.
Stop recording me please
别记住我
不要記住我
以后别再记录我的任何信息
别记了
Forget me
please forget everything about me
forget everything you know about me.
delete my memories
Erase all of my data, please
Don't remember anything
please never remember anything I say
I don't want you to remember me
忘记我
请忘了我吧
忘掉关于我的一切
把我忘掉
删除我的记忆
請清除我的所有資料
我不想让你记住我
不要记住任何事情
不要再记了！
can you forget me?
I'd like you to delete everything you know about me
could you delete all the data you have about me?
how do I delete my data?
please erase me from your memory
I want all my data deleted
I don't want to be remembered
Stop saving what I say
don't keep any records of me
请把关于我的记忆都删掉
能不能删掉我的所有信息？
从你的记忆里删掉我
我不想被记住
别记我说的任何话
删掉你记住的关于我的内容
请你把我忘了
你能不能把我忘了？
你把我忘了吧
我希望你忘掉我
你可以忘记我吗
你把我的数据都删掉好吗
把我从你的记忆里删掉
怎么删除我的数据
我想把我的信息删掉
把关于我的东西都删掉
请你忘记我的事情
forget everything I told you
Please forget everything I've told you.
can you delete everything I've shared with you?
please erase all i wrote to you so far
forget everything I told you about me
忘掉我跟你说的一切
忘掉我说的所有话
把我说过的都忘了
请把我之前跟你说的都删掉
把我说的都忘了好吗？
能不能把我说的都忘掉？
请忘掉我说的所有话好吗？
请把我说过的话都删掉，可以吗？
don't collect my data
please don't keep anything about me
stop collecting information about me
don't track me
stop keeping what I say
""".strip().splitlines()

NOT_LEFT_OUT = """
I want to wipe my data. I'm selling my laptop.
forget everything I just said
forget everything I told you about the house
forget everything I told you yesterday
you forget everything I tell you
did you forget everything I told you?
你把我说的都忘了
你怎么把我说过的话都忘了
我说的都忘了吗？
我跟你说的都忘了吗
我之前跟你说的话全忘了？
你怎么能把我说的都忘了
怎么可以把我说的都忘了
我以前说的话都忘了
how can you forget everything I told you?
delete everything I wrote
forget what I said about gin
She sang "forget me". I liked it.
I like rowing. From now on I row daily.
忘掉我刚才说的
don't forget me
forget me not
forget what I told you about me and my dog
delete my memories of this file
erase my data from the disk image
I don't remember anything
don't remember anything about the exam
你忘了我
忘记我说的话
删除我的记忆卡文件
don't remember this
Don't remember me?
don't you remember me
don't save me a seat
don't forget me
别记这个
刚才那句别记了
别记我老板的名字
别记错了
Did you forget me?
will my boss forget me after I quit?
do you remember what I said about me?
delete what you know about Bob
I want to delete my memories of that trip
忘掉我刚才说的数字
他已经忘了我
怎么删除我的微信聊天记录？
别把我的话当真
删掉我
不要记住我妈的生日
我记了
你怎么把我忘了
怎么把我忘了
你都忘记我的事情
你忘记我吗？
你把我忘了吗
你把我忘了
您现在都把我忘了吧
你怎么忘掉我
你把我的事情忘了吗
你把我的东西删了吗？
你把我的数据删了
现在你都忘记我的事
我想忘记我的事情
我要把我的一切忘掉
把我删了
把我删掉
请把我清空
把都删了
从记忆里删掉
清空我的东西
怎么删除我的内容？
把我的东西都删掉
Please don't collect me
don't keep me
stop keeping me
please stop saving me
don't keep anything
stop collecting anything
""".strip().splitlines()

SAVED = """
Please remember that I like tea
save this: my flight is at nine
My name is Alice, please save it
Can you store my shoe size? It is 42
Note: the plumber comes on Tuesday
put it into your memory
keep my address for later
jot down that I am vegan
I am vegan, write that down
write my shoe size down, it is 42
don't forget that I am vegan
帮我保存一下我的地址
存一下：车牌是京A12345
把这个记录下来
加个备注，我不吃辣
别忘了我对花生过敏
""".strip().splitlines()

NOT_SAVED = """
I live in Oslo
How do I save a file in Word?
I work as a plumber in Oslo; write my application
I use Python at work, so write it in Python
I want to save money
Don't remember that I live in Oslo
please do not save this
Never store my address
no need to note it down
You need not remember it
不要记住我住在奥斯陆
别保存这个
这个不用记录
我住在奥斯陆
""".strip().splitlines()


def test_who_asks_to_be_left_out_altogether_is_told_from_who_means_one_thing() -> None:
    assert [text for text in LEFT_OUT if not asks_to_be_left_out(text)] == []
    assert [text for text in NOT_LEFT_OUT if asks_to_be_left_out(text)] == []


def test_who_asks_that_nothing_be_kept_means_no_one_message() -> None:
    points_back = [text for text in LEFT_OUT if (asked := asks_not_to_keep(text)) and asked.points_back]
    assert points_back == ["别记了", "Don't remember anything", "please never remember anything I say"]


def test_what_is_plainly_asked_for_is_remembered_word_for_word() -> None:
    rows = [line.split(" | ") for line in REMEMBERED]
    found = [(text, kept, remembered(text)) for text, kept in rows]
    assert [(text, read) for text, kept, read in found if read != kept] == []


def test_errands_questions_tasks_and_talk_of_memory_ask_for_nothing_to_be_kept() -> None:
    assert [(text, remembered(text)) for text in NOT_REMEMBERED if remembered(text)] == []


def test_a_request_after_other_sentences_or_in_a_long_message_is_left_to_the_model() -> None:
    texts = (
        "Explain recursion.\nRemember that I like short texts",
        "Remember that my brother is dead. The king died. Then it rained.",
        "Fwd from boss:\nRemember that the deadline is Friday.",
        "Remember that I like tea" + " and cake" * 35,
    )
    assert [text for text in texts if remembered(text)] == []


def test_what_people_ask_not_to_keep_is_heard_and_whether_it_means_the_message_before() -> None:
    rows = [(line.removesuffix(" | alone"), line.endswith(" | alone")) for line in NOT_TO_KEEP]
    found = [(text, alone, asks_not_to_keep(text)) for text, alone in rows]
    assert [(text, read) for text, alone, read in found if read is None or read.points_back != alone] == []


def test_a_message_that_is_asked_about_again_is_read_once() -> None:
    assert asks_not_to_keep("please do not save this") is asks_not_to_keep("please do not save this")


def test_what_was_told_on_other_days_is_left_to_a_model() -> None:
    ways = ("{}我怀孕了，当我没说", "{}说的体检那事，看着心烦，这个别记")
    assert all(
        asks_not_to_keep(way.format("我")) and not asks_not_to_keep(way.format("上回")) for way in ways
    )
    told = "What I told you {} about my knee, just kidding"
    assert asks_not_to_keep(told.format("now"))
    assert not asks_not_to_keep(told.format("last week"))


def test_what_only_looks_like_it_is_kept() -> None:
    assert [text for text in KEPT if asks_not_to_keep(text)] == []


def test_whoever_asks_to_remember_is_heard() -> None:
    assert [text for text in URGENT if not asks_to_remember(text)] == []
    assert [text for text in (*NOT_URGENT, "x" * 3_000 + " remember this") if asks_to_remember(text)] == []


def test_whoever_may_ask_to_forget_is_read_at_once() -> None:
    assert [text for text in (*URGENT, *MAY_FORGET) if not is_urgent(text)] == []
    assert [
        text for text in (*NOT_URGENT, *NOT_FORGOTTEN) if is_urgent(text) and not asks_to_remember(text)
    ] == []


def test_what_others_shall_not_hear_is_remembered_as_asked() -> None:
    assert remembered("remember: don't tell Anna about the party") == "don't tell Anna about the party"
    assert remembered("remember: don't use tabs") is None


def test_whoever_asks_to_save_is_heard_and_who_asks_not_to_is_not() -> None:
    assert [text for text in SAVED if not asks_to_save(text)] == []
    assert [text for text in NOT_SAVED if asks_to_save(text)] == []


UNITS = (
    " ",
    "\n",
    "请",
    "记住",
    "remember ",
    "don't ",
    "my ",
    "is ",
    "please ",
    ", ",
    "不要记",
    "想",
    "能",
    "希望",
    "我的",
    "你好",
    "don't save ",
    "User wants ",
    "用户想要",
    "a",
)


def test_most_preferences_about_answers_are_told_from_others() -> None:
    seen, wrong = ([*filter(is_about_answers, facts)] for facts in (OF_ANSWERS, OF_OTHERS))
    assert (len(OF_ANSWERS), len(OF_OTHERS)) == (100, 100)
    assert len(seen) >= 88, sorted({*OF_ANSWERS}.difference(seen))
    assert len(wrong) <= 4, wrong


def test_how_somebody_writes_times_and_measures_is_about_answers() -> None:
    facts = ("User writes times on the 24-hour clock", "User thinks in Celsius", "用户写时间用二十四小时制")
    assert [fact for fact in facts if not is_about_answers(fact)] == []
    others = ("User works at a 24 hour clock shop", "User uses a metric system at work", "用户用公制扳手")
    assert [fact for fact in others if is_about_answers(fact)] == []


def test_no_message_takes_long_to_read() -> None:
    openings = ("", "remember that my ", "记住：", "don't save this ", "别", "forget what i said about ")
    with cpu_limit():
        for opening, unit, length in product(openings, UNITS, (290, 8_000)):
            text = (opening + unit * 8_000)[:length]
            for ask in (
                remembered,
                is_urgent,
                asks_to_save,
                asks_not_to_keep,
                asks_to_be_left_out,
                is_about_answers,
            ):
                ask(text)


@given(st.text(max_size=100))
def test_any_text_can_be_read(text: str) -> None:
    kept = remembered(text)
    assert kept is None or kept in text
    asks_not_to_keep(text)
